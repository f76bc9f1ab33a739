import type { Context } from '../../context.ts'
import type { Statuses } from '../../db/schema.ts'
import { type Sql, nothing, sql } from '../../db/sql.ts'
import { batchedFor } from '../../lib/batch.ts'
import { idAt } from '../../lib/ids.ts'
import { htmlToText } from '../../lib/sanitize.ts'
import type { StatusDraft } from '../statuses/draft.ts'
import { spellingsOf } from '../tags/tags.ts'
import { documentOf, fact, type IndexableStatus } from './status-document.ts'

/** `keepers`: local accounts that favourited or bookmarked the status. `words`: hashtags, poll options and alt texts. */
type IndexableRow = Omit<IndexableStatus, 'texts'> &
  Pick<Statuses, 'text' | 'content' | 'spoiler_text'> & { local: boolean; words: string[]; keepers: string[] }

/**
 * The author, mentioned accounts and accounts that favourited or bookmarked a status can find it, if local; everyone
 * can find public ones whose author is indexable. Ignores reblogs. `isNew`: there are no earlier documents to delete.
 * May run twice. The transaction must have locked the statuses, as an edit does, against edits, favourites and bookmarks.
 */
export async function indexStatuses(tx: Context, ids: readonly string[], { isNew = false } = {}): Promise<void> {
  const rows = await readIndexable(tx, sql`s.id = any(${ids}::bigint[])`)
  const entries = rows.flatMap((row) => {
    const hasOwnEntry = row.local || row.open || row.readers.length > 0
    const keepers = hasOwnEntry ? [null, ...row.keepers] : row.keepers
    if (keepers.length === 0) return []
    const status = withTexts(row)
    return keepers.map((keeper) => entryOf(status, keeper))
  })
  await storeEntries(tx, entries)
  if (isNew) return
  await tx.db.run(sql`
    delete from status_search d using unnest(${ids}::bigint[]) wanted (id)
    where d.status_id = wanted.id and not exists (
      select from unnest(${entries.map((entry) => entry.id)}::bigint[], ${entries.map((entry) => entry.keeper)}::bigint[]) current (id, keeper)
      where current.id = d.status_id and current.keeper is not distinct from d.keeper_id)`)
}

/**
 * Indexes a status that was just inserted. Only attachments need a look at the database: the draft names all other texts. The
 * statement adds who can find the status. Most remote statuses have no document, as no account here can find them.
 */
export async function indexNewStatus(tx: Context, id: string, draft: StatusDraft): Promise<void> {
  if ((draft.mediaIds?.length ?? 0) + (draft.remoteMedia?.length ?? 0) > 0)
    return indexStatuses(tx, [id], { isNew: true })
  const mentionIds = [...(draft.mentionIds ?? [])]
  if (!draft.local && mentionIds.length === 0 && !(await isIndexable(tx, draft.accountId))) return
  const document = documentOf({
    account_id: draft.accountId,
    texts: [
      draft.local ? (draft.text ?? '') : htmlToText(draft.content),
      draft.spoilerText ?? '',
      ...spellingsOf(draft.tags ?? []).keys(),
      ...(draft.poll?.options ?? []),
    ],
    reply: Boolean(draft.inReplyToId ?? draft.inReplyToUri),
    sensitive: draft.sensitive ?? false,
    language: draft.language ?? null,
    poll: Boolean(draft.poll),
    quote: Boolean(draft.quote),
    media: [],
    card: null,
    open: false,
    readers: [],
  })
  const { accountId, local, visibility } = draft
  await insertNew(tx, { id, document, accountId, public: visibility === 'public', local, mentionIds })
}

const isIndexable = batchedFor(async (tx: Context, accountIds: string[]): Promise<boolean[]> => {
  const rows = await tx.db.many<{ id: string }>(
    sql`select id from accounts where id = any(${accountIds}::bigint[]) and indexable`,
  )
  const indexable = new Set(rows.map(({ id }) => id))
  return accountIds.map((id) => indexable.has(id))
})

type NewEntry = {
  id: string
  document: string
  accountId: string
  public: boolean
  local: boolean
  mentionIds: string[]
}

const insertNew = batchedFor(async (tx: Context, entries: NewEntry[]): Promise<void[]> => {
  const readers = entries.some(({ mentionIds }) => mentionIds.length > 0)
    ? sql`, (select string_agg(quote_literal(${fact.reader('')} || u.account_id), ' ') from users u where u.account_id = any(e."mentionIds"))`
    : nothing
  await tx.db.run(sql`
    insert into status_search (status_id, document)
    select e.id, concat_ws(' ', e.document, finders.facts, quote_literal(${fact.share('')} || share.lower_id))::tsvector
    from jsonb_to_recordset(${JSON.stringify(entries)}::jsonb)
      as e (id bigint, document text, "accountId" bigint, public boolean, local boolean, "mentionIds" bigint[])
    join accounts a on a.id = e."accountId"
    cross join lateral (
      select concat_ws(' ', case when a.indexable and e.public then quote_literal(${fact.open}) end ${readers}) as facts) finders
    cross join lateral (select lower_id from search_shares where lower_id <= e.id order by lower_id desc limit 1) share
    where e.local or finders.facts <> ''`)
  return entries.map(() => undefined)
})

/** A local account that favourited or bookmarked a status. */
export type Keeper = { accountId: string; statusId: string }

/**
 * Lets local accounts find statuses that they favourited or bookmarked. Does nothing for remote accounts. Copies the document of
 * a status where there is one: it differs only in who can find it.
 */
export async function addToLibraryIndex(tx: Context, keepers: readonly Keeper[]): Promise<void> {
  if (keepers.length === 0) return
  const copied = await tx.db.many<{ status_id: string; account_id: string }>(sql`
    with indexed as (
      select d.status_id, u.account_id, d.document, array(
        select lexeme from unnest(tsvector_to_array(d.document)) lexeme where lexeme = ${fact.open} or lexeme ^@ ${fact.reader('')}) as finders
      from unnest(${keepers.map(({ accountId }) => accountId)}::bigint[], ${keepers.map(({ statusId }) => statusId)}::bigint[]) k (account_id, status_id)
      join status_search d on d.status_id = k.status_id and d.keeper_id is null join users u on u.account_id = k.account_id
    ), copy as (
      insert into status_search (status_id, keeper_id, document)
      select status_id, account_id, ts_delete(document, finders) || quote_literal(${fact.reader('')} || account_id)::tsvector from indexed
      on conflict (status_id, keeper_id) do nothing
    )
    select status_id, account_id from indexed`)
  const done = new Set(copied.map((row) => `${row.status_id}:${row.account_id}`))
  const rest = keepers.filter(({ accountId, statusId }) => !done.has(`${statusId}:${accountId}`))
  await Promise.all(rest.map((keeper) => addFirstToLibraryIndex(tx, keeper)))
}

/** For a status that has no document yet. */
async function addFirstToLibraryIndex(tx: Context, { accountId, statusId }: Keeper): Promise<void> {
  const [row] = await readIndexable(
    tx,
    sql`s.id = ${statusId} and exists (select from users u where u.account_id = ${accountId})`,
  )
  if (row) await storeEntries(tx, [entryOf(withTexts(row), accountId)])
}

/** Keeps the entry while the account still has a favourite or bookmark of the status. */
export async function removeFromLibraryIndex(tx: Context, keeperId: string, statusId: string): Promise<void> {
  await tx.db.run(sql`
    delete from status_search d where d.status_id = ${statusId} and d.keeper_id = ${keeperId}
      and not exists (select from favourites f where f.status_id = ${statusId} and f.account_id = ${keeperId})
      and not exists (select from bookmarks b where b.status_id = ${statusId} and b.account_id = ${keeperId})`)
}

async function readIndexable(tx: Context, which: Sql): Promise<IndexableRow[]> {
  return tx.db.many<IndexableRow>(sql`
    select s.id, s.account_id, s.visibility = 'public' and a.indexable as open, a.domain is null as local, s.reply, s.sensitive, s.language,
      s.poll_id is not null as poll, exists (select from quotes q where q.status_id = s.id) as quote, c.type as card, s.text, s.content, s.spoiler_text,
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

function withTexts(row: IndexableRow): IndexableStatus {
  return { ...row, texts: [row.local ? row.text : htmlToText(row.content), row.spoiler_text, ...row.words] }
}

type Entry = { id: string; keeper: string | null; document: string }

/** With a `keeper`, the document of a status in that account's library: only the keeper can find it. */
function entryOf(status: IndexableStatus, keeper: string | null): Entry {
  const indexed = keeper === null ? status : { ...status, open: false, readers: [keeper] }
  return { id: status.id, keeper, document: documentOf(indexed) }
}

async function storeEntries(tx: Context, entries: readonly Entry[]): Promise<void> {
  if (entries.length === 0) return
  await tx.db.run(sql`
    insert into status_search (status_id, keeper_id, document)
    select e.id, e.keeper, (e.document || ' ''' || ${fact.share('')} || share.lower_id || '''')::tsvector
    from unnest(${entries.map((e) => e.id)}::bigint[], ${entries.map((e) => e.keeper)}::bigint[], ${entries.map((e) => e.document)}::text[])
      e (id, keeper, document)
    cross join lateral (select lower_id from search_shares where lower_id <= e.id order by lower_id desc limit 1) share
    on conflict (status_id, keeper_id) do update set document = excluded.document where status_search.document <> excluded.document`)
}

const BATCH = 500

/**
 * Indexes the next batch of public statuses, in the order of their ids. Returns the id to continue after, or null when
 * all are indexed.
 */
export async function indexAccountStatuses(tx: Context, accountId: string, after: string): Promise<string | null> {
  const { next } = await indexBatch(tx, after, sql`account_id = ${accountId} and visibility = 'public'`)
  return next
}

/** The number of statuses in a share, approximately: a search for a common word reads one share at a time. */
const SHARE_SIZE = 1024

/** A new share begins in the future: concurrent transactions still use the current ones. */
const AHEAD_MS = 60_000

/** Clean-up task: begins a new share, a range of status ids in the search index, when the newest one is full. */
export async function addSearchShare(ctx: Context): Promise<void> {
  await ctx.db.run(sql`
    insert into search_shares (lower_id) select ${idAt(new Date(Date.now() + AHEAD_MS))}::bigint
    where (select count(*) from (
      select from status_search where keeper_id is null and status_id >= (select max(lower_id) from search_shares) limit ${SHARE_SIZE}
    ) newest) >= ${SHARE_SIZE}
    on conflict do nothing`)
}

/** Indexes the next batch of all statuses. Returns the id to continue after, or null when all are indexed. */
export const indexNextStatuses = (tx: Context, after: string): Promise<Indexed> => indexBatch(tx, after, sql`true`)

type Indexed = { next: string | null; count: number }

async function indexBatch(tx: Context, after: string, condition: Sql): Promise<Indexed> {
  const rows = await tx.db.many<{ id: string }>(sql`
    select id from statuses where ${condition} and reblog_of_id is null and id > ${after} order by id limit ${BATCH} for no key update`)
  const ids = rows.map(({ id }) => id)
  if (ids.length > 0) await indexStatuses(tx, ids)
  return { next: ids.length === BATCH ? (ids.at(-1) ?? null) : null, count: ids.length }
}
