import { isIP } from 'node:net'
import type { Context } from '../../context.ts'
import { sql, type Sql } from '../../db/sql.ts'

/** An address from which a user signed up, or used a session or a token. */
export type IpUse = { ip: string; used_at: Date }

const MAX_PER_ACCOUNT = 20

/** The latest first. Accounts without addresses have no entry. */
export async function findIpUses(ctx: Context, accountIds: readonly string[]): Promise<Map<string, IpUse[]>> {
  const rows = await ctx.db.many<IpUse & { account_id: string }>(sql`
    select u.account_id, used.ip, used.used_at from users u cross join lateral (
      select host(uses.ip) as ip, max(uses.used_at) as used_at from (
        select u.sign_up_ip as ip, u.created_at as used_at
        union all select s.ip, s.last_seen_at from sessions s where s.user_id = u.id
        union all select t.last_used_ip, t.last_used_at from oauth_tokens t where t.user_id = u.id and t.last_used_at is not null
      ) uses where uses.ip is not null group by uses.ip order by 2 desc, 1 limit ${MAX_PER_ACCOUNT}
    ) used
    where u.account_id = any(${accountIds}::bigint[]) order by u.account_id, used.used_at desc, used.ip`)
  const uses = new Map<string, IpUse[]>()
  for (const { account_id, ip, used_at } of rows)
    uses.set(account_id, [...(uses.get(account_id) ?? []), { ip, used_at }])
  return uses
}

/** Whether the user `u` used an address of the network, an inet such as 192.0.2.0/24. */
export const hasUsedNetwork = (network: string): Sql => sql`u.id in (
  select id from users where sign_up_ip <<= ${network}::inet
  union select user_id from sessions where ip <<= ${network}::inet
  union select user_id from oauth_tokens where last_used_ip <<= ${network}::inet)`

/** An address, or a network such as 192.0.2.0/24, in the form of PostgreSQL's inet. Null for other text. */
export function parseNetwork(text: string): string | null {
  const [address = '', bits, ...rest] = text.trim().split('/')
  const version = isIP(address)
  if (version === 0 || address.includes('%') || rest.length > 0) return null
  if (bits === undefined) return address
  return /^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128) ? `${address}/${bits}` : null
}
