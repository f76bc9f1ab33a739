import { asArray, asObject, countOf, idsOf, isSameHost, typesOf } from '../../ap/normalise.ts'
import type { Context } from '../../context.ts'
import { fetchCollection, readPages } from '../../domain/accounts/documents.ts'
import { findAccount, type AccountRow } from '../../domain/accounts/find.ts'
import { markFetched, storeRemoteCounts } from '../../domain/accounts/remote.ts'
import { readCollections } from '../collections/remote.ts'
import { fetchActor, FRESH_MS } from './resolve-account.ts'
import { catchUpOnStatus, fetchStatusOrNull } from './receive-status.ts'
import { isDomainAllowed } from '../../domain/peers/domain-policy.ts'
import { WebfingerError } from '../../domain/peers/webfinger.ts'
import { findStatusByUri } from '../../domain/statuses/find.ts'
import { replaceRemotePins } from '../../domain/statuses/interactions.ts'
import { findLocalFollower } from '../../domain/statuses/local-readers.ts'
import { purgeRemoteAccount } from '../accounts/delete.ts'
import { tagsOf } from '../../ap/tags.ts'
import { replaceFeaturedTags } from '../../domain/tags/featured.ts'
import type { JobData } from '../../jobs/kinds.ts'
import { isGone, isTemporary, unlessUnreachable } from '../../net/fetch-error.ts'

/** Milliseconds. An actor document that was fetched within this time is not fetched again, and only the collections are read. */
export const JUST_READ_MS = 60_000
const MAX_PINNED = 10

/**
 * Job `federation.refresh`: fetches a stale remote account again, with its counters, pinned posts, featured hashtags and
 * collections. An account that is gone (410) is deleted. An account that is not found (404) stays, as a server may restore its
 * data.
 */
export async function refreshAccount(
  ctx: Context,
  { accountId, force = false }: JobData['federation.refresh'],
): Promise<void> {
  const known = await findAccount(ctx, accountId)
  if (!known || known.domain === null || known.uri === null || !(await isDomainAllowed(ctx, known.domain))) return
  if (known.suspended_at !== null && known.suspension_origin !== 'remote') return
  const age = Date.now() - (known.fetched_at?.getTime() ?? 0)
  if (age < FRESH_MS && !force) return
  const account = age < JUST_READ_MS && known.suspended_at === null ? known : await refetch(ctx, known)
  if (!account) return
  // The counters are stored last, as storing pinned posts changes them.
  await readPinned(ctx, account)
  await readFeaturedTags(ctx, account)
  await readCollections(ctx, account)
  const [statuses, following, followers] = await Promise.all([
    totalOf(ctx, account.outbox_url),
    totalOf(ctx, account.following_url),
    totalOf(ctx, account.followers_url),
  ])
  await storeRemoteCounts(ctx, accountId, { statuses, following, followers })
}

async function refetch(ctx: Context, known: AccountRow): Promise<AccountRow | null> {
  try {
    const account = await fetchActor(ctx, known.uri ?? '')
    if (!account) await markFetched(ctx, known.id)
    return account
  } catch (error) {
    if (isGone(error)) await purgeRemoteAccount(ctx, known.id, { byItsServer: true })
    else if (isTemporary(error) && !(error instanceof WebfingerError)) throw error
    else await markFetched(ctx, known.id)
    return null
  }
}

async function totalOf(ctx: Context, url: string | null): Promise<number | null> {
  if (url === null) return null
  const collection = asObject(await unlessUnreachable(fetchCollection(ctx, url)))
  return countOf(collection?.['totalItems'])
}

/** The first items of a collection, which may be on pages. Null if it cannot be read. */
async function readItems(ctx: Context, url: string | null, limit: number): Promise<unknown[] | null> {
  if (url === null) return null
  let found: unknown[] | null = null
  for await (const page of readPages(ctx, url, url)) {
    found = [...(found ?? []), ...asArray(page['orderedItems'] ?? page['items'], limit)].slice(0, limit)
    if (found.length === limit) break
  }
  return found
}

/**
 * Ignores posts of other authors, and catches up on stored ones. A local follower signs the requests, as posts may be for followers.
 */
async function readPinned(ctx: Context, account: AccountRow): Promise<void> {
  const items = await readItems(ctx, account.featured_url, MAX_PINNED)
  if (items === null) return
  const uris = idsOf(items.map(pinnedOf), MAX_PINNED)
  const ids: string[] = []
  const authorUri = account.uri ?? ''
  const readerId = await findLocalFollower(ctx, account.id)
  for (const uri of uris.filter((each) => isSameHost(each, authorUri))) {
    const known = await findStatusByUri(ctx, uri)
    if (known) await unlessUnreachable(catchUpOnStatus(ctx, uri, readerId))
    const id = known?.id ?? (await fetchStatusOrNull(ctx, uri, { thread: false, quotes: false, authorUri, readerId }))
    if (id !== null) ids.push(id)
  }
  await replaceRemotePins(ctx, account.id, ids)
}

/** snac lists the Create of a pinned post, whose id cannot be fetched. */
function pinnedOf(item: unknown): unknown {
  const activity = asObject(item)
  return activity && typesOf(activity).includes('Create') ? activity['object'] : item
}

const MAX_TAGS = 20

async function readFeaturedTags(ctx: Context, account: AccountRow): Promise<void> {
  const items = await readItems(ctx, account.featured_tags_url, MAX_TAGS)
  if (items === null) return
  const names = tagsOf(items).flatMap(({ type, name }) => (type === 'Hashtag' ? [name] : []))
  await replaceFeaturedTags(ctx, account.id, names)
}
