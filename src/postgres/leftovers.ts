import { existsSync, readdirSync, readFileSync, readlinkSync, realpathSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** For a PostgreSQL that outlived its Rookery; waits `ms` after each signal. */
const ESCALATION = [
  { signal: 'SIGINT', ms: 1000 },
  { signal: 'SIGQUIT', ms: 2000 },
  { signal: 'SIGKILL', ms: 5000 },
] as const

/** Only the holder of the data directory's lock may call this. Returns the number of stopped processes. */
export async function stopLeftovers(clusterDir: string): Promise<number> {
  const pidFile = join(clusterDir, 'postmaster.pid')
  if (!existsSync(pidFile)) return 0
  const postmaster = Number.parseInt(readFileSync(pidFile, 'utf8'), 10)
  const found = listProcesses(clusterDir)
  if (found === null) return stopByPid(pidFile, postmaster)
  if (found.length === 0) {
    // Another program may have the pid now, and PostgreSQL would take it for a running server.
    rmSync(pidFile, { force: true })
    return 0
  }
  for (const { signal, ms } of ESCALATION) {
    const running = listProcesses(clusterDir) ?? []
    // Without their postmaster, idle processes end by themselves.
    const targets = running.includes(postmaster) && signal !== 'SIGKILL' ? [postmaster] : running
    for (const pid of targets) send(pid, signal)
    if (await until(() => listProcesses(clusterDir)?.length === 0, ms)) break
  }
  return found.length
}

/** Finds PostgreSQL's processes by their working directory; null without /proc. */
function listProcesses(clusterDir: string): number[] | null {
  if (!existsSync('/proc/self/cwd')) return null
  const folder = realpathSync(clusterDir)
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readlinkSync(`/proc/${pid}/cwd`) === folder && readlinkSync(`/proc/${pid}/exe`).endsWith('/postgres')
      } catch {
        return false
      }
    })
    .map(Number)
}

async function stopByPid(pidFile: string, postmaster: number): Promise<number> {
  if (!send(postmaster, 0)) return 0
  for (const { signal, ms } of ESCALATION) {
    send(postmaster, signal)
    if (await until(() => !existsSync(pidFile) || !send(postmaster, 0), ms)) break
  }
  return 1
}

function send(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal)
  } catch {
    return false
  }
}

async function until(done: () => boolean, ms: number): Promise<boolean> {
  for (const end = Date.now() + ms; Date.now() < end; await sleep(10)) if (done()) return true
  return done()
}
