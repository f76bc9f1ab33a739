// The server knows an Idempotency-Key for an hour. For an older attempt, the client looks for the post before it sends it again.
import { api, read, readPage } from '../api/client.ts'
import type { ScheduledStatus, Status } from '../api/entities.ts'
import { identity } from '../state/me.ts'
import type { Draft, DraftPost } from './draft.ts'

/** Milliseconds: less than the hour, as the request may have arrived late. */
const KEY_LIFETIME = 50 * 60_000

/** Milliseconds by which a status may seem older than the request for it. */
const TOLERANCE = 60_000

/** How many pages of posts it searches. */
const MAX_PAGES = 5
const PAGE = 40

type Found = Status | ScheduledStatus | 'unsure' | null

/** The status that was made of the draft's first post; `unsure` when only the viewer can tell; null for none. Throws ApiError. */
export async function findSent(draft: Draft): Promise<Found> {
  const isKeyKnown = draft.attempted && Date.now() - draft.attempted.at < KEY_LIFETIME
  return isKeyKnown ? null : findAttempted(draft)
}

/** As `findSent`, also while the server would know the key. */
export async function findAttempted(draft: Draft): Promise<Found> {
  const [post] = draft.posts
  if (!post || draft.edited || !draft.attempted) return null
  if (draft.scheduledAt) {
    const scheduled = await read(api.GET('/api/v1/scheduled_statuses', { params: { query: { limit: PAGE } } }))
    const found = scheduled.find(({ params }) => params.text === post.text)
    if (found) return found
  }
  return findAmong(draft, post, draft.attempted.at + (await clockDifference()) - TOLERANCE)
}

/** How much the server's clock is ahead of this device's, in milliseconds. */
async function clockDifference(): Promise<number> {
  const health = await fetch('/health', { cache: 'no-store' }).catch(() => null)
  const date = Date.parse(health?.headers.get('date') ?? '')
  return Number.isNaN(date) ? 0 : date - Date.now()
}

async function findAmong(draft: Draft, post: DraftPost, since: number): Promise<Status | 'unsure' | null> {
  const id = identity.peek()?.me.id ?? ''
  let isUnsure = false
  let next: Record<string, string> = {}
  for (let pages = 0; pages < MAX_PAGES; pages += 1) {
    const query = { limit: PAGE, exclude_reblogs: true, ...next }
    const page = await readPage(api.GET('/api/v1/accounts/{id}/statuses', { params: { path: { id }, query } }))
    for (const status of page.items) {
      if (Date.parse(status.created_at) < since) return isUnsure ? 'unsure' : null
      const match = isCandidate(status, draft) ? await compare(status, post) : null
      if (match === 'same') return status
      isUnsure ||= match === 'similar'
    }
    if (!page.next) return isUnsure ? 'unsure' : null
    next = page.next
  }
  return 'unsure'
}

const isCandidate = (status: Status, { visibility, inReplyTo }: Draft): boolean =>
  status.visibility === visibility && status.in_reply_to_id === (inReplyTo?.id ?? null)

/** `similar`: the status may be the post, edited since or with other media. */
async function compare(status: Status, post: DraftPost): Promise<'same' | 'similar' | null> {
  const source = await read(api.GET('/api/v1/statuses/{id}/source', { params: { path: { id: status.id } } }))
  const isSameText =
    source.text.trim() === post.text.trim() && source.spoiler_text.trim() === (post.warning ?? '').trim()
  if (!isSameText) return status.edited_at ? 'similar' : null
  if (status.media_attachments.length !== post.media.length) return 'similar'
  // Files that were uploaded by the lost request have no id here.
  const hasSameMedia = post.media.every(
    ({ attachment }, index) => attachment && attachment.id === status.media_attachments[index]?.id,
  )
  return hasSameMedia || post.text.trim() !== '' ? 'same' : 'similar'
}
