// Which tables a backup contains, read from the catalogue of the database: a new table needs no line here.
import type pg from 'pg'

/** `columns` leaves out those that PostgreSQL computes. */
export type TableShape = { name: string; columns: string[] }

/** Jobs that have yet to run, such as scheduled posts, deliveries and mails. */
export const JOBS = 'pgboss.job'

/** Queues belong to the library that runs them: of a job, only what it is and when it runs is kept. */
const JOB_COLUMNS = [
  'id',
  'name',
  'priority',
  'data',
  'state',
  'retry_limit',
  'retry_count',
  'retry_delay',
  'retry_backoff',
  'retry_delay_max',
  'expire_seconds',
  'deletion_seconds',
  'singleton_key',
  'group_id',
  'start_after',
  'created_on',
  'keep_until',
  'policy',
  'heartbeat_seconds',
]

/** An archive names the columns of its jobs, which become part of statements. */
export const isJobsShape = ({ name, columns }: TableShape): boolean =>
  name === JOBS && columns.every((column) => JOB_COLUMNS.includes(column))

const quoted = (columns: readonly string[]): string => columns.map((column) => `"${column}"`).join(', ')

/**
 * All permanent tables in the schema `public`. Unlogged tables are derived or short-lived: PostgreSQL empties them after a crash
 * too.
 */
export async function listTables(client: pg.Client): Promise<TableShape[]> {
  const { rows } = await client.query<TableShape>(`
    select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and c.relpersistence = 'p' and not c.relispartition
      and not exists (
        select from pg_partition_tree(c.oid) leaf join pg_class part on part.oid = leaf.relid
        where leaf.isleaf and part.relpersistence = 'u')
    group by c.oid, c.relname order by c.relname`)
  return rows
}

/** Null before the queue's tables exist. Waiting jobs only; one that runs now runs again after a restore. */
export async function jobsShape(client: pg.Client): Promise<TableShape | null> {
  const { rows } = await client.query(`select to_regclass('pgboss.job') is not null as exists`)
  return rows[0].exists ? { name: JOBS, columns: JOB_COLUMNS } : null
}

export function copyOutStatement({ name, columns }: TableShape): string {
  if (name !== JOBS) return `copy (select ${quoted(columns)} from public."${name}") to stdout`
  const values = columns.map((column) => {
    if (column === 'state') return `case state when 'created' then 'created' else 'retry' end`
    return column === 'start_after' ? `case state when 'active' then now() else start_after end` : `"${column}"`
  })
  return `copy (select ${values.join(', ')} from pgboss.job where state < 'completed' and name not like '\\_\\_%') to stdout`
}

const WAITING = 'waiting_job'

export const copyInStatement = ({ name, columns }: TableShape): string =>
  `copy ${name === JOBS ? WAITING : `public."${name}"`} (${quoted(columns)}) from stdin`

export const prepareJobs = (client: pg.Client): Promise<unknown> =>
  client.query(
    `create temporary table ${WAITING} (like pgboss.job including defaults) on commit drop; delete from pgboss.job`,
  )

/** Kinds that this version does not know any more are left out. */
export const moveJobs = ({ columns }: TableShape): string => `
  insert into pgboss.job (${quoted(columns)})
  select ${columns.map((column) => `waiting."${column}"`).join(', ')} from ${WAITING} waiting join pgboss.queue using (name)
  on conflict do nothing`

/** A restore drops foreign keys first and adds them last, which checks the rows, and so needs no order among tables. */
export async function dropForeignKeys(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ drop: string; add: string }>(`
    select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
      format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as add
    from pg_constraint where contype = 'f' and conparentid = 0 and connamespace = 'public'::regnamespace`)
  if (rows.length > 0) await client.query(rows.map(({ drop }) => drop).join(';'))
  return rows.map(({ add }) => add)
}

/** Removes what this server's migrations made, but no extensions. */
export const dropEverything = (client: pg.Client): Promise<unknown> =>
  client.query(`
    do $$
    declare object record;
    begin
      for object in
        select format('drop table if exists %s cascade', c.oid::regclass) as statement from pg_class c
        where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
          and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
        union all
        select format('drop sequence if exists %s cascade', c.oid::regclass) from pg_class c
        where c.relnamespace = 'public'::regnamespace and c.relkind = 'S'
          and not exists (select from pg_depend d where d.objid = c.oid and d.deptype in ('e', 'i', 'a'))
        union all
        select format('drop type if exists %s cascade', t.oid::regtype) from pg_type t
        where t.typnamespace = 'public'::regnamespace and t.typtype = 'e'
          and not exists (select from pg_depend d where d.objid = t.oid and d.deptype = 'e')
        union all
        select format('drop routine if exists %s cascade', p.oid::regprocedure) from pg_proc p
        where p.pronamespace = 'public'::regnamespace
          and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
      loop
        execute object.statement;
      end loop;
    end $$`)

/** Without those that were never used. */
export async function readSequences(client: pg.Client): Promise<{ name: string; value: string }[]> {
  const { rows } = await client.query(`
    select sequencename as name, last_value as value from pg_sequences where schemaname = 'public' and last_value is not null
    order by 1`)
  return rows
}

export const setSequence = (client: pg.Client, name: string, value: string): Promise<unknown> =>
  client.query(`select setval(format('public.%I', $1::text)::regclass, $2::bigint)`, [name, value])
