// The server deletes uploads that no post has after a while, and a draft may be older than that.
import { ApiError, api, read } from '../api/client.ts'
import type { Draft, DraftMedia } from './draft.ts'

/** Without attachments that the server no longer has: their files are uploaded again. */
export async function withoutLostMedia(draft: Draft): Promise<Draft> {
  if (draft.edited) return draft
  const posts = await Promise.all(
    draft.posts.map(async (post) => ({ ...post, media: await Promise.all(post.media.map(checked)) })),
  )
  return { ...draft, posts }
}

async function checked(media: DraftMedia): Promise<DraftMedia> {
  const id = media.attachment?.id
  if (id === undefined) return media
  try {
    return { ...media, attachment: await read(api.GET('/api/v1/media/{id}', { params: { path: { id } } })) }
  } catch (error) {
    return error instanceof ApiError && error.status === 404 ? { ...media, attachment: null } : media
  }
}
