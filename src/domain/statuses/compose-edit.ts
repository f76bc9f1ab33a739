import type { Context } from '../../context.ts'
import { invalidRequest } from '../../lib/errors.ts'
import type { Viewer } from '../auth/viewer.ts'
import { languageOf } from '../server/languages.ts'
import { cleanDescription, parseFocus } from '../media/attachments.ts'
import type { ReceivedFile } from '../media/files.ts'
import { prepareThumbnail } from '../media/thumbnail.ts'
import { checkMedia, renderBody, wordsOf } from './compose.ts'
import type { MediaDetails, StatusChanges } from './edit.ts'
import { type PollParams, checkPoll, findPollOf } from './polls/polls.ts'
import { ownPolicy, type QuotePolicy } from './quotes/policy.ts'
import { findQuotedUrl } from './quotes/quotes.ts'
import type { StatusRow } from './find.ts'

type MediumParams = { id?: string; description?: string; focus?: string; thumbnail?: ReceivedFile }

/** What people send to edit a post, in the API's names. A poll that is null goes. What is left out: see `wholeEdit`. */
export type EditParams = {
  status?: string
  spoiler_text?: string
  sensitive?: boolean
  language?: string
  media_ids?: readonly string[]
  media_attributes?: readonly MediumParams[]
  poll?: PollParams | null
  quote_approval_policy?: QuotePolicy
}

/** Makes ready what somebody wants to change about a post of theirs. Throws as composeStatus does; never in a transaction. */
export async function composeEdit(
  ctx: Context,
  author: Viewer,
  status: StatusRow,
  sent: EditParams,
): Promise<StatusChanges> {
  const params = wholeEdit(sent)
  const mediaIds =
    params.media_ids === undefined
      ? undefined
      : await checkMedia(ctx, author.accountId, params.media_ids, { statusId: status.id })
  const poll = await composePoll(ctx, status, params)
  const has = {
    media: (mediaIds ?? status.media_ids).length > 0,
    poll: poll === undefined ? status.poll_id !== null : poll !== null,
  }
  checkParts(status, has)
  const words = wordsOf(params.status ?? status.text, params.spoiler_text ?? status.spoiler_text, {
    media: has.media,
    more: has.poll || status.quote_id !== null,
  })
  // Only what was sent is changed: what was not may have been changed by another request meanwhile.
  const saysWords = params.status !== undefined || params.spoiler_text !== undefined
  const sensitive =
    (params.sensitive ?? status.sensitive) || words.spoilerText !== '' || Boolean(params.spoiler_text?.trim())
  const language = languageOf(params.language)
  const quotedUrl = status.quote_id === null ? null : await findQuotedUrl(ctx, status.id)
  return {
    ...(params.status === undefined && words.text === status.text
      ? {}
      : { ...(await renderBody(ctx, words.text, quotedUrl)), text: words.text }),
    ...(saysWords ? { spoilerText: words.spoilerText } : {}),
    ...(saysWords || params.sensitive !== undefined ? { sensitive } : {}),
    ...(language === null ? {} : { language }),
    ...(mediaIds === undefined ? {} : { mediaIds }),
    ...(poll === undefined ? {} : { poll }),
    ...(params.quote_approval_policy === undefined
      ? {}
      : { quotePolicy: ownPolicy(params.quote_approval_policy, status.visibility) }),
    mediaDetails: await detailsOf(ctx, mediaIds ?? status.media_ids, params.media_attributes ?? []),
  }
}

/**
 * Applications send the whole post anew, and leave out what is to go: a warning, media, a poll. Only an edit that does not
 * name the text changes nothing but what it names, and one that describes media keeps them.
 */
function wholeEdit(sent: EditParams): EditParams {
  if (sent.status === undefined) return sent
  const media = sent.media_attributes?.length ? {} : { media_ids: [] }
  return { spoiler_text: '', sensitive: false, poll: null, ...media, ...sent }
}

async function composePoll(ctx: Context, status: StatusRow, { poll }: EditParams): Promise<StatusChanges['poll']> {
  if (!poll) return poll
  const stands = status.poll_id === null ? null : await findPollOf(ctx, status.id)
  return stands ? checkPoll(poll, stands.expires_at) : checkPoll(poll)
}

function checkParts(status: StatusRow, has: { media: boolean; poll: boolean }): void {
  if (has.media && has.poll) throw invalidRequest('media_with_poll')
  if (status.quote_id !== null && (has.media || has.poll)) throw invalidRequest('quote_with_media')
}

async function detailsOf(
  ctx: Context,
  mediaIds: readonly string[],
  params: readonly MediumParams[],
): Promise<MediaDetails[]> {
  const details: MediaDetails[] = []
  for (const { id, description, focus, thumbnail } of params) {
    const said = {
      ...(description === undefined ? {} : { description: cleanDescription(description) }),
      ...(focus === undefined ? {} : { focus: parseFocus(focus) }),
    }
    // Only what the post has: anything else is left alone, and no picture is stored for it.
    if (id === undefined || !mediaIds.includes(id)) continue
    details.push({
      id,
      ...said,
      ...(thumbnail === undefined ? {} : { thumbnail: await prepareThumbnail(ctx, id, thumbnail) }),
    })
  }
  return details
}
