import type { FastifyInstance } from 'fastify'
import type { Context } from '../context.ts'
import { findState, isReady } from '../domain/server/readiness.ts'

/** `/health` says that the process answers, `/health/ready` that it can serve: for load balancers. */
export function registerHealth(app: FastifyInstance, ctx: Context): void {
  const described = (summary: string): object => ({ config: { describes: [{ summary, contentType: 'text/plain' }] } })
  app.get('/health', described('Whether the server runs'), async (_request, reply) =>
    reply.header('cache-control', 'no-store').type('text/plain; charset=utf-8').send('OK'),
  )
  app.get(
    '/health/ready',
    described(
      'Whether the server can serve requests: `OK`, or `read-only` or `disk` while it takes no posts; otherwise 503 with `database`, `migrations` or `jobs`',
    ),
    async (_request, reply) => {
      const state = await findState(ctx)
      void reply.header('cache-control', 'no-store').type('text/plain; charset=utf-8')
      return isReady(state) ? reply.send(state) : reply.status(503).header('retry-after', '5').send(state)
    },
  )
}
