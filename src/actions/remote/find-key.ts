import { parseActor, parseKey, type Actor, type PublicKey } from '../../ap/actor.ts'
import { isSameHost } from '../../ap/normalise.ts'
import { WebfingerError } from '../../domain/peers/webfinger.ts'
import { perServer, type Context } from '../../context.ts'
import { isLocalDomain } from '../../domain/server/addresses.ts'
import { fetchDocument, MAX_ID_BYTES } from '../../domain/accounts/documents.ts'
import { actorIn, findKnownKey, upsertRemoteKey, type KeyOwner } from '../../domain/accounts/keys.ts'
import { findByUri } from '../../domain/accounts/remote.ts'
import { lruCache } from '../../lib/lru-cache.ts'
import { fetchActor } from './resolve-account.ts'
import { keysOf } from '../../domain/accounts/store-actor.ts'
import { isMissing } from '../../net/fetch-error.ts'

/** Recently requested key ids, so that forged requests in their name do not cause repeated fetches. */
const requestedKeys = perServer(() => lruCache<string, true>({ max: 10_000, ttl: 60_000 }))

/**
 * Stored, or fetched; `refresh` always fetches. The owner's own document must name the key. Null when there is no such key.
 * Throws FetchError when its server cannot be reached.
 */
export async function findKey(ctx: Context, keyId: string, options: { refresh: boolean }): Promise<KeyOwner | null> {
  const host = URL.parse(keyId)?.host
  if (!host || isLocalDomain(ctx, host) || Buffer.byteLength(keyId) > MAX_ID_BYTES) return null
  const known = options.refresh ? null : await findKnownKey(ctx, keyId)
  if (known) return known
  const request = `${options.refresh ? 'refresh' : 'missing'} ${keyId}`
  if (requestedKeys(ctx).has(request)) return null
  await fetchKey(ctx, keyId, { changed: options.refresh }).catch((error: unknown) => {
    if (!isMissing(error) && !(error instanceof WebfingerError)) throw error
  })
  requestedKeys(ctx).set(request, true)
  await ctx.changes.catchUpAfterWrites()
  const found = await findKnownKey(ctx, keyId)
  return found && { ...found, isFresh: true }
}

/**
 * Most keys are part of their owner's document. A key with an address of its own is stored if its owner's document names it.
 */
async function fetchKey(ctx: Context, keyId: string, options: { changed: boolean }): Promise<void> {
  const account = await fetchActor(ctx, actorIn(keyId), options)
  if (account && (await findKnownKey(ctx, keyId))) return
  const { json } = await fetchDocument(ctx, keyId)
  const key = parseKey(json)
  const owner = parseActor(json) ?? (await ownerOf(ctx, keyId, key))
  const isNamed = owner?.publicKeyIds.includes(keyId) && key?.id === keyId && key.owner === owner.id
  const named = owner && (keysOf(owner).find(({ id }) => id === keyId) ?? (isNamed ? key : undefined))
  const known = named && (await fetchActor(ctx, owner.id))
  if (!known) return
  await upsertRemoteKey(ctx, keyId, known.id, named.pem)
}

async function ownerOf(ctx: Context, keyId: string, key: PublicKey | null): Promise<Actor | null> {
  if (key === null || key.id !== keyId || !isSameHost(key.owner, keyId)) return null
  const { id, json } = await fetchDocument(ctx, key.owner)
  return id === key.owner ? parseActor(json) : null
}

/** Keys of actors without a handle, by id. They are not stored: such actors cannot follow or post. */
const nameless = perServer(() => lruCache<string, string>({ max: 1000, ttl: 3_600_000 }))

/**
 * Pleroma, Akkoma and Lemmy sign requests for documents with a key of an actor without a handle, in the name of the server.
 * The actor's own document, on the key's host, must name the key; otherwise null. Throws FetchError.
 */
export async function findNamelessKey(
  ctx: Context,
  keyId: string,
  options: { refresh: boolean },
): Promise<string | null> {
  const known = options.refresh ? undefined : nameless(ctx).get(keyId)
  if (known !== undefined) return known
  if (Buffer.byteLength(keyId) > MAX_ID_BYTES) return null
  const { id, json } = await fetchDocument(ctx, keyId)
  const actor = isSameHost(id, keyId) ? parseActor(json) : null
  const own = actor === null ? [] : keysOf(actor)
  const key = own.find((each) => each.id === keyId) ?? (own.length === 1 && actor?.id === keyId ? own[0] : null)
  // An actor that is stored as an account goes through findKey, which checks whether it is suspended.
  if (!key || !actor || (await findByUri(ctx, actor.id))) return null
  nameless(ctx).set(keyId, key.pem)
  return key.pem
}
