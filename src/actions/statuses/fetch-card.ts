import type { Context } from '../../context.ts'
import { indexStatuses } from '../../domain/search/status-index.ts'
import { isLocalDomain } from '../../domain/server/addresses.ts'
import {
  attachCard,
  CARD_TTL,
  claimCard,
  fetchCardImage,
  findCardSource,
  findStoredCard,
  retryCardIn,
  storeCard,
  type CardSource,
  type FoundCard,
} from '../../domain/statuses/cards/cards.ts'
import { fetchDetails } from '../../domain/statuses/cards/details.ts'
import { recordLinkUse } from '../../domain/statuses/cards/uses.ts'
import type { JobData } from '../../jobs/kinds.ts'
import { findLinks } from '../../lib/text/links.ts'
import { resolveHandle } from '../remote/resolve-account.ts'
import { FetchError, isTemporary } from '../../net/fetch-error.ts'

/** Seconds until the second and the third attempt to reach a server. */
const RETRY_DELAYS = [60, 600]
/** Bytes. Longer links have no preview card. */
const MAX_LINK_BYTES = 2048

/**
 * Job `cards.fetch`: attaches the card of the first link, or removes it after an edit. Statuses with media have no card.
 * Streams the status when its card changes.
 */
export async function fetchCard(ctx: Context, { statusId, attempt = 0 }: JobData['cards.fetch']): Promise<void> {
  const source = await findCardSource(ctx, statusId)
  if (!source) return
  const link = chooseLink(ctx, source)
  const found = link === null ? 'none' : await findOrFetchCard(ctx, link)
  if (found === 'later') {
    const delay = RETRY_DELAYS[attempt]
    if (delay !== undefined) await ctx.enqueue('cards.fetch', { statusId, attempt: attempt + 1 }, { delay })
    return
  }
  const cardId = found === 'none' ? null : found.id
  if (cardId === source.card_id) return
  await ctx.transaction(async (tx) => {
    if (!(await attachCard(tx, statusId, cardId, source.edited_at))) return
    await recordLinkUse(tx, statusId)
    await indexStatuses(tx, [statusId])
    tx.publish({ type: 'status.edited', id: statusId })
  })
}

/** The first link to neither this server, nor a mentioned account, nor the quoted status. */
function chooseLink(ctx: Context, { content, media, excluded }: CardSource): string | null {
  if (media > 0) return null
  const suitable = (url: string): boolean =>
    Buffer.byteLength(url) <= MAX_LINK_BYTES && !excluded.includes(url) && !isLocalDomain(ctx, new URL(url).host)
  return findLinks(content).find(suitable) ?? null
}

/** Only one job at a time fetches a page. */
async function findOrFetchCard(ctx: Context, link: string): Promise<FoundCard> {
  const claimed = await claimCard(ctx, link)
  if (!claimed) return findStoredCard(ctx, link)
  try {
    const details = await fetchDetails(ctx, link)
    if (details) {
      const [image, creatorId] = await Promise.all([
        fetchCardImage(ctx, details.image_url),
        resolveCreator(ctx, details.creator),
      ])
      await storeCard(ctx, claimed, details, { image, creatorId })
    } else await retryCardIn(ctx, claimed, CARD_TTL.empty)
    return details || claimed.fetched_at ? { id: claimed.id } : 'none'
  } catch (error) {
    const temporary = !(error instanceof FetchError) || isTemporary(error)
    await retryCardIn(ctx, claimed, temporary ? CARD_TTL.unreachable : CARD_TTL.empty)
    if (!(error instanceof FetchError)) throw error
    ctx.log.debug({ err: error, link }, 'card.fetch-failed')
    if (claimed.fetched_at) return { id: claimed.id }
    return temporary ? 'later' : 'none'
  }
}

/** `handle`: from the page's `fediverse:creator`. Null when it cannot be resolved. */
async function resolveCreator(ctx: Context, handle: string | null): Promise<string | null> {
  if (handle === null) return null
  try {
    const account = await resolveHandle(ctx, handle)
    return account && account.suspended_at === null ? account.id : null
  } catch (error) {
    ctx.log.debug({ err: error, handle }, 'card.creator-unresolved')
    return null
  }
}
