import type { Context } from '../../context.ts'
import { sql, type Sql } from '../../db/sql.ts'
import { notHiddenFrom } from '../relationships/hidden.ts'
import { StatusReader } from './reader.ts'
import { listDescendants } from './replies.ts'
import type { StatusFacts } from './status-facts.ts'
import { visibleTo, type MaybeViewer } from './visibility.ts'

export type Thread = { ancestors: string[]; descendants: string[] }

const LIMITS = { ancestors: 40, descendants: 60, depth: 20 }
const LIMITS_WITH_TOKEN = { ancestors: 4096, descendants: 4096, depth: 4096 }
type Root = Pick<StatusFacts, 'id' | 'account_id' | 'in_reply_to_id'>

/**
 * Ids of ancestors, the root first, and of descendants, depth first, with the author's own replies before those of others.
 * Leaves out statuses and accounts hidden from the viewer, and limited accounts that the viewer does not follow.
 */
export async function findThread(
  ctx: Context,
  viewer: MaybeViewer,
  status: Root,
  { withToken }: { withToken: boolean },
): Promise<Thread> {
  const limits = withToken ? LIMITS_WITH_TOKEN : LIMITS
  const [ancestors, descendants] = await Promise.all([
    findAncestors(ctx, viewer, status, limits.ancestors),
    findDescendants(ctx, viewer, status, limits),
  ])
  return { ancestors, descendants }
}

async function findAncestors(ctx: Context, viewer: MaybeViewer, status: Root, limit: number): Promise<string[]> {
  if (status.in_reply_to_id === null) return []
  const rows = await ctx.db.many<{ id: string }>(sql`
    with recursive above (id, distance) as (
      select ${status.in_reply_to_id}::bigint, 1
      union all
      select s.in_reply_to_id, above.distance + 1 from above join statuses s on s.id = above.id
      where s.in_reply_to_id is not null and s.in_reply_to_id <> ${status.id} and above.distance < ${limit}
    ) cycle id set is_again using trail
    select id from above where not is_again order by distance desc`)
  return filterShown(
    ctx,
    viewer,
    rows.map(({ id }) => id),
  )
}

async function findDescendants(
  ctx: Context,
  viewer: MaybeViewer,
  status: Root,
  limits: typeof LIMITS,
): Promise<string[]> {
  const ids = await listDescendants(ctx, status, limits.depth)
  return (await filterShown(ctx, viewer, ids)).slice(0, limits.descendants)
}

/** As isShownInThread. */
async function filterShown(ctx: Context, viewer: MaybeViewer, ids: readonly string[]): Promise<string[]> {
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
