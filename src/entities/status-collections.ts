import type { Context } from '../context.ts'
import { collectionUrl } from '../domain/server/addresses.ts'
import type { MaybeViewer } from '../domain/statuses/visibility.ts'
import { isId } from '../lib/ids.ts'
import { type Collection, presentCollectionMap } from './collection.ts'

/** Absent when the status links to no collection. */
export type CollectionFacts = { tagged_collections?: Collection[] }

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

/** One statement, or none. */
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
