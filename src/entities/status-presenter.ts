import type { Context } from '../context.ts'
import type { StatusReader } from '../domain/statuses/reader.ts'
import type { MaybeViewer } from '../domain/statuses/visibility.ts'
import { NotFound } from '../lib/errors.ts'
import { arrayPieces, joinedPieces, type JsonPieces, type JsonText } from '../lib/json.ts'
import type { EntityFormat, Presented } from './entity-format.ts'
import type { Poll } from './poll.ts'
import { assembleStatuses } from './assembled-statuses.ts'
import { assembleQuote, assembleStatus, loadReader, preloadStatuses, preloadForEach } from './status-assembly.ts'
import { presentPollFor } from './status-extras.ts'
import type { Quote, Status } from './status.ts'

/** `atHome`: leave out statuses that irreversible filters remove from home timelines. */
export type PresentOptions = { atHome?: boolean }

/** Keeps the order of `ids`; leaves out deleted statuses. The caller has checked that the viewer may see the statuses. */
export async function presentStatuses(
  ctx: Context,
  viewer: MaybeViewer,
  ids: readonly string[],
): Promise<JsonText<Status>[]> {
  const presented = await presentStatusMap(ctx, viewer, ids)
  return ids.flatMap((id) => presented.get(id) ?? [])
}

export async function presentStatusList(
  ctx: Context,
  viewer: MaybeViewer,
  ids: readonly string[],
  options: PresentOptions = {},
): Promise<JsonPieces<Status[]>> {
  const presented = await presentStatusPieces(ctx, viewer, ids, options)
  return arrayPieces(
    ids.flatMap((id) => {
      const status = presented.get(id)
      return status ? [status] : []
    }),
  )
}

/** Throws NotFound. */
export async function presentStatus(ctx: Context, viewer: MaybeViewer, id: string): Promise<JsonText<Status>> {
  const [status] = await presentStatuses(ctx, viewer, [id])
  if (!status) throw new NotFound()
  return status
}

export async function presentStatusMap(
  ctx: Context,
  viewer: MaybeViewer,
  ids: readonly string[],
): Promise<Map<string, JsonText<Status>>> {
  const presented = await presentStatusPieces(ctx, viewer, ids)
  return new Map([...presented].map(([id, status]) => [id, joinedPieces(status)]))
}

/** As presentStatusMap, for pages. */
export async function presentStatusPieces(
  ctx: Context,
  viewer: MaybeViewer,
  ids: readonly string[],
  options: PresentOptions = {},
): Promise<Map<string, JsonText<Status> | JsonPieces<Status>>> {
  return (await presentByIds(ctx, 'json', viewer, ids, options)) as Map<string, JsonText<Status> | JsonPieces<Status>>
}

export async function readStatusEntities(ctx: Context, viewer: MaybeViewer, ids: readonly string[]): Promise<Status[]> {
  const presented = (await presentByIds(ctx, 'value', viewer, ids)) as Map<string, Status>
  return ids.flatMap((id) => presented.get(id) ?? [])
}

/** Throws NotFound. */
export async function readStatusEntity(ctx: Context, viewer: MaybeViewer, id: string): Promise<Status> {
  const [status] = await readStatusEntities(ctx, viewer, [id])
  if (!status) throw new NotFound()
  return status
}

async function presentByIds(
  ctx: Context,
  format: EntityFormat,
  viewer: MaybeViewer,
  ids: readonly string[],
  { atHome = false }: PresentOptions = {},
): Promise<Map<string, Presented | JsonPieces>> {
  const presented = new Map<string, Presented | JsonPieces>()
  if (ids.length === 0) return presented
  await ctx.changes.catchUpAfterWrites()
  for (const [id, { presented: status, leftOut }] of await assembleStatuses(ctx, format, viewer, ids))
    if (!atHome || !leftOut) presented.set(id, status)
  return presented
}

/** `leftOut`: accounts whose filters remove the status from their home timeline, or that hide its author or the boosted one. */
export type PresentedForEach = { presented: Map<string, JsonText<Status>>; leftOut: Set<string> }

/** Presents one status to many viewers, for streams. Empty when the status was deleted, or its author is suspended. */
export async function presentStatusForEach(
  ctx: Context,
  accountIds: readonly string[],
  id: string,
): Promise<PresentedForEach> {
  const [presented, leftOut] = [new Map<string, JsonText<Status>>(), new Set<string>()]
  if (accountIds.length === 0) return { presented, leftOut }
  await ctx.changes.catchUp()
  const shared = await loadReader(ctx, null, [id])
  // Edits of suspended accounts are stored, and shown when they are restored.
  if (shared.account(shared.status(id)?.account_id ?? '')?.suspended) return { presented, leftOut }
  const viewers = accountIds.map((accountId) => ({ accountId }))
  const readers = await shared.forViewers(ctx, accountIds)
  for (const preloaded of await preloadForEach(ctx, 'json', viewers, readers)) {
    const { accountId } = preloaded.viewer as { accountId: string }
    const status = assembleStatus(preloaded, id)
    if (status) presented.set(accountId, joinedPieces(status as JsonText<Status>))
    if (preloaded.filtered.statuses.get(id)?.leftOut || hidesAuthor(preloaded.reader, id)) leftOut.add(accountId)
  }
  return { presented, leftOut }
}

/** The feed of an account has its boosts of accounts that it mutes. */
function hidesAuthor(reader: StatusReader, id: string): boolean {
  const status = reader.status(id)
  const authors = status ? [status.account_id, reader.originalOf(status)?.account_id] : []
  return authors.some((accountId) => accountId !== undefined && reader.hides(accountId))
}

/** Throws NotFound. The caller has checked that the viewer may see the status. */
export async function presentPollOf(ctx: Context, viewer: MaybeViewer, statusId: string): Promise<Poll> {
  await ctx.changes.catchUpAfterWrites()
  const { reader, contents, marks } = await preloadStatuses(ctx, 'json', viewer, [statusId])
  const status = reader.status(statusId)
  const poll = status && presentPollFor(contents.get(statusId)?.poll ?? null, status, viewer, marks)
  if (!poll) throw new NotFound()
  return poll
}

export async function presentQuoteOf(
  ctx: Context,
  viewer: MaybeViewer,
  statusId: string,
): Promise<JsonText<Quote> | null> {
  await ctx.changes.catchUpAfterWrites()
  const preloaded = await preloadStatuses(ctx, 'json', viewer, [statusId])
  const status = preloaded.reader.status(statusId)
  return status?.quote ? (assembleQuote(preloaded, status) as JsonText<Quote>) : null
}
