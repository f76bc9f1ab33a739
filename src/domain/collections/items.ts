import type { Context } from '../../context.ts'
import type { CollectionItems } from '../../db/schema.ts'
import { sql } from '../../db/sql.ts'
import { Forbidden, NotFound, invalidFields } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import { message } from '../../messages/message.ts'
import { isShown } from '../accounts/find.ts'
import { hasBlockBetween } from '../relationships/hidden.ts'
import { lockRelationships } from '../relationships/relationship.ts'
import { MAX_ITEMS } from './collections.ts'
import { refuseForeignCollection, refuseForeignItem } from './visible.ts'

export type ItemRow = Pick<CollectionItems, 'id' | 'account_id' | 'created_at'> & { state: 'pending' | 'accepted' }

type Candidate = { id: string; willing: boolean; state: string | null }

/**
 * All or none. Throws NotFound where an account or the collection is missing; Forbidden for another account's collection, and for
 * accounts that do not want to be featured, have left this collection, or have a block with its owner; Invalid for duplicates and
 * above the limit.
 */
export async function insertItems(
  tx: Context,
  ownerId: string,
  collectionId: string,
  accountIds: readonly string[],
): Promise<ItemRow[]> {
  await lockRelationships(tx, ownerId, accountIds)
  await lockCollection(tx, ownerId, collectionId)
  checkCandidates(await readCandidates(tx, ownerId, collectionId, accountIds), accountIds)
  const { n } = await tx.db.one<{ n: number }>(sql`
    select count(*)::int as n from collection_items where collection_id = ${collectionId} and state in ('pending', 'accepted')`)
  if (n + accountIds.length > MAX_ITEMS)
    throw invalidFields({
      base: [{ error: 'ERR_TOO_LONG', description: message('collection_full', { count: MAX_ITEMS }) }],
    })
  return tx.db.many<ItemRow>(sql`
    insert into collection_items (id, collection_id, account_id)
    select id, ${collectionId}, account_id from unnest(${accountIds.map(() => newId())}::bigint[], ${accountIds}::bigint[]) as new (id, account_id)
    returning id, account_id, state, created_at`)
}

/** Serialises changes to the items. Throws Forbidden unless the collection is the owner's, NotFound. */
async function lockCollection(tx: Context, ownerId: string, collectionId: string): Promise<void> {
  const found = await tx.db.maybe(sql`
    select id from collections where id = ${collectionId} and account_id = ${ownerId} for no key update`)
  if (!found) await refuseForeignCollection(tx, ownerId, collectionId)
}

/** Local accounts may be featured when they are discoverable. Remote accounts may not, as their wishes are unknown. */
const readCandidates = (
  tx: Context,
  ownerId: string,
  collectionId: string,
  wanted: readonly string[],
): Promise<Candidate[]> =>
  tx.db.many<Candidate>(sql`
    select a.id, i.state, a.domain is null and coalesce(a.discoverable, false) and not ${hasBlockBetween(sql`a.id`, ownerId)} as willing
    from accounts a left join collection_items i on i.collection_id = ${collectionId} and i.account_id = a.id
    where a.id = any(${wanted}::bigint[]) and a.suspended_at is null and ${isShown}`)

function checkCandidates(candidates: readonly Candidate[], wanted: readonly string[]): void {
  if (candidates.length < wanted.length) throw new NotFound()
  if (candidates.some(({ state }) => state === 'accepted' || state === 'pending'))
    throw invalidFields({ account: [{ error: 'ERR_TAKEN', description: message('taken') }] })
  if (candidates.some(({ willing, state }) => !willing || state !== null)) throw new Forbidden()
}

/** Returns the account's id. Throws Forbidden unless the collection is the owner's, NotFound. */
export async function deleteItem(tx: Context, ownerId: string, collectionId: string, itemId: string): Promise<string> {
  await lockCollection(tx, ownerId, collectionId)
  const deleted = await tx.db.maybe<Pick<CollectionItems, 'account_id'>>(sql`
    delete from collection_items where id = ${itemId} and collection_id = ${collectionId} and state in ('pending', 'accepted')
    returning account_id`)
  if (!deleted) throw new NotFound()
  return deleted.account_id
}

/** The owner cannot add the account again. Returns the owner's id. May run twice. Throws Forbidden for other accounts, NotFound. */
export async function markRevoked(
  tx: Context,
  accountId: string,
  collectionId: string,
  itemId: string,
): Promise<string> {
  const revoked = await tx.db.maybe<{ owner_id: string }>(sql`
    update collection_items i set state = 'revoked' from collections c
    where i.id = ${itemId} and i.collection_id = ${collectionId} and i.account_id = ${accountId} and c.id = i.collection_id
    returning c.account_id as owner_id`)
  if (!revoked) return refuseForeignItem(tx, accountId, collectionId, itemId)
  return revoked.owner_id
}

/**
 * Removes two accounts, the first of which blocks the second, from each other's collections. The blocking account's own
 * membership is revoked, so that it cannot be added again.
 */
export async function removeFromEachOthersCollections(
  tx: Context,
  accountId: string,
  targetAccountId: string,
): Promise<void> {
  await tx.db.run(sql`
    delete from collection_items i using collections c
    where c.id = i.collection_id and c.account_id = ${accountId} and i.account_id = ${targetAccountId} and i.state in ('pending', 'accepted')`)
  await tx.db.run(sql`
    update collection_items i set state = 'revoked' from collections c
    where c.id = i.collection_id and c.account_id = ${targetAccountId} and i.account_id = ${accountId} and i.state in ('pending', 'accepted')`)
}
