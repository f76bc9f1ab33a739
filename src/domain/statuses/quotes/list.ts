import type { Context } from '../../../context.ts'
import { newestFirst, ordered, within, type Pagination } from '../../../db/page.ts'
import { sql } from '../../../db/sql.ts'
import { isShownInThread } from '../context.ts'
import type { MaybeViewer } from '../visibility.ts'
import type { Entry } from '../interacted-by.ts'

/** Posts that quote a status with its author's consent, as far as the viewer may read them and wants to hear of their authors. */
export async function findQuotes(
  ctx: Context,
  viewer: NonNullable<MaybeViewer>,
  statusId: string,
  page: Pagination,
): Promise<Entry[]> {
  const rows = await ctx.db.many<Entry>(sql`
    select q.id as cursor, s.id from quotes q join statuses s on s.id = q.status_id join accounts a on a.id = s.account_id
    where q.quoted_status_id = ${statusId} and q.state = 'accepted' and ${isShownInThread(viewer)}
      and ${within(sql`q.id`, page)} ${ordered(sql`q.id`, page)}`)
  return newestFirst(rows, page)
}
