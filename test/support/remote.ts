import { newId } from '../../src/lib/ids.ts'
import type { TestServer } from './server.ts'

/** Returns the account's id. Its server need not exist. */
export async function remoteAccount(
  server: TestServer,
  username: string,
  domain = 'far.test',
  columns: Record<string, unknown> = {},
): Promise<string> {
  const id = newId()
  const base = `https://${domain}`
  const row = {
    id,
    username,
    domain,
    uri: `${base}/users/${username}`,
    url: `${base}/@${username}`,
    inbox_url: `${base}/users/${username}/inbox`,
    fetched_at: new Date(),
    ...columns,
  }
  const names = Object.keys(row)
  await server.database.raw(
    `insert into accounts (${names.join(', ')}) values (${names.map((_, i) => `$${i + 1}`).join(', ')})`,
    Object.values(row),
  )
  await server.database.raw('insert into account_stats (account_id) values ($1)', [id])
  return id
}

/** Activities for other servers, in the order of their creation. */
export async function distributed(server: TestServer, accountId: string): Promise<Record<string, unknown>[]> {
  const { rows } = await server.database.raw(
    `select data from pgboss.job where name = 'federation.distribute' and data ->> 'accountId' = $1 order by created_on, id`,
    [accountId],
  )
  return rows.map((row: { data: Record<string, unknown> }) => row.data)
}
