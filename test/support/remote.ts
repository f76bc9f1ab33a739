import { sql } from '../../src/db/sql.ts'
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

/** Creates accounts of a server that does not exist, and returns their ids. */
export async function crowd(server: TestServer, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => newId())
  await server.ctx.db.run(sql`
    insert into accounts (id, username, domain, uri, created_at)
    select id, 'p' || id, 'crowd.test', 'https://crowd.test/' || id, now() - interval '1 year' from unnest(${ids}::bigint[]) id`)
  return ids
}

/** Activities for other servers, in the order of their creation. */
export async function distributed(server: TestServer, accountId: string): Promise<Record<string, unknown>[]> {
  const { rows } = await server.database.raw(
    `select data from pgboss.job where name = 'federation.distribute' and data ->> 'accountId' = $1 order by created_on, id`,
    [accountId],
  )
  return rows.map((row: { data: Record<string, unknown> }) => row.data)
}
