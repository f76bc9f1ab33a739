import type { Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'
import { notify } from './notify.ts'

export type SeveranceType = 'domain_block' | 'user_domain_block' | 'account_suspension'

/** How many followers, and how many followed, an account of this server has lost at once. */
export type Loss = { accountId: string; followers: number; following: number }

/**
 * Keeps on record that people lost ties at once, and tells them. `targetName` is the domain, or the handle of the account that
 * was suspended. Call it in the transaction that ends the ties; who lost nothing is left out.
 */
export async function recordSeverance(
  tx: Context,
  cause: { type: SeveranceType; targetName: string; losses: readonly Loss[] },
): Promise<void> {
  const losses = cause.losses.filter(({ followers, following }) => followers + following > 0)
  if (losses.length === 0) return
  const events = await tx.db.many<{ id: string }>(sql`
    insert into relationship_severance_events (account_id, type, target_name, followers_count, following_count)
    select l.account_id, ${cause.type}, ${cause.targetName}, l.followers, l.following
    from unnest(${losses.map(({ accountId }) => accountId)}::bigint[], ${losses.map(({ followers }) => followers)}::int[],
      ${losses.map(({ following }) => following)}::int[]) as l (account_id, followers, following)
    join accounts a on a.id = l.account_id and a.domain is null
    returning id`)
  await notify(tx, { type: 'severed_relationships', to: { events: events.map(({ id }) => id) } })
}
