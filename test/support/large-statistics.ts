import { truncateSync } from 'node:fs'
import { join } from 'node:path'
import type { Database } from '../../src/db/database.ts'

const ROWS = 10_000_000
const ROWS_PER_PAGE = 80
const PAGE = 8192

/** Tables that grow with administrators, not with accounts or posts. */
const SMALL_ROWS = 100

/**
 * Lets PostgreSQL plan as if each table held ten million rows, without rows. Its planner reads the length of the files, so they
 * become long and sparse, with statistics to match. Only `explain` may use the database afterwards, and autovacuum must be off.
 */
export async function pretendRows(database: Database, small: readonly string[]): Promise<void> {
  const { rows } = await database.raw(
    `select current_setting('data_directory') as folder, pg_relation_filepath(c.oid) as file, c.relname as name,
       coalesce(t.relname, c.relname) as relation, pg_relation_size(c.oid)::int as size
     from pg_class c left join pg_index i on i.indexrelid = c.oid left join pg_class t on t.oid = i.indrelid
     where c.relkind in ('r', 'i') and c.relnamespace = 'public'::regnamespace`,
  )
  for (const { folder, file, relation, size } of rows as {
    folder: string
    file: string
    relation: string
    size: number
  }[])
    if (!small.includes(relation)) truncateSync(join(folder, file), Math.max(size, (ROWS / ROWS_PER_PAGE) * PAGE))
  await database.raw(
    `select count(pg_restore_relation_stats('schemaname', 'public', 'relname', c.relname::text,
       'relpages', case when large then $1::int / $2::int else 1 end, 'reltuples', case when large then $1 else $3::int end::real,
       'relallvisible', case when large then $1::int / $2::int else 1 end))
     from (
       select c.relname, coalesce(t.relname, c.relname) <> all($4::name[]) as large
       from pg_class c left join pg_index i on i.indexrelid = c.oid left join pg_class t on t.oid = i.indrelid
       where c.relkind in ('r', 'i') and c.relnamespace = 'public'::regnamespace
     ) c`,
    [ROWS, ROWS_PER_PAGE, SMALL_ROWS, small],
  )
  await database.raw(COLUMNS)
}

/**
 * Columns as they usually are: few rows have an optional value, and twenty share a reference. Times are of the last hour, or of the
 * next weeks where they say when something ends, so that clean-up finds few rows.
 */
const COLUMNS = `
  select count(pg_restore_attribute_stats(
    'schemaname', 'public', 'relname', relation, 'attname', attribute, 'inherited', false, 'avg_width', 16,
    'null_frac', nulls, 'n_distinct', case when values is not null then cardinality(values) else distinct_values end::real,
    'most_common_vals', values::text,
    'most_common_freqs', case when values is not null then
      array(select case when i = 1 then 0.999 else 0.001 / (cardinality(values) - 1) end * (1 - nulls) from generate_subscripts(values, 1) i)::real[] end,
    'histogram_bounds', case when type = 'date'::regtype then
      array(select current_date + i from generate_series(0, 60) i)::text
    when type = 'timestamptz'::regtype then
      array(select now() + i * case when future then interval '1 day' else interval '-1 minute' end from generate_series(0, 60) i order by 1)::text end,
    'correlation', case when type in ('timestamptz'::regtype, 'int8'::regtype) then 0.5::real end))
  from (
    select c.relname::text as relation, a.attname::text as attribute, a.atttypid as type,
      case when a.attnotnull or c.relname = 'accounts' and a.attname in ('domain', 'uri', 'url') then 0.0 else 0.9 end::real as nulls,
      case
        when a.atttypid = 'bool'::regtype then case when pg_get_expr(d.adbin, d.adrelid) = 'true' then '{t,f}' else '{f,t}' end::text[]
        when exists (select from pg_enum e where e.enumtypid = a.atttypid)
          then array(select e.enumlabel::text from pg_enum e where e.enumtypid = a.atttypid order by e.enumsortorder)
      end as values,
      case when a.attname ~ '(_id|domain|host|ip)$' then -0.05 when a.attname ~ '(type|state|kind|status|locale|language)$' then 10
        else -1 end::real as distinct_values,
      a.attname ~ '(expires|purge|retry|due|scheduled|next|ends)' as future
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
    where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace
  ) a`
