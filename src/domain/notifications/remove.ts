import type { Context } from '../../context.ts'
import { nothing, sql } from '../../db/sql.ts'
import type { NotificationType } from './types.ts'

/**
 * Deletes an account's notifications from other accounts: of these types, or of all. Without `types` their notification requests
 * and permissions are deleted too.
 */
export async function deleteNotificationsFrom(
  tx: Context,
  accountId: string,
  fromAccountIds: readonly string[],
  types?: readonly NotificationType[],
): Promise<void> {
  const theirs = sql`account_id = ${accountId} and from_account_id = any(${fromAccountIds}::bigint[])`
  const rest = sql`
    with requests as (delete from notification_requests where ${theirs}), permissions as (delete from notification_permissions where ${theirs})`
  await tx.db.run(sql`
    ${types ? nothing : rest}
    delete from notifications where ${theirs} ${types ? sql`and type = any(${types}::text[])` : nothing}`)
}

/** Deletes an account's notifications from the accounts of a domain. */
export async function deleteNotificationsFromDomain(tx: Context, accountId: string, domain: string): Promise<void> {
  await tx.db.run(sql`
    delete from notifications n using accounts a where n.account_id = ${accountId} and a.id = n.from_account_id and a.domain = ${domain}`)
}
