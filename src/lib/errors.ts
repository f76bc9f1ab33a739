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
 * An error whose text may be shown to the client that caused it. Thrown anywhere, mapped to an answer once, in http/errors.ts,
 * in the language of the request; `message`, which logs show, is English. `cause` holds what only the log may see.
 */
export class AppError extends Error {
  readonly status: number
  readonly text: Text
  /** Extra members of the JSON body, such as `details`. */
  readonly extra: Record<string, unknown> | undefined
  /** Headers of the answer, by lower-case name. */
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

/** 401: no usable token where one is needed. */
export class Unauthorized extends AppError {
  constructor(text: Text = message('token_invalid')) {
    super(401, text)
  }
}

/** 403: known, but not allowed. Never for objects whose existence is a secret: those are NotFound. */
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

/** 409: somebody else changed it meanwhile. */
export class Conflict extends AppError {
  constructor(text: Text = message('conflict')) {
    super(409, text)
  }
}

/** 410: was here, and is gone for good. */
export class Gone extends AppError {
  constructor(text: Text = message('gone')) {
    super(410, text)
  }
}

/** 413: more bytes than we take. */
export class PayloadTooLarge extends AppError {
  constructor(text: Text = message('too_large')) {
    super(413, text)
  }
}

export type ErrorDetail = { error: `ERR_${string}`; description: Text }
export type ErrorDetails = Record<string, ErrorDetail[]>

/** 422: understood, and refused by a rule. `details` names the fields, as registration answers do. */
export class Invalid extends AppError {
  constructor(text: Text, details?: ErrorDetails, extra?: Record<string, unknown>) {
    super(422, text, { extra: details ? { ...extra, details } : extra })
  }
}

/** What is wrong with a field, in a sentence: "Title can't be blank". */
export const problemOf = (field: FieldName | (string & {}), problem: Text): Message =>
  message('field_problem', { field: fieldLabel(field), problem })

/** Problems as one error: "Validation failed: Title can't be blank, …". */
export const invalid = (problems: readonly Text[], details?: ErrorDetails): Invalid =>
  new Invalid(message('validation_failed', { problems }), details)

/** One problem with one field as an error: `invalidField('title', 'too_long', { count: 256 })`. */
export const invalidField = <K extends TextKey>(field: FieldName, problem: K, ...params: ParamsOf<K>): Invalid =>
  invalid([problemOf(field, message(problem, ...params))])

/** A problem that is about no field as an error: `invalidRequest('media_with_poll')`. */
export const invalidRequest = <K extends TextKey>(problem: K, ...params: ParamsOf<K>): Invalid =>
  invalid([message(problem, ...params)])

/** Fields and what is wrong with each, as one error: `Display name is too long`. What is about no field stands under `base`. */
export function invalidFields(details: ErrorDetails): Invalid {
  const problems = Object.entries(details).flatMap(([field, list]) =>
    list.map(({ description }) => (field === 'base' ? description : problemOf(field, description))),
  )
  return invalid(problems, details)
}

/** What an Invalid says without "Validation failed": to be told of one field, or on a page. */
export function problemsIn({ text }: AppError): Text {
  if (typeof text === 'string') return text.replace(/^Validation failed: /, '')
  return text.key === 'validation_failed' ? new Message('problem_list', text.params) : text
}

/** 429: over a limit, for `seconds` more where that is known. */
export class TooMany extends AppError {
  constructor(text: Text = message('too_many_requests'), seconds?: number) {
    super(429, text, seconds === undefined ? {} : { headers: { 'retry-after': String(seconds) } })
  }
}

/** 503: something we depend on is not there at the moment. */
export class Unavailable extends AppError {
  constructor(text: Text = message('unavailable'), cause?: unknown) {
    super(503, text, { cause })
  }
}

/** Something is wrong before the server runs: one line that says what to do, exit status 1. */
export class StartError extends Error {
  override name = 'StartError'
}
