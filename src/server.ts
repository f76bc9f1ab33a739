import type { FastifyInstance } from 'fastify'
import type { AddressInfo } from 'node:net'
import { openBackend } from './backend.ts'
import type { Config } from './config.ts'
import type { OpenConnection } from './connection.ts'
import type { Context } from './context.ts'
import type { Database } from './db/database.ts'
import { createHttpApp } from './http/app.ts'
import { startExporter } from './monitoring/exporter.ts'
import { registerHealth } from './monitoring/health.ts'
import { registerStreaming } from './streaming/routes.ts'
import { errorPage } from './web/error-page.ts'
import { setWorking } from './domain/server/readiness.ts'
import type { Queue } from './jobs/queue.ts'
import { scheduleCron, startWorker } from './worker/worker.ts'
import { StartError } from './lib/errors.ts'

export type Server = {
  ctx: Context
  app: FastifyInstance
  database: Database
  queue: Queue
  address: string
  stop(): Promise<void>
}

/**
 * `listens`: by default, processes that answer requests or serve streams do. `beforeListening` may add to the app. `connection`:
 * to a database that starts meanwhile.
 */
export type ServerOptions = {
  listens?: boolean
  beforeListening?(app: FastifyInstance): void
  connection?: Promise<OpenConnection>
}

/** Runs the roles of this process. Throws StartError with one readable line. */
export async function startServer(config: Config, options: ServerOptions = {}): Promise<Server> {
  const { roles } = config
  const isWeb = roles.includes('web')
  const { listens = isWeb || roles.includes('streaming'), beforeListening, connection } = options
  const { ctx, database, queue, close } = await openBackend(config, 'server', connection)
  try {
    const site = isWeb ? await import('./site.ts') : null
    const app = createHttpApp(ctx, { routes: site?.siteRoutes ?? [], errorPage: errorPage(ctx) })
    // First, since the documentation gathers the routes that follow.
    site?.registerSite(app, ctx)
    registerHealth(app, ctx)
    // In every process that may receive such requests.
    const streams = registerStreaming(app, ctx)
    const exporter = await startExporter(app, ctx, { database, connections: streams.count })
    beforeListening?.(app)
    await (listens ? listen(app, ctx) : app.ready())
    if (roles.includes('worker')) {
      const { handlers } = await import('./worker/handlers.ts')
      await startWorker(ctx, queue, handlers)
      await scheduleCron(ctx, queue)
    }
    setWorking(ctx, true)
    const port = (app.server.address() as AddressInfo | null)?.port ?? 0
    const stop = async (): Promise<void> => {
      setWorking(ctx, false)
      streams.close()
      await app.close()
      await exporter.close()
      await close()
    }
    return {
      ctx,
      app,
      database,
      queue,
      address: `http://${config.bind.includes(':') ? `[${config.bind}]` : config.bind}:${port}`,
      stop,
    }
  } catch (error) {
    await close()
    throw error
  }
}

async function listen(app: FastifyInstance, { config, log }: Context): Promise<void> {
  try {
    const address = await app.listen({ host: config.bind, port: config.port })
    log.info({ address }, 'server.listening')
  } catch (error) {
    const { code } = error as { code?: string }
    if (code === 'EADDRINUSE')
      throw new StartError(
        `Port ${config.port} is in use. Stop the program that uses it, or choose another port: PORT=3001 npm start`,
      )
    if (code === 'EACCES')
      throw new StartError(
        `Port ${config.port} needs more rights than this user has. Choose one above 1023: PORT=3000 npm start`,
      )
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
      throw new StartError(`BIND=${config.bind} is not an address of this machine. Use localhost, or 0.0.0.0 for all.`)
    throw error
  }
}
