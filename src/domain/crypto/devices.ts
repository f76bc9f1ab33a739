import { createPublicKey, verify } from 'node:crypto'
import type { Context } from '../../context.ts'
import { isDuplicate } from '../../db/database.ts'
import type { Devices, OneTimeKeys } from '../../db/schema.ts'
import { nothing, type Sql, sql } from '../../db/sql.ts'
import { isShown } from '../accounts/find.ts'
import { hasBlockBetween, hasBlockedDomain, hasBlockedDomainOf } from '../relationships/hidden.ts'
import { NotFound, invalid, invalidField, invalidRequest, problemOf } from '../../lib/errors.ts'
import { message } from '../../messages/message.ts'

/** Keys are base64 as the client sent them: Ed25519 for signatures, Curve25519 for key agreement. */
export type DeviceRow = Pick<Devices, 'id' | 'account_id' | 'device_id' | 'name' | 'fingerprint_key' | 'identity_key'>

const columns = sql`id, account_id, device_id, name, fingerprint_key, identity_key`

/** Absent members stay as they are. */
type DeviceChanges = { [Key in 'device_id' | 'name' | 'fingerprint_key' | 'identity_key']?: string | undefined }
type OneTimeKey = Pick<OneTimeKeys, 'key_id' | 'key' | 'signature'>

type Owner = { tokenId: string; accountId: string }

const MAX_ONE_TIME_KEYS = 500
const MAX_NAME = 256

/** Throws NotFound. */
export async function getDevice(ctx: Context, tokenId: string): Promise<DeviceRow> {
  const device = await findDevice(ctx, tokenId)
  if (!device) throw new NotFound()
  return device
}

const findDevice = (ctx: Context, tokenId: string): Promise<DeviceRow | null> =>
  ctx.db.maybe<DeviceRow>(sql`select ${columns} from devices where token_id = ${tokenId}`)

/**
 * When the id or a key of the device changes, it is a new device and loses the keys and messages of the former. Throws
 * Invalid for missing values, invalid keys and signatures, ids that another device of the account has, and known one-time
 * keys with another value.
 */
export async function saveDevice(
  ctx: Context,
  owner: Owner,
  changes: DeviceChanges,
  keys: readonly OneTimeKey[],
): Promise<DeviceRow> {
  try {
    return await ctx.transaction(async (tx) => {
      // One upload per token at a time: the second must see what the first stored.
      await tx.db.run(sql`select from oauth_tokens where id = ${owner.tokenId} for no key update`)
      const before = await findDevice(tx, owner.tokenId)
      const device = checkDevice({ ...before, ...given(changes) })
      checkOneTimeKeys(device.fingerprint_key, keys)
      const row = await store(tx, owner, device)
      if (before && isAnother(before, device)) await deleteKeysAndMessages(tx, row.id)
      await addOneTimeKeys(tx, row.id, keys)
      return row
    })
  } catch (error) {
    if (isDuplicate(error, 'devices_name')) throw invalidField('device', 'taken')
    throw error
  }
}

function given(changes: DeviceChanges): Partial<DeviceDescription> {
  return Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined))
}

export type DeviceDescription = Pick<DeviceRow, 'device_id' | 'name' | 'fingerprint_key' | 'identity_key'>

function checkDevice({
  device_id = '',
  name = '',
  fingerprint_key = '',
  identity_key = '',
}: Partial<DeviceDescription>): DeviceDescription {
  const texts = { device: device_id, name }
  const problems = Object.entries(texts).flatMap(([field, text]) => {
    if (text.trim() === '') return [problemOf(field, message('blank'))]
    return Array.from(text).length > MAX_NAME ? [problemOf(field, message('too_long', { count: MAX_NAME }))] : []
  })
  if (!isKey(fingerprint_key)) problems.push(problemOf('fingerprint_key', message('key_invalid')))
  if (!isKey(identity_key)) problems.push(problemOf('identity_key', message('key_invalid')))
  if (problems.length > 0) throw invalid(problems)
  return { device_id, name, fingerprint_key, identity_key }
}

function checkOneTimeKeys(fingerprintKey: string, keys: readonly OneTimeKey[]): void {
  for (const { key_id, key, signature } of keys) {
    if (key_id.trim() === '') throw invalidField('key', 'blank')
    if (Array.from(key_id).length > MAX_NAME) throw invalidField('key', 'too_long', { count: MAX_NAME })
    if (!isKey(key)) throw invalidField('key', 'key_invalid')
    if (!isSignatureOver(key, signature, fingerprintKey)) throw invalidField('signature', 'signature_invalid')
  }
  if (new Set(keys.map(({ key_id }) => key_id)).size < keys.length) throw invalidField('key', 'taken')
}

const isAnother = (before: DeviceDescription, after: DeviceDescription): boolean =>
  (['device_id', 'fingerprint_key', 'identity_key'] as const).some((member) => before[member] !== after[member])

async function store(tx: Context, { tokenId, accountId }: Owner, device: DeviceDescription): Promise<DeviceRow> {
  const { device_id, name, fingerprint_key, identity_key } = device
  return tx.db.one<DeviceRow>(sql`
    insert into devices (token_id, account_id, device_id, name, fingerprint_key, identity_key)
    values (${tokenId}, ${accountId}, ${device_id}, ${name}, ${fingerprint_key}, ${identity_key})
    on conflict (token_id) do update set device_id = excluded.device_id, name = excluded.name,
      fingerprint_key = excluded.fingerprint_key, identity_key = excluded.identity_key
    returning ${columns}`)
}

async function deleteKeysAndMessages(tx: Context, deviceId: string): Promise<void> {
  await tx.db.run(sql`delete from one_time_keys where device_id = ${deviceId}`)
  await tx.db.run(sql`delete from encrypted_messages where device_id = ${deviceId}`)
}

/** Accepts known keys with the same value: clients repeat uploads after a lost response. */
async function addOneTimeKeys(tx: Context, deviceId: string, keys: readonly OneTimeKey[]): Promise<void> {
  if (keys.length === 0) return
  const sent = sql`${keys.map(({ key_id }) => key_id)}::text[], ${keys.map(({ key }) => key)}::text[]`
  await tx.db.run(sql`
    insert into one_time_keys (device_id, key_id, key, signature)
    select ${deviceId}, * from unnest(${sent}, ${keys.map(({ signature }) => signature)}::text[])
    on conflict on constraint one_time_keys_once do nothing`)
  const { different, stored } = await tx.db.one<{ different: number; stored: number }>(sql`
    select count(*)::int as stored,
      (select count(*)::int from unnest(${sent}) sent (key_id, key)
        join one_time_keys known on known.device_id = ${deviceId} and known.key_id = sent.key_id where known.key <> sent.key) as different
    from one_time_keys where device_id = ${deviceId}`)
  if (different > 0) throw invalidField('key', 'taken')
  if (stored > MAX_ONE_TIME_KEYS) throw invalidRequest('device_key_limit', { count: MAX_ONE_TIME_KEYS })
}

export async function countOneTimeKeys(ctx: Context, device: DeviceRow): Promise<number> {
  const { n } = await ctx.db.one<{ n: number }>(
    sql`select count(*)::int as n from one_time_keys where device_id = ${device.id}`,
  )
  return n
}

/** Base64, with or without its padding. Libraries for private messages leave it out. */
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/

function bytesOf(text: string, length: number): Buffer | null {
  const bytes = BASE64.test(text) ? Buffer.from(text, 'base64') : null
  return bytes?.length === length ? bytes : null
}

/** Public keys of Ed25519 and Curve25519 alike have 32 bytes. */
export const isKey = (text: string): boolean => bytesOf(text, 32) !== null

/** The Ed25519 key `verifyKey` and `signature` are base64; the signature is over the text itself. */
export function isSignatureOver(text: string, signature: string, verifyKey: string): boolean {
  const [raw, signed] = [bytesOf(verifyKey, 32), bytesOf(signature, 64)]
  if (!raw || !signed) return false
  try {
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: raw.toString('base64url') }, format: 'jwk' })
    return verify(null, Buffer.from(text), key, signed)
  } catch {
    // 32 bytes, but no point on the curve.
    return false
  }
}

export type DeviceName = Pick<Devices, 'account_id' | 'device_id'>
export type ClaimedKey = DeviceName & { key_id: string; key: string; signature: string }

export const isDeviceId = (text: string): boolean => text.trim() !== '' && Array.from(text).length <= MAX_NAME

/** For an account `a`: not suspended, and no block of account or domain in either direction. `me`: null for anyone. */
export function isReachable(me: string | null): Sql {
  return sql`(a.suspended_at is null and ${isShown} ${me === null ? nothing : sql`and not ${isBlocked(me)}`})`
}

const isBlocked = (me: string): Sql => sql`(${hasBlockBetween(sql`a.id`, me)} or ${hasBlockedDomain(me, sql`a.domain`)}
  or ${hasBlockedDomainOf(sql`a.id`, sql`array[${me}::bigint]`)})`

/** As rows `asked`. */
export const nameRows = (names: readonly DeviceName[]): Sql => sql`
  unnest(${names.map((name) => name.account_id)}::bigint[], ${names.map((name) => name.device_id)}::text[]) as asked (account_id, device_id)`

/** The devices of local accounts. Unreachable accounts have no entry, those without a device an empty one. */
export function findDevicesOf(
  ctx: Context,
  me: string | null,
  accountIds: readonly string[],
): Promise<{ account_id: string; devices: DeviceRow[] }[]> {
  return ctx.db.many<{ account_id: string; devices: DeviceRow[] }>(sql`
    select a.id as account_id, coalesce((select json_agg(d order by d.id) from devices d where d.account_id = a.id), '[]') as devices
    from accounts a where a.id = any(${accountIds}::bigint[]) and a.domain is null and ${isReachable(me)}`)
}

/**
 * Deletes one random key of each device and returns it, so that no two requests get the same key. Leaves out devices that do
 * not exist or have no keys.
 */
export function claimKeys(ctx: Context, me: string, names: readonly DeviceName[]): Promise<ClaimedKey[]> {
  return ctx.db.many<ClaimedKey>(sql`
    with wanted as materialized (
      select distinct d.id, d.account_id, d.device_id
      from ${nameRows(names)}
        join devices d on d.account_id = asked.account_id and d.device_id = asked.device_id
        join accounts a on a.id = d.account_id
      where ${isReachable(me)}
    ), chosen as materialized (
      select w.account_id, w.device_id, k.id from wanted w cross join lateral (
        select id from one_time_keys where device_id = w.id order by random() limit 1 for update skip locked) k
    )
    delete from one_time_keys k using chosen c where k.id = c.id
    returning c.account_id, c.device_id, k.key_id, k.key, k.signature`)
}
