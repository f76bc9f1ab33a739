import type { Context } from '../context.ts'
import type { Sql } from '../db/sql.ts'
import type { MaybeViewer } from '../domain/statuses/visibility.ts'
import { NotFound } from '../lib/errors.ts'
import { compareIds } from '../lib/ids.ts'
import { jsonArray, type JsonText } from '../lib/json.ts'
import type { Form, Part } from './parts.ts'
import type { Poll } from './poll.ts'
import {
  addFilterMatches,
  assembleQuote,
  assembleStatus,
  type Assembly,
  cachedContent,
  loadMissingContents,
  loadParts,
} from './status-assembly.ts'
import { addExtras, presentPollFor, shownQuote } from './status-extras.ts'
import { given, readFacts, readFlags, type StatusFacts } from './status-facts.ts'
import type { Quote, Status } from './status.ts'

/** `atHome`: leave out statuses that irreversible filters remove from home timelines. */
export type PresentOptions = { atHome?: boolean }

/** Keeps the order of `ids`; leaves out deleted statuses. The caller has checked that the viewer may see the statuses. */
export async function presentStatuses(
  ctx: Context,
  viewer: MaybeViewer,
  ids: readonly string[],
  options: PresentOptions = {},
): Promise<JsonText<Status>[]> {
  const presented = await presentStatusMap(ctx, viewer, ids, options)
  return ids.flatMap((id) => presented.get(id) ?? [])
}

export async function presentStatusList(
  ctx: Context,
  viewer: MaybeViewer,
  ids: readonly string[],
  options: PresentOptions = {},
): Promise<JsonText<Status[]>> {
  return jsonArray(await presentStatuses(ctx, viewer, ids, options))
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
  options: PresentOptions = {},
): Promise<Map<string, JsonText<Status>>> {
  return (await presentByIds(ctx, 'json', viewer, ids, options)) as Map<string, JsonText<Status>>
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

/** `ids`: newest first, also of statuses that are left out. */
export type StatusPage = { ids: string[]; statuses: JsonText<Status>[] }

/**
 * Newest first. `selection` becomes a part of the statement that reads the facts. It must select only statuses that the viewer
 * may see.
 */
export async function presentSelected(
  ctx: Context,
  viewer: MaybeViewer,
  selection: Sql,
  { atHome = false }: PresentOptions = {},
): Promise<StatusPage> {
  const facts = await readWithQuoted(ctx, viewer, selection)
  const ids = facts.flatMap(({ status_id, wanted }) => (wanted ? status_id : [])).toSorted((a, b) => compareIds(b, a))
  const presented = await presentFacts(ctx, 'json', viewer, ids, facts, atHome)
  return { ids, statuses: ids.flatMap((id) => (presented.get(id) as JsonText<Status> | undefined) ?? []) }
}

async function presentByIds(
  ctx: Context,
  form: Form,
  viewer: MaybeViewer,
  ids: readonly string[],
  { atHome = false }: PresentOptions = {},
): Promise<Map<string, Part>> {
  if (ids.length === 0) return new Map()
  const facts = await readWithQuoted(ctx, viewer, given([...new Set(ids)]))
  return presentFacts(ctx, form, viewer, ids, facts, atHome)
}

async function presentFacts(
  ctx: Context,
  form: Form,
  viewer: MaybeViewer,
  ids: readonly string[],
  facts: StatusFacts[],
  atHome: boolean,
): Promise<Map<string, Part>> {
  const assembly = await prepare(ctx, form, viewer, facts)
  const presented = new Map<string, Part>()
  for (const id of ids) {
    if (presented.has(id) || (atHome && assembly.facts.get(id)?.left_out)) continue
    const status = assembleStatus(assembly, id)
    if (status) presented.set(id, status)
  }
  return presented
}

async function prepare(ctx: Context, form: Form, viewer: MaybeViewer, facts: StatusFacts[]): Promise<Assembly> {
  const accounts = await loadParts(ctx, form, viewer, facts)
  if (viewer) await addFilterMatches(ctx, form, new Map([[viewer.accountId, facts]]))
  return { ctx, form, viewer, accounts, facts: new Map(facts.map((fact) => [fact.status_id, fact])) }
}

/** `leftOut`: accounts whose filters remove the status from their home timeline. */
export type PresentedForEach = { presented: Map<string, JsonText<Status>>; leftOut: Set<string> }

/** Presents one status to many viewers, for streams. Empty when the status was deleted. */
export async function presentStatusForEach(
  ctx: Context,
  accountIds: readonly string[],
  id: string,
): Promise<PresentedForEach> {
  const [presented, leftOut] = [new Map<string, JsonText<Status>>(), new Set<string>()]
  if (accountIds.length === 0) return { presented, leftOut }
  const shared = await readWithQuoted(ctx, null, given([id]))
  const ids = shared.map(({ status_id }) => status_id)
  const [accounts, flagged] = await Promise.all([loadParts(ctx, 'json', null, shared), readFlags(ctx, accountIds, ids)])
  const sharedById = new Map(shared.map((fact) => [fact.status_id, fact]))
  const each = flagged.map((flags) => ({ ...(sharedById.get(flags.status_id) as StatusFacts), ...flags }))
  const byViewer = Map.groupBy(each, ({ viewer_id }) => viewer_id)
  await addExtras(ctx, byViewer)
  await addFilterMatches(ctx, 'json', byViewer)
  for (const [accountId, own] of byViewer) {
    const facts = new Map(own.map((fact) => [fact.status_id, fact]))
    const status = assembleStatus({ ctx, form: 'json', viewer: { accountId }, facts, accounts }, id)
    if (status) presented.set(accountId, status as JsonText<Status>)
    if (facts.get(id)?.left_out) leftOut.add(accountId)
  }
  return { presented, leftOut }
}

/** Throws NotFound. The caller has checked that the viewer may see the status. */
export async function presentPollOf(ctx: Context, viewer: MaybeViewer, statusId: string): Promise<Poll> {
  const facts = await readFacts(ctx, viewer, given([statusId]))
  await Promise.all([
    addExtras(ctx, new Map([[viewer?.accountId ?? null, facts]])),
    loadMissingContents(ctx, 'json', facts),
  ])
  const [fact] = facts
  const poll = fact && presentPollFor(cachedContent(ctx, 'json', statusId)?.poll ?? null, fact, viewer)
  if (!poll) throw new NotFound()
  return poll
}

export async function presentQuoteOf(
  ctx: Context,
  viewer: MaybeViewer,
  statusId: string,
): Promise<JsonText<Quote> | null> {
  const facts = await readWithQuoted(ctx, viewer, given([statusId]))
  const fact = facts.find(({ status_id }) => status_id === statusId)
  if (!fact?.quote) return null
  return assembleQuote(await prepare(ctx, 'json', viewer, facts), fact) as JsonText<Quote>
}

/** Sends further statements only when there are polls or quotes. */
async function readWithQuoted(ctx: Context, viewer: MaybeViewer, selection: Sql): Promise<StatusFacts[]> {
  const viewerId = viewer?.accountId ?? null
  const facts = await readFacts(ctx, viewer, selection)
  await addExtras(ctx, new Map([[viewerId, facts]]))
  const known = new Set(facts.map(({ status_id }) => status_id))
  // Without a viewer, the facts may serve many viewers, some of whom may see a quoted status that others may not.
  const quoted = facts.flatMap((fact) => (viewer ? shownQuote(fact) : (fact.quote?.id ?? null)) ?? [])
  const missing = [...new Set(quoted)].filter((id) => !known.has(id))
  if (missing.length === 0) return facts
  const more = await readFacts(ctx, viewer, given(missing))
  await addExtras(ctx, new Map([[viewerId, more]]))
  return [...facts, ...more.map((fact) => ({ ...fact, wanted: false }))]
}
