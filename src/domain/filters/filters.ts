import type { Context } from '../../context.ts'
import { sql, type Sql } from '../../db/sql.ts'
import type { Filters, FilterStatuses } from '../../db/schema.ts'
import { invalidField, NotFound } from '../../lib/errors.ts'
import { getVisibleStatus } from '../statuses/visibility.ts'
import { applyKeywords, type KeywordChange, type KeywordRow } from './keywords.ts'
import { checkContext, checkTitle, expiryOf, type FilterAction, type FilterContext } from './rules.ts'

export type FilterStatusRow = Pick<FilterStatuses, 'id' | 'status_id'>

export type FilterRow = Pick<Filters, 'id' | 'account_id' | 'title' | 'action' | 'irreversible' | 'expires_at'> & {
  context: FilterContext[]
  keywords: KeywordRow[]
  statuses: FilterStatusRow[]
}

/** Absent members stay as they are. `expires_in`: seconds; null means never. */
export type FilterChange = {
  title?: string
  context?: readonly FilterContext[]
  filter_action?: FilterAction
  expires_in?: number | null
  keywords_attributes?: readonly KeywordChange[]
}

const columns: Sql = sql`f.id, f.account_id, f.title, f.context, f.action, f.irreversible, f.expires_at,
  coalesce((select json_agg(json_build_object('id', k.id::text, 'keyword', k.keyword, 'whole_word', k.whole_word) order by k.id)
    from filter_keywords k where k.filter_id = f.id), '[]') as keywords,
  coalesce((select json_agg(json_build_object('id', s.id::text, 'status_id', s.status_id::text) order by s.id)
    from filter_statuses s where s.filter_id = f.id), '[]') as statuses`

/** Expired ones included, oldest first. */
export async function listFilters(ctx: Context, accountIds: readonly string[]): Promise<FilterRow[]> {
  return ctx.db.many<FilterRow>(
    sql`select ${columns} from filters f where f.account_id = any(${accountIds}::bigint[]) order by f.id`,
  )
}

/** Throws NotFound. */
export async function getFilter(ctx: Context, accountId: string, id: string): Promise<FilterRow> {
  const filter = await ctx.db.maybe<FilterRow>(
    sql`select ${columns} from filters f where f.id = ${id} and f.account_id = ${accountId}`,
  )
  if (!filter) throw new NotFound()
  return filter
}

/** `irreversible`: see `isLeftOut`. Throws Invalid. */
export async function createFilter(
  tx: Context,
  accountId: string,
  filter: FilterChange & { irreversible?: boolean },
): Promise<FilterRow> {
  const [title, context, expiresAt] = [
    checkTitle(filter.title),
    checkContext(filter.context),
    expiryOf(filter.expires_in),
  ]
  const { id } = await tx.db.one<{ id: string }>(sql`
    insert into filters (account_id, title, context, action, irreversible, expires_at)
    values (${accountId}, ${title}, ${context}, ${filter.filter_action ?? 'warn'}, ${filter.irreversible ?? false}, ${expiresAt}) returning id`)
  await applyKeywords(tx, id, filter.keywords_attributes ?? [])
  return getFilter(tx, accountId, id)
}

/** Throws Invalid, and NotFound also for keywords of other filters. */
export async function updateFilter(
  tx: Context,
  accountId: string,
  id: string,
  change: FilterChange,
): Promise<FilterRow> {
  const title = change.title === undefined ? null : checkTitle(change.title)
  const context = change.context === undefined ? null : checkContext(change.context)
  const changed = await tx.db.run(sql`
    update filters set title = coalesce(${title}, title), context = coalesce(${context}::text[], context),
      action = coalesce(${change.filter_action ?? null}, action),
      irreversible = irreversible and coalesce(${change.filter_action ?? null}, action) = 'hide',
      expires_at = case when ${change.expires_in !== undefined}::boolean then ${expiryOf(change.expires_in)}::timestamptz else expires_at end
    where id = ${id} and account_id = ${accountId}`)
  if (changed === 0) throw new NotFound()
  await applyKeywords(tx, id, change.keywords_attributes ?? [])
  return getFilter(tx, accountId, id)
}

/** Throws NotFound. */
export async function deleteFilter(tx: Context, accountId: string, id: string): Promise<void> {
  const gone = await tx.db.run(sql`delete from filters where id = ${id} and account_id = ${accountId}`)
  if (gone === 0) throw new NotFound()
}

/** Throws NotFound. */
export async function getFilterStatus(ctx: Context, accountId: string, id: string): Promise<FilterStatusRow> {
  const row = await ctx.db.maybe<FilterStatusRow>(sql`
    select s.id, s.status_id from filter_statuses s join filters f on f.id = s.filter_id
    where s.id = ${id} and f.account_id = ${accountId}`)
  if (!row) throw new NotFound()
  return row
}

/** Throws NotFound for statuses that the account may not see, Invalid when the filter has the status already. */
export async function insertFilterStatus(
  tx: Context,
  accountId: string,
  filterId: string,
  statusId: string,
): Promise<FilterStatusRow> {
  const filter = await tx.db.maybe(sql`select from filters where id = ${filterId} and account_id = ${accountId}`)
  if (!filter) throw new NotFound()
  await getVisibleStatus(tx, { accountId }, statusId)
  const row = await tx.db.maybe<FilterStatusRow>(sql`
    insert into filter_statuses (filter_id, status_id) values (${filterId}, ${statusId}) on conflict do nothing returning id, status_id`)
  if (!row) throw invalidField('status', 'taken')
  return row
}

/** Returns the removed row. Throws NotFound. */
export async function deleteFilterStatus(tx: Context, accountId: string, id: string): Promise<FilterStatusRow> {
  const row = await tx.db.maybe<FilterStatusRow>(sql`
    delete from filter_statuses s using filters f where s.id = ${id} and f.id = s.filter_id and f.account_id = ${accountId}
    returning s.id, s.status_id`)
  if (!row) throw new NotFound()
  return row
}
