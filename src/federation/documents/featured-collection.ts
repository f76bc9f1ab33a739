// Collections of accounts (FEP-7aa9)
import { featuredCollectionContext } from '../../ap/context.ts'
import type { Context } from '../../context.ts'
import type { Accounts } from '../../db/schema.ts'
import { sql } from '../../db/sql.ts'
import { getVisibleCollection, isCollectionShown, isItemShown } from '../../domain/collections/visible.ts'
import { hasBlockedDomainOf } from '../../domain/relationships/hidden.ts'
import { accountUri, collectionUri } from '../../domain/server/addresses.ts'
import type { MaybeViewer } from '../../domain/statuses/visibility.ts'
import { type Collection, type CollectionItem, presentCollections } from '../../entities/collection.ts'
import { NotFound } from '../../lib/errors.ts'
import { featureAuthorizationUri } from '../ids.ts'
import type { LocalActor } from './actor.ts'

/** GET /users/:username/collections/:id, and /collections/:id, which names no user. Throws NotFound. */
export async function featuredCollectionDocument(
  ctx: Context,
  signer: MaybeViewer,
  id: string,
  named?: string,
): Promise<unknown> {
  const { account_id: ownerId, username } = await getVisibleCollection(ctx, signer, id)
  if (named !== undefined && named.toLowerCase() !== username.toLowerCase()) throw new NotFound()
  await refuseBlockedDomain(ctx, signer, ownerId)
  const [collection] = await presentCollections(ctx, signer, [id])
  if (!collection) throw new NotFound()
  const { tag, language, description, items } = collection
  const orderedItems = await renderItems(ctx, collection, items)
  return {
    '@context': featuredCollectionContext,
    id: collection.uri,
    type: 'FeaturedCollection',
    url: collection.url,
    attributedTo: accountUri(ctx, username),
    name: collection.name,
    summary: description,
    ...(language === null ? {} : { summaryMap: { [language]: description } }),
    ...(tag === null ? {} : { topic: { type: 'Hashtag', href: tag.url, name: `#${tag.name}` } }),
    sensitive: collection.sensitive,
    discoverable: collection.discoverable,
    published: collection.created_at,
    updated: collection.updated_at,
    totalItems: orderedItems.length,
    orderedItems,
  }
}

/** The ids of items are in the document of the collection, so that they need none of their own. */
async function renderItems(
  ctx: Context,
  { uri }: Collection,
  items: readonly CollectionItem[],
): Promise<Record<string, unknown>[]> {
  const accepted = items.filter(({ state }) => state === 'accepted')
  const members = await ctx.db.many<Pick<Accounts, 'id' | 'username' | 'actor_type'>>(sql`
    select id, username, actor_type from accounts
    where id = any(${accepted.map((item) => item.account_id)}::bigint[]) and domain is null`)
  const byId = new Map(members.map((member) => [member.id, member]))
  return accepted.flatMap(({ id, account_id }) => {
    const member = byId.get(account_id ?? '')
    if (!member) return []
    return {
      id: `${uri}#items/${id}`,
      type: 'FeaturedItem',
      featuredObject: accountUri(ctx, member.username),
      featuredObjectType: member.actor_type,
      featureAuthorization: featureAuthorizationUri(ctx, member.username, id),
    }
  })
}

/** GET /users/:username/feature_authorizations/:id: that the account is in a collection with its consent. Throws NotFound. */
export async function featureAuthorizationDocument(
  ctx: Context,
  signer: MaybeViewer,
  account: LocalActor,
  id: string,
): Promise<unknown> {
  const row = await ctx.db.maybe<{ id: string; owner_id: string; owner: string }>(sql`
    select c.id, a.id as owner_id, a.username as owner
    from collection_items i join accounts ia on ia.id = i.account_id
    join collections c on c.id = i.collection_id join accounts a on a.id = c.account_id
    where i.id = ${id} and ia.id = ${account.id} and i.state = 'accepted' and ${isItemShown(signer)} and ${isCollectionShown(signer)}`)
  if (!row) throw new NotFound()
  await refuseBlockedDomain(ctx, signer, row.owner_id)
  return {
    '@context': featuredCollectionContext,
    id: featureAuthorizationUri(ctx, account.username, id),
    type: 'FeatureAuthorization',
    attributedTo: accountUri(ctx, account.username),
    interactingObject: collectionUri(ctx, row.owner, row.id),
    interactionTarget: accountUri(ctx, account.username),
  }
}

async function refuseBlockedDomain(ctx: Context, signer: MaybeViewer, ownerId: string): Promise<void> {
  if (!signer) return
  const blocks = hasBlockedDomainOf(ownerId, sql`array[${signer.accountId}::bigint]`)
  if ((await ctx.db.maybe(sql`select where ${blocks}`)) !== null) throw new NotFound()
}
