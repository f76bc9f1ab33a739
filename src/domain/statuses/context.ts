import type { Context } from '../../context.ts'
import { sql, type Sql } from '../../db/sql.ts'
import { notHiddenFrom } from '../relationships/hidden.ts'
import type { StatusRow } from './find.ts'
import { StatusReader } from './reader.ts'
import { visibleTo, type MaybeViewer } from './visibility.ts'

export type Thread = { ancestors: string[]; descendants: string[] }

const LIMITS = { ancestors: 40, descendants: 60, depth: 20 }
const LIMITS_WITH_TOKEN = { ancestors: 4096, descendants: 4096, depth: 4096 }
/** Limits the replies that are read, before those hidden from the viewer are left out. */
const MAX_READ = 10_000

/**
 * Ids of ancestors, the root first, and of descendants, depth first, with the author's own replies before those of others.
 * Leaves out statuses and accounts hidden from the viewer, and limited accounts that the viewer does not follow.
 */
export async function findThread(
  ctx: Context,
  viewer: MaybeViewer,
  status: StatusRow,
  withToken: boolean,
): Promise<Thread> {
  const limits = withToken ? LIMITS_WITH_TOKEN : LIMITS
  const [ancestors, descendants] = await Promise.all([
    findAncestors(ctx, viewer, status, limits.ancestors),
    findDescendants(ctx, viewer, status, limits),
  ])
  return { ancestors, descendants }
}

async function findAncestors(ctx: Context, viewer: MaybeViewer, status: StatusRow, limit: number): Promise<string[]> {
  if (status.in_reply_to_id === null) return []
  const rows = await ctx.db.many<{ id: string }>(sql`
    with recursive above (id, distance) as (
      select ${status.in_reply_to_id}::bigint, 1
      union all
      select s.in_reply_to_id, above.distance + 1 from above join statuses s on s.id = above.id
      where s.in_reply_to_id is not null and s.in_reply_to_id <> ${status.id} and above.distance < ${limit}
    ) cycle id set is_again using trail
    select id from above where not is_again order by distance desc`)
  return filterShown(ctx, viewer, rows)
}

async function findDescendants(
  ctx: Context,
  viewer: MaybeViewer,
  status: StatusRow,
  limits: typeof LIMITS,
): Promise<string[]> {
  const rows = await ctx.db.many<{ id: string }>(sql`
    with recursive below (id, own, path) as (
      select ${status.id}::bigint, true, array[]::bigint[]
      union all
      select s.id, below.own and s.account_id = ${status.account_id},
        below.path || array[case when below.own and s.account_id = ${status.account_id} then 0 else 1 end, s.id]
      from below join statuses s on s.in_reply_to_id = below.id
      where cardinality(below.path) < ${limits.depth * 2} and s.id <> ${status.id}
    )
    select id from (select id, path from below limit ${MAX_READ}) below where id <> ${status.id} order by path`)
  return (await filterShown(ctx, viewer, rows)).slice(0, limits.descendants)
}

/** As isShownInThread. */
async function filterShown(ctx: Context, viewer: MaybeViewer, rows: readonly { id: string }[]): Promise<string[]> {
  const ids = rows.map(({ id }) => id)
  const reader = await StatusReader.load(ctx, viewer, ids)
  return ids.filter((id) => {
    const status = reader.status(id)
    return (
      status !== undefined &&
      reader.sees(status) &&
      !reader.hides(status.account_id) &&
      !reader.isLimitedFor(status.account_id)
    )
  })
}

/**
 * A condition on a status `s` and its author `a`: the viewer may see the status, and the author is neither hidden from the
 * viewer nor limited, unless the viewer follows the author.
 */
export function isShownInThread(viewer: MaybeViewer): Sql {
  const me = viewer?.accountId ?? null
  const known =
    me === null
      ? sql`false`
      : sql`(a.id = ${me} or exists (select from follows kf where kf.account_id = ${me} and kf.target_account_id = a.id))`
  return sql`${visibleTo(viewer)} and ${notHiddenFrom(viewer)} and (a.silenced_at is null or ${known})`
}
