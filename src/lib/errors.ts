type AppErrorOptions = { cause?: unknown; extra?: Record<string, unknown>; headers?: Record<string, string> }

/**
 * An error whose text may be shown to whoever caused it. Thrown anywhere, mapped to an answer once, in http/errors.ts.
 * `cause` holds what only the log may see.
 */
export class AppError extends Error {
  readonly status: number
  /** Extra members of the JSON body, such as `details`. */
  readonly extra: Record<string, unknown> | undefined
  /** Headers of the answer, by lower-case name. */
  readonly headers: Record<string, string>

  constructor(status: number, message: string, options: AppErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = new.target.name
    this.status = status
    this.extra = options.extra
    this.headers = options.headers ?? {}
  }
}

/** 400: the request itself is malformed. */
export class BadRequest extends AppError {
  constructor(message = 'Bad request', cause?: unknown) {
    super(400, message, { cause })
  }
}

/** 401: no usable token where one is needed. */
export class Unauthorized extends AppError {
  constructor(message = 'The access token is invalid') {
    super(401, message)
  }
}

/** 403: known, but not allowed. Never for objects whose existence is a secret: those are NotFound. */
export class Forbidden extends AppError {
  constructor(message = 'This action is not allowed', headers: Record<string, string> = {}) {
    super(403, message, { headers })
  }
}

/** 404: missing, or hidden from the viewer. */
export class NotFound extends AppError {
  constructor(message = 'Record not found') {
    super(404, message)
  }
}

/** 409: somebody else changed it meanwhile. */
export class Conflict extends AppError {
  constructor(message = 'Conflict during update, please try again') {
    super(409, message)
  }
}

/** 410: was here, and is gone for good. */
export class Gone extends AppError {
  constructor(message = 'Gone') {
    super(410, message)
  }
}

/** 413: more bytes than we take. */
export class PayloadTooLarge extends AppError {
  constructor(message = 'The request is too large') {
    super(413, message)
  }
}

export type ErrorDetail = { error: `ERR_${string}`; description: string }
export type ErrorDetails = Record<string, ErrorDetail[]>

/** 422: understood, and refused by a rule. `details` names the fields, as registration answers do. */
export class Invalid extends AppError {
  constructor(message: string, details?: ErrorDetails, extra?: Record<string, unknown>) {
    super(422, message, { extra: details ? { ...extra, details } : extra })
  }
}

/** Fields and what is wrong with each, as one error: `Display name is too long`. What is about no field stands under `base`. */
export function invalidFields(details: ErrorDetails): Invalid {
  const label = (field: string): string => field.charAt(0).toUpperCase() + field.slice(1).replaceAll('_', ' ')
  const sentences = Object.entries(details).flatMap(([field, list]) =>
    list.map(({ description }) => (field === 'base' ? description : `${label(field)} ${description}`)),
  )
  return new Invalid(`Validation failed: ${sentences.join(', ')}`, details)
}

/** 429: over a limit, for `seconds` more where that is known. */
export class TooMany extends AppError {
  constructor(message = 'Too many requests', seconds?: number) {
    super(429, message, seconds === undefined ? {} : { headers: { 'retry-after': String(seconds) } })
  }
}

/** 503: something we depend on is not there at the moment. */
export class Unavailable extends AppError {
  constructor(message = 'There was a temporary problem serving your request, please try again', cause?: unknown) {
    super(503, message, { cause })
  }
}

/** Something is wrong before the server runs: one line that says what to do, exit status 1. */
export class StartError extends Error {
  override name = 'StartError'
}
