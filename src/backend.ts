import { join } from 'node:path'
import { createFetch } from './net/gate.ts'
import { openBus } from './bus/bus.ts'
import type { Config, ProcessRole } from './config.ts'
import { makeContext, type Context } from './context.ts'
import { openDatabase, type Database } from './db/database.ts'
import { connectOrStart, startEmbedded } from './postgres/embedded.ts'
import { migrate } from './db/migrate.ts'
import { budgetedStore } from './domain/media/cache.ts'
import { admitRequest } from './domain/peers/budgets.ts'
import { isDomainAllowed } from './domain/peers/domain-policy.ts'
import { getSecrets } from './domain/server/secrets.ts'
import { createDiskStore } from './files/disk.ts'
import { openQueue, type Queue } from './jobs/queue.ts'
import { StartError } from './lib/errors.ts'
import { createLog, type Log } from './lib/log.ts'
import { makePrivate } from './lib/folders.ts'
import { userAgent } from './lib/version.ts'

export type Backend = { ctx: Context; database: Database; queue: Queue; close(): Promise<void> }

/** A command prints its result to stdout, so its log goes to stderr. */
const logOf = (config: Config, role: ProcessRole): Log =>
  createLog(config.logLevel, role === 'command' ? 'stderr' : 'stdout')

/** Without DATABASE_URL, opens the embedded database and starts it if needed. Does not migrate. Throws StartError. */
export async function openConnection(
  config: Config,
  role: ProcessRole,
  log = logOf(config, role),
): Promise<{ database: Database; close(): Promise<void> }> {
  const onError = (error: Error): void => log.warn({ err: error }, 'database.connection-lost')
  const embedded =
    config.databaseUrl !== null
      ? null
      : await (role === 'server' ? startEmbedded : connectOrStart)({ dataDir: config.dataDir, log })
  if (!embedded && role === 'server' && !makePrivate(config.dataDir))
    log.warn({ dataDir: config.dataDir }, 'data-directory.not-private')
  const connection = embedded?.connection ?? { connectionString: config.databaseUrl as string }
  const database = openDatabase({
    connection,
    poolSize: config.databasePool,
    readers: role === 'server' ? 3 : 1,
    onError,
  })
  const close = async (): Promise<void> => {
    await database.close()
    await embedded?.stop()
  }
  try {
    await checkConnection(database)
  } catch (error) {
    await close()
    throw error
  }
  return { database, close }
}

/** Migrates the database. Throws StartError. */
export async function openBackend(config: Config, role: ProcessRole): Promise<Backend> {
  const log = logOf(config, role)
  const { database, close: closeConnection } = await openConnection(config, role, log)
  const closers: (() => Promise<unknown>)[] = [closeConnection]
  const close = async (): Promise<void> => {
    for (const closer of closers.splice(0).toReversed())
      await closer().catch((error: unknown) => log.error({ err: error }, 'backend.close-failed'))
  }
  const onError = (error: Error): void => log.warn({ err: error }, 'database.connection-lost')
  try {
    await migrate(database)
    const queue = await openQueue(database, role, onError)
    closers.push(() => queue.stop())
    const bus = await openBus(database, onError)
    closers.push(() => bus.close())
    const fetch = createFetch({
      userAgent: userAgent(config.baseUrl),
      allowedPrivateAddresses: config.allowedPrivateAddresses,
      allowHttp: false,
      isDomainAllowed: (host) => isDomainAllowed(ctx, host),
      admit: (host, kind) => admitRequest(ctx, host, kind),
    })
    closers.push(() => fetch.close())
    const disk = createDiskStore({ root: join(config.dataDir, 'files'), baseUrl: `${config.baseUrl}/files` })
    const files = budgetedStore(disk, () => ctx)
    const ctx = makeContext({ config, log, fetch, files, database, queue, bus })
    await getSecrets(ctx)
    return { ctx, database, queue, close }
  } catch (error) {
    await close()
    throw error
  }
}

async function checkConnection(database: Database): Promise<void> {
  try {
    await database.raw('select 1')
  } catch (error) {
    const cause = (error as Error).cause ?? error
    const reason = (cause as Error).message || (cause as { code?: string }).code
    throw new StartError(
      `The database cannot be reached (${reason}). Check DATABASE_URL, or unset it to use the embedded PostgreSQL.`,
      { cause: error },
    )
  }
}
