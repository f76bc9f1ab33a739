import type { Context } from '../../context.ts'
import { findCollectionsOf, markRemoteCollectionSensitive } from '../../domain/collections/collections.ts'
import { changeCollection, removeCollection } from '../collections/change.ts'
import { removeRemoteCollection } from '../collections/remote.ts'
import type { StatusOutcome } from './moderate-statuses.ts'

/**
 * Deletes collections of the account, or marks them as sensitive. Other servers receive a Delete or an Update of local ones.
 * Returns the ids of the collections that changed. The caller records the act, as for `moderateStatuses`.
 */
export async function moderateCollections(
  tx: Context,
  { type, accountId, collectionIds }: { type: StatusOutcome; accountId: string; collectionIds: readonly string[] },
): Promise<string[]> {
  const collections = await findCollectionsOf(tx, accountId, collectionIds)
  const changed = type === 'delete_statuses' ? collections : collections.filter(({ sensitive }) => !sensitive)
  for (const { id, uri } of changed) {
    if (type === 'delete_statuses')
      await (uri === null ? removeCollection(tx, accountId, id) : removeRemoteCollection(tx, accountId, uri))
    else if (uri === null) await changeCollection(tx, accountId, id, { sensitive: true })
    else await markRemoteCollectionSensitive(tx, id)
  }
  return changed.map(({ id }) => id)
}
