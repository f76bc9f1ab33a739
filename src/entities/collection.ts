import Type, { type Static } from 'typebox'
import type { Context } from '../context.ts'
import type { Collections } from '../db/schema.ts'
import { sql } from '../db/sql.ts'
import type { ItemRow } from '../domain/collections/items.ts'
import { isCollectionShown, isItemShown } from '../domain/collections/visible.ts'
import { collectionUri, collectionUrl, tagUrl } from '../domain/server/addresses.ts'
import type { MaybeViewer } from '../domain/statuses/visibility.ts'
import { formatText } from '../lib/text/format.ts'
import { DateTime, Id, nullable } from './schema.ts'

export const CollectionItem = Type.Object(
  {
    id: Id,
    account_id: nullable(Id),
    state: Type.Enum(['pending', 'accepted', 'rejected', 'revoked']),
    created_at: DateTime,
  },
  { $id: 'CollectionItem' },
)
export type CollectionItem = Static<typeof CollectionItem>

const ShallowTag = Type.Object({ name: Type.String(), url: Type.String() }, { $id: 'ShallowTag' })

export const Collection = Type.Object(
  {
    id: Id,
    account_id: Id,
    uri: Type.String(),
    url: nullable(Type.String()),
    name: Type.String(),
    description: Type.String(),
    language: nullable(Type.String()),
    local: Type.Boolean(),
    sensitive: Type.Boolean(),
    discoverable: Type.Boolean(),
    tag: nullable(ShallowTag),
    created_at: DateTime,
    updated_at: DateTime,
    item_count: Type.Integer(),
    items: Type.Array(CollectionItem),
  },
  { $id: 'Collection' },
)
export type Collection = Static<typeof Collection>

type CollectionColumns =
  | 'id'
  | 'account_id'
  | 'uri'
  | 'url'
  | 'name'
  | 'description'
  | 'language'
  | 'sensitive'
  | 'discoverable'
  | 'created_at'
  | 'updated_at'

type Row = Pick<Collections, CollectionColumns> & {
  username: string
  tag: string | null
  tag_name: string | null
  items: { id: string; account_id: string; state: CollectionItem['state']; created_at: string }[]
}

/** One statement. Deleted and hidden collections have no entry. */
export async function presentCollectionMap(
  ctx: Context,
  viewer: MaybeViewer,
  ids: readonly string[],
): Promise<Map<string, Collection>> {
  if (ids.length === 0) return new Map()
  const rows = await ctx.db.many<Row>(sql`
    select c.id, c.account_id, c.uri, c.url, c.name, c.description, c.language, c.sensitive, c.discoverable, c.created_at, c.updated_at, a.username, t.name as tag, t.display_name as tag_name, coalesce((
      select json_agg(json_build_object('id', i.id::text, 'account_id', i.account_id::text, 'state', i.state, 'created_at', i.created_at) order by i.position nulls last, i.id)
      from collection_items i join accounts ia on ia.id = i.account_id
      where i.collection_id = c.id and ${isItemShown(viewer)}), '[]') as items
    from collections c join accounts a on a.id = c.account_id left join tags t on t.id = c.tag_id
    where c.id = any(${ids}::bigint[]) and ${isCollectionShown(viewer)}`)
  return new Map(rows.map((row) => [row.id, present(ctx, row)]))
}

/** Keeps the order of `ids`. */
export async function presentCollections(
  ctx: Context,
  viewer: MaybeViewer,
  ids: readonly string[],
): Promise<Collection[]> {
  const presented = await presentCollectionMap(ctx, viewer, ids)
  return ids.flatMap((id) => presented.get(id) ?? [])
}

function present(ctx: Context, row: Row): Collection {
  return {
    id: row.id,
    account_id: row.account_id,
    uri: row.uri ?? collectionUri(ctx, row.username, row.id),
    url: row.uri === null ? collectionUrl(ctx, row.id) : (row.url ?? row.uri),
    name: row.name,
    description:
      row.uri === null
        ? formatText(row.description, { mentions: new Map(), tagUrl: (name) => tagUrl(ctx, name) })
        : row.description,
    language: row.language,
    local: row.uri === null,
    sensitive: row.sensitive,
    discoverable: row.discoverable,
    tag: row.tag === null ? null : { name: row.tag_name ?? row.tag, url: tagUrl(ctx, row.tag) },
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    item_count: row.items.length,
    items: row.items.map((item) => ({ ...item, created_at: new Date(item.created_at).toISOString() })),
  }
}

export const presentItem = ({ id, account_id, state, created_at }: ItemRow): CollectionItem => ({
  id,
  account_id,
  state,
  created_at: created_at.toISOString(),
})
