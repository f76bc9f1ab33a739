import type { Context } from '../../context.ts'
import { sql, type Sql } from '../../db/sql.ts'
import { isShown } from '../accounts/find.ts'
import type { DeviceRow } from './devices.ts'
import { hasBlockBetween } from '../relationships/hidden.ts'

/** A device of somebody, as the client calls it. */
export type DeviceName = { account_id: string; device_id: string }
export type ClaimedKey = DeviceName & { key_id: string; key: string; signature: string }

/** Whether private messages may pass between `me` and an account `a`: it is of this server, usable, and neither blocks the other. */
export function isReachable(me: string): Sql {
  return sql`(a.domain is null and a.suspended_at is null and ${isShown} and not ${hasBlockBetween(sql`a.id`, me)})`
}

/** The devices of accounts, by account. Who cannot be reached has no entry, who has no device an empty one. */
export async function findDevicesOf(
  ctx: Context,
  me: string,
  accountIds: readonly string[],
): Promise<{ account_id: string; devices: DeviceRow[] }[]> {
  const rows = await ctx.db.many<{ account_id: string; devices: DeviceRow[] }>(sql`
    select a.id as account_id, coalesce((select json_agg(d order by d.id) from devices d where d.account_id = a.id), '[]') as devices
    from accounts a where a.id = any(${accountIds}::bigint[]) and ${isReachable(me)}`)
  const byId = new Map(rows.map((row) => [row.account_id, row]))
  return [...new Set(accountIds)].flatMap((id) => byId.get(id) ?? [])
}

/**
 * Hands out one random one-time key of each device, and deletes it: nobody is given it again, however many ask at once. Devices
 * that are not there, or have no keys, are left out.
 */
export async function claimKeys(ctx: Context, me: string, names: readonly DeviceName[]): Promise<ClaimedKey[]> {
  const rows = await ctx.db.many<ClaimedKey>(sql`
    with wanted as materialized (
      select distinct d.id, d.account_id, d.device_id
      from unnest(${names.map((name) => name.account_id)}::bigint[], ${names.map((name) => name.device_id)}::text[]) as asked (account_id, device_id)
        join devices d on d.account_id = asked.account_id and d.device_id = asked.device_id
        join accounts a on a.id = d.account_id
      where ${isReachable(me)}
    ), chosen as materialized (
      select w.account_id, w.device_id, k.id from wanted w cross join lateral (
        select id from one_time_keys where device_id = w.id order by random() limit 1 for update skip locked) k
    )
    delete from one_time_keys k using chosen c where k.id = c.id
    returning c.account_id, c.device_id, k.key_id, k.key, k.signature`)
  const place = (row: DeviceName): number =>
    names.findIndex((name) => name.account_id === row.account_id && name.device_id === row.device_id)
  return rows.toSorted((a, b) => place(a) - place(b))
}
