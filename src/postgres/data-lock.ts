import { spawn, spawnSync, type StdioOptions } from 'node:child_process'
import { closeSync, constants, ftruncateSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findTool } from './binaries.ts'
import type { Connection } from './connection.ts'

export type LockHolder = { pid: number; role: 'server' | 'command'; connection?: Connection }

export type DataLock = {
  /** Omit `connection` until the database is ready. */
  writeHolder(holder: LockHolder): void
  release(): void
}

const fileOf = (dataDir: string): string => join(dataDir, 'rookery.lock')

/**
 * Waits up to `waitMs`; null while another process holds the lock. The kernel releases it when its holder ends, so it is never
 * stale.
 */
export async function takeLock(dataDir: string, waitMs = 0): Promise<DataLock | null> {
  const flock = findTool('flock')
  if (!flock) return takePidLock(dataDir, waitMs)
  const fd = openSync(fileOf(dataDir), constants.O_RDWR | constants.O_CREAT, 0o600)
  // The lock belongs to the open file, which flock inherits, so it outlives the flock process.
  const stdio: StdioOptions = ['ignore', 'ignore', 'ignore', fd]
  // Nearly always free: taken at once, so that PostgreSQL starts before this process loads the rest of its code.
  let code: unknown = spawnSync(flock, ['-x', '-n', '3'], { stdio }).status
  if (code !== 0 && waitMs > 0) {
    const tool = spawn(flock, ['-x', '-w', String(waitMs / 1000), '3'], { stdio })
    code = await new Promise((resolve, reject) => tool.once('error', reject).once('exit', resolve))
  }
  if (code !== 0) {
    closeSync(fd)
    return null
  }
  return {
    writeHolder(holder) {
      ftruncateSync(fd)
      writeSync(fd, JSON.stringify(holder), 0)
    },
    release() {
      ftruncateSync(fd)
      closeSync(fd)
    },
  }
}

/** Null while the lock file names no holder. */
export function readHolder(dataDir: string): LockHolder | null {
  try {
    return JSON.parse(readFileSync(fileOf(dataDir), 'utf8')) as LockHolder
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (error instanceof SyntaxError || code === 'ENOENT') return null
    throw error
  }
}

/** For systems without flock(1): an exclusively created file, which is invalid once its process has ended. */
export async function takePidLock(dataDir: string, waitMs: number): Promise<DataLock | null> {
  const file = fileOf(dataDir)
  const until = Date.now() + waitMs
  for (;;) {
    try {
      writeFileSync(file, JSON.stringify({ pid: process.pid, role: 'command' } satisfies LockHolder), {
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
    writeHolder: (holder) => writeFileSync(file, JSON.stringify(holder)),
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
