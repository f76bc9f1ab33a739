import type { Context } from '../../context.ts'
import type { AsyncRefreshes } from '../../db/schema.ts'
import { sql, type Sql } from '../../db/sql.ts'
import { getSecrets, seal, unseal } from './secrets.ts'

/**
 * Background work of a request (https://docs.joinmastodon.org/entities/AsyncRefresh/). `result_count` is null where results are
 * not counted; `age` is in seconds since the start.
 */
export type AsyncRefresh = Pick<AsyncRefreshes, 'key' | 'result_count'> & {
  status: 'running' | 'finished'
  age: number
}

/** Work that has not finished by then was lost with its process. */
const MAX_DURATION: Sql = sql`interval '15 minutes'`
const isRunning: Sql = sql`(r.finished_at is null and r.started_at > now() - ${MAX_DURATION})`

/**
 * Records the start of work. False when it is running or started less than `intervalSeconds` ago: then it must not start
 * again. With `counts`, its results are counted. Call it in the transaction that enqueues the work.
 */
export async function beginRefresh(
  tx: Context,
  key: string,
  { counts = false, intervalSeconds = 0 }: { counts?: boolean; intervalSeconds?: number } = {},
): Promise<boolean> {
  const started = await tx.db.run(sql`
    insert into async_refreshes as r (key, result_count) values (${key}, ${counts ? 0 : null}::int)
    on conflict (key) do update set started_at = now(), finished_at = null, result_count = excluded.result_count
    where not ${isRunning} and r.started_at <= now() - make_interval(secs => ${intervalSeconds}::int)`)
  return started > 0
}

export async function countResults(ctx: Context, key: string, more: number): Promise<void> {
  await ctx.db.run(sql`update async_refreshes set result_count = result_count + ${more}::int where key = ${key}`)
}

export async function finishRefresh(ctx: Context, key: string): Promise<void> {
  await ctx.db.run(sql`update async_refreshes set finished_at = now() where key = ${key} and finished_at is null`)
}

export const findRefresh = (ctx: Context, key: string): Promise<AsyncRefresh | null> =>
  ctx.db.maybe<AsyncRefresh>(sql`
    select key, case when ${isRunning} then 'running' else 'finished' end as status, result_count,
      extract(epoch from now() - r.started_at)::float8 as age
    from async_refreshes r where key = ${key}`)

export async function findRunningRefresh(ctx: Context, key: string): Promise<AsyncRefresh | null> {
  const refresh = await findRefresh(ctx, key)
  return refresh?.status === 'running' ? refresh : null
}

const PURPOSE = 'async refresh'

/** Sealed, and useless to other accounts. */
export async function refreshIdFor(ctx: Context, accountId: string, key: string): Promise<string> {
  const { tokenKey } = await getSecrets(ctx)
  return seal(tokenKey, JSON.stringify([PURPOSE, accountId, key])).toString('base64url')
}

/** Null for an invalid id and for one of another account. */
export async function findRefreshFor(ctx: Context, accountId: string, id: string): Promise<AsyncRefresh | null> {
  const { tokenKey } = await getSecrets(ctx)
  const [purpose, owner, key] = openId(tokenKey, id)
  return purpose === PURPOSE && owner === accountId && key !== undefined ? findRefresh(ctx, key) : null
}

function openId(tokenKey: Buffer, id: string): string[] {
  try {
    return JSON.parse(unseal(tokenKey, Buffer.from(id, 'base64url'))) as string[]
  } catch {
    return []
  }
}
