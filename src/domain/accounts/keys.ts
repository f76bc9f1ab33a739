import type { AccountKeys, Accounts } from '../../db/schema.ts'
import { generateRsaKeyPair } from '../../ap/keys.ts'
import { type Context, perServer } from '../../context.ts'
import { CoherentCache } from '../../db/coherent-cache.ts'
import { sql } from '../../db/sql.ts'
import { accountUri } from '../server/addresses.ts'
import { batched } from '../../lib/batch.ts'
import { NotFound } from '../../lib/errors.ts'
import { lruCache } from '../../lib/lru-cache.ts'

type KeyPair = { keyId: string; publicKeyPem: string; privateKeyPem: string }
/** `former`: the private key before the last rotation, and when that was. */
type SigningKey = KeyPair & { former: { privateKeyPem: string; replacedAt: Date } | null }

/** As long as deliveries are retried. Servers that do not fetch a key again store it for a shorter time: snac for 36 hours. */
const FORMER_KEY_HOURS = 48

/** Remote accounts whose keys are cached, about a kilobyte each. */
const MAX_OWNERS = 5000

const keys = perServer(({ changes }) => ({
  ofAccounts: new CoherentCache<SigningKey>(changes, ['account'], { max: 5000 }),
  /** The keys of a remote account, by their ids. */
  ofRemoteAccounts: new CoherentCache<ReadonlyMap<string, KeyOwner>>(changes, ['account'], { max: MAX_OWNERS }),
  /** The account that had a key when it was last looked up. */
  owners: lruCache<string, string>({ max: MAX_OWNERS }),
  ofInstance: null as Promise<KeyPair> | null,
}))

/** The instance actor represents the server: it signs requests that no account causes. */
export const instanceActorUri = (ctx: Context): string => `${ctx.config.baseUrl}/actor`

/**
 * Generates the key when it is first needed, as most accounts never reach another server. Throws NotFound for remote
 * accounts.
 */
export async function signingKey(ctx: Context, accountId: string): Promise<SigningKey> {
  return (await findKey(ctx, accountId)) ?? makeKey(ctx, accountId)
}

async function findKey(ctx: Context, accountId: string): Promise<SigningKey | undefined> {
  const found = await keys(ctx).ofAccounts.load(ctx, [accountId], async (ids) => {
    const rows = await ctx.db.many<KeyRow>(sql`
      select account_id, key_id, public_key, private_key, former_private_key, replaced_at from account_keys
      where account_id = any(${ids}::bigint[]) and private_key is not null`)
    return rows.map((row) => [row.account_id, keyOf(row)])
  })
  return found.get(accountId)
}

type KeyRow = Pick<AccountKeys, 'account_id' | 'key_id' | 'public_key' | 'former_private_key' | 'replaced_at'> & {
  private_key: string
}

const keyOf = (row: KeyRow): SigningKey => ({
  keyId: row.key_id,
  publicKeyPem: row.public_key,
  privateKeyPem: row.private_key,
  former:
    row.former_private_key === null || row.replaced_at === null
      ? null
      : { privateKeyPem: row.former_private_key, replacedAt: row.replaced_at },
})

/** The key before a rotation within the last FORMER_KEY_HOURS. It signs only profile updates, which announce the new key. */
export async function findFormerKey(
  ctx: Context,
  accountId: string,
): Promise<Pick<KeyPair, 'keyId' | 'privateKeyPem'> | null> {
  const { keyId, former } = await signingKey(ctx, accountId)
  if (!former || Date.now() - former.replacedAt.getTime() > FORMER_KEY_HOURS * 3_600_000) return null
  return { keyId, privateKeyPem: former.privateKeyPem }
}

/** Clean-up. */
export const deleteFormerKeys = (ctx: Context): Promise<number> =>
  ctx.db.run(sql`
    update account_keys set former_private_key = null
    where former_private_key is not null and replaced_at < now() - make_interval(hours => ${FORMER_KEY_HOURS}::int)`)

async function makeKey(ctx: Context, accountId: string): Promise<SigningKey> {
  const account = await ctx.db.maybe<Pick<Accounts, 'username'>>(
    sql`select username from accounts where id = ${accountId} and domain is null`,
  )
  if (!account) throw new NotFound()
  const pair = await generateRsaKeyPair()
  // Two processes may generate a key at once: the first insert wins, and both read the stored key.
  await ctx.db.run(sql`
    insert into account_keys (key_id, account_id, public_key, private_key)
    values (${`${accountUri(ctx, account.username)}#main-key`}, ${accountId}, ${pair.publicKeyPem}, ${pair.privateKeyPem}) on conflict do nothing`)
  const key = await findKey(ctx, accountId)
  if (!key) throw new Error(`account ${accountId} has no key`)
  return key
}

/** Replaces the key of a local account. Its id stays, so that other servers fetch it again. False when it never had one. */
export async function storeNewKey(tx: Context, accountId: string): Promise<boolean> {
  const pair = await generateRsaKeyPair()
  const changed = await tx.db.run(sql`
    update account_keys set public_key = ${pair.publicKeyPem}, private_key = ${pair.privateKeyPem}, former_private_key = private_key,
      replaced_at = now()
    where account_id = ${accountId} and private_key is not null`)
  return changed > 0
}

export function instanceKey(ctx: Context): Promise<KeyPair> {
  const state = keys(ctx)
  state.ofInstance ??= loadInstanceKey(ctx).catch((error: unknown) => {
    state.ofInstance = null
    throw error
  })
  return state.ofInstance
}

async function loadInstanceKey(ctx: Context): Promise<KeyPair> {
  const read = () => ctx.db.maybe<{ value: string }>(sql`select value from secrets where name = 'instance_key'`)
  if (!(await read()))
    await ctx.db.run(
      sql`insert into secrets (name, value) values ('instance_key', ${JSON.stringify(await generateRsaKeyPair())}) on conflict do nothing`,
    )
  const row = await read()
  if (!row) throw new Error('the server has no key')
  return {
    keyId: `${instanceActorUri(ctx)}#main-key`,
    ...(JSON.parse(row.value) as { publicKeyPem: string; privateKeyPem: string }),
  }
}

export type KeyOwner = {
  publicKeyPem: string
  /** Fetched for this request; a stored key may be out of date. */
  isFresh: boolean
  accountId: string
  uri: string
  domain: string
  suspended: boolean
  /** Its own server has suspended it, and only that server can end the suspension. */
  suspendedRemotely: boolean
}

const MAX_KEYS = 100

/** Requests that arrive together share a statement. */
const knownKeys = perServer((ctx) => batched((keyIds: string[]) => readKnownKeys(ctx, keyIds), MAX_KEYS))

/**
 * Some servers sign with the id of the actor (PeerTube before 7.1, Guppe, relays), or with another fragment than their actors
 * name (BookWyrm). If the actor has only one key, this one is meant.
 */
function keyNamed(own: ReadonlyMap<string, KeyOwner>, keyId: string): KeyOwner | null {
  const named = own.get(keyId)
  if (named) return named
  const [only, ...others] = own.values()
  return only && others.length === 0 && only.uri === actorIn(keyId) ? only : null
}

/** The address of the actor in the id of a key. */
export const actorIn = (keyId: string): string => keyId.split('#', 1)[0] as string

/** Null for unknown keys and for keys of local accounts. Never call it in a transaction. */
export async function findKnownKey(ctx: Context, keyId: string): Promise<KeyOwner | null> {
  const { owners, ofRemoteAccounts } = keys(ctx)
  const accountId = owners.get(keyId)
  if (accountId !== undefined) {
    const cached = await ofRemoteAccounts.load(ctx, [accountId], (ids) => readKeysOf(ctx, ids))
    const owner = keyNamed(cached.get(accountId) ?? new Map<string, KeyOwner>(), keyId)
    if (owner) return owner
  }
  const found = await knownKeys(ctx)(keyId)
  if (found) owners.set(keyId, found.accountId)
  return found
}

type KnownKey = KeyOwner & { keyId: string }

const knownKey = sql`
  select k.key_id as "keyId", k.public_key as "publicKeyPem", false as "isFresh", a.id as "accountId", a.uri, a.domain,
    a.suspended_at is not null as suspended, coalesce(a.suspension_origin = 'remote', false) as "suspendedRemotely"
  from account_keys k join accounts a on a.id = k.account_id
  where k.private_key is null and a.domain is not null and a.uri is not null`

async function readKnownKeys(ctx: Context, keyIds: readonly string[]): Promise<(KeyOwner | null)[]> {
  const rows = await ctx.db.many<KnownKey>(sql`
    ${knownKey} and k.key_id = any(${keyIds}::text[]) union ${knownKey} and a.uri = any(${keyIds.map(actorIn)}::text[])`)
  const byId = new Map(rows.map((row) => [row.keyId, row]))
  const byActor = Map.groupBy(rows, ({ uri }) => uri)
  return keyIds.map((keyId) => {
    const own = (byActor.get(actorIn(keyId)) ?? []).map((row): [string, KeyOwner] => [row.keyId, row])
    return byId.get(keyId) ?? keyNamed(new Map(own), keyId)
  })
}

async function readKeysOf(ctx: Context, ids: readonly string[]): Promise<Iterable<[string, Map<string, KeyOwner>]>> {
  const rows = await ctx.db.many<KnownKey>(sql`${knownKey} and k.account_id = any(${ids}::bigint[])`)
  return [...Map.groupBy(rows, ({ accountId }) => accountId)].map(([id, own]) => [
    id,
    new Map(own.map((row) => [row.keyId, row])),
  ])
}

export async function upsertRemoteKey(ctx: Context, keyId: string, accountId: string, pem: string): Promise<void> {
  await ctx.db.run(sql`
    insert into account_keys (key_id, account_id, public_key) values (${keyId}, ${accountId}, ${pem})
    on conflict (key_id) do update set account_id = excluded.account_id, public_key = excluded.public_key where account_keys.private_key is null`)
}
