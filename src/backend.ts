import { createFetch } from './net/gate.ts'
import { openBus } from './bus/bus.ts'
import type { Config, ProcessKind } from './config.ts'
import { logOf, openConnection, type OpenConnection } from './connection.ts'
import { makeContext, type Context } from './context.ts'
import type { Database } from './db/database.ts'
import { ChangeLog } from './db/changes.ts'
import { migrate } from './db/migrate.ts'
import { budgetedStore } from './domain/media/cache.ts'
import { admitRequest } from './domain/peers/budgets.ts'
import { isDomainAllowed } from './domain/peers/domain-policy.ts'
import { warnOfFormerDomains } from './domain/server/former-domains.ts'
import { getSecrets } from './domain/server/secrets.ts'
import { openFileStore } from './files/open-store.ts'
import type { FileStore } from './files/store.ts'
import { fileDeleter } from './jobs/file-deletion.ts'
import { openQueue, type Queue } from './jobs/queue.ts'
import { Unavailable } from './lib/errors.ts'
import type { Log } from './lib/log.ts'
import { userAgent } from './lib/version.ts'

export type Backend = { ctx: Context; database: Database; queue: Queue; close(): Promise<void> }

/** Migrates the database. `connection`: to a database that is starting. Throws StartError. */
export async function openBackend(
  config: Config,
  kind: ProcessKind,
  connection?: Promise<OpenConnection>,
): Promise<Backend> {
  const log = logOf(config, kind)
  const { database, close: closeConnection } = await (connection ?? openConnection(config, kind, { log }))
  const closers: (() => Promise<unknown>)[] = [closeConnection]
  const close = async (): Promise<void> => {
    for (const closer of closers.splice(0).toReversed())
      await closer().catch((error: unknown) => log.error({ err: error }, 'backend.close-failed'))
  }
  const onChangesError = (error: Error): void => log.warn({ err: error }, 'change-log.failed')
  try {
    await migrate(database)
    // The primary process warns for those that it starts.
    if (kind === 'server' && config.processName === null) await warnOfFormerDomains(database, config, log)
    const changes = new ChangeLog(database, onChangesError)
    const runsJobs = kind === 'server' && config.roles.includes('worker')
    const queue = await openQueue(database, { runsJobs, onError: (error) => log.warn({ err: error }, 'queue.failed') })
    closers.push(() => queue.stop())
    const bus = await openBus(database, (error) => log.warn({ err: error }, 'bus.failed'))
    let catchingUp: Promise<void> | null = null
    closers.push(async () => {
      await bus.close()
      await catchingUp
    })
    // Processes that serve no requests use settings too.
    bus.subscribe(({ type }) => {
      if (type === 'settings.changed') catchingUp = changes.catchUp().catch(onChangesError)
    })
    const fetch = createFetch({
      userAgent: userAgent(config.baseUrl),
      allowedPrivateAddresses: config.allowedPrivateAddresses,
      allowHttp: false,
      isDomainAllowed: (host) => isDomainAllowed(ctx, host),
      admit: (host, kind) => admitRequest(ctx, host, kind),
    })
    closers.push(() => fetch.close())
    const store = openFileStore(config)
    if (kind === 'server') await checkFiles(store, log)
    const files = budgetedStore(store, () => ctx)
    const deleteFiles = fileDeleter({ files, queue, database, log })
    const ctx = makeContext({ config, log, fetch, files, database, changes, queue, bus, deleteFiles })
    await getSecrets(ctx)
    return { ctx, database, queue, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** Throws StartError. An outage ends by itself, and concerns only files. */
async function checkFiles(store: FileStore, log: Log): Promise<void> {
  try {
    await store.check()
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error
    log.warn({ err: error }, 'files.unavailable')
  }
}
