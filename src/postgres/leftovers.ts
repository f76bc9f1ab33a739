import { existsSync, readdirSync, readFileSync, readlinkSync, realpathSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** What is sent to PostgreSQL that outlived its Rookery, and how long each is waited for. */
const ESCALATION = [
  { signal: 'SIGINT', ms: 1000 },
  { signal: 'SIGQUIT', ms: 2000 },
  { signal: 'SIGKILL', ms: 5000 },
] as const

/**
 * Ends what an earlier run left running on this cluster. Only for the holder of the data directory's lock: then whatever
 * still runs there has lost its Rookery. Gives how many processes were found.
 */
export async function endLeftovers(clusterDir: string): Promise<number> {
  const pidFile = join(clusterDir, 'postmaster.pid')
  if (!existsSync(pidFile)) return 0
  const postmaster = Number.parseInt(readFileSync(pidFile, 'utf8'), 10)
  const found = listProcesses(clusterDir)
  if (found === null) return endByPid(pidFile, postmaster)
  if (found.length === 0) {
    // Its number may be another program's by now, which PostgreSQL would take for a running server.
    rmSync(pidFile, { force: true })
    return 0
  }
  for (const { signal, ms } of ESCALATION) {
    const running = listProcesses(clusterDir) ?? []
    // Without their postmaster the others end by themselves, unless they are busy.
    const targets = running.includes(postmaster) && signal !== 'SIGKILL' ? [postmaster] : running
    for (const pid of targets) send(pid, signal)
    if (await until(() => listProcesses(clusterDir)?.length === 0, ms)) break
  }
  return found.length
}

/** PostgreSQL's processes on this cluster, which are those that stand in it; null where the system does not tell. */
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

async function endByPid(pidFile: string, postmaster: number): Promise<number> {
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
