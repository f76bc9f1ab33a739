import type { Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'
import { storableIp } from './users.ts'

/** An IP address, and when the user last used it. */
export type UsedAddress = { user_id: string; ip: string; used_at: Date }

const MAX_ADDRESSES = 50

/**
 * The addresses from which users signed up, signed in and used applications, the most recently used first; at most 50 per
 * user.
 */
export async function listUsedAddresses(ctx: Context, userIds: readonly string[]): Promise<Map<string, UsedAddress[]>> {
  const rows = await ctx.db.many<UsedAddress>(sql`
    with used as (
      select id as user_id, sign_up_ip as ip, created_at as used_at from users where id = any(${userIds}::bigint[])
      union all select user_id, ip, last_seen_at from sessions where user_id = any(${userIds}::bigint[])
      union all select user_id, last_used_ip, last_used_at from oauth_tokens where user_id = any(${userIds}::bigint[])),
    latest as (select user_id, ip, max(used_at) as used_at from used where ip is not null group by user_id, ip)
    select user_id, host(ip) as ip, used_at from (
      select user_id, ip, used_at, row_number() over (partition by user_id order by used_at desc) as rank from latest) as ranked
    where rank <= ${MAX_ADDRESSES} order by user_id, used_at desc`)
  return Map.groupBy(rows, ({ user_id }) => user_id)
}

/** Bits: an address that shares them with one used before is likely the same home, office or phone network. */
const NETWORK = { v4: 16, v6: 64 }

/** Whether the user has signed in before, but never from the network of this address. */
export async function isNewNetwork(ctx: Context, userId: string, ip: string | null): Promise<boolean> {
  const address = storableIp(ip)
  if (address === null) return false
  const row = await ctx.db.one<{ is_new: boolean }>(sql`
    with used as (
      select ip from sessions where user_id = ${userId} and ip is not null
      union all select last_used_ip from oauth_tokens where user_id = ${userId} and last_used_ip is not null),
    here as (
      select network(set_masklen(${address}::inet,
        case family(${address}::inet) when 4 then ${NETWORK.v4}::int else ${NETWORK.v6}::int end)) as network)
    select exists (select from used)
      and not exists (select from used, here where family(used.ip) = family(here.network) and used.ip <<= here.network)
      and not exists (select from users u, here where u.id = ${userId} and u.sign_up_ip <<= here.network) as is_new`)
  return row.is_new
}
