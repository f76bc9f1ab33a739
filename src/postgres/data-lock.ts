import { spawn } from 'node:child_process'
import { closeSync, constants, ftruncateSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findTool } from './binaries.ts'
import type { Connection } from './connection.ts'

/** What the holder of the lock tells others about itself: a server, or a command that only needs the database for a while. */
export type Holder = { pid: number; role: 'server' | 'command'; connection?: Connection }

export type DataLock = {
  /** Tells others who holds the lock and, once it is ready, how the database is reached. */
  tell(holder: Holder): void
  release(): void
}

const fileOf = (dataDir: string): string => join(dataDir, 'rookery.lock')

/**
 * Takes the one lock on a data directory, waiting up to `waitMs` for it; null when somebody else has it. The kernel
 * drops it when its holder dies in whatever way, so it is never stale.
 */
export async function takeLock(dataDir: string, waitMs = 0): Promise<DataLock | null> {
  const flock = findTool('flock')
  if (!flock) return takePidLock(dataDir, waitMs)
  const fd = openSync(fileOf(dataDir), constants.O_RDWR | constants.O_CREAT, 0o600)
  // The lock belongs to the open file that the tool inherits from here: it stays when the tool ends.
  const tool = spawn(flock, ['-x', '-w', String(waitMs / 1000), '3'], { stdio: ['ignore', 'ignore', 'ignore', fd] })
  const code = await new Promise((resolve, reject) => tool.once('error', reject).once('exit', resolve))
  if (code !== 0) {
    closeSync(fd)
    return null
  }
  return {
    tell(holder) {
      ftruncateSync(fd)
      writeSync(fd, JSON.stringify(holder), 0)
    },
    release() {
      ftruncateSync(fd)
      closeSync(fd)
    },
  }
}

/** Who holds the lock, as far as it has told; null when it has not yet. */
export function readHolder(dataDir: string): Holder | null {
  try {
    return JSON.parse(readFileSync(fileOf(dataDir), 'utf8')) as Holder
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (error instanceof SyntaxError || code === 'ENOENT') return null
    throw error
  }
}

/** For systems without flock(1): a file that only its maker could make, void when that process is gone. */
export async function takePidLock(dataDir: string, waitMs: number): Promise<DataLock | null> {
  const file = fileOf(dataDir)
  const until = Date.now() + waitMs
  for (;;) {
    try {
      writeFileSync(file, JSON.stringify({ pid: process.pid, role: 'command' } satisfies Holder), {
        flag: 'wx',
        mode: 0o600,
      })
      break
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
    const holder = readHolder(dataDir)
    if (holder && !isAlive(holder.pid)) rmSync(file, { force: true })
    else if (Date.now() >= until) return null
    else await sleep(50)
  }
  return {
    tell: (holder) => writeFileSync(file, JSON.stringify(holder)),
    release: () => rmSync(file, { force: true }),
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
