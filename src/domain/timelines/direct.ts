import type { Context } from '../../context.ts'
import { newestFirst, ordered, within, type Pagination } from '../../db/page.ts'
import { sql } from '../../db/sql.ts'
import { visibleTo } from '../statuses/visibility.ts'
import { notHiddenInTimelines } from '../relationships/hidden.ts'

/** The ids of a page of direct posts: those the account wrote, and those that mention it. */
export async function readDirect(ctx: Context, accountId: string, page: Pagination): Promise<string[]> {
  const mayAppear = sql`${visibleTo({ accountId })} and ${notHiddenInTimelines(accountId, 'a')}`
  const rows = await ctx.db.many<{ id: string }>(sql`
    select direct.id from (
      (select s.id from statuses s
        where s.account_id = ${accountId} and s.visibility = 'direct' and ${within(sql`s.id`, page)} ${ordered(sql`s.id`, page)})
      union
      (select s.id from mentions m join statuses s on s.id = m.status_id join accounts a on a.id = s.account_id
        where m.account_id = ${accountId} and s.visibility = 'direct' and ${mayAppear} and ${within(sql`m.status_id`, page)}
        ${ordered(sql`m.status_id`, page)})
    ) direct ${ordered(sql`direct.id`, page)}`)
  return newestFirst(rows, page).map(({ id }) => id)
}
