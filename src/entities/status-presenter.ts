import { LRUCache } from 'lru-cache'
import { perServer, type Context } from '../context.ts'
import type { Sql } from '../db/sql.ts'
import type { MaybeViewer } from '../domain/statuses/visibility.ts'
import { NotFound } from '../lib/errors.ts'
import { compareIds } from '../lib/ids.ts'
import { concatJson, jsonArray, type JsonText } from '../lib/json.ts'
import { assembleAccounts, presentAccountMap } from './account-presenter.ts'
import type { Poll } from './poll.ts'
import { cardPieces, creatorsOf, loadMissingCards } from './preview-card.ts'
import { loadContents, type StatusContent } from './status-content.ts'
import { addExtras, approvalPiece, pollJson, quotePieces, shallowQuotePieces, shownQuote } from './status-extras.ts'
import { given, readFacts, readFlags, type StatusFacts } from './status-facts.ts'
import { applyFilters } from './status-filters.ts'
import { addCollections } from './status-collections.ts'
import type { Status } from './status.ts'

/** Ready contents. Valid for exactly the row version that made them, so nobody needs to drop them. */
const contents = perServer((ctx) => {
  const cache = new LRUCache<string, StatusContent>({
    max: 50_000,
    maxSize: 128 * 1024 * 1024,
    sizeCalculation: ({ json, text }) => json.length + text.length + 200,
  })
  ctx.subscribe((message) => {
    if (message.type === 'settings.changed') cache.clear()
  })
  return cache
})

/** `atHome`: leave out what irreversible filters keep from home timelines. */
export type PresentOptions = { atHome?: boolean }

/**
 * Presents statuses for a viewer, in the order of `ids`, boosts with the status they boost. Ids of statuses that are gone
 * are left out. Whether the viewer may see them was decided by whoever chose the ids.
 */
export async function presentStatuses(
  ctx: Context,
  viewer: MaybeViewer,
  ids: readonly string[],
  options: PresentOptions = {},
): Promise<JsonText<Status>[]> {
  const presented = await presentStatusMap(ctx, viewer, ids, options)
  return ids.flatMap((id) => presented.get(id) ?? [])
}

/** A JSON array of statuses. */
export async function presentStatusList(
  ctx: Context,
  viewer: MaybeViewer,
  ids: readonly string[],
  options: PresentOptions = {},
): Promise<JsonText<Status[]>> {
  return jsonArray(await presentStatuses(ctx, viewer, ids, options))
}

/** Presents one status. Throws NotFound. */
export async function presentStatus(ctx: Context, viewer: MaybeViewer, id: string): Promise<JsonText<Status>> {
  const [status] = await presentStatuses(ctx, viewer, [id])
  if (!status) throw new NotFound()
  return status
}

/** As presentStatuses, by id. */
export async function presentStatusMap(
  ctx: Context,
  viewer: MaybeViewer,
  ids: readonly string[],
  { atHome = false }: PresentOptions = {},
): Promise<Map<string, JsonText<Status>>> {
  if (ids.length === 0) return new Map()
  const facts = await readWithQuoted(ctx, viewer, given([...new Set(ids)]))
  return presentFacts(ctx, viewer, ids, facts, atHome)
}

/** A page of statuses: their ids, newest first, and those that are shown. */
export type StatusPage = { ids: string[]; statuses: JsonText<Status>[] }

/**
 * Presents the statuses whose ids a statement gives (`select …` of one column), the newest first: skeleton and facts in one
 * statement. As with `presentStatuses`, what it gives is what the viewer may see.
 */
export async function presentSelected(
  ctx: Context,
  viewer: MaybeViewer,
  selection: Sql,
  { atHome = false }: PresentOptions = {},
): Promise<StatusPage> {
  const facts = await readWithQuoted(ctx, viewer, selection)
  const ids = facts.flatMap(({ status_id, wanted }) => (wanted ? status_id : [])).toSorted((a, b) => compareIds(b, a))
  const presented = await presentFacts(ctx, viewer, ids, facts, atHome)
  return { ids, statuses: ids.flatMap((id) => presented.get(id) ?? []) }
}

async function presentFacts(
  ctx: Context,
  viewer: MaybeViewer,
  ids: readonly string[],
  facts: StatusFacts[],
  atHome: boolean,
): Promise<Map<string, JsonText<Status>>> {
  const [accounts] = await Promise.all([loadAccounts(ctx, facts), loadMissing(ctx, facts)])
  await addCollections(ctx, viewer, facts, collectionsOf(ctx))
  if (viewer) await applyFilters(ctx, new Map([[viewer.accountId, facts]]), textOf(ctx))
  const byId = new Map(facts.map((fact) => [fact.status_id, fact]))
  const presented = new Map<string, JsonText<Status>>()
  for (const id of ids) {
    if (presented.has(id) || (atHome && byId.get(id)?.left_out)) continue
    const status = compose(ctx, viewer, byId, accounts, id)
    if (status) presented.set(id, status)
  }
  return presented
}

/** `leftOut`: whose filters keep it out of their home timeline. */
export type PresentedForEach = { presented: Map<string, JsonText<Status>>; leftOut: Set<string> }

/** Presents one status to many viewers, by account: what goes out live. Empty when the status is gone. */
export async function presentStatusForEach(
  ctx: Context,
  accountIds: readonly string[],
  id: string,
): Promise<PresentedForEach> {
  const [presented, leftOut] = [new Map<string, JsonText<Status>>(), new Set<string>()]
  if (accountIds.length === 0) return { presented, leftOut }
  const facts = await readWithQuoted(ctx, null, given([id]))
  const [accounts, flagged] = await Promise.all([
    loadAccounts(ctx, facts),
    readFlags(
      ctx,
      accountIds,
      facts.map(({ status_id }) => status_id),
    ),
    loadMissing(ctx, facts),
  ])
  await addCollections(ctx, null, facts, collectionsOf(ctx))
  const shared = new Map(facts.map((fact) => [fact.status_id, fact]))
  const each = flagged.map((flags) => ({ ...(shared.get(flags.status_id) as StatusFacts), ...flags }))
  const byViewer = Map.groupBy(each, ({ viewer_id }) => viewer_id)
  await addExtras(ctx, byViewer)
  await applyFilters(ctx, byViewer, textOf(ctx))
  for (const [accountId, own] of byViewer) {
    const byId = new Map(own.map((fact) => [fact.status_id, fact]))
    const status = compose(ctx, { accountId }, byId, accounts, id)
    if (status) presented.set(accountId, status)
    if (byId.get(id)?.left_out) leftOut.add(accountId)
  }
  return { presented, leftOut }
}

const collectionsOf =
  (ctx: Context) =>
  (id: string): readonly string[] =>
    contents(ctx).get(id)?.collectionIds ?? []

const textOf =
  (ctx: Context) =>
  (id: string): string | undefined =>
    contents(ctx).get(id)?.text

/** A status with what it boosts. Null when one of them went away in this very moment. */
function compose(
  ctx: Context,
  viewer: MaybeViewer,
  byId: Map<string, StatusFacts>,
  accounts: Map<string, Buffer>,
  id: string,
): JsonText<Status> | null {
  const fact = byId.get(id)
  if (!fact) return null
  const whole = (each: StatusFacts): JsonText<Status> | null =>
    assemble(ctx, viewer, each, accounts, { quote: composeQuote(ctx, viewer, byId, accounts, each) })
  if (fact.reblog_of_id === null) return whole(fact)
  const original = byId.get(fact.reblog_of_id)
  const reblog = original && whole(original)
  return reblog ? assemble(ctx, viewer, fact, accounts, { quote: ['null'], original, reblog }) : null
}

/** What a status quotes, as pieces of JSON text. */
function composeQuote(
  ctx: Context,
  viewer: MaybeViewer,
  byId: Map<string, StatusFacts>,
  accounts: Map<string, Buffer>,
  fact: StatusFacts,
): (string | Buffer)[] {
  const quoted = byId.get(shownQuote(fact) ?? '')
  return quotePieces(
    fact,
    quoted ? assemble(ctx, viewer, quoted, accounts, { quote: shallowQuotePieces(quoted) }) : null,
  )
}

/** The poll of a status. Throws NotFound. Whether the viewer may see it was decided before. */
export async function presentPollOf(ctx: Context, viewer: MaybeViewer, statusId: string): Promise<JsonText<Poll>> {
  const facts = await readFacts(ctx, viewer, given([statusId]))
  await Promise.all([addExtras(ctx, new Map([[viewer?.accountId ?? null, facts]])), loadMissing(ctx, facts)])
  const [fact] = facts
  const content = contents(ctx).get(statusId)
  if (!fact?.poll || !content?.poll) throw new NotFound()
  return Buffer.from(pollJson(content.poll, fact, viewer))
}

/** What a status quotes, as its `quote` member has it; null where it quotes nothing. */
export async function presentQuoteOf(ctx: Context, viewer: MaybeViewer, statusId: string): Promise<JsonText | null> {
  const facts = await readWithQuoted(ctx, viewer, given([statusId]))
  const byId = new Map(facts.map((fact) => [fact.status_id, fact]))
  const fact = byId.get(statusId)
  if (!fact?.quote) return null
  const [accounts] = await Promise.all([loadAccounts(ctx, facts), loadMissing(ctx, facts)])
  await addCollections(ctx, viewer, facts, collectionsOf(ctx))
  if (viewer) await applyFilters(ctx, new Map([[viewer.accountId, facts]]), textOf(ctx))
  return concatJson(composeQuote(ctx, viewer, byId, accounts, fact))
}

/** As readFacts, with their polls and what they quote: more statements, where there are any at all. */
async function readWithQuoted(ctx: Context, viewer: MaybeViewer, selection: Sql): Promise<StatusFacts[]> {
  const viewerId = viewer?.accountId ?? null
  const facts = await readFacts(ctx, viewer, selection)
  await addExtras(ctx, new Map([[viewerId, facts]]))
  const known = new Set(facts.map(({ status_id }) => status_id))
  // Without a viewer it may be read for many, of whom some may see what others may not.
  const quoted = facts.flatMap((fact) => (viewer ? shownQuote(fact) : (fact.quote?.id ?? null)) ?? [])
  const missing = [...new Set(quoted)].filter((id) => !known.has(id))
  if (missing.length === 0) return facts
  const named = await readFacts(ctx, viewer, given(missing))
  await addExtras(ctx, new Map([[viewerId, named]]))
  return [...facts, ...named.map((fact) => ({ ...fact, wanted: false }))]
}

/** The accounts that statuses show: their authors, and whom pages that they link to name. */
async function loadAccounts(ctx: Context, facts: readonly StatusFacts[]): Promise<Map<string, Buffer>> {
  const creators = creatorsOf(facts)
  if (creators.length === 0) return assembleAccounts(ctx, facts)
  const [authors, named] = await Promise.all([assembleAccounts(ctx, facts), presentAccountMap(ctx, creators)])
  return new Map([...named, ...authors])
}

async function loadMissing(ctx: Context, facts: readonly StatusFacts[]): Promise<void> {
  await Promise.all([loadMissingContents(ctx, facts), loadMissingCards(ctx, facts)])
}

async function loadMissingContents(ctx: Context, facts: readonly StatusFacts[]): Promise<void> {
  const cache = contents(ctx)
  const missing = facts.filter((fact) => cache.get(fact.status_id)?.version !== fact.status_version)
  if (missing.length === 0) return
  const loaded = await loadContents(
    ctx,
    missing.map((fact) => fact.status_id),
  )
  for (const { status_id, status_version } of missing) {
    const content = loaded.get(status_id)
    // Kept under the version that was seen before loading: an edit meanwhile may have come between the parts.
    if (content) cache.set(status_id, { ...content, version: status_version })
  }
}

type Parts = {
  /** What it quotes, as JSON text. */
  quote: readonly (string | Buffer)[]
  /** Of a boost: what it boosts, whose author decides who quotes it. */
  original?: StatusFacts
  reblog?: Buffer
}

/** Null when the status went away in this very moment. */
function assemble(
  ctx: Context,
  viewer: MaybeViewer,
  fact: StatusFacts,
  accounts: Map<string, Buffer>,
  { quote, original = fact, reblog }: Parts,
): JsonText<Status> | null {
  const content = contents(ctx).get(fact.status_id)
  const account = accounts.get(fact.account_id)
  if (!content || !account) return null
  const application = fact.show_application || viewer?.accountId === fact.account_id ? content.application : ''
  const counts = `,"sensitive":${fact.sensitive},"replies_count":${fact.replies_count},"reblogs_count":${fact.reblogs_count},"favourites_count":${fact.favourites_count},"quotes_count":${fact.quotes_count}`
  const own = viewer
    ? `,"favourited":${fact.favourited},"reblogged":${fact.reblogged},"muted":${fact.muted},"bookmarked":${fact.bookmarked}${fact.pinned === null ? '' : `,"pinned":${fact.pinned}`},"filtered":${fact.filtered ?? '[]'}`
    : ''
  const poll = `,"poll":${pollJson(content.poll, fact, viewer)}`
  return concatJson([
    content.json,
    `${application}${counts}${own}${poll}${approvalPiece(original, viewer)},"quote":`,
    ...quote,
    `,"tagged_collections":${fact.tagged_collections ?? '[]'},"card":`,
    ...cardPieces(ctx, fact, viewer, accounts),
    ',"account":',
    account,
    ',"reblog":',
    reblog ?? 'null',
    '}',
  ])
}
