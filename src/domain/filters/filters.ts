import type { Context } from '../../context.ts'
import { sql, type Sql } from '../../db/sql.ts'
import { NotFound } from '../../lib/errors.ts'
import { changeFilters } from './change.ts'
import { applyKeywords, type KeywordChange, type KeywordRow } from './keywords.ts'
import { checkContext, checkTitle, expiryOf, type FilterAction, type FilterContext } from './rules.ts'
import type { FilterStatusRow } from './statuses.ts'

export type FilterRow = {
  id: string
  account_id: string
  title: string
  context: FilterContext[]
  action: FilterAction
  irreversible: boolean
  expires_at: Date | null
  keywords: KeywordRow[]
  statuses: FilterStatusRow[]
}

/** What is said of a filter. Absent members stay as they are; `expires_in`, in seconds: null means never. */
export type FilterChange = {
  title?: string
  context?: readonly FilterContext[]
  filter_action?: FilterAction
  expires_in?: number | null
  keywords_attributes?: readonly KeywordChange[]
}

/** A filter `f` with all that belongs to it. */
const columns: Sql = sql`f.id, f.account_id, f.title, f.context, f.action, f.irreversible, f.expires_at,
  coalesce((select json_agg(json_build_object('id', k.id::text, 'keyword', k.keyword, 'whole_word', k.whole_word) order by k.id)
    from filter_keywords k where k.filter_id = f.id), '[]') as keywords,
  coalesce((select json_agg(json_build_object('id', s.id::text, 'status_id', s.status_id::text) order by s.id)
    from filter_statuses s where s.filter_id = f.id), '[]') as statuses`

/** All filters of these accounts, those that have run out too, the oldest first. */
export async function listFilters(ctx: Context, accountIds: readonly string[]): Promise<FilterRow[]> {
  return ctx.db.many<FilterRow>(
    sql`select ${columns} from filters f where f.account_id = any(${accountIds}::bigint[]) order by f.id`,
  )
}

/** One of somebody's filters. Throws NotFound. */
export async function getFilter(ctx: Context, accountId: string, id: string): Promise<FilterRow> {
  const filter = await ctx.db.maybe<FilterRow>(
    sql`select ${columns} from filters f where f.id = ${id} and f.account_id = ${accountId}`,
  )
  if (!filter) throw new NotFound()
  return filter
}

/** Makes a filter. `irreversible`: see applies in active.ts. Throws Invalid. */
export async function createFilter(
  ctx: Context,
  accountId: string,
  wish: FilterChange & { irreversible?: boolean },
): Promise<FilterRow> {
  const [title, context, expiresAt] = [checkTitle(wish.title), checkContext(wish.context), expiryOf(wish.expires_in)]
  return changeFilters(ctx, accountId, async (tx) => {
    const { id } = await tx.db.one<{ id: string }>(sql`
      insert into filters (account_id, title, context, action, irreversible, expires_at)
      values (${accountId}, ${title}, ${context}, ${wish.filter_action ?? 'warn'}, ${wish.irreversible ?? false}, ${expiresAt}) returning id`)
    await applyKeywords(tx, id, wish.keywords_attributes ?? [])
    return getFilter(tx, accountId, id)
  })
}

/** Changes a filter. Throws NotFound, also for keywords that are not its own, and Invalid. */
export async function updateFilter(
  ctx: Context,
  accountId: string,
  id: string,
  change: FilterChange,
): Promise<FilterRow> {
  const title = change.title === undefined ? null : checkTitle(change.title)
  const context = change.context === undefined ? null : checkContext(change.context)
  return changeFilters(ctx, accountId, async (tx) => {
    const changed = await tx.db.run(sql`
      update filters set title = coalesce(${title}, title), context = coalesce(${context}::text[], context),
        action = coalesce(${change.filter_action ?? null}, action),
        irreversible = irreversible and coalesce(${change.filter_action ?? null}, action) = 'hide',
        expires_at = case when ${change.expires_in !== undefined}::boolean then ${expiryOf(change.expires_in)}::timestamptz else expires_at end
      where id = ${id} and account_id = ${accountId}`)
    if (changed === 0) throw new NotFound()
    await applyKeywords(tx, id, change.keywords_attributes ?? [])
    return getFilter(tx, accountId, id)
  })
}

/** Deletes a filter with its keywords and posts. Throws NotFound. */
export async function deleteFilter(ctx: Context, accountId: string, id: string): Promise<void> {
  await changeFilters(ctx, accountId, async (tx) => {
    const gone = await tx.db.run(sql`delete from filters where id = ${id} and account_id = ${accountId}`)
    if (gone === 0) throw new NotFound()
  })
}
