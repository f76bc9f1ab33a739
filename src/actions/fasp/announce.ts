// Tells auxiliary service providers what they asked for.
import type { Context } from '../../context.ts'
import {
  findConfirmedProvider,
  hasCapability,
  recordProviderFailure,
  type Provider,
} from '../../domain/fasp/providers.ts'
import { askProvider } from '../../domain/fasp/requests.ts'
import {
  continueBackfill,
  deleteEvents,
  findProvidersToTell,
  insertBackfill,
  listSubscriptions,
  listWaitingBackfills,
  nextBackfillPage,
  nextEvents,
  storeBackfillPage,
} from '../../domain/fasp/sharing.ts'
import type { JobData } from '../../jobs/kinds.ts'
import { NotFound } from '../../lib/errors.ts'
import { FetchError, isTemporary } from '../../net/fetch-error.ts'

const enqueue = (tx: Context, providerId: string): Promise<void> =>
  tx.enqueue('fasp.announce', { providerId }, { key: providerId, group: providerId })

/** Returns the id. Throws Invalid. */
export const requestBackfill = (
  ctx: Context,
  providerId: string,
  wanted: Readonly<Record<string, unknown>>,
): Promise<string> =>
  ctx.transaction(async (tx) => {
    const id = await insertBackfill(tx, providerId, wanted)
    await enqueue(tx, providerId)
    return id
  })

/** Throws NotFound. */
export const requestContinuation = (ctx: Context, providerId: string, id: string): Promise<void> =>
  ctx.transaction(async (tx) => {
    await continueBackfill(tx, providerId, id)
    await enqueue(tx, providerId)
  })

/**
 * Batches that one job sends for a subscription, and milliseconds after which it begins nothing more. The next job sends more.
 */
const MAX_BATCHES = 20
const MAX_DURATION = 5 * 60_000

/**
 * Job `fasp.announce`. By schedule, it starts a job for each provider for which something waits: events are announced together,
 * and what a provider could not receive is sent again when it answers.
 */
export async function announceToProviders(ctx: Context, { providerId }: JobData['fasp.announce']): Promise<void> {
  if (providerId === undefined) {
    for (const id of await findProvidersToTell(ctx)) await enqueue(ctx, id)
    return
  }
  const provider = await findConfirmedProvider(ctx, providerId)
  if (!provider || !hasCapability(provider, 'data_sharing')) return
  if (provider.retry_at !== null && provider.retry_at.getTime() > Date.now()) return
  const end = Date.now() + MAX_DURATION
  try {
    await announceEvents(ctx, provider, end)
    await announceBackfills(ctx, provider, end)
  } catch (error) {
    // Everything is still there for the next job.
    if (!(error instanceof FetchError || error instanceof NotFound)) throw error
    ctx.log.info({ providerId, error: error.message }, 'fasp.announcement-failed')
  }
}

async function announceEvents(ctx: Context, provider: Provider, end: number): Promise<void> {
  for (const subscription of await listSubscriptions(ctx, provider.id)) {
    for (let batches = 0; batches < MAX_BATCHES && Date.now() < end; batches++) {
      const events = await nextEvents(ctx, subscription)
      if (events === null) break
      const { type: eventType, ids, uris } = events
      const source = { subscription: { id: subscription.id } }
      if (uris.length > 0) await announce(ctx, provider, { source, eventType, category: subscription.category }, uris)
      await deleteEvents(ctx, ids)
    }
  }
}

async function announceBackfills(ctx: Context, provider: Provider, end: number): Promise<void> {
  for (const backfill of await listWaitingBackfills(ctx, provider.id)) {
    if (Date.now() >= end) return
    const page = await nextBackfillPage(ctx, backfill)
    // The last announcement is sent even if it names nothing: the provider waits for it.
    const isAnnounced = page.uris.length > 0 || !page.more
    const source = { backfillRequest: { id: backfill.id } }
    const about = { source, category: backfill.category, moreObjectsAvailable: page.more }
    if (isAnnounced) await announce(ctx, provider, about, page.uris)
    await storeBackfillPage(ctx, backfill, page, { isAnnounced })
  }
}

/** Throws FetchError, unless the provider refuses for good: then it is not sent again. */
async function announce(ctx: Context, provider: Provider, about: object, objectUris: readonly string[]): Promise<void> {
  const body = { ...about, objectUris }
  try {
    await askProvider(ctx, provider, { method: 'POST', path: '/data_sharing/v0/announcements', body })
  } catch (error) {
    const isRefused = error instanceof FetchError && error.reason === 'status' && !isTemporary(error)
    if (!isRefused) throw error
    if (error.status === 401 || error.status === 403) {
      // It does not know this server: an administrator must look.
      await recordProviderFailure(ctx, provider.id)
      throw error
    }
    ctx.log.info({ providerId: provider.id, status: error.status }, 'fasp.announcement-refused')
  }
}
