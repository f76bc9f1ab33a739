export type FetchFailure =
  | 'address' // the host is, or resolves to, an address we do not connect to
  | 'scheme' // not http(s), plain http where it is not allowed, or credentials in the URL
  | 'domain' // our own policy refuses the host
  | 'host-budget' // a host has caused or been sent enough requests for now
  | 'cause-budget' // what the request is made for has caused enough requests
  | 'timeout'
  | 'too-large'
  | 'redirects' // too many, or one that this request must not follow
  | 'content-type' // the answer is not what was asked for
  | 'network' // name resolution, TLS, connection, protocol
  | 'status' // an answer other than 2xx where a document was wanted
  | 'file' // our own disk: a download could not be stored

/** Why an outgoing request failed. The message names the host at most and is safe to show. */
export class FetchError extends Error {
  override readonly name = 'FetchError'
  readonly reason: FetchFailure
  /** The HTTP status, when there was an answer. */
  readonly status: number | undefined

  constructor(reason: FetchFailure, message: string, options: { status?: number; cause?: unknown } = {}) {
    super(message, 'cause' in options ? { cause: options.cause } : undefined)
    this.reason = reason
    this.status = options.status
  }
}

const timeouts = new Set(['UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'ETIMEDOUT'])

/** Turns whatever undici, TLS or the resolver threw into a FetchError. */
export function toFetchError(error: unknown, host: string): FetchError {
  if (error instanceof FetchError) return error
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
  if (timeouts.has(code)) return new FetchError('timeout', `${host} took too long to answer`, { cause: error })
  return new FetchError('network', `${host} could not be reached (${code})`, { cause: error })
}
