import type { FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import type { Context } from '../context.ts'
import type { Pagination } from '../db/page.ts'
import { isId } from '../lib/ids.ts'

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

/** The absolute value of the requested limit, at most `max`. */
export function limitOf(params: { limit?: number }, usual: number, max = usual * 2): number {
  const asked = Math.abs(params.limit ?? usual)
  return Math.min(asked === 0 ? usual : asked, max)
}

/** Ignores cursors that are not ids. */
export function pageOf(params: PageParams, usual: number, max = usual * 2): Pagination {
  const cursor = (text: string | undefined): string | null => (text !== undefined && isId(text) ? text : null)
  return {
    limit: limitOf(params, usual, max),
    maxId: cursor(params.max_id),
    sinceId: cursor(params.since_id),
    minId: cursor(params.min_id),
  }
}

export type Links = {
  /** Newest first. */
  ids: readonly string[]
  page: Pagination
  prev?: 'min_id' | 'since_id'
  /** Link to a next page unless this one is empty, as timelines do. Other lists do so only after a full page. */
  nextAlways?: boolean
}

/** The URLs are absolute and keep the other parameters. An empty page has no Link header. */
export function setLinks(call: { ctx: Context; request: FastifyRequest; reply: FastifyReply }, links: Links): void {
  const { ids, page } = links
  const [first, last] = [ids[0], ids.at(-1)]
  if (first === undefined || last === undefined) return
  const parts: string[] = []
  if (links.nextAlways || ids.length >= page.limit) parts.push(`<${cursorUrl(call, { max_id: last })}>; rel="next"`)
  parts.push(`<${cursorUrl(call, { [links.prev ?? 'min_id']: first })}>; rel="prev"`)
  void call.reply.header('link', parts.join(', '))
}

export function setOffsetLinks(
  call: { ctx: Context; request: FastifyRequest; reply: FastifyReply },
  count: number,
  limit: number,
  offset: number,
): void {
  const parts: string[] = []
  if (count >= limit) parts.push(`<${cursorUrl(call, { offset: String(offset + limit) })}>; rel="next"`)
  if (offset > 0) parts.push(`<${cursorUrl(call, { offset: String(Math.max(0, offset - limit)) })}>; rel="prev"`)
  if (parts.length > 0) void call.reply.header('link', parts.join(', '))
}

function cursorUrl(
  { ctx, request }: { ctx: Context; request: FastifyRequest },
  cursor: Record<string, string>,
): string {
  const url = new URL(request.url, ctx.config.baseUrl)
  for (const gone of ['max_id', 'since_id', 'min_id', 'offset', 'access_token', 'bearer_token'])
    url.searchParams.delete(gone)
  for (const [key, value] of Object.entries(cursor)) url.searchParams.set(key, value)
  return `${ctx.config.baseUrl}${url.pathname}${url.search}`
}
