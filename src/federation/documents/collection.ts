import { activityStreamsContext } from '../../ap/context.ts'
import type { Context } from '../../context.ts'
import { newestFirst, type Pagination } from '../../db/page.ts'
import { statusUri } from '../../domain/server/addresses.ts'
import { isId } from '../../lib/ids.ts'

const PER_PAGE = 40

export type CollectionQuery = { page?: unknown; max_id?: unknown; min_id?: unknown }
/** `rowIds`: the rows of the page, including those without an item. */
export type CollectionItems = { items: unknown[]; rowIds: string[] }
export type ReadItems = (page: Pagination) => Promise<CollectionItems>

const cursorOf = (value: unknown): string | null => (typeof value === 'string' && isId(value) ? value : null)

/** `read`: null for a collection that shows its size alone. */
type OrderedCollection = { id: string; total: number; context: unknown; read: ReadItems | null }

/** The ordered collection itself, or one page of it: `?page=true&max_id=…`, or `&min_id=…` from the other end. */
export async function orderedCollection(
  query: CollectionQuery,
  { id, total, context, read }: OrderedCollection,
): Promise<unknown> {
  if (query.page === undefined || read === null) {
    const ends = read === null ? {} : { first: `${id}?page=true`, last: `${id}?page=true&min_id=0` }
    return { '@context': context, id, type: 'OrderedCollection', totalItems: total, ...ends }
  }
  const { items, ...page } = await readCollectionPage(id, query, read)
  return { '@context': context, ...page, type: 'OrderedCollectionPage', orderedItems: items }
}

/** An unordered collection with its first page, which saves readers a request, or the page that the query names. */
export async function collectionWithPage(
  id: string,
  query: CollectionQuery,
  total: number,
  read: ReadItems,
): Promise<unknown> {
  const page = { ...(await readCollectionPage(id, query, read)), type: 'CollectionPage' }
  if (query.page !== undefined) return { '@context': activityStreamsContext, ...page }
  return { '@context': activityStreamsContext, id, type: 'Collection', totalItems: total, first: page }
}

type PageOfItems = { id: string; partOf: string; next?: string; prev?: string; items: unknown[] }

async function readCollectionPage(id: string, query: CollectionQuery, read: ReadItems): Promise<PageOfItems> {
  const [maxId, minId] = [cursorOf(query.max_id), cursorOf(query.min_id)]
  const { items, rowIds } = await read({ limit: PER_PAGE, maxId, sinceId: null, minId })
  const at = (cursor: string): string => `${id}?page=true${cursor}`
  const cursor = `${maxId === null ? '' : `&max_id=${maxId}`}${minId === null ? '' : `&min_id=${minId}`}`
  const hasOlder = minId === null ? rowIds.length === PER_PAGE : minId !== '0'
  return {
    id: at(cursor),
    partOf: id,
    ...(hasOlder && rowIds.length > 0 ? { next: at(`&max_id=${rowIds.at(-1)}`) } : {}),
    ...(cursor !== '' && rowIds.length > 0 ? { prev: at(`&min_id=${rowIds[0]}`) } : {}),
    items,
  }
}

export type StatusAddress = { id: string; uri: string | null; username: string }

export function statusItems(ctx: Context, found: StatusAddress[], page: Pagination): CollectionItems {
  const rows = newestFirst(found, page)
  return {
    items: rows.map((row) => row.uri ?? statusUri(ctx, row.username, row.id)),
    rowIds: rows.map((row) => row.id),
  }
}
