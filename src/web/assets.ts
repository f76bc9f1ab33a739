import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { assets } from '../html/assets.ts'
import { NotFound } from '../lib/errors.ts'

const IMMUTABLE = 'public, max-age=31536000, immutable'
const ONE_DAY = 'public, max-age=86400'

export function registerAssets(app: FastifyInstance, ctx: Context): void {
  app.get<{ Params: { '*': string } }>('/assets/*', async (request, reply) =>
    sendAsset(request, reply, `/assets/${request.params['*']}`),
  )
  app.get('/favicon.ico', async (request, reply) => sendAsset(request, reply, '/favicon.ico'))
  app.get('/robots.txt', async (_request, reply) =>
    reply.header('cache-control', ONE_DAY).type('text/plain; charset=utf-8').send(robots(ctx)),
  )
}

function sendAsset(request: FastifyRequest, reply: FastifyReply, path: string): FastifyReply {
  const asset = assets.get(path)
  if (!asset) throw new NotFound()
  void reply.headers({
    'cache-control': asset.immutable ? IMMUTABLE : ONE_DAY,
    etag: asset.etag,
    // Clients show the standard avatar and header on pages of their own.
    'access-control-allow-origin': '*',
    'cross-origin-resource-policy': 'cross-origin',
    'content-security-policy': "default-src 'none'; sandbox",
  })
  if (isCurrent(request.headers['if-none-match'], asset.etag)) return reply.status(304).send()
  return reply.type(asset.type).send(asset.body)
}

function isCurrent(header: string | undefined, etag: string): boolean {
  const tags = (header ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  return tags.includes(etag) || tags.includes('*')
}

function robots(ctx: Context): string {
  const closed = ctx.config.limitedFederation ? ['/'] : ['/auth/', '/oauth/', '/media_proxy/']
  return ['User-agent: *', ...closed.map((path) => `Disallow: ${path}`), ''].join('\n')
}
