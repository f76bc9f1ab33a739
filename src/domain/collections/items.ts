import type { Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'
import { Forbidden, invalidFields, NotFound } from '../../lib/errors.ts'
import { message } from '../../messages/message.ts'
import { newId } from '../../lib/ids.ts'
import { isShown } from '../accounts/find.ts'
import { notify, unnotify } from '../../actions/notifications/notify.ts'
import { lockPairs } from '../relationships/relationship.ts'
import { MAX_ITEMS } from './rules.ts'
import { hasBlockBetween } from '../relationships/hidden.ts'

export type ItemRow = { id: string; account_id: string; state: 'pending' | 'accepted'; created_at: Date }

type Candidate = { id: string; willing: boolean; state: string | null }

/**
 * Puts accounts into a collection of `ownerId`, all or none, and tells them. Throws NotFound where one of the accounts or the
 * collection is not there; Forbidden for who does not want to be featured, has left this collection, or stands in a block with
 * its owner; Invalid for whoever is in it already, and for one too many.
 */
export async function addItems(
  ctx: Context,
  ownerId: string,
  collectionId: string,
  accountIds: readonly string[],
): Promise<ItemRow[]> {
  const wanted = [...new Set(accountIds)]
  if (wanted.length === 0) return []
  return ctx.transaction(async (tx) => {
    await lockPairs(tx, ownerId, wanted)
    await lockCollection(tx, ownerId, collectionId)
    checkCandidates(await readCandidates(tx, ownerId, collectionId, wanted), wanted)
    const { n } = await tx.db.one<{ n: number }>(sql`
      select count(*)::int as n from collection_items where collection_id = ${collectionId} and state in ('pending', 'accepted')`)
    if (n + wanted.length > MAX_ITEMS)
      throw invalidFields({
        base: [{ error: 'ERR_TOO_LONG', description: message('collection_full', { count: MAX_ITEMS }) }],
      })
    const rows = await tx.db.many<ItemRow>(sql`
      insert into collection_items (id, collection_id, account_id)
      select id, ${collectionId}, account_id from unnest(${wanted.map(() => newId())}::bigint[], ${wanted}::bigint[]) as new (id, account_id)
      returning id, account_id, state, created_at`)
    await notify(tx, { type: 'added_to_collection', fromAccountId: ownerId, subjectId: collectionId, to: wanted })
    return rows
  })
}

/** Makes changes to what is in a collection happen one after the other. Throws NotFound unless it is the owner's. */
async function lockCollection(tx: Context, ownerId: string, collectionId: string): Promise<void> {
  const found = await tx.db.maybe(sql`
    select id from collections where id = ${collectionId} and account_id = ${ownerId} for no key update`)
  if (!found) throw new NotFound()
}

/** People of this server want to be featured when they want to be discovered; what those of others want is not known here. */
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

/** Takes somebody out of a collection of `ownerId`. Throws NotFound. */
export async function removeItem(ctx: Context, ownerId: string, collectionId: string, itemId: string): Promise<void> {
  await ctx.transaction(async (tx) => {
    await lockCollection(tx, ownerId, collectionId)
    const gone = await tx.db.maybe<{ account_id: string }>(sql`
      delete from collection_items where id = ${itemId} and collection_id = ${collectionId} and state in ('pending', 'accepted')
      returning account_id`)
    if (!gone) throw new NotFound()
    await forget(tx, ownerId, collectionId, [gone.account_id])
  })
}

/** Leaves a collection, for good: its owner cannot put the account back. Doing it twice changes nothing. Throws NotFound. */
export async function revokeItem(ctx: Context, accountId: string, collectionId: string, itemId: string): Promise<void> {
  await ctx.transaction(async (tx) => {
    const left = await tx.db.maybe<{ owner_id: string }>(sql`
      update collection_items i set state = 'revoked' from collections c
      where i.id = ${itemId} and i.collection_id = ${collectionId} and i.account_id = ${accountId} and c.id = i.collection_id
      returning c.account_id as owner_id`)
    if (!left) throw new NotFound()
    await forget(tx, left.owner_id, collectionId, [accountId])
  })
}

/** Takes back what people, or all, were told of a collection. */
export async function forget(
  tx: Context,
  ownerId: string,
  collectionId: string,
  to: readonly string[] | null,
): Promise<void> {
  for (const type of ['added_to_collection', 'collection_update'] as const)
    await unnotify(tx, { type, fromAccountId: ownerId, subjectId: collectionId, to })
}
