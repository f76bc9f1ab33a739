import type { Context } from '../../context.ts'
import type { Viewer } from '../../domain/auth/viewer.ts'
import { cleanDescription, type Focus, parseFocus } from '../../domain/media/attachments.ts'
import type { ReceivedFile } from '../../domain/media/files.ts'
import { prepareThumbnail } from '../../domain/media/thumbnail.ts'
import { languageOf } from '../../domain/server/languages.ts'
import type { StatusChanges } from '../../domain/statuses/edit.ts'
import { type MediaDetails, thumbnailKeys } from '../../domain/statuses/edit-media.ts'
import type { StatusRow } from '../../domain/statuses/find.ts'
import { checkPoll, findPollOf, type RequestedPoll } from '../../domain/statuses/polls/polls.ts'
import { ownPolicy, type QuotePolicy } from '../../domain/statuses/quotes/policy.ts'
import { findQuotedUrl } from '../../domain/statuses/quotes/quotes.ts'
import { checkAttachments, checkMedia, checkTexts } from '../../domain/statuses/rules.ts'
import { renderBody } from './compose.ts'

type MediaParams = { id?: string; description?: string; focus?: string | Focus; thumbnail?: ReceivedFile }

/** An edit as clients send it, in the API's names. A null poll is removed. `completeEdit` says what absent members mean. */
export type EditParams = {
  status?: string
  spoiler_text?: string
  sensitive?: boolean
  language?: string
  media_ids?: readonly string[]
  media_attributes?: readonly MediaParams[]
  poll?: RequestedPoll | null
  quote_approval_policy?: QuotePolicy
}

/** Throws what composeStatus throws. Never call it in a transaction. */
export async function composeEdit(
  ctx: Context,
  author: Viewer,
  status: StatusRow,
  sent: EditParams,
): Promise<StatusChanges> {
  const params = completeEdit(sent)
  const mediaIds =
    params.media_ids === undefined
      ? undefined
      : await checkMedia(ctx, author.accountId, params.media_ids, { statusId: status.id })
  const poll = await checkEditedPoll(ctx, status, params)
  const has = {
    media: (mediaIds ?? status.media_ids).length > 0,
    poll: poll === undefined ? status.poll_id !== null : poll !== null,
    quote: status.quote_id !== null,
  }
  checkAttachments(has)
  const { text, spoilerText } = checkTexts(
    params.status ?? status.text,
    params.spoiler_text ?? status.spoiler_text,
    has.media || has.poll || has.quote,
  )
  // Members that the client left out stay out: another request may have changed them meanwhile.
  const namesText = params.status !== undefined || params.spoiler_text !== undefined
  const sensitive = (params.sensitive ?? status.sensitive) || spoilerText !== ''
  const isTextNew = params.status !== undefined || text !== status.text
  const quotedUrl = status.quote_id === null ? null : await findQuotedUrl(ctx, status.id)
  return {
    ...(isTextNew && { ...(await renderBody(ctx, author.accountId, text, quotedUrl)), text }),
    spoilerText: namesText ? spoilerText : undefined,
    sensitive: namesText || params.sensitive !== undefined ? sensitive : undefined,
    language: languageOf(params.language) ?? undefined,
    mediaIds,
    poll,
    quotePolicy: params.quote_approval_policy && ownPolicy(params.quote_approval_policy, status.visibility),
    mediaDetails: await prepareDetails(ctx, mediaIds ?? status.media_ids, params.media_attributes ?? []),
  }
}

/**
 * Clients send the whole status and leave out what the author removed: content warning, media, poll. An edit without text changes
 * only the members that it names, and one with `media_attributes` keeps the media.
 */
function completeEdit(sent: EditParams): EditParams {
  if (sent.status === undefined) return sent
  const media = sent.media_attributes?.length ? {} : { media_ids: [] }
  return { spoiler_text: '', sensitive: false, poll: null, ...media, ...sent }
}

async function checkEditedPoll(ctx: Context, status: StatusRow, { poll }: EditParams): Promise<StatusChanges['poll']> {
  if (!poll) return poll
  const current = status.poll_id === null ? null : await findPollOf(ctx, status.id)
  return current ? checkPoll(poll, current.expires_at) : checkPoll(poll)
}

/** Ignores media that the status does not have, and stores no thumbnail for them. Stores none when one of them is invalid. */
async function prepareDetails(
  ctx: Context,
  mediaIds: readonly string[],
  params: readonly MediaParams[],
): Promise<MediaDetails[]> {
  const details: MediaDetails[] = []
  try {
    for (const { id, description, focus, thumbnail } of params) {
      // Checked first: an invalid value is an error even for media that the status does not have.
      const checked = {
        description: description === undefined ? undefined : cleanDescription(description),
        focus: focus === undefined ? undefined : parseFocus(focus),
      }
      if (id === undefined || !mediaIds.includes(id)) continue
      details.push({ id, ...checked, thumbnail: thumbnail && (await prepareThumbnail(ctx, id, thumbnail)) })
    }
  } catch (error) {
    await ctx.deleteFiles(thumbnailKeys(details))
    throw error
  }
  return details
}
