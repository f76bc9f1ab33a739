import type { FastifyInstance, FastifyReply } from 'fastify'
import { parseHandle } from '../../ap/handle.ts'
import type { Context } from '../../context.ts'
import type { Accounts } from '../../db/schema.ts'
import { sql } from '../../db/sql.ts'
import { isShown } from '../../domain/accounts/find.ts'
import { instanceActorUri } from '../../domain/accounts/keys.ts'
import {
  accountUri,
  accountUrl,
  instanceActorName,
  isLocalDomain,
  localDomains,
  parseLocalUrl,
  withoutPort,
} from '../../domain/server/addresses.ts'
import { contentTypeOf } from '../../domain/media/types.ts'
import { BadRequest, Gone, NotFound } from '../../lib/errors.ts'

type Subject = { username: string } | 'instance'

/** WebFinger (RFC 7033) and host-meta (RFC 6415). */
export function registerWebfinger(app: FastifyInstance, ctx: Context): void {
  const cache = { 'cache-control': 'max-age=300, public' }
  const webfinger = [
    { summary: 'Finds an account by its handle or address', contentType: 'application/jrd+json', params: ['resource'] },
  ]
  app.get('/.well-known/webfinger', { config: { describes: webfinger } }, async (request, reply) => {
    const { resource } = request.query as { resource?: unknown }
    if (typeof resource !== 'string' || resource === '') throw new BadRequest('The parameter resource is missing')
    const subject = subjectOf(ctx, resource)
    if (subject === null) throw new NotFound()
    const jrd = subject === 'instance' ? instanceJrd(ctx) : await accountJrd(ctx, subject.username)
    return reply.headers(cache).type('application/jrd+json; charset=utf-8').send(JSON.stringify(jrd))
  })
  const template = `${ctx.config.baseUrl}/.well-known/webfinger?resource={uri}`
  const hostMetaJson = (reply: FastifyReply): FastifyReply =>
    reply
      .headers(cache)
      .type('application/json; charset=utf-8')
      .send(JSON.stringify({ links: [{ rel: 'lrdd', template }] }))
  const hostMeta = [{ summary: 'The address of WebFinger', contentType: 'application/xrd+xml' }]
  app.get('/.well-known/host-meta', { config: { describes: hostMeta } }, async (request, reply) => {
    if (/json/.test(request.headers.accept ?? '')) return hostMetaJson(reply)
    return reply
      .headers(cache)
      .type('application/xrd+xml; charset=utf-8')
      .send(
        `<?xml version="1.0" encoding="UTF-8"?>\n<XRD xmlns="http://docs.oasis-open.org/ns/xri/xrd-1.0">\n  <Link rel="lrdd" template="${template}"/>\n</XRD>\n`,
      )
  })
  app.get('/.well-known/host-meta.json', async (_request, reply) => hostMetaJson(reply))
}

const SCHEME = /^[a-z][a-z\d+.-]*:/i

/**
 * Null for remote actors and unsupported schemes. Throws BadRequest unless the resource is a URI (RFC 7033), and for an `acct:`
 * URI without user or host.
 */
function subjectOf(ctx: Context, resource: string): Subject | null {
  if (/^https?:\/\//i.test(resource)) {
    if (resource.replace(/\/$/, '') === instanceActorUri(ctx) || resource.replace(/\/$/, '') === ctx.config.baseUrl)
      return 'instance'
    const local = parseLocalUrl(ctx, resource)
    return local && local.statusId === null ? { username: local.username } : null
  }
  if (!SCHEME.test(resource)) throw new BadRequest('The resource must begin with acct: or https:')
  if (!/^acct:/i.test(resource)) return null
  const text = resource.replace(/^acct:@?/i, '')
  const at = text.lastIndexOf('@')
  const [username, domain] = [text.slice(0, Math.max(at, 0)), text.slice(at + 1)]
  if (username === '' || domain === '') throw new BadRequest('The resource must name a user and a host: acct:user@host')
  if (isInstanceHandle(ctx, username, domain)) return 'instance'
  if (!isLocalDomain(ctx, domain)) return null
  return parseHandle(`${username}@${domain}`) ? { username } : null
}

/** The instance actor has a domain of this server as its username and host, with or without the port. */
function isInstanceHandle(ctx: Context, username: string, domain: string): boolean {
  const names = localDomains(ctx).flatMap((name) => [name, withoutPort(name)])
  return [username, domain].every((name) => names.includes(name.toLowerCase()))
}

async function accountJrd(ctx: Context, username: string): Promise<unknown> {
  type Row = Pick<Accounts, 'username' | 'avatar_key'> & { purged: boolean; suspended: boolean; shown: boolean }
  const account = await ctx.db.maybe<Row>(sql`
    select a.username, a.purged_at is not null as purged, a.suspended_at is not null as suspended, a.avatar_key,
      ${isShown} as shown
    from accounts a where lower(a.username) = ${username.toLowerCase()} and a.domain is null`)
  if (!account) throw new NotFound()
  if (account.purged) throw new Gone()
  if (!account.shown) throw new NotFound()
  const [uri, url] = [accountUri(ctx, account.username), accountUrl(ctx, account.username)]
  return {
    subject: `acct:${account.username}@${ctx.config.localDomain}`,
    aliases: [url, uri],
    links: [
      { rel: 'http://webfinger.net/rel/profile-page', type: 'text/html', href: url },
      { rel: 'self', type: 'application/activity+json', href: uri },
      // Where pages are closed, WebFinger shows no more than what federation needs.
      ...(account.avatar_key === null || account.suspended || ctx.config.limitedFederation
        ? []
        : [
            {
              rel: 'http://webfinger.net/rel/avatar',
              type: contentTypeOf(account.avatar_key) ?? 'image/jpeg',
              href: ctx.files.url(account.avatar_key),
            },
          ]),
      // Other servers send their users here to follow an account or reply to a post.
      {
        rel: 'http://ostatus.org/schema/1.0/subscribe',
        template: `${ctx.config.baseUrl}/authorize_interaction?uri={uri}`,
      },
      // Activity Intents (FEP-3b86): writing a post, and looking at an object to act on it.
      { rel: 'https://w3id.org/fep/3b86/Create', template: `${ctx.config.baseUrl}/share?text={content}` },
      { rel: 'https://w3id.org/fep/3b86/Object', template: `${ctx.config.baseUrl}/authorize_interaction?uri={object}` },
    ],
  }
}

function instanceJrd(ctx: Context): unknown {
  const uri = instanceActorUri(ctx)
  return {
    subject: `acct:${instanceActorName(ctx)}@${ctx.config.localDomain}`,
    aliases: [uri],
    links: [
      { rel: 'http://webfinger.net/rel/profile-page', type: 'text/html', href: `${ctx.config.baseUrl}/about` },
      { rel: 'self', type: 'application/activity+json', href: uri },
    ],
  }
}
