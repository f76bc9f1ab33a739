import { name, sql, type Sql } from '../../db/sql.ts'
import { visibleTo, type Onlooker } from '../statuses/visibility.ts'

/**
 * Whose posts stay out of every timeline of `me`: blocked, blocking, muted at this moment, and of domains that `me` blocks.
 * A condition on the account with the alias `account`; oneself is never hidden. The lists are read once per statement.
 */
export function appearsTo(me: string, account: 'a' | 'oa'): Sql {
  const id = name(`${account}.id`)
  const domain = name(`${account}.domain`)
  return sql`(${id} = ${me} or (
    ${id} not in (
      select target_account_id from blocks where account_id = ${me}
      union all select account_id from blocks where target_account_id = ${me}
      union all select target_account_id from mutes where account_id = ${me} and (expires_at is null or expires_at > now()))
    and (${domain} is null or ${domain} not in (select domain from account_domain_blocks where account_id = ${me}))))`
}

/** Whether what a post `s` boosts may be read by the viewer; true of what is no boost. */
export function originalVisibleTo(viewer: Onlooker): Sql {
  return sql`(s.reblog_of_id is null or exists (
    select from (select original.* from statuses original where original.id = s.reblog_of_id) s
    join accounts a on a.id = s.account_id where ${visibleTo(viewer)}))`
}
