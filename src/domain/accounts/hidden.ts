import { sql, type Sql } from '../../db/sql.ts'

/**
 * A condition on an account `a`: it is not kept from the viewer in lists of people. Blocks (in both directions), mutes that
 * have not run out and blocked domains count; suspended accounts are hidden from everybody. The viewer never is.
 */
export function notHiddenFrom(viewer: { accountId: string } | null): Sql {
  if (!viewer) return sql`a.suspended_at is null`
  const me = viewer.accountId
  return sql`(a.id = ${me} or (a.suspended_at is null and not ${isShunned(sql`a.id`, sql`a.domain`, me)}))`
}

/** Whether the account `id` of `domain` blocks `me`, or is blocked, muted or of a domain blocked by `me`. */
export function isShunned(id: Sql, domain: Sql, me: string | Sql): Sql {
  return sql`(exists (select from blocks hb where hb.account_id = ${me} and hb.target_account_id = ${id})
    or exists (select from blocks hb where hb.account_id = ${id} and hb.target_account_id = ${me})
    or exists (select from mutes hm where hm.account_id = ${me} and hm.target_account_id = ${id} and (hm.expires_at is null or hm.expires_at > now()))
    or exists (select from account_domain_blocks hd where hd.account_id = ${me} and hd.domain = ${domain}))`
}
