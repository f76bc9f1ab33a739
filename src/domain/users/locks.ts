import type { Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'

/** Until the end of the transaction, others that lock the user wait: simultaneous requests must not pass a limit together. */
export async function lockUser(tx: Context, userId: string): Promise<void> {
  await tx.db.run(sql`select from users where id = ${userId} for no key update`)
}

/** As `lockUser`. */
export async function lockAccount(tx: Context, accountId: string): Promise<void> {
  await tx.db.run(sql`select from accounts where id = ${accountId} for no key update`)
}
