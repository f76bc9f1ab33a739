import type { Context } from '../../context.ts'
import { newestFirst, ordered, within, type Page } from '../../db/page.ts'
import { sql } from '../../db/sql.ts'
import { invalidRequest } from '../../lib/errors.ts'
import { getOrCreateTags } from '../tags/get-or-create.ts'

/** How many hashtags somebody may follow: each is looked at when a home timeline is built. */
const MAX_FOLLOWED_TAGS = 1000

/** A hashtag that is followed; `id` is the cursor. */
export type FollowedTagRow = { id: string; tag_id: string }

/** The hashtags that somebody follows, the one followed last first. */
export async function listFollowedTags(ctx: Context, accountId: string, page: Page): Promise<FollowedTagRow[]> {
  const rows = await ctx.db.many<FollowedTagRow>(sql`
    select id, tag_id from followed_tags where account_id = ${accountId} and ${within(sql`id`, page)} ${ordered(sql`id`, page)}`)
  return newestFirst(rows, page)
}

/**
 * Follows a hashtag, whose name was checked, once; gives its id. Public posts with it come to the home timeline, the newest
 * of those that are there as well. Throws Invalid over the limit.
 */
export async function followTag(ctx: Context, accountId: string, name: string): Promise<string> {
  return ctx.transaction(async (tx) => {
    const [tagId] = await getOrCreateTags(tx, [name])
    if (tagId === undefined) throw new Error(`${name} cannot be a hashtag`)
    // One at a time per person, or two requests at once could both find the last place free.
    await tx.db.run(sql`select from accounts where id = ${accountId} for no key update`)
    const { followed, known } = await tx.db.one<{ followed: number; known: boolean }>(sql`
      select count(*)::int as followed, coalesce(bool_or(tag_id = ${tagId}), false) as known from followed_tags where account_id = ${accountId}`)
    if (known) return tagId
    if (followed >= MAX_FOLLOWED_TAGS) throw invalidRequest('tag_follow_limit', { count: MAX_FOLLOWED_TAGS })
    await tx.db.run(sql`insert into followed_tags (account_id, tag_id) values (${accountId}, ${tagId})`)
    await tx.enqueue('fanout.rebuild', { accountId })
    return tagId
  })
}

/**
 * Follows a hashtag no longer. What only it brought leaves the home timeline at once; what the rules of a follow would not
 * have let in either, with the job behind it.
 */
export async function unfollowTag(ctx: Context, accountId: string, tagId: string): Promise<void> {
  await ctx.transaction(async (tx) => {
    const gone = await tx.db.run(sql`delete from followed_tags where account_id = ${accountId} and tag_id = ${tagId}`)
    if (gone === 0) return
    await tx.db.run(sql`
      delete from home_feed hf using status_tags gone
      where hf.account_id = ${accountId} and gone.tag_id = ${tagId} and gone.status_id = hf.status_id and hf.author_id <> ${accountId}
        and not exists (select from follows f where f.account_id = ${accountId} and f.target_account_id = hf.author_id)
        and not exists (
          select from status_tags st join followed_tags ft on ft.tag_id = st.tag_id and ft.account_id = ${accountId}
          where st.status_id = hf.status_id)`)
    await tx.enqueue('fanout.rebuild', { accountId })
  })
}
