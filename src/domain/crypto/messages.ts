import type { Context } from '../../context.ts'
import { type Pagination, newestFirst, onPage } from '../../db/page.ts'
import type { EncryptedMessages } from '../../db/schema.ts'
import { sql } from '../../db/sql.ts'
import { NotFound, invalidField, invalidRequest } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import { type DeviceName, type DeviceRow, isReachable, nameRows } from './devices.ts'
import { currentSystemKey, frank } from './franking.ts'

export type EncryptedMessageRow = Omit<EncryptedMessages, 'device_id' | 'type' | 'uri'> & { type: 0 | 1 }

const columns = sql`m.id, m.from_account_id, m.from_device_id, m.type, m.body, m.digest, m.message_franking, m.created_at`

/** `type` 0 begins a session. */
export type OutgoingMessage = DeviceName & { type: 0 | 1; body: string; hmac: string }
/** A message from a remote account. `original_franking`: the attestation of its server. */
export type ReceivedMessage = OutgoingMessage & { uri: string | null; original_franking: string | null }

const MAX_BODY_BYTES = 64 * 1024
const MAX_HMAC = 256
/** A mailbox holds so many unread messages of one sender, and of all of a remote server, so that none of them can fill it. */
export const MAX_UNREAD = 1000
const MAX_UNREAD_OF_SERVER = 5000

type Target = DeviceName & { id: string; token_id: string }

export type StoredMessage = { id: string; accountId: string; tokenId: string }

/**
 * Stores messages in the mailboxes of all devices or, when one of them is missing, of none. Returns those that were not stored
 * before. Throws NotFound, Invalid.
 */
export async function storeMessages(
  tx: Context,
  from: DeviceName,
  messages: readonly (OutgoingMessage | ReceivedMessage)[],
): Promise<StoredMessage[]> {
  if (messages.length === 0) return []
  const franked = await frankMessages(tx, from, messages)
  const targets = await findTargets(tx, from.account_id, messages)
  const rows = franked.map((row) => {
    const target = targets.get(`${row.account_id} ${row.device_id}`)
    if (!target) throw new NotFound()
    return { ...row, target }
  })
  const stored = await tx.db.many<{ id: string }>(sql`
    insert into encrypted_messages (id, device_id, from_account_id, from_device_id, type, body, digest, message_franking, uri)
    select id, device_id, ${from.account_id}, ${from.device_id}, type, body, digest, franking, uri
    from unnest(${rows.map(({ id }) => id)}::bigint[], ${rows.map(({ target }) => target.id)}::bigint[], ${rows.map(({ type }) => type)}::int[],
      ${rows.map(({ body }) => body)}::text[], ${rows.map(({ hmac }) => hmac)}::text[], ${rows.map(({ franking }) => franking)}::text[],
      ${rows.map(({ uri }) => uri)}::text[])
      as new (id, device_id, type, body, digest, franking, uri)
    on conflict on constraint encrypted_messages_uri do nothing returning id`)
  await checkMailboxes(tx, from.account_id, [...new Set(rows.map(({ target }) => target.id))])
  const isNew = new Set(stored.map(({ id }) => id))
  return rows.flatMap(({ id, target }) =>
    isNew.has(id) ? [{ id, accountId: target.account_id, tokenId: target.token_id }] : [],
  )
}

type FrankedMessage = ReceivedMessage & { id: string; franking: string }

/** Gives messages their ids, and what this server attests of them. Throws Invalid. */
export async function frankMessages(
  tx: Context,
  from: DeviceName,
  messages: readonly (OutgoingMessage | ReceivedMessage)[],
): Promise<FrankedMessage[]> {
  for (const each of messages) checkMessage(each)
  const key = await currentSystemKey(tx)
  const timestamp = new Date().toISOString()
  return messages.map((each) => {
    const row = { uri: null, original_franking: null, ...each }
    const franking = frank(key, {
      hmac: row.hmac,
      source_account_id: from.account_id,
      target_account_id: row.account_id,
      timestamp,
      original_franking: row.original_franking,
    })
    return { ...row, id: newId(), franking }
  })
}

async function checkMailboxes(tx: Context, me: string, deviceIds: readonly string[]): Promise<void> {
  const full = await tx.db.maybe<{ unread: number }>(sql`
    select count(*) filter (where m.from_account_id = ${me})::int as unread
    from encrypted_messages m join accounts a on a.id = m.from_account_id join accounts sender on sender.id = ${me}
    where m.device_id = any(${deviceIds}::bigint[]) and (a.id = sender.id or a.domain = sender.domain)
    group by m.device_id
    having count(*) filter (where m.from_account_id = ${me}) > ${MAX_UNREAD}::int or count(*) > ${MAX_UNREAD_OF_SERVER}::int
    limit 1`)
  if (full)
    throw invalidRequest('device_message_limit', {
      count: full.unread > MAX_UNREAD ? MAX_UNREAD : MAX_UNREAD_OF_SERVER,
    })
}

function checkMessage({ body, hmac }: OutgoingMessage): void {
  if (body === '') throw invalidField('body', 'blank')
  if (Buffer.byteLength(body) > MAX_BODY_BYTES) throw invalidField('body', 'too_long_bytes', { count: MAX_BODY_BYTES })
  if (hmac === '') throw invalidField('hmac', 'blank')
  if (hmac.length > MAX_HMAC) throw invalidField('hmac', 'too_long', { count: MAX_HMAC })
}

/**
 * Locks the devices until the transaction ends: none is deleted meanwhile, and unread messages are counted by one sender at a
 * time.
 */
async function findTargets(tx: Context, me: string, names: readonly DeviceName[]): Promise<Map<string, Target>> {
  const rows = await tx.db.many<Target>(sql`
    select d.id, d.account_id, d.device_id, d.token_id from devices d join accounts a on a.id = d.account_id
    where (d.account_id, d.device_id) in (
        select account_id, device_id from ${nameRows(names)})
      and ${isReachable(me)}
    order by d.id for no key update of d`)
  return new Map(rows.map((row) => [`${row.account_id} ${row.device_id}`, row]))
}

export async function listMessages(ctx: Context, device: DeviceRow, page: Pagination): Promise<EncryptedMessageRow[]> {
  const rows = await ctx.db.many<EncryptedMessageRow>(sql`
    select ${columns} from encrypted_messages m where m.device_id = ${device.id} and ${onPage(sql`m.id`, page)}`)
  return newestFirst(rows, page)
}

/** Null when the message was cleared. */
export const findMessage = (ctx: Context, id: string): Promise<EncryptedMessageRow | null> =>
  ctx.db.maybe<EncryptedMessageRow>(sql`select ${columns} from encrypted_messages m where m.id = ${id}`)

export async function clearMessages(ctx: Context, device: DeviceRow, upToId: string): Promise<void> {
  await ctx.db.run(sql`delete from encrypted_messages where device_id = ${device.id} and id <= ${upToId}`)
}
