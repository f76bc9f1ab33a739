/**
 * Nested fragments are spliced in, so that statements can share conditions: sql`select * from statuses where
 * ${visibleTo(viewer)} limit ${20}`
 */
export type Sql = {
  readonly strings: readonly string[]
  readonly values: readonly unknown[]
  /** See the function of this name. */
  readonly plannedByValue?: true
}

const isSql = (value: unknown): value is Sql =>
  typeof value === 'object' &&
  value !== null &&
  Array.isArray((value as Sql).strings) &&
  Array.isArray((value as Sql).values)

/** Everything interpolated becomes a parameter, except nested `sql` fragments. */
export function sql(strings: TemplateStringsArray, ...inputs: unknown[]): Sql {
  const texts = [strings[0] as string]
  const values: unknown[] = []
  let isPlannedByValue = false
  inputs.forEach((input, i) => {
    const after = strings[i + 1] as string
    if (isSql(input)) {
      texts[texts.length - 1] += input.strings[0] as string
      texts.push(...input.strings.slice(1))
      values.push(...input.values)
      isPlannedByValue ||= input.plannedByValue === true
      texts[texts.length - 1] += after
    } else {
      texts.push(after)
      values.push(input)
    }
  })
  return isPlannedByValue ? { strings: texts, values, plannedByValue: true } : { strings: texts, values }
}

export const nothing: Sql = sql``

/**
 * A new id for a row, of the form that `newId` in lib/ids.ts describes, for statements that insert several. `next`: the next
 * value of a sequence.
 */
export const newSnowflake = (next: Sql): Sql =>
  sql`(floor(extract(epoch from clock_timestamp()) * 1000)::bigint << 16) | (${next} & 65535)`

/** The date in UTC. */
export const today: Sql = sql`(now() at time zone 'utc')::date`

/** Joins with `and`; `true` for an empty list. */
export function allOf(parts: readonly (Sql | false | null | undefined)[]): Sql {
  const given = parts.filter((part): part is Sql => Boolean(part))
  const [first, ...rest] = given
  if (!first) return sql`true`
  return rest.reduce((joined, part) => sql`${joined} and ${part}`, first)
}

/** Joins with `or`; `false` for an empty list. */
export function anyOf(parts: readonly (Sql | false)[]): Sql {
  const [first, ...rest] = parts.filter((part) => part !== false)
  if (!first) return sql`false`
  return sql`(${rest.reduce((joined, part) => sql`${joined} or ${part}`, first)})`
}

/** Leaves out `false`. */
export function commaList(parts: readonly (Sql | false)[]): Sql {
  const [first, ...rest] = parts.filter((part) => part !== false)
  if (!first) return nothing
  return rest.reduce((joined, part) => sql`${joined}, ${part}`, first)
}

/**
 * Lets PostgreSQL plan a statement for its values, which is faster for a search. Other statements are planned once for any
 * values, which suits look-ups by key. Has no effect inside a transaction.
 */
export function plannedByValue(statement: Sql): Sql {
  return { ...statement, plannedByValue: true }
}

const COMMON_COUNTS = new Set([1, 20, 40, 80, 100, 160, 200, 400, 800])

/**
 * A number of rows, on which the plan depends. Common numbers become part of the text. A statement with another number is
 * planned by value, since a text for every number would fill the server's memory with plans.
 */
export function count(n: number): Sql {
  return COMMON_COUNTS.has(n)
    ? { strings: [String(n)], values: [] }
    : { strings: ['', ''], values: [n], plannedByValue: true }
}

/** Becomes part of the text: only for constants in the code. Throws for other text than an identifier. */
export function name(identifier: string): Sql {
  if (!/^[a-z_][a-z0-9_.]*$/.test(identifier)) throw new Error(`not an identifier: ${identifier}`)
  return { strings: [identifier], values: [] }
}

/**
 * For `from`: the foreign keys that refer to a table, from PostgreSQL's catalog, as constraint `c` and column `a`. Ends with
 * conditions, so that others can follow. A partition's own keys are left out: those of its table stand for them.
 */
export const foreignKeysTo = (table: 'accounts' | 'statuses'): Sql => sql`
  pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
  where c.contype = 'f' and c.confrelid = ${table}::regclass and c.conparentid = 0`

/** For patterns of `like`: the text stands for itself. */
export const escapeLike = (text: string): string => text.replace(/[\\%_]/g, '\\$&')

export function statementText(statement: Sql): string {
  let text = statement.strings[0] as string
  for (let i = 1; i < statement.strings.length; i++) text += `$${i}${statement.strings[i]}`
  return text
}
