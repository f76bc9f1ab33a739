// The jobs in the queue, for administrators and limits. The statements read the tables of the queue's library.
import type { Queryable } from '../db/database.ts'
import type { OffsetPage } from '../db/page.ts'
import { sql, type Sql } from '../db/sql.ts'
import { JOB_NAMES, type JobName, settingsOf } from './kinds.ts'

const PERSONAL = JOB_NAMES.filter((name) => settingsOf(name).personal)

/** For how long jobs stay in the queue's tables after they were completed, or have failed for good. */
export const STORED_SECONDS = { completed: 3600, failed: 7 * 86_400 }

export type KindOverview = {
  name: string
  /** Jobs that could start now. */
  due: number
  /** Jobs that wait for their time, or for their next attempt. */
  delayed: number
  active: number
  failed: number
  /** How many were completed within STORED_SECONDS. */
  completed: number
  /** The time at which the oldest due job could have started. */
  oldest: Date | null
}

/** Kinds with jobs, the fullest first. */
export function readJobKinds(db: Queryable): Promise<KindOverview[]> {
  return db.many<KindOverview>(sql`
    select name,
      (count(*) filter (where state < 'active' and start_after <= now()))::int as due,
      (count(*) filter (where state < 'active' and start_after > now()))::int as delayed,
      (count(*) filter (where state = 'active'))::int as active,
      (count(*) filter (where state = 'failed'))::int as failed,
      (count(*) filter (where state = 'completed' and completed_on > now() - ${STORED_SECONDS.completed} * interval '1 second'))::int as completed,
      min(start_after) filter (where state < 'active' and start_after <= now()) as oldest
    from pgboss.job where name = any(${JOB_NAMES}) group by name order by due desc, failed desc, name`)
}

export function totalOf(kinds: readonly KindOverview[]): Omit<KindOverview, 'name'> {
  const sum = (count: 'due' | 'delayed' | 'active' | 'failed' | 'completed'): number =>
    kinds.reduce((total, kind) => total + kind[count], 0)
  return {
    due: sum('due'),
    delayed: sum('delayed'),
    active: sum('active'),
    failed: sum('failed'),
    completed: sum('completed'),
    oldest: kinds.flatMap(({ oldest }) => oldest ?? []).toSorted((a, b) => a.getTime() - b.getTime())[0] ?? null,
  }
}

/** Whether more than `count` jobs of a kind wait. Reads no more of them. */
export async function hasMoreWaiting(db: Queryable, name: JobName, count: number): Promise<boolean> {
  const { n } = await db.one<{ n: number }>(sql`
    select count(*)::int as n from (select from pgboss.job where name = ${name} and state < 'active' limit ${count + 1}) waiting`)
  return n > count
}

export type TroubledJob = {
  id: string
  name: JobName
  /** `retry`: it failed and will be tried again. */
  state: 'retry' | 'failed'
  tries: number
  /** How often it may be tried. */
  limit: number
  error: string
  /** The data of the job: ids. Null for personal kinds. */
  data: Readonly<Record<string, unknown>> | null
  created_at: Date
  /** When it failed for good, or when it is tried again. */
  at: Date
}

export type TroubleFilter = { name?: string | null; state?: 'retry' | 'failed' | null }

/** The message of the error with which an attempt ended. */
export const errorText: Sql = sql`left(coalesce(output->>'message', output->>'value', output::text, ''), 1000)`

/** Jobs that failed, the latest first. */
export function listTroubledJobs(
  db: Queryable,
  { name = null, state = null }: TroubleFilter,
  { limit, offset }: OffsetPage,
): Promise<TroubledJob[]> {
  return db.many<TroubledJob>(sql`
    select id, name, state::text, retry_count + 1 as tries, retry_limit + 1 as limit,
      ${errorText} as error,
      case when name = any(${PERSONAL}) then null else data - 'cause' end as data,
      created_on as created_at, case when state = 'failed' then completed_on else start_after end as at
    from pgboss.job
    where name = any(${JOB_NAMES}) and (state = 'failed' or (state = 'retry' and output is not null))
      and (${name}::text is null or name = ${name}) and (${state}::text is null or state::text = ${state})
    order by coalesce(completed_on, started_on, created_on) desc, id limit ${limit} offset ${offset}`)
}

/** Some jobs, or those that failed for good: at most MAX_CHOSEN at once. */
export type JobChoice = { ids: readonly string[] } | { name: string | null }

export const MAX_CHOSEN = 1000

function chosen(choice: JobChoice): Sql {
  const condition =
    'ids' in choice
      ? sql`id = any(${choice.ids}::uuid[]) and state in ('failed', 'retry')`
      : sql`state = 'failed' and (${choice.name}::text is null or name = ${choice.name})`
  return sql`select name, id from pgboss.job where ${condition} limit ${MAX_CHOSEN} for update skip locked`
}

/** Lets the jobs start at once, with one more attempt. Returns how many of each kind. */
export function retryJobs(db: Queryable, choice: JobChoice): Promise<{ name: string; count: number }[]> {
  return db.many(sql`
    with chosen as (${chosen(choice)}), changed as (
      update pgboss.job job set state = 'retry', start_after = now(), completed_on = null,
        retry_limit = greatest(job.retry_limit, job.retry_count + 1),
        deletion_seconds = ${STORED_SECONDS.completed},
        keep_until = greatest(job.keep_until, now() + interval '1 day')
      from chosen where job.name = chosen.name and job.id = chosen.id returning job.name)
    select name, count(*)::int as count from changed group by name order by name`)
}

/** Returns how many of each kind. */
export function discardJobs(db: Queryable, choice: JobChoice): Promise<{ name: string; count: number }[]> {
  return db.many(sql`
    with chosen as (${chosen(choice)}), gone as (
      delete from pgboss.job job using chosen where job.name = chosen.name and job.id = chosen.id returning job.name)
    select name, count(*)::int as count from gone group by name order by name`)
}

/** Called before the queue records that a job has failed for good: such jobs are stored for longer. */
export async function retainFailedJob(db: Queryable, name: JobName, id: string): Promise<void> {
  await db.run(
    sql`update pgboss.job set deletion_seconds = ${STORED_SECONDS.failed} where name = ${name} and id = ${id}`,
  )
}
