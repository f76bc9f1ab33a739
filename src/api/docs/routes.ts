import type { FastifyInstance } from 'fastify'
import { type Context, perServer } from '../../context.ts'
import { getSettings } from '../../domain/server/settings.ts'
import { pageHeaders, renderPage } from '../../html/page.ts'
import { english } from '../../html/texts.ts'
import { gatherDescribed, openApi } from '../../http/openapi.ts'
import type { Route } from '../../http/route.ts'
import { once } from '../../lib/concurrency.ts'
import { VERSION } from '../../lib/version.ts'
import { docsBody, type OpenApi } from './page.ts'

const rendered = perServer(() => ({ body: null as ReturnType<typeof docsBody> | null }))

export function registerDocs(app: FastifyInstance, ctx: Context, routes: readonly Route[]): void {
  const others = gatherDescribed(app)
  const describe = once(() => openApi(routes, others, { version: VERSION, baseUrl: ctx.config.baseUrl }))
  const json = once(() => Buffer.from(JSON.stringify(describe())))
  app.get('/api/openapi.json', async (_request, reply) =>
    reply.header('cache-control', 'public, max-age=300').type('application/json; charset=utf-8').send(json()),
  )
  app.get('/api/docs', async (_request, reply) => {
    const { site_title: instanceName } = await getSettings(ctx)
    const body = (rendered(ctx).body ??= docsBody(describe() as unknown as OpenApi))
    void reply.headers({ ...pageHeaders({ https: ctx.config.https }), 'cache-control': 'public, max-age=300' })
    return reply.send(
      renderPage({ title: 'API', instanceName, body, kind: 'wide', sourceUrl: ctx.config.sourceUrl, texts: english }),
    )
  })
}
