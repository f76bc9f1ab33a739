import { setTimeout as delay } from 'node:timers/promises'
import { startTestServer, type TestServer } from './server.ts'

export type Network<Name extends string> = Record<Name, TestServer> & {
  /** Waits until no server has a job that is due or running. */
  drain(): Promise<void>
  stop(): Promise<void>
}

/**
 * Starts servers that federate with each other over loopback. Each has its own port, and so its own domain: handles are
 * `ada@localhost:PORT`.
 */
export async function startNetwork<const Name extends string>(
  names: readonly Name[],
  env: NodeJS.ProcessEnv = {},
): Promise<Network<Name>> {
  const servers = await Promise.all(names.map(async (name) => [name, await startTestServer(env)] as const))
  const all = servers.map(([, server]) => server)
  return Object.assign(Object.fromEntries(servers) as Record<Name, TestServer>, {
    drain: () => drainAll(all),
    async stop() {
      await Promise.all(all.map((server) => server.stop()))
    },
  })
}

/** Waits until the queues of all servers are empty at the same time: the jobs of one create jobs of another. */
async function drainAll(servers: readonly TestServer[], seconds = 120): Promise<void> {
  for (const end = Date.now() + seconds * 1000; ;) {
    for (const server of servers) await server.drain()
    if (!(await isBusy(servers))) return
    if (Date.now() > end) throw new Error(`the servers were still busy after ${seconds} s`)
    await delay(10)
  }
}

async function isBusy(servers: readonly TestServer[]): Promise<boolean> {
  const counts = await Promise.all(
    servers.map(async ({ database }) => {
      const { rows } = await database.raw(`select exists (select from pgboss.job
        where name not like '\\_\\_%' and (state = 'active' or (state in ('created', 'retry') and start_after <= now()))) as busy`)
      return (rows[0] as { busy: boolean }).busy
    }),
  )
  return counts.includes(true)
}

/** As `user@domain`. */
export const handleOf = (server: TestServer, person: { username: string }): string =>
  `${person.username}@${server.domain}`
