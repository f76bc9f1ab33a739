import type { Context } from '../context.ts'
import { loadConversationMutes, loadMarks, type MarksOf, type MutedConversations } from '../domain/statuses/marks.ts'
import { StatusReader } from '../domain/statuses/reader.ts'
import type { StatusFacts } from '../domain/statuses/status-facts.ts'
import type { MaybeViewer } from '../domain/statuses/visibility.ts'
import type { JsonPieces, JsonText } from '../lib/json.ts'
import { assembleAccounts } from './account-presenter.ts'
import type { Collection } from './collection.ts'
import { extendPresented, type EntityFormat, type Presented } from './entity-format.ts'
import { type Card, loadCards, presentCard } from './preview-card.ts'
import { loadCollections } from './status-collections.ts'
import { loadContents, type StatusContent } from './status-content.ts'
import { presentPollFor, presentQuote, presentQuoteApproval, presentShallowQuote, quoteFor } from './status-extras.ts'
import { applyFilters, type FilteredStatuses } from './status-filters.ts'
import { commonMembers, sharedMembers, withViewerMembers } from './status-shared.ts'

/** Everything that some statuses show, for one viewer. */
export type PreloadedStatuses = {
  ctx: Context
  format: EntityFormat
  viewer: MaybeViewer
  reader: StatusReader
  contents: ReadonlyMap<string, StatusContent>
  accounts: ReadonlyMap<string, Presented>
  cards: ReadonlyMap<string, Card>
  collections: ReadonlyMap<string, readonly Collection[]>
  marks: MarksOf
  /** Null for anonymous viewers. */
  muted: MutedConversations | null
  filtered: FilteredStatuses
}

/** Quoted statuses, and those that the quoted ones quote. */
const QUOTE_LEVELS = 2

/** Has the originals of boosts, and quoted statuses. Quotes cost further statements when they are not cached. */
export async function loadReader(ctx: Context, viewer: MaybeViewer, ids: readonly string[]): Promise<StatusReader> {
  let wanted = ids
  let reader = await StatusReader.load(ctx, viewer, wanted)
  for (let level = 0; level < QUOTE_LEVELS; level++) {
    const quoted = reader.all().flatMap(({ quote }) => quote?.quoted_status_id ?? [])
    const missing = quoted.filter((id) => !reader.status(id))
    if (missing.length === 0) return reader
    wanted = [...wanted, ...missing]
    reader = await StatusReader.load(ctx, viewer, wanted)
  }
  return reader
}

/** Sends no statement when everything is cached. */
export async function preloadStatuses(
  ctx: Context,
  format: EntityFormat,
  viewer: MaybeViewer,
  ids: readonly string[],
): Promise<PreloadedStatuses> {
  const reader = await loadReader(ctx, viewer, ids)
  const [preloaded] = await preloadForEach(ctx, format, [viewer], [reader])
  return preloaded as PreloadedStatuses
}

/** One for each viewer, in the order of the viewers. `readers` has theirs, in the same order. */
export async function preloadForEach(
  ctx: Context,
  format: EntityFormat,
  viewers: readonly MaybeViewer[],
  readers: readonly StatusReader[],
): Promise<PreloadedStatuses[]> {
  const statuses = (readers[0] as StatusReader).all()
  const viewerIds = viewers.flatMap((viewer) => viewer?.accountId ?? [])
  const originals = statuses.flatMap(({ id, reblog_of_id }) => (reblog_of_id === null ? id : []))
  const [contents, accounts, cards, marks, mutesOf] = await Promise.all([
    loadContents(
      ctx,
      format,
      statuses.map(({ id }) => id),
    ),
    assembleAccounts(
      ctx,
      format,
      statuses.map(({ account_id }) => account_id),
    ),
    loadCards(
      ctx,
      format,
      statuses.flatMap(({ card_id }) => card_id ?? []),
    ),
    loadMarks(ctx, viewerIds, originals),
    loadConversationMutes(ctx, viewerIds, statuses),
  ])
  const shared = { ctx, format, contents, accounts, cards, marks }
  const filteredFor = await applyFilters(ctx, viewerIds, readers[0] as StatusReader, (id) => contents.get(id)?.text)
  return Promise.all(
    viewers.map(async (viewer, i) => ({
      ...shared,
      viewer,
      reader: readers[i] as StatusReader,
      muted: viewer && mutesOf(viewer.accountId),
      collections: await loadCollections(ctx, viewer, contents),
      filtered: filteredFor(viewer?.accountId ?? ''),
    })),
  )
}

/** Null when the status or its original was deleted while it was read. */
export function assembleStatus(preloaded: PreloadedStatuses, id: string): Presented | JsonPieces | null {
  const status = preloaded.reader.status(id)
  if (!status) return null
  if (status.reblog_of_id === null) return assemble(preloaded, status, { quote: assembleQuote(preloaded, status) })
  const original = preloaded.reader.status(status.reblog_of_id)
  const reblog = original && assemble(preloaded, original, { quote: assembleQuote(preloaded, original) })
  return reblog ? assemble(preloaded, status, { quote: null, original, reblog }) : null
}

export function assembleQuote(preloaded: PreloadedStatuses, status: StatusFacts): Presented | null {
  const { reader, format } = preloaded
  const shown = quoteFor(reader, status)
  const quoted = shown?.id ? reader.status(shown.id) : undefined
  return presentQuote(
    format,
    shown,
    quoted ? assemble(preloaded, quoted, { quote: presentShallowQuote(quoteFor(reader, quoted)) }) : null,
  )
}

type Related = {
  quote: Presented | null
  /** The original of a boost: its counters, marks and policy also show on the boost. */
  original?: StatusFacts
  reblog?: Presented | JsonPieces
}

const NONE: readonly never[] = []

function assemble(
  preloaded: PreloadedStatuses,
  status: StatusFacts,
  { quote, original = status, reblog }: Related,
): Presented | JsonPieces | null {
  const { ctx, format, viewer, reader, marks } = preloaded
  const content = preloaded.contents.get(status.id)
  const account = preloaded.accounts.get(status.account_id)
  const author = reader.account(status.account_id)
  if (!content || !account || !author) return null
  const card = preloaded.cards.get(status.card_id ?? '')
  const showsApplication = author.show_application || viewer?.accountId === status.account_id
  const sensitive = status.sensitive || author.sensitized
  const isPlain = !quote && !reblog && !status.poll && content.collectionIds.length === 0 && !card?.creator_id
  const sources = { status, content, account, showsApplication, sensitive }
  if (format === 'json' && isPlain) {
    const text = sharedMembers(ctx, { ...sources, card: card?.whole ?? null })
    return extendForViewer(preloaded, text, status)
  }
  return extendPresented(content.presented, {
    ...commonMembers({ ...sources, card: presentCard(format, card, viewer) }),
    ...(viewer ? viewerMembers(preloaded, viewer.accountId, status, original) : undefined),
    poll: presentPollFor(content.poll, status, viewer, marks),
    quote_approval: presentQuoteApproval(format, reader, original, viewer).presented,
    quote,
    tagged_collections: content.collectionIds.length === 0 ? NONE : (preloaded.collections.get(status.id) ?? NONE),
    reblog: reblog ?? null,
  })
}

/** The lowest bits of a key in `extendForViewer`: whether there is a viewer, and six marks. */
const KEY_BITS = 7

/** For a status that is no boost. Statuses with which a viewer did the same have the same bytes here. */
function extendForViewer(preloaded: PreloadedStatuses, text: JsonText, status: StatusFacts): JsonPieces {
  const { viewer, reader } = preloaded
  const approval = presentQuoteApproval('json', reader, status, viewer)
  if (!viewer)
    return withViewerMembers(text, approval.key * 2 ** KEY_BITS, () => ({ quote_approval: approval.presented }))
  const members = viewerMembers(preloaded, viewer.accountId, status, status)
  const { favourited, reblogged, muted, bookmarked, pinned, filtered } = members
  const marks = [favourited, reblogged, muted, bookmarked, pinned === undefined, pinned === true]
  const key = marks.reduce((bits, value) => bits * 2 + (value ? 1 : 0), approval.key * 2 + 1)
  return withViewerMembers(text, filtered === NONE ? key : null, () => ({
    ...members,
    quote_approval: approval.presented,
  }))
}

function viewerMembers(
  { marks, muted, filtered }: PreloadedStatuses,
  viewerId: string,
  status: StatusFacts,
  original: StatusFacts,
) {
  const { favourited, reblogged, bookmarked, pinned } = marks.of(viewerId, original.id)
  const mayPin = status.account_id === viewerId && status.reblog_of_id === null && status.visibility !== 'direct'
  return {
    favourited,
    reblogged,
    muted: status.conversation_id !== null && muted?.ids?.has(status.conversation_id) === true,
    bookmarked,
    pinned: mayPin ? pinned : undefined,
    filtered: filtered.statuses.get(status.id)?.results ?? NONE,
  }
}
