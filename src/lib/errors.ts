import {
  fieldLabel,
  message,
  Message,
  render,
  type FieldName,
  type ParamsOf,
  type Text,
  type TextKey,
} from '../messages/message.ts'

type AppErrorOptions = { cause?: unknown; extra?: Record<string, unknown>; headers?: Record<string, string> }

/**
 * An error for the client. http/errors.ts turns it into a response in the language of the request; `message`, for logs, is
 * English. Only logs show `cause`.
 */
export class AppError extends Error {
  readonly status: number
  readonly text: Text
  /** Extra members of the JSON body, such as `details`. */
  readonly extra: Record<string, unknown> | undefined
  /** Headers of the response, by lower-case name. */
  readonly headers: Record<string, string>

  constructor(status: number, text: Text, options: AppErrorOptions = {}) {
    super(render(text, 'en'), options.cause === undefined ? undefined : { cause: options.cause })
    this.name = new.target.name
    this.status = status
    this.text = text
    this.extra = options.extra
    this.headers = options.headers ?? {}
  }
}

/** 400: the request itself is malformed. */
export class BadRequest extends AppError {
  constructor(text: Text = message('bad_request'), cause?: unknown) {
    super(400, text, { cause })
  }
}

/** 401: a valid token is missing. */
export class Unauthorized extends AppError {
  constructor(text: Text = message('token_invalid')) {
    super(401, text)
  }
}

/** 403: not allowed. Hidden objects are NotFound instead, so that their existence stays private. */
export class Forbidden extends AppError {
  constructor(text: Text = message('forbidden'), headers: Record<string, string> = {}) {
    super(403, text, { headers })
  }
}

/** 404: missing, or hidden from the viewer. */
export class NotFound extends AppError {
  constructor(text: Text = message('not_found')) {
    super(404, text)
  }
}

/** 409: another request changed the object meanwhile. */
export class Conflict extends AppError {
  constructor(text: Text = message('conflict')) {
    super(409, text)
  }
}

/** 410: permanently deleted. */
export class Gone extends AppError {
  constructor(text: Text = message('gone')) {
    super(410, text)
  }
}

/** 413: the body is too large. */
export class PayloadTooLarge extends AppError {
  constructor(text: Text = message('too_large')) {
    super(413, text)
  }
}

export type ErrorDetail = { error: `ERR_${string}`; description: Text }
export type ErrorDetails = Record<string, ErrorDetail[]>

/** 422: violates a rule. `details` names the fields, as in Mastodon's responses to registrations. */
export class Invalid extends AppError {
  constructor(text: Text, details?: ErrorDetails, extra?: Record<string, unknown>) {
    super(422, text, { extra: details ? { ...extra, details } : extra })
  }
}

/** A problem with a field as a sentence: "Title can't be blank". */
export const problemOf = (field: FieldName | (string & {}), problem: Text): Message =>
  message('field_problem', { field: fieldLabel(field), problem })

/** Problems as one error: "Validation failed: Title can't be blank, …". */
export const invalid = (problems: readonly Text[], details?: ErrorDetails): Invalid =>
  new Invalid(message('validation_failed', { problems }), details)

/** One problem with one field as an error: `invalidField('title', 'too_long', { count: 256 })`. */
export const invalidField = <K extends TextKey>(field: FieldName, problem: K, ...params: ParamsOf<K>): Invalid =>
  invalid([problemOf(field, message(problem, ...params))])

/** A problem without a field as an error: `invalidRequest('media_with_poll')`. */
export const invalidRequest = <K extends TextKey>(problem: K, ...params: ParamsOf<K>): Invalid =>
  invalid([message(problem, ...params)])

/** The problems of several fields as one error. Problems without a field are under `base`. */
export function invalidFields(details: ErrorDetails): Invalid {
  const problems = Object.entries(details).flatMap(([field, list]) =>
    list.map(({ description }) => (field === 'base' ? description : problemOf(field, description))),
  )
  return invalid(problems, details)
}

/** The text of an Invalid without "Validation failed", for pages and single fields. */
export function problemsIn({ text }: AppError): Text {
  if (typeof text === 'string') return text.replace(/^Validation failed: /, '')
  return text.key === 'validation_failed' ? new Message('problem_list', text.params) : text
}

/** 429: above a rate limit, for another `seconds` where known. */
export class TooMany extends AppError {
  constructor(text: Text = message('too_many_requests'), seconds?: number) {
    super(429, text, seconds === undefined ? {} : { headers: { 'retry-after': String(seconds) } })
  }
}

/** 503: a dependency is not available at the moment. */
export class Unavailable extends AppError {
  constructor(text: Text = message('unavailable'), cause?: unknown) {
    super(503, text, { cause })
  }
}

/** An error at start-up: one line that tells what to do, and exit status 1. */
export class StartError extends Error {
  override name = 'StartError'
}
