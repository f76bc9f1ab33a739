import type { Activity } from '../../ap/activity.ts'
import { hiddenRecipientsOf, publicCollection } from '../../ap/audience.ts'
import { activityStreamsContext } from '../../ap/context.ts'
import { asArray, asObject, dateOf, idOf, isSameHost, type Json } from '../../ap/normalise.ts'
import { perServer, type Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'
import { anySharerOf } from '../../domain/statuses/audience.ts'
import { isPublicOrUnlistedSql } from '../../domain/statuses/visibility.ts'
import { isWithinLimit } from '../../http/ratelimit.ts'
import { batched } from '../../lib/batch.ts'
import { lruCache } from '../../lib/lru-cache.ts'
import { type Incoming, splitByObject } from './activities/incoming.ts'
import { inboxesOf } from '../outgoing/recipients.ts'
import { queueDeliveries } from '../outgoing/distribute.ts'

/** `authorId`: of the activity. `topics`: its type with the URI of each post that it is about. */
export type Forwarding = {
  accountId: string
  authorId: string
  inboxes: string[]
  body: Record<string, unknown>
  topics: string[]
}

/** Limits: inboxes per activity, and activities of one type per post and hour. */
const MAX_INBOXES = 1000
const MAX_FORWARDED = 10
const forwardCounts = perServer(() => lruCache<string, number>({ max: 10_000, ttl: 3_600_000, noUpdateTTL: true }))

/**
 * Decides how to forward a remote author's activity about public posts (ActivityPub 7.1.2): to servers that know a post through
 * local accounts, which are the author of its parent and those who boosted, answered or quoted it.
 */
export async function findForwardings(ctx: Context, incoming: Incoming, json: unknown): Promise<Forwarding[]> {
  const found = await Promise.all(splitByObject(incoming).map((one) => findForwarding(ctx, one, json)))
  const byBody = new Map<object, Forwarding>()
  for (const one of found.filter((each) => each !== null)) {
    // An activity that is forwarded unchanged has the same body for all of its objects.
    const known = byBody.get(one.body)
    const inboxes = new Set([...(known?.inboxes ?? []), ...one.inboxes])
    const topics = [...(known?.topics ?? []), ...one.topics]
    byBody.set(one.body, { ...one, topics, inboxes: [...inboxes].slice(0, MAX_INBOXES) })
  }
  return [...byBody.values()]
}

async function findForwarding(
  ctx: Context,
  { activity, actor, forwarded }: Incoming,
  json: unknown,
): Promise<Forwarding | null> {
  const uri = activity.objectId
  const body = forwarded || uri === null ? null : forwardedForm(json, activity)
  if (uri === null || body === null) return null
  const found = await forwardable(ctx)({ uri, authorId: actor.id })
  const accountId = found.parent_id ?? found.sharer_id
  if (found.id === null || accountId === null) return null
  const to = { followersOf: found.parent_id === null ? [] : [found.parent_id], copiesOf: found.id }
  const { host } = new URL(actor.uri ?? '')
  const inboxes = (await inboxesOf(ctx, to)).filter((inbox) => new URL(inbox).host !== host)
  return inboxes.length === 0
    ? null
    : { accountId, authorId: actor.id, inboxes, body, topics: [`${activity.type} ${uri}`] }
}

/** A remote author's public post, null when there is none, and the local accounts through which other servers know it. */
type Forwardable = { id: string | null; parent_id: string | null; sharer_id: string | null }

const MAX_POSTS = 100

/** Activities that are processed together share a statement. */
const forwardable = perServer((ctx) =>
  batched(
    (posts: { uri: string; authorId: string }[]) =>
      ctx.db.many<Forwardable>(sql`
        select s.id, p.account_id as parent_id, case when s.id is not null then ${anySharerOf(sql`s.id`)} end as sharer_id
        from unnest(${posts.map(({ uri }) => uri)}::text[], ${posts.map(({ authorId }) => authorId)}::bigint[]) with ordinality wanted (uri, author_id, place)
        left join statuses s on s.uri = wanted.uri and s.account_id = wanted.author_id and ${isPublicOrUnlistedSql(sql`s.visibility`)}
        left join statuses p on p.id = s.in_reply_to_id and p.local and ${isPublicOrUnlistedSql(sql`p.visibility`)}
        order by wanted.place`),
    MAX_POSTS,
  ),
)

/**
 * An activity with a signature of its own is forwarded unchanged. An Update or Delete without one is reduced to the ids of its
 * actor and object: a hint for receivers to fetch the origin, as Rookery does. Mastodon and GoToSocial ignore it. Other
 * activities are not forwarded (null).
 */
function forwardedForm(json: unknown, { id, type, actor, objectId }: Activity): Record<string, unknown> | null {
  if (!['Create', 'Update', 'Delete'].includes(type)) return null
  if (isForwardable(json, actor)) return json as Record<string, unknown>
  if (type === 'Create') return null
  return {
    '@context': activityStreamsContext,
    ...(id === null ? {} : { id }),
    type,
    actor,
    to: [publicCollection],
    object: objectId,
  }
}

/** The largest forwarded activity, and the longest signature value (RSA with 8192 bits), in characters. */
const MAX_FORWARDED_LENGTH = 64 * 1024
const MAX_SIGNATURE_LENGTH = 1368
const SIGNATURE_MEMBERS = new Set(['@context', 'id', 'type', 'creator', 'created', 'nonce', 'domain', 'signatureValue'])

/** Receivers verify the activity's own signature, so it must have one. */
function isForwardable(json: unknown, actor: string): boolean {
  const activity = asObject(json)
  if (activity === null || namesHidden(activity)) return false
  const isSigned = isLinkedDataSignature(activity['signature'], actor) || isIntegrityProof(activity['proof'], actor)
  return isSigned && JSON.stringify(activity).length <= MAX_FORWARDED_LENGTH
}

/** Whether forwarding it unchanged would tell others of its hidden recipients. */
const namesHidden = (activity: Json): boolean =>
  [activity, ...asArray(activity['object'])].some((each) => hiddenRecipientsOf(asObject(each) ?? {}).length > 0)

function isLinkedDataSignature(value: unknown, actor: string): boolean {
  const signature = asObject(value)
  if (signature === null) return false
  const { type, created, signatureValue } = signature
  const creator = idOf(signature['creator'])
  return (
    Object.keys(signature).every((name) => SIGNATURE_MEMBERS.has(name)) &&
    Object.values(signature).every((value) => typeof value === 'string' && value.length <= 2048) &&
    type === 'RsaSignature2017' &&
    creator !== null &&
    isSameHost(creator, actor) &&
    dateOf(created) !== null &&
    typeof signatureValue === 'string' &&
    signatureValue.length <= MAX_SIGNATURE_LENGTH &&
    /^[A-Za-z0-9+/]+={0,2}$/.test(signatureValue)
  )
}

/** FEP-8b32. The key must be on the actor's host. */
function isIntegrityProof(value: unknown, actor: string): boolean {
  const { '@context': _, ...proof } = asObject(value) ?? {}
  const method = idOf(proof['verificationMethod'])
  return (
    Object.values(proof).every((member) => typeof member === 'string' && member.length <= 2048) &&
    proof['type'] === 'DataIntegrityProof' &&
    proof['proofPurpose'] === 'assertionMethod' &&
    method !== null &&
    isSameHost(method, actor) &&
    dateOf(proof['created']) !== null &&
    typeof proof['proofValue'] === 'string' &&
    /^z[1-9A-HJ-NP-Za-km-z]{1,200}$/.test(proof['proofValue'])
  )
}

/**
 * Drops an activity when all posts that it is about have reached the limit, or its author has: one that comes again and again
 * under new ids, or about ever new replies, would otherwise go to a thousand servers each time.
 */
export async function forward(ctx: Context, forwarding: Forwarding): Promise<void> {
  const { accountId, authorId, inboxes, body, topics } = forwarding
  // Each topic is counted, also after one that is below the limit.
  const isAllowed = topics.map((topic) => countForward(ctx, topic)).includes(true)
  if (isAllowed && (await isWithinLimit(ctx, 'forwards', authorId)))
    await queueDeliveries(ctx, accountId, { activity: body, inboxes })
}

/** False at the limit. */
function countForward(ctx: Context, topic: string): boolean {
  const count = forwardCounts(ctx).get(topic) ?? 0
  if (count >= MAX_FORWARDED) return false
  forwardCounts(ctx).set(topic, count + 1)
  return true
}
