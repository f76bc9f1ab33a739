// Checks values against schemas. The first check loads the library: its 240 modules are a tenth of those that a start would load.
import type { TSchema } from 'typebox'
import type { TLocalizedValidationError } from 'typebox/error'
import type * as schemas from 'typebox/schema'
import { lazyRequire } from '../lib/lazy-require.ts'

export type Validator = { check(value: unknown): boolean; errors(value: unknown): TLocalizedValidationError[] }

const library = lazyRequire<typeof schemas>('typebox/schema')

/** Takes up to some milliseconds; the checks are fast. */
export function compileSchema(schema: TSchema): Validator {
  const compiled = library().Compile(schema)
  return { check: (value) => compiled.Check(value), errors: (value) => compiled.Errors(value)[1] }
}

/** A single check, without compiling. */
export const fits = (schema: TSchema, value: unknown): boolean => library().Check(schema, value)
