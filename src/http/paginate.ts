import Type from 'typebox'
import type { OffsetPage, Pagination } from '../db/page.ts'
import { clampId } from '../lib/ids.ts'
import type { HttpExchange } from './route.ts'

/** Non-numeric limits count as absent. */
export const pageParams = {
  max_id: Type.Optional(Type.String()),
  since_id: Type.Optional(Type.String()),
  min_id: Type.Optional(Type.String()),
  limit: Type.Optional(Type.Integer({ lenient: true })),
}

export const limitParam = { limit: pageParams.limit }
export const offsetParams = { limit: pageParams.limit, offset: Type.Optional(Type.Integer({ lenient: true })) }

type PageParams = { max_id?: string; since_id?: string; min_id?: string; limit?: number }

/** The absolute value of the requested limit, at most `max`. 0 asks for an empty page. */
export const limitOf = (params: { limit?: number }, usual: number, max = usual * 2): number =>
  Math.min(Math.abs(params.limit ?? usual), max)

/** Ignores cursors that are no numbers. Those of dates far ahead are larger than any id. */
export function pageOf(params: PageParams, usual: number): Pagination {
  const cursor = (text: string | undefined): string | null => (text === undefined ? null : clampId(text))
  return {
    limit: limitOf(params, usual),
    maxId: cursor(params.max_id),
    sinceId: cursor(params.since_id),
    minId: cursor(params.min_id),
  }
}

/** Negative offsets count as 0. */
export const offsetPageOf = (params: Partial<OffsetPage>, usual: number): OffsetPage => ({
  limit: limitOf(params, usual),
  offset: Math.max(0, params.offset ?? 0),
})

export type Links = {
  /** Newest first. */
  ids: readonly string[]
  page: Pagination
  prev?: 'min_id' | 'since_id'
  /** Link to a next page unless this one is empty, as timelines do. Other lists do so only after a full page. */
  nextAlways?: boolean
}

/** The URLs are absolute and keep the other parameters. An empty page has no Link header. */
export function setLinks(call: HttpExchange, links: Links): void {
  const { ids, page } = links
  const [first, last] = [ids[0], ids.at(-1)]
  if (first === undefined || last === undefined) return
  const hasNext = links.nextAlways || ids.length >= page.limit
  addLinks(call, { next: hasNext ? `max_id=${last}` : null, prev: `${links.prev ?? 'min_id'}=${first}` })
}

/** `count`: of the entries on this page. */
export function setOffsetLinks(call: HttpExchange, count: number, { limit, offset }: OffsetPage): void {
  if (limit === 0) return
  addLinks(call, {
    next: count >= limit ? `offset=${offset + limit}` : null,
    prev: offset > 0 ? `offset=${Math.max(0, offset - limit)}` : null,
  })
}

/** Characters that no URL in a header contains. */
const UNSAFE = /[^\x21-\x7e]|[<>"]/g
const CURSORS = ['max_id', 'since_id', 'min_id', 'offset', 'access_token', 'bearer_token']

function addLinks({ ctx, request, reply }: HttpExchange, cursors: { next: string | null; prev: string | null }): void {
  const [path = '', ...query] = request.url.split('?')
  const others = new URLSearchParams(query.join('?'))
  for (const name of CURSORS) others.delete(name)
  const base = `${ctx.config.baseUrl}${path.replaceAll(UNSAFE, encodeURIComponent)}?`
  const start = others.size > 0 ? `${base}${others.toString()}&` : base
  const links = Object.entries(cursors).flatMap(([rel, cursor]) =>
    cursor === null ? [] : [`<${start}${cursor}>; rel="${rel}"`],
  )
  if (links.length > 0) void reply.header('link', links.join(', '))
}
