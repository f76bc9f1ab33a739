import { createServer, type Server } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../context.ts'
import { StartError } from '../lib/errors.ts'
import type { Measured } from './metrics.ts'

/** Serves /metrics for Prometheus on an address of its own, which should not be public. Throws StartError. */
export async function startExporter(
  app: FastifyInstance,
  ctx: Context,
  measured: Measured,
): Promise<{ close(): Promise<void> }> {
  const { metrics } = ctx.config
  if (metrics === null) return { close: async () => {} }
  // Not loaded by a server that does not use it.
  const { measure } = await import('./metrics.ts')
  const registry = measure(app, ctx, measured)
  const server = createServer((request, response) => {
    const isKnown = request.method === 'GET' && request.url?.split('?')[0] === '/metrics'
    if (!isKnown) return void response.writeHead(404, { 'content-type': 'text/plain' }).end('Not found\n')
    registry.metrics().then(
      (text) => response.writeHead(200, { 'content-type': registry.contentType }).end(text),
      (error: unknown) => {
        ctx.log.warn({ err: error }, 'metrics.failed')
        response.writeHead(500).end()
      },
    )
  })
  await listen(server, metrics)

  return {
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function listen(server: Server, { host, port }: { host: string; port: number }): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        new StartError(
          `Metrics cannot be served at ${host}:${port} (${error.code ?? error.message}). Set MASTODON_PROMETHEUS_EXPORTER_PORT to another port.`,
          { cause: error },
        ),
      ),
    )
    server.listen(port, host, resolve)
  })
}
