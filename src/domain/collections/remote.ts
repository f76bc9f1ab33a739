// Collections of remote accounts.
import { type FeaturedCollection, type FeaturedItem, MAX_REMOTE_ITEMS } from '../../ap/featured-collection.ts'
import type { Context } from '../../context.ts'
import type { CollectionItems, Collections } from '../../db/schema.ts'
import { sql } from '../../db/sql.ts'
import { newId } from '../../lib/ids.ts'
import { sanitizeNote } from '../../lib/sanitize.ts'
import { cutText } from '../../lib/text/count.ts'
import { isTagName, normaliseTag } from '../../lib/text/tags.ts'
import { lockUnlessDeleted, lockUri, insertExpiringTombstone } from '../peers/tombstones.ts'
import { parseLocalUrl } from '../server/addresses.ts'
import { getOrCreateTags } from '../tags/tags.ts'

/** Stored collections of one remote account. */
export const MAX_REMOTE_COLLECTIONS = 50
const MAX_NAME = 256

export const findRemoteCollection = (
  ctx: Context,
  uri: string,
): Promise<Pick<Collections, 'id' | 'account_id'> | null> =>
  ctx.db.maybe(sql`select id, account_id from collections where uri = ${uri}`)

/** Their URIs. */
export async function listRemoteCollections(ctx: Context, ownerId: string): Promise<string[]> {
  const rows = await ctx.db.many<{ uri: string }>(
    sql`select uri from collections where account_id = ${ownerId} and uri is not null order by id`,
  )
  return rows.map(({ uri }) => uri)
}

/**
 * `changed`: it was known, and has another name, description or hashtag. `removed`: local accounts that it no longer contains.
 */
export type StoredCollection = { id: string; changed: boolean; removed: string[]; hasPending: boolean }

type Known = Pick<Collections, 'id' | 'account_id' | 'name' | 'description' | 'tag_id'> & { newer: boolean }

/**
 * Stores a collection with its items, which wait to be verified. Null when it is deleted, another account's, older than the
 * stored one, or one too many. `wasSent`: it may have been on its way for long, so items that are newer stay. The caller has
 * verified that the owner made it. Needs a transaction.
 */
export async function storeRemoteCollection(
  tx: Context,
  ownerId: string,
  document: FeaturedCollection,
  { wasSent }: { wasSent: boolean },
): Promise<StoredCollection | null> {
  if (!(await lockUnlessDeleted(tx, document.id))) return null
  const topic = document.topic !== null && isTagName(normaliseTag(document.topic)) ? [document.topic] : []
  const [tagId = null] = topic.length > 0 ? await getOrCreateTags(tx, topic) : []
  const [name, description] = [cutText(document.name, MAX_NAME), sanitizeNote(document.summary)]
  const updated = new Date(Math.min((document.updated ?? document.published ?? new Date()).getTime(), Date.now()))
  const known = await tx.db.maybe<Known>(sql`
    select id, account_id, name, description, tag_id, updated_at > ${updated} as newer
    from collections where uri = ${document.id} for no key update`)
  if (known && (known.account_id !== ownerId || (known.newer && document.updated !== null))) return null
  const id = known?.id ?? newId()
  const { language, sensitive, discoverable } = document
  const stored = await tx.db.run(sql`
    insert into collections (id, account_id, uri, url, name, description, language, tag_id, sensitive, discoverable, created_at, updated_at)
    select ${id}::bigint, ${ownerId}::bigint, ${document.id}, ${document.url}, ${name}, ${description}, ${language}, ${tagId}::bigint,
      ${sensitive}::boolean, ${discoverable}::boolean, least(${document.published ?? updated}::timestamptz, now()), ${updated}::timestamptz
    where ${known !== null}::boolean or (select count(*) from collections where account_id = ${ownerId}) < ${MAX_REMOTE_COLLECTIONS}
    on conflict (uri) do update set url = excluded.url, name = excluded.name, description = excluded.description,
      language = excluded.language, tag_id = excluded.tag_id, sensitive = excluded.sensitive, discoverable = excluded.discoverable,
      updated_at = excluded.updated_at`)
  if (stored === 0) return null
  const removed = await deleteUnlisted(tx, id, document.items, wasSent ? updated : new Date())
  const hasPending = await storeItems(tx, id, document.items)
  await storeOrder(tx, id, document.items)
  const changed = known !== null && (known.name !== name || known.description !== description || known.tag_id !== tagId)
  return { id, changed, removed, hasPending }
}

/**
 * An item without a URI is the consent of a local account, which its owner has yet to list. One that such an account revoked
 * stays, and so does one that is newer than `asOf`.
 */
async function deleteUnlisted(
  tx: Context,
  collectionId: string,
  items: readonly FeaturedItem[],
  asOf: Date,
): Promise<string[]> {
  const deleted = await tx.db.many<Pick<CollectionItems, 'account_id'>>(sql`
    delete from collection_items where collection_id = ${collectionId} and (state <> 'revoked' or object_uri is not null)
      and uri is not null and uri <> all(${items.map(({ id }) => id)}::text[]) and created_at <= ${asOf}
    returning account_id`)
  return deleted.flatMap(({ account_id }) => account_id ?? [])
}

/**
 * Adds items to a remote collection. Those of local accounts count only if the account has consented; others wait to be verified.
 * Returns whether some do. Needs a transaction.
 */
async function storeItems(tx: Context, collectionId: string, items: readonly FeaturedItem[]): Promise<boolean> {
  const local = items.flatMap(({ id, featuredObject }) => {
    const parsed = parseLocalUrl(tx, featuredObject)
    return parsed && parsed.statusId === null ? { id, username: parsed.username.toLowerCase() } : []
  })
  if (local.length > 0)
    await tx.db.run(sql`
      update collection_items i set uri = listed.uri
      from unnest(${local.map(({ id }) => id)}::text[], ${local.map(({ username }) => username)}::text[]) as listed (uri, username)
      join accounts a on lower(a.username) = listed.username and a.domain is null
      where i.collection_id = ${collectionId} and i.account_id = a.id
        and not exists (select from collection_items o where o.collection_id = ${collectionId} and o.uri = listed.uri)`)
  const remote = items.filter(({ featuredObject }) => parseLocalUrl(tx, featuredObject) === null)
  await tx.db.run(sql`
    insert into collection_items as i (id, collection_id, uri, object_uri, approval_uri, state, created_at)
    select id, ${collectionId}::bigint, uri, object_uri, approval_uri, 'pending', least(published, now()) from unnest(
      ${remote.map(() => newId())}::bigint[], ${remote.map(({ id }) => id)}::text[],
      ${remote.map(({ featuredObject }) => featuredObject)}::text[], ${remote.map(({ featureAuthorization }) => featureAuthorization)}::text[],
      ${remote.map(({ published }) => published)}::timestamptz[]
    ) as new (id, uri, object_uri, approval_uri, published)
    on conflict on constraint collection_items_uri do update
      set object_uri = excluded.object_uri, approval_uri = excluded.approval_uri, state = 'pending', account_id = null
      where i.object_uri is not null and (i.object_uri, i.approval_uri) is distinct from (excluded.object_uri, excluded.approval_uri)`)
  return (
    (await tx.db.maybe(sql`
    select from collection_items i where i.collection_id = ${collectionId} and ${isUnverified} limit 1`)) !== null
  )
}

/** The place of each item, as the owner ordered them. */
async function storeOrder(tx: Context, collectionId: string, items: readonly FeaturedItem[]): Promise<void> {
  await tx.db.run(sql`
    update collection_items i set position = listed.position
    from unnest(${items.map(({ id }) => id)}::text[]) with ordinality listed (uri, position)
    where i.collection_id = ${collectionId} and i.uri = listed.uri and i.position is distinct from listed.position`)
}

/** Servers may not announce that an authorization begins or ends. A collection that arrives a week later has it read again. */
const isUnverified = sql`(i.approval_uri is not null and i.object_uri is not null
  and (i.state = 'pending' or (i.state in ('accepted', 'rejected') and coalesce(i.verified_at < now() - interval '7 days', true))))`

/** False when nothing has to be verified: the item is deleted, or of a local account, or the collection is gone or full. */
export async function insertRemoteItem(tx: Context, collectionId: string, item: FeaturedItem): Promise<boolean> {
  if (!(await lockUnlessDeleted(tx, item.id))) return false
  const hasRoom = await tx.db.maybe(sql`
    with locked as (select id from collections where id = ${collectionId} for no key update)
    select from locked where (select count(*) from collection_items i where i.collection_id = locked.id and i.uri is distinct from ${item.id}) < ${MAX_REMOTE_ITEMS}`)
  return hasRoom !== null && storeItems(tx, collectionId, [item])
}

/** Returns its id. Null when the owner has no such collection. */
export async function deleteRemoteCollection(tx: Context, ownerId: string, uri: string): Promise<string | null> {
  await lockUri(tx, uri)
  await insertExpiringTombstone(tx, uri)
  const deleted = await tx.db.maybe<Pick<Collections, 'id'>>(
    sql`delete from collections where uri = ${uri} and account_id = ${ownerId} returning id`,
  )
  return deleted?.id ?? null
}

/** Returns its account, if it is known. What a local account revoked stays. */
export async function deleteRemoteItem(tx: Context, collectionId: string, uri: string): Promise<string | null> {
  await lockUri(tx, uri)
  await insertExpiringTombstone(tx, uri)
  const deleted = await tx.db.maybe<Pick<CollectionItems, 'account_id'>>(sql`
    delete from collection_items where collection_id = ${collectionId} and uri = ${uri} and (state <> 'revoked' or object_uri is not null)
    returning account_id`)
  return deleted?.account_id ?? null
}

export type UnverifiedItem = { id: string; object_uri: string; approval_uri: string; collection_uri: string }

export const listUnverifiedItems = (ctx: Context, collectionId: string): Promise<UnverifiedItem[]> =>
  ctx.db.many<UnverifiedItem>(sql`
    select i.id, i.object_uri, i.approval_uri, c.uri as collection_uri from collection_items i join collections c on c.id = i.collection_id
    where c.id = ${collectionId} and c.uri is not null and ${isUnverified}
    order by i.id limit ${MAX_REMOTE_ITEMS}`)

/** `accountId`: null when the account did not authorize it. An account is once in a collection. */
export async function markVerified(
  ctx: Context,
  { id, approval_uri: approvalUri }: UnverifiedItem,
  accountId: string | null,
): Promise<void> {
  await ctx.db.run(sql`
    update collection_items i set verified_at = now(), account_id = v.account_id, state = case when v.account_id is null then 'rejected' else 'accepted' end
    from (
      select (select a.id from accounts a where a.id = ${accountId}::bigint and not exists (
        select from collection_items o where o.collection_id = n.collection_id and o.account_id = a.id and o.id <> n.id)) as account_id
      from collection_items n where n.id = ${id}
    ) v where i.id = ${id} and i.state <> 'revoked' and i.approval_uri = ${approvalUri}`)
}
