import type { Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'

/**
 * Removes two accounts, the first of which blocks the second, from each other's collections. The blocking account's own
 * membership is revoked, so that it cannot be added again.
 */
export async function removeFromEachOthersCollections(
  tx: Context,
  accountId: string,
  targetAccountId: string,
): Promise<void> {
  await tx.db.run(sql`
    delete from collection_items i using collections c
    where c.id = i.collection_id and c.account_id = ${accountId} and i.account_id = ${targetAccountId} and i.state in ('pending', 'accepted')`)
  await tx.db.run(sql`
    update collection_items i set state = 'revoked' from collections c
    where c.id = i.collection_id and c.account_id = ${targetAccountId} and i.account_id = ${accountId} and i.state in ('pending', 'accepted')`)
}
