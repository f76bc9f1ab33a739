import type { TSchema } from 'typebox'
import { BadRequest } from '../lib/errors.ts'
import { message } from '../messages/message.ts'
import { clampId } from '../lib/ids.ts'
import { isUpload } from './multipart.ts'
import { fits } from './validator.ts'

/** The pattern that marks a string as an int8 key in decimal: see `IdParam` in params.ts. */
export const ID_PATTERN = '^[0-9]{1,19}$'
const INT4 = 2 ** 31 - 1
/** In characters. */
const MAX_NUMBER_LENGTH = 400

type Keywords = {
  type?: string
  enum?: unknown[]
  const?: unknown
  anyOf?: TSchema[]
  oneOf?: TSchema[]
  allOf?: TSchema[]
  items?: TSchema
  properties?: Record<string, TSchema>
  patternProperties?: Record<string, TSchema>
  additionalProperties?: TSchema | boolean
  pattern?: string
  format?: string
  minLength?: number
  minimum?: number
  maximum?: number
  default?: unknown
  lenient?: boolean
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !isUpload(value)

/**
 * The input of a request in the shape of `schema`: `"1"` becomes 1, `"off"` false, `{"0": …}` an array, and a scalar an array of
 * scalars. Names that the schema does not have are left out. `undefined` means absent, and so do null and "" where they have no
 * meaning, and scalars in place of objects. Values that cannot be converted stay as they are, and fail validation.
 */
export function coerce(schema: TSchema, input: unknown): unknown {
  const rule = schema as Keywords
  const value = convert(rule, input)
  return value === undefined ? structuredClone(rule.default) : value
}

function convert(rule: Keywords, input: unknown): unknown {
  if (input === undefined) return undefined
  const variants = rule.anyOf ?? rule.oneOf
  if (variants) return toUnion(variants, input)
  if (rule.allOf) return toIntersection(rule.allOf, input)
  if (rule.enum || rule.const !== undefined) return toChoice(rule.enum ?? [rule.const], input)
  if (input === null && rule.type !== undefined) return rule.type === 'null' ? null : undefined
  switch (rule.type) {
    case 'string':
      return toText(rule, input)
    case 'integer':
    case 'number':
      return toNumber(rule, input)
    case 'boolean':
      return toBoolean(input)
    case 'array':
      return toArray(rule.items ?? {}, input)
    case 'object':
      return toObject(rule, input)
    default:
      return input === null || input === '' ? undefined : cleanValue(input)
  }
}

/** The first variant that fits once converted. Where null is one of them, it also stands for an empty value. */
function toUnion(variants: TSchema[], input: unknown): unknown {
  const nullable = variants.some((variant) => (variant as Keywords).type === 'null')
  const others = variants.filter((variant) => (variant as Keywords).type !== 'null')
  if (input === null && nullable) return null
  const values = others.map((variant) => coerce(variant, input))
  for (const [i, value] of values.entries()) if (value !== undefined && fits(others[i] as TSchema, value)) return value
  // An empty text clears a value, but no list or object: clients send it for fields that the user did not touch.
  const isCleared = nullable && input === '' && !others.some((variant) => isComposite(variant))
  if (isCleared && values.every((value) => value === undefined)) return null
  return values.find((value) => value !== undefined)
}

function toIntersection(parts: TSchema[], input: unknown): unknown {
  const values = parts.map((part) => coerce(part, input))
  if (values.every(isObject)) return Object.assign({}, ...values) as unknown
  return values.find((value) => value !== undefined)
}

function toChoice(choices: unknown[], input: unknown): unknown {
  if (choices.includes(input)) return input
  if (input === null || input === '') return undefined
  const text = isScalar(input) ? String(input) : null
  return choices.find((choice) => text !== null && choice !== null && String(choice) === text) ?? cleanValue(input)
}

function toText(rule: Keywords, input: unknown): unknown {
  if (!isScalar(input)) return input
  const text = cleanText(String(input))
  if (rule.pattern === ID_PATTERN) return toId(text.trim())
  const emptyIsAbsent = rule.pattern !== undefined || rule.format !== undefined || (rule.minLength ?? 0) > 0
  return text === '' && emptyIsAbsent ? undefined : text
}

/** An invalid id becomes one that no row has, so that every endpoint answers "not found" in its own way. */
function toId(text: string): string | undefined {
  return text === '' ? undefined : (clampId(text) ?? '0')
}

function toNumber(rule: Keywords, input: unknown): unknown {
  if (input === '') return undefined
  const text = typeof input === 'string' ? input.trim() : input
  // Matching a very long text against the pattern would be slow.
  if (typeof text === 'string' && text.length > MAX_NUMBER_LENGTH) return rule.lenient ? undefined : input
  const isStrict = rule.type === 'integer' && !rule.lenient
  const pattern = isStrict ? /^[+-]?\d+(\.\d+)?$/ : /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i
  let value = typeof text === 'string' && pattern.test(text) ? Number(text) : text
  // As Mastodon does: some clients send durations with a fraction.
  if (rule.type === 'integer' && typeof value === 'number') value = Math.trunc(value)
  if (rule.lenient) {
    if (typeof value !== 'number' || Number.isNaN(value)) return undefined
    return Math.min(Math.max(value as number, rule.minimum ?? -INT4), rule.maximum ?? INT4)
  }
  return typeof value === 'number' && isOutOfRange(rule, value) ? String(input) : value
}

/** Integers fit int4 columns, unless the schema has a `maximum`, which the validation checks. */
function isOutOfRange(rule: Keywords, value: number): boolean {
  if (rule.type === 'number') return !Number.isFinite(value)
  return (rule.maximum === undefined && value > INT4) || (rule.minimum === undefined && value < -INT4)
}

function toBoolean(input: unknown): unknown {
  if (input === '') return undefined
  if (!isScalar(input) || typeof input === 'boolean') return input
  return isTrue(String(input))
}

/** Whether a text that stands for a boolean, in a request of any kind, means true. An empty one does not. */
export const isTrue = (text: string): boolean => text !== '' && !/^(false|f|off|0)$/i.test(text)

/** Texts that client libraries send for a missing list. */
const NO_LIST: ReadonlySet<unknown> = new Set(['', 'undefined', 'null'])

function toArray(items: TSchema, input: unknown): unknown {
  if (NO_LIST.has(input)) return undefined
  const list = listOf(input)
  const values = list.map((item) => coerce(items, item)).filter((item) => item !== undefined && item !== null)
  // Scalars are no list of objects, not even an empty one, which would delete all entries. Forms send an empty list as `name[]=`.
  const isNoList = isComposite(items) && values.length === 0 && list.some((item) => item !== '')
  return isNoList ? undefined : values
}

function isComposite(schema: TSchema): boolean {
  const { type, allOf = [] } = schema as Keywords
  return type === 'array' || type === 'object' || allOf.some(isComposite)
}

/** `["a"]`, `{"0": "a"}` and `"a"` are lists. */
function listOf(input: unknown): unknown[] {
  if (Array.isArray(input)) return input
  if (!isObject(input)) return [input]
  const keys = Object.keys(input)
  if (!keys.every((key) => /^\d{1,9}$/.test(key))) return [input]
  return keys.toSorted((a, b) => Number(a) - Number(b)).map((key) => input[key])
}

function toObject(rule: Keywords, sent: unknown): unknown {
  if (isScalar(sent)) return undefined
  // PHP encodes an empty object as an empty list.
  const input = Array.isArray(sent) && sent.length === 0 ? {} : sent
  if (!isObject(input)) return input
  const out: Record<string, unknown> = {}
  for (const [key, schema] of Object.entries(rule.properties ?? {})) {
    const value = coerce(schema, Object.hasOwn(input, key) ? input[key] : undefined)
    if (value !== undefined) out[key] = value
  }
  const rest = Object.values(rule.patternProperties ?? {})[0] ?? rule.additionalProperties
  if (!rest) return out
  for (const [key, item] of Object.entries(input)) {
    if (rule.properties && Object.hasOwn(rule.properties, key)) continue
    const value = rest === true ? cleanValue(item) : coerce(rest, item)
    if (value !== undefined) out[cleanText(key)] = value
  }
  return out
}

/** A value without a schema, with texts that the database accepts. */
function cleanValue(input: unknown): unknown {
  if (typeof input === 'string') return cleanText(input)
  if (Array.isArray(input)) return input.map(cleanValue)
  return isObject(input)
    ? Object.fromEntries(Object.entries(input).map(([key, item]) => [cleanText(key), cleanValue(item)]))
    : input
}

const isScalar = (value: unknown): value is string | number | boolean =>
  ['string', 'number', 'boolean'].includes(typeof value)

/** A lone surrogate has no UTF-8. Throws BadRequest for NUL, which PostgreSQL refuses. */
function cleanText(text: string): string {
  if (text.includes('\0')) throw new BadRequest(message('parameters_nul'))
  return text.toWellFormed()
}
