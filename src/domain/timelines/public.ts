import { perServer, type Context } from '../../context.ts'
import { type Pagination, newestFirst, ordered, within } from '../../db/page.ts'
import { type Sql, name, nothing, sql } from '../../db/sql.ts'
import { type Viewer, may } from '../auth/viewer.ts'
import { notHiddenInTimelines } from '../relationships/hidden.ts'
import { type Access, getSettings } from '../server/settings.ts'
import { findTags } from '../tags/tags.ts'
import { readShown, StatusReader } from '../statuses/reader.ts'
import { isShownInPublic, type MaybeViewer } from '../statuses/visibility.ts'
import { NotFound, Unauthorized } from '../../lib/errors.ts'
import { normaliseTag } from '../../lib/text/tags.ts'
import { message } from '../../messages/message.ts'

type PublicOptions = Origin & { only_media?: boolean }

/** Without replies, boosts, and limited or suspended authors; newest first. */
export async function readPublic(
  ctx: Context,
  viewer: Viewer | null,
  page: Pagination,
  options: PublicOptions,
): Promise<string[]> {
  const origin = await originCondition(ctx, viewer, 'live', options)
  if (!origin) return []
  const chooses = viewer !== null && (viewer.settings.chosen_languages ?? []).length > 0
  return readByShownAuthors(ctx, viewer, page, {
    read: (part) =>
      readTogether(
        ctx,
        sql`
      select s.id as status_id, s.account_id from statuses s
      where s.visibility = 'public' and s.reblog_of_id is null and not s.reply and ${origin} and ${within(sql`s.id`, part)}
        ${onlyMedia(options.only_media)} ${ordered(sql`s.id`, part)}`,
      ),
    ...(chooses ? { filter: (found) => inChosenLanguages(ctx, viewer, found) } : {}),
  })
}

/**
 * A condition on a user `u` and a status `s`. As in Mastodon, a user who chose languages sees public timelines without other
 * languages and without posts of an unknown language, apart from own posts. A language includes its regional forms.
 */
export const readsLanguage: Sql = sql`(
  s.account_id = u.account_id or coalesce(jsonb_array_length(u.settings -> 'chosen_languages'), 0) = 0
  or coalesce(u.settings -> 'chosen_languages' @> any(array[to_jsonb(s.language), to_jsonb(split_part(s.language, '-', 1))]), false))`

/** In a statement of its own: that of the page is shared by all viewers, and needs only an index. */
async function inChosenLanguages(ctx: Context, { userId }: Viewer, found: Entry[]): Promise<Entry[]> {
  const ids = found.map(({ status_id }) => status_id)
  const rows = await ctx.db.many<{ id: string }>(sql`
    select s.id from statuses s join users u on u.id = ${userId}
    where s.id = any(${ids}::bigint[]) and ${readsLanguage}`)
  const read = new Set(rows.map(({ id }) => id))
  return found.filter(({ status_id }) => read.has(status_id))
}

type Entry = { status_id: string; account_id: string }

const reading = perServer(() => new Map<string, Promise<Entry[]>>())

/** The page is the same for everyone. Requests that waited for the same look at the change log share the statement. */
function readTogether(ctx: Context, statement: Sql): Promise<Entry[]> {
  const key = JSON.stringify([statement.strings, statement.values])
  let entries = reading(ctx).get(key)
  if (!entries) {
    entries = ctx.db.many<Entry>(statement)
    reading(ctx).set(key, entries)
    // It is sent at the end of this turn of the event loop: what begins later needs a statement of its own.
    setImmediate(() => reading(ctx).delete(key))
  }
  return entries
}

type Reading = {
  /** Reads the entries of a part of the page. */
  read: (part: Pagination) => Promise<Entry[]>
  /** Leaves out further entries; none unless given. */
  filter?: (found: Entry[]) => Promise<Entry[]>
}

/** Leaves out statuses of authors who are limited, suspended, or hidden from the viewer. Newest first. */
async function readByShownAuthors(
  ctx: Context,
  viewer: MaybeViewer,
  page: Pagination,
  { read, filter = async (found) => found }: Reading,
): Promise<string[]> {
  const entries = await readShown(page, {
    read,
    filter: async (found) => {
      const filtered = await filter(found)
      const authors = new Set(filtered.map(({ account_id }) => account_id))
      const reader = await StatusReader.load(ctx, viewer, [], [...authors])
      return filtered.filter(({ account_id }) => reader.showsInPublic(account_id))
    },
    cursor: ({ status_id }) => status_id,
  })
  return entries.map(({ status_id }) => status_id)
}

/** `live`: the public timelines. `topic`: those of hashtags. */
type FeedKind = 'live' | 'topic'

/** Neither or both mean all. */
type Origin = { local?: boolean; remote?: boolean }

/**
 * A condition on a status `s`, as the server's settings allow it for the viewer; null when they allow nothing. Throws
 * Unauthorized when the feed requires a user and there is none.
 */
async function originCondition(
  ctx: Context,
  viewer: Viewer | null,
  kind: FeedKind,
  origin: Origin,
): Promise<Sql | null> {
  const settings = await getSettings(ctx)
  const everything = Boolean(origin.local) === Boolean(origin.remote)
  const isShown = (half: 'local' | 'remote'): boolean =>
    (everything || Boolean(origin[half])) && isOpen(settings[`${half}_${kind}_feed_access`], viewer)
  const [local, remote] = [isShown('local'), isShown('remote')]
  if (local && remote) return sql`true`
  if (local) return sql`s.local`
  return remote ? sql`not s.local` : null
}

function isOpen(access: Access, viewer: Viewer | null): boolean {
  if (access === 'public') return true
  if (access === 'disabled') return may(viewer, 'view_feeds')
  if (!viewer) throw new Unauthorized(message('method_requires_user'))
  return true
}

const onlyMedia = (wanted: boolean | undefined): Sql => (wanted ? sql`and s.media_ids <> '{}'` : nothing)

/** A page may have several preview cards, one for each address. Limits how many are used. */
const MAX_CARDS = 20

/**
 * Public statuses that link to a page, replies included, by discoverable accounts. Throws NotFound when no status links to it,
 * and Unauthorized when the feed requires a user.
 */
export async function readLink(ctx: Context, viewer: Viewer | null, url: string, page: Pagination): Promise<string[]> {
  const origin = await originCondition(ctx, viewer, 'topic', {})
  const cards = await ctx.db.many<{ id: string }>(sql`
    select id from preview_cards where fetched_at is not null and (link = ${url} or url = ${url}) limit ${MAX_CARDS}`)
  if (cards.length === 0) throw new NotFound()
  if (!origin) return []
  const rows = await ctx.db.many<{ id: string }>(sql`
    select linking.id from unnest(${cards.map(({ id }) => id)}::bigint[]) wanted (card_id) cross join lateral (
      select s.id from statuses s join accounts a on a.id = s.account_id
      where s.card_id = wanted.card_id and ${isShownInPublic} and ${origin} and a.discoverable and ${within(sql`s.id`, page)}
        ${viewer ? sql`and ${notHiddenInTimelines(viewer.accountId)}` : nothing}
      ${ordered(sql`s.id`, page)}
    ) linking ${ordered(sql`linking.id`, page)}`)
  return newestFirst(rows, page).map(({ id }) => id)
}

/** Names of hashtags: statuses have `hashtag` or one of `any`, every one of `all`, and none of `none`. */
type TagOptions = Origin & {
  hashtag: string
  only_media?: boolean
  any?: readonly string[]
  all?: readonly string[]
  none?: readonly string[]
}

/** Hashtags of each option that are used at most. */
const MORE = 4

/**
 * Statement: ids and authors of public statuses, replies included; null when there cannot be any. The required hashtags are
 * joined, so that PostgreSQL merges two ordered lists of ids and reads only statuses that are in both.
 */
async function tagSelection(
  ctx: Context,
  origin: Sql,
  options: TagOptions,
): Promise<((page: Pagination) => Sql) | null> {
  const namesIn = (given: readonly string[] = []): ReadonlySet<string> =>
    new Set(given.slice(0, MORE).map(normaliseTag).filter(Boolean))
  const any = namesIn(options.any).union(new Set([normaliseTag(options.hashtag)]))
  const [all, none] = [namesIn(options.all), namesIn(options.none)]
  const tags = await findTags(ctx, [...any, ...all, ...none])
  const idsOf = (names: ReadonlySet<string>): string[] => [...names].flatMap((name) => tags.get(name) ?? [])
  const [wanted, required, unwanted] = [idsOf(any), idsOf(all), idsOf(none)]
  const [first] = wanted
  if (first === undefined || required.length < all.size) return null
  const tagged = (tag: Sql, page: Pagination): Sql => sql`
    select st.status_id, s.account_id from status_tags st ${joined(required)}
    join statuses s on s.id = st.status_id
    where st.tag_id = ${tag} and s.visibility = 'public' and s.approval is null and ${origin} and ${within(sql`st.status_id`, page)}
      ${unwanted.length > 0 ? sql`and not exists (select from status_tags other where other.status_id = st.status_id and other.tag_id = any(${unwanted}::bigint[]))` : nothing}
      ${onlyMedia(options.only_media)}
    ${ordered(sql`st.status_id`, page)}`
  if (wanted.length === 1) return (page) => tagged(sql`${first}::bigint`, page)
  return (page) => sql`
    select distinct tagged.status_id, tagged.account_id from unnest(${wanted}::bigint[]) wanted (tag_id)
    cross join lateral (${tagged(sql`wanted.tag_id`, page)}) tagged ${ordered(sql`tagged.status_id`, page)}`
}

/** Newest first. Throws Unauthorized when the feed requires a user and there is none. */
export async function readTag(
  ctx: Context,
  viewer: Viewer | null,
  page: Pagination,
  options: TagOptions,
): Promise<string[]> {
  const origin = await originCondition(ctx, viewer, 'topic', options)
  const selection = origin && (await tagSelection(ctx, origin, options))
  if (!selection) return []
  return readByShownAuthors(ctx, viewer, page, { read: (part) => ctx.db.many(selection(part)) })
}

function joined(tagIds: readonly string[]): Sql {
  return tagIds.reduce((before, id, i) => {
    const also = name(`st${i}`)
    return sql`${before} join status_tags ${also} on ${also}.status_id = st.status_id and ${also}.tag_id = ${id}`
  }, nothing)
}
