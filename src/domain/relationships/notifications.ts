import type { Context } from '../../context.ts'
import { nothing, sql } from '../../db/sql.ts'
import type { NotificationType } from '../notifications/types.ts'

/**
 * Removes what an account was told of others' doings: of these types, or of all. With all go their requests to be heard, and
 * that they were let through.
 */
export async function forgetNotifications(
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
