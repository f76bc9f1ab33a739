import Type, { type Static, type TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import type { TLocalizedValidationError } from 'typebox/error'
import { BadRequest, Invalid } from '../lib/errors.ts'
import { once } from '../lib/once.ts'
import { coerce, ID_PATTERN } from './coerce.ts'
import { isUpload, type UploadedFile } from './multipart.ts'

export { isId } from '../lib/ids.ts'

/**
 * The id of a row: a decimal int8 as a string, always safe to give to PostgreSQL. What a client sent instead of one arrives
 * as "0", or as the largest int8 where the number is too large: no row has these, and as cursors they behave.
 */
export const Id = Type.String({ pattern: ID_PATTERN })

/** A file from a multipart body. */
export const Upload = Type.Refine(Type.Unsafe<UploadedFile>({ contentMediaType: 'application/octet-stream' }), isUpload)

/**
 * A parser for the parameters of an endpoint, compiled once: converts what was sent (see `coerce`), leaves out what the schema
 * does not name, checks the rest. An integer with the keyword `lenient: true` cannot fail: nonsense counts as absent, too much
 * as the maximum. Throws BadRequest where a required parameter is missing or empty, Invalid naming the parameter otherwise.
 */
export function makeParser<S extends TSchema>(schema: S): (input: unknown) => Static<S> {
  // Compiling takes a second for all routes together: each is compiled by the first who calls it.
  const validator = once(() => Compile(schema))
  const required = requiredTexts(schema)
  return (input) => {
    const value = coerce(schema, input ?? {})
    for (const name of required) if (isBlank(value, name)) throw missing(name)
    if (!validator().Check(value)) throw explain(validator().Errors(value))
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

const missing = (name: string): BadRequest => new BadRequest(`param is missing or the value is empty: ${name}`)

function explain(errors: TLocalizedValidationError[]): BadRequest | Invalid {
  for (const error of errors) {
    if (error.keyword !== 'required') continue
    const [outer, ...inner] = [...segments(error.instancePath), error.params.requiredProperties[0] ?? '']
    return missing(`${outer}${inner.map((name) => `[${name}]`).join('')}`)
  }
  const messages = new Map<string, string>()
  for (const error of errors) {
    // A union reports each of its variants, and then itself; null is never the variant that was meant.
    const isNullVariant = error.keyword === 'type' && error.params.type === 'null'
    if (error.keyword === 'anyOf' || isNullVariant || messages.has(error.instancePath)) continue
    messages.set(error.instancePath, `${label(error.instancePath)} ${problem(error)}`)
  }
  return new Invalid(`Validation failed: ${[...new Set(messages.values())].join(', ') || 'Parameters are invalid'}`)
}

/** `/fields_attributes/0/name` in words: "Fields name". */
function label(path: string): string {
  const words = segments(path)
    .filter((segment) => !/^\d+$/.test(segment))
    .map((segment) => segment.replace(/_(attributes|ids?)$/, '').replaceAll('_', ' '))
    .join(' ')
  return words === '' ? 'Body' : words.charAt(0).toUpperCase() + words.slice(1)
}

const segments = (path: string): string[] =>
  path
    .split('/')
    .slice(1)
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'))

function problem(error: TLocalizedValidationError): string {
  switch (error.keyword) {
    case 'maxLength':
      return `is too long (maximum is ${error.params.limit} characters)`
    case 'minLength':
      return `is too short (minimum is ${error.params.limit} characters)`
    case 'maxItems':
      return `has too many entries (maximum is ${error.params.limit})`
    case 'minItems':
      return `has too few entries (minimum is ${error.params.limit})`
    case 'minimum':
      return `must be greater than or equal to ${error.params.limit}`
    case 'maximum':
      return `must be less than or equal to ${error.params.limit}`
    case 'enum':
    case 'const':
      return 'is not included in the list'
    case 'type':
      return error.params.type === 'integer' || error.params.type === 'number' ? 'is not a number' : 'is invalid'
    default:
      return 'is invalid'
  }
}
