import type { Context } from '../context.ts'
import { collectionUrl } from '../domain/server/addresses.ts'
import type { MaybeViewer } from '../domain/statuses/visibility.ts'
import { isId } from '../lib/ids.ts'
import { type Collection, presentCollectionMap } from './collection.ts'

const MAX_COLLECTIONS = 10
const NONE: readonly string[] = []

const HREF = /href="([^"]*)"/g

/** Only collections of this server, in the order of their links. */
export function collectionIdsIn(ctx: Context, content: string): readonly string[] {
  // A cheap test that few statuses pass.
  if (!content.includes('/collections/')) return NONE
  const start = collectionUrl(ctx, '')
  const ids = [...content.matchAll(HREF)].flatMap(([, href = '']) =>
    href.startsWith(start) ? (/^(\d+)\/?(?:[?#]|$)/.exec(href.slice(start.length))?.[1] ?? []) : [],
  )
  return [...new Set(ids.filter(isId))].slice(0, MAX_COLLECTIONS)
}

/** By status. One statement, or none when no status links to a collection. */
export async function loadCollections(
  ctx: Context,
  viewer: MaybeViewer,
  contents: ReadonlyMap<string, { collectionIds: readonly string[] }>,
): Promise<Map<string, readonly Collection[]>> {
  const linking = [...contents].filter(([, { collectionIds }]) => collectionIds.length > 0)
  if (linking.length === 0) return new Map()
  const presented = await presentCollectionMap(ctx, viewer, [
    ...new Set(linking.flatMap(([, { collectionIds }]) => collectionIds)),
  ])
  return new Map(
    linking.map(([id, { collectionIds }]) => [id, collectionIds.flatMap((each) => presented.get(each) ?? [])]),
  )
}
