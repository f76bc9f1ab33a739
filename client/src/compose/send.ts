// Sends a draft: its posts one after the other, each as a reply to the one before.
import type { ScheduledStatus, Status } from '../api/entities.ts'
import { api, read } from '../api/client.ts'
import { findAccount } from '../state/accounts.ts'
import { storeStatus } from '../state/statuses.ts'
import { homeTimeline } from '../timelines/home.tsx'
import { timelineOf } from '../timelines/timeline.ts'
import type { Draft, DraftPost } from './draft.ts'

type Sent = Status | ScheduledStatus

/**
 * Posts what a draft holds. `onPosted` receives what is left after each post, so that a thread of which a post fails goes on
 * from there. Throws ApiError. May run twice: each post has its Idempotency-Key.
 */
export async function sendDraft(draft: Draft, onPosted: (left: Draft) => Promise<void>): Promise<Sent> {
  if (draft.edited) return sendEdit(draft, draft.edited)
  let left = draft
  for (;;) {
    const [post, ...rest] = left.posts
    if (!post) throw new Error('The draft has no post')
    const sent = await sendPost(left, post)
    if ('scheduled_at' in sent) return sent
    show(sent)
    left = { ...left, posts: rest, inReplyTo: sent, quote: null }
    if (rest.length === 0) return sent
    await onPosted(left)
  }
}

function sendPost(draft: Draft, post: DraftPost): Promise<Sent> {
  return read(
    api.POST('/api/v1/statuses', {
      headers: { 'idempotency-key': post.key },
      body: {
        ...contentOf(draft, post),
        visibility: draft.visibility,
        quote_approval_policy: draft.quotePolicy,
        ...(draft.inReplyTo ? { in_reply_to_id: draft.inReplyTo.id } : {}),
        ...(draft.quote ? { quoted_status_id: draft.quote.id } : {}),
        ...(draft.scheduledAt ? { scheduled_at: draft.scheduledAt } : {}),
      },
    }),
  ) as Promise<Sent>
}

async function sendEdit(draft: Draft, edited: Status): Promise<Status> {
  const [post] = draft.posts
  if (!post) throw new Error('The draft has no post')
  const status = await read(
    api.PUT('/api/v1/statuses/{id}', {
      params: { path: { id: edited.id } },
      body: {
        ...contentOf(draft, post),
        spoiler_text: post.warning ?? '',
        media_ids: post.media.flatMap(({ attachment }) => attachment?.id ?? []),
        media_attributes: post.media.flatMap(({ attachment, description, focus }) =>
          attachment ? { id: attachment.id, description, ...(focus ? { focus: `${focus.x},${focus.y}` } : {}) } : [],
        ),
        quote_approval_policy: draft.quotePolicy,
      },
    }),
  )
  storeStatus(status)
  return status
}

function contentOf(draft: Draft, { text, warning, sensitive, media, poll }: DraftPost) {
  const ids = media.flatMap(({ attachment }) => attachment?.id ?? [])
  return {
    status: text,
    sensitive: sensitive || (warning !== null && media.length > 0),
    ...(warning?.trim() ? { spoiler_text: warning } : {}),
    ...(draft.language ? { language: draft.language } : {}),
    ...(ids.length > 0 ? { media_ids: ids } : {}),
    ...(poll
      ? {
          poll: {
            options: poll.options.filter((option) => option.trim() !== ''),
            expires_in: poll.expiresIn,
            multiple: poll.multiple,
            hide_totals: poll.hideTotals,
          },
        }
      : {}),
  }
}

/** The post is in the home timeline at once, and counted. */
function show(status: Status): void {
  storeStatus(status)
  timelineOf(homeTimeline).addOwn(status)
  const author = findAccount(status.account.id)
  if (author) author.value = status.account
}
