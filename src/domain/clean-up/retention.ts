// Deletes remote content as the settings on retention demand: a part of it in each hourly clean-up.
import type { Context } from '../../context.ts'
import { evictUnusedFiles, makeRoom } from '../media/cache.ts'
import { getSettings } from '../server/settings.ts'
import { cleanUpPositions, deleteOldStatuses, deleteUnknownProfiles, type Step } from './remote-content.ts'

/** Steps of one task in one run: the clean-up has other tasks. */
const MAX_STEPS = 100

async function untilDone(step: () => Promise<number>): Promise<void> {
  for (let steps = 0; steps < MAX_STEPS && (await step()) > 0; steps++);
}

/** Has an effect only after the budget was lowered: a file that would exceed it is not stored. */
export const enforceMediaBudget = (ctx: Context): Promise<void> => untilDone(() => makeRoom(ctx, 0))

export async function evictOldMedia(ctx: Context): Promise<void> {
  const { media_cache_retention_period: days } = await getSettings(ctx)
  if (days !== null) await untilDone(() => evictUnusedFiles(ctx, days))
}

export const deleteOldContent = async (ctx: Context): Promise<void> =>
  deleteInSteps(ctx, 'statuses', (await getSettings(ctx)).content_cache_retention_period, deleteOldStatuses)

export const deleteOldProfiles = async (ctx: Context): Promise<void> =>
  deleteInSteps(ctx, 'profiles', (await getSettings(ctx)).profile_cache_retention_period, deleteUnknownProfiles)

type DeleteStep = (ctx: Context, days: number, options: { after: string }) => Promise<Step>

async function deleteInSteps(
  ctx: Context,
  what: 'statuses' | 'profiles',
  days: number | null,
  step: DeleteStep,
): Promise<void> {
  if (days === null) return
  const positions = cleanUpPositions(ctx)
  let deleted = 0
  for (let steps = 0; steps < MAX_STEPS; steps++) {
    const done = await step(ctx, days, { after: positions[what] })
    deleted += done.deleted
    positions[what] = done.next ?? '0'
    if (done.next === null) break
  }
  if (deleted > 0) ctx.log.info({ what, deleted, days }, 'clean-up.retention')
}
