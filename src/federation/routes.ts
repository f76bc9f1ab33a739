import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { AuthorizedKind } from '../ap/authorization.ts'
import { activityStreamsContext } from '../ap/context.ts'
import { activityContentType, isActivityRequest } from '../net/content-types.ts'
import type { Context } from '../context.ts'
import { accountUrl, statusUrl, tagUrl } from '../domain/server/addresses.ts'
import { getLocalCollection } from '../domain/collections/visible.ts'
import { findKnownTag } from '../domain/tags/tags.ts'
import type { MaybeViewer } from '../domain/statuses/visibility.ts'
import { actorDocument, blocksHostOrAccount, type LocalActor, localActor } from './documents/actor.ts'
import type { CollectionQuery } from './documents/collection.ts'
import {
  featureAuthorizationDocument,
  featuredCollectionDocument,
  featuredCollectionsDocument,
} from './documents/featured-collection.ts'
import { devicesDocument } from './documents/devices.ts'
import { featuredDocument, featuredTagsDocument } from './documents/featured.ts'
import { networkDocument } from './documents/network.ts'
import { outboxDocument } from './documents/outbox.ts'
import { repliesDocument, statusCountDocument, statusDocument } from './documents/status.ts'
import { threadDocument } from './documents/thread.ts'
import { findAccountUri } from './ids.ts'
import { followersOfServer } from './followers-synchronization.ts'
import { authorizationDocument } from './documents/authorization.ts'
import type { HttpExchange } from '../http/route.ts'
import { AppError, NotFound } from '../lib/errors.ts'
import { isId } from '../lib/ids.ts'
import { message } from '../messages/message.ts'
import { normaliseTag } from '../lib/text/tags.ts'
import { renderInstanceActor } from './outgoing/render/actor.ts'
import { INTERACTIONS } from '../jobs/distribution.ts'
import { registerFasp } from './fasp.ts'
import { registerClaim } from './incoming/claim.ts'
import { registerInbox } from './incoming/inbox.ts'
import { mustSign, notSigned, signerOf, type MayFetchKey } from './signer.ts'
import { registerWebfinger } from './documents/webfinger.ts'

export function registerFederation(app: FastifyInstance, ctx: Context): void {
  registerWebfinger(app, ctx)
  registerFasp(app, ctx)
  registerDocuments(app, ctx)
  registerCollections(app, ctx)
  registerInbox(app, ctx)
  registerClaim(app, ctx, (reply, document) => sendDocument(reply, document, 'private'))
  for (const path of ['/inbox', '/actor/inbox', '/users/:username/inbox', '/users/:username/claim'])
    refuseOtherMethods(app, path, ['POST'])
  // Clients use the Mastodon API: no activity can be posted to an outbox.
  for (const path of ['/actor/outbox', '/users/:username/outbox']) refuseOtherMethods(app, path, ['GET', 'HEAD'])
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']

/** Answers 405, so that programs that probe a server can distinguish an unsupported method from an unknown actor. */
function refuseOtherMethods(app: FastifyInstance, url: string, allowed: readonly string[]): void {
  const refuse = async (): Promise<never> => {
    throw new AppError(405, message('method_not_allowed'), { headers: { allow: allowed.join(', ') } })
  }
  const method = METHODS.filter((each) => !allowed.includes(each))
  // Before the body is read: its type does not matter.
  app.route({ method, url, onRequest: refuse, handler: refuse })
}

function registerDocuments(app: FastifyInstance, ctx: Context): void {
  app.get('/actor', async (_request, reply) => sendDocument(reply, await renderInstanceActor(ctx)))
  app.get('/actor/outbox', async (_request, reply) =>
    sendDocument(reply, {
      '@context': activityStreamsContext,
      id: `${ctx.config.baseUrl}/actor/outbox`,
      type: 'OrderedCollection',
      totalItems: 0,
      orderedItems: [],
    }),
  )
  app.get('/users/:username', async (request, reply) => {
    const { username = '' } = paramsOf(request)
    if (isActivityRequest(request.headers.accept))
      return sendToSigner({ ctx, request, reply }, () => actorDocument(ctx, username))
    return reply.redirect(accountUrl(ctx, (await localActor(ctx, username)).username))
  })
  app.get('/users/:username/statuses/:id', async (request, reply) => {
    const { username = '', id = '' } = paramsOf(request)
    if (isActivityRequest(request.headers.accept)) return sendStatus({ ctx, request, reply }, 'object')
    return reply.redirect(statusUrl(ctx, (await localActor(ctx, username)).username, id))
  })
  type Read = (signer: MaybeViewer, account: LocalActor, id: string) => Promise<unknown>
  const serveAuthorizations = (kind: AuthorizedKind, read: Read): void => {
    app.get(`/users/:username/${kind}_authorizations/:id`, async (request, reply) => {
      const { username = '', id = '' } = paramsOf(request)
      if (!isId(id)) throw new NotFound()
      return sendToSigner({ ctx, request, reply }, async (signer) => read(signer, await localActor(ctx, username), id))
    })
  }
  for (const kind of INTERACTIONS)
    serveAuthorizations(kind, (signer, account, id) => authorizationDocument(ctx, signer, account, { kind, id }))
  serveAuthorizations('feature', (signer, account, id) => featureAuthorizationDocument(ctx, signer, account, id))
  app.get('/users/:username/statuses/:id/activity', async (request, reply) =>
    sendStatus({ ctx, request, reply }, 'activity'),
  )
  // The URLs of pages also serve the documents of actors, posts and collections.
  app.addHook('onRequest', (request, reply, done) => serveDocumentOfPage({ ctx, request, reply }) ?? done())
}

/**
 * Fetches the signer's key only when an unsigned request would be refused: a server that fetches a document while it handles
 * another request may be unable to serve its key meanwhile. A response to a signed request, or in secure mode, must not be
 * cached.
 */
async function sendToSigner(
  { ctx, request, reply }: HttpExchange,
  read: (signer: MaybeViewer) => Promise<unknown>,
  mayFetchKey: MayFetchKey = () => false,
): Promise<FastifyReply> {
  const send = async (signer: MaybeViewer): Promise<FastifyReply> =>
    sendDocument(reply, await read(signer), signer === null && !mustSign(ctx) ? 'public' : 'private')
  const known = await signerOf(ctx, request, mayFetchKey)
  try {
    return await send(known)
  } catch (error) {
    if (known !== null || !(error instanceof AppError)) throw error
    const signer = await signerOf(ctx, request, () => true)
    if (signer === null) throw error
    return send(signer)
  }
}

function sendStatus(
  call: HttpExchange,
  as: 'object' | 'activity',
  { username = '', id = '' } = paramsOf(call.request),
): Promise<FastifyReply> {
  const { ctx } = call
  const read = (signer: MaybeViewer): Promise<unknown> => statusDocument(ctx, signer, { username, id }, as)
  return sendToSigner(call, read, (host) => blocksHostOrAccount(ctx, username, host))
}

function sendFeaturedCollection(call: HttpExchange, id: string, username?: string): Promise<FastifyReply> {
  const { ctx } = call
  if (!isId(id)) throw new NotFound()
  const read = (signer: MaybeViewer): Promise<unknown> => featuredCollectionDocument(ctx, signer, id, username)
  const blocksHost = async (host: string): Promise<boolean> =>
    blocksHostOrAccount(ctx, username ?? (await getLocalCollection(ctx, null, id)).username, host)
  return sendToSigner(call, read, blocksHost)
}

const COLLECTION = /^(?:\/users\/([^/?]+))?\/collections\/(\d+)\/?(?:\?|$)/
const TAG = /^\/tags\/([^/?]+)\/?(?:\?|$)/
const PAGE = /^\/@([^/?@]+)(?:\/(\d+))?\/?(?:\?|$)/

function serveDocumentOfPage(call: HttpExchange): Promise<FastifyReply> | undefined {
  const { ctx, request } = call
  const reads = request.method === 'GET' || request.method === 'HEAD'
  if (!reads || !isActivityRequest(request.headers.accept)) return undefined
  const tag = TAG.exec(request.url)
  if (tag) return sendToSigner(call, () => tagDocument(ctx, decodeURIComponent(tag[1] ?? '')))
  const collection = COLLECTION.exec(request.url)
  if (collection) return sendFeaturedCollection(call, collection[2] ?? '', collection[1])
  const match = PAGE.exec(request.url)
  if (!match) return undefined
  const [, username = '', id] = match
  if (id !== undefined) return sendStatus(call, 'object', { username, id })
  return sendToSigner(call, () => actorDocument(ctx, username))
}

/** Without items: the API lists the statuses, as it checks who may see them. */
async function tagDocument(ctx: Context, typed: string): Promise<unknown> {
  const name = normaliseTag(typed)
  if (!name || (await findKnownTag(ctx, null, name)) === null) throw new NotFound()
  return { '@context': activityStreamsContext, id: tagUrl(ctx, name), type: 'OrderedCollection' }
}

function registerCollections(app: FastifyInstance, ctx: Context): void {
  type Read = (params: Record<string, string>, query: CollectionQuery, signer: MaybeViewer) => Promise<unknown>
  const serve = (path: string, read: Read): void => {
    app.get(`/users/:username${path}`, async (request, reply) =>
      sendToSigner({ ctx, request, reply }, (signer) =>
        read(paramsOf(request), request.query as CollectionQuery, signer),
      ),
    )
  }
  app.get('/contexts/:id', async (request, reply) =>
    sendToSigner({ ctx, request, reply }, () =>
      threadDocument(ctx, paramsOf(request).id ?? '', request.query as CollectionQuery),
    ),
  )
  serve('/outbox', ({ username = '' }, query, signer) => outboxDocument(ctx, signer, username, query))
  for (const list of ['followers', 'following'] as const)
    app.get(`/users/:username/${list}`, async (request, reply) => {
      const { username = '' } = paramsOf(request)
      // Browsers accept HTML explicitly; programs without an Accept header get the document.
      if (/\btext\/html\b/.test(request.headers.accept ?? '') && !isActivityRequest(request.headers.accept))
        return reply.redirect(`${accountUrl(ctx, (await localActor(ctx, username)).username)}/${list}`)
      return sendToSigner({ ctx, request, reply }, (signer) =>
        networkDocument(ctx, signer, { username, list }, request.query as CollectionQuery),
      )
    })
  serve('/followers_synchronization', async ({ username = '' }, _query, signer) => {
    const account = await localActor(ctx, username)
    const signerUri = signer && (await findAccountUri(ctx, signer.accountId))
    if (!signerUri) throw notSigned()
    return { '@context': activityStreamsContext, ...(await followersOfServer(ctx, account, signerUri)) }
  })
  serve('/collections/featured', ({ username = '' }, _query, signer) => featuredDocument(ctx, signer, username))
  serve('/featured_collections', ({ username = '' }, query, signer) =>
    featuredCollectionsDocument(ctx, signer, username, query),
  )
  serve('/collections/devices', ({ username = '' }, _query, signer) => devicesDocument(ctx, signer, username))
  serve('/collections/tags', ({ username = '' }, _query, signer) => featuredTagsDocument(ctx, signer, username))
  serve('/statuses/:id/replies', ({ username = '', id = '' }, query, signer) =>
    repliesDocument(ctx, signer, { username, id }, query),
  )
  for (const which of ['likes', 'shares'] as const)
    serve(`/statuses/:id/${which}`, ({ username = '', id = '' }, _query, signer) =>
      statusCountDocument(ctx, signer, { username, id }, which),
    )
}

function sendDocument(reply: FastifyReply, document: unknown, cache: 'public' | 'private' = 'public'): FastifyReply {
  return reply
    .type(activityContentType)
    .header('cache-control', cache === 'public' ? 'public, max-age=180' : 'private, no-store')
    .send(JSON.stringify(document))
}

const paramsOf = (request: FastifyRequest): Record<string, string> => request.params as Record<string, string>
