import type { Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'
import { findLinks } from '../../lib/text/links.ts'
import type { StatusDraft } from '../../domain/statuses/draft.ts'
import { isTellable } from '../../domain/statuses/language.ts'
import { indexStatuses } from '../../domain/search/status-index.ts'

/** The servers that posts of elsewhere link to hear of it from everybody at once: ours asks within so many seconds. */
const SPREAD = 60

/** What is seen to with every new post: that it is found, the preview of what it links to, its language. */
export async function tendToNew(tx: Context, statusId: string, draft: StatusDraft): Promise<void> {
  await indexStatuses(tx, [statusId], { isNew: true })
  const media = (draft.mediaIds?.length ?? 0) + (draft.remoteMedia?.length ?? 0)
  if (media === 0 && findLinks(draft.content).length > 0) {
    const delay = draft.local ? 0 : Math.floor(Math.random() * SPREAD)
    await tx.enqueue('cards.fetch', { statusId }, { delay })
  }
  const { language, languageIsAssumed } = draft
  if ((!language || languageIsAssumed) && isTellable(draft.content))
    await tx.enqueue('languages.detect', { statusId, ...(language ? { assumed: language } : {}) })
}

/** The same with a post that was changed. */
export async function tendToEdited(tx: Context, statusId: string): Promise<void> {
  await indexStatuses(tx, [statusId])
  const post = await tx.db.maybe<{
    content: string
    language: string | null
    card_id: string | null
    media: number
  }>(sql`
    select content, language, card_id, cardinality(media_ids) as media from statuses where id = ${statusId}`)
  if (!post) return
  if (post.card_id !== null || (post.media === 0 && findLinks(post.content).length > 0))
    await tx.enqueue('cards.fetch', { statusId })
  if (!post.language && isTellable(post.content)) await tx.enqueue('languages.detect', { statusId })
}
