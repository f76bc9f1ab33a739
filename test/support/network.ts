import { setTimeout as delay } from 'node:timers/promises'
import { DRAIN_SECONDS, startTestServer, unfinishedJobs, type TestServer } from './server.ts'

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
async function drainAll(servers: readonly TestServer[]): Promise<void> {
  for (const end = Date.now() + DRAIN_SECONDS * 1000; ;) {
    for (const server of servers) await server.drain()
    if ((await Promise.all(servers.map(unfinishedJobs))).every((jobs) => jobs.length === 0)) return
    if (Date.now() > end) throw new Error(`the servers were still busy after ${DRAIN_SECONDS} s`)
    await delay(10)
  }
}

/** As `user@domain`. */
export const handleOf = (server: TestServer, person: { username: string }): string =>
  `${person.username}@${server.domain}`
