import { readFileSync } from 'node:fs'

/** Ticks per second in /proc, on every architecture that Node runs on. */
const TICKS = 100

/**
 * The CPU seconds of the processes that this one started and that have ended, with what they started in turn. Comparable
 * between a quiet machine and a busy one, as durations are not. Zero where there is no /proc.
 */
export function secondsOfChildren() {
  try {
    const stat = readFileSync('/proc/self/stat', 'utf8')
    // The second field is a name, which may contain spaces.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return (Number(fields[13]) + Number(fields[14])) / TICKS
  } catch {
    return 0
  }
}

/** The CPU seconds of this process and its children. */
export function cpuSeconds() {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6 + secondsOfChildren()
}
