import type { Context } from '../../context.ts'
import { recordStatusEvent } from '../../domain/fasp/sharing.ts'
import type { StatusDraft } from '../../domain/statuses/draft.ts'
import { claimKey, fulfilKey } from '../../domain/statuses/idempotency.ts'
import { insertStatus, type LinkedReplies } from '../../domain/statuses/insert.ts'
import { endSilence } from '../../domain/statuses/remote.ts'
import { Conflict } from '../../lib/errors.ts'
import { compareIds, timeOfId } from '../../lib/ids.ts'
import { mailToSubscribers } from '../accounts/email-subscriptions.ts'
import { addToConversations, removeFromConversations } from '../conversations/change.ts'
import { federate } from '../federate.ts'
import { notify } from '../notifications/notify.ts'
import { triggerWebhooks } from '../server/webhooks.ts'
import { shareCommit } from '../shared-transaction.ts'
import { fanOutHome, showInOwnHome } from '../timelines/fan-out.ts'
import { enrichNewStatus } from './enrich.ts'
import { spreadQuote } from './quote.ts'

export type PublishOptions = {
  /** The client's `Idempotency-Key`: a second status of the account with this key within the hour returns the first one. */
  idempotencyKey?: string | null
}

/**
 * Stores the status, fills home feeds, notifies, and enqueues deliveries, in one transaction. A reply that needs approval only
 * asks for it. `created` is false when the status was stored before.
 */
export async function publishStatus(
  ctx: Context,
  draft: StatusDraft,
  { idempotencyKey = null }: PublishOptions = {},
): Promise<{ id: string; created: boolean }> {
  return shareCommit(ctx, draft.accountId, async (tx) => {
    if (idempotencyKey) {
      const existing = await claimKey(tx, draft.accountId, idempotencyKey)
      if (existing?.scheduledId) throw new Conflict()
      if (existing?.statusId) return { id: existing.statusId, created: false }
    }
    const { id, created, pollEnd, replies, quotes } = await insertStatus(tx, draft)
    if (!created) {
      if (idempotencyKey) await fulfilKey(tx, draft.accountId, idempotencyKey, { statusId: id })
      return { id, created }
    }
    if (pollEnd) await tx.enqueue('polls.close', { pollId: pollEnd.pollId }, { at: pollEnd.at })
    await followUpReplies(tx, replies)
    if (quotes.length > 0)
      await tx.enqueueMany(
        'federation.quote',
        quotes.map((statusId) => ({ statusId })),
        ({ statusId }) => statusId,
      )
    // Together, as they do not need each other's results: their statements share round trips.
    await Promise.all([
      idempotencyKey && fulfilKey(tx, draft.accountId, idempotencyKey, { statusId: id }),
      enrichNewStatus(tx, id, draft),
      spreadNewStatus(tx, id, draft),
    ])
    return { id, created }
  })
}

/** Milliseconds after which a reply enters no home feeds any more, as in Mastodon, and how many enter them together. */
const MAX_AGE = 6 * 3_600_000
const MAX_REPLIES = 40

/** For replies that arrived before their parent, and so entered no home feeds. Call it in the transaction that links them. */
export async function followUpReplies(tx: Context, { approved, pending, moved }: LinkedReplies): Promise<void> {
  if (moved.length > 0) {
    await removeFromConversations(tx, { statusIds: moved })
    await addToConversations(tx, moved)
  }
  if (pending.length > 0)
    await tx.enqueueMany(
      'federation.approval',
      pending.map((statusId) => ({ statusId, silent: true })),
    )
  const recent = approved.filter((id) => timeOfId(id).getTime() > Date.now() - MAX_AGE).toSorted(compareIds)
  await Promise.all(
    recent.slice(-MAX_REPLIES).map(async (id) => {
      await fanOutHome(tx, id)
      tx.publish({ type: 'status.new', id, more: true })
    }),
  )
}

async function spreadNewStatus(tx: Context, id: string, draft: StatusDraft): Promise<void> {
  if (draft.approval) return askForApproval(tx, id, draft)
  if (draft.silent) return
  if (!draft.inReplyToId && draft.inReplyToUri) await tx.enqueue('federation.thread', { statusId: id })
  await spreadStatus(tx, id, { ...draft, quotes: Boolean(draft.quote) })
}

/** For a status that was fetched before its Create arrived. May run twice. */
export const spreadFetchedStatus = (ctx: Context, statusId: string): Promise<void> =>
  ctx.transaction(async (tx) => {
    const status = await endSilence(tx, statusId)
    if (!status) return
    if (status.lacksParent) await tx.enqueue('federation.thread', { statusId })
    if (status.quotes) await tx.enqueue('federation.quote', { statusId }, { key: statusId })
    await spreadStatus(tx, statusId, { ...status, local: false })
  })

/** For a reply of a local author only: the server of a remote author sends a request of its own. */
async function askForApproval(tx: Context, id: string, { accountId, local }: StatusDraft): Promise<void> {
  if (!local) return
  await showInOwnHome(tx, id)
  await federate(tx, { activity: 'request', interaction: 'reply', accountId, id })
}

/**
 * For a new status, or one that was approved: fills home feeds, notifies, mails, federates, tells webhooks and auxiliary
 * services, and streams.
 */
export async function spreadStatus(
  tx: Context,
  statusId: string,
  draft: Pick<StatusDraft, 'accountId' | 'local' | 'visibility' | 'mentionIds' | 'inReplyToId'> & { quotes: boolean },
): Promise<void> {
  const event = { fromAccountId: draft.accountId, fromLocal: draft.local, statusId }
  const mentions = (draft.mentionIds ?? []).length > 0
  const notifyMentioned = async (): Promise<void> => {
    if (mentions) await notify(tx, { type: 'mention', ...event, to: 'mentioned' })
    // Afterwards, as only mentioned accounts that were notified get the conversation.
    if (draft.visibility === 'direct') await addToConversations(tx, [statusId])
  }
  const references = { mentions, parent: Boolean(draft.inReplyToId), quote: draft.quotes, original: false }
  const [audience] = await Promise.all([
    fanOutHome(tx, statusId, { references: draft.local ? references : null }),
    notifyMentioned(),
    draft.quotes && spreadQuote(tx, statusId, draft),
    mailToSubscribers(tx, draft),
  ])
  if (audience.subscribers) await notify(tx, { type: 'status', ...event, to: 'subscribers' })
  if (audience.remote) await federate(tx, { activity: 'create', statusId })
  if (draft.local) await triggerWebhooks(tx, 'status.created', statusId)
  await recordStatusEvent(tx, 'new', [statusId])
  if (draft.inReplyToId) await recordStatusEvent(tx, 'trending', [draft.inReplyToId])
  tx.publish({ type: 'status.new', id: statusId })
}
