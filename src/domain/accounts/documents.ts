import { FetchError } from '../../net/fetch-error.ts'
import { isSameHost, urlOf } from '../../ap/normalise.ts'
import type { Context } from '../../context.ts'
import { isLocalDomain } from '../server/addresses.ts'
import { signedRequest } from '../peers/signed-request.ts'
import { instanceKey } from './keys.ts'

/** Ids are indexed, and PostgreSQL's index entries have their limit. In bytes. */
export const LONGEST_ID = 2048

/** A document of another server, under the id at which it was found. */
export type RemoteDocument = { id: string; json: unknown }

/**
 * Fetches an ActivityPub document in this server's name (signed, for servers that want to know who asks). What it says its id
 * is must be where it was found: from any other address it is fetched once more from there. The host of the id must have
 * answered itself: one that redirects to anywhere would else vouch for whatever is there. Throws FetchError.
 */
export async function fetchDocument(ctx: Context, uri: string): Promise<RemoteDocument> {
  const first = await get(ctx, uri)
  const id = idOf(first.json)
  if ((id === withoutFragment(uri) || id === first.url) && isSameHost(first.url, id)) return { id, json: first.json }
  const second = await get(ctx, id)
  if (idOf(second.json) !== id || !isSameHost(second.url, id))
    throw new FetchError('content-type', 'The document is not what it claims to be')
  return { id, json: second.json }
}

/** A collection, or another document that nobody is judged by: its content must come from the host asked. Throws FetchError. */
export async function fetchCollection(ctx: Context, uri: string): Promise<unknown> {
  return (await get(ctx, uri, { sameHost: true })).json
}

async function get(
  ctx: Context,
  uri: string,
  options: { sameHost?: boolean } = {},
): Promise<{ json: unknown; url: string }> {
  const host = URL.parse(uri)?.host ?? ''
  if (isLocalDomain(ctx, host)) throw new FetchError('domain', 'This server does not ask itself')
  const address = withoutFragment(uri)
  const answer = await signedRequest(
    ctx,
    address,
    await instanceKey(ctx),
    (sign) => ctx.fetch.json(address, { sign, ...options }).catch(refusalOf),
    (given) => (given instanceof FetchError ? (given.status ?? 0) : 200),
  )
  if (answer instanceof FetchError) throw answer
  return answer
}

/** An answer that refuses the request as not signed well enough. */
function refusalOf(error: unknown): FetchError {
  if (error instanceof FetchError && error.reason === 'status' && error.status === 401) return error
  throw error
}

function idOf(json: unknown): string {
  const id = urlOf(json)
  if (id === null || Buffer.byteLength(id) > LONGEST_ID)
    throw new FetchError('content-type', 'The document has no usable id')
  return id
}

const withoutFragment = (uri: string): string => uri.split('#', 1)[0] as string

/** Whether an error says that what was asked for does not exist, or not any more. */
export function isMissing(error: unknown): boolean {
  return error instanceof FetchError && error.reason === 'status' && (error.status === 404 || error.status === 410)
}

/** Whether an error says that what was asked for was there and is gone for good. */
export function isGone(error: unknown): boolean {
  return error instanceof FetchError && error.reason === 'status' && error.status === 410
}
