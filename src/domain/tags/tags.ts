import { type Context, perServer } from '../../context.ts'
import { type Pagination, newestFirst, onPage } from '../../db/page.ts'
import type { FollowedTags, Tags } from '../../db/schema.ts'
import { type Sql, sql } from '../../db/sql.ts'
import { invalidField, invalidRequest } from '../../lib/errors.ts'
import { isTagName, normaliseTag } from '../../lib/text/tags.ts'
import { memoized } from '../server/settings.ts'
import { lockAccount } from '../users/locks.ts'
import { lruCache } from '../../lib/lru-cache.ts'

/** Ids by name, of hashtags that exist: they never change. */
const cache = perServer(() => lruCache<string, string>({ max: 20_000 }))

/** Ids by name. `names` are normalised (`normaliseTag`). Names that no status or account used are missing. */
export async function findTags(ctx: Context, names: readonly string[]): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  for (const name of names) {
    const id = cache(ctx).get(name)
    if (id !== undefined) found.set(name, id)
  }
  const missing = names.filter((name) => !found.has(name))
  if (missing.length === 0) return found
  const rows = await ctx.db.many<{ id: string; name: string }>(
    sql`select id, name from tags where name = any(${missing}::text[])`,
  )
  for (const { id, name } of rows) {
    found.set(name, id)
    // A transaction sees hashtags that may never be committed.
    if (!ctx.isTransaction) cache(ctx).set(name, id)
  }
  return found
}

/** The latest uses of a tag among which `isTagKnown` looks for those of the viewer. */
const MAX_SEARCHED_USES = 100

/**
 * A condition on tags: a status that all may read has used the tag, or an account features it, or the viewer follows or used it.
 * Others are words of private posts.
 */
export const isTagKnown = (viewerId: string | null): Sql => sql`(last_status_at is not null
  or exists (select from featured_tags ft where ft.tag_id = tags.id)
  or exists (select from followed_tags ft where ft.tag_id = tags.id and ft.account_id = ${viewerId})
  or exists (
    select from (select status_id from status_tags st where st.tag_id = tags.id order by status_id desc limit ${MAX_SEARCHED_USES}::int) latest
    join statuses s on s.id = latest.status_id where s.account_id = ${viewerId}))`

/** The id of a hashtag that the viewer may know of: see `isTagKnown`. `name` is normalised. */
export async function findKnownTag(
  ctx: Context,
  viewer: { accountId: string } | null,
  name: string,
): Promise<string | null> {
  const tag = await ctx.db.maybe<Pick<Tags, 'id'>>(
    sql`select id from tags where name = ${name} and ${isTagKnown(viewer?.accountId ?? null)}`,
  )
  return tag?.id ?? null
}

/** Tag names by key, each as first spelled. Leaves out names that cannot be tags. `names`: as typed, without `#`. */
export function spellingsOf(names: readonly string[]): Map<string, string> {
  const spellings = new Map<string, string>()
  for (const typed of names) {
    const name = normaliseTag(typed)
    if (isTagName(name) && !spellings.has(name)) spellings.set(name, typed)
  }
  return spellings
}

/**
 * `names`: as typed, without `#`. Creates missing tags, displayed as typed, or `folded` for those of statuses: `touchTags` then
 * takes the spelling of the first one that all may read. Leaves out names that cannot be tags. Call it first in a transaction:
 * it waits for concurrent inserts of the same tags, in the order of names to avoid deadlocks.
 */
export async function getOrCreateTags(
  tx: Context,
  names: readonly string[],
  display: 'typed' | 'folded' = 'typed',
): Promise<string[]> {
  const spellings = spellingsOf(names)
  if (spellings.size === 0) return []
  const known = await findTags(tx, [...spellings.keys()])
  const missing = [...spellings.keys()].filter((name) => !known.has(name))
  if (missing.length === 0) return [...known.values()]
  const displayed = display === 'folded' ? missing : missing.map((name) => spellings.get(name))
  await tx.db.run(sql`
    insert into tags (name, display_name)
    select name, display_name from unnest(${missing}::text[], ${displayed}::text[]) as new (name, display_name)
    order by name on conflict (name) do nothing`)
  // Select again: `returning` omits the tags that another transaction inserted meanwhile.
  return [...(await findTags(tx, [...spellings.keys()])).values()]
}

/** Counts hashtags that an edit adds to a status, for trends and for the history of the Tag entity. */
export async function recordTagUses(tx: Context, statusId: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await tx.db.run(sql`
    with status as (select id, account_id, visibility, approval, created_at from statuses where id = ${statusId}),
      writer as (select id, silenced_at from accounts where id = (select account_id from status)),
      tag as (select id, usable from tags where id = any(${ids}::bigint[])),
      tagging as (select ${statusId}::bigint as status_id, tag.id as tag_id from tag),
      ${countedTagUses}
    select`)
}

/**
 * A member of a `with` list, which counts the pairs of `tagging` with the members `status`, `writer` and `tag`. Only public
 * statuses of accounts that are not limited count. Each account counts in a row of its own, so that concurrent statuses with a
 * popular tag do not wait for each other.
 */
export const countedTagUses: Sql = sql`used as (
      insert into tag_uses (day, tag_id, account_id, uses)
      select (status.created_at at time zone 'utc')::date, tag.id, writer.id, count(*)
      from tagging join status on status.id = tagging.status_id join writer on writer.id = status.account_id join tag on tag.id = tagging.tag_id
      where status.visibility = 'public' and status.approval is null and status.created_at > now() - interval '7 days'
        and writer.silenced_at is null and tag.usable
      group by 1, 2, 3 order by 2, 3
      on conflict (day, tag_id, account_id) do update set uses = tag_uses.uses + excluded.uses
    )`

/** Whether `touchTags` has something to do. A condition on tags. */
export const isStaleTag: Sql = sql`(last_status_at is null or last_status_at < now() - interval '1 hour')`

/**
 * Records to the hour when public or unlisted statuses last used the tags: searches find only tags with such a time. The first
 * one spells the tag, unless staff or a follower has. Skips locked rows, so that no status waits for another. `names`: as typed
 * in the status, without `#`.
 */
export async function touchTags(tx: Context, ids: readonly string[], names: readonly string[]): Promise<void> {
  const spellings = spellingsOf(names)
  await tx.db.run(sql`
    with due as (
      select id, last_status_at is null and display_name = name and reviewed_at is null as unspelled
      from tags where id = any(${ids}::bigint[]) and ${isStaleTag} for no key update skip locked
    )
    update tags set last_status_at = now(), display_name = case when due.unspelled then used.spelling else display_name end
    from due, unnest(${[...spellings.keys()]}::text[], ${[...spellings.values()]}::text[]) as used (name, spelling)
    where tags.id = due.id and tags.name = used.name`)
}

/** How long a process may let people use a hashtag that staff has disabled, should the message about it be lost. */
const UNUSABLE_CACHE_SECONDS = 60

const readUnusable = memoized(UNUSABLE_CACHE_SECONDS, async (ctx) => {
  const rows = await ctx.db.many<Pick<Tags, 'name'>>(sql`select name from tags where not usable`)
  return new Set(rows.map(({ name }) => name))
})

/** `names` as typed. Throws Invalid when staff does not allow one of them. */
export async function checkTagsUsable(ctx: Context, names: readonly string[]): Promise<void> {
  if (names.length === 0) return
  const unusable = await readUnusable(ctx)
  const tags = names.filter((name) => unusable.has(normaliseTag(name)))
  if (tags.length > 0) throw invalidField('text', 'tags_unusable', { tags })
}

/** Building a home timeline reads statuses of every followed hashtag. */
const MAX_FOLLOWED_TAGS = 1000

/** `id` is the cursor. */
type FollowedTagRow = Pick<FollowedTags, 'id' | 'tag_id'>

/** Most recently followed first. */
export async function listFollowedTags(ctx: Context, accountId: string, page: Pagination): Promise<FollowedTagRow[]> {
  const rows = await ctx.db.many<FollowedTagRow>(sql`
    select id, tag_id from followed_tags where account_id = ${accountId} and ${onPage(sql`id`, page)}`)
  return newestFirst(rows, page)
}

/** `isNew`: the account did not follow the tag before. `name` is valid. Throws Invalid above the limit. */
export async function insertFollowedTag(
  tx: Context,
  accountId: string,
  name: string,
): Promise<{ tagId: string; isNew: boolean }> {
  const [tagId] = await getOrCreateTags(tx, [name])
  if (tagId === undefined) throw new Error(`${name} cannot be a hashtag`)
  await lockAccount(tx, accountId)
  const { followed, known } = await tx.db.one<{ followed: number; known: boolean }>(sql`
    select count(*)::int as followed, coalesce(bool_or(tag_id = ${tagId}), false) as known from followed_tags where account_id = ${accountId}`)
  if (known) return { tagId, isNew: false }
  if (followed >= MAX_FOLLOWED_TAGS) throw invalidRequest('tag_follow_limit', { count: MAX_FOLLOWED_TAGS })
  await tx.db.run(sql`insert into followed_tags (account_id, tag_id) values (${accountId}, ${tagId})`)
  return { tagId, isNew: true }
}

export const deleteFollowedTag = async (tx: Context, accountId: string, tagId: string): Promise<boolean> =>
  (await tx.db.run(sql`delete from followed_tags where account_id = ${accountId} and tag_id = ${tagId}`)) > 0
