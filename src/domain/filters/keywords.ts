import type { Context } from '../../context.ts'
import type { FilterKeywords } from '../../db/schema.ts'
import { sql } from '../../db/sql.ts'
import { NotFound } from '../../lib/errors.ts'
import { checkKeyword } from './rules.ts'

export type KeywordRow = Pick<FilterKeywords, 'id' | 'keyword' | 'whole_word'>

/** With an id: a change or the removal of that keyword; without: a new one. */
export type KeywordChange = { id?: string; keyword?: string; whole_word?: boolean; _destroy?: boolean }

/** Throws NotFound for ids of other filters, Invalid for blank and long keywords. */
export async function applyKeywords(tx: Context, filterId: string, changes: readonly KeywordChange[]): Promise<void> {
  const label = 'keywords_keyword'
  const known = changes.filter(({ id }) => id !== undefined)
  const removed = known.flatMap(({ id, _destroy }) => (_destroy ? [id] : []))
  const changed = known
    .filter(({ _destroy }) => !_destroy)
    .map((change) => ({
      ...change,
      keyword: change.keyword === undefined ? null : checkKeyword(change.keyword, label),
    }))
  // Forms send an empty row at the end: ignore it.
  const added = changes
    .filter(({ id, _destroy, keyword, whole_word }) => id === undefined && !_destroy && (keyword?.trim() || whole_word))
    .map(({ keyword, whole_word }) => ({ keyword: checkKeyword(keyword, label), whole_word: whole_word ?? true }))
  if (known.length > 0) {
    const ids = [...new Set(known.map(({ id }) => id))]
    const own = await tx.db.many(
      sql`select id from filter_keywords where filter_id = ${filterId} and id = any(${ids}::bigint[])`,
    )
    if (own.length < ids.length) throw new NotFound()
  }
  if (removed.length > 0) await tx.db.run(sql`delete from filter_keywords where id = any(${removed}::bigint[])`)
  if (changed.length > 0)
    await tx.db.run(sql`
      update filter_keywords k set keyword = coalesce(d.keyword, k.keyword), whole_word = coalesce(d.whole_word, k.whole_word)
      from jsonb_to_recordset(${JSON.stringify(changed)}::jsonb) as d (id bigint, keyword text, whole_word boolean) where k.id = d.id`)
  if (added.length > 0)
    await tx.db.run(sql`
      insert into filter_keywords (filter_id, keyword, whole_word)
      select ${filterId}, d.item ->> 'keyword', (d.item ->> 'whole_word')::boolean
      from jsonb_array_elements(${JSON.stringify(added)}::jsonb) with ordinality as d (item, place) order by d.place`)
}

/** Throws NotFound. */
export async function getKeyword(
  ctx: Context,
  accountId: string,
  id: string,
): Promise<KeywordRow & { filter_id: string }> {
  const row = await ctx.db.maybe<KeywordRow & { filter_id: string }>(sql`
    select k.id, k.filter_id, k.keyword, k.whole_word from filter_keywords k join filters f on f.id = k.filter_id
    where k.id = ${id} and f.account_id = ${accountId}`)
  if (!row) throw new NotFound()
  return row
}

/** Throws NotFound, Invalid. */
export async function addKeyword(
  tx: Context,
  accountId: string,
  filterId: string,
  added: { keyword?: string; whole_word?: boolean },
): Promise<KeywordRow> {
  const keyword = checkKeyword(added.keyword)
  const row = await tx.db.maybe<KeywordRow>(sql`
    insert into filter_keywords (filter_id, keyword, whole_word)
    select id, ${keyword}, ${added.whole_word ?? true}::boolean from filters where id = ${filterId} and account_id = ${accountId}
    returning id, keyword, whole_word`)
  if (!row) throw new NotFound()
  return row
}

/** Absent members stay as they are. Throws NotFound, Invalid. */
export async function updateKeyword(
  tx: Context,
  accountId: string,
  id: string,
  change: { keyword?: string; whole_word?: boolean },
): Promise<KeywordRow> {
  const keyword = change.keyword === undefined ? null : checkKeyword(change.keyword)
  const row = await tx.db.maybe<KeywordRow>(sql`
    update filter_keywords k set keyword = coalesce(${keyword}, k.keyword), whole_word = coalesce(${change.whole_word ?? null}, k.whole_word)
    from filters f where k.id = ${id} and f.id = k.filter_id and f.account_id = ${accountId}
    returning k.id, k.keyword, k.whole_word`)
  if (!row) throw new NotFound()
  return row
}

/** The filter stays. Throws NotFound. */
export async function deleteKeyword(tx: Context, accountId: string, id: string): Promise<void> {
  const removed = await tx.db.run(sql`
    delete from filter_keywords k using filters f where k.id = ${id} and f.id = k.filter_id and f.account_id = ${accountId}`)
  if (removed === 0) throw new NotFound()
}
