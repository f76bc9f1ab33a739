import { asObject } from '../ap/normalise.ts'
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
  if (asObject(asObject(json)?.['signature']) === null) return null
  const ours = await ctx.db.many<{ account_id: string }>(sql`
    select p.account_id from statuses s join statuses p on p.id = s.in_reply_to_id and p.local and p.visibility in ('public', 'unlisted')
    where s.uri = ${activity.objectId} and s.account_id = ${actor.id} and s.visibility in ('public', 'unlisted')
    union select b.account_id from statuses s join statuses b on b.reblog_of_id = s.id and b.local and b.visibility in ('public', 'unlisted')
    where s.uri = ${activity.objectId} and s.account_id = ${actor.id} and s.visibility in ('public', 'unlisted')`)
  const [first] = ours
  if (!first) return null
  const found = await Promise.all(ours.map(({ account_id: id }) => inboxesOf(ctx, { followersOf: id })))
  const own = actor.shared_inbox_url ?? actor.inbox_url
  const inboxes = [...new Set(found.flat())].filter((inbox) => inbox !== own)
  return inboxes.length === 0 ? null : { accountId: first.account_id, inboxes }
}

/** Passes an activity on as it came; the request is signed by one of ours. */
export const forward = (ctx: Context, { accountId, inboxes }: Forwarding, json: unknown): Promise<void> =>
  storeActivity(ctx, accountId, json as Record<string, unknown>, inboxes)
