import { activityContentType } from '../../net/content-types.ts'
import { FetchError, unlessUnreachable } from '../../net/fetch-error.ts'
import type { FetchOptions } from '../../net/gate.ts'
import { asObject, isSameHost, type Json, urlOf } from '../../ap/normalise.ts'
import type { Context } from '../../context.ts'
import { isLocalDomain } from '../server/addresses.ts'
import { signedRequest } from '../peers/signed-request.ts'
import { instanceKey, signingKey } from './keys.ts'

/** Bytes. Ids are indexed, and PostgreSQL limits the size of index entries. */
export const MAX_ID_BYTES = 2048

/** `id` is verified. */
export type RemoteDocument = { id: string; json: unknown }

/**
 * Signs the request with the key of the local account `signerId`, or of the instance actor. The document must be at the address
 * that it gives as its id; one that is found elsewhere is fetched again from there. The id's own host must answer without a
 * redirect to another host, as an open redirect would let that host vouch for foreign documents. Only the host of `uri` gets a
 * request that an account has signed, as this names the reader. Throws FetchError.
 */
export async function fetchDocument(
  ctx: Context,
  uri: string,
  signerId: string | null = null,
): Promise<RemoteDocument> {
  const first = await requestJson(ctx, uri, { signerId })
  const id = idOf(first.json)
  // A redirect may lead to a page of this server, whose documents need no confirmation.
  const isConfirmed = id === withoutFragment(uri) || id === first.url || isLocalDomain(ctx, new URL(id).host)
  if (isConfirmed && isSameHost(first.url, id)) return { id, json: first.json }
  const second = await requestJson(ctx, id, { signerId: isSameHost(id, uri) ? signerId : null })
  if (idOf(second.json) !== id || !isSameHost(second.url, id))
    throw new FetchError('content-type', 'The document is not what it claims to be')
  return { id, json: second.json }
}

/** Also for other documents, whose ids are not verified. The requested host itself must answer. Throws FetchError. */
export async function fetchCollection(ctx: Context, uri: string): Promise<unknown> {
  return (await requestJson(ctx, uri, { sameHost: true })).json
}

/** In bytes. */
const MAX_RESPONSE = 64 * 1024

/**
 * The JSON with which a server answers a POST without content, signed by the local account `signerId`. Follows no redirects.
 * Throws FetchError.
 */
export async function postForDocument(ctx: Context, url: string, signerId: string): Promise<unknown> {
  const headers = { 'content-type': activityContentType }
  const call = { method: 'POST', body: '', headers, expect: 'json', redirects: 0, maxBytes: MAX_RESPONSE } as const
  return (await requestJson(ctx, url, { signerId, ...call })).json
}

const MAX_PAGES = 10

/**
 * A collection, and then up to MAX_PAGES of its pages. `collection`: its address, or itself, embedded in the document at `owner`.
 * Ends when a page cannot be read, or is on another host than `owner`. The caller may stop at any time.
 */
export async function* readPages(ctx: Context, collection: string | Json, owner: string): AsyncGenerator<Json> {
  let next: unknown = collection
  for (let pages = 0; pages <= MAX_PAGES && next; pages++) {
    const address = typeof next === 'string' ? urlOf(next) : null
    if (typeof next === 'string' && (address === null || !isSameHost(address, owner))) return
    const page = asObject(address === null ? next : await unlessUnreachable(fetchCollection(ctx, address)))
    if (page === null) return
    yield page
    next = (pages === 0 ? page['first'] : null) ?? page['next']
  }
}

async function requestJson(
  ctx: Context,
  uri: string,
  { signerId = null, sameHost = signerId !== null, ...options }: FetchOptions & { signerId?: string | null },
): Promise<{ json: unknown; url: string }> {
  const host = URL.parse(uri)?.host ?? ''
  if (isLocalDomain(ctx, host)) throw new FetchError('domain', 'A server does not fetch from itself')
  const address = withoutFragment(uri)
  const answer = await signedRequest(ctx, {
    address,
    key: await (signerId === null ? instanceKey(ctx) : signingKey(ctx, signerId)),
    send: (sign) => ctx.fetch.json(address, { sign, sameHost, ...options }).catch(refusalOf),
    statusOf: (given) => (given instanceof FetchError ? (given.status ?? 0) : 200),
  })
  if (answer instanceof FetchError) throw answer
  return answer
}

/** The error of a 401, which refuses the signature. Throws every other error. */
function refusalOf(error: unknown): FetchError {
  if (error instanceof FetchError && error.reason === 'status' && error.status === 401) return error
  throw error
}

function idOf(json: unknown): string {
  const id = urlOf(json)
  if (id === null || Buffer.byteLength(id) > MAX_ID_BYTES)
    throw new FetchError('content-type', 'The document has no usable id')
  return id
}

const withoutFragment = (uri: string): string => uri.split('#', 1)[0] as string
