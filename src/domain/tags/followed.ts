import type { Context } from '../../context.ts'
import { newestFirst, ordered, within, type Pagination } from '../../db/page.ts'
import type { FollowedTags } from '../../db/schema.ts'
import { sql } from '../../db/sql.ts'
import { invalidRequest } from '../../lib/errors.ts'
import { getOrCreateTags } from './tags.ts'

/** Building a home timeline reads statuses of every followed hashtag. */
const MAX_FOLLOWED_TAGS = 1000

/** `id` is the cursor. */
export type FollowedTagRow = Pick<FollowedTags, 'id' | 'tag_id'>

/** The hashtags that an account follows, most recently followed first. */
export async function listFollowedTags(ctx: Context, accountId: string, page: Pagination): Promise<FollowedTagRow[]> {
  const rows = await ctx.db.many<FollowedTagRow>(sql`
    select id, tag_id from followed_tags where account_id = ${accountId} and ${within(sql`id`, page)} ${ordered(sql`id`, page)}`)
  return newestFirst(rows, page)
}

/** Returns the id of the tag, and whether the account did not follow it before. `name` is valid. Throws Invalid above the limit. */
export async function insertFollowedTag(
  tx: Context,
  accountId: string,
  name: string,
): Promise<{ tagId: string; isNew: boolean }> {
  const [tagId] = await getOrCreateTags(tx, [name])
  if (tagId === undefined) throw new Error(`${name} cannot be a hashtag`)
  // One hashtag per account at a time: two concurrent requests must not both pass the limit.
  await tx.db.run(sql`select from accounts where id = ${accountId} for no key update`)
  const { followed, known } = await tx.db.one<{ followed: number; known: boolean }>(sql`
    select count(*)::int as followed, coalesce(bool_or(tag_id = ${tagId}), false) as known from followed_tags where account_id = ${accountId}`)
  if (known) return { tagId, isNew: false }
  if (followed >= MAX_FOLLOWED_TAGS) throw invalidRequest('tag_follow_limit', { count: MAX_FOLLOWED_TAGS })
  await tx.db.run(sql`insert into followed_tags (account_id, tag_id) values (${accountId}, ${tagId})`)
  return { tagId, isNew: true }
}

/** Returns whether the account followed the hashtag. */
export const deleteFollowedTag = async (tx: Context, accountId: string, tagId: string): Promise<boolean> =>
  (await tx.db.run(sql`delete from followed_tags where account_id = ${accountId} and tag_id = ${tagId}`)) > 0
