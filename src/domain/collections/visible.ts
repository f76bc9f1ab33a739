import type { Context } from '../../context.ts'
import type { OffsetPage } from '../../db/page.ts'
import type { Accounts, Collections } from '../../db/schema.ts'
import { sql, type Sql } from '../../db/sql.ts'
import { Forbidden, NotFound } from '../../lib/errors.ts'
import { hasBlockBetween, hasBlocked } from '../relationships/hidden.ts'

type CollectionViewer = { accountId: string } | null

/** `uri` is null for local collections. */
export type CollectionRow = Pick<Collections, 'id' | 'account_id' | 'uri'> & Pick<Accounts, 'username'>

/** For the owner `a`: not when it is suspended or blocks the viewer. */
export function isCollectionShown(viewer: CollectionViewer): Sql {
  if (!viewer) return sql`a.suspended_at is null`
  return sql`(a.suspended_at is null and not ${hasBlocked(sql`a.id`, viewer.accountId)})`
}

/**
 * For the account `ia` as item `i` of the collection `c`: not when it has left, is suspended, or has a block with the viewer.
 * Only its owner and the account itself see that an item waits for approval.
 */
export function isItemShown(viewer: CollectionViewer): Sql {
  if (!viewer) return sql`(i.state = 'accepted' and ia.suspended_at is null)`
  const me = viewer.accountId
  return sql`((i.state = 'accepted' or (i.state = 'pending' and ${me} in (ia.id, c.account_id))) and ia.suspended_at is null and (ia.id = ${me} or not ${hasBlockBetween(me, sql`ia.id`)}))`
}

/** Throws NotFound. */
export async function getVisibleCollection(ctx: Context, viewer: CollectionViewer, id: string): Promise<CollectionRow> {
  const row = await ctx.db.maybe<CollectionRow>(sql`
    select c.id, c.account_id, c.uri, a.username from collections c join accounts a on a.id = c.account_id
    where c.id = ${id} and ${isCollectionShown(viewer)}`)
  if (!row) throw new NotFound()
  return row
}

/** A collection of this server. Throws NotFound. */
export async function getLocalCollection(ctx: Context, viewer: CollectionViewer, id: string): Promise<CollectionRow> {
  const row = await getVisibleCollection(ctx, viewer, id)
  if (row.uri !== null) throw new NotFound()
  return row
}

/** For an act on a collection that is not the account's own. Throws Forbidden, or NotFound where the account cannot see it. */
export async function refuseForeignCollection(ctx: Context, accountId: string, id: string): Promise<never> {
  await getVisibleCollection(ctx, { accountId }, id)
  throw new Forbidden()
}

/** For an act on an item that is not the account's own. Throws as `refuseForeignCollection`. */
export async function refuseForeignItem(
  ctx: Context,
  accountId: string,
  collectionId: string,
  itemId: string,
): Promise<never> {
  await getVisibleCollection(ctx, { accountId }, collectionId)
  const shown = await ctx.db.maybe(sql`
    select from collection_items i join accounts ia on ia.id = i.account_id join collections c on c.id = i.collection_id
    where i.id = ${itemId} and i.collection_id = ${collectionId} and ${isItemShown({ accountId })}`)
  throw shown ? new Forbidden() : new NotFound()
}

/** Newest first. Other viewers see only discoverable ones. */
export async function listCollections(
  ctx: Context,
  viewer: CollectionViewer,
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
