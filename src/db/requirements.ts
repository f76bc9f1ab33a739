import type pg from 'pg'
import { StartError } from '../lib/errors.ts'
import type { Database } from './database.ts'

/** The major version of PostgreSQL in Debian 12. Statements use nothing newer. */
const OLDEST_VERSION = 15

type Facts = {
  version: number
  encoding: string
  is_standby: boolean
  is_read_only: boolean
  /** What the locale makes of É and I: `é` and `i` are right. */
  folded: string
  has_schema: boolean
  has_other_tables: boolean
  may_create: boolean
  trigrams: 'found' | 'elsewhere' | 'missing'
  shares_sessions: boolean
}

/** Throws StartError when this database cannot be Rookery's. */
export async function checkRequirements(database: Database): Promise<void> {
  // 201 is É, which other encodings lack. The first start creates an extension and a schema, which needs a right to the database.
  const { rows } = await database.raw(`
    select current_setting('server_version_num')::int / 10000 as version, pg_encoding_to_char(encoding) as encoding,
      pg_is_in_recovery() as is_standby, current_setting('transaction_read_only')::bool as is_read_only,
      case pg_encoding_to_char(encoding) when 'UTF8' then lower(chr(201) || 'I') else '' end as folded,
      current_schema() is not null as has_schema,
      exists (select from pg_class where relnamespace = to_regnamespace(quote_ident(current_schema()))
          and relname in ('accounts', 'schema_migrations', 'settings', 'statuses', 'tags', 'users'))
        and not exists (select from pg_attribute where attrelid = to_regclass('schema_migrations') and attname = 'checksum') as has_other_tables,
      coalesce(has_schema_privilege(current_schema(), 'create'), false)
        and (to_regnamespace('pgboss') is not null or has_database_privilege(datname, 'create')) as may_create,
      coalesce((select case when n.nspname = any(current_schemas(true)) then 'found' else 'elsewhere' end
          from pg_extension e join pg_namespace n on n.oid = e.extnamespace where e.extname = 'pg_trgm'),
        (select 'found' from pg_available_extensions where name = 'pg_trgm'), 'missing') as trigrams
    from pg_database where datname = current_database()`)
  const problem = problemWith({ ...rows[0], shares_sessions: await sharesSessions(database) } as Facts)
  if (problem !== null) throw new StartError(problem)
}

/**
 * Whether a pooler lends each connection a session for one transaction only: two idle connections have the same one, or one
 * connection has two. Prepared statements, LISTEN, advisory locks and settings need a session of their own.
 */
async function sharesSessions(database: Database): Promise<boolean> {
  const idOf = async (client: pg.Client): Promise<number> =>
    (await client.query<{ id: number }>('select pg_backend_pid() as id')).rows[0]?.id as number
  const first = await database.dedicated()
  try {
    const id = await idOf(first)
    const second = await database.dedicated()
    const other = await idOf(second).finally(() => second.end())
    return id === other || id !== (await idOf(first))
  } finally {
    await first.end()
  }
}

export function problemWith(facts: Facts): string | null {
  const { version, encoding, folded, shares_sessions, is_standby, is_read_only, has_schema, may_create } = facts
  if (version < OLDEST_VERSION)
    return `Rookery needs PostgreSQL ${OLDEST_VERSION} or newer, and DATABASE_URL leads to PostgreSQL ${version}.`
  if (encoding !== 'UTF8' || folded !== 'éi')
    return (
      `The database of DATABASE_URL has ${encoding === 'UTF8' ? localeWith(folded) : `the encoding ${encoding}`}. ` +
      `Create one with: create database rookery encoding 'UTF8' locale 'C.UTF-8' template template0`
    )
  if (shares_sessions)
    return (
      'DATABASE_URL leads to a connection pooler that shares sessions, and Rookery needs its own. ' +
      'Set pool_mode = session in PgBouncer, or use the address of PostgreSQL.'
    )
  if (is_standby)
    return 'DATABASE_URL leads to a standby, which only reads. Promote it, or set the address of the primary.'
  if (is_read_only)
    return 'The database of DATABASE_URL only reads. Turn default_transaction_read_only off: alter database rookery reset default_transaction_read_only'
  if (!has_schema)
    return 'No schema of the search_path exists, or the user may not use it: alter database rookery reset search_path'
  if (!may_create)
    return 'The user of DATABASE_URL may not create tables and extensions. Make it the owner: alter database rookery owner to USER'
  return problemWithContent(facts)
}

const localeWith = (folded: string): string =>
  folded.startsWith('É')
    ? 'the locale C, which knows only ASCII letters'
    : 'a locale in which I is not the capital of i'

function problemWithContent({ has_other_tables, trigrams }: Facts): string | null {
  if (has_other_tables)
    return 'The database of DATABASE_URL has tables of another program. Create one for Rookery alone: create database rookery'
  if (trigrams === 'elsewhere')
    return 'The extension pg_trgm is in a schema that the search_path does not name. Move it: alter extension pg_trgm set schema public'
  if (trigrams === 'missing')
    return 'This PostgreSQL lacks the extension pg_trgm. Install its package of extensions, such as postgresql-contrib.'
  return null
}
