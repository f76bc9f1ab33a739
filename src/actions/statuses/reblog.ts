import type { Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'
import { Conflict, NotFound } from '../../lib/errors.ts'
import { newId, timeOfId } from '../../lib/ids.ts'
import { refuseMoved } from '../../domain/accounts/find.ts'
import { notify } from '../notifications/notify.ts'
import type { Visibility } from '../../db/schema.ts'
import type { Inserted } from '../../domain/statuses/insert.ts'
import { fanOutHome } from '../timelines/fan-out.ts'
import { findAudience } from '../../domain/statuses/audience.ts'
import { federate } from '../federate.ts'
import { mayBeReblogged } from '../../domain/statuses/visibility.ts'

export type ReblogDraft = {
  accountId: string
  /** What is boosted; of a boost, the status that it boosts. */
  statusId: string
  /** public unless given. Boosts of private posts are private, those of limited accounts are never public. */
  visibility?: Visibility
  /** The id of a remote boost. */
  uri?: string | null
  /** Whether the author has to approve it first. */
  approval?: 'pending' | null
  /** The authorization by the author, verified. */
  approvalUri?: string | null
  createdAt?: Date
}

/**
 * Boosts a status: stores the boost, and in the same transaction puts it into feeds, notifies the author and tells other
 * servers. Whoever boosted it already gets that boost again (`created: false`). Throws NotFound for what may not be boosted:
 * direct posts, private ones of others; Forbidden for people of this server who have moved. Whether the booster may see it at all is for the caller to check.
 */
export async function publishReblog(ctx: Context, draft: ReblogDraft): Promise<Inserted> {
  await refuseMoved(ctx, draft.accountId)
  return ctx.transaction(async (tx) => {
    const boost = await insertReblog(tx, draft)
    if (!boost.created) return { id: boost.id, created: false }
    if (draft.approval)
      await federate(tx, {
        activity: 'request',
        interaction: 'announce',
        accountId: draft.accountId,
        id: boost.id,
      })
    else await spreadReblog(tx, { ...boost, accountId: draft.accountId })
    return { id: boost.id, created: true }
  })
}

/** What follows once a boost may be shown: feeds, the author's notification, other servers, streams. */
export async function spreadReblog(
  tx: Context,
  { id, accountId, targetId, local }: { id: string; accountId: string; targetId: string; local: boolean },
): Promise<void> {
  await fanOutHome(tx, id)
  await notify(tx, { type: 'reblog', fromAccountId: accountId, statusId: targetId, to: 'author' })
  if (local && (await findAudience(tx, id)).remote) await federate(tx, { activity: 'announce', statusId: id })
  tx.publish({ type: 'status.new', id })
}

type Row = { id: string | null; target_id: string; local: boolean }

async function insertReblog(tx: Context, draft: ReblogDraft): Promise<Inserted & { targetId: string; local: boolean }> {
  const past = draft.createdAt && draft.createdAt.getTime() < Date.now() ? draft.createdAt : undefined
  const id = newId(past)
  // Only a parameter here; what it may be is decided below, where target and booster are known.
  const wanted = sql`${draft.visibility ?? 'public'}::visibility`
  const row = await tx.db.maybe<Row>(sql`
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
      returning id, account_id, reblog_of_id, created_at, approval
    ), stats as (
      insert into status_stats (status_id) select id from boost
    ), boosted as (
      insert into status_stats (status_id, reblogs_count) select reblog_of_id, 1 from boost where approval is null
      on conflict (status_id) do update set reblogs_count = status_stats.reblogs_count + 1
    ), author as (
      insert into account_stats (account_id, statuses_count, last_status_at) select account_id, 1, (created_at at time zone 'utc')::date from boost
      on conflict (account_id) do update set statuses_count = account_stats.statuses_count + 1,
        last_status_at = greatest(account_stats.last_status_at, excluded.last_status_at)
    )
    select (select id from boost) as id, target.id as target_id, a.domain is null as local from target, booster a`)
  if (!row) throw new NotFound()
  if (row.id !== null) return { id: row.id, created: true, targetId: row.target_id, local: row.local }
  const existing = await findReblog(tx, draft.accountId, row.target_id)
  if (existing === null) throw new Conflict()
  return { id: existing, created: false, targetId: row.target_id, local: row.local }
}

/** The boost of a status by an account, or null. */
export async function findReblog(ctx: Context, accountId: string, statusId: string): Promise<string | null> {
  const row = await ctx.db.maybe<{ id: string }>(
    sql`select id from statuses where reblog_of_id = ${statusId} and account_id = ${accountId}`,
  )
  return row?.id ?? null
}
