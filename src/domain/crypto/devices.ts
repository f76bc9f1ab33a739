import type { Context } from '../../context.ts'
import { isDuplicate } from '../../db/database.ts'
import type { Devices } from '../../db/schema.ts'
import { sql } from '../../db/sql.ts'
import { NotFound, invalidField, invalidRequest, invalid, problemOf } from '../../lib/errors.ts'
import { message } from '../../messages/message.ts'
import { isKey, isSignatureOver } from './keys.ts'

/** Keys are base64 as the client sent them: Ed25519 for signatures, Curve25519 for key agreement. */
export type DeviceRow = Pick<Devices, 'id' | 'account_id' | 'device_id' | 'name' | 'fingerprint_key' | 'identity_key'>

const columns = sql`id, account_id, device_id, name, fingerprint_key, identity_key`

/** Absent members stay as they are. */
export type DeviceChanges = { [Key in 'device_id' | 'name' | 'fingerprint_key' | 'identity_key']?: string | undefined }
export type OneTimeKey = { key_id: string; key: string; signature: string }

type Owner = { tokenId: string; accountId: string }

/** A device has so many one-time keys at most. */
const MAX_ONE_TIME_KEYS = 500
const MAX_NAME = 256

/** The device of a token. Throws NotFound. */
export async function getDevice(ctx: Context, tokenId: string): Promise<DeviceRow> {
  const device = await findDevice(ctx, tokenId)
  if (!device) throw new NotFound()
  return device
}

const findDevice = (ctx: Context, tokenId: string): Promise<DeviceRow | null> =>
  ctx.db.maybe<DeviceRow>(sql`select ${columns} from devices where token_id = ${tokenId}`)

/**
 * Creates or changes the device of a token, and adds one-time keys to it. When its id or one of its keys changes, it is a new
 * device and loses the keys and messages of the former. Throws Invalid for missing values, invalid keys and signatures, ids that
 * another device of the account has, and known one-time keys with another value.
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

function given(changes: DeviceChanges): Partial<Described> {
  return Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined))
}

type Described = Pick<DeviceRow, 'device_id' | 'name' | 'fingerprint_key' | 'identity_key'>

function checkDevice({
  device_id = '',
  name = '',
  fingerprint_key = '',
  identity_key = '',
}: Partial<Described>): Described {
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

const isAnother = (before: Described, after: Described): boolean =>
  (['device_id', 'fingerprint_key', 'identity_key'] as const).some((member) => before[member] !== after[member])

async function store(tx: Context, { tokenId, accountId }: Owner, device: Described): Promise<DeviceRow> {
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
  const columns = (['key_id', 'key', 'signature'] as const).map((member) => keys.map((key) => key[member]))
  await tx.db.run(sql`
    insert into one_time_keys (device_id, key_id, key, signature)
    select ${deviceId}, * from unnest(${columns[0]}::text[], ${columns[1]}::text[], ${columns[2]}::text[])
    on conflict on constraint one_time_keys_once do nothing`)
  const { different, stored } = await tx.db.one<{ different: number; stored: number }>(sql`
    select count(*)::int as stored,
      (select count(*)::int from unnest(${columns[0]}::text[], ${columns[1]}::text[]) sent (key_id, key)
        join one_time_keys known on known.device_id = ${deviceId} and known.key_id = sent.key_id where known.key <> sent.key) as different
    from one_time_keys where device_id = ${deviceId}`)
  if (different > 0) throw invalidField('key', 'taken')
  if (stored > MAX_ONE_TIME_KEYS) throw invalidRequest('device_key_limit', { count: MAX_ONE_TIME_KEYS })
}

/** How many one-time keys are left on a device. */
export async function countOneTimeKeys(ctx: Context, device: DeviceRow): Promise<number> {
  const { n } = await ctx.db.one<{ n: number }>(
    sql`select count(*)::int as n from one_time_keys where device_id = ${device.id}`,
  )
  return n
}
