import type { Context } from '../../context.ts'
import { newestFirst, ordered, within, type Pagination } from '../../db/page.ts'
import { name, nothing, sql, type Sql } from '../../db/sql.ts'
import { normaliseTag } from '../../lib/text/tags.ts'
import type { Viewer } from '../auth/viewer.ts'
import { findTags } from '../tags/tags.ts'
import { onlyMedia, originCondition, type Origin } from './access.ts'
import { notHiddenInTimelines } from '../relationships/hidden.ts'

/** Names of further hashtags: one of which is enough, which must all be there, which must not be there. */
export type TagOptions = Origin & {
  only_media?: boolean
  any?: readonly string[]
  all?: readonly string[]
  none?: readonly string[]
}

/** How many further hashtags of each kind count. */
const MORE = 4

/**
 * The ids of a page of public posts with a hashtag, replies included, as a statement; null where there cannot be any. The
 * hashtags that must be there are joined, so that two lists of posts are walked through side by side, and nothing else is looked
 * at of posts that have only one of them.
 */
export async function tagPage(
  ctx: Context,
  viewer: Viewer | null,
  hashtag: string,
  page: Pagination,
  options: TagOptions,
): Promise<Sql | null> {
  const origin = await originCondition(ctx, viewer, 'topic', options)
  const fold = (names: readonly string[] = []): string[] => [
    ...new Set(names.slice(0, MORE).map(normaliseTag).filter(Boolean)),
  ]
  const [any, all, none] = [
    [...new Set([normaliseTag(hashtag), ...fold(options.any)])],
    fold(options.all),
    fold(options.none),
  ]
  if (!origin) return null
  const tags = await findTags(ctx, [...any, ...all, ...none])
  const ids = (names: string[]): string[] => names.flatMap((name) => tags.get(name) ?? [])
  const required = ids(all)
  if (required.length < all.length) return null
  const [first, ...others] = ids(any)
  if (first === undefined) return null
  const unwanted = ids(none)
  const tagged = (tag: Sql): Sql => sql`
    select st.status_id from status_tags st ${joined(required)}
    join statuses s on s.id = st.status_id join accounts a on a.id = s.account_id
    where st.tag_id = ${tag} and s.visibility = 'public' and s.approval is null and ${origin}
      and a.suspended_at is null and a.silenced_at is null and ${within(sql`st.status_id`, page)}
      ${unwanted.length > 0 ? sql`and not exists (select from status_tags other where other.status_id = st.status_id and other.tag_id = any(${unwanted}::bigint[]))` : nothing}
      ${onlyMedia(options.only_media)} ${viewer ? sql`and ${notHiddenInTimelines(viewer.accountId, 'a')}` : nothing}
    ${ordered(sql`st.status_id`, page)}`
  if (others.length === 0) return tagged(sql`${first}::bigint`)
  return sql`
    select distinct tagged.status_id from unnest(${[first, ...others]}::bigint[]) wanted (tag_id)
    cross join lateral (${tagged(sql`wanted.tag_id`)}) tagged ${ordered(sql`tagged.status_id`, page)}`
}

/** The ids that `tagPage` gives. */
export async function readTag(
  ctx: Context,
  viewer: Viewer | null,
  hashtag: string,
  page: Pagination,
  options: TagOptions,
): Promise<string[]> {
  const selection = await tagPage(ctx, viewer, hashtag, page, options)
  const rows = selection ? await ctx.db.many<{ status_id: string }>(selection) : []
  return newestFirst(rows, page).map(({ status_id }) => status_id)
}

/** Joins the posts of each of the hashtags to those of `st`. */
function joined(tagIds: readonly string[]): Sql {
  return tagIds.reduce((before, id, i) => {
    const also = name(`st${i}`)
    return sql`${before} join status_tags ${also} on ${also}.status_id = st.status_id and ${also}.tag_id = ${id}`
  }, nothing)
}
