import type { Context } from '../../context.ts'
import { allOf, foreignKeysTo, name, sql, type Sql } from '../../db/sql.ts'

type Reference = { table: string; column: string }

/**
 * Whether no row refers to `id` of the table, apart from rows of the tables in `own`. The foreign keys come from PostgreSQL's
 * catalog, so that a new table keeps what it refers to.
 */
export async function isUnreferenced(
  ctx: Context,
  table: 'accounts' | 'statuses',
  id: Sql,
  own: readonly string[],
): Promise<Sql> {
  const references = await ctx.db.many<Reference>(sql`
    select c.conrelid::regclass::text as "table", a.attname::text as "column"
    from ${foreignKeysTo(table)} and c.conrelid::regclass::text <> all(${own}::text[])
    order by 1, 2`)
  return allOf(
    references.map(
      (reference) => sql`not exists (select from ${name(reference.table)} r where r.${name(reference.column)} = ${id})`,
    ),
  )
}
