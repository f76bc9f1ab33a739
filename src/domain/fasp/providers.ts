// Fediverse Auxiliary Service Providers: registrations, what providers say about themselves, and which capabilities are in use.
import { hash } from 'node:crypto'
import { ed25519Bytes, generateEd25519Key, pemFromEd25519 } from '../../ap/keys.ts'
import type { Context } from '../../context.ts'
import type { FaspDebugCallbacks, FaspProviders } from '../../db/schema.ts'
import { sql } from '../../db/sql.ts'
import { Invalid, NotFound } from '../../lib/errors.ts'
import { plainHttpUrl } from '../../lib/http-url.ts'
import { isId } from '../../lib/ids.ts'
import { trimEnd } from '../../lib/text/linear-time.ts'
import { fetchableUrl } from '../../net/gate.ts'
import { openInterval } from '../peers/circuit-breaker.ts'
import { isLocalDomain } from '../server/addresses.ts'
import { getSecrets, seal, unseal } from '../server/secrets.ts'

/** The capabilities that this server can use. */
const CAPABILITIES = ['callback', 'data_sharing', 'account_search', 'follow_recommendation'] as const
export type Capability = (typeof CAPABILITIES)[number]

export const isCapability = (id: string): id is Capability => (CAPABILITIES as readonly string[]).includes(id)

/** `version`: such as `0.1`. */
export type OfferedCapability = { id: string; version: string }

/** Whether this server can use it: the paths of requests contain the first number of the version. */
export const isUsable = (offered: OfferedCapability): offered is OfferedCapability & { id: Capability } =>
  isCapability(offered.id) && /^0(?:\.|$)/.test(offered.version)

export type ProviderInfo = Pick<FaspProviders, 'sign_in_url' | 'contact_email' | 'fediverse_account'> & {
  capabilities: OfferedCapability[]
  privacy_policy: { url: string; language: string }[]
}

/** Its keys are read apart. */
export type Provider = Pick<
  FaspProviders,
  'id' | 'name' | 'base_url' | 'public_key' | 'confirmed_at' | 'enabled' | 'failing_since' | 'retry_at' | 'created_at'
> &
  ProviderInfo

const COLUMNS = sql`id, name, base_url, public_key, confirmed_at, enabled, failing_since, retry_at, created_at, capabilities,
  privacy_policy, sign_in_url, contact_email, fediverse_account`

/** Registrations that wait, and providers altogether. */
const MAX_WAITING = 20
const MAX_PROVIDERS = 100
/** Days after which a registration that was not confirmed is deleted. */
export const WAITING_DAYS = 7

const MAX_NAME = 200
const MAX_SERVER_ID = 500
const MAX_URL = 1000

export type Registration = { name: string; baseUrl: string; serverId: string; publicKeyPem: string }

/** The name of a key: providers and administrators compare it. */
export const fingerprintOf = (pem: string): string => hash('sha256', ed25519Bytes(pem), 'base64')

/** Throws Invalid. */
export function parseRegistration(ctx: Context, given: Readonly<Record<string, unknown>>): Registration {
  const text = (name: string, max: number): string => {
    const value = given[name]
    const trimmed = typeof value === 'string' ? value.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim() : ''
    if (trimmed === '' || [...trimmed].length > max)
      throw new Invalid(`${name} must be a text of 1 to ${max} characters`)
    return trimmed
  }
  return {
    name: text('name', MAX_NAME),
    baseUrl: parseBaseUrl(ctx, text('baseUrl', MAX_URL)),
    serverId: printable('serverId', text('serverId', MAX_SERVER_ID)),
    publicKeyPem: parsePublicKey(text('publicKey', 100)),
  }
}

function parseBaseUrl(ctx: Context, text: string): string {
  const url = plainHttpUrl(text)
  const isUsable = url !== null && fetchableUrl(ctx.fetch, url.href) !== null && url.search === '' && url.hash === ''
  if (!isUsable || isLocalDomain(ctx, url.host))
    throw new Invalid('baseUrl must be an address of the provider that begins with https:')
  return trimEnd(url.href, /\//)
}

/** It becomes a parameter of signatures (RFC 9651, 3.3.3). */
function printable(name: string, text: string): string {
  if (!/^[\x20-\x7e]+$/.test(text)) throw new Invalid(`${name} must have printable ASCII characters alone`)
  return text
}

function parsePublicKey(text: string): string {
  const refused = new Invalid('publicKey must be an Ed25519 key of 32 bytes in base64')
  const bytes = Buffer.from(text, 'base64')
  if (bytes.length !== 32 || bytes.toString('base64') !== text) throw refused
  try {
    return pemFromEd25519(bytes)
  } catch {
    throw refused
  }
}

/** What this server answers to a registration. */
export type Registered = { id: string; publicKey: string }

/** Throws Invalid while too many registrations wait, and when there are too many providers. */
export async function insertRegistration(tx: Context, registration: Registration): Promise<Registered> {
  const { name, baseUrl, serverId, publicKeyPem } = registration
  const privateKey = generateEd25519Key()
  const sealed = seal((await getSecrets(tx)).tokenKey, privateKey)
  const row = await tx.db.maybe<Pick<FaspProviders, 'id'>>(sql`
    insert into fasp_providers (name, base_url, server_id, public_key, private_key)
    select ${name}, ${baseUrl}, ${serverId}, ${publicKeyPem}, ${sealed}
    where (select count(*) filter (where confirmed_at is null) < ${MAX_WAITING}::int and count(*) < ${MAX_PROVIDERS}::int from fasp_providers)
    returning id`)
  if (!row) throw new Invalid('Too many registrations wait for the administrators of this server')
  return { id: row.id, publicKey: ed25519Bytes(privateKey).toString('base64') }
}

/** Registrations that wait come first. */
export const listFaspProviders = (ctx: Context): Promise<Provider[]> =>
  ctx.db.many<Provider>(sql`select ${COLUMNS} from fasp_providers order by confirmed_at is not null, id desc`)

export async function countWaitingProviders(ctx: Context): Promise<number> {
  const { count } = await ctx.db.one<{ count: number }>(
    sql`select count(*)::int as count from fasp_providers where confirmed_at is null`,
  )
  return count
}

const findProvider = (ctx: Context, id: string): Promise<Provider | null> =>
  ctx.db.maybe<Provider>(sql`select ${COLUMNS} from fasp_providers where id = ${id}`)

/** Throws NotFound. */
export async function getProvider(ctx: Context, id: string): Promise<Provider> {
  const provider = await findProvider(ctx, id)
  if (!provider) throw new NotFound()
  return provider
}

/** By the name that this server gave it, which its signatures contain. Null for one that is not confirmed. */
export async function findConfirmedProvider(ctx: Context, name: string): Promise<Provider | null> {
  const provider = isId(name) ? await findProvider(ctx, name) : null
  return provider?.confirmed_at ? provider : null
}

/** The confirmed providers with a selected capability, apart from those that do not answer at the moment. */
export const findProvidersWith = (ctx: Context, capability: Capability): Promise<Provider[]> =>
  ctx.db.many<Provider>(sql`
    select ${COLUMNS} from fasp_providers
    where confirmed_at is not null and ${capability} = any(enabled) and (retry_at is null or retry_at <= now()) order by id`)

export const hasCapability = ({ confirmed_at, enabled }: Provider, capability: Capability): boolean =>
  confirmed_at !== null && enabled.includes(capability)

export type ProviderKey = { keyId: string; privateKeyPem: string }

/** The key that signs what this server sends to a provider. Throws NotFound. */
export async function readProviderKey(ctx: Context, id: string): Promise<ProviderKey> {
  const row = await ctx.db.maybe<Pick<FaspProviders, 'server_id' | 'private_key'>>(
    sql`select server_id, private_key from fasp_providers where id = ${id}`,
  )
  if (!row) throw new NotFound()
  return { keyId: row.server_id, privateKeyPem: unseal((await getSecrets(ctx)).tokenKey, row.private_key) }
}

/**
 * `confirm`: accepts the registration. Capabilities that the provider no longer offers in a usable version are not used any more.
 */
export async function storeProviderInfo(
  tx: Context,
  id: string,
  info: ProviderInfo,
  { confirm }: { confirm: boolean },
): Promise<void> {
  await tx.db.run(sql`
    update fasp_providers set capabilities = ${JSON.stringify(info.capabilities)}::jsonb,
      privacy_policy = ${JSON.stringify(info.privacy_policy)}::jsonb, sign_in_url = ${info.sign_in_url},
      contact_email = ${info.contact_email}, fediverse_account = ${info.fediverse_account},
      enabled = array(select unnest(enabled) intersect select unnest(${info.capabilities.filter(isUsable).map(({ id }) => id)}::text[])),
      confirmed_at = case when ${confirm} then coalesce(confirmed_at, now()) else confirmed_at end
    where id = ${id}`)
}

/** False when it was so before. */
export const storeCapability = async (
  tx: Context,
  id: string,
  { capability, enabled }: { capability: Capability; enabled: boolean },
): Promise<boolean> =>
  (await tx.db.run(sql`
    update fasp_providers set enabled = case when ${enabled} then array_append(enabled, ${capability}) else array_remove(enabled, ${capability}) end
    where id = ${id} and (${capability} = any(enabled)) <> ${enabled}::boolean`)) > 0

export const deleteStoredProvider = (tx: Context, id: string): Promise<number> =>
  tx.db.run(sql`delete from fasp_providers where id = ${id}`)

/** The shortest time without requests to a provider that does not answer, in seconds. */
const MIN_PAUSE = 60

/** Pauses as for other servers, or for as long as the provider asks, if that is longer. */
export async function recordProviderFailure(ctx: Context, id: string, askedSeconds = 0): Promise<void> {
  await ctx.db.run(sql`
    update fasp_providers set failing_since = coalesce(failing_since, now()),
      retry_at = now() + ${openInterval(sql`coalesce(failing_since, now())`, Math.max(MIN_PAUSE, askedSeconds))}
    where id = ${id}`)
}

export async function recordProviderSuccess(ctx: Context, { id, failing_since }: Provider): Promise<void> {
  if (failing_since !== null)
    await ctx.db.run(sql`update fasp_providers set failing_since = null, retry_at = null where id = ${id}`)
}

const SHOWN_CALLBACKS = 20
const MAX_CALLBACK = 4096

export type DebugCallback = Pick<FaspDebugCallbacks, 'id' | 'ip' | 'body' | 'created_at'>

/** The newest ones of the provider stay. */
export async function insertDebugCallback(
  ctx: Context,
  providerId: string,
  { ip, body }: Pick<DebugCallback, 'ip' | 'body'>,
): Promise<void> {
  // PostgreSQL stores no NUL.
  const text = body.replaceAll('\0', '').slice(0, MAX_CALLBACK)
  await ctx.transaction(async (tx) => {
    await tx.db.run(sql`
      insert into fasp_debug_callbacks (provider_id, ip, body) values (${providerId}, ${ip}, ${text})`)
    await tx.db.run(sql`
      delete from fasp_debug_callbacks where provider_id = ${providerId} and id not in (
        select id from fasp_debug_callbacks where provider_id = ${providerId} order by id desc limit ${SHOWN_CALLBACKS}::int)`)
  })
}

/** Newest first. */
export const listDebugCallbacks = (ctx: Context, providerId: string): Promise<DebugCallback[]> =>
  ctx.db.many<DebugCallback>(sql`
    select id, ip, body, created_at from fasp_debug_callbacks where provider_id = ${providerId}
    order by id desc limit ${SHOWN_CALLBACKS}::int`)
