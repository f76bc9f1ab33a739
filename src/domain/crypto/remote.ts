// Remote accounts with devices, and messages that wait to be sent to them.
import type { Context } from '../../context.ts'
import type { Accounts, OutgoingEncryptedMessages } from '../../db/schema.ts'
import { sql } from '../../db/sql.ts'
import { invalidRequest, NotFound } from '../../lib/errors.ts'
import { type DeviceName, isDeviceId, isReachable } from './devices.ts'
import { frankMessages, MAX_UNREAD, type OutgoingMessage } from './messages.ts'

export type RemoteOwner = { id: string; uri: string; devices_url: string }

/** The accounts that are reachable and whose servers list their devices. */
export const findRemoteOwners = (ctx: Context, me: string, accountIds: readonly string[]): Promise<RemoteOwner[]> =>
  ctx.db.many<RemoteOwner>(sql`
    select a.id, a.uri, a.devices_url from accounts a
    where a.id = any(${accountIds}::bigint[]) and a.domain is not null and a.uri is not null and a.inbox_url is not null
      and a.devices_url is not null and ${isReachable(me)}`)

/**
 * Stores messages to devices of remote accounts that findRemoteOwners returns, and returns their ids. Only the server of a device
 * knows whether it exists. Throws NotFound for an id that no device can have, and Invalid.
 */
export async function storeOutgoing(
  tx: Context,
  from: DeviceName,
  messages: readonly OutgoingMessage[],
): Promise<string[]> {
  if (messages.length === 0) return []
  if (messages.some(({ device_id }) => !isDeviceId(device_id))) throw new NotFound()
  const rows = await frankMessages(tx, from, messages)
  await tx.db.run(sql`
    insert into outgoing_encrypted_messages (id, from_account_id, from_device_id, to_account_id, to_device_id, type, body, digest, message_franking)
    select id, ${from.account_id}, ${from.device_id}, to_account_id, to_device_id, type, body, digest, franking
    from unnest(${rows.map(({ id }) => id)}::bigint[], ${rows.map(({ account_id }) => account_id)}::bigint[],
      ${rows.map(({ device_id }) => device_id)}::text[], ${rows.map(({ type }) => type)}::int[], ${rows.map(({ body }) => body)}::text[],
      ${rows.map(({ hmac }) => hmac)}::text[], ${rows.map(({ franking }) => franking)}::text[])
      as new (id, to_account_id, to_device_id, type, body, digest, franking)`)
  // They are deleted a day later: as many go to one account within a day as may wait in a local mailbox.
  const full = await tx.db.maybe(sql`
    select to_account_id from outgoing_encrypted_messages
    where from_account_id = ${from.account_id} and to_account_id = any(${rows.map(({ account_id }) => account_id)}::bigint[])
    group by to_account_id, to_device_id having count(*) > ${MAX_UNREAD}::int limit 1`)
  if (full) throw invalidRequest('device_message_limit', { count: MAX_UNREAD })
  return rows.map(({ id }) => id)
}

type OutgoingRow = Omit<OutgoingEncryptedMessages, 'to_account_id'> & {
  username: Accounts['username']
  to_uri: string
  to_inbox_url: string
}

/** Null when either account is gone or suspended. */
export const findOutgoing = (ctx: Context, id: string): Promise<OutgoingRow | null> =>
  ctx.db.maybe<OutgoingRow>(sql`
    select m.id, m.from_account_id, m.from_device_id, m.to_device_id, m.type, m.body, m.digest, m.message_franking, m.created_at,
      sender.username, a.uri as to_uri, a.inbox_url as to_inbox_url
    from outgoing_encrypted_messages m join accounts a on a.id = m.to_account_id join accounts sender on sender.id = m.from_account_id
    where m.id = ${id} and a.uri is not null and a.inbox_url is not null and a.suspended_at is null and sender.suspended_at is null`)
