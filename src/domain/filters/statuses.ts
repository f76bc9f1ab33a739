import type { Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'
import { NotFound, invalidField } from '../../lib/errors.ts'
import { getVisibleStatus } from '../statuses/visibility.ts'
import { changeFilters } from './change.ts'

export type FilterStatusRow = { id: string; status_id: string }

/** One post of one of somebody's filters. Throws NotFound. */
export async function getFilterStatus(ctx: Context, accountId: string, id: string): Promise<FilterStatusRow> {
  const row = await ctx.db.maybe<FilterStatusRow>(sql`
    select s.id, s.status_id from filter_statuses s join filters f on f.id = s.filter_id
    where s.id = ${id} and f.account_id = ${accountId}`)
  if (!row) throw new NotFound()
  return row
}

/** Adds a post to one of somebody's filters. Throws NotFound for posts they may not read, Invalid when it is there already. */
export async function addFilterStatus(
  ctx: Context,
  accountId: string,
  filterId: string,
  statusId: string,
): Promise<FilterStatusRow> {
  return changeFilters(ctx, accountId, async (tx) => {
    const filter = await tx.db.maybe(sql`select from filters where id = ${filterId} and account_id = ${accountId}`)
    if (!filter) throw new NotFound()
    await getVisibleStatus(tx, { accountId }, statusId)
    const row = await tx.db.maybe<FilterStatusRow>(sql`
      insert into filter_statuses (filter_id, status_id) values (${filterId}, ${statusId}) on conflict do nothing returning id, status_id`)
    if (!row) throw invalidField('status', 'taken')
    return row
  })
}

/** Takes a post out of a filter. Gives what it was. Throws NotFound. */
export async function deleteFilterStatus(ctx: Context, accountId: string, id: string): Promise<FilterStatusRow> {
  return changeFilters(ctx, accountId, async (tx) => {
    const row = await tx.db.maybe<FilterStatusRow>(sql`
      delete from filter_statuses s using filters f where s.id = ${id} and f.id = s.filter_id and f.account_id = ${accountId}
      returning s.id, s.status_id`)
    if (!row) throw new NotFound()
    return row
  })
}
