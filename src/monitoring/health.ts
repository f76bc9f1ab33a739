import type { FastifyInstance } from 'fastify'
import type { Context } from '../context.ts'
import { findUnready } from '../domain/server/readiness.ts'

/** `/health` says that the process answers, `/health/ready` that it can serve: for load balancers. */
export function registerHealth(app: FastifyInstance, ctx: Context): void {
  const described = (summary: string): object => ({ config: { describes: [{ summary, answers: 'text/plain' }] } })
  app.get('/health', described('Whether the server runs'), async (_request, reply) =>
    reply.header('cache-control', 'no-store').type('text/plain; charset=utf-8').send('OK'),
  )
  app.get(
    '/health/ready',
    described('Whether the server can serve requests: 503 with `database`, `migrations` or `jobs` otherwise'),
    async (_request, reply) => {
      const unready = await findUnready(ctx)
      void reply.header('cache-control', 'no-store').type('text/plain; charset=utf-8')
      return unready === null ? reply.send('OK') : reply.status(503).header('retry-after', '5').send(unready)
    },
  )
}
