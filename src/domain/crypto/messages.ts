import type { Context } from '../../context.ts'
import { newestFirst, ordered, within, type Page } from '../../db/page.ts'
import { sql } from '../../db/sql.ts'
import { NotFound, invalidField, invalidRequest } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import type { DeviceRow } from './devices.ts'
import { currentSystemKey, frank } from './franking.ts'
import { isReachable, type DeviceName } from './others.ts'

export type EncryptedMessageRow = {
  id: string
  from_account_id: string
  from_device_id: string
  type: 0 | 1
  body: string
  digest: string
  message_franking: string
  created_at: Date
}

/** A message for one device; `type` 0 begins a session. */
export type Delivery = DeviceName & { type: 0 | 1; body: string; hmac: string }

const LONGEST_BODY = 64 * 1024
const LONGEST_HMAC = 256
/** So many messages of one person wait in a mailbox at most: whoever does not read them keeps room for others. */
const MOST_WAITING = 1000

type Target = DeviceName & { id: string; token_id: string }

/** Puts messages into the mailboxes of devices: of all or, when one of them is not there, of none. Throws NotFound, Invalid. */
export async function deliverMessages(ctx: Context, from: DeviceRow, deliveries: readonly Delivery[]): Promise<void> {
  for (const delivery of deliveries) checkDelivery(delivery)
  const key = await currentSystemKey(ctx)
  await ctx.transaction(async (tx) => {
    const targets = await findTargets(tx, from.account_id, deliveries)
    const timestamp = new Date().toISOString()
    const rows = deliveries.map(({ account_id, device_id, type, body, hmac }) => {
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
    await refuseTooMany(tx, from.account_id, [...new Set(rows.map(({ target }) => target.id))])
    for (const { id, target } of rows)
      tx.publish({ type: 'encrypted_message.new', id, accountId: target.account_id, tokenId: target.token_id })
  })
}

async function refuseTooMany(tx: Context, me: string, deviceIds: readonly string[]): Promise<void> {
  const full = await tx.db.maybe(sql`
    select device_id from encrypted_messages where device_id = any(${deviceIds}::bigint[]) and from_account_id = ${me}
    group by device_id having count(*) > ${MOST_WAITING}::int limit 1`)
  if (full) throw invalidRequest('device_message_limit', { count: MOST_WAITING })
}

function checkDelivery({ body, hmac }: Delivery): void {
  if (body === '') throw invalidField('body', 'blank')
  if (Buffer.byteLength(body) > LONGEST_BODY) throw invalidField('body', 'too_long_bytes', { count: LONGEST_BODY })
  if (hmac === '') throw invalidField('hmac', 'blank')
  if (hmac.length > LONGEST_HMAC) throw invalidField('hmac', 'too_long', { count: LONGEST_HMAC })
}

/** The devices that are written to, held until the transaction ends: none goes away meanwhile, and what waits is counted by one at a time. */
async function findTargets(tx: Context, me: string, names: readonly DeviceName[]): Promise<Map<string, Target>> {
  const rows = await tx.db.many<Target>(sql`
    select d.id, d.account_id, d.device_id, d.token_id from devices d join accounts a on a.id = d.account_id
    where (d.account_id, d.device_id) in (
        select * from unnest(${names.map((name) => name.account_id)}::bigint[], ${names.map((name) => name.device_id)}::text[]))
      and ${isReachable(me)}
    order by d.id for no key update of d`)
  return new Map(rows.map((row) => [`${row.account_id} ${row.device_id}`, row]))
}

/** A page of a device's mailbox, newest first. */
export async function listMessages(ctx: Context, device: DeviceRow, page: Page): Promise<EncryptedMessageRow[]> {
  const rows = await ctx.db.many<EncryptedMessageRow>(sql`
    select * from encrypted_messages m where m.device_id = ${device.id} and ${within(sql`m.id`, page)} ${ordered(sql`m.id`, page)}`)
  return newestFirst(rows, page)
}

/** One message; null when it was cleared. */
export const findMessage = (ctx: Context, id: string): Promise<EncryptedMessageRow | null> =>
  ctx.db.maybe<EncryptedMessageRow>(sql`select * from encrypted_messages where id = ${id}`)

/** Empties a device's mailbox up to and including a message. */
export async function clearMessages(ctx: Context, device: DeviceRow, upToId: string): Promise<void> {
  await ctx.db.run(sql`delete from encrypted_messages where device_id = ${device.id} and id <= ${upToId}`)
}
