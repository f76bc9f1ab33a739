import type { Context } from '../../context.ts'
import type { Visibility } from '../../db/schema.ts'
import { sql } from '../../db/sql.ts'
import type { Viewer } from '../auth/viewer.ts'
import { MAX_ATTACHMENTS } from '../media/types.ts'
import { tagUrl } from '../server/addresses.ts'
import { languageOf } from '../server/languages.ts'
import type { QuoteDraft, StatusBody, StatusDraft } from './draft.ts'
import { needsApproval } from './interaction-policy.ts'
import { chooseLanguage } from './language.ts'
import { findMentions } from './mentions.ts'
import { type PollParams, checkPoll } from './polls/polls.ts'
import { type QuotePolicy, ownPolicy } from './quotes/policy.ts'
import { type Quotable, checkQuotedIsMentioned, getQuotable } from './quotes/quotes.ts'
import { getTargetStatus, isOpenVisibility } from './visibility.ts'
import { Forbidden, Invalid, invalidField, invalidRequest } from '../../lib/errors.ts'
import { isTooLongStatus } from '../../lib/text/count.ts'
import { extractHashtags } from '../../lib/text/extract.ts'
import { formatQuoteLink, formatText } from '../../lib/text/format.ts'
import { message } from '../../messages/message.ts'

export const MAX_CHARACTERS = 500

/** What people send to post, in the API's names. */
export type ComposeParams = {
  status?: string
  spoiler_text?: string
  sensitive?: boolean
  visibility?: Visibility
  language?: string
  in_reply_to_id?: string
  media_ids?: readonly string[]
  poll?: PollParams
  quoted_status_id?: string
  quote_approval_policy?: QuotePolicy
}

/** Who posts: somebody with a token, or whoever had one when the post was scheduled. */
type Author = Pick<Viewer, 'accountId' | 'settings' | 'locale'> & { appId: string | null }

/**
 * Makes a draft of what somebody of this server wants to post. Throws Invalid for what breaks a rule, NotFound when what is
 * answered to or quoted is missing or hidden, Forbidden when the policy of the parent denies replies. May ask other servers about people mentioned, so never in a transaction.
 * `scheduledId`: of a post that waited, and holds its media.
 */
export async function composeStatus(
  ctx: Context,
  author: Author,
  params: ComposeParams,
  scheduledId?: string,
): Promise<StatusDraft> {
  const hasMedia = (params.media_ids?.length ?? 0) > 0
  checkParts(params)
  const words = wordsOf(params.status, params.spoiler_text, {
    media: hasMedia,
    more: params.poll !== undefined || params.quoted_status_id !== undefined,
  })
  const poll = params.poll === undefined ? null : checkPoll(params.poll)
  const sensitive = (params.sensitive ?? author.settings.sensitive ?? false) || Boolean(params.spoiler_text?.trim())
  const [parent, mediaIds, silenced, quoted] = await Promise.all([
    params.in_reply_to_id === undefined ? null : getTargetStatus(ctx, author, params.in_reply_to_id),
    checkMedia(ctx, author.accountId, params.media_ids ?? [], scheduledId === undefined ? {} : { scheduledId }),
    isSilenced(ctx, author.accountId),
    params.quoted_status_id === undefined ? null : getQuotable(ctx, author, params.quoted_status_id),
  ])
  const visibility = visibilityFor(params.visibility ?? author.settings.privacy ?? 'public', silenced, quoted)
  const body = await renderBody(ctx, words.text, quoted?.url)
  if (quoted) checkQuotedIsMentioned(quoted, author.accountId, visibility, body.mentionIds ?? [])
  const given = languageOf(params.language)
  const language =
    given === null
      ? await chooseLanguage(body.content, { preferred: author.settings.language, locale: author.locale })
      : { language: given }
  return {
    ...body,
    accountId: author.accountId,
    local: true,
    text: words.text,
    spoilerText: words.spoilerText,
    sensitive,
    visibility,
    ...language,
    inReplyToId: parent?.id ?? null,
    approval: parent && (await needsApproval(ctx, parent, author.accountId, 'reply')) ? 'pending' : null,
    appId: author.appId,
    mediaIds,
    poll,
    quote: quoted && quoteOf(quoted),
    quotePolicy: ownPolicy(params.quote_approval_policy ?? author.settings.quote_policy, visibility),
  }
}

/** What does not go together in one post. */
function checkParts({ media_ids: mediaIds = [], poll, quoted_status_id: quotedId }: ComposeParams): void {
  if (mediaIds.length > 0 && poll !== undefined) throw invalidRequest('media_with_poll')
  if (quotedId !== undefined && (mediaIds.length > 0 || poll !== undefined)) throw invalidRequest('quote_with_media')
}

/** Limited accounts do not post in public, and what quotes a post for few is for few itself. */
function visibilityFor(wanted: Visibility, silenced: boolean, quoted: Quotable | null): Visibility {
  const isOpen = isOpenVisibility(wanted)
  if (isOpen && quoted?.visibility === 'private') return 'private'
  return silenced && wanted === 'public' ? 'unlisted' : wanted
}

const quoteOf = (quoted: Quotable): QuoteDraft => ({
  statusId: quoted.statusId,
  uri: quoted.atOnce ? null : quoted.uri,
  state: quoted.atOnce ? 'accepted' : 'pending',
})

/** The words of a post, trimmed and checked. Without a text, and without anything else (`more`), the spoiler is the text. */
export function wordsOf(
  typedText: string | undefined,
  typedSpoiler: string | undefined,
  has: { media: boolean; more: boolean },
): { text: string; spoilerText: string } {
  const hasMore = has.media || has.more
  let [text, spoilerText] = [(typedText ?? '').trim(), (typedSpoiler ?? '').trim()]
  if (text === '' && !hasMore) [text, spoilerText] = [spoilerText, '']
  if (text === '' && !hasMore) throw invalidField('text', 'blank')
  if (isTooLongStatus(text, MAX_CHARACTERS, spoilerText))
    throw invalidField('text', 'character_limit', { count: MAX_CHARACTERS })
  return { text, spoilerText }
}

/**
 * What follows from the text alone: its HTML, whom it mentions, its hashtags. `quotedUrl`: what it quotes; for readers who
 * cannot show quotes it is named before the text, unless the text names it.
 */
export async function renderBody(
  ctx: Context,
  text: string,
  quotedUrl?: string | null,
): Promise<Pick<StatusBody, 'content' | 'mentionIds' | 'tags'>> {
  const mentions = await findMentions(ctx, text)
  const content = formatText(text, { mentions: mentions.byHandle, tagUrl: (name) => tagUrl(ctx, name) })
  return {
    content: quotedUrl && !text.includes(quotedUrl) ? formatQuoteLink(quotedUrl) + content : content,
    mentionIds: mentions.ids,
    tags: extractHashtags(text).map(({ name }) => name),
  }
}

/** Whether the author is limited. Throws Forbidden for one who has moved and posts elsewhere now. */
async function isSilenced(ctx: Context, accountId: string): Promise<boolean> {
  const row = await ctx.db.maybe<{ silenced: boolean; moved: boolean }>(
    sql`select silenced_at is not null as silenced, moved_to_id is not null as moved from accounts where id = ${accountId}`,
  )
  if (row?.moved) throw new Forbidden()
  return row?.silenced ?? false
}

type Row = { id: string; type: string; ready: boolean }

/**
 * Checks that a post of this author may carry these media, in this order: own, of no other post (`holder` is the post that is
 * edited, or that waited and is published now), processed, no video or sound beside anything else. Gives the ids, each once; throws Invalid.
 */
export async function checkMedia(
  ctx: Context,
  accountId: string,
  ids: readonly string[],
  holder: { statusId?: string; scheduledId?: string } = {},
): Promise<string[]> {
  const wanted = [...new Set(ids)]
  if (wanted.length === 0) return []
  if (wanted.length > MAX_ATTACHMENTS) throw invalidRequest('media_too_many', { count: MAX_ATTACHMENTS })
  const rows = await ctx.db.many<Row>(sql`
    select id, type::text, file_key is not null or remote_url is not null as ready from media_attachments
    where id = any(${wanted}::bigint[]) and account_id = ${accountId} and (status_id is null or status_id = ${holder.statusId ?? null}::bigint)
      and (scheduled_status_id is null or scheduled_status_id = ${holder.scheduledId ?? null}::bigint)`)
  const found = new Set(rows.map(({ id }) => id))
  const missing = wanted.filter((id) => !found.has(id))
  if (missing.length > 0) throw invalidRequest('named_media_missing', { ids: missing })
  if (rows.some(({ ready }) => !ready)) throw new Invalid(message('media_unprocessed'))
  if (rows.length > 1 && rows.some(({ type }) => type === 'video' || type === 'audio'))
    throw invalidRequest('media_mixed')
  return wanted
}
