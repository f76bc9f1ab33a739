// Appeals for donations, which a service that the administrator configured has for the users of this server.
import { type Context, perServer } from '../../context.ts'
import { cachedRead } from '../../lib/concurrency.ts'
import { parseForeignJson } from '../../lib/json.ts'
import { lruCache } from '../../lib/lru-cache.ts'

const TTL_MS = 3_600_000
const MAX_BYTES = 64 * 1024
const TIMEOUT_MS = 5000
/** Groups of users, of which a service can choose some. It cannot tell users apart. */
const GROUPS = 100

type Campaign = Record<string, unknown>

const campaigns = perServer(() => lruCache<string, Promise<Campaign | null>>({ max: 500, ttl: TTL_MS }))

/**
 * The campaign for a user now, whose group follows from `seed`; null for none, without a service, and while the service does not
 * answer. Each group of users and language has one, which is read again after an hour.
 */
export async function findCampaign(
  ctx: Context,
  { locale, seed }: { locale: string; seed: number },
): Promise<Campaign | null> {
  const { donationCampaignsUrl: address } = ctx.config
  if (address === null) return null
  const url = new URL(address)
  url.searchParams.set('platform', 'web')
  url.searchParams.set('seed', String(Math.abs(seed % GROUPS)))
  url.searchParams.set('locale', locale)
  return cachedRead(campaigns(ctx), url.search, () => readCampaign(ctx, url))
}

async function readCampaign(ctx: Context, url: URL): Promise<Campaign | null> {
  try {
    const { status, body } = await ctx.fetch.request(url, {
      accept: 'application/json',
      maxBytes: MAX_BYTES,
      timeoutMs: TIMEOUT_MS,
      service: true,
    })
    if (status !== 200) return null
    const found = parseForeignJson(body)
    return typeof found === 'object' && found !== null && !Array.isArray(found) ? (found as Campaign) : null
  } catch (error) {
    // For the hour, as for none: nothing waits for an appeal.
    ctx.log.warn({ err: error }, 'donation-campaign.failed')
    return null
  }
}
