import type { Context } from '../../context.ts'
import type { MediaAttachments, Visibility } from '../../db/schema.ts'
import { sql } from '../../db/sql.ts'
import { Forbidden, Invalid, invalidField, invalidRequest } from '../../lib/errors.ts'
import { isTooLongStatus } from '../../lib/text/count.ts'
import { message } from '../../messages/message.ts'
import { loadAccountFacts } from '../accounts/account-facts.ts'
import { MAX_ATTACHMENTS } from '../media/types.ts'
import type { RequestedPoll } from './polls/polls.ts'
import type { QuotePolicy } from './quotes/policy.ts'
import type { QuotableStatus } from './quotes/quotes.ts'
import { isPublicOrUnlisted } from './visibility.ts'

export const MAX_CHARACTERS = 500

/** In the API's names. */
export type ComposeParams = {
  status?: string
  spoiler_text?: string
  sensitive?: boolean
  visibility?: Visibility
  language?: string
  in_reply_to_id?: string
  media_ids?: readonly string[]
  poll?: RequestedPoll
  quoted_status_id?: string
  quote_approval_policy?: QuotePolicy
}

/** Trims both texts. With neither text nor attachments, the warning becomes the text. Throws Invalid. */
export function checkTexts(
  typedText: string | undefined,
  typedSpoiler: string | undefined,
  hasAttachments: boolean,
): { text: string; spoilerText: string } {
  let [text, spoilerText] = [(typedText ?? '').trim(), (typedSpoiler ?? '').trim()]
  if (text === '' && !hasAttachments) [text, spoilerText] = [spoilerText, '']
  if (text === '' && !hasAttachments) throw invalidField('text', 'blank')
  if (isTooLongStatus(text, MAX_CHARACTERS, spoilerText))
    throw invalidField('text', 'character_limit', { count: MAX_CHARACTERS })
  return { text, spoilerText }
}

/** A status has only one of media, poll and quote. Throws Invalid. */
export function checkAttachments({ media, poll, quote }: { media: boolean; poll: boolean; quote: boolean }): void {
  if (media && poll) throw new Invalid(message('media_with_poll'))
  if (quote && (media || poll)) throw invalidRequest('quote_with_media')
}

/**
 * Checks that media are the author's own, attached to no other status and processed, and that video or audio is alone.
 * `holder`: the status that is edited, or the scheduled status that is published. Returns each id once. Throws Invalid.
 */
export async function checkMedia(
  ctx: Context,
  accountId: string,
  ids: readonly string[],
  holder: { statusId?: string; scheduledId?: string } = {},
): Promise<string[]> {
  const wanted = [...new Set(ids)]
  if (wanted.length === 0) return []
  if (wanted.length > MAX_ATTACHMENTS) throw new Invalid(message('media_too_many', { count: MAX_ATTACHMENTS }))
  const rows = await ctx.db.many<Pick<MediaAttachments, 'id' | 'type'> & { ready: boolean }>(sql`
    select id, type::text, file_key is not null or remote_url is not null as ready from media_attachments
    where id = any(${wanted}::bigint[]) and account_id = ${accountId} and (status_id is null or status_id = ${holder.statusId ?? null}::bigint)
      and (scheduled_status_id is null or scheduled_status_id = ${holder.scheduledId ?? null}::bigint)`)
  const found = new Set(rows.map(({ id }) => id))
  const missing = wanted.filter((id) => !found.has(id))
  if (missing.length > 0) throw new Invalid(message('named_media_missing', { ids: missing }))
  if (rows.some(({ ready }) => !ready)) throw new Invalid(message('media_unprocessed'))
  if (rows.length > 1 && rows.some(({ type }) => type === 'video' || type === 'audio'))
    throw new Invalid(message('media_mixed'))
  return wanted
}

/** Limited accounts cannot publish public statuses, and quotes of private statuses are private. */
export function restrictVisibility(
  wanted: Visibility,
  isLimited: boolean,
  quoted: Pick<QuotableStatus, 'visibility'> | null,
): Visibility {
  if (isPublicOrUnlisted(wanted) && quoted?.visibility === 'private') return 'private'
  return isLimited && wanted === 'public' ? 'unlisted' : wanted
}

/** Throws Forbidden for an author who has moved. */
export async function isLimitedAuthor(ctx: Context, accountId: string): Promise<boolean> {
  const author = (await loadAccountFacts(ctx, [accountId])).get(accountId)
  if (author?.moved_to_id) throw new Forbidden()
  return author?.silenced ?? false
}
