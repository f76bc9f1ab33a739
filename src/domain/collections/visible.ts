import type { Context } from '../../context.ts'
import { sql, type Sql } from '../../db/sql.ts'
import { NotFound } from '../../lib/errors.ts'
import { hasBlockBetween, hasBlocked } from '../relationships/hidden.ts'

type Looker = { accountId: string } | null

export type CollectionRow = { id: string; account_id: string; username: string }

/** Whether a collection of the account `a` is shown to the viewer: not when that is suspended, or blocks the viewer. */
export function isCollectionShown(viewer: Looker): Sql {
  if (!viewer) return sql`a.suspended_at is null`
  return sql`(a.suspended_at is null and not ${hasBlocked(sql`a.id`, viewer.accountId)})`
}

/**
 * Whether the viewer is shown that an account `ia` is in a collection, as its item `i`: not who left it, is suspended, or stands
 * with the viewer in a block.
 */
export function isItemShown(viewer: Looker): Sql {
  if (!viewer) return sql`(i.state = 'accepted' and ia.suspended_at is null)`
  const me = viewer.accountId
  return sql`(i.state in ('accepted', 'pending') and ia.suspended_at is null and (ia.id = ${me} or not ${hasBlockBetween(me, sql`ia.id`)}))`
}

/** A collection that the viewer may see. Throws NotFound. */
export async function getCollection(ctx: Context, viewer: Looker, id: string): Promise<CollectionRow> {
  const row = await ctx.db.maybe<CollectionRow>(sql`
    select c.id, c.account_id, a.username from collections c join accounts a on a.id = c.account_id
    where c.id = ${id} and ${isCollectionShown(viewer)}`)
  if (!row) throw new NotFound()
  return row
}

export type OffsetPage = { limit: number; offset: number }

/** The ids of an account's collections, the newest first. Others are shown what its owner wants to be discovered. */
export async function listCollections(
  ctx: Context,
  viewer: Looker,
  accountId: string,
  { limit, offset }: OffsetPage,
): Promise<string[]> {
  const rows = await ctx.db.many<{ id: string }>(sql`
    select c.id from collections c join accounts a on a.id = c.account_id
    where c.account_id = ${accountId} and ${isCollectionShown(viewer)}
      and (c.discoverable or c.account_id = ${viewer?.accountId ?? null}::bigint)
    order by c.id desc limit ${limit}::int offset ${offset}::int`)
  return rows.map(({ id }) => id)
}

/** The ids of the collections in which an account is, those it was put into last first. */
export async function listCollectionsWith(
  ctx: Context,
  accountId: string,
  { limit, offset }: OffsetPage,
): Promise<string[]> {
  const rows = await ctx.db.many<{ id: string }>(sql`
    select c.id from collection_items i join collections c on c.id = i.collection_id join accounts a on a.id = c.account_id
    where i.account_id = ${accountId} and i.state = 'accepted' and ${isCollectionShown({ accountId })}
    order by i.id desc limit ${limit}::int offset ${offset}::int`)
  return rows.map(({ id }) => id)
}
