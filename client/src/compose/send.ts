// Sends a draft: its posts one after the other, each as a reply to the one before.
import type { ScheduledStatus, Status } from '../api/entities.ts'
import { ApiError, api, read } from '../api/client.ts'
import { changeStatus, findStatus, storeStatus } from '../state/statuses.ts'
import { statusPath } from '../statuses/links.ts'
import { isPublic } from '../statuses/visibility.tsx'
import { texts } from '../texts.ts'
import { whilePosting } from '../timelines/own-posts.ts'
import { showSent } from '../timelines/timelines.ts'
import { showToast } from '../ui/toasts.tsx'
import { keepsEnd, type Draft, type DraftMedia, type DraftPost } from './draft.ts'
import { findOrDeleteEarlier } from './earlier-attempt.ts'
import { readFile } from './store.ts'
import { focusText, upload } from './upload.ts'

type Sent = Status | ScheduledStatus

/**
 * Posts what a draft holds. `onPosted` receives what is left after each post, so that a thread of which a post fails goes on
 * from there. Throws ApiError. May run twice: each post has its Idempotency-Key.
 */
export async function sendDraft(draft: Draft, onPosted: (left: Draft) => Promise<unknown>): Promise<Sent> {
  let left = await withUploads(draft)
  if (left.edited) return sendEdit(left, left.edited)
  for (;;) {
    const [post] = left.posts
    if (!post) throw new Error('The draft has no post')
    const earlier = await findOrDeleteEarlier(left)
    const sent = earlier ? shown(await sendEdit(left, earlier)) : await sendAndShow(left, post)
    if ('scheduled_at' in sent) return sent
    const unsent = withoutFirst(left, sent)
    if (!unsent) return sent
    left = unsent
    await onPosted(left)
  }
}

/** Says that it was sent, with a link to it. */
export function showSentToast(text: string, sent: Sent): void {
  const href = 'scheduled_at' in sent ? '/scheduled_statuses' : statusPath(sent)
  showToast(text, { link: { label: texts.compose.show, href } })
}

/** The rest of a thread after its first post, to which it replies. Null when there is no rest. */
export function withoutFirst(draft: Draft, sent: Sent): Draft | null {
  const posts = draft.posts.slice(1)
  if (posts.length === 0 || 'scheduled_at' in sent) return null
  return { ...draft, posts, inReplyTo: sent, quote: null, earlier: null }
}

/** Uploads the files that are not on the server yet, such as those of a draft that was written offline. */
async function withUploads(draft: Draft): Promise<Draft> {
  const posts: DraftPost[] = []
  for (const post of draft.posts) {
    const media: DraftMedia[] = []
    for (const each of post.media)
      media.push(await (each.attachment ? described(each, draft.edited !== null) : uploaded(each)))
    posts.push({ ...post, media })
  }
  return { ...draft, posts }
}

async function uploaded(media: DraftMedia): Promise<DraftMedia> {
  const file = await readFile(media.key)
  if (!file) throw new ApiError(422, texts.compose.file_gone)
  const { description, focus } = media
  const { signal } = new AbortController()
  return { ...media, attachment: await upload(file, { description, focus, signal, onProgress: () => {} }) }
}

/** Alt text and focal point may have been written after the upload. An edit sends them itself. */
async function described(media: DraftMedia, isEdit: boolean): Promise<DraftMedia> {
  const { attachment, description, focus } = media
  if (!attachment || isEdit) return media
  const known = attachment.meta?.focus
  const isSame =
    description === (attachment.description ?? '') && (!focus || (focus.x === known?.x && focus.y === known.y))
  if (isSame) return media
  const body = { description, ...(focus ? { focus: focusText(focus) } : {}) }
  return {
    ...media,
    attachment: await read(api.PUT('/api/v1/media/{id}', { params: { path: { id: attachment.id } }, body })),
  }
}

function sendPost(draft: Draft, post: DraftPost): Promise<Sent> {
  return read(
    api.POST('/api/v1/statuses', {
      headers: { 'idempotency-key': post.key },
      body: {
        ...statusParams(draft, post),
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
        ...statusParams(draft, post),
        spoiler_text: post.warning ?? '',
        media_ids: post.media.flatMap(({ attachment }) => attachment?.id ?? []),
        media_attributes: post.media.flatMap(({ attachment, description, focus }) =>
          attachment ? { id: attachment.id, description, ...(focus ? { focus: focusText(focus) } : {}) } : [],
        ),
        quote_approval_policy: draft.quotePolicy,
      },
    }),
  )
  storeStatus(status)
  return status
}

/** The parameters that a new post and an edit share. */
function statusParams(draft: Draft, { text, warning, sensitive, media, poll }: DraftPost) {
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
            ...(keepsEnd(draft, poll) ? {} : { expires_in: poll.expiresIn }),
            multiple: poll.multiple,
            hide_totals: poll.hideTotals,
          },
        }
      : {}),
  }
}

const sendAndShow = (draft: Draft, post: DraftPost): Promise<Sent> =>
  whilePosting(async () => {
    const sent = await sendPost(draft, post)
    if ('scheduled_at' in sent) return sent
    countReply(sent)
    return shown(sent)
  })

/** Counts the reply as the server does: the new number would only come when the parent is loaded again. */
function countReply({ in_reply_to_id: id, visibility, approval }: Status): void {
  const answered = findStatus(id ?? '')?.peek()
  if (answered && !approval && isPublic(visibility))
    changeStatus(answered.id, { replies_count: answered.replies_count + 1 })
}

/** The post is in the timelines of the viewer at once. */
function shown(status: Status): Status {
  storeStatus(status)
  showSent(status)
  return status
}
