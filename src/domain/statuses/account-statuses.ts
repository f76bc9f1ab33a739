import type { Context } from '../../context.ts'
import { newestFirst, ordered, within, type Page } from '../../db/page.ts'
import { allOf, sql, type Sql } from '../../db/sql.ts'
import { normaliseTag } from '../../lib/text/tags.ts'
import { isHiddenFrom } from '../relationships/hidden.ts'
import { visibleTo, type Onlooker } from './visibility.ts'

export type AccountStatusesFilter = {
  /** Only posts with media of their own. */
  onlyMedia?: boolean
  /** Without answers to others; those to oneself stay. */
  excludeReplies?: boolean
  excludeReblogs?: boolean
  /** Only posts with this hashtag. */
  tagged?: string
}

/**
 * The ids of an account's posts and boosts that the viewer may read, newest first. Boosts of what the viewer may not read, or
 * of people the viewer does not want to hear of, are left out. As a statement.
 */
export function accountStatusesPage(
  viewer: Onlooker,
  accountId: string,
  filter: AccountStatusesFilter,
  page: Page,
): Sql {
  return sql`
    select s.id from statuses s join accounts a on a.id = s.account_id
    where ${conditions(viewer, accountId, filter, page)} ${ordered(sql`s.id`, page)}`
}

/** The ids that `accountStatusesPage` gives. */
export async function listAccountStatuses(
  ctx: Context,
  viewer: Onlooker,
  accountId: string,
  filter: AccountStatusesFilter,
  page: Page,
): Promise<string[]> {
  const rows = await ctx.db.many<{ id: string }>(accountStatusesPage(viewer, accountId, filter, page))
  return newestFirst(rows, page).map(({ id }) => id)
}

/**
 * The same of what is pinned to the profile. Pages go by status id, as their cursors do; within a page the newest pin comes first.
 */
export async function listPinned(
  ctx: Context,
  viewer: Onlooker,
  accountId: string,
  filter: AccountStatusesFilter,
  page: Page,
): Promise<string[]> {
  const rows = await ctx.db.many<{ id: string }>(sql`
    select chosen.id from (
      select s.id, p.id as pin_id from status_pins p join statuses s on s.id = p.status_id join accounts a on a.id = s.account_id
      where p.account_id = ${accountId} and ${conditions(viewer, accountId, filter, page)} ${ordered(sql`s.id`, page)}) chosen
    order by chosen.pin_id desc`)
  return rows.map(({ id }) => id)
}

const conditions = (viewer: Onlooker, accountId: string, filter: AccountStatusesFilter, page: Page): Sql =>
  allOf([
    sql`s.account_id = ${accountId}`,
    visibleTo(viewer),
    boostIsVisible(viewer, accountId),
    filter.onlyMedia && sql`s.media_ids <> '{}' and s.reblog_of_id is null`,
    filter.excludeReplies && sql`(not s.reply or s.in_reply_to_account_id = s.account_id)`,
    filter.excludeReblogs && sql`s.reblog_of_id is null`,
    filter.tagged !== undefined && isTagged(filter.tagged),
    within(sql`s.id`, page),
  ])

function boostIsVisible(viewer: Onlooker, accountId: string): Sql {
  const wanted =
    viewer && viewer.accountId !== accountId
      ? sql`and (s.account_id = ${viewer.accountId} or not ${isHiddenFrom(sql`a.id`, sql`a.domain`, viewer.accountId)})`
      : sql``
  return sql`(s.reblog_of_id is null or exists (
    select from (select o.* from statuses o where o.id = s.reblog_of_id) s join accounts a on a.id = s.account_id
    where ${visibleTo(viewer)} ${wanted}))`
}

const isTagged = (name: string): Sql =>
  sql`exists (select from status_tags st join tags t on t.id = st.tag_id where st.status_id = s.id and t.name = ${normaliseTag(name)})`
