// The files of the web client: what Vite has built, its service worker and its manifest.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { extname } from 'node:path'
import type { Context } from '../../context.ts'
import { getSettings } from '../../domain/server/settings.ts'
import { getSiteUploads } from '../../domain/server/site-uploads.ts'
import { textsFor } from '../../html/texts.ts'
import { THEME_COLORS } from '../../html/theme.ts'
import { IMMUTABLE } from '../../http/headers.ts'
import { NotFound } from '../../lib/errors.ts'
import type { Texts } from '../../messages/pages.ts'
import { clientBuild, readClientFile } from './build.ts'
import { clientPolicy } from './policy.ts'
import { SHARE_PATH } from './share.ts'

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
}

/** Encodings by preference: name, suffix of the file, and what in Accept-Encoding allows it. */
const ENCODINGS = [
  ['br', 'br', /\bbr\b(?!\s*;\s*q=0(?:\.0*)?(?:,|$))/],
  ['gzip', 'gz', /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?(?:,|$))/],
] as const

const WORKER = 'sw.js'

export function registerClientFiles(app: FastifyInstance, ctx: Context): void {
  app.get<{ Params: { '*': string } }>('/client/*', async (request, reply) => {
    const file = request.params['*']
    if (!clientBuild(ctx)?.files.has(file)) throw new NotFound()
    // Vite puts a hash of their content into the names of all files in this folder.
    const isHashed = file.startsWith('assets/')
    void reply.header('cache-control', isHashed ? IMMUTABLE : 'no-cache')
    return sendFile(ctx, request, reply, file)
  })
  app.get('/sw.js', async (request, reply) => {
    if (!clientBuild(ctx)?.files.has(WORKER)) throw new NotFound()
    void reply.headers({ 'service-worker-allowed': '/', 'cache-control': 'no-cache' })
    return sendFile(ctx, request, reply, WORKER)
  })
  app.get('/manifest.webmanifest', async (request, reply) => {
    void reply.headers({ 'cache-control': 'public, max-age=3600', vary: 'Accept-Language' })
    return reply.type('application/manifest+json; charset=utf-8').send(await manifestOf(ctx, textsFor(request)))
  })
}

function sendFile(ctx: Context, request: FastifyRequest, reply: FastifyReply, file: string): FastifyReply {
  const type = TYPES[extname(file)] ?? 'application/octet-stream'
  void reply.headers({
    'content-type': type,
    'cross-origin-resource-policy': 'same-origin',
    vary: 'Accept-Encoding',
    // The policy of a worker is that of its own file.
    'content-security-policy': extname(file) === '.js' ? clientPolicy(ctx, request) : "default-src 'none'; sandbox",
  })
  const accepted = String(request.headers['accept-encoding'] ?? '')
  for (const [encoding, suffix, pattern] of ENCODINGS) {
    const body = pattern.test(accepted) && readClientFile(file, suffix)
    if (body) return reply.header('content-encoding', encoding).send(body)
  }
  const body = readClientFile(file)
  if (!body) throw new NotFound()
  return reply.send(body)
}

/** Maskable icons fill their square: systems cut them to a circle or another shape of their own. */
const STANDARD_ICONS = [
  { src: '/assets/logo.svg', sizes: 'any', type: 'image/svg+xml' },
  ...[192, 512].flatMap((side) => [
    { src: `/assets/icon-${side}.png`, sizes: `${side}x${side}`, type: 'image/png', purpose: 'any' },
    { src: `/assets/maskable-${side}.png`, sizes: `${side}x${side}`, type: 'image/png', purpose: 'maskable' },
  ]),
]

/** https://www.w3.org/TR/appmanifest/ */
async function manifestOf(ctx: Context, { client: t, language, direction }: Texts): Promise<object> {
  const [settings, { app_icon: icon }] = await Promise.all([getSettings(ctx), getSiteUploads(ctx)])
  const { site_title: name, site_short_description: description } = settings
  const own = Object.entries(icon?.variants ?? {}).map(([side, key]) => ({
    src: ctx.files.url(key),
    sizes: `${side}x${side}`,
    type: 'image/png',
  }))
  return {
    id: '/',
    name,
    short_name: name,
    description,
    lang: language,
    dir: direction,
    start_url: '/',
    scope: '/',
    display: 'standalone',
    theme_color: THEME_COLORS.light,
    background_color: THEME_COLORS.light,
    categories: ['social'],
    icons: own.length > 0 ? own : STANDARD_ICONS,
    shortcuts: [
      { name: t.compose, url: '/publish' },
      { name: t.notifications, url: '/notifications' },
      { name: t.search, url: '/search' },
    ],
    share_target: {
      action: SHARE_PATH,
      method: 'POST',
      enctype: 'multipart/form-data',
      params: {
        title: 'title',
        text: 'text',
        url: 'url',
        files: [{ name: 'files', accept: ['image/*', 'video/*', 'audio/*'] }],
      },
    },
  }
}
