// Accounts that auxiliary service providers find. They answer with addresses, which are fetched from their own servers like any
// other: domain policy and budgets apply.
import { hash } from 'node:crypto'
import { startRefresh } from '../async-refresh.ts'
import { resolveActor } from '../remote/resolve-account.ts'
import type { Context } from '../../context.ts'
import { findByUri } from '../../domain/accounts/remote.ts'
import { findAccount } from '../../domain/accounts/find.ts'
import { findProvidersWith, type Capability } from '../../domain/fasp/providers.ts'
import { askProvider } from '../../domain/fasp/requests.ts'
import { isDiscoverable, storeRecommendation } from '../../domain/relationships/recommendations.ts'
import { accountUri, parseLocalUrl } from '../../domain/server/addresses.ts'
import {
  countResults,
  findRunningRefresh,
  finishRefresh,
  type AsyncRefresh,
} from '../../domain/server/async-refreshes.ts'
import type { JobData } from '../../jobs/kinds.ts'
import { FetchError } from '../../net/fetch-error.ts'
import { fetchableUrl } from '../../net/gate.ts'

type Question = {
  capability: Capability
  key: string
  /** Seconds before the same question may be asked again. */
  intervalSeconds: number
  enqueue: (tx: Context) => Promise<void>
  /** Called before a job is started. */
  mayAsk: () => Promise<boolean>
}

/** Returns the progress of a job that it starts or that runs; null without a provider to ask, and if one ran lately. */
async function ask(ctx: Context, { capability, mayAsk, ...refresh }: Question): Promise<AsyncRefresh | null> {
  if (!ctx.config.fasp || (await findProvidersWith(ctx, capability)).length === 0) return null
  const running = await findRunningRefresh(ctx, refresh.key)
  if (running || !(await mayAsk())) return running
  return startRefresh(ctx, refresh)
}

/** Text that a provider is asked for, in characters. */
const MIN_TERM = 2
const MAX_TERM = 100

/** Asks the providers for accounts that match a search. See `ask`. */
export async function requestAccountSearch(
  ctx: Context,
  term: string,
  mayAsk: () => Promise<boolean>,
): Promise<AsyncRefresh | null> {
  const { length } = [...term]
  if (length < MIN_TERM || length > MAX_TERM) return null
  const key = `fasp-search:${hash('sha256', term.toLowerCase(), 'base64url')}`
  const enqueue = (tx: Context): Promise<void> => tx.enqueue('fasp.search', { term, key })
  return ask(ctx, { capability: 'account_search', key, intervalSeconds: 15 * 60, enqueue, mayAsk })
}

/** Results of one provider. */
const MAX_FOUND = 10

/** Job `fasp.search`. */
export async function searchAtProviders(ctx: Context, { term, key }: JobData['fasp.search']): Promise<void> {
  const path = `/account_search/v0/search?${new URLSearchParams({ term, limit: String(MAX_FOUND) })}`
  try {
    await askAll(ctx, { capability: 'account_search', path, max: MAX_FOUND }, async (uri) => {
      if ((await findByUri(ctx, uri)) === null && (await resolveActor(ctx, uri)) !== null)
        await countResults(ctx, key, 1)
    })
  } finally {
    await finishRefresh(ctx, key)
  }
}

/** Recommendations of one provider that count, and how many unknown accounts among them are fetched. */
const MAX_RECOMMENDED = 40
const MAX_FETCHED = 20
const DAY = 24 * 3600

const recommendationsKey = (accountId: string): string => `fasp-recommendations:${accountId}`

/** Asks the providers for accounts that a discoverable account may want to follow, once a day. See `ask`. */
export async function requestRecommendations(
  ctx: Context,
  accountId: string,
  mayAsk: () => Promise<boolean>,
): Promise<AsyncRefresh | null> {
  if (!ctx.config.fasp) return null
  const key = recommendationsKey(accountId)
  return ask(ctx, {
    capability: 'follow_recommendation',
    key,
    intervalSeconds: DAY,
    enqueue: (tx) => tx.enqueue('fasp.recommend', { accountId }),
    // The providers learn the address of the account.
    mayAsk: async () => (await isDiscoverable(ctx, accountId)) && mayAsk(),
  })
}

/** Job `fasp.recommend`. */
export async function recommendByProviders(ctx: Context, { accountId }: JobData['fasp.recommend']): Promise<void> {
  const key = recommendationsKey(accountId)
  try {
    const account = await findAccount(ctx, accountId)
    if (!account || !(await isDiscoverable(ctx, accountId))) return
    const path = `/follow_recommendation/v0/accounts?${new URLSearchParams({ accountUri: accountUri(ctx, account.username) })}`
    let left = MAX_FETCHED
    await askAll(ctx, { capability: 'follow_recommendation', path, max: MAX_RECOMMENDED }, async (uri) => {
      const known = await findByUri(ctx, uri)
      const found = known ?? (left-- > 0 ? await resolveActor(ctx, uri) : null)
      if (found && (await storeRecommendation(ctx, accountId, found.id))) await countResults(ctx, key, 1)
    })
  } finally {
    await finishRefresh(ctx, key)
  }
}

type Request = { capability: Capability; path: string; max: number }

/** Calls `take` with at most `max` addresses from each provider. The failure of one does not keep the others from being asked. */
async function askAll(
  ctx: Context,
  { capability, path, max }: Request,
  take: (uri: string) => Promise<void>,
): Promise<void> {
  for (const provider of await findProvidersWith(ctx, capability)) {
    try {
      const answer = await askProvider(ctx, provider, { method: 'GET', path })
      for (const uri of urisIn(ctx, answer).slice(0, max)) await take(uri)
    } catch (error) {
      if (!(error instanceof FetchError)) throw error
      ctx.log.info({ providerId: provider.id, capability, error: error.message }, 'fasp.question-failed')
    }
  }
}

/** Addresses of local accounts need no request. */
const urisIn = (ctx: Context, answer: unknown): string[] =>
  (Array.isArray(answer) ? answer : []).filter(
    (uri: unknown): uri is string =>
      typeof uri === 'string' &&
      uri.length <= 2000 &&
      fetchableUrl(ctx.fetch, uri) !== null &&
      parseLocalUrl(ctx, uri) === null,
  )
