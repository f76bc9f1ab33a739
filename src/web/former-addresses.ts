// Addresses that Mastodon has or had, and that links and programs still use.
import type { FastifyInstance } from 'fastify'
import { statusUrl } from '../domain/server/addresses.ts'
import type { Context } from '../context.ts'
import { textParam } from '../html/form-page.ts'
import { NotFound } from '../lib/errors.ts'
import { localPath } from './auth-forms.ts'

/** Apps open settings in the browser, and guides to moving link the lists that people take to another server. */
const MOVED = {
  '/web': '/',
  '/manifest': '/manifest.webmanifest',
  '/settings/preferences/*': '/settings/preferences',
  '/settings/privacy': '/settings/profile',
  '/settings/verification': '/settings/profile',
  '/settings/two_factor_authentication_methods': '/settings/two_factor',
  '/settings/login_activities': '/settings/sessions',
  '/settings/imports': '/settings/import',
  '/settings/exports/follows.csv': '/settings/export/following_accounts.csv',
  '/settings/exports/lists.csv': '/settings/export/lists.csv',
  '/settings/exports/blocks.csv': '/settings/export/blocked_accounts.csv',
  '/settings/exports/mutes.csv': '/settings/export/muted_accounts.csv',
  '/settings/exports/domain_blocks.csv': '/settings/export/blocked_domains.csv',
  '/settings/exports/bookmarks.csv': '/settings/export/bookmarks.csv',
  '/settings/exports/custom_filters.json': '/settings/export/custom_filters.json',
}

export function registerFormerAddresses(app: FastifyInstance, ctx: Context): void {
  for (const [path, target] of Object.entries(MOVED))
    app.get(path, async (_request, reply) => reply.redirect(target, 301))
  // The web client was here.
  app.get('/web/*', async (request, reply) => reply.redirect(localPath(request.url.slice('/web'.length)) ?? '/', 301))
  app.get<{ Params: { username: string; id: string } }>(
    '/users/:username/statuses/:id/embed',
    async (request, reply) => {
      const { username, id } = request.params
      return reply.redirect(`${statusUrl(ctx, encodeURIComponent(username), encodeURIComponent(id))}/embed`, 301)
    },
  )
  app.get('/authorize_follow', async (request, reply) =>
    reply.redirect(interactionPath(textParam(request.query, 'acct') || textParam(request.query, 'uri'))),
  )
  // Browsers send links of the scheme `web+mastodon:` here, where someone has chosen this server for them.
  app.get('/intent', async (request, reply) => {
    const target = targetOf(textParam(request.query, 'uri'))
    if (target === null) throw new NotFound()
    return reply.redirect(target)
  })
}

const interactionPath = (uri: string): string => `/authorize_interaction?${new URLSearchParams({ uri })}`

/** The page for `web+mastodon://follow?uri=acct:ada@example.org` or `web+mastodon://share?text=Hello`; null for other links. */
function targetOf(link: string): string | null {
  const [, verb, query = ''] = /^web\+mastodon:\/\/(follow|share)\/?(?:\?(.*))?$/s.exec(link) ?? []
  const params = new URLSearchParams(query)
  if (verb === 'follow') return interactionPath((params.get('uri') ?? '').replace(/^acct:/, ''))
  return verb === 'share' ? `/share?${new URLSearchParams({ text: params.get('text') ?? '' })}` : null
}
