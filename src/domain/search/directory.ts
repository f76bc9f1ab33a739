import type { Context } from '../../context.ts'
import { nothing, plannedByValue, sql } from '../../db/sql.ts'
import { isShown } from '../accounts/find.ts'
import { notHiddenInTimelines } from '../relationships/hidden.ts'

type DirectoryOptions = {
  /** By the newest status, or by when the account was created or first stored. */
  order: 'active' | 'new'
  local: boolean
  limit: number
  offset: number
}

/** Pages beyond this offset are empty: PostgreSQL reads all accounts before them. */
const MAX_OFFSET = 10_000

/** Leaves out limited, suspended and moved accounts, and those hidden from the viewer. */
export async function listDirectory(
  ctx: Context,
  viewer: { accountId: string } | null,
  { order, local, limit, offset }: DirectoryOptions,
): Promise<string[]> {
  if (offset >= MAX_OFFSET) return []
  const rows = await ctx.db.many<{ id: string }>(
    plannedByValue(sql`
    select a.id from accounts a join account_stats ast on ast.account_id = a.id
    where a.discoverable and a.suspended_at is null and a.silenced_at is null and a.moved_to_id is null and ${isShown}
      ${viewer ? sql`and ${notHiddenInTimelines(viewer.accountId)}` : nothing} ${local ? sql`and a.domain is null` : nothing}
    ${order === 'active' ? sql`order by ast.last_status_at desc nulls last, ast.account_id desc` : sql`order by a.id desc`}
    limit ${limit} offset ${offset}`),
  )
  return rows.map(({ id }) => id)
}
