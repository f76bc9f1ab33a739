import type { Context } from '../../context.ts'
import { DAY_MS } from '../../lib/dates.ts'
import type { Permission } from '../auth/viewer.ts'
import { readLastBackup } from '../backup/records.ts'
import { readDiskSpace } from '../server/disk-space.ts'
import { listRules } from '../server/rules.ts'
import { getSettings } from '../server/settings.ts'

/** A twentieth of the disk, and of large disks this much, leaves time to make room. */
const LOW_SPACE = 5_000_000_000

/** Milliseconds: a week, for those who back up that often, and a day. */
const OLD_BACKUP = 8 * DAY_MS

/** A problem that staff should fix, with the values that its message names. */
export type SystemProblem =
  | { key: 'low_disk_space'; free: number }
  | { key: 'backup_failed'; at: Date }
  | { key: 'backup_old'; at: Date }
  | { key: 'no_mail_server' }
  | { key: 'no_rules' }

/** `permissions`: one of them is needed to see the problem. */
type SystemCheck = { permissions: readonly Permission[]; find: (ctx: Context) => Promise<SystemProblem | null> }

const CHECKS: readonly SystemCheck[] = [
  {
    permissions: ['view_devops'],
    async find(ctx) {
      const { size, free } = await readDiskSpace(ctx)
      return free < Math.min(size / 20, LOW_SPACE) ? { key: 'low_disk_space', free } : null
    },
  },
  {
    permissions: ['view_devops'],
    async find(ctx) {
      const { made, failedAt } = (await readLastBackup(ctx)) ?? { made: null, failedAt: null }
      if (failedAt) return { key: 'backup_failed', at: failedAt }
      return made && made.at.getTime() < Date.now() - OLD_BACKUP ? { key: 'backup_old', at: made.at } : null
    },
  },
  {
    permissions: ['view_devops'],
    find: async (ctx) => (ctx.config.smtp === null && (await maySignUp(ctx)) ? { key: 'no_mail_server' } : null),
  },
  {
    permissions: ['manage_rules'],
    find: async (ctx) => ((await maySignUp(ctx)) && (await listRules(ctx)).length === 0 ? { key: 'no_rules' } : null),
  },
]

const maySignUp = async (ctx: Context): Promise<boolean> => (await getSettings(ctx)).registrations_mode !== 'none'

/** The problems that a staff member may see. `may`: whether they have one of the permissions. */
export async function findProblems(
  ctx: Context,
  may: (permissions: readonly Permission[]) => boolean,
): Promise<SystemProblem[]> {
  const found = await Promise.all(CHECKS.filter(({ permissions }) => may(permissions)).map(({ find }) => find(ctx)))
  return found.filter((problem) => problem !== null)
}
