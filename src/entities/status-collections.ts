import type { Context } from '../context.ts'
import { collectionUrl } from '../domain/server/addresses.ts'
import type { MaybeViewer } from '../domain/statuses/visibility.ts'
import { isId } from '../lib/ids.ts'
import { type Collection, presentCollectionMap } from './collection.ts'

/** The collections that a status links to; absent where there are none. */
export type CollectionFacts = { tagged_collections?: Collection[] }

/** So many collections are shown with a post at most. */
const MOST = 10
const NONE: readonly string[] = []

const HREF = /href="([^"]*)"/g

/** The ids of the collections of this server to which a post's HTML links, in their order. */
export function collectionIdsIn(ctx: Context, content: string): readonly string[] {
  // Nearly all posts end here.
  if (!content.includes('/collections/')) return NONE
  const start = collectionUrl(ctx, '')
  const ids = [...content.matchAll(HREF)].flatMap(([, href = '']) =>
    href.startsWith(start) ? (/^(\d+)\/?(?:[?#]|$)/.exec(href.slice(start.length))?.[1] ?? []) : [],
  )
  return [...new Set(ids.filter(isId))].slice(0, MOST)
}

/** Reads the collections to which posts link, for all at once; nothing is asked where none does. */
export async function addCollections(
  ctx: Context,
  viewer: MaybeViewer,
  facts: readonly (CollectionFacts & { status_id: string })[],
  idsOf: (statusId: string) => readonly string[],
): Promise<void> {
  const linking = facts.filter(({ status_id }) => idsOf(status_id).length > 0)
  if (linking.length === 0) return
  const presented = await presentCollectionMap(ctx, viewer, [
    ...new Set(linking.flatMap(({ status_id }) => idsOf(status_id))),
  ])
  for (const fact of linking) fact.tagged_collections = idsOf(fact.status_id).flatMap((id) => presented.get(id) ?? [])
}
