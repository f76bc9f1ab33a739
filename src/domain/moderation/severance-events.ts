// Relationship severance events: the follows that an account lost when a server was blocked or another account suspended.
import type { Context } from '../../context.ts'
import type { Accounts, RelationshipSeveranceEvents } from '../../db/schema.ts'
import { sql } from '../../db/sql.ts'
import { listLostFollows } from './severed.ts'
import { followRows, writeCsv } from '../portability/csv.ts'
import { fullHandle } from '../server/addresses.ts'

export type SeveranceType = RelationshipSeveranceEvents['type']

type Loss = { accountId: string; followers: number; following: number }

/**
 * `targetName`: the domain, or the handle of the suspended account. `severanceId`: the removal by staff that the event is a
 * part of.
 */
export type NewSeveranceEvents = {
  type: SeveranceType
  targetName: string
  losses: readonly Loss[]
  severanceId?: string
}

/** Leaves out accounts that lost nothing. Returns the ids of the events. */
export async function insertSeveranceEvents(
  tx: Context,
  { type, targetName, severanceId, ...lost }: NewSeveranceEvents,
): Promise<string[]> {
  const losses = lost.losses.filter(({ followers, following }) => followers + following > 0)
  if (losses.length === 0) return []
  const events = await tx.db.many<{ id: string }>(sql`
    insert into relationship_severance_events (account_id, type, target_name, followers_count, following_count, severance_id)
    select l.account_id, ${type}, ${targetName}, l.followers, l.following, ${severanceId ?? null}::bigint
    from unnest(${losses.map(({ accountId }) => accountId)}::bigint[], ${losses.map(({ followers }) => followers)}::int[],
      ${losses.map(({ following }) => following)}::int[]) as l (account_id, followers, following)
    join accounts a on a.id = l.account_id and a.domain is null
    returning id`)
  return events.map(({ id }) => id)
}

const MAX_EVENTS = 200

export type SeveranceEvent = Pick<
  RelationshipSeveranceEvents,
  'id' | 'target_name' | 'followers_count' | 'following_count' | 'purged' | 'created_at'
> & {
  type: SeveranceType
  /** False for a block by the account itself, as the follows that it ended are not stored. */
  has_list: boolean
}

/** Newest first. */
export const listSeveranceEvents = (ctx: Context, accountId: string): Promise<SeveranceEvent[]> =>
  ctx.db.many<SeveranceEvent>(sql`
    select id, type, target_name, followers_count, following_count, purged, created_at, severance_id is not null as has_list
    from relationship_severance_events where account_id = ${accountId} order by id desc limit ${MAX_EVENTS}`)

/** The follows have the columns of an export, so that they can be imported. Null for an unknown event, and after 30 days. */
export async function severedCsv(
  ctx: Context,
  accountId: string,
  eventId: string,
  direction: 'follower' | 'following',
): Promise<string | null> {
  const event = await ctx.db.maybe(sql`
    select from relationship_severance_events
    where id = ${eventId} and account_id = ${accountId} and severance_id is not null and not purged`)
  if (!event) return null
  const rows = await listLostFollows(ctx, accountId, eventId, direction)
  if (direction === 'following') return writeCsv(followRows(ctx, rows))
  return writeCsv([['Account address'], ...rows.map((row) => [fullHandle(ctx, row)])])
}

/** Call it before the data of an account is deleted: the lists of lost follows that include it then end. */
export async function markLossesPurged(tx: Context, accountId: string): Promise<void> {
  await tx.db.run(sql`
    update relationship_severance_events e set purged = true
    from severances v where v.target_account_id = ${accountId} and e.severance_id = v.id`)
}

export type SeveredAccount = Pick<Accounts, 'id' | 'username'> & { follows: boolean; followed: boolean }

/** Local accounts that would lose a follow or a follower by the suspension of the account, by name. */
export const listConcerned = (ctx: Context, accountId: string, limit: number): Promise<SeveredAccount[]> =>
  ctx.db.many<SeveredAccount>(sql`
    select a.id, a.username, bool_or(f.account_id = a.id) as follows, bool_or(f.target_account_id = a.id) as followed
    from follows f join accounts a on a.id = case when f.account_id = ${accountId} then f.target_account_id else f.account_id end
    where (f.account_id = ${accountId} or f.target_account_id = ${accountId}) and a.domain is null
    group by a.id order by lower(a.username) limit ${limit}`)
