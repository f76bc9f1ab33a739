import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { startBareServer, type BareServer } from './bare-server.ts'
import { fillCommunity, type Community } from './community.ts'
import { temporaryFolder } from './folders.ts'
import { freePort, settle, startBenchServer, type BenchServer } from './server.ts'

export type World = Community & {
  server: BenchServer
  bare: BareServer
  /** How many pairs the row of favourites has used. */
  newFavourites: number
  stop(): Promise<void>
}

type Saved = { port: number; community: Community; newFavourites: number }

/**
 * Starts a server that is filled while it runs. A folder in `data` stays and is opened again by the next run; otherwise a
 * temporary one is filled anew.
 */
export async function openWorld(options: {
  statuses: number
  data: string | null
  progress(text: string): void
}): Promise<World> {
  const dataDir = options.data ? resolve(options.data) : temporaryFolder()
  const file = join(dataDir, 'bench.json')
  const saved = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Saved) : null
  const port = saved?.port ?? (await freePort())
  const server = await startBenchServer(dataDir, port)
  let bare: BareServer | null = null
  const stop = async (): Promise<void> => {
    bare?.stop()
    await server.stop()
  }
  try {
    bare = await startBareServer()
    const community = saved?.community ?? (await fillCommunity(server.target, server.env, options))
    await settle(server.pid)
    const world = {
      ...community,
      server,
      bare,
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
