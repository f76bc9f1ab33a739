import type { Context } from '../../context.ts'
import { sql, type Sql } from '../../db/sql.ts'
import { htmlToText } from '../../lib/sanitize.ts'
import { documentOf, fact, type Findable } from './status-document.ts'

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
export async function indexKept(tx: Context, keeperId: string, statusId: string): Promise<void> {
  const [row] = await readFindable(
    tx,
    sql`s.id = ${statusId} and exists (select from users u where u.account_id = ${keeperId})`,
  )
  if (row) await store(tx, [entryOf(withTexts(row), keeperId)])
}

/** Takes back what indexKept did, unless the post is kept in another way as well. */
export async function unindexKept(tx: Context, keeperId: string, statusId: string): Promise<void> {
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
