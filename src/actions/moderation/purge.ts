import type { Context } from '../../context.ts'
import { checkOutranks, type StaffId } from '../../domain/auth/staff.ts'
import { lockForDeletion } from '../../domain/deletion/account.ts'
import {
  beginPurge,
  findDuePurges,
  finishPurge,
  purgeMedia,
  purgeStatuses,
  storePurgeNow,
} from '../../domain/deletion/purge.ts'
import { lockModerated } from '../../domain/moderation/accounts.ts'
import { markLossesPurged } from '../../domain/moderation/severance-events.ts'
import type { JobData } from '../../jobs/kinds.ts'
import { Forbidden } from '../../lib/errors.ts'
import { message } from '../../messages/message.ts'
import { deleteDataOf } from '../accounts/delete.ts'
import { federate } from '../federate.ts'
import { enqueueFileDeletion } from '../files.ts'
import { recordAccountAct } from './audit.ts'

/**
 * Deletes the data of a suspended account without waiting for the 30 days. A job does it. Throws NotFound, and Forbidden for an
 * account that is not suspended or whose data is gone, or unless the staff member outranks it.
 */
export async function purgeNow(ctx: Context, staffId: StaffId, accountId: string): Promise<void> {
  await checkOutranks(ctx, staffId, accountId)
  await ctx.transaction(async (tx) => {
    const account = await lockModerated(tx, accountId)
    if (!(await storePurgeNow(tx, accountId))) throw new Forbidden(message('state_changed'))
    await tx.enqueue('accounts.purge', { accountId }, { key: accountId })
    await recordAccountAct(tx, staffId, 'delete', account)
  })
}

/** Accounts for which a clean-up enqueues jobs. */
const MAX_DUE = 500

/** Clean-up task: the suspensions that were not undone within 30 days. */
export async function enqueueDuePurges(ctx: Context): Promise<void> {
  const due = await findDuePurges(ctx, MAX_DUE)
  await ctx.enqueueMany(
    'accounts.purge',
    due.map((accountId) => ({ accountId })),
    ({ accountId }) => accountId,
  )
}

/** Milliseconds after which the job lets others run, and goes on in a new one. */
const MAX_TIME = 300_000

/**
 * Job `accounts.purge`. The account's row stays, blank and suspended, and so do the records of moderators. Local statuses are
 * not deleted one by one on other servers, which receive a Delete of the account.
 */
export async function purgeAccount(ctx: Context, { accountId }: JobData['accounts.purge']): Promise<void> {
  const account = await beginPurge(ctx, accountId)
  if (!account) return
  const end = Date.now() + MAX_TIME
  const isTimeUp = (): boolean => Date.now() > end
  while (!isTimeUp() && (await ctx.transaction((tx) => purgeStatuses(tx, accountId))));
  while (!isTimeUp() && (await ctx.transaction((tx) => deleteMedia(tx, accountId))));
  if (isTimeUp()) return ctx.enqueue('accounts.purge', { accountId }, { key: accountId })
  await ctx.transaction(async (tx) => {
    await lockForDeletion(tx, accountId)
    await markLossesPurged(tx, accountId)
    await deleteDataOf(tx, accountId, { keepRecords: true })
    await finishPurge(tx, accountId)
    if (account.domain === null) await federate(tx, { activity: 'delete-actor', accountId })
  })
}

async function deleteMedia(tx: Context, accountId: string): Promise<boolean> {
  const keys = await purgeMedia(tx, accountId)
  await enqueueFileDeletion(tx, keys ?? [])
  return keys !== null
}
