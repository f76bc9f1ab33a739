import { asObject, dateOf, idOf, isSameHost } from '../ap/normalise.ts'
import type { Context } from '../context.ts'
import { sql } from '../db/sql.ts'
import { storeActivity } from '../domain/instance/outbox.ts'
import type { Incoming } from './activities/incoming.ts'
import { inboxesOf } from './recipients.ts'

const TYPES = ['Create', 'Update', 'Delete']

/** Who hears of somebody else's post through us: the followers of one of ours, who is answered by it or boosted it. */
export type Forwarding = { accountId: string; inboxes: string[] }

/**
 * Whom an activity of another server is to be passed on to (ActivityPub 7.1.2): the followers elsewhere of whoever of ours the
 * post answers, and, as they have it from us, of whoever of ours boosted it. Null unless the post is for everybody and the
 * activity carries a signature of its own, by which those who understand it can tell that we did not make it up.
 */
export async function findForwarding(
  ctx: Context,
  { activity, actor, forwarded }: Incoming,
  json: unknown,
): Promise<Forwarding | null> {
  if (forwarded || !TYPES.includes(activity.type) || activity.objectId === null) return null
  if (!isForwardable(json, activity.actor)) return null
  const ours = await ctx.db.many<{ account_id: string }>(sql`
    select p.account_id from statuses s join statuses p on p.id = s.in_reply_to_id and p.local and p.visibility in ('public', 'unlisted')
    where s.uri = ${activity.objectId} and s.account_id = ${actor.id} and s.visibility in ('public', 'unlisted')
    union select b.account_id from statuses s join statuses b on b.reblog_of_id = s.id and b.local and b.visibility in ('public', 'unlisted')
    where s.uri = ${activity.objectId} and s.account_id = ${actor.id} and s.visibility in ('public', 'unlisted')`)
  const [first] = ours
  if (!first) return null
  const found = await Promise.all(ours.map(({ account_id: id }) => inboxesOf(ctx, { followersOf: [id] })))
  const own = actor.shared_inbox_url ?? actor.inbox_url
  const inboxes = [...new Set(found.flat())].filter((inbox) => inbox !== own)
  return inboxes.length === 0 ? null : { accountId: first.account_id, inboxes }
}

/** The largest activity that is passed on, and the longest value of its signature (an RSA key of 8192 bits), in characters. */
const LARGEST = 64 * 1024
const LONGEST_SIGNATURE = 1368
const SIGNATURE_MEMBERS = new Set(['@context', 'id', 'type', 'creator', 'created', 'nonce', 'domain', 'signatureValue'])

/**
 * Whether an activity is of a size to be passed on, and carries a linked-data signature in its usual form: short texts, by a key
 * on the host of its actor. The signature itself is for the receivers to verify.
 */
function isForwardable(json: unknown, actor: string): boolean {
  const signature = asObject(asObject(json)?.['signature'])
  if (signature === null || JSON.stringify(json).length > LARGEST) return false
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
    signatureValue.length <= LONGEST_SIGNATURE &&
    /^[A-Za-z0-9+/]+={0,2}$/.test(signatureValue)
  )
}

/** Passes an activity on as it came; the request is signed by one of ours. */
export const forward = (ctx: Context, { accountId, inboxes }: Forwarding, json: unknown): Promise<void> =>
  storeActivity(ctx, accountId, json as Record<string, unknown>, inboxes)
