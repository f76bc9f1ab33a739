import type { Context } from '../../context.ts'
import { nothing, sql } from '../../db/sql.ts'
import { belongsInList } from './list-rules.ts'

/** In which of the lists a status is shown; with `boosted`, also as a boost. */
export async function whichListsShow(
  ctx: Context,
  statusId: string,
  listIds: readonly string[],
  { boosted }: { boosted: boolean },
): Promise<string[]> {
  if (listIds.length === 0) return []
  const rows = await ctx.db.many<{ id: string }>(sql`
    select distinct l.id from (
      select id from statuses where id = ${statusId} ${boosted ? sql`union all select id from statuses where reblog_of_id = ${statusId}` : nothing}
    ) shown
    join statuses s on s.id = shown.id
    join list_accounts la on la.account_id = s.account_id and la.list_id = any(${listIds}::bigint[])
    join lists l on l.id = la.list_id
    join accounts a on a.id = s.account_id and a.suspended_at is null
    left join follows f on f.account_id = l.account_id and f.target_account_id = s.account_id
    left join statuses o on o.id = s.reblog_of_id
    left join accounts oa on oa.id = o.account_id
    where s.approval is null and (s.account_id = l.account_id or f.id is not null) and ${belongsInList}`)
  return rows.map(({ id }) => id)
}

/** Which of the lists somebody is in, and whose they are. */
export async function whichListsHave(
  ctx: Context,
  accountId: string,
  listIds: readonly string[],
): Promise<{ id: string; owner_id: string }[]> {
  if (listIds.length === 0) return []
  return ctx.db.many<{ id: string; owner_id: string }>(sql`
    select list_id as id, owner_id from list_accounts where account_id = ${accountId} and list_id = any(${listIds}::bigint[])`)
}
