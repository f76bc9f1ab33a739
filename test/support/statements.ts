import type { TestServer } from './server.ts'

/**
 * How many SQL statements `act` takes: the minimum of five tries, because caches are cold at first, and because statements of jobs
 * and of the heartbeat are counted too. A statement per row shows in each try.
 */
export async function statementsOf(server: TestServer, act: () => Promise<unknown>): Promise<number> {
  const counts: number[] = []
  while (counts.length < 5) {
    const before = server.database.statements
    await act()
    counts.push(server.database.statements - before)
  }
  return Math.min(...counts)
}
