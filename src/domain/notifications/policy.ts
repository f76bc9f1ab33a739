import type { Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'

/** What happens to notifications from a kind of sender: shown, kept for a request, not even made. */
export type Treatment = 'accept' | 'filter' | 'drop'

export type Policy = {
  for_not_following: Treatment
  for_not_followers: Treatment
  for_new_accounts: Treatment
  for_private_mentions: Treatment
  for_limited_accounts: Treatment
  for_bots: Treatment
}

/** A policy with what waits because of it. */
export type PolicyRow = Policy & { pending_requests_count: number; pending_notifications_count: number }

/** Whose notifications somebody wants to see. Who has said nothing has the default policy. */
export async function getPolicy(ctx: Context, accountId: string): Promise<PolicyRow> {
  return ctx.db.one<PolicyRow>(sql`
    select coalesce(p.for_not_following, 'accept') as for_not_following, coalesce(p.for_not_followers, 'accept') as for_not_followers,
      coalesce(p.for_new_accounts, 'accept') as for_new_accounts, coalesce(p.for_private_mentions, 'accept') as for_private_mentions,
      coalesce(p.for_limited_accounts, 'filter') as for_limited_accounts,
      coalesce(p.for_bots, 'accept') as for_bots, pending.*
    from (
      select count(*)::int as pending_requests_count, coalesce(sum(held.n), 0)::int as pending_notifications_count
      from notification_requests q
      join accounts fa on fa.id = q.from_account_id and fa.suspended_at is null
      cross join lateral (
        select count(*) as n from notifications n
        where n.account_id = q.account_id and n.from_account_id = q.from_account_id and n.filtered) held
      where q.account_id = ${accountId} and held.n > 0
    ) pending
    left join notification_policies p on p.account_id = ${accountId}`)
}

/** Changes an account's policy. What is absent stays. It applies to what happens from now on. */
export async function savePolicy(ctx: Context, accountId: string, changes: Partial<Policy>): Promise<void> {
  const { for_not_following, for_not_followers, for_new_accounts, for_private_mentions } = changes
  const { for_limited_accounts, for_bots } = changes
  await ctx.db.run(sql`
    insert into notification_policies as p
      (account_id, for_not_following, for_not_followers, for_new_accounts, for_private_mentions, for_limited_accounts, for_bots)
    values (${accountId}, coalesce(${for_not_following ?? null}, 'accept'), coalesce(${for_not_followers ?? null}, 'accept'),
      coalesce(${for_new_accounts ?? null}, 'accept'), coalesce(${for_private_mentions ?? null}, 'accept'),
      coalesce(${for_limited_accounts ?? null}, 'filter'), coalesce(${for_bots ?? null}, 'accept'))
    on conflict (account_id) do update set
      for_not_following = coalesce(${for_not_following ?? null}, p.for_not_following),
      for_not_followers = coalesce(${for_not_followers ?? null}, p.for_not_followers),
      for_new_accounts = coalesce(${for_new_accounts ?? null}, p.for_new_accounts),
      for_private_mentions = coalesce(${for_private_mentions ?? null}, p.for_private_mentions),
      for_limited_accounts = coalesce(${for_limited_accounts ?? null}, p.for_limited_accounts),
      for_bots = coalesce(${for_bots ?? null}, p.for_bots)`)
}
