import type { Context } from '../../context.ts'
import type { Visibility } from '../../db/schema.ts'
import { sql } from '../../db/sql.ts'
import { Conflict, Forbidden, NotFound } from '../../lib/errors.ts'
import { pastDate } from '../../lib/dates.ts'
import { newId, timeOfId } from '../../lib/ids.ts'
import { insertRebloggedLink } from './cards/uses.ts'
import { isIdTaken, withFreeId } from './free-id.ts'
import { mayBeReblogged } from './visibility.ts'

export type ReblogDraft = {
  accountId: string
  /** May be a reblog: its original is then reblogged. */
  statusId: string
  /** Public by default. Reblogs of private statuses are private, those by limited accounts never public. */
  visibility?: Visibility
  uri?: string | null
  approval?: 'pending' | null
  /** The author's verified authorization. */
  approvalUri?: string | null
  createdAt?: Date
}

/** `targetId`: the original. `created` is false when the account had reblogged it before. */
export type InsertedReblog = { id: string; created: boolean; targetId: string; local: boolean }

/** Throws Forbidden for a status that the account may not reblog, NotFound for one that is gone. */
export const insertReblog = (tx: Context, draft: ReblogDraft): Promise<InsertedReblog> =>
  withFreeId(() => tryInsertReblog(tx, draft))

/** Null when the id is taken. */
async function tryInsertReblog(tx: Context, draft: ReblogDraft): Promise<InsertedReblog | null> {
  const past = pastDate(draft.createdAt)
  const id = newId(past)
  // The statement restricts it by the visibility of the target and the limits of the account.
  const wanted = sql`${draft.visibility ?? 'public'}::visibility`
  const row = await tx.db.maybe<{ id: string | null; target_id: string; local: boolean }>(sql`
    with target as (
      select s.id, s.visibility from statuses s
      where s.id = (select coalesce(reblog_of_id, id) from statuses where id = ${draft.statusId})
        and ${mayBeReblogged(draft.accountId)}
      for key share
    ), booster as (
      select id, domain, silenced_at from accounts where id = ${draft.accountId} and suspended_at is null for key share
    ), boost as (
      insert into statuses (id, account_id, uri, visibility, local, reblog_of_id, created_at, approval, approval_uri)
      select ${id}, a.id, ${draft.uri ?? null},
        case when target.visibility = 'private' then 'private' when a.silenced_at is not null and ${wanted} = 'public' then 'unlisted' else ${wanted} end,
        a.domain is null, target.id, ${past ?? timeOfId(id)}::timestamptz, ${draft.approval ?? null}, ${draft.approvalUri ?? null}
      from target, booster a
      on conflict do nothing
      returning id, account_id, reblog_of_id, created_at, approval, visibility
    ), boosted as (
      insert into status_stats (status_id, reblogs_count) select reblog_of_id, 1 from boost where approval is null
      on conflict (status_id) do update set reblogs_count = status_stats.reblogs_count + 1
    ), linked as (${insertRebloggedLink(sql`boost`)}
    ), author as (
      insert into account_stats (account_id, statuses_count, last_status_at) select account_id, 1, (created_at at time zone 'utc')::date from boost
      on conflict (account_id) do update set statuses_count = account_stats.statuses_count + 1,
        last_status_at = greatest(account_stats.last_status_at, excluded.last_status_at)
    )
    select (select id from boost) as id, target.id as target_id, a.domain is null as local from target, booster a`)
  if (!row) {
    const target = await tx.db.maybe(sql`select from statuses where id = ${draft.statusId}`)
    throw target ? new Forbidden() : new NotFound()
  }
  const reblog = { targetId: row.target_id, local: row.local }
  if (row.id !== null) return { id: row.id, created: true, ...reblog }
  const existing = await findReblog(tx, draft.accountId, row.target_id)
  if (existing !== null) return { id: existing, created: false, ...reblog }
  if (await isIdTaken(tx, id)) return null
  throw new Conflict()
}

export async function findReblog(ctx: Context, accountId: string, statusId: string): Promise<string | null> {
  const row = await ctx.db.maybe<{ id: string }>(
    sql`select id from statuses where reblog_of_id = ${statusId} and account_id = ${accountId}`,
  )
  return row?.id ?? null
}
