import type pg from 'pg'
import { StartError } from '../lib/errors.ts'
import type { Database } from './database.ts'

/** The major version of PostgreSQL in Debian 12. Statements use nothing newer. */
const OLDEST_VERSION = 15

type Facts = {
  version: number
  encoding: string
  is_standby: boolean
  folds_case: boolean
  may_create: boolean
  shares_sessions: boolean
}

/** Throws StartError when this database cannot be Rookery's. */
export async function checkRequirements(database: Database): Promise<void> {
  // 201 is É, 233 is é. The first start creates an extension and a schema, which needs a right to the database.
  const { rows } = await database.raw(`
    select current_setting('server_version_num')::int / 10000 as version, pg_encoding_to_char(encoding) as encoding,
      pg_is_in_recovery() as is_standby,
      ascii(lower(chr(case pg_encoding_to_char(encoding) when 'UTF8' then 201 else 65 end))) = 233 as folds_case,
      coalesce(has_schema_privilege(current_schema(), 'create'), false)
        and (to_regnamespace('pgboss') is not null or has_database_privilege(datname, 'create')) as may_create
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
  const { version, encoding, is_standby, folds_case, may_create, shares_sessions } = facts
  if (version < OLDEST_VERSION)
    return `Rookery needs PostgreSQL ${OLDEST_VERSION} or newer, and DATABASE_URL leads to PostgreSQL ${version}.`
  if (encoding !== 'UTF8' || !folds_case)
    return (
      `The database of DATABASE_URL has the ${encoding === 'UTF8' ? 'locale C, which knows only ASCII letters' : `encoding ${encoding}`}. ` +
      `Create one with: create database rookery encoding 'UTF8' locale 'C.UTF-8' template template0`
    )
  if (shares_sessions)
    return (
      'DATABASE_URL leads to a connection pooler that shares sessions, and Rookery needs its own. ' +
      'Set pool_mode = session in PgBouncer, or use the address of PostgreSQL.'
    )
  if (is_standby)
    return 'DATABASE_URL leads to a standby, which only reads. Promote it, or set the address of the primary.'
  if (!may_create)
    return 'The user of DATABASE_URL may not create tables and extensions. Make it the owner: alter database rookery owner to USER'
  return null
}
