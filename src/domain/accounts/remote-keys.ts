import { LRUCache } from 'lru-cache'
import { parseActor, parseKey, type Actor, type PublicKey } from '../../ap/actor.ts'
import { isSameHost } from '../../ap/normalise.ts'
import { WebfingerError } from '../peers/webfinger.ts'
import { perServer, type Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'
import { isOurDomain } from '../server/addresses.ts'
import { fetchDocument, isMissing, LONGEST_ID } from './documents.ts'
import { fetchActor } from '../../actions/remote/resolve-account.ts'
import { keysOf } from '../../actions/remote/save-actor.ts'

/** A key by which another server's actor signs, and whose it is. */
export type KeyOwner = {
  publicKeyPem: string
  /** Fetched just now. */
  isFresh: boolean
  accountId: string
  uri: string
  domain: string
  suspended: boolean
}

/** The owner of a key that is known here, or null. Keys of this server are nobody's who could speak to us. */
export async function findKnownKey(ctx: Context, keyId: string): Promise<KeyOwner | null> {
  const row = await ctx.db.maybe<Omit<KeyOwner, 'isFresh'>>(sql`
    select k.public_key as "publicKeyPem", a.id as "accountId", a.uri, a.domain, a.suspended_at is not null as suspended
    from account_keys k join accounts a on a.id = k.account_id
    where k.key_id = ${keyId} and k.private_key is null and a.domain is not null and a.uri is not null`)
  return row && { ...row, isFresh: false }
}

/** Keys that were asked for a moment ago: junk in their name must not make us ask again and again. */
const asked = perServer(() => new LRUCache<string, true>({ max: 10_000, ttl: 60_000 }))

/**
 * The key with this id and its owner: known here, or fetched; with `refresh`, fetched in any case. The owner's own document
 * must name the key. Null when there is no such key; throws FetchError when its server cannot be asked.
 */
export async function findKey(ctx: Context, keyId: string, options: { refresh: boolean }): Promise<KeyOwner | null> {
  const host = URL.parse(keyId)?.host
  if (!host || isOurDomain(ctx, host) || Buffer.byteLength(keyId) > LONGEST_ID) return null
  const known = options.refresh ? null : await findKnownKey(ctx, keyId)
  if (known) return known
  const occasion = `${options.refresh ? 'refresh' : 'missing'} ${keyId}`
  if (asked(ctx).has(occasion)) return null
  await fetchKey(ctx, keyId).catch((error: unknown) => {
    if (!isMissing(error) && !(error instanceof WebfingerError)) throw error
  })
  asked(ctx).set(occasion, true)
  const found = await findKnownKey(ctx, keyId)
  return found && { ...found, isFresh: true }
}

/** Most keys are a part of their owner's document. Others are at their own address, and are stored if their owner confirms them. */
async function fetchKey(ctx: Context, keyId: string): Promise<void> {
  const account = await fetchActor(ctx, keyId.split('#', 1)[0] as string)
  if (account && (await findKnownKey(ctx, keyId))) return
  const { json } = await fetchDocument(ctx, keyId)
  const owner = parseActor(json) ?? (await ownerOf(ctx, keyId, parseKey(json)))
  const named = owner && keysOf(owner).find(({ id }) => id === keyId)
  const known = named && (await fetchActor(ctx, owner.id))
  if (!known) return
  await ctx.db.run(sql`
    insert into account_keys (key_id, account_id, public_key) values (${keyId}, ${known.id}, ${named.pem})
    on conflict (key_id) do update set account_id = excluded.account_id, public_key = excluded.public_key where account_keys.private_key is null`)
}

async function ownerOf(ctx: Context, keyId: string, key: PublicKey | null): Promise<Actor | null> {
  if (key === null || key.id !== keyId || !isSameHost(key.owner, keyId)) return null
  const { id, json } = await fetchDocument(ctx, key.owner)
  return id === key.owner ? parseActor(json) : null
}

/** Keys of actors without a handle, by id. Nothing is stored of these: they are nobody who could follow or write. */
const nameless = perServer(() => new LRUCache<string, string>({ max: 1000, ttl: 3_600_000 }))

/**
 * The key with this id, of an actor that no handle leads to: with such a one Pleroma, Akkoma and Lemmy ask for documents in the
 * name of the server. The actor's own document, on the key's host, must name the key. Null when it does not; throws FetchError.
 */
export async function findNamelessKey(
  ctx: Context,
  keyId: string,
  options: { refresh: boolean },
): Promise<string | null> {
  const known = options.refresh ? undefined : nameless(ctx).get(keyId)
  if (known !== undefined) return known
  if (Buffer.byteLength(keyId) > LONGEST_ID) return null
  const { id, json } = await fetchDocument(ctx, keyId)
  const actor = isSameHost(id, keyId) ? parseActor(json) : null
  const key = actor && keysOf(actor).find((each) => each.id === keyId)
  // Whoever has an account here is held to it: it may be suspended.
  if (!key || (await ctx.db.maybe(sql`select from accounts where uri = ${actor.id}`))) return null
  nameless(ctx).set(keyId, key.pem)
  return key.pem
}
