import type { Context } from '../../context.ts'
import { newestFirst, ordered, within, type Pagination } from '../../db/page.ts'
import type { EncryptedMessages } from '../../db/schema.ts'
import { sql } from '../../db/sql.ts'
import { NotFound, invalidField, invalidRequest } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import { type DeviceName, type DeviceRow, isReachable } from './devices.ts'
import { currentSystemKey, frank } from './franking.ts'

export type EncryptedMessageRow = Omit<EncryptedMessages, 'device_id' | 'type'> & { type: 0 | 1 }

const columns = sql`m.id, m.from_account_id, m.from_device_id, m.type, m.body, m.digest, m.message_franking, m.created_at`

/** `type` 0 begins a session. */
export type OutgoingMessage = DeviceName & { type: 0 | 1; body: string; hmac: string }

const MAX_BODY_BYTES = 64 * 1024
const MAX_HMAC = 256
/** A mailbox holds so many unread messages of one sender, so that one sender cannot fill it. */
const MAX_UNREAD = 1000

type Target = DeviceName & { id: string; token_id: string }

export type StoredMessage = { id: string; accountId: string; tokenId: string }

/** Stores messages in the mailboxes of all devices or, when one of them is missing, of none. Throws NotFound, Invalid. */
export async function storeMessages(
  tx: Context,
  from: DeviceRow,
  messages: readonly OutgoingMessage[],
): Promise<StoredMessage[]> {
  for (const outgoing of messages) checkMessage(outgoing)
  const key = await currentSystemKey(tx)
  const targets = await findTargets(tx, from.account_id, messages)
  const timestamp = new Date().toISOString()
  const rows = messages.map(({ account_id, device_id, type, body, hmac }) => {
    const target = targets.get(`${account_id} ${device_id}`)
    if (!target) throw new NotFound()
    const franking = frank(key, {
      hmac,
      source_account_id: from.account_id,
      target_account_id: account_id,
      timestamp,
      original_franking: null,
    })
    return { id: newId(), target, type, body, hmac, franking }
  })
  await tx.db.run(sql`
    insert into encrypted_messages (id, device_id, from_account_id, from_device_id, type, body, digest, message_franking)
    select id, device_id, ${from.account_id}, ${from.device_id}, type, body, digest, franking
    from unnest(${rows.map(({ id }) => id)}::bigint[], ${rows.map(({ target }) => target.id)}::bigint[], ${rows.map(({ type }) => type)}::int[],
      ${rows.map(({ body }) => body)}::text[], ${rows.map(({ hmac }) => hmac)}::text[], ${rows.map(({ franking }) => franking)}::text[])
      as new (id, device_id, type, body, digest, franking)`)
  await checkMailboxes(tx, from.account_id, [...new Set(rows.map(({ target }) => target.id))])
  return rows.map(({ id, target }) => ({ id, accountId: target.account_id, tokenId: target.token_id }))
}

async function checkMailboxes(tx: Context, me: string, deviceIds: readonly string[]): Promise<void> {
  const full = await tx.db.maybe(sql`
    select device_id from encrypted_messages where device_id = any(${deviceIds}::bigint[]) and from_account_id = ${me}
    group by device_id having count(*) > ${MAX_UNREAD}::int limit 1`)
  if (full) throw invalidRequest('device_message_limit', { count: MAX_UNREAD })
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
        select account_id, device_id from unnest(${names.map((name) => name.account_id)}::bigint[], ${names.map((name) => name.device_id)}::text[]) as asked (account_id, device_id))
      and ${isReachable(me)}
    order by d.id for no key update of d`)
  return new Map(rows.map((row) => [`${row.account_id} ${row.device_id}`, row]))
}

export async function listMessages(ctx: Context, device: DeviceRow, page: Pagination): Promise<EncryptedMessageRow[]> {
  const rows = await ctx.db.many<EncryptedMessageRow>(sql`
    select ${columns} from encrypted_messages m where m.device_id = ${device.id} and ${within(sql`m.id`, page)} ${ordered(sql`m.id`, page)}`)
  return newestFirst(rows, page)
}

/** Null when the message was cleared. */
export const findMessage = (ctx: Context, id: string): Promise<EncryptedMessageRow | null> =>
  ctx.db.maybe<EncryptedMessageRow>(sql`select ${columns} from encrypted_messages m where m.id = ${id}`)

export async function clearMessages(ctx: Context, device: DeviceRow, upToId: string): Promise<void> {
  await ctx.db.run(sql`delete from encrypted_messages where device_id = ${device.id} and id <= ${upToId}`)
}
