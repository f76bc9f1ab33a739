// A server of its own where one author has very many local followers, who are written by SQL.
import { setTimeout as delay } from 'node:timers/promises'
import { openConnection, type OpenConnection } from '../../src/connection.ts'
import { readConfig } from '../../src/config.ts'
import { idAt } from '../../src/lib/ids.ts'
import { createUsers, type User } from './community.ts'
import { temporaryFolder } from './folders.ts'
import { freePort, settle, startBenchServer, type BenchServer } from './server.ts'

export type Crowd = {
  server: BenchServer
  author: User
  /** Followers with tokens, spread evenly among the others; the last of them followed last. */
  readers: User[]
  followers: number
  /** Waits until jobs have written all posts to the feeds. */
  written(): Promise<void>
  stop(): Promise<void>
}

const READERS = 20
const BATCH = 10_000
const DAY = 86_400_000

export async function openCrowd(followers: number, progress: (text: string) => void): Promise<Crowd> {
  const server = await startBenchServer(temporaryFolder(), await freePort())
  try {
    const names = ['author', ...Array.from({ length: READERS }, (_, i) => `reader${i}`)]
    const [author, ...readers] = (await createUsers(server.env, names)) as [User, ...User[]]
    await addFollowers(server, author, readers, { followers, progress })
    await settle(server.pid, 60_000)
    const { database, close } = await connectTo(server)
    return {
      server,
      author,
      readers,
      followers,
      async written() {
        while ((await database.raw('select from running_fan_outs limit 1')).rows.length > 0) await delay(10)
      },
      stop: () => close().then(server.stop),
    }
  } catch (error) {
    await server.stop()
    throw error
  }
}

const connectTo = ({ env }: BenchServer): Promise<OpenConnection> =>
  openConnection(readConfig({ ...env, LOG_LEVEL: 'error' }), 'command')

/** All have a home feed that they read today. */
async function addFollowers(
  server: BenchServer,
  author: User,
  readers: readonly User[],
  { followers, progress }: { followers: number; progress(text: string): void },
): Promise<void> {
  const { database, close } = await connectTo(server)
  const firstId = idAt(new Date(Date.now() - 100 * DAY))
  const others = followers - readers.length
  try {
    for (let from = 0; from < others; from += BATCH) {
      await database.raw(
        `with account as (
          insert into accounts (id, username) select $1::bigint + n, 'follower' || n from generate_series($2::int, $3::int) n returning id
        ), stats as (
          insert into account_stats (account_id, following_count) select id, 1 from account
        ), feed as (
          insert into home_feeds (account_id, built_at) select id, now() from account
        )
        insert into users (id, account_id, email, password_hash, role_id, confirmed_at, last_active_at)
        select id, id, id || '@localhost', 'none', -99, now(), now() from account`,
        [firstId, from, Math.min(from + BATCH, others) - 1],
      )
      progress(`${Math.min(from + BATCH, others)} followers`)
    }
    await database.raw(
      `insert into follows (id, account_id, target_account_id)
      select $1::bigint + row_number() over (order by place, account_id), account_id, $2 from (
        select $1::bigint + n, n::float8 from generate_series(0, $3::int - 1) n
        union all select id, i * ($3::float8 / cardinality($4::bigint[])) from unnest($4::bigint[]) with ordinality r (id, i)
      ) f (account_id, place)`,
      [firstId, author.id, others, readers.map(({ id }) => id)],
    )
    await database.raw('update account_stats set followers_count = $2 where account_id = $1', [author.id, followers])
    await database.raw('insert into home_feeds (account_id, built_at) select unnest($1::bigint[]), now()', [
      readers.map(({ id }) => id),
    ])
  } finally {
    await close()
  }
}
