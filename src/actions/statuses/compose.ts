import type { Context } from '../../context.ts'
import type { Viewer } from '../../domain/auth/viewer.ts'
import { tagUrl } from '../../domain/server/addresses.ts'
import { languageOf } from '../../domain/server/languages.ts'
import type { QuoteDraft, StatusBody, StatusDraft } from '../../domain/statuses/draft.ts'
import type { StatusRow } from '../../domain/statuses/find.ts'
import { needsApproval } from '../../domain/statuses/interaction-policy.ts'
import { chooseLanguage } from '../../domain/statuses/language.ts'
import { linkOf, parseMentions } from '../../domain/accounts/mentions.ts'
import { findMentioned, type MentionedAccount } from '../../domain/statuses/mentions.ts'
import { checkPoll } from '../../domain/statuses/polls/polls.ts'
import { ownPolicy } from '../../domain/statuses/quotes/policy.ts'
import { checkQuotedIsMentioned, getQuotable, type QuotableStatus } from '../../domain/statuses/quotes/quotes.ts'
import {
  checkAttachments,
  checkMedia,
  checkTexts,
  isLimitedAuthor,
  restrictVisibility,
  type ComposeParams,
} from '../../domain/statuses/rules.ts'
import { getTargetStatus } from '../../domain/statuses/visibility.ts'
import { checkTagsUsable } from '../../domain/tags/tags.ts'
import { NotFound } from '../../lib/errors.ts'
import { extractHashtags } from '../../lib/text/extract.ts'
import { formatQuoteLink, formatText } from '../../lib/text/format.ts'
import { message } from '../../messages/message.ts'
import { resolveHandle } from '../remote/resolve-account.ts'

/** `appId`: the application that sent the status. */
type Author = Pick<Viewer, 'accountId' | 'settings' | 'locale'> & { appId: string | null }

/**
 * Makes the draft of a local account's new status. `scheduledId`: the scheduled status that it was, which has reserved its media.
 * Throws Invalid for what breaks a rule, NotFound when the parent or the quoted status is missing or hidden, Forbidden when the
 * parent's policy denies replies or the author has moved. May resolve mentions on other servers: never call it in a transaction.
 */
export async function composeStatus(
  ctx: Context,
  author: Author,
  params: ComposeParams,
  scheduledId?: string,
): Promise<StatusDraft> {
  const has = {
    media: (params.media_ids?.length ?? 0) > 0,
    poll: params.poll !== undefined,
    quote: params.quoted_status_id !== undefined,
  }
  checkAttachments(has)
  const texts = checkTexts(params.status, params.spoiler_text, has.media || has.poll || has.quote)
  const poll = params.poll === undefined ? null : checkPoll(params.poll)
  const [parent, mediaIds, isLimited, quoted] = await Promise.all([
    params.in_reply_to_id === undefined ? null : getParent(ctx, author, params.in_reply_to_id),
    checkMedia(ctx, author.accountId, params.media_ids ?? [], { scheduledId }),
    isLimitedAuthor(ctx, author.accountId),
    params.quoted_status_id === undefined ? null : getQuotable(ctx, author, params.quoted_status_id),
  ])
  const visibility = restrictVisibility(params.visibility ?? author.settings.privacy ?? 'public', isLimited, quoted)
  const body = await renderBody(ctx, author.accountId, texts.text, quoted?.url)
  if (quoted) checkQuotedIsMentioned(quoted, author.accountId, visibility, body.mentionIds)
  return {
    ...body,
    ...texts,
    ...languageFor(author, params.language, body.content),
    accountId: author.accountId,
    local: true,
    sensitive: (params.sensitive ?? author.settings.sensitive ?? false) || Boolean(params.spoiler_text?.trim()),
    visibility,
    inReplyToId: parent?.id ?? null,
    approval: parent && (await needsApproval(ctx, parent, author.accountId, 'reply')) ? 'pending' : null,
    appId: author.appId,
    mediaIds,
    poll,
    quote: quoted && quoteOf(quoted),
    quotePolicy: ownPolicy(params.quote_approval_policy ?? author.settings.quote_policy, visibility),
  }
}

async function getParent(ctx: Context, author: Author, id: string): Promise<StatusRow> {
  try {
    return await getTargetStatus(ctx, author, id)
  } catch (error) {
    throw error instanceof NotFound ? new NotFound(message('in_reply_not_found')) : error
  }
}

function languageFor(
  { settings, locale }: Author,
  named: string | undefined,
  content: string,
): Pick<StatusBody, 'language' | 'languageIsAssumed'> {
  const language = languageOf(named)
  return language === null ? chooseLanguage(content, { preferred: settings.language, locale }) : { language }
}

const quoteOf = (quoted: QuotableStatus): QuoteDraft => ({
  statusId: quoted.statusId,
  uri: quoted.quoteState === 'accepted' ? null : quoted.uri,
  state: quoted.quoteState,
})

export type RenderedText = {
  content: string
  mentionIds: string[]
  /** Whether handles of other servers stayed text because they were not resolved: the job `statuses.mentions` tries again. */
  hasUnresolved: boolean
}
export type RenderedBody = RenderedText & { tags: string[] }

/** As `renderText`. Throws Invalid for a hashtag that staff has disabled. */
export async function renderBody(
  ctx: Context,
  authorId: string,
  text: string,
  quotedUrl?: string | null,
): Promise<RenderedBody> {
  const tags = extractHashtags(text).map(({ name }) => name)
  await checkTagsUsable(ctx, tags)
  return { ...(await renderText(ctx, authorId, text, quotedUrl)), tags }
}

/**
 * `quotedUrl`: the page of the quoted status. A link to it precedes the text, for readers without quotes, unless the text
 * names it. May resolve mentions: never call it in a transaction.
 */
export async function renderText(
  ctx: Context,
  authorId: string,
  text: string,
  quotedUrl?: string | null,
): Promise<RenderedText> {
  // A mention would let a blocked account read the status, and send it to its server.
  const { accounts, hasUnresolved } = await resolveMentions(ctx, authorId, text)
  const mentioned = accounts.filter(({ blocked }) => !blocked)
  const content = formatText(text, {
    mentions: new Map(mentioned.map((account) => [account.handle, linkOf(ctx, account)])),
    tagUrl: (name) => tagUrl(ctx, name),
  })
  return {
    content: quotedUrl && !text.includes(quotedUrl) ? formatQuoteLink(quotedUrl) + content : content,
    mentionIds: [...new Set(mentioned.map(({ id }) => id))],
    hasUnresolved,
  }
}

/** At most 10 unknown accounts are resolved for one status at a time, within 5 seconds. Other handles stay text. */
const MAX_RESOLVED = 10
const MAX_MS = 5000

async function resolveMentions(
  ctx: Context,
  authorId: string,
  text: string,
): Promise<{ accounts: MentionedAccount[]; hasUnresolved: boolean }> {
  const mentions = parseMentions(ctx, text)
  if (mentions.length === 0) return { accounts: [], hasUnresolved: false }
  const known = await findMentioned(ctx, mentions, authorId)
  const handles = new Set(known.map(({ handle }) => handle))
  const unknown = mentions.filter(({ handle, domain }) => domain !== null && !handles.has(handle))
  if (unknown.length === 0) return { accounts: known, hasUnresolved: false }
  await Promise.all(
    unknown.slice(0, MAX_RESOLVED).map(({ username, domain }) => resolveInTime(ctx, `${username}@${domain}`)),
  )
  const found = await findMentioned(ctx, mentions, authorId)
  return { accounts: found, hasUnresolved: found.length < known.length + unknown.length }
}

/** Returns after `MAX_MS` at the latest; the request goes on in the background. */
async function resolveInTime(ctx: Context, handle: string): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, MAX_MS)
  })
  const resolved = resolveHandle(ctx, handle).then(
    () => {},
    (error: unknown) => ctx.log.info({ err: error, handle }, 'mention.unresolved'),
  )
  await Promise.race([resolved, timeout])
  clearTimeout(timer)
}
