import type { Context } from '../../context.ts'
import { ordered, within, type Pagination } from '../../db/page.ts'
import { nothing, sql, type Sql } from '../../db/sql.ts'
import type { Viewer } from '../auth/viewer.ts'
import { onlyMedia, originCondition, type Origin } from './access.ts'
import { notHiddenInTimelines } from '../relationships/hidden.ts'

export type PublicOptions = Origin & { only_media?: boolean }

/**
 * The ids of a page of what everybody posts, as a statement: public, no replies, no boosts, nobody who was silenced or suspended.
 */
export async function publicPage(
  ctx: Context,
  viewer: Viewer | null,
  page: Pagination,
  options: PublicOptions,
): Promise<Sql> {
  const origin = (await originCondition(ctx, viewer, 'live', options)) ?? sql`false`
  return sql`
    select s.id from statuses s join accounts a on a.id = s.account_id
    where s.visibility = 'public' and s.reblog_of_id is null and not s.reply and ${origin}
      and a.suspended_at is null and a.silenced_at is null and ${within(sql`s.id`, page)}
      ${onlyMedia(options.only_media)} ${viewer ? sql`and ${notHiddenInTimelines(viewer.accountId, 'a')}` : nothing}
    ${ordered(sql`s.id`, page)}`
}
