import type { Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'

/** `accountId`: null for all recipients. */
type NotifiedMember = { ownerId: string; collectionId: string; accountId: string | null }

/** Deletes the notifications of these accounts about these collections. */
export async function deleteCollectionNotifications(tx: Context, notified: readonly NotifiedMember[]): Promise<void> {
  if (notified.length === 0) return
  await tx.db.run(sql`
    delete from notifications n
    using unnest(
      ${notified.map(({ ownerId }) => ownerId)}::bigint[], ${notified.map(({ collectionId }) => collectionId)}::bigint[],
      ${notified.map(({ accountId }) => accountId)}::bigint[]
    ) notified (owner_id, collection_id, account_id)
    where n.from_account_id = notified.owner_id and n.type in ('added_to_collection', 'collection_update')
      and n.subject_id = notified.collection_id and (notified.account_id is null or n.account_id = notified.account_id)`)
}
