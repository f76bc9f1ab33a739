import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { STANDARD_IMAGES } from '../domain/server/addresses.ts'
import { getSettings } from '../domain/server/settings.ts'
import { CUSTOM_CSS_PATH, readSiteLook } from '../domain/server/site-uploads.ts'
import { assets, type Asset } from '../html/assets.ts'
import { describeSharedFile, etagOf, IMMUTABLE } from '../http/headers.ts'
import { NotFound } from '../lib/errors.ts'

const ONE_DAY = 'public, max-age=86400'
const ONE_HOUR = 'public, max-age=3600'

export function registerAssets(app: FastifyInstance, ctx: Context): void {
  app.get<{ Params: { '*': string } }>('/assets/*', async (request, reply) =>
    sendAsset(request, reply, `/assets/${request.params['*']}`),
  )
  for (const [name, path] of Object.entries(STANDARD_IMAGES))
    app.get(path, async (request, reply) => sendAsset(request, reply, `/assets/${name}.png`))
  app.get('/favicon.ico', async (request, reply) => {
    const { icon } = await readSiteLook(ctx)
    if (icon === null) return sendAsset(request, reply, '/favicon.ico')
    return reply.header('cache-control', ONE_HOUR).redirect(icon)
  })
  app.get('/embed.js', async (request, reply) => sendAsset(request, reply, '/embed.js'))
  app.get(CUSTOM_CSS_PATH, async (request, reply) => {
    const body = Buffer.from((await getSettings(ctx)).custom_css)
    return send(request, reply, { body, type: 'text/css; charset=utf-8', etag: etagOf(body), immutable: false })
  })
  app.get('/robots.txt', async (_request, reply) =>
    reply.header('cache-control', ONE_DAY).type('text/plain; charset=utf-8').send(robots(ctx)),
  )
}

function sendAsset(request: FastifyRequest, reply: FastifyReply, path: string): FastifyReply {
  const asset = assets.get(path)
  if (!asset) throw new NotFound()
  return send(request, reply, asset)
}

function send(request: FastifyRequest, reply: FastifyReply, asset: Asset): FastifyReply {
  // Clients show the standard avatar and header on pages of their own.
  const cacheControl = asset.immutable ? IMMUTABLE : ONE_DAY
  const isKnown = describeSharedFile(request, reply, { etag: asset.etag, cacheControl })
  void reply.header('content-security-policy', "default-src 'none'; sandbox")
  if (isKnown) return reply.status(304).send()
  return reply.type(asset.type).send(asset.body)
}

/** The crawler of training data that Mastodon keeps out, too. */
const TRAINING = ['User-agent: GPTBot', 'Disallow: /', '']

function robots(ctx: Context): string {
  const closed = ctx.config.limitedFederation ? ['/'] : ['/auth/', '/oauth/', '/media_proxy/']
  return [...TRAINING, 'User-agent: *', ...closed.map((path) => `Disallow: ${path}`), ''].join('\n')
}
