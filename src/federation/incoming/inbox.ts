import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { parseActivity, type Activity } from '../../ap/activity.ts'
import type { VerifiedSignature } from '../../ap/signatures/verify.ts'
import { isSameHost } from '../../ap/normalise.ts'
import type { Context } from '../../context.ts'
import { findKey } from '../../actions/remote/find-key.ts'
import { findByUri } from '../../domain/accounts/remote.ts'
import { findKnownKey, type KeyOwner } from '../../domain/accounts/keys.ts'
import { countTraffic } from '../../domain/peers/traffic.ts'
import { recordSuccess } from '../../domain/peers/circuit-breaker.ts'
import { addressKey, limitFailures } from '../../http/ratelimit.ts'
import { currentCause } from '../../lib/cause.ts'
import { AppError, BadRequest } from '../../lib/errors.ts'
import { parseForeignJson } from '../../lib/json.ts'
import { DOCUMENT_TYPES } from '../../net/content-types.ts'
import { localActor } from '../documents/actor.ts'
import { checkSynchronization, SYNCHRONIZATION_HEADER } from '../followers-synchronization.ts'
import { bodyBytesOf, notSigned, requireSigner, takeBodiesAsBytes } from '../signer.ts'
import { countsWhileSuspended } from './activities/incoming.ts'
import { refuseFlood } from './fair-share.ts'
import { storeIncoming } from './store.ts'

const MAX_BODY = 1024 * 1024
/** Types of activities that another server may forward (ActivityPub 7.1.2). Their object is then fetched from its origin. */
const FORWARDED = ['Create', 'Update', 'Delete']
/**
 * Types of which a second activity may come under the id of the first. Misskey, Pixelfed and PeerTube derive the id of a Follow,
 * Accept or Like from the two accounts. Friendica and Takahē derive that of an Update from the post; Mobilizon and old versions
 * of WriteFreely give it the id of the Create, as BookWyrm does with a Delete. Mastodon gives an Add and a Remove no id. Of these
 * types, only a request with the same signature counts as a duplicate.
 */
const REUSED_IDS = ['Accept', 'Add', 'Block', 'Delete', 'Follow', 'Like', 'Reject', 'Remove', 'Undo', 'Update']

/**
 * Types whose ids may be on any host, as nothing is stored under them. snac undoes a follow request under an id on the host of
 * the followed account. BookWyrm, Takahē and FediBuzz accept a Follow under an id on the host of the follower.
 */
const IDS_ON_ANY_HOST = ['Accept', 'Reject', 'Undo']

/**
 * The shared inbox and the inboxes of accounts behave alike. Response 202: the activity is valid, stored and queued. 400: not an
 * activity. 401: a missing or invalid signature. 403: a blocked server. 429: too much of the sender waits. 503: the key cannot be
 * fetched at the moment, so a retry may succeed.
 */
export function registerInbox(app: FastifyInstance, ctx: Context): void {
  void app.register(async (scope) => {
    takeBodiesAsBytes(scope, DOCUMENT_TYPES, MAX_BODY)
    const accept = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      await receive(ctx, request)
      return reply.status(202).type('application/json; charset=utf-8').send('{}')
    }
    scope.post('/inbox', accept)
    scope.post('/actor/inbox', accept)
    scope.post('/users/:username/inbox', async (request, reply) => {
      // Follows and the like of a suspended account stay up to date, as it may be restored.
      await localActor(ctx, (request.params as { username: string }).username, { evenSuspended: true })
      return accept(request, reply)
    })
  })
}

async function receive(ctx: Context, request: FastifyRequest): Promise<void> {
  if (request.headers.signature === undefined) throw notSigned()
  const body = bodyBytesOf(request)
  // A FeatureRequest without an actor is by its signer.
  const claimed = parseActivity(parseJson(body), '')
  if (!claimed) throw new BadRequest('The body is not an activity')
  const verified = await limitFailures(ctx, 'signatures', addressKey(request.ip), () =>
    verify(ctx, request, body, claimed),
  )
  if (!verified) return
  const { key: signer, signature, covered } = verified
  const activity = { ...claimed, actor: claimed.actor || signer.uri }
  if (signer.suspended && !countsWhileSuspended(activity, signer.uri)) return refetchSuspended(ctx, signer, activity)
  // The sender is known once the signature is verified.
  const { host } = new URL(signer.uri)
  const cause = currentCause()
  if (cause) cause.host = host
  checkSigner(activity, signer.uri)
  await refuseFlood(ctx, host)
  const text = body.toString('utf8')
  const dedupKey = REUSED_IDS.includes(activity.type) ? signature.toString('base64') : (activity.id ?? text)
  await storeIncoming(ctx, { actorUri: signer.uri, dedupKey, body: text, host, cause })
  await recordSuccess(ctx, host)
  countTraffic(ctx, signer.domain, 'received')
  const header = request.headers[SYNCHRONIZATION_HEADER]
  const isTheirs = !signer.suspended && activity.actor === signer.uri
  if (typeof header === 'string' && covered.includes(SYNCHRONIZATION_HEADER) && isTheirs)
    await checkSynchronization(ctx, header, signer.accountId)
}

/** Throws a 401 unless the signer may send the activity: as its actor, or as a server that forwards it. */
function checkSigner({ id, type, actor, objectId }: Activity, signerUri: string): void {
  if (actor !== signerUri) {
    if (!FORWARDED.includes(type) || objectId === null)
      throw new AppError(401, 'The signer is not the actor of the activity')
  } else if (id !== null && !IDS_ON_ANY_HOST.includes(type) && !isSameHost(id, signerUri)) {
    throw new AppError(401, 'The id of the activity is not on the host of its actor')
  }
}

/** An account that its own server suspended may tell that it is restored, or gone: its document is read again. */
async function refetchSuspended(ctx: Context, signer: KeyOwner, activity: Activity): Promise<void> {
  const isOwn = activity.actor === signer.uri && activity.objectId === signer.uri
  if (signer.suspendedRemotely && isOwn && ['Update', 'Delete'].includes(activity.type))
    await ctx.enqueue('federation.refresh', { accountId: signer.accountId, force: true }, { key: signer.accountId })
}

function parseJson(body: Buffer): unknown {
  try {
    return parseForeignJson(body)
  } catch {
    throw new BadRequest('The body is not JSON, or is nested too deeply')
  }
}

/**
 * Returns null for the Delete of an unknown actor, whose key no longer exists, and for its Update, which changes nothing here.
 */
async function verify(
  ctx: Context,
  request: FastifyRequest,
  body: Buffer,
  activity: Activity,
): Promise<VerifiedSignature<KeyOwner> | null> {
  const unknownActor = new Error('Delete or Update of an unknown actor')
  const isUnknown = async (keyId: string): Promise<boolean> => {
    if (activity.objectId !== activity.actor) return false
    if (activity.type === 'Update') return (await findByUri(ctx, activity.actor)) === null
    return activity.type === 'Delete' && (await findKnownKey(ctx, keyId)) === null
  }
  try {
    return await requireSigner(ctx, request, body, async (keyId, options) => {
      if (await isUnknown(keyId)) throw unknownActor
      return findKey(ctx, keyId, options)
    })
  } catch (error) {
    if (error === unknownActor) return null
    throw error
  }
}
