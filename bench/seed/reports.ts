// Reports of each category, with notes; most are open, some are assigned, and some came to an outcome.
import { actOnAccount } from '../../src/actions/moderation/act-on-account.ts'
import { fileReport } from '../../src/actions/moderation/file-report.ts'
import { addReportNote, assignReport, resolveReports } from '../../src/actions/moderation/handle-reports.ts'
import { modifyUser } from '../../src/actions/moderation/change-user.ts'
import type { Context } from '../../src/context.ts'
import { ROLES } from '../../src/domain/auth/users.ts'
import { REPORT_CATEGORIES } from '../../src/domain/reports/reports.ts'
import { listRules } from '../../src/domain/server/rules.ts'
import { type Random, postText } from './random.ts'
import type { Citizen, Seeded, SeedOptions } from './types.ts'

/** The act for every few reports, in turn; null resolves without an action. */
const OUTCOMES = [null, 'none', 'mark_statuses_as_sensitive', 'silence', 'delete_statuses'] as const

/** About one report for three accounts. The last account becomes the moderator who handles them. */
export async function addReports(
  ctx: Context,
  { progress }: SeedOptions,
  random: Random,
  { people, statuses }: Seeded,
): Promise<void> {
  const moderator = people.at(-1)
  const open = statuses.filter(({ visibility, authorId }) => visibility === 'public' && authorId !== moderator?.id)
  if (!moderator || open.length === 0) return
  await modifyUser(ctx, moderator.id, { roleId: ROLES.moderator })
  const rules = await listRules(ctx)
  const wanted = Math.max(4, Math.ceil(people.length / 3))
  for (let i = 0; i < wanted; i++) {
    const status = random.pick(open.slice(0, Math.max(1, Math.ceil(open.length / 4))))
    const reporter = people.find(({ id }) => id !== status.authorId && random.chance(0.3)) ?? moderator
    const category = REPORT_CATEGORIES[i % REPORT_CATEGORIES.length] ?? 'other'
    const report = {
      accountId: reporter.id,
      targetAccountId: status.authorId,
      category,
      comment: random.chance(0.8) ? postText(random) : '',
      statusIds: [status.id],
      collectionIds: [],
      ruleIds: category === 'violation' && rules.length > 0 ? [random.pick(rules).id] : [],
      forward: false,
    }
    // An earlier outcome may have deleted the status.
    const id = await fileReport(ctx, report).catch(() => null)
    if (id !== null) await handle(ctx, random, moderator, { id, ...report, index: i })
    progress('reports', i + 1, wanted)
  }
}

type Filed = { id: string; index: number; targetAccountId: string; statusIds: string[] }

async function handle(ctx: Context, random: Random, moderator: Citizen, filed: Filed): Promise<void> {
  const { id, index, targetAccountId: accountId, statusIds } = filed
  if (random.chance(0.4)) await addReportNote(ctx, moderator.id, id, postText(random))
  if (index % 3 === 1) await assignReport(ctx, moderator.id, id, moderator.id)
  if (index % 3 !== 2) return
  const type = OUTCOMES[Math.floor(index / 3) % OUTCOMES.length] ?? null
  if (type === null) await ctx.transaction((tx) => resolveReports(tx, moderator.id, { reportId: id }))
  else
    await actOnAccount(ctx, moderator.id, {
      accountId,
      type,
      reportId: id,
      statusIds,
      text: postText(random),
      sendMail: false,
    })
}
