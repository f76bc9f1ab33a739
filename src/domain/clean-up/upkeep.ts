// Repairs that administrators start: counters, indexes, stored translations.
import type { Context } from '../../context.ts'
import { mapDatabaseError } from '../../db/connection-loss.ts'
import type { Database } from '../../db/database.ts'
import { sql, type Sql } from '../../db/sql.ts'
import { isPublicOrUnlistedSql } from '../statuses/visibility.ts'

const BATCH = 500

/** `next`: the id after which the next call continues. `looked`: rows that were checked; `wrong`: rows that were corrected. */
export type Recounted = { next: string | null; looked: number; wrong: number }

/** Only local accounts: the counters of a remote account come from its server. */
export async function recountAccounts(ctx: Context, after: string): Promise<Recounted> {
  const ids = await nextIds(
    ctx,
    sql`select id from accounts where domain is null and id > ${after} order by id limit ${BATCH}`,
  )
  const wrong = await ctx.db.run(sql`
    update account_stats t set statuses_count = c.statuses, followers_count = c.followers, following_count = c.following
    from (
      select a.id, (select count(*)::int from statuses s where s.account_id = a.id and s.visibility <> 'direct') as statuses,
        (select count(*)::int from follows f where f.target_account_id = a.id) as followers,
        (select count(*)::int from follows f where f.account_id = a.id) as following
      from unnest(${ids}::bigint[]) a (id)) c
    where t.account_id = c.id and (t.statuses_count, t.followers_count, t.following_count) is distinct from (c.statuses, c.followers, c.following)`)
  return { next: ids.at(-1) ?? null, looked: ids.length, wrong }
}

/** Only local posts. */
export async function recountStatuses(ctx: Context, after: string): Promise<Recounted> {
  const ids = await nextIds(ctx, sql`select id from statuses where local and id > ${after} order by id limit ${BATCH}`)
  const wrong = await ctx.db.run(sql`
    update status_stats t set favourites_count = c.favourites, reblogs_count = c.reblogs, replies_count = c.replies, quotes_count = c.quotes
    from (
      select s.id, (select count(*)::int from favourites f where f.status_id = s.id and f.approval is null) as favourites,
        (select count(*)::int from statuses b where b.reblog_of_id = s.id and b.approval is null) as reblogs,
        (select count(*)::int from statuses r where r.in_reply_to_id = s.id and r.approval is null and ${isPublicOrUnlistedSql(sql`r.visibility`)}) as replies,
        (select count(*)::int from quotes q where q.quoted_status_id = s.id and q.state = 'accepted') as quotes
      from unnest(${ids}::bigint[]) s (id)) c
    where t.status_id = c.id
      and (t.favourites_count, t.reblogs_count, t.replies_count, t.quotes_count) is distinct from (c.favourites, c.reblogs, c.replies, c.quotes)`)
  return { next: ids.at(-1) ?? null, looked: ids.length, wrong }
}

const nextIds = async (ctx: Context, statement: Sql): Promise<string[]> =>
  (await ctx.db.many<{ id: string }>(statement)).map(({ id }) => id)

/** Quoted names of all tables with indexes. */
export async function listIndexedTables(ctx: Context): Promise<string[]> {
  const rows = await ctx.db.many<{ name: string }>(sql`
    select distinct c.oid::regclass::text as name from pg_class c join pg_index i on i.indrelid = c.oid
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' order by 1`)
  return rows.map(({ name }) => name)
}

/**
 * Rebuilds the indexes of tables while they are in use, and deletes what an interrupted run has left. Returns false when another
 * run is at work: two would wait for each other.
 */
export async function reindexTables(
  db: Database,
  tables: readonly string[],
  onDone: (count: number) => void,
): Promise<boolean> {
  const client = await db.dedicated()
  try {
    const { rows } = await client.query<{ alone: boolean }>('select pg_try_advisory_lock($1) as alone', [REINDEX_LOCK])
    if (!rows[0]?.alone) return false
    const unfinished = await client.query<{ name: string }>(UNFINISHED_INDEXES)
    for (const { name } of unfinished.rows) await client.query(`drop index concurrently ${name}`)
    for (const [i, table] of tables.entries()) {
      await client.query(`reindex table concurrently ${table}`)
      onDone(i + 1)
    }
    return true
  } catch (error) {
    throw mapDatabaseError(error, client)
  } finally {
    await client.end().catch(() => {})
  }
}

/** An advisory lock; any constant. */
const REINDEX_LOCK = 0x7265_6978

/** Quoted names of the indexes that PostgreSQL builds, or is about to delete, during REINDEX CONCURRENTLY. */
const UNFINISHED_INDEXES = `select i.indexrelid::regclass::text as name from pg_index i join pg_class c on c.oid = i.indexrelid
  where not i.indisvalid and c.relnamespace = 'public'::regnamespace and c.relname ~ '_cc(new|old)[0-9]*$'`

/** They are made again when a user requests them. Returns how many were stored. */
export const clearTranslations = (tx: Context): Promise<number> => tx.db.run(sql`delete from status_translations`)
