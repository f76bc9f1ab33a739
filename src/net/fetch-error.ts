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

const timeouts = new Set(['UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'ETIMEDOUT'])

export function toFetchError(error: unknown, host: string): FetchError {
  if (error instanceof FetchError) return error
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
  if (timeouts.has(code)) return new FetchError('timeout', `${host} took too long to respond`, { cause: error })
  return new FetchError('network', `${host} could not be reached (${code})`, { cause: error })
}

/** `isPublic`: the address is public, and only plain http is refused. */
export function refusal(host: string, isPublic: boolean): FetchError {
  return isPublic
    ? new FetchError('scheme', `${host} may be reached over https only`)
    : new FetchError('address', `${host} is not on the public internet`)
}
