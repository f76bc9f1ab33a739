import { AppError } from '../lib/errors.ts'

export type FetchFailure =
  | 'address' // the host is, or resolves to, a private address
  | 'scheme' // not http(s), plain http where it is not allowed, or credentials in the URL
  | 'domain' // the domain policy refuses the host
  | 'host-budget' // the budget of a host is used up
  | 'cause-budget' // the budget of the request's cause is used up
  | 'timeout'
  | 'too-large'
  | 'redirects' // too many, or one that must not be followed
  | 'content-type' // the response has another content type than requested
  | 'network' // name resolution, TLS, connection, protocol
  | 'status' // a status other than 2xx
  | 'signature' // the response is not signed as agreed
  | 'file' // a download could not be written to disk

/** The message may be shown to users: at most, it names the host. */
export class FetchError extends Error {
  override readonly name = 'FetchError'
  readonly reason: FetchFailure
  readonly status: number | undefined

  constructor(reason: FetchFailure, message: string, options: { status?: number; cause?: unknown } = {}) {
    super(message, 'cause' in options ? { cause: options.cause } : undefined)
    this.reason = reason
    this.status = options.status
  }
}

/** Whether the document does not exist: 404 or 410. */
export function isMissing(error: unknown): boolean {
  return error instanceof FetchError && error.reason === 'status' && (error.status === 404 || error.status === 410)
}

/** Whether the document was deleted: 410. */
export function isGone(error: unknown): boolean {
  return error instanceof FetchError && error.reason === 'status' && error.status === 410
}

/** Whether a retry may succeed: the remote server is busy or unreachable, or this server failed. */
export function isTemporary(error: unknown): boolean {
  if (error instanceof FetchError) {
    if (error.reason === 'status') return error.status === 429 || (error.status ?? 0) >= 500
    return ['network', 'host-budget', 'timeout', 'file'].includes(error.reason)
  }
  return !(error instanceof AppError && error.status < 500)
}

/** Whether the address can never be reached: it is private, or has a scheme that is not allowed. */
export const isRefusedAddress = (error: FetchError): boolean => error.reason === 'address' || error.reason === 'scheme'

/** Null when a request of `work` fails. Throws errors of every other kind. */
export async function unlessUnreachable<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work
  } catch (error) {
    if (error instanceof FetchError) return null
    throw error
  }
}

const TIMEOUTS = new Set(['UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'ETIMEDOUT'])

export function toFetchError(error: unknown, host: string): FetchError {
  if (error instanceof FetchError) return error
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
  if (TIMEOUTS.has(code)) return new FetchError('timeout', `${host} took too long to respond`, { cause: error })
  return new FetchError('network', `${host} could not be reached (${code})`, { cause: error })
}

export const privateAddressError = (host: string): FetchError =>
  new FetchError('address', `${host} is not on the public internet`)

export const plainHttpError = (host: string): FetchError =>
  new FetchError('scheme', `${host} may be reached over https only`)
