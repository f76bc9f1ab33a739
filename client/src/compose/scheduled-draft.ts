// A scheduled post as a draft: the API changes no more of it than its time.
import { api, ApiError, read } from '../api/client.ts'
import type { ScheduledStatus, Status } from '../api/entities.ts'
import { SESSION_HEADERS } from '../api/session.ts'
import { identity } from '../state/me.ts'
import { draftOf, emptyPost, mediaOf, type Draft, type QuotePolicy } from './draft.ts'

/** Call it while the server has the scheduled post. Throws ApiError. */
export async function scheduledDraft({ id, params, ...scheduled }: ScheduledStatus): Promise<Draft> {
  if (!identity.value) throw new Error('The identity is not loaded')
  const draft = draftOf({}, identity.value)
  const { poll } = params
  const post = {
    ...emptyPost(params.text),
    warning: params.spoiler_text || null,
    sensitive: params.sensitive === true,
    media: scheduled.media_attachments.map(mediaOf),
    poll: poll && {
      options: poll.options,
      expiresIn: poll.expires_in,
      multiple: poll.multiple,
      hideTotals: poll.hide_totals,
    },
  }
  return {
    ...draft,
    posts: [post],
    inReplyTo: params.in_reply_to_id === null ? null : await statusOf(await parentOf(id)),
    quote: params.quoted_status_id === null ? null : await statusOf(params.quoted_status_id),
    visibility: params.visibility as Status['visibility'],
    quotePolicy: (params.quote_approval_policy as QuotePolicy | null) ?? draft.quotePolicy,
    language: params.language,
    scheduledAt: scheduled.scheduled_at,
  }
}

/** The API has this id as a number that is too large for scripts. */
async function parentOf(id: string): Promise<string> {
  const answer = await fetch(`/api/v1/scheduled_statuses/${id}`, { headers: SESSION_HEADERS })
  const parent = /"in_reply_to_id":\s*"?(\d+)/.exec(await answer.text())?.[1]
  if (!answer.ok || !parent) throw new ApiError(answer.status, '')
  return parent
}

/** Null for a status that is gone. Throws ApiError when that is uncertain: the draft would lose its parent. */
async function statusOf(id: string): Promise<Status | null> {
  try {
    return await read(api.GET('/api/v1/statuses/{id}', { params: { path: { id } } }))
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null
    throw error
  }
}
