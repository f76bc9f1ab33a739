// A job writes a popular author's post to the feeds of all followers. Readers do not wait for it: until it has finished, the post
// is added to their pages and streams, by the same rules.
import { type Context, perServer } from '../../context.ts'
import type { Pagination } from '../../db/page.ts'
import { count, sql } from '../../db/sql.ts'
import { CoherentCache } from '../../db/coherent-cache.ts'
import { daysAgo } from '../../lib/dates.ts'
import { compareIds, idAt } from '../../lib/ids.ts'
import { broughtByFollows, repeats } from './home-rules.ts'

/** Reads add so many posts at most; further ones wait for their jobs. */
const MAX_RUNNING = 100
const KEY = 'all'

const runningIds = perServer((ctx) => new CoherentCache<string[]>(ctx.changes, ['fan-out'], { max: 1 }))

/** Call it in the transaction that enqueues the job. */
export async function startFanOut(tx: Context, statusId: string): Promise<void> {
  await tx.db.run(sql`insert into running_fan_outs (status_id) values (${statusId}) on conflict do nothing`)
}

/** Call it after the last entry is committed. */
export async function endFanOut(ctx: Context, statusId: string): Promise<void> {
  await ctx.transaction(
    async (tx) => {
      // Waits for a deletion that runs, or the withdrawal of a reply. It did not see entries that were written meanwhile; a later
      // one sees all.
      const status = await tx.db.maybe<{ shown: boolean }>(
        sql`select approval is null as shown from statuses where id = ${statusId} for key share`,
      )
      if (!status?.shown)
        await tx.db.run(sql`
          delete from home_feed e using home_feeds h where e.account_id = h.account_id and e.status_id = ${statusId}
            and not (${status !== null}::boolean and e.account_id = e.author_id)`)
      await tx.db.run(sql`delete from running_fan_outs where status_id = ${statusId}`)
    },
    { background: true },
  )
}

/** Clean-up: those of jobs that failed for good. */
export async function endAbandonedFanOuts(ctx: Context): Promise<void> {
  await ctx.db.run(sql`delete from running_fan_outs where status_id < ${idAt(daysAgo(1))}`)
}

/** The newest posts whose fan-out runs. From memory, unless one began or ended since the last call. */
export async function findRunningFanOuts(ctx: Context): Promise<readonly string[]> {
  const found = await runningIds(ctx).load(ctx, [KEY], async () => {
    const rows = await ctx.db.many<{ status_id: string }>(
      sql`select status_id from running_fan_outs order by status_id desc limit ${count(MAX_RUNNING)}`,
    )
    return [[KEY, rows.map(({ status_id }) => status_id)]]
  })
  return found.get(KEY) ?? []
}

/** Which of the accounts have which of the statuses in their home timelines by a follow. */
export async function findRecipients(
  ctx: Context,
  statusIds: readonly string[],
  accountIds: readonly string[],
): Promise<{ account_id: string; status_id: string }[]> {
  const repeated = repeats({ original: sql`b.reblog_of_id`, reblog: sql`b.status_id`, account: sql`b.account_id` })
  return ctx.db.many<{ account_id: string; status_id: string }>(sql`
    select b.account_id, b.status_id from (
      select f.account_id, s.id as status_id, s.reblog_of_id ${broughtByFollows(sql`any(${accountIds}::bigint[])`)}
        and s.id = any(${statusIds}::bigint[])
    ) b where b.reblog_of_id is null or not ${repeated}`)
}

/** For streams: the accounts whose home timeline has the status by a follow, while its fan-out runs. */
export async function findEarlyRecipients(
  ctx: Context,
  statusId: string,
  accountIds: readonly string[],
): Promise<string[]> {
  if (accountIds.length === 0) return []
  await ctx.changes.catchUp()
  const running = await findRunningFanOuts(ctx)
  if (!running.includes(statusId)) return []
  const found = await findRecipients(ctx, [statusId], accountIds)
  return found.map(({ account_id }) => account_id)
}

/** A page of a feed, in its direction, with those of `added` that belong on it. */
export function addToPage(ids: string[], added: readonly string[], page: Pagination): string[] {
  const { maxId, minId, sinceId, limit } = page
  const after = minId ?? sinceId
  const missing = added.filter(
    (id) =>
      (maxId === null || compareIds(id, maxId) < 0) &&
      (after === null || compareIds(id, after) > 0) &&
      !ids.includes(id),
  )
  if (missing.length === 0) return ids
  const sorted = [...ids, ...missing].toSorted((one, other) =>
    minId === null ? compareIds(other, one) : compareIds(one, other),
  )
  return sorted.slice(0, limit)
}
