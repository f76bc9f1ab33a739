import { isLocalDomain } from '../../domain/server/addresses.ts'
import type { Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'
import { indexStatuses } from '../../domain/search/status-index.ts'
import { findCard } from '../../domain/statuses/cards/store.ts'
import type { StatusDraft } from '../../domain/statuses/draft.ts'
import { isTellable } from '../../domain/statuses/language.ts'
import type { JobData } from '../../jobs/kinds.ts'
import { findLinks } from '../../lib/text/links.ts'

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

/** When a server that is out of reach is asked again, in seconds: the second and the third time. */
const DELAYS = [60, 600]
/** Longer addresses are no addresses for people. Bytes. */
const LONGEST = 2048

type Post = { content: string; media: number; card_id: string | null; edited_at: string | null; elsewhere: string[] }

/**
 * The job `cards.fetch`: gives a post the preview of the first thing that it links to, or takes it away when it links to nothing any
 * more. Posts with media have none. Who looks at the post at this moment is shown it.
 */
export async function fetchCard(ctx: Context, { statusId, attempt = 0 }: JobData['cards.fetch']): Promise<void> {
  const post = await ctx.db.maybe<Post>(sql`
    select s.content, cardinality(s.media_ids) as media, s.card_id, s.edited_at::text,
      array(select unnest(array[a.url, a.uri]) from mentions m join accounts a on a.id = m.account_id where m.status_id = s.id)
        || array(select unnest(array[q.quoted_uri, o.uri, o.url]) from quotes q left join statuses o on o.id = q.quoted_status_id where q.id = s.quote_id) as elsewhere
    from statuses s where s.id = ${statusId} and s.reblog_of_id is null`)
  if (!post) return
  const link = chooseLink(ctx, post)
  const found = link === null ? 'none' : await findCard(ctx, link)
  if (found === 'later') {
    const delay = DELAYS[attempt]
    if (delay !== undefined) await ctx.enqueue('cards.fetch', { statusId, attempt: attempt + 1 }, { delay })
    return
  }
  await attach(ctx, statusId, post, found === 'none' ? null : found.id)
}

/** Neither what is here, nor people who are mentioned, nor what is quoted. */
function chooseLink(ctx: Context, { content, media, elsewhere }: Post): string | null {
  if (media > 0) return null
  const suitable = (url: string): boolean =>
    Buffer.byteLength(url) <= LONGEST && !elsewhere.includes(url) && !isLocalDomain(ctx, new URL(url).host)
  return findLinks(content).find(suitable) ?? null
}

async function attach(
  ctx: Context,
  statusId: string,
  { card_id, edited_at }: Post,
  cardId: string | null,
): Promise<void> {
  if (cardId === card_id) return
  await ctx.transaction(async (tx) => {
    // What was edited meanwhile has a job of its own.
    const changed = await tx.db.run(
      sql`update statuses set card_id = ${cardId}::bigint where id = ${statusId} and edited_at::text is not distinct from ${edited_at}`,
    )
    if (changed === 0) return
    await indexStatuses(tx, [statusId])
    tx.publish({ type: 'status.edited', id: statusId })
  })
}
