import type { Context } from '../../context.ts'
import type { Accounts, CollectionItems, Collections } from '../../db/schema.ts'
import { sql, type Sql } from '../../db/sql.ts'
import { Forbidden, NotFound, invalidFieldWithDetails, invalidFields } from '../../lib/errors.ts'
import { MAX_REMOTE_ITEMS } from '../../ap/featured-collection.ts'
import { approvalUnder, localFeaturePolicy } from '../../lib/approval-policy.ts'
import { newId } from '../../lib/ids.ts'
import { message } from '../../messages/message.ts'
import { isShown } from '../accounts/find.ts'
import { followColumns } from '../relationships/follows.ts'
import { hasBlockBetween, hasBlockedDomainOf } from '../relationships/hidden.ts'
import { lockRelationships } from '../relationships/locks.ts'
import { MAX_ITEMS } from './collections.ts'
import { refuseForeignCollection, refuseForeignItem } from './visible.ts'

export type ItemRow = Pick<CollectionItems, 'id' | 'account_id' | 'created_at'> & { state: 'pending' | 'accepted' }

type Candidate = Pick<Accounts, 'id' | 'discoverable' | 'locked' | 'feature_policy'> & {
  remote: boolean
  open: boolean
  follows: boolean
  followed: boolean
  state: CollectionItems['state'] | null
}

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
  const candidates = await readCandidates(tx, ownerId, collectionId, accountIds)
  checkCandidates(ownerId, candidates, accountIds)
  const remote = new Set(candidates.flatMap((candidate) => (candidate.remote ? [candidate.id] : [])))
  const { n } = await tx.db.one<{ n: number }>(sql`
    select count(*)::int as n from collection_items where collection_id = ${collectionId} and state in ('pending', 'accepted')`)
  if (n + accountIds.length > MAX_ITEMS)
    throw invalidFields({
      base: [{ error: 'ERR_TOO_LONG', description: message('collection_full', { count: MAX_ITEMS }) }],
    })
  return tx.db.many<ItemRow>(sql`
    insert into collection_items (id, collection_id, account_id, state)
    select id, ${collectionId}, account_id, case when remote then 'pending' else 'accepted' end
    from unnest(${accountIds.map(() => newId())}::bigint[], ${accountIds}::bigint[], ${accountIds.map((id) => remote.has(id))}::boolean[]) as new (id, account_id, remote)
    returning id, account_id, state, created_at`)
}

/** Serialises changes to the items. Throws Forbidden unless the collection is the owner's, NotFound. */
async function lockCollection(tx: Context, ownerId: string, collectionId: string): Promise<void> {
  const found = await tx.db.maybe(sql`
    select id from collections where id = ${collectionId} and account_id = ${ownerId} for no key update`)
  if (!found) await refuseForeignCollection(tx, ownerId, collectionId)
}

/** Whether there is no block between the account `a` and the owner of a collection, and `a` does not block the owner's domain. */
const isOpenTo = (ownerId: string): Sql =>
  sql`(not ${hasBlockBetween(sql`a.id`, ownerId)} and not ${hasBlockedDomainOf(sql`a.id`, sql`array[${ownerId}::bigint]`)})`

/** The server of a remote account is asked if its policy permits it. */
const isWilling = (ownerId: string, candidate: Candidate): boolean => {
  if (candidate.id === ownerId) return candidate.discoverable === true
  const policy = candidate.remote ? candidate.feature_policy : localFeaturePolicy(candidate)
  return candidate.open && ['automatic', 'manual'].includes(approvalUnder(policy, candidate))
}

const readCandidates = (
  tx: Context,
  ownerId: string,
  collectionId: string,
  wanted: readonly string[],
): Promise<Candidate[]> =>
  tx.db.many<Candidate>(sql`
    select a.id, i.state, a.domain is not null as remote, a.discoverable, a.locked, a.feature_policy, ${isOpenTo(ownerId)} as open,
      ${followColumns(ownerId, sql`a.id`)}
    from accounts a left join collection_items i on i.collection_id = ${collectionId} and i.account_id = a.id
    where a.id = any(${wanted}::bigint[]) and a.suspended_at is null and ${isShown}`)

function checkCandidates(ownerId: string, candidates: readonly Candidate[], wanted: readonly string[]): void {
  if (candidates.length < wanted.length) throw new NotFound()
  if (candidates.some(({ state }) => state === 'accepted' || state === 'pending'))
    throw invalidFieldWithDetails('account', 'taken')
  if (candidates.some((candidate) => !isWilling(ownerId, candidate) || candidate.state !== null)) throw new Forbidden()
}

/** Throws Forbidden unless the collection is the owner's, NotFound. */
export async function deleteItem(
  tx: Context,
  ownerId: string,
  collectionId: string,
  itemId: string,
): Promise<AffectedItem> {
  await lockCollection(tx, ownerId, collectionId)
  const deleted = await tx.db.maybe<AffectedItem>(sql`
    delete from collection_items i using collections c
    where i.id = ${itemId} and i.collection_id = ${collectionId} and i.state in ('pending', 'accepted') and c.id = i.collection_id
    returning ${affectedItem}`)
  if (!deleted) throw new NotFound()
  return deleted
}

/** `uri`: of a remote collection. `account_id` is null for an account that is not verified. */
export type AffectedItem = Pick<CollectionItems, 'id' | 'collection_id' | 'account_id'> &
  Pick<Collections, 'uri'> & { owner_id: Accounts['id'] }

const affectedItem = sql`i.id, i.collection_id, i.account_id, c.uri, c.account_id as owner_id`

/** The owner cannot add the account again. May run twice. Throws Forbidden for other accounts, NotFound. */
export async function markRevoked(
  tx: Context,
  accountId: string,
  collectionId: string,
  itemId: string,
): Promise<AffectedItem> {
  const revoked = await tx.db.maybe<AffectedItem>(sql`
    update collection_items i set state = 'revoked' from collections c
    where i.id = ${itemId} and i.collection_id = ${collectionId} and i.account_id = ${accountId} and c.id = i.collection_id
    returning ${affectedItem}`)
  if (!revoked) return refuseForeignItem(tx, accountId, collectionId, itemId)
  return revoked
}

/** The object of a block by an account. */
export type Blocked = { accountId: string } | { domain: string }

/**
 * Removes an account, and others that it blocks, from each other's collections. Its own membership is revoked, so that it cannot
 * be added again.
 */
export async function removeFromEachOthersCollections(
  tx: Context,
  accountId: string,
  blocked: Blocked,
): Promise<{ deleted: AffectedItem[]; revoked: AffectedItem[] }> {
  const others =
    'domain' in blocked
      ? sql`select o.id from accounts o where o.domain = ${blocked.domain}`
      : sql`select ${blocked.accountId}::bigint`
  const deleted = await tx.db.many<AffectedItem>(sql`
    delete from collection_items i using collections c
    where c.id = i.collection_id and c.account_id = ${accountId} and i.account_id in (${others}) and i.state in ('pending', 'accepted')
    returning ${affectedItem}`)
  const revoked = await tx.db.many<AffectedItem>(sql`
    update collection_items i set state = 'revoked' from collections c
    where c.id = i.collection_id and c.account_id in (${others}) and i.account_id = ${accountId} and i.state in ('pending', 'accepted')
    returning ${affectedItem}`)
  return { deleted, revoked }
}

/**
 * Stores the consent of a local account to be in a remote collection. Returns its item; `isNew` unless it was there before. Null
 * when the account does not want to be there, has left it, or the collection is full.
 */
export async function insertConsent(
  tx: Context,
  { collectionId, ownerId, accountId }: { collectionId: string; ownerId: string; accountId: string },
): Promise<{ id: string; isNew: boolean } | null> {
  await lockRelationships(tx, ownerId, [accountId])
  await lockCollection(tx, ownerId, collectionId)
  const known = await tx.db.maybe<Pick<CollectionItems, 'id' | 'state'>>(sql`
    select id, state from collection_items where collection_id = ${collectionId} and account_id = ${accountId}`)
  if (known?.state === 'revoked') return null
  const account = await tx.db.maybe<Pick<Accounts, 'discoverable' | 'locked'> & { follows: boolean }>(sql`
    select a.discoverable, a.locked, ${followColumns(ownerId, sql`a.id`)}
    from accounts a where a.id = ${accountId} and a.suspended_at is null and ${isShown} and ${isOpenTo(ownerId)}
      and (select count(*) from collection_items where collection_id = ${collectionId}) < ${MAX_REMOTE_ITEMS}`)
  if (!account || approvalUnder(localFeaturePolicy(account), account) !== 'automatic') return null
  if (known) return { id: known.id, isNew: false }
  const id = newId()
  await tx.db.run(sql`
    insert into collection_items (id, collection_id, account_id) values (${id}, ${collectionId}, ${accountId})`)
  return { id, isNew: true }
}

/** The item of a local collection for which the account was asked. */
export const findRequestedItem = (
  ctx: Context,
  accountId: string,
  id: string,
): Promise<Pick<CollectionItems, 'id' | 'state'> | null> =>
  ctx.db.maybe(sql`
    select i.id, i.state from collection_items i join collections c on c.id = i.collection_id
    where i.id = ${id} and i.account_id = ${accountId} and c.uri is null`)

/** `approvalUri`: the authorization of a remote account. Null unless the item waited for it. */
export const markAccepted = (tx: Context, id: string, approvalUri: string): Promise<AffectedItem | null> =>
  tx.db.maybe<AffectedItem>(sql`
    update collection_items i set state = 'accepted', approval_uri = ${approvalUri} from collections c
    where i.id = ${id} and i.state = 'pending' and c.id = i.collection_id returning ${affectedItem}`)

/**
 * For the featured account. Null when the item was in this state before. A rejected item is deleted a day later, a revoked one
 * stays.
 */
export const markRejected = (tx: Context, id: string, state: 'rejected' | 'revoked'): Promise<AffectedItem | null> =>
  tx.db.maybe<AffectedItem>(sql`
    update collection_items i set state = ${state}, verified_at = now() from collections c
    where i.id = ${id} and i.state in ('pending', 'accepted') and c.id = i.collection_id returning ${affectedItem}`)

/** The item that a remote account has authorized. */
export async function findItemByApproval(ctx: Context, approvalUri: string, accountId: string): Promise<string | null> {
  const row = await ctx.db.maybe<Pick<CollectionItems, 'id'>>(sql`
    select id from collection_items where approval_uri = ${approvalUri} and account_id = ${accountId}`)
  return row?.id ?? null
}
