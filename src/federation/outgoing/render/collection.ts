// Collections of accounts (FEP-7aa9). The caller adds the context.
import type { Context } from '../../../context.ts'
import type { Accounts, CollectionItems } from '../../../db/schema.ts'
import { sql } from '../../../db/sql.ts'
import { accountUri } from '../../../domain/server/addresses.ts'
import type { MaybeViewer } from '../../../domain/statuses/visibility.ts'
import { type Collection, presentCollections } from '../../../entities/collection.ts'
import { authorizationUri } from '../../ids.ts'

type Json = Record<string, unknown>
/** `items` are by id: those that the accounts have approved. */
type RenderedCollection = { document: Json; items: Map<string, Json> }

/** Local collections, as the viewer may see them. Two statements. */
export async function renderCollections(
  ctx: Context,
  viewer: MaybeViewer,
  ids: readonly string[],
): Promise<Map<string, RenderedCollection>> {
  const collections = (await presentCollections(ctx, viewer, ids)).filter(({ local }) => local)
  const members = await readMembers(ctx, collections)
  return new Map(
    collections.map((collection) => {
      const approved = collection.items.flatMap(({ id, state }) => {
        const member = state === 'accepted' ? members.get(id) : undefined
        return member ? [[id, renderItem(ctx, collection, member)] as const] : []
      })
      return [
        collection.id,
        { document: renderCollection(ctx, collection, members, approved), items: new Map(approved) },
      ]
    }),
  )
}

/** The owner of a collection has a row of its own, by the id of the collection. */
type Member = Pick<CollectionItems, 'id' | 'approval_uri' | 'created_at'> &
  Pick<Accounts, 'username' | 'uri' | 'actor_type'>

async function readMembers(ctx: Context, collections: readonly Collection[]): Promise<Map<string, Member>> {
  const rows = await ctx.db.many<Member>(sql`
    select i.id, i.approval_uri, i.created_at, a.username, a.uri, a.actor_type from collection_items i join accounts a on a.id = i.account_id
    where i.id = any(${collections.flatMap(({ items }) => items.map(({ id }) => id))}::bigint[])
    union all select c.id, null, c.created_at, a.username, a.uri, a.actor_type from collections c join accounts a on a.id = c.account_id
    where c.id = any(${collections.map(({ id }) => id)}::bigint[])`)
  return new Map(rows.map((row) => [row.id, row]))
}

/** The ids of items are in the document of the collection, so that they need none of their own. */
export const itemUri = (collectionUri: string, id: string): string => `${collectionUri}#items/${id}`

const renderItem = (ctx: Context, { uri }: Collection, member: Member): Json => ({
  id: itemUri(uri, member.id),
  type: 'FeaturedItem',
  featuredObject: member.uri ?? accountUri(ctx, member.username),
  featuredObjectType: member.actor_type,
  featureAuthorization: member.approval_uri ?? authorizationUri(ctx, 'feature', member.username, member.id),
  published: member.created_at.toISOString(),
})

function renderCollection(
  ctx: Context,
  collection: Collection,
  members: ReadonlyMap<string, Member>,
  items: readonly (readonly [string, Json])[],
): Json {
  const { tag, language, description } = collection
  return {
    id: collection.uri,
    type: 'FeaturedCollection',
    url: collection.url,
    attributedTo: accountUri(ctx, members.get(collection.id)?.username ?? ''),
    name: collection.name,
    summary: description,
    ...(language === null ? {} : { summaryMap: { [language]: description } }),
    ...(tag === null ? {} : { topic: { type: 'Hashtag', href: tag.url, name: `#${tag.name}` } }),
    sensitive: collection.sensitive,
    discoverable: collection.discoverable,
    published: collection.created_at,
    updated: collection.updated_at,
    totalItems: items.length,
    orderedItems: items.map(([, item]) => item),
  }
}
