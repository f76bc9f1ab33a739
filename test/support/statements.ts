import type { TestServer } from './server.ts'

/**
 * How many SQL statements `act` takes: the minimum of five tries, because caches are cold at first, and because statements of jobs
 * and of the heartbeat are counted too. A statement per row shows in each try. With so few as `enough`, it does not try again.
 */
export async function statementsOf(server: TestServer, act: () => Promise<unknown>, enough = 0): Promise<number> {
  const counts: number[] = []
  while (counts.length < 5 && Math.min(...counts) > enough) {
    const before = server.database.statements
    await act()
    counts.push(server.database.statements - before)
  }
  return Math.min(...counts)
}
