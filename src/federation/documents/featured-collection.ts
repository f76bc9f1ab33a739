// Collections of accounts (FEP-7aa9)
import { featuredCollectionContext } from '../../ap/context.ts'
import type { Context } from '../../context.ts'
import { newestFirst, onPage, type Pagination } from '../../db/page.ts'
import type { Collections } from '../../db/schema.ts'
import { sql } from '../../db/sql.ts'
import { getLocalCollection, isCollectionShown, isItemShown } from '../../domain/collections/visible.ts'
import { hasBlockedDomainOf } from '../../domain/relationships/hidden.ts'
import { accountUri, collectionUri } from '../../domain/server/addresses.ts'
import type { MaybeViewer } from '../../domain/statuses/visibility.ts'
import { NotFound } from '../../lib/errors.ts'
import { authorizationUri, featuredCollectionsUri } from '../ids.ts'
import { renderCollections } from '../outgoing/render/collection.ts'
import { type LocalActor, localActor } from './actor.ts'
import { type CollectionQuery, orderedCollection, type CollectionItems } from './collection.ts'

/** GET /users/:username/collections/:id, and /collections/:id, which names no user. Throws NotFound, and as `localActor`. */
export async function featuredCollectionDocument(
  ctx: Context,
  signer: MaybeViewer,
  id: string,
  named?: string,
): Promise<unknown> {
  const owner = named === undefined ? null : await localActor(ctx, named)
  const { account_id: ownerId } = await getLocalCollection(ctx, signer, id)
  if (owner && owner.id !== ownerId) throw new NotFound()
  await refuseBlockedDomain(ctx, signer, ownerId)
  const rendered = (await renderCollections(ctx, signer, [id])).get(id)
  if (!rendered) throw new NotFound()
  return { '@context': featuredCollectionContext, ...rendered.document }
}

/** GET /users/:username/featured_collections: the discoverable ones. */
export async function featuredCollectionsDocument(
  ctx: Context,
  signer: MaybeViewer,
  username: string,
  query: CollectionQuery,
): Promise<unknown> {
  const account = await localActor(ctx, username)
  await refuseBlockedDomain(ctx, signer, account.id)
  const listed = sql`c.account_id = ${account.id} and c.discoverable and ${isCollectionShown(signer)}`
  const { n } = await ctx.db.one<{ n: number }>(
    sql`select count(*)::int as n from collections c join accounts a on a.id = c.account_id where ${listed}`,
  )
  const read = async (page: Pagination): Promise<CollectionItems> => {
    const rows = await ctx.db.many<{ id: string }>(sql`
      select c.id from collections c join accounts a on a.id = c.account_id
      where ${listed} and ${onPage(sql`c.id`, page)}`)
    const rowIds = newestFirst(rows, page).map((row) => row.id)
    const rendered = await renderCollections(ctx, signer, rowIds)
    return { items: rowIds.flatMap((rowId) => rendered.get(rowId)?.document ?? []), rowIds }
  }
  const id = featuredCollectionsUri(ctx, account.username)
  return orderedCollection(query, { id, total: n, context: featuredCollectionContext, read })
}

/** GET /users/:username/feature_authorizations/:id: that the account is in a collection with its consent. Throws NotFound. */
export async function featureAuthorizationDocument(
  ctx: Context,
  signer: MaybeViewer,
  account: LocalActor,
  id: string,
): Promise<unknown> {
  const row = await ctx.db.maybe<Pick<Collections, 'id' | 'uri'> & { owner_id: string; owner: string }>(sql`
    select c.id, c.uri, a.id as owner_id, a.username as owner
    from collection_items i join accounts ia on ia.id = i.account_id
    join collections c on c.id = i.collection_id join accounts a on a.id = c.account_id
    where i.id = ${id} and ia.id = ${account.id} and i.state = 'accepted' and ${isItemShown(signer)} and ${isCollectionShown(signer)}`)
  if (!row) throw new NotFound()
  await refuseBlockedDomain(ctx, signer, row.owner_id)
  return {
    '@context': featuredCollectionContext,
    id: authorizationUri(ctx, 'feature', account.username, id),
    type: 'FeatureAuthorization',
    attributedTo: accountUri(ctx, account.username),
    interactingObject: row.uri ?? collectionUri(ctx, row.owner, row.id),
    interactionTarget: accountUri(ctx, account.username),
  }
}

async function refuseBlockedDomain(ctx: Context, signer: MaybeViewer, ownerId: string): Promise<void> {
  if (!signer) return
  const blocks = hasBlockedDomainOf(ownerId, sql`array[${signer.accountId}::bigint]`)
  if ((await ctx.db.maybe(sql`select where ${blocks}`)) !== null) throw new NotFound()
}
