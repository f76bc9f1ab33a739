/**
 * Runs `work`, and returns the milliseconds of processor time that this process, in which the servers of the tests run, spent
 * meanwhile. Other load on the machine does not count.
 */
export async function cpuTime(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}
