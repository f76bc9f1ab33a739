import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { startBareServer, type BareServer } from './bare-server.ts'
import { fillCommunity, type Community } from './community.ts'
import { residentMemory } from './cpu.ts'
import { freePort, settle, startBenchServer, type BenchServer } from './server.ts'

export type World = Community & {
  server: BenchServer
  bare: BareServer
  /** Milliseconds from start to first response with an existing database. */
  startedIn: number
  /** Resident memory of the idle server without its database, in MB. */
  memoryAtRest: number
  /** How many pairs the row of favourites has used. */
  newFavourites: number
  stop(): Promise<void>
}

type Saved = { port: number; community: Community; newFavourites: number }

/** Milliseconds before the memory of the idle server is measured. */
const REST = 5000

/**
 * Starts a server that is filled while it runs. A folder in `data` stays and is opened again by the next run; otherwise a
 * temporary one is filled anew.
 */
export async function openWorld(options: {
  statuses: number
  data: string | null
  progress(text: string): void
}): Promise<World> {
  const dataDir = options.data ? resolve(options.data) : mkdtempSync(join(tmpdir(), 'rookery-bench-'))
  const file = join(dataDir, 'bench.json')
  const saved = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Saved) : null
  const port = saved?.port ?? (await freePort())
  // The first start creates the database, which is not measured.
  if (!saved) await (await startBenchServer(dataDir, port)).stop()
  const server = await startBenchServer(dataDir, port)
  let bare: BareServer | null = null
  const stop = async (): Promise<void> => {
    bare?.stop()
    await server.stop()
    if (!options.data) rmSync(dataDir, { recursive: true, force: true })
  }
  try {
    bare = await startBareServer()
    await delay(REST)
    const memoryAtRest = residentMemory(server.pid)
    const community = saved?.community ?? (await fillCommunity(server.target, server.env, options))
    await settle(server.pid)
    const world = {
      ...community,
      server,
      bare,
      startedIn: server.startedIn,
      memoryAtRest,
      newFavourites: saved?.newFavourites ?? 0,
    }
    const save = (): void =>
      writeFileSync(file, JSON.stringify({ port, community, newFavourites: world.newFavourites }))
    if (options.data) save()
    return Object.assign(world, {
      async stop(): Promise<void> {
        if (options.data) save()
        await stop()
      },
    })
  } catch (error) {
    await stop()
    throw error
  }
}
