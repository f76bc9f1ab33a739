import { type Context, perServer } from '../context.ts'
import { isCurrent } from '../db/coherent-cache.ts'
import type { StatusFacts } from '../domain/statuses/status-facts.ts'
import type { MaybeViewer } from '../domain/statuses/visibility.ts'
import type { JsonPieces } from '../lib/json.ts'
import { lruCache } from '../lib/lru-cache.ts'
import { sourcesOfAccount } from './account-presenter.ts'
import type { EntityFormat, Presented } from './entity-format.ts'
import { type PreloadedStatuses, assembleStatus, preloadStatuses } from './status-assembly.ts'

/** A status as a viewer sees it. `leftOut`: irreversible filters remove it from the viewer's home timeline. */
type Assembled = { presented: Presented | JsonPieces; leftOut: boolean }

/**
 * `sources`: the cached values of which a status is made. It is valid until one of them changes, or `until` (Unix time in ms).
 */
type Validity = { sources: readonly object[]; until: number }

type Cached = Assembled & Validity

const cache = perServer(() => lruCache<string, Cached>({ max: 10_000 }))

/**
 * Keeps the order of `ids`; leaves out statuses that were deleted while they were read. Sends no statement when everything is
 * cached.
 */
export async function assembleStatuses(
  ctx: Context,
  format: EntityFormat,
  viewer: MaybeViewer,
  ids: readonly string[],
): Promise<Map<string, Assembled>> {
  const assembled = new Map<string, Assembled | null>()
  const others: string[] = []
  const now = Date.now()
  const known = format === 'json' && !ctx.isTransaction ? cache(ctx) : null
  const prefix = `${viewer?.accountId ?? ''} `
  for (const id of ids) {
    if (assembled.has(id)) continue
    const found = known?.get(prefix + id)
    const isValid = found !== undefined && found.until > now && found.sources.every(isCurrent)
    assembled.set(id, isValid ? found : null)
    if (!isValid) others.push(id)
  }
  if (others.length === 0) return assembled as Map<string, Assembled>
  const preloaded = await preloadStatuses(ctx, format, viewer, others)
  for (const id of others) {
    const presented = assembleStatus(preloaded, id)
    if (!presented) {
      assembled.delete(id)
      continue
    }
    const leftOut = preloaded.filtered.statuses.get(id)?.leftOut ?? false
    const validity = known && validityOf(preloaded, id, now)
    if (validity) known?.set(prefix + id, { presented, leftOut, ...validity })
    assembled.set(id, { presented, leftOut })
  }
  return assembled as Map<string, Assembled>
}

/** Null when a status is made of a value that no cache holds. */
function validityOf(preloaded: PreloadedStatuses, id: string, now: number): Validity | null {
  const { viewer, reader, muted, filtered } = preloaded
  const ends = (filtered.filters?.filters ?? []).map(({ expires_at }) => expires_at?.getTime() ?? Infinity)
  const sources: object[] = viewer && muted && filtered.filters ? [reader.relationships, muted, filtered.filters] : []
  for (const status of shownWith(preloaded, id)) {
    const own = status && sourcesOf(preloaded, status)
    if (!own) return null
    sources.push(...own)
    const pollEnd = status.poll?.expires_at
    ends.push(reader.relationship(status.account_id).muted_until, pollEnd ? Date.parse(pollEnd) : Infinity)
  }
  return { sources, until: ends.reduce((first, end) => (end > now ? Math.min(first, end) : first), Infinity) }
}

/** The status itself, the original of a boost, and quoted statuses; undefined for one that is missing. */
function shownWith({ reader }: PreloadedStatuses, id: string): (StatusFacts | undefined)[] {
  const shown: (StatusFacts | undefined)[] = []
  const next = [id]
  for (const each of next) {
    const status = reader.status(each)
    shown.push(status)
    if (status?.reblog_of_id) next.push(status.reblog_of_id)
    const quoted = status?.quote?.quoted_status_id
    if (quoted && shown.length < MAX_SHOWN) next.push(quoted)
  }
  return shown
}

/** A boost, its original, and two levels of quotes. */
const MAX_SHOWN = 4

function sourcesOf(preloaded: PreloadedStatuses, status: StatusFacts): object[] | null {
  const { ctx, format, viewer, reader, marks } = preloaded
  const [content, author] = [preloaded.contents.get(status.id), reader.account(status.account_id)]
  const presented = preloaded.accounts.get(status.account_id)
  const account = presented && sourcesOfAccount(ctx, format, status.account_id, presented)
  if (!content || !author || !account || content.collectionIds.length > 0) return null
  const sources = [status, content, author, ...account]
  if (status.card_id !== null) {
    const card = preloaded.cards.get(status.card_id)
    if (!card) return null
    sources.push(card)
  }
  if (viewer && status.reblog_of_id === null) sources.push(marks.sourceOf(viewer.accountId, status.id))
  return sources
}
