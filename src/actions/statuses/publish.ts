import type { Context } from '../../context.ts'
import { Conflict } from '../../lib/errors.ts'
import { addToConversations } from '../../domain/conversations/conversations.ts'
import { notify } from '../notifications/notify.ts'
import { tellOfQuote } from './quote.ts'
import type { StatusDraft } from '../../domain/statuses/draft.ts'
import { claimKey, fulfilKey } from '../../domain/statuses/idempotency.ts'
import { insertStatus, type Inserted } from '../../domain/statuses/insert.ts'
import { fanOutHome } from '../timelines/fan-out.ts'
import { findAudience } from '../../domain/statuses/audience.ts'
import { tendToNew } from './enrich.ts'
import { federate } from '../federate.ts'

export type PublishOptions = {
  /** The author's own name for this post: a second one under it within the hour is not made. */
  idempotencyKey?: string | null
  /** For old posts that are only fetched to be there: no feeds, no notifications, no live updates, no search for what they answer. */
  silent?: boolean
}

/**
 * Makes a draft a post, and in the same transaction whatever must follow: feeds, notifications, its way to other servers. Posts
 * of this server and of others alike. `created` is false when the post was there already.
 */
export async function publishStatus(ctx: Context, draft: StatusDraft, options: PublishOptions = {}): Promise<Inserted> {
  return ctx.transaction(async (tx) => {
    if (options.idempotencyKey) {
      const existing = await claimKey(tx, draft.accountId, options.idempotencyKey)
      if (existing?.scheduledId) throw new Conflict()
      if (existing?.statusId) return { id: existing.statusId, created: false }
    }
    const inserted = await insertStatus(tx, draft)
    if (options.idempotencyKey) await fulfilKey(tx, draft.accountId, options.idempotencyKey, { statusId: inserted.id })
    if (!inserted.created) return inserted
    await tendToNew(tx, inserted.id, draft)
    if (draft.approval) {
      // Only its author sees it; it spreads once it is approved.
      if (draft.local)
        await federate(tx, {
          activity: 'request',
          interaction: 'reply',
          accountId: draft.accountId,
          id: inserted.id,
        })
      return inserted
    }
    if (options.silent) return inserted
    if (!draft.inReplyToId && draft.inReplyToUri) await tx.enqueue('federation.thread', { statusId: inserted.id })
    await spread(tx, { ...draft, quotes: Boolean(draft.quote) }, inserted.id)
    return inserted
  })
}

/** What follows once a post may be shown: feeds, notifications, conversations, other servers, streams. */
export async function spread(
  tx: Context,
  draft: Pick<StatusDraft, 'accountId' | 'local' | 'visibility' | 'mentionIds'> & { quotes: boolean },
  statusId: string,
): Promise<void> {
  await fanOutHome(tx, statusId)
  const about = { fromAccountId: draft.accountId, statusId }
  if (draft.mentionIds && draft.mentionIds.length > 0) await notify(tx, { type: 'mention', ...about, to: 'mentioned' })
  if (draft.quotes) await tellOfQuote(tx, { id: statusId, local: draft.local })
  if (draft.visibility === 'direct') await addToConversations(tx, [statusId])
  const audience = await findAudience(tx, statusId)
  if (audience.subscribers) await notify(tx, { type: 'status', ...about, to: 'subscribers' })
  if (draft.local && audience.remote) await federate(tx, { activity: 'create', statusId })
  tx.publish({ type: 'status.new', id: statusId })
}
