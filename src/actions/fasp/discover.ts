// Accounts that auxiliary service providers find. They answer with addresses, which are fetched from their own servers like any
// other: domain policy and budgets apply.
import { hash } from 'node:crypto'
import { resolveActor } from '../remote/resolve-account.ts'
import type { Context } from '../../context.ts'
import { findByUri } from '../../domain/accounts/remote.ts'
import { findAccount } from '../../domain/accounts/find.ts'
import { findProvidersWith, type Capability } from '../../domain/fasp/providers.ts'
import { askProvider } from '../../domain/fasp/requests.ts'
import { isDiscoverable, storeRecommendation } from '../../domain/relationships/recommendations.ts'
import { accountUri, parseLocalUrl } from '../../domain/server/addresses.ts'
import {
  beginRefresh,
  countResults,
  findRunningRefresh,
  finishRefresh,
  type AsyncRefresh,
} from '../../domain/server/async-refreshes.ts'
import type { JobData } from '../../jobs/kinds.ts'
import { FetchError } from '../../net/fetch-error.ts'
import { fetchableUrl } from '../../net/gate.ts'

type Work = {
  capability: Capability
  key: string
  /** Seconds before the same work may begin again. */
  restSeconds: number
  enqueue: (tx: Context) => Promise<void>
  /** Called before a job is started. */
  mayBegin: () => Promise<boolean>
}

/** Returns the progress of a job that it starts or that runs; null without a provider for it, and if it ran lately. */
async function begin(ctx: Context, work: Work): Promise<AsyncRefresh | null> {
  const { capability, key, restSeconds } = work
  if (!ctx.config.fasp || (await findProvidersWith(ctx, capability)).length === 0) return null
  const running = await findRunningRefresh(ctx, key)
  if (running || !(await work.mayBegin())) return running
  const isBegun = await ctx.transaction(async (tx) => {
    if (!(await beginRefresh(tx, key, { counts: true, restSeconds }))) return false
    await work.enqueue(tx)
    return true
  })
  // Even if the job has ended meanwhile: the answer must not depend on how fast it was.
  return isBegun ? { key, result_count: 0, status: 'running', age: 0 } : findRunningRefresh(ctx, key)
}

/** Text that a provider is asked for, in characters. */
const MIN_TERM = 2
const MAX_TERM = 100

/** Asks the providers for accounts that match a search. See `begin`. */
export async function requestAccountSearch(
  ctx: Context,
  term: string,
  mayBegin: () => Promise<boolean>,
): Promise<AsyncRefresh | null> {
  const { length } = [...term]
  if (length < MIN_TERM || length > MAX_TERM) return null
  const key = `fasp-search:${hash('sha256', term.toLowerCase(), 'base64url')}`
  const enqueue = (tx: Context): Promise<void> => tx.enqueue('fasp.search', { term, key })
  return begin(ctx, { capability: 'account_search', key, restSeconds: 15 * 60, enqueue, mayBegin })
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

/** Of one provider, and how many of them are fetched because the server does not know them. */
const MAX_RECOMMENDED = 40
const MAX_FETCHED = 20
const DAY = 24 * 3600

/** Asks the providers for accounts that a discoverable account may want to follow, once a day. See `begin`. */
export async function requestRecommendations(
  ctx: Context,
  accountId: string,
  mayBegin: () => Promise<boolean>,
): Promise<AsyncRefresh | null> {
  if (!ctx.config.fasp) return null
  const key = `fasp-recommendations:${accountId}`
  return begin(ctx, {
    capability: 'follow_recommendation',
    key,
    restSeconds: DAY,
    enqueue: (tx) => tx.enqueue('fasp.recommend', { accountId }),
    // The providers learn the address of the account.
    mayBegin: async () => (await isDiscoverable(ctx, accountId)) && mayBegin(),
  })
}

/** Job `fasp.recommend`. */
export async function recommendByProviders(ctx: Context, { accountId }: JobData['fasp.recommend']): Promise<void> {
  const key = `fasp-recommendations:${accountId}`
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

type Question = { capability: Capability; path: string; max: number }

/** Calls `take` with the addresses that the providers answer with. Their failures end nothing else. */
async function askAll(
  ctx: Context,
  { capability, path, max }: Question,
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
