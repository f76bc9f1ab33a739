import Type, { type Static, type TSchema } from 'typebox'
import type { TLocalizedValidationError } from 'typebox/error'
import { BadRequest, invalid, invalidFields, invalidRequest, problemOf, type Invalid } from '../lib/errors.ts'
import { once } from '../lib/concurrency.ts'
import { message, type Message } from '../messages/message.ts'
import { coerce, ID_PATTERN } from './coerce.ts'
import { isUpload, type UploadedFile } from './multipart.ts'
import { compileSchema } from './validator.ts'

/**
 * The id of a row: a decimal int8 as a string. Invalid ids become "0", too large ones the largest int8: no row has these, and
 * they work as cursors. In a path, invalid ids are not found.
 */
export const IdParam = Type.String({ pattern: ID_PATTERN })

export const isIdParam = (schema: TSchema): boolean => (schema as { pattern?: string }).pattern === ID_PATTERN

export const Upload = Type.Refine(Type.Unsafe<UploadedFile>({ contentMediaType: 'application/octet-stream' }), isUpload)

/**
 * Keywords of a required parameter. Without it, the request is not malformed but violates a rule, as in Mastodon where a stored
 * row needs the value.
 */
export const NOT_BLANK = { notBlank: true } as const

/**
 * A parser for the parameters of an endpoint: converts them (see `coerce`), drops those that the schema does not name, and checks
 * the others. An integer with the keyword `lenient: true` cannot fail: invalid values count as absent, too large ones as the
 * maximum. Throws BadRequest when a required parameter is missing or empty, Invalid where it has the keywords `NOT_BLANK`, and
 * Invalid for other problems.
 */
export function makeParser<S extends TSchema>(schema: S): (input: unknown) => Static<S> {
  // Compiling all routes takes a second: each is compiled by its first request.
  const validator = once(() => compileSchema(schema))
  const required = requiredTexts(schema)
  return (input) => {
    const value = coerce(schema, input ?? {})
    for (const name of required) if (isBlank(value, name)) throw missing(schema, name)
    if (!validator().check(value)) throw explain(schema, validator().errors(value))
    return value as Static<S>
  }
}

/** Names of the required strings at the top, which may not be blank either. */
function requiredTexts(schema: TSchema): string[] {
  const {
    required = [],
    properties = {},
    allOf = [],
  } = schema as { required?: string[]; properties?: Record<string, { type?: string }>; allOf?: TSchema[] }
  return [...required.filter((name) => properties[name]?.type === 'string'), ...allOf.flatMap(requiredTexts)]
}

function isBlank(value: unknown, name: string): boolean {
  const text = (value as Record<string, unknown> | null)?.[name]
  return typeof text === 'string' && text.trim() === ''
}

function missing(schema: TSchema, name: string): BadRequest | Invalid {
  const { properties = {} } = schema as { properties?: Record<string, { notBlank?: boolean }> }
  return properties[name]?.notBlank
    ? invalidFields({ [name]: [{ error: 'ERR_BLANK', description: message('blank') }] })
    : new BadRequest(message('parameter_missing', { name }))
}

function explain(schema: TSchema, errors: TLocalizedValidationError[]): BadRequest | Invalid {
  for (const error of errors) {
    if (error.keyword !== 'required') continue
    const [outer, ...inner] = [...segments(error.instancePath), error.params.requiredProperties[0] ?? '']
    return missing(schema, `${outer}${inner.map((name) => `[${name}]`).join('')}`)
  }
  const problems = new Map<string, Message>()
  for (const error of errors) {
    // A union reports each of its variants, and then itself. The client never meant the null variant.
    const isNullVariant = error.keyword === 'type' && error.params.type === 'null'
    if (error.keyword === 'anyOf' || isNullVariant || problems.has(error.instancePath)) continue
    problems.set(error.instancePath, problemOf(fieldAt(error.instancePath), problem(error)))
  }
  // All elements of a list may have the same problem.
  const distinct = new Map([...problems.values()].map((one) => [String(one), one]))
  return distinct.size > 0 ? invalid([...distinct.values()]) : invalidRequest('parameters_invalid')
}

/** `/fields_attributes/0/name` as the name of a field: `fields_name`. */
function fieldAt(path: string): string {
  const names = segments(path)
    .filter((segment) => !/^\d+$/.test(segment))
    .map((segment) => segment.replace(/_(attributes|ids?)$/, ''))
  return names.join('_') || 'body'
}

const segments = (path: string): string[] =>
  path
    .split('/')
    .slice(1)
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'))

function problem(error: TLocalizedValidationError): Message {
  switch (error.keyword) {
    case 'maxLength':
      return message('too_long', { count: error.params.limit })
    case 'minLength':
      return message('too_short', { count: error.params.limit })
    case 'maxItems':
      return message('too_many_entries', { count: error.params.limit })
    case 'minItems':
      return message('too_few_entries', { count: error.params.limit })
    case 'minimum':
      return message('at_least', { count: Number(error.params.limit) })
    case 'maximum':
      return message('at_most', { count: Number(error.params.limit) })
    case 'enum':
    case 'const':
      return message('not_included')
    case 'type':
      return message(error.params.type === 'integer' || error.params.type === 'number' ? 'not_a_number' : 'invalid')
    default:
      return message('invalid')
  }
}
