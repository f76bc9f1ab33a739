import type { Server } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../context.ts'
import type { Config } from '../config.ts'
import { StartError } from '../lib/errors.ts'
import type { Log } from '../lib/log.ts'
import type { Measured } from './metrics.ts'

type Figures = { contentType: string; metrics(): Promise<string> }

/** Serves the figures of this process, or offers them to the primary process, which serves those of all. Throws StartError. */
export async function startExporter(
  app: FastifyInstance,
  ctx: Context,
  measured: Measured,
): Promise<{ close(): Promise<void> }> {
  const { metrics } = ctx.config
  if (metrics === null) return { close: async () => {} }
  // Not loaded by a server that does not use it.
  const { measure, offerFigures } = await import('./metrics.ts')
  const registry = measure(app, ctx, measured)
  const { processName } = ctx.config
  if (processName === null) return serveFigures(metrics, ctx.log, registry)
  offerFigures(registry, processName)
  return { close: async () => {} }
}

/** Serves /metrics for Prometheus on an address of its own, which should not be public. Throws StartError. */
async function serveFigures(
  address: NonNullable<Config['metrics']>,
  log: Log,
  registry: Figures,
): Promise<{ close(): Promise<void> }> {
  const { createServer } = await import('node:http')
  const server = createServer((request, response) => {
    const isKnown = request.method === 'GET' && request.url?.split('?')[0] === '/metrics'
    if (!isKnown) return void response.writeHead(404, { 'content-type': 'text/plain' }).end('Not found\n')
    registry.metrics().then(
      (text) => response.writeHead(200, { 'content-type': registry.contentType }).end(text),
      (error: unknown) => {
        log.warn({ err: error }, 'metrics.failed')
        response.writeHead(500).end()
      },
    )
  })
  await listen(server, address)
  return {
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** In the primary process: serves the figures of all processes. Throws StartError. */
export async function shareFigures(
  address: NonNullable<Config['metrics']>,
  log: Log,
): Promise<{ close(): Promise<void> }> {
  const { AggregatorRegistry } = await import('prom-client')
  const all = new AggregatorRegistry()
  return serveFigures(address, log, { contentType: all.contentType, metrics: () => all.clusterMetrics() })
}

function listen(server: Server, { host, port }: { host: string; port: number }): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        new StartError(
          `Metrics cannot be served at ${host}:${port} (${error.code ?? error.message}). Set MASTODON_PROMETHEUS_EXPORTER_HOST to an address of this machine, and MASTODON_PROMETHEUS_EXPORTER_PORT to a free port.`,
          { cause: error },
        ),
      ),
    )
    server.listen(port, host, resolve)
  })
}
