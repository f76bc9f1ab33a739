import proxyAddr from '@fastify/proxy-addr'
import { randomUUID } from 'node:crypto'
import { fastify, type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from 'fastify'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { TSchema } from 'typebox'
import type { Context } from '../context.ts'
import type { Caller } from '../domain/auth/viewer.ts'
import { VIDEO_SIZE_LIMIT } from '../domain/media/types.ts'
import { causedBy, newCause } from '../lib/cause.ts'
import { NotFound } from '../lib/errors.ts'
import { isId } from '../lib/ids.ts'
import { JsonDocument } from '../lib/json.ts'
import { authenticate } from './auth.ts'
import { isMultipart, readGetBody, registerBodyParsers } from './body.ts'
import { MAX_DATA_URI_BODY, storeDataUris, takesFiles } from './data-uris.ts'
import { answerClientError, type ErrorPage, errorResponder, mapErrors } from './errors.ts'
import { isUnchanged, JSON_POLICY, setCacheControl, setCommonHeaders } from './headers.ts'
import { isIdParam, makeParser } from './params.ts'
import { catchUpAndCheckAccess, checkAccess } from './access.ts'
import { parseQuery } from './rails-params.ts'
import { limitOther, limitRequest } from './ratelimit.ts'
import { RequestLog } from './request-log.ts'
import { bodyOf } from './response-body.ts'
import { rewriteUrl } from './rewrite-url.ts'
import type { Route } from './route.ts'
import { compileSchema, type Validator } from './validator.ts'

/** In bytes; of requests without files. */
const MAX_BODY = 1024 * 1024
/** Milliseconds after which a connection is closed when nothing could be sent or received on it. */
const IDLE_TIMEOUT_MS = 120_000

/**
 * `files`: takes uploads. `countsItself`: the route catches up and applies the rate limits, as it alone knows the scope that a
 * token needs, and the limit of its own.
 */
type RouteConfig = { files?: boolean; countsItself?: boolean }

/** Paths whose responses use no cached rows. */
const WITHOUT_DATA = /^\/(health|assets|avatars|headers|client)(\/|\?|$)/
/** Monitoring requests these also while the database does not answer, when checking the blocks of addresses would wait. */
const HEALTH = /^\/health(\/|\?|$)/
/** Paths without a general rate limit: pages have many files, the media proxy has its own limits, inboxes check signatures. */
const UNLIMITED = /^\/(files|media_proxy|inbox|actor\/inbox|users\/[^/?]+\/inbox)(\/|\?|$)/

function logRequests(app: FastifyInstance): void {
  app.addHook('onResponse', (request, reply, done) => {
    request.log.debug(
      {
        method: request.method,
        path: request.url.split('?')[0],
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
      },
      'request.finished',
    )
    done()
  })
}

const REQUEST_ID = /^[\w.:=+/-]{1,128}$/

/** A trusted proxy may give its requests ids, so that its log can be compared with this server's. */
function requestIds(ctx: Context): (request: IncomingMessage) => string {
  const isTrusted = proxyAddr.compile(ctx.config.trustedProxies)
  return ({ headers, socket }) => {
    const given = headers['x-request-id']
    const isUsable = typeof given === 'string' && REQUEST_ID.test(given) && isTrusted(socket.remoteAddress ?? '', 0)
    return isUsable ? given : randomUUID()
  }
}

/** Replaces the framework's schema compilers, which are slow to load: parameters are checked by `makeParser`. */
const noCompiler = (): never => {
  throw new Error('routes declare no schemas to the framework')
}

type AppParts = { routes: readonly Route[]; errorPage: ErrorPage }

/** With the API's routes. Pages and federation register themselves later. */
export function createHttpApp(ctx: Context, parts: AppParts): FastifyInstance {
  const respond = errorResponder(parts.errorPage)
  const app = fastify({
    // The framework gets no log of its own: with one, it listens for the end of each response to log it.
    childLoggerFactory: (_log, bindings) => new RequestLog(ctx.log, bindings) as never,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: ctx.config.trustedProxies,
    genReqId: requestIds(ctx),
    bodyLimit: MAX_BODY,
    requestTimeout: 120_000,
    connectionTimeout: IDLE_TIMEOUT_MS,
    // This also limits the closing of the app, which waits for requests in progress.
    pluginTimeout: 60_000,
    return503OnClosing: false,
    forceCloseConnections: true,
    // Requests that are refused before routing: no hook runs for them.
    frameworkErrors(error, request, reply) {
      setCommonHeaders(ctx.config, request, reply)
      void respond(error, request, reply)
    },
    clientErrorHandler: answerClientError,
    rewriteUrl,
    schemaController: { compilersFactory: { buildValidator: noCompiler, buildSerializer: noCompiler } },
    routerOptions: { querystringParser: parseQuery, maxParamLength: 2048, ignoreTrailingSlash: true },
  }) as unknown as FastifyInstance
  registerBodyParsers(app, {
    log: ctx.log,
    tmpDir: join(ctx.config.dataDir, 'tmp'),
    maxBodyBytes: MAX_BODY,
    maxTextBytes: MAX_DATA_URI_BODY,
    maxFileBytes: VIDEO_SIZE_LIMIT,
    acceptsFiles: (request) => (request.routeOptions.config as RouteConfig).files === true,
  })
  mapErrors(app, respond)
  drainBeforeClosing(app)
  addHooks(ctx, app)
  if (ctx.log.isLevelEnabled('debug')) logRequests(app)
  app.options('/*', async (_request, reply) => reply.status(204).send())
  for (const route of parts.routes) addRoute(ctx, app, route, parts.routes)
  return app
}

/** The hooks of every request. They continue at once unless they return a promise: one for each would cost more than the hook. */
function addHooks(ctx: Context, app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    // The client has disconnected: its address is gone, and no response is needed.
    if ((request.ip as string | undefined) === undefined) {
      reply.hijack()
      request.raw.socket.destroy()
      return
    }
    setCommonHeaders(ctx.config, request, reply)
    done()
  })
  app.addHook('onRequest', (request, _reply, done) => {
    if (HEALTH.test(request.url)) return done()
    return checkAccess(ctx, request.ip) ?? done()
  })
  app.addHook('onRequest', (request, _reply, done) => {
    const { countsItself = false } = (request.routeOptions.config ?? {}) as RouteConfig
    if (countsItself || request.method === 'OPTIONS' || WITHOUT_DATA.test(request.url)) return done()
    if (UNLIMITED.test(request.url)) return catchUpAndCheckAccess(ctx, request.ip)
    return limitOther(ctx, request).then(() => catchUpAndCheckAccess(ctx, request.ip))
  })
  // After the body is parsed: earlier, the async context of a request does not last.
  app.addHook('preHandler', (_request, _reply, done) => causedBy(newCause(), done))
}

const validators = new WeakMap<TSchema, Validator>()

/** Compiles a schema once, even if several routes return it. */
function validatorOf(schema: TSchema): Validator {
  let validator = validators.get(schema)
  if (!validator) validators.set(schema, (validator = compileSchema(schema)))
  return validator
}

function addRoute(ctx: Context, app: FastifyInstance, route: Route, all: readonly Route[]): void {
  const files = route.params !== null && takesFiles(route.params)
  const readParams = paramsReader(ctx, route)
  const profile = route.profile === undefined ? '' : ` profile="${route.profile}";`
  const contentType = `application/json;${profile} charset=utf-8`
  // Uploads are authenticated before a byte of the file is stored: their token must be in the header or the query. The token of
  // other requests may be in the body.
  const authenticated = new WeakMap<FastifyRequest, Caller | null>()
  const onRequest = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    if (isMultipart(request) || isLarge(request))
      authenticated.set(request, await authenticateAndCount(ctx, route, request, reply))
  }
  const handler = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const early = authenticated.get(request)
    const caller = early === undefined ? await authenticateAndCount(ctx, route, request, reply) : early
    const params = await readParams(request, reply)
    if (route.deprecated !== undefined) void reply.header('deprecation', `@${route.deprecated}`)
    const result = await route.handle({ ctx, viewer: caller?.viewer ?? null, caller, params, request, reply })
    const body = bodyOf(result, reply.raw)
    if (ctx.config.validateResponses && reply.statusCode === 200) checkDeclared(route, body.toString())
    setCacheControl(request, reply, { isAnonymous: caller === null, mayShare: route.cacheable === true })
    void reply.header('content-security-policy', JSON_POLICY)
    if (reply.statusCode === 204) return reply.send()
    const isKnown = isUnchanged(request, reply, body, result instanceof JsonDocument ? result.digest : null)
    return isKnown ? reply.status(304).send() : reply.type(contentType).send(body)
  }
  app.route({
    method: methodsOf(route, all),
    url: route.path,
    config: { files, countsItself: true } satisfies RouteConfig,
    ...(files ? { bodyLimit: MAX_DATA_URI_BODY, onRequest } : {}),
    ...(route.method === 'GET' ? { preValidation: readGetBody } : {}),
    handler,
    ...rewording(route),
  })
}

/**
 * Finds the caller of a request, null for an anonymous one, and counts the request against the limits of the caller, or of the
 * address. Throws what `authenticate` and `limitRequest` throw.
 */
async function authenticateAndCount(
  ctx: Context,
  route: Route,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Caller | null> {
  let caller: Caller | null
  try {
    caller = await authenticate(ctx, route, request)
  } catch (error) {
    // A request with an invalid token counts as an anonymous one.
    await limitRequest(ctx, { caller: null, request, reply })
    throw error
  }
  await limitRequest(ctx, { caller, request, reply }, route.rate)
  return caller
}

/** Returns a function that merges, converts and checks the parameters of a request. */
function paramsReader(
  ctx: Context,
  { params: schema, pathParams }: Route,
): (request: FastifyRequest, reply: FastifyReply) => Promise<Record<string, unknown>> {
  const idNames = Object.keys(pathParams).filter((name) => isIdParam(pathParams[name] as TSchema))
  const parse = schema && makeParser(schema)
  const files = schema !== null && takesFiles(schema)
  return async (request, reply) => {
    const path = request.params as Record<string, string>
    if (!idNames.every((name) => isId(path[name] ?? ''))) throw new NotFound()
    if (!parse) return path
    const given = { ...(request.query as object), ...(request.body as object | undefined) }
    const received = files ? await storeDataUris(schema, given, reply, join(ctx.config.dataDir, 'tmp')) : given
    return { ...(parse(received) as object), ...path }
  }
}

/** Throws unless a response is as its route declares it. */
function checkDeclared({ method, path, returns }: Route, body: string): void {
  const validator = validatorOf(returns)
  const value: unknown = JSON.parse(body)
  if (validator.check(value)) return
  const errors = JSON.stringify(validator.errors(value).slice(0, 3))
  throw new Error(`${method} ${path} returned an undeclared response: ${errors} in ${body.slice(0, 2000)}`)
}

function rewording({ reword }: Route): {
  errorHandler?: (error: unknown, request: FastifyRequest, reply: FastifyReply) => never
} {
  if (!reword) return {}
  return {
    errorHandler(error, _request, reply) {
      throw reword(error, reply)
    },
  }
}

/** Whether a body is larger than anonymous clients may send, or of unknown length. */
function isLarge({ headers }: FastifyRequest): boolean {
  const length = headers['content-length']
  return headers['transfer-encoding'] !== undefined || Number(length ?? 0) > MAX_BODY
}

const UPDATES = ['PUT', 'PATCH']

/** An update accepts both PUT and PATCH, although one of them is documented. */
function methodsOf(route: Route, all: readonly Route[]): string[] {
  if (!UPDATES.includes(route.method)) return [route.method]
  const isTaken = (method: string): boolean =>
    all.some((other) => other.method === method && other.path === route.path && other !== route)
  return UPDATES.filter((method) => !isTaken(method))
}

/** Milliseconds that a stopping server waits for requests in progress. */
const CLOSE_TIMEOUT_MS = 10_000

/**
 * Makes the closing app wait for requests in progress. It accepts no connections meanwhile, so that a proxy turns to another
 * process. It still answers requests on open connections, each of which ends with that response.
 */
function drainBeforeClosing(app: FastifyInstance): void {
  let inProgress = 0
  let finished = (): void => {}
  const onClose = (): void => {
    if (--inProgress === 0) finished()
  }
  app.addHook('onRequest', (_request, { raw }, done) => {
    inProgress++
    // Emitted once for every response: complete, aborted or hijacked.
    raw.once('close', onClose)
    done()
  })
  app.addHook('preClose', async () => {
    app.server.close()
    if (inProgress === 0) return
    const all = new Promise<void>((resolve) => (finished = resolve))
    await Promise.race([all, delay(CLOSE_TIMEOUT_MS, undefined, { ref: false })])
  })
}
