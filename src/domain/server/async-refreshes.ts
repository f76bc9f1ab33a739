import type { Context } from '../../context.ts'
import { sql, type Sql } from '../../db/sql.ts'
import { getSecrets, seal, unseal } from './secrets.ts'

/** Work that a request has set off and does not wait for. `result_count`: what it found so far, where it looks for things. */
export type AsyncRefresh = { key: string; status: 'running' | 'finished'; result_count: number | null }

/** What has not ended by then never will: the process that did it is gone. */
const LONGEST: Sql = sql`interval '15 minutes'`
const isRunning: Sql = sql`(r.finished_at is null and r.started_at > now() - ${LONGEST})`

/**
 * Notes that some work begins, unless it is under way, or was begun less than `restSeconds` ago: then false, and it is not to be
 * done. With `counts`, its results are counted. Call it in the transaction that enqueues the work.
 */
export async function beginRefresh(
  tx: Context,
  key: string,
  { counts = false, restSeconds = 0 }: { counts?: boolean; restSeconds?: number } = {},
): Promise<boolean> {
  const begun = await tx.db.run(sql`
    insert into async_refreshes as r (key, result_count) values (${key}, ${counts ? 0 : null}::int)
    on conflict (key) do update set started_at = now(), finished_at = null, result_count = excluded.result_count
    where not ${isRunning} and r.started_at <= now() - make_interval(secs => ${restSeconds}::int)`)
  return begun > 0
}

/** Notes that it has found more. */
export async function countResults(ctx: Context, key: string, more: number): Promise<void> {
  await ctx.db.run(sql`update async_refreshes set result_count = result_count + ${more}::int where key = ${key}`)
}

/** Notes that it is done, well or not. */
export async function finishRefresh(ctx: Context, key: string): Promise<void> {
  await ctx.db.run(sql`update async_refreshes set finished_at = now() where key = ${key} and finished_at is null`)
}

/** How some work stands; null when it was not begun lately. */
const findRefresh = (ctx: Context, key: string): Promise<AsyncRefresh | null> =>
  ctx.db.maybe<AsyncRefresh>(sql`
    select key, case when ${isRunning} then 'running' else 'finished' end as status, result_count
    from async_refreshes r where key = ${key}`)

/** As findRefresh, while it is under way. */
export async function findRunningRefresh(ctx: Context, key: string): Promise<AsyncRefresh | null> {
  const refresh = await findRefresh(ctx, key)
  return refresh?.status === 'running' ? refresh : null
}

const PURPOSE = 'async refresh'

/** The name by which one account may ask after some work. It says nothing to others, and is of no use to them. */
export async function refreshIdFor(ctx: Context, accountId: string, key: string): Promise<string> {
  const { tokenKey } = await getSecrets(ctx)
  return seal(tokenKey, JSON.stringify([PURPOSE, accountId, key])).toString('base64url')
}

/** The work that this account knows by such a name; null for any other name. */
export async function findRefreshFor(ctx: Context, accountId: string, id: string): Promise<AsyncRefresh | null> {
  const { tokenKey } = await getSecrets(ctx)
  const [purpose, owner, key] = opened(tokenKey, id)
  return purpose === PURPOSE && owner === accountId && key !== undefined ? findRefresh(ctx, key) : null
}

function opened(tokenKey: Buffer, id: string): string[] {
  try {
    return JSON.parse(unseal(tokenKey, Buffer.from(id, 'base64url'))) as string[]
  } catch {
    return []
  }
}
