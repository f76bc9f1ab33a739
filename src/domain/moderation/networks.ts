import { isIP } from 'node:net'
import { sql, type Sql } from '../../db/sql.ts'

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
