// The paths under /api/v1_alpha that collections had before their release. Clients of that time still ask there.
import type { Route } from '../../http/route.ts'
import { createCollection, deleteCollection, getCollection, updateCollection } from './collections.ts'
import { addCollectionItem, removeCollectionItem, revokeCollectionItem } from './items.ts'
import { getAccountCollections, getCollectionsWithAccount } from './of-account.ts'

/** The day of the release, 2026-06-10, as Unix time. */
const RELEASED = 1781049600

export const collectionsAlpha: readonly Route[] = [
  addCollectionItem,
  createCollection,
  deleteCollection,
  getAccountCollections,
  getCollection,
  getCollectionsWithAccount,
  removeCollectionItem,
  revokeCollectionItem,
  updateCollection,
].map((released) => ({ ...released, path: released.path.replace('/v1/', '/v1_alpha/'), deprecated: RELEASED }))
