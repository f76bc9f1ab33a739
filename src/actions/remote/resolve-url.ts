import { parseLocalUrl } from '../../domain/server/addresses.ts'
import { createdIn } from '../../ap/activity.ts'
import { parseActor } from '../../ap/actor.ts'
import { isSameHost } from '../../ap/normalise.ts'
import { type FeaturedCollection, parseFeaturedCollection } from '../../ap/featured-collection.ts'
import { isActivityContentType } from '../../net/content-types.ts'
import { FetchError } from '../../net/fetch-error.ts'
import type { Context } from '../../context.ts'
import { fetchDocument, type RemoteDocument } from '../../domain/accounts/documents.ts'
import { findLocal } from '../../domain/accounts/find.ts'
import { receiveCollection } from '../collections/remote.ts'
import { refreshForViewer, resolveActor } from './resolve-account.ts'
import { decodePage, readPage } from '../../domain/statuses/cards/page.ts'
import { findOwnStatus } from '../../domain/statuses/find.ts'
import { followsOnHost } from '../../domain/statuses/local-readers.ts'
import { findByAddress } from '../../domain/statuses/remote.ts'
import { fetchStatusOrNull } from './receive-status.ts'

export type Resolved = { accountId: string } | { statusId: string } | { collectionId: string }

/**
 * The account, status or collection of accounts that an address names, as its page, its ActivityPub id or that of its Create: a
 * stored one, or with `fetch` one from its server. The caller checks who may see it. Null if there is none, or it cannot be
 * reached. `viewerId`: the local account for which a post that is not public may be fetched.
 */
export async function resolveUrl(
  ctx: Context,
  url: string,
  options: { fetch: boolean; viewerId?: string | null },
): Promise<Resolved | null> {
  const local = parseLocalUrl(ctx, url)
  if (local) return resolveLocal(ctx, local)
  const known = await findStored(ctx, url)
  if (known || !options.fetch) return known
  try {
    const { id, json, readerId } = await fetchFor(ctx, url, options.viewerId ?? null)
    if (parseActor(json)) {
      const account = await resolveActor(ctx, id)
      if (account) await refreshForViewer(ctx, account)
      return account && { accountId: account.id }
    }
    const collection = parseFeaturedCollection(json)
    if (collection) return await storeCollection(ctx, collection)
    const uri = createdIn(json) ?? id
    const statusId = await fetchStatusOrNull(ctx, uri, {
      resolveMentions: true,
      readerId: isSameHost(uri, url) ? readerId : null,
    })
    return statusId === null ? null : { statusId }
  } catch (error) {
    if (!(error instanceof FetchError)) throw error
    ctx.log.debug({ err: error, url }, 'url.unresolved')
    return null
  }
}

async function storeCollection(ctx: Context, document: FeaturedCollection): Promise<Resolved | null> {
  const owner = await resolveActor(ctx, document.attributedTo)
  if (!owner || owner.domain === null || owner.suspended_at !== null) return null
  const collectionId = await receiveCollection(ctx, owner, document)
  return collectionId === null ? null : { collectionId }
}

/** The statuses with which servers refuse the instance actor a post that it may not read. */
const REFUSALS = [401, 403, 404]

/** `readerId`: the account that signed the request, if the instance actor was refused. */
async function fetchFor(
  ctx: Context,
  url: string,
  viewerId: string | null,
): Promise<RemoteDocument & { readerId: string | null }> {
  try {
    return { ...(await fetchDocument(ctx, url)), readerId: null }
  } catch (error) {
    const isRefused = error instanceof FetchError && REFUSALS.includes(error.status ?? 0)
    if (isRefused && viewerId !== null && (await followsOnHost(ctx, viewerId, url)))
      return { ...(await fetchDocument(ctx, url, viewerId)), readerId: viewerId }
    return { ...(await fetchBehindPage(ctx, url, error)), readerId: null }
  }
}

const MAX_PAGE_BYTES = 1024 * 1024

/**
 * Fetches the document that an HTML page, or the `Link` header of its response, links to. Throws `reason`, the error of the first
 * fetch, if it links to none.
 */
async function fetchBehindPage(ctx: Context, url: string, reason: unknown): Promise<RemoteDocument> {
  const isPage = reason instanceof FetchError && (reason.reason === 'content-type' || reason.status === 406)
  if (!isPage) throw reason
  const answer = await ctx.fetch.request(url, { expect: 'html', maxBytes: MAX_PAGE_BYTES })
  const linked =
    documentIn(answer.headers['link'] ?? '') ??
    readPage(decodePage(answer.body, answer.headers['content-type'])).activity
  const address = linked === null ? null : URL.parse(linked, answer.url)?.href
  if (!address || address === url) throw reason
  return fetchDocument(ctx, address)
}

/** The address of an ActivityPub document in a `Link` header. */
function documentIn(header: string): string | null {
  for (const [, address = '', parameters = ''] of header.matchAll(/<([^<>]+)>([^<]*)/g)) {
    const isAlternate = /;\s*rel="?(?:[^";,]*\s)?alternate\b/i.test(parameters)
    const type = /;\s*type="?([^";,]+)/i.exec(parameters)?.[1]
    if (isAlternate && isActivityContentType(type)) return address
  }
  return null
}

async function resolveLocal(
  ctx: Context,
  { username, statusId }: { username: string; statusId: string | null },
): Promise<Resolved | null> {
  const account = await findLocal(ctx, username)
  if (!account) return null
  if (statusId === null) return { accountId: account.id }
  const status = await findOwnStatus(ctx, account.id, statusId)
  return status && { statusId: status.id }
}

async function findStored(ctx: Context, url: string): Promise<Resolved | null> {
  const { account_id: accountId, status_id: statusId } = await findByAddress(ctx, url)
  if (statusId !== null) return { statusId }
  return accountId === null ? null : { accountId }
}
