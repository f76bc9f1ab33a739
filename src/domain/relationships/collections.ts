import type { Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'

/**
 * Takes two accounts, of whom the first blocks the second, out of each other's collections: the second simply, the first for
 * good. What either was told of the other's collections is theirs to forget.
 */
export async function forgetCollections(tx: Context, accountId: string, targetAccountId: string): Promise<void> {
  await tx.db.run(sql`
    delete from collection_items i using collections c
    where c.id = i.collection_id and c.account_id = ${accountId} and i.account_id = ${targetAccountId} and i.state in ('pending', 'accepted')`)
  await tx.db.run(sql`
    update collection_items i set state = 'revoked' from collections c
    where c.id = i.collection_id and c.account_id = ${targetAccountId} and i.account_id = ${accountId} and i.state in ('pending', 'accepted')`)
}
