import type { Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'

export type SeveranceType = 'domain_block' | 'user_domain_block' | 'account_suspension'

/** How many followers, and followed accounts, a local account lost at once. */
export type Loss = { accountId: string; followers: number; following: number }

/** `targetName`: the domain, or the handle of the suspended account. */
export type Severance = { type: SeveranceType; targetName: string; losses: readonly Loss[] }

/** Leaves out accounts that lost nothing. Returns the ids of the events. */
export async function insertSeveranceEvents(tx: Context, severance: Severance): Promise<string[]> {
  const losses = severance.losses.filter(({ followers, following }) => followers + following > 0)
  if (losses.length === 0) return []
  const events = await tx.db.many<{ id: string }>(sql`
    insert into relationship_severance_events (account_id, type, target_name, followers_count, following_count)
    select l.account_id, ${severance.type}, ${severance.targetName}, l.followers, l.following
    from unnest(${losses.map(({ accountId }) => accountId)}::bigint[], ${losses.map(({ followers }) => followers)}::int[],
      ${losses.map(({ following }) => following)}::int[]) as l (account_id, followers, following)
    join accounts a on a.id = l.account_id and a.domain is null
    returning id`)
  return events.map(({ id }) => id)
}
