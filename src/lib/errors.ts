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
 * An error for the client. `http/errors.ts` turns it into a response in the language of the request. `message`, for logs, is
 * English. Only logs show `cause`.
 */
export class AppError extends Error {
  readonly status: number
  readonly text: Text
  readonly extra: Record<string, unknown> | undefined
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

export class BadRequest extends AppError {
  constructor(text: Text = message('bad_request'), cause?: unknown) {
    super(400, text, { cause })
  }
}

export class Unauthorized extends AppError {
  constructor(text: Text = message('token_invalid')) {
    super(401, text)
  }
}

/** For hidden objects, use NotFound, so that their existence stays private. */
export class Forbidden extends AppError {
  constructor(text: Text = message('forbidden'), headers: Record<string, string> = {}) {
    super(403, text, { headers })
  }
}

/** The object is missing, or hidden from the viewer. */
export class NotFound extends AppError {
  constructor(text: Text = message('not_found')) {
    super(404, text)
  }
}

export class Conflict extends AppError {
  constructor(text: Text = message('conflict')) {
    super(409, text)
  }
}

export class Gone extends AppError {
  constructor(text: Text = message('gone')) {
    super(410, text)
  }
}

export class PayloadTooLarge extends AppError {
  constructor(text: Text = message('too_large')) {
    super(413, text)
  }
}

export type ErrorDetail = { error: `ERR_${string}`; description: Text }
export type ErrorDetails = Record<string, ErrorDetail[]>

/**
 * The request violates a rule. `details` names the fields, as in Mastodon's responses to registrations. Texts about media stand
 * alone, as in Mastodon; the functions below put "Validation failed" before others.
 */
export class Invalid extends AppError {
  /** By field, for forms. Responses have only those that were given as `details`. */
  readonly problems: ErrorDetails

  constructor(text: Text, details?: ErrorDetails, extra?: Record<string, unknown>, problems: ErrorDetails = {}) {
    super(422, text, { extra: details ? { ...extra, details } : extra })
    this.problems = details ?? problems
  }
}

export const problemOf = (field: FieldName | (string & {}), problem: Text): Message =>
  message('field_problem', { field: fieldLabel(field), problem })

export const invalid = (problems: readonly Text[], details?: ErrorDetails): Invalid =>
  new Invalid(message('validation_failed', { problems }), details)

/** As `invalidFields`, but responses have the text alone. */
export const invalidWithoutDetails = (problems: ErrorDetails): Invalid =>
  new Invalid(textOf(problems), undefined, undefined, problems)

/** Such as `invalidField('title', 'too_long', { count: 256 })`. */
export const invalidField = <K extends TextKey>(field: FieldName, problem: K, ...params: ParamsOf<K>): Invalid =>
  invalidWithoutDetails(detailsOf(field, problem, ...params))

/** The text, trimmed. Throws Invalid, which names the field, when it is blank or has more than `max` code points. */
export function requiredText(field: FieldName, text: string, max: number): string {
  const trimmed = text.trim()
  if (trimmed === '') throw invalidField(field, 'blank')
  if ([...trimmed].length > max) throw invalidField(field, 'too_long', { count: max })
  return trimmed
}

const CODES: Partial<Record<TextKey, `ERR_${string}`>> = {
  blank: 'ERR_BLANK',
  taken: 'ERR_TAKEN',
  too_long: 'ERR_TOO_LONG',
}

const detailsOf = <K extends TextKey>(field: FieldName, problem: K, ...params: ParamsOf<K>): ErrorDetails => ({
  [field]: [{ error: CODES[problem] ?? 'ERR_INVALID', description: message(problem, ...params) }],
})

/** As `invalidField`, with `details`, by which clients show the problem at the field. */
export const invalidFieldWithDetails = <K extends TextKey>(
  field: FieldName,
  problem: K,
  ...params: ParamsOf<K>
): Invalid => invalidFields(detailsOf(field, problem, ...params))

export const invalidRequest = <K extends TextKey>(problem: K, ...params: ParamsOf<K>): Invalid =>
  invalid([message(problem, ...params)])

/** Problems without a field are under `base`. */
export const invalidFields = (details: ErrorDetails): Invalid => new Invalid(textOf(details), details)

function textOf(details: ErrorDetails): Message {
  const problems = Object.entries(details).flatMap(([field, list]) =>
    list.map(({ description }) => (field === 'base' ? description : problemOf(field, description))),
  )
  return message('validation_failed', { problems })
}

export function problemsIn({ text }: AppError): Text {
  if (typeof text === 'string') return text.replace(/^Validation failed: /, '')
  return text.key === 'validation_failed' ? new Message('problem_list', text.params) : text
}

/** What is wrong, without the names of fields: for errors that are reported under the name of another field. */
export function problemsWithoutField(error: AppError): Text[] {
  const { text } = error
  if (typeof text === 'string' || text.key !== 'validation_failed') return [problemsIn(error)]
  return (text.params.problems as Text[]).map((problem) =>
    problem instanceof Message && problem.key === 'field_problem' ? (problem.params.problem as Text) : problem,
  )
}

/** `seconds`: until the rate limit ends, if known. */
export class TooMany extends AppError {
  constructor(text: Text = message('too_many_requests'), seconds?: number) {
    super(429, text, seconds === undefined ? {} : { headers: { 'retry-after': String(seconds) } })
  }
}

export class Unavailable extends AppError {
  constructor(text: Text = message('unavailable'), cause?: unknown) {
    super(503, text, { cause })
  }
}

/** The connection to the database was lost before a write was confirmed: it may have been carried out. */
export class OutcomeUnknown extends Unavailable {}

/** The message is one line that says what to do. The exit status is 1. */
export class StartError extends Error {
  override name = 'StartError'
}

/**
 * One line for administrators about an error that a program ends with: a StartError, or what the system or the database refused,
 * such as a write to a full disk. Null for a fault of this program, whose stack trace is needed.
 */
export function reasonOf(error: unknown): string | null {
  if (error instanceof StartError) return error.message
  const cause = error instanceof Unavailable ? (error.cause ?? error) : error
  if (!(cause instanceof Error) || !(error instanceof Unavailable || 'syscall' in cause)) return null
  return hasTooFewConnections(error) ? `${cause.message}. ${MORE_CONNECTIONS}` : cause.message
}

const MORE_CONNECTIONS =
  'A process needs up to DB_POOL + 9 connections: raise the limit of the role, the database or the server (docs/admin/scale.md), or lower DB_POOL.'

/** The error of PostgreSQL has the code 53300, too_many_connections. */
export function hasTooFewConnections(error: unknown): boolean {
  const { code } = ((error as Error).cause ?? error) as { code?: unknown }
  return code === '53300'
}
