// A scheduled post as a draft: the API changes no more of it than its time.
import { ApiError } from '../api/client.ts'
import type { ScheduledStatus, Status } from '../api/entities.ts'
import { SESSION_HEADERS } from '../api/session.ts'
import { identity } from '../state/me.ts'
import { draftOf, emptyPost, mediaOf, type Draft, type QuotePolicy } from './draft.ts'
import { loadStatus } from './redraft.ts'

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
    inReplyTo: await loadStatus(params.in_reply_to_id === null ? null : await parentIdOf(id)),
    quote: await loadStatus(params.quoted_status_id),
    visibility: params.visibility as Status['visibility'],
    quotePolicy: (params.quote_approval_policy as QuotePolicy | null) ?? draft.quotePolicy,
    language: params.language,
    scheduledAt: scheduled.scheduled_at,
  }
}

/** The API has this id as a number that is too large for scripts. */
async function parentIdOf(id: string): Promise<string> {
  const answer = await fetch(`/api/v1/scheduled_statuses/${id}`, { headers: SESSION_HEADERS })
  const parent = /"in_reply_to_id":\s*"?(\d+)/.exec(await answer.text())?.[1]
  if (!answer.ok || !parent) throw new ApiError(answer.status, '')
  return parent
}
