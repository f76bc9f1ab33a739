import { isLocalDomain, parseLocalUrl } from '../../domain/server/addresses.ts'
import { federate, followAct } from '../federate.ts'
import { type Actor, parseActor } from '../../ap/actor.ts'
import { formatHandle, isSameHandle, parseHandle } from '../../ap/handle.ts'
import { type Context, perServer } from '../../context.ts'
import { fetchDocument } from '../../domain/accounts/documents.ts'
import { type AccountRow, findAccount, findByHandle, findLocal, lookupHandle } from '../../domain/accounts/find.ts'
import { findByUri, findHandle, findLocalFollows, hasFreshCounts } from '../../domain/accounts/remote.ts'
import { type AccountSearch, searchAccounts } from '../../domain/search/accounts.ts'
import { type ConfirmedHandle, storeActor } from '../../domain/accounts/store-actor.ts'
import { admitAccount } from '../../domain/peers/budgets.ts'
import { restoreDeferred } from '../moderation/sever.ts'
import { storeSuspendedRemotely } from '../../domain/moderation/states.ts'
import { domainPolicy, isDomainAllowed } from '../../domain/peers/domain-policy.ts'
import { type ResolvedHandle, WebfingerError, lookUpHandle } from '../../domain/peers/webfinger.ts'
import { reserveUses } from '../../domain/server/rate-limits.ts'
import { FetchError, isTemporary } from '../../net/fetch-error.ts'
import { sharedNextWork, sharedWork } from '../../lib/concurrency.ts'
import { lruCache } from '../../lib/lru-cache.ts'

/** After this time, a remote account is fetched again. */
export const FRESH_MS = 24 * 3600 * 1000

/**
 * Local, stored, or fetched from its server after its host confirmed the handle. Null if it cannot be found, reached or
 * confirmed. Never call it in a transaction.
 */
export async function resolveHandle(ctx: Context, text: string): Promise<AccountRow | null> {
  const handle = parseHandle(text)
  if (handle === null) return null
  if (handle.domain === null || isLocalDomain(ctx, handle.domain)) return lookupHandle(ctx, text)
  const known = await findByHandle(ctx, handle.username, handle.domain)
  if (known) {
    await refreshIfStale(ctx, known)
    return known
  }
  return resolvedOrNull(ctx, text, async () => {
    if (!(await isDomainAllowed(ctx, handle.domain as string))) return null
    const resolved = await lookUpHandle(ctx.fetch, formatHandle(handle))
    if (isLocalDomain(ctx, resolved.domain))
      return findLocal(ctx, parseLocalUrl(ctx, resolved.actorUri)?.username ?? '')
    return fetchActor(ctx, resolved.actorUri, { confirmed: resolved })
  })
}

type FetchOptions = {
  /**
   * Does not join a fetch that began earlier, and enqueues no job that fetches the account to which this one has moved. That job
   * sets it: otherwise each account of a chain of moves would have the next one fetched.
   */
  alone?: boolean
}

/**
 * Stored, or fetched. `refresh` always fetches a remote account. Null if it is no account, or cannot be reached or confirmed;
 * with `retried`, throws FetchError instead where a retry may succeed. Never call it in a transaction.
 */
export async function resolveActor(
  ctx: Context,
  uri: string,
  options: FetchOptions & { refresh?: boolean; retried?: boolean } = {},
): Promise<AccountRow | null> {
  const known = await findByUri(ctx, uri)
  if (known && (known.domain === null || !options.refresh)) {
    await refreshIfStale(ctx, known)
    return known
  }
  const found = await resolvedOrNull(ctx, uri, () => fetchActor(ctx, uri, options), options.retried)
  return found ?? (options.refresh ? null : known)
}

/** Accounts whose refresh was enqueued within an hour, so that not every activity of an account enqueues one. */
const requestedRefreshes = perServer(() => lruCache<string, true>({ max: 10_000, ttl: 3_600_000 }))

/** Does nothing for an account that was fetched within a day. */
export async function refreshIfStale(
  ctx: Context,
  account: Pick<AccountRow, 'id' | 'domain' | 'fetched_at'>,
): Promise<void> {
  const isFresh = account.fetched_at !== null && account.fetched_at.getTime() > Date.now() - FRESH_MS
  if (account.domain === null || isFresh || requestedRefreshes(ctx).has(account.id)) return
  requestedRefreshes(ctx).set(account.id, true)
  await ctx.enqueue('federation.refresh', { accountId: account.id }, { key: account.id })
}

const viewedAccounts = perServer(() => lruCache<string, true>({ max: 10_000, ttl: 3_600_000 }))

/**
 * Enqueues a refresh of counters, pinned statuses and hashtags, because a local user views or follows the account. Does
 * nothing if they were read within a day.
 */
export async function refreshForViewer(ctx: Context, account: Pick<AccountRow, 'id' | 'domain'>): Promise<void> {
  if (account.domain === null || viewedAccounts(ctx).has(account.id)) return
  viewedAccounts(ctx).set(account.id, true)
  if (!(await hasFreshCounts(ctx, account.id)))
    await ctx.enqueue('federation.refresh', { accountId: account.id, force: true }, { key: account.id })
}

/** Concurrent calls for one actor share a fetch. */
const fetchesInProgress = perServer(() => new Map<string, Promise<AccountRow | null>>())

/**
 * `confirmed`: the result of WebFinger, if the caller started from a handle. `changed`: the actor has changed, so a fetch that
 * began earlier is not joined. Null if the document is no actor, or its host does not confirm the handle. Throws FetchError when
 * a server cannot be reached.
 */
export function fetchActor(
  ctx: Context,
  uri: string,
  options: FetchOptions & { confirmed?: ResolvedHandle; changed?: boolean } = {},
): Promise<AccountRow | null> {
  const work = (): Promise<AccountRow | null> => fetchAndStore(ctx, uri, options)
  if (options.alone) return work()
  return (options.changed ? sharedNextWork : sharedWork)(fetchesInProgress(ctx), uri, work)
}

/** How often a document is fetched at most, when other fetches store the same account meanwhile. */
const MAX_FETCHES = 3

async function fetchAndStore(
  ctx: Context,
  uri: string,
  { confirmed, alone = false }: FetchOptions & { confirmed?: ResolvedHandle },
): Promise<AccountRow | null> {
  for (let fetches = 1; ; fetches++) {
    const known = await findByUri(ctx, uri)
    const { json } = await fetchDocument(ctx, uri)
    const actor = parseActor(json)
    if (!actor || parseLocalUrl(ctx, actor.inbox) !== null || isLocalDomain(ctx, new URL(actor.inbox).host)) return null
    const handle = await confirmHandle(ctx, actor, confirmed)
    if (!handle || isLocalDomain(ctx, handle.domain) || !(await isDomainAllowed(ctx, handle.domain))) return null
    if (known?.uri !== actor.id && (await findByUri(ctx, actor.id)) === null)
      await admitAccount(ctx, new URL(actor.id).hostname)
    const accountId = await upsertActor(ctx, actor, handle, fetches < MAX_FETCHES ? known : null)
    if (accountId === null) continue
    if (!alone && actor.movedTo !== null) await enqueueMovedTo(ctx, accountId, actor.movedTo)
    return findAccount(ctx, accountId)
  }
}

/** For an account that is not stored yet: a known one is found when the actor is stored. */
async function enqueueMovedTo(ctx: Context, accountId: string, uri: string): Promise<void> {
  if (isLocalDomain(ctx, new URL(uri).host) || (await findByUri(ctx, uri)) !== null) return
  await ctx.enqueue('federation.moved-to', { accountId, uri }, { key: accountId })
}

/**
 * The handle of an actor: the stored one while the actor's name is the same, or the one that the actor claims and the handle's
 * host confirms. Both must agree, as an actor could claim a foreign handle, and a host could assign its handles to a foreign
 * actor.
 */
async function confirmHandle(
  ctx: Context,
  actor: Actor,
  confirmed: ResolvedHandle | undefined,
): Promise<{ username: string; domain: string } | null> {
  const ownName = actor.preferredUsername && `${actor.preferredUsername}@${new URL(actor.id).host}`
  const claimed = parseHandle(actor.webfinger ?? ownName ?? '')
  if (claimed === null || claimed.domain === null) return null
  if (confirmed?.actorUri === actor.id && isSameHandle(claimed, confirmed)) return confirmed
  if (!confirmed) {
    const known = await findHandle(ctx, actor.id)
    if (known && known.username.toLowerCase() === actor.preferredUsername?.toLowerCase()) return known
  }
  const answer = await lookUpHandle(ctx.fetch, formatHandle(claimed))
  return answer.actorUri === actor.id ? answer : null
}

async function resolvedOrNull(
  ctx: Context,
  what: string,
  work: () => Promise<AccountRow | null>,
  retried = false,
): Promise<AccountRow | null> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof FetchError || error instanceof WebfingerError)) throw error
    if (retried && error instanceof FetchError && isTemporary(error)) throw error
    ctx.log.debug({ err: error, what }, 'account.unreachable')
    return null
  }
}

/** As searchAccounts. With `resolve`, it fetches an unknown handle from its server first. */
export async function searchAndResolveAccounts(
  ctx: Context,
  search: AccountSearch & { resolve?: boolean },
): Promise<string[]> {
  const account =
    search.resolve && !search.offset && parseHandle(search.q)?.domain ? await resolveHandle(ctx, search.q) : null
  if (account) await refreshForViewer(ctx, account)
  // The handle of the account may differ from the one in the query.
  return searchAccounts(ctx, account?.domain ? { ...search, q: `@${account.username}@${account.domain}` } : search)
}

/** Seconds. Links are verified after a random delay, as all servers receive a profile at the same time. */
const MAX_VERIFY_DELAY = 600

/**
 * `before`: the account before its document was requested. If it was stored since, maybe from a newer document, this changes
 * nothing and returns null. With null, it always stores.
 */
async function upsertActor(
  ctx: Context,
  actor: Actor,
  handle: ConfirmedHandle,
  before: AccountRow | null,
): Promise<string | null> {
  const policy = await domainPolicy(ctx, handle.domain)
  const result = await ctx.transaction(async (tx) => {
    const stored = await storeActor(tx, actor, handle, { ...policy, before })
    if (!stored) return null
    const { id } = stored
    if (stored.displacedId !== null)
      await tx.enqueue('federation.refresh', { accountId: stored.displacedId, force: true })
    // The account's own server decides this, unless moderators of this server have.
    const changed = await storeSuspendedRemotely(tx, id, actor.suspended)
    if (changed && !actor.suspended) await restoreDeferred(tx, { accountId: id })
    if (stored.indexableChanged) await tx.enqueue('search.account', { accountId: id, after: '0' })
    if (stored.hasNewUri) await followAgain(tx, id)
    if (!policy.rejectMedia && (actor.icon || actor.image))
      await tx.enqueue('media.cache', { accountId: id }, { key: `account ${id}` })
    if (stored.hasNewLinks) {
      const delay = Math.ceil(Math.random() * MAX_VERIFY_DELAY)
      await tx.enqueue('accounts.verify-links', { accountId: id }, { key: id, delay })
    }
    return stored
  })
  if (!result) return null
  await ctx.deleteFiles(result.oldFiles)
  return result.id
}

/** New ids of one account within NEW_ID_SECONDS after which it is followed again. */
const MAX_NEW_IDS = 5
const NEW_ID_SECONDS = 7 * 86_400

/**
 * Sends the follows of local accounts again: the account's server was set up again and does not know them. Limited, as a server
 * could give an account ever new ids, and have all followers send requests to any address that it names as the inbox.
 */
async function followAgain(tx: Context, targetAccountId: string): Promise<void> {
  if ((await reserveUses(tx, `new-id ${targetAccountId}`, MAX_NEW_IDS, NEW_ID_SECONDS)).granted === 0) return
  const follows = await findLocalFollows(tx, targetAccountId)
  await federate(
    tx,
    follows.map((row) => followAct({ ...row, target_account_id: targetAccountId })),
  )
}
