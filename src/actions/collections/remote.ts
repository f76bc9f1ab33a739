import { type FeaturedCollection, parseFeaturedCollection } from '../../ap/featured-collection.ts'
import { isSameHost } from '../../ap/normalise.ts'
import type { Context } from '../../context.ts'
import { fetchDocument } from '../../domain/accounts/documents.ts'
import type { AccountRow } from '../../domain/accounts/find.ts'
import { insertConsent } from '../../domain/collections/items.ts'
import { findRemoteCollection, storeRemoteCollection } from '../../domain/collections/remote.ts'
import type { InteractionRequest } from '../../jobs/distribution.ts'
import { federate } from '../federate.ts'
import { notify } from '../notifications/notify.ts'

/** The caller has verified that the owner sent it. Returns the id; null when it is not stored. */
async function receiveCollection(
  ctx: Context,
  owner: AccountRow,
  document: FeaturedCollection,
): Promise<string | null> {
  if (document.attributedTo !== owner.uri) return null
  return ctx.transaction(async (tx) => (await storeRemoteCollection(tx, owner.id, document))?.id ?? null)
}

/**
 * The stored collection of a remote account, or the one from its server. Null if there is none, or it is another account's. Never call
 * it in a transaction. Throws FetchError.
 */
export async function resolveCollection(ctx: Context, owner: AccountRow, uri: string): Promise<string | null> {
  const known = await findRemoteCollection(ctx, uri)
  if (known) return known.account_id === owner.id ? known.id : null
  if (!isSameHost(uri, owner.uri ?? '')) return null
  const document = parseFeaturedCollection((await fetchDocument(ctx, uri)).json)
  return document?.id === uri ? receiveCollection(ctx, owner, document) : null
}

/**
 * Answers the request of a remote account to have a local account in its collection: with an authorization and a notification if the
 * account wants to be there. `collectionId`: null to reject. May run twice.
 */
export const answerFeatureRequest = (
  ctx: Context,
  accountId: string,
  collectionId: string | null,
  request: InteractionRequest,
): Promise<void> =>
  ctx.transaction(async (tx) => {
    const ownerId = request.requesterId
    const item = collectionId === null ? null : await insertConsent(tx, { collectionId, ownerId, accountId })
    if (item?.isNew)
      await notify(tx, {
        type: 'added_to_collection',
        fromAccountId: ownerId,
        subjectId: collectionId!,
        to: [accountId],
      })
    await federate(tx, { activity: 'answer-request', interaction: 'feature', accountId, request, id: item?.id ?? null })
  })
