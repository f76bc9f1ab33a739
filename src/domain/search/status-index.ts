import type { Context } from '../../context.ts'
import { type Sql, sql } from '../../db/sql.ts'
import { idAt } from '../../lib/ids.ts'
import { htmlToText } from '../../lib/sanitize.ts'
import { tokenize } from '../../lib/text/words.ts'

type Row = Omit<Findable, 'texts'> & {
  own: boolean
  text: string
  content: string
  spoiler_text: string
  words: string[]
  keepers: string[]
}

/**
 * Lets posts be found by what they are now: by their authors, those they mention and those who keep them, where these are of
 * this server, and by everybody where they are public and their authors want that. Of boosts, nothing is to be found.
 */
export async function indexStatuses(tx: Context, ids: readonly string[], { isNew = false } = {}): Promise<void> {
  const rows = await readFindable(tx, sql`s.id = any(${ids}::bigint[])`)
  const entries = rows.flatMap((row) => {
    if (!row.own && !row.open && row.readers.length === 0 && row.keepers.length === 0) return []
    const post = withTexts(row)
    return [
      ...(row.own || row.open || row.readers.length > 0 ? [entryOf(post, null)] : []),
      ...row.keepers.map((keeper) => entryOf(post, keeper)),
    ]
  })
  await store(tx, entries)
  if (isNew) return
  await tx.db.run(sql`
    delete from status_search d using unnest(${ids}::bigint[]) wanted (id)
    where d.status_id = wanted.id and not exists (
      select from unnest(${entries.map((entry) => entry.id)}::bigint[], ${entries.map((entry) => entry.keeper)}::bigint[]) kept (id, keeper)
      where kept.id = d.status_id and kept.keeper is not distinct from d.keeper_id)`)
}

/** Lets somebody of this server find a post that they keep. Nothing for people of other servers. */
export async function addToLibraryIndex(tx: Context, keeperId: string, statusId: string): Promise<void> {
  const [row] = await readFindable(
    tx,
    sql`s.id = ${statusId} and exists (select from users u where u.account_id = ${keeperId})`,
  )
  if (row) await store(tx, [entryOf(withTexts(row), keeperId)])
}

/** Takes back what indexKept did, unless the post is kept in another way as well. */
export async function removeFromLibraryIndex(tx: Context, keeperId: string, statusId: string): Promise<void> {
  await tx.db.run(sql`
    delete from status_search d where d.status_id = ${statusId} and d.keeper_id = ${keeperId}
      and not exists (select from favourites f where f.status_id = ${statusId} and f.account_id = ${keeperId})
      and not exists (select from bookmarks b where b.status_id = ${statusId} and b.account_id = ${keeperId})`)
}

async function readFindable(tx: Context, which: Sql): Promise<Row[]> {
  return tx.db.many<Row>(sql`
    select s.id, s.account_id, s.visibility = 'public' and a.indexable as open, a.domain is null as own, s.reply, s.sensitive, s.language,
      s.poll_id is not null as poll, c.type as card, s.text, s.content, s.spoiler_text,
      array(select m.type::text from media_attachments m where m.id = any(s.media_ids)) as media,
      array(select t.name from status_tags st join tags t on t.id = st.tag_id where st.status_id = s.id)
        || coalesce((select p.options from polls p where p.id = s.poll_id), '{}')
        || array(select m.description from media_attachments m where m.id = any(s.media_ids) and m.description is not null) as words,
      array(select u.account_id from mentions m join users u on u.account_id = m.account_id where m.status_id = s.id) as readers,
      array(select f.account_id from favourites f join users u on u.account_id = f.account_id where f.status_id = s.id
        union select b.account_id from bookmarks b where b.status_id = s.id) as keepers
    from statuses s join accounts a on a.id = s.account_id left join preview_cards c on c.id = s.card_id
    where ${which} and s.reblog_of_id is null`)
}

function withTexts(row: Row): Findable {
  return { ...row, texts: [row.own ? row.text : htmlToText(row.content), row.spoiler_text, ...row.words] }
}

type Entry = { id: string; keeper: string | null; document: string }

/** What somebody keeps has their name on it, and nobody else's. */
function entryOf(post: Findable, keeper: string | null): Entry {
  const of = keeper === null ? post : { ...post, open: false, readers: [keeper] }
  return { id: post.id, keeper, document: documentOf(of) }
}

async function store(tx: Context, entries: readonly Entry[]): Promise<void> {
  if (entries.length === 0) return
  await tx.db.run(sql`
    insert into status_search (status_id, keeper_id, document)
    select e.id, e.keeper, (e.document || ' ''' || ${fact.share('')} || share.lower_id || '''')::tsvector
    from unnest(${entries.map((e) => e.id)}::bigint[], ${entries.map((e) => e.keeper)}::bigint[], ${entries.map((e) => e.document)}::text[])
      e (id, keeper, document)
    cross join lateral (select lower_id from search_shares where lower_id <= e.id order by lower_id desc limit 1) share
    on conflict (status_id, keeper_id) do update set document = excluded.document where status_search.document <> excluded.document`)
}

/** What a post is found by. */
export type Findable = {
  id: string
  account_id: string
  /** Whether everybody may find it. */
  open: boolean
  /** HTML left out. */
  texts: readonly (string | null)[]
  reply: boolean
  sensitive: boolean
  language: string | null
  poll: boolean
  /** Types of media. */
  media: readonly string[]
  /** The type of the preview of its link. */
  card: string | null
  /** Accounts of this server that may find it, beside its author. */
  readers: readonly string[]
}

/**
 * What documents say beside the words, as lexemes that no word can be. `share` is the one the search walks by: see
 * addSearchShare.
 */
export const fact = {
  open: ':open',
  reader: (accountId: string): string => `:for:${accountId}`,
  author: (accountId: string): string => `:by:${accountId}`,
  share: (lowerId: string): string => `:in:${lowerId}`,
  language: (code: string): string => `:lang:${code.toLowerCase()}`,
  has: (what: string): string => `:has:${what}`,
  is: (what: string): string => `:is:${what}`,
}

/** No post is found by what stands further behind. */
const MOST_WORDS = 4000
/** What PostgreSQL keeps of one lexeme. */
const MOST_PLACES = 255

/** A post as PostgreSQL's tsvector, written out. */
export function documentOf(post: Findable): string {
  const places = new Map<string, number[]>()
  let after = 0
  for (const text of post.texts) {
    if (!text) continue
    const words = tokenize(text, MOST_WORDS - after)
    for (const { word, at } of words) {
      const known = places.get(word)
      if (!known) places.set(word, [after + at])
      else if (known.length < MOST_PLACES) known.push(after + at)
    }
    // A phrase does not go on from one text to the next.
    after += (words.at(-1)?.at ?? 0) + 1
    if (after >= MOST_WORDS) break
  }
  const lexemes = factsOf(post).map((lexeme) => `'${lexeme}'`)
  for (const [word, at] of places) lexemes.push(`'${word}':${at.join(',')}`)
  return lexemes.join(' ')
}

function factsOf(post: Findable): string[] {
  const has = new Set<string>()
  if (post.media.length > 0) has.add('media')
  for (const type of post.media) has.add(type === 'gifv' ? 'video' : type)
  if (post.poll) has.add('poll')
  if (post.card !== null) has.add('link')
  if (post.card !== null && post.card !== 'link') has.add('embed')
  const language = post.language?.toLowerCase()
  return [
    fact.author(post.account_id),
    ...(post.open ? [fact.open] : []),
    ...post.readers.map(fact.reader),
    ...[...has].map(fact.has),
    ...(post.reply ? [fact.is('reply')] : []),
    ...(post.sensitive ? [fact.is('sensitive')] : []),
    // `zh-TW` is found by `zh` as well.
    ...(language ? [...new Set([language, language.split('-')[0] as string])].map(fact.language) : []),
  ]
}

const BATCH = 500

/**
 * Indexes the next public statuses of an account, in the order of their ids. Returns the id to continue after, or null when
 * all are indexed.
 */
export async function indexAccountStatuses(tx: Context, accountId: string, after: string): Promise<string | null> {
  const rows = await tx.db.many<{ id: string }>(sql`
    select id from statuses where account_id = ${accountId} and visibility = 'public' and reblog_of_id is null and id > ${after}
    order by id limit ${BATCH}`)
  const ids = rows.map(({ id }) => id)
  await indexStatuses(tx, ids)
  return ids.length === BATCH ? (ids.at(-1) as string) : null
}

/** How many posts a share has, more or less: what a search for a common word looks through at a time. */
const SIZE = 8192

/** A little ahead: what is being posted at this moment may still go by the shares as they are. Milliseconds. */
const AHEAD = 60_000

/** Begins a new share of posts when the newest one is full. Run now and then. */
export async function addSearchShare(ctx: Context): Promise<void> {
  await ctx.db.run(sql`
    insert into search_shares (lower_id) select ${idAt(new Date(Date.now() + AHEAD))}::bigint
    where (select count(*) from (
      select from status_search where keeper_id is null and status_id >= (select max(lower_id) from search_shares) limit ${SIZE}
    ) newest) >= ${SIZE}
    on conflict do nothing`)
}
