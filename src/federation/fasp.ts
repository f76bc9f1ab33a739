// The API for auxiliary service providers, beneath /api/fasp:
// https://github.com/mastodon/fediverse_auxiliary_service_provider_specifications
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { SignatureError, isSignedBy } from '../ap/signatures/common.ts'
import { prepareMessageSignature, signResponse } from '../ap/signatures/rfc9421.ts'
import { requestBackfill, requestContinuation } from '../actions/fasp/announce.ts'
import type { Context } from '../context.ts'
import {
  findConfirmedProvider,
  hasCapability,
  insertDebugCallback,
  insertRegistration,
  parseRegistration,
  readProviderKey,
  type Capability,
  type Provider,
} from '../domain/fasp/providers.ts'
import { deleteFaspSubscription, insertSubscription, parseSubscription } from '../domain/fasp/sharing.ts'
import { MAX_SKEW } from '../domain/fasp/requests.ts'
import { addressKey, limitFailures, limitUse } from '../http/ratelimit.ts'
import { AppError, BadRequest, NotFound } from '../lib/errors.ts'
import { parseForeignJson } from '../lib/json.ts'
import { bodyBytesOf, signatureRules, takeBodiesAsBytes } from './signer.ts'

const MAX_BODY = 64 * 1024

type Json = Readonly<Record<string, unknown>>
type Call = { ctx: Context; provider: Provider; id: string; body: Buffer; request: FastifyRequest }
type Answer = { status: number; json?: object }

type Operation = {
  method: 'POST' | 'DELETE'
  path: string
  /** Without it, the operation does not exist for the provider. */
  capability?: Capability
  handle(call: Call): Promise<Answer>
}

const OPERATIONS: readonly Operation[] = [
  {
    method: 'POST',
    path: '/debug/v0/callback/responses',
    capability: 'callback',
    async handle({ ctx, provider, body, request }) {
      await insertDebugCallback(ctx, provider.id, { ip: request.ip, body: body.toString('utf8') })
      return { status: 201, json: {} }
    },
  },
  {
    method: 'POST',
    path: '/data_sharing/v0/event_subscriptions',
    capability: 'data_sharing',
    async handle({ ctx, provider, body }) {
      const id = await insertSubscription(ctx, provider.id, parseSubscription(parseObject(body)))
      return { status: 201, json: { subscription: { id } } }
    },
  },
  {
    // A provider may always ask for less.
    method: 'DELETE',
    path: '/data_sharing/v0/event_subscriptions/:id',
    async handle({ ctx, provider, id }) {
      await deleteFaspSubscription(ctx, provider.id, id)
      return { status: 204 }
    },
  },
  {
    method: 'POST',
    path: '/data_sharing/v0/backfill_requests',
    capability: 'data_sharing',
    async handle({ ctx, provider, body }) {
      const id = await requestBackfill(ctx, provider.id, parseObject(body))
      return { status: 201, json: { backfillRequest: { id } } }
    },
  },
  {
    method: 'POST',
    path: '/data_sharing/v0/backfill_requests/:id/continuation',
    capability: 'data_sharing',
    async handle({ ctx, provider, id }) {
      await requestContinuation(ctx, provider.id, id)
      return { status: 204 }
    },
  },
]

/** Without the experimental feature, none of these addresses exists. */
export function registerFasp(app: FastifyInstance, ctx: Context): void {
  if (!ctx.config.fasp) return
  void app.register(async (scope) => {
    takeBodiesAsBytes(scope, '*', MAX_BODY)
    scope.post('/api/fasp/registration', (request, reply) => register(ctx, request, reply))
    for (const operation of OPERATIONS)
      scope.route({
        method: operation.method,
        url: `/api/fasp${operation.path}`,
        handler: (request, reply) => answer(ctx, operation, request, reply),
      })
  })
}

/** The provider is unknown until now: its administrator compares the keys before this server trusts it. */
async function register(ctx: Context, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  await limitUse(ctx, 'fasp-registrations', addressKey(request.ip))
  const registration = parseRegistration(ctx, parseObject(bodyBytesOf(request)))
  const { id, publicKey } = await insertRegistration(ctx, registration)
  const registrationCompletionUri = `${ctx.config.baseUrl}/admin/fasp/providers/${id}`
  return sendSigned(ctx, id, reply, { status: 200, json: { faspId: id, publicKey, registrationCompletionUri } })
}

/**
 * 401: a missing, invalid or old signature, or one of a provider that is unknown, deleted or not confirmed. 404: the capability
 * is not in use, or what the address names belongs to another provider. These and other refusals are signed, except for 401.
 */
async function answer(
  ctx: Context,
  { capability, handle }: Operation,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const body = bodyBytesOf(request)
  const provider = await limitFailures(ctx, 'signatures', addressKey(request.ip), () =>
    requireProvider(ctx, request, body),
  )
  try {
    if (capability && !hasCapability(provider, capability)) throw new NotFound()
    const { id = '' } = request.params as { id?: string }
    return await sendSigned(ctx, provider.id, reply, await handle({ ctx, provider, id, body, request }))
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error
    return sendSigned(ctx, provider.id, reply, { status: error.status, json: { error: error.message } })
  }
}

async function requireProvider(ctx: Context, request: FastifyRequest, body: Buffer): Promise<Provider> {
  const { headers, rawHeaders } = request.raw
  const signed = { method: request.method, path: request.originalUrl, headers, rawHeaders, body }
  try {
    const prepared = prepareMessageSignature(signed, { ...signatureRules(ctx), maxSkew: MAX_SKEW })
    const provider = await findConfirmedProvider(ctx, prepared.keyId)
    if (provider && isSignedBy(prepared, provider.public_key)) return provider
    throw new SignatureError('mismatch', 'The signature is not that of a confirmed provider')
  } catch (error) {
    if (error instanceof SignatureError) throw new AppError(401, error.message)
    throw error
  }
}

async function sendSigned(
  ctx: Context,
  providerId: string,
  reply: FastifyReply,
  { status, json }: Answer,
): Promise<FastifyReply> {
  const body = Buffer.from(json ? JSON.stringify(json) : '')
  const signature = await signResponse({ status, body }, await readProviderKey(ctx, providerId))
  void reply.status(status).headers({ ...signature, 'cache-control': 'no-store' })
  return json ? reply.type('application/json; charset=utf-8').send(body) : reply.send()
}

function parseObject(body: Buffer): Json {
  const refused = new BadRequest('The body must be a JSON object')
  let json: unknown
  try {
    json = parseForeignJson(body)
  } catch {
    throw refused
  }
  if (typeof json !== 'object' || json === null || Array.isArray(json)) throw refused
  return json as Json
}
