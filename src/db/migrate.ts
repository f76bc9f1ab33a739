import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import type pg from 'pg'
import { StartError } from '../lib/errors.ts'
import { mapDatabaseError } from './connection-loss.ts'
import type { Database } from './database.ts'

const FOLDER = new URL('./migrations/', import.meta.url)
/** An advisory lock; any constant. */
const LOCK = 0x726f6f6b

const MIGRATIONS_TABLE =
  'create table if not exists schema_migrations (id text primary key, checksum text not null, applied_at timestamptz not null default now())'

/** Gives new tables the parameters that 0039_prompt_statistics.sql explains. */
const ANALYSE_NEW_TABLES = `do $$
  declare
    relation regclass;
  begin
    for relation in
      select oid from pg_class where relkind = 'r' and relnamespace = current_schema()::regnamespace
        and coalesce(array_to_string(reloptions, ','), '') not like '%autovacuum_analyze_threshold%'
    loop
      execute format('alter table %s set (autovacuum_analyze_threshold = 1, autovacuum_analyze_scale_factor = 0.1)', relation);
    end loop;
  end
  $$`

type Migration = { id: string; sql: string; checksum: string }
export type MigrationStatus = { id: string; applied_at: Date | null }

function listMigrations(): Migration[] {
  return readdirSync(FOLDER)
    .filter((file) => /^\d{4}_.+\.sql$/.test(file))
    .toSorted()
    .map((file) => {
      const text = readFileSync(new URL(file, FOLDER), 'utf8')
      return { id: file.replace(/\.sql$/, ''), sql: text, checksum: createHash('sha256').update(text).digest('hex') }
    })
}

/**
 * Applies each pending migration in a transaction, one process at a time. Returns their ids. Throws StartError when the database
 * has unknown or changed migrations.
 */
export async function migrate(db: Database): Promise<string[]> {
  const known = listMigrations()
  // Most starts find nothing to do, and need no connection of their own to wait for others.
  const { rows: tables } = await db.raw("select to_regclass('schema_migrations') is not null as exists")
  if (tables[0].exists && (await pendingOf(db.raw, known)).length === 0) return []
  const client = await db.dedicated()
  try {
    await client.query('select pg_advisory_lock($1)', [LOCK])
    await client.query(MIGRATIONS_TABLE)
    const pending = await pendingOf((text) => client.query(text), known)
    for (const migration of pending) {
      await client.query('begin')
      try {
        await apply(client, migration)
        await client.query('commit')
      } catch (error) {
        // It fails when the connection is lost, which rolls back as well.
        await client.query('rollback').catch(() => {})
        throw new StartError(`Migration ${migration.id} failed: ${(error as Error).message}. It was rolled back.`, {
          cause: error,
        })
      }
    }
    if (pending.length > 0) await client.query(ANALYSE_NEW_TABLES)
    return pending.map((migration) => migration.id)
  } catch (error) {
    throw mapDatabaseError(error, client)
  } finally {
    await client.end()
  }
}

async function apply(client: pg.Client, { id, sql, checksum }: Migration): Promise<void> {
  await client.query(sql)
  await client.query('insert into schema_migrations (id, checksum) values ($1, $2)', [id, checksum])
}

/** The migrations of this checkout, without their SQL. */
export const knownMigrations = (): Pick<Migration, 'id' | 'checksum'>[] =>
  listMigrations().map(({ id, checksum }) => ({ id, checksum }))

/** Applies exactly these migrations of this checkout to an empty database, in the transaction of `client`. */
export async function applyMigrations(client: pg.Client, migrations: readonly { id: string }[]): Promise<void> {
  await client.query(MIGRATIONS_TABLE)
  const ids = new Set(migrations.map(({ id }) => id))
  for (const migration of listMigrations()) if (ids.has(migration.id)) await apply(client, migration)
}

export async function migrationStatus(db: Database): Promise<MigrationStatus[]> {
  const { rows: tables } = await db.raw("select to_regclass('schema_migrations') is not null as exists")
  const rows = tables[0].exists ? (await db.raw('select id, applied_at from schema_migrations')).rows : []
  const applied = new Map(rows.map((row) => [row.id as string, row.applied_at as Date]))
  return listMigrations().map(({ id }) => ({ id, applied_at: applied.get(id) ?? null }))
}

/** Throws StartError when the database has unknown or changed migrations. */
async function pendingOf(
  query: (text: string) => Promise<{ rows: { id: string; checksum: string }[] }>,
  known: Migration[],
): Promise<Migration[]> {
  const { rows } = await query('select id, checksum from schema_migrations')
  const applied = new Map(rows.map((row) => [row.id, row.checksum]))
  for (const [id, checksum] of applied) {
    const own = known.find((migration) => migration.id === id)
    if (!own)
      throw new StartError(
        `The database belongs to a newer Rookery (migration ${id}). Start that version again, or restore the backup that was made before the upgrade (docs/admin/upgrade.md).`,
      )
    if (own.checksum !== checksum)
      throw new StartError(
        `Migration ${id} differs from the one that this database applied. Restore the file as it was released.`,
      )
  }
  return known.filter((migration) => !applied.has(migration.id))
}
