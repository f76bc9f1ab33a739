import type { Context } from '../../context.ts'
import { type Pagination, onPage } from '../../db/page.ts'
import { allOf, sql, type Sql } from '../../db/sql.ts'
import { normaliseTag } from '../../lib/text/tags.ts'
import { isHiddenFrom } from '../relationships/hidden.ts'
import { readShown, StatusReader } from './reader.ts'
import type { StatusFacts } from './status-facts.ts'
import { accessCondition, originalVisibleTo, visibleTo, type MaybeViewer } from './visibility.ts'

export type AccountStatusesFilter = {
  /** Only statuses with attachments; no reblogs. */
  onlyMedia?: boolean
  excludeReplies?: boolean
  excludeReblogs?: boolean
  excludeDirect?: boolean
  tagged?: string
}

/**
 * Ids that the viewer may see, newest first. Leaves out reblogs of statuses that the viewer may not see, and of accounts hidden
 * from the viewer.
 */
export async function listAccountStatuses(
  ctx: Context,
  viewer: MaybeViewer,
  { accountId, ...filter }: AccountStatusesFilter & { accountId: string },
  page: Pagination,
): Promise<string[]> {
  const author = await StatusReader.load(ctx, viewer, [], [accountId])
  const mayMention = viewer !== null && viewer.accountId !== accountId
  const access = author.accessTo(accountId)
  if (access === 'none') return []
  return readShown(page, {
    read: async (part) => {
      const rows = await ctx.db.many<{ id: string }>(sql`
        select s.id from statuses s
        where s.account_id = ${accountId} and ${accessCondition(access, mayMention ? viewer.accountId : null)}
          and ${chosen(filter)} and ${onPage(sql`s.id`, part)}`)
      return rows.map(({ id }) => id)
    },
    filter: async (found) => {
      const reader = await StatusReader.load(ctx, viewer, found)
      const isShown = ({ account_id }: StatusFacts): boolean =>
        viewer?.accountId === accountId || !reader.hides(account_id)
      return found.filter((id) => reader.seesWithOriginal(reader.status(id), isShown))
    },
    cursor: (id) => id,
  })
}

/** Pages by status id; within a page the newest pin comes first. */
export async function listPinned(
  ctx: Context,
  viewer: MaybeViewer,
  { accountId, ...filter }: AccountStatusesFilter & { accountId: string },
  page: Pagination,
): Promise<string[]> {
  const rows = await ctx.db.many<{ id: string }>(sql`
    select chosen.id from (
      select s.id, p.id as pin_id from status_pins p join statuses s on s.id = p.status_id join accounts a on a.id = s.account_id
      where p.account_id = ${accountId} and s.account_id = ${accountId} and ${visibleTo(viewer)} and ${reblogIsVisible(viewer, accountId)}
        and ${chosen(filter)} and ${onPage(sql`s.id`, page)}) chosen
    order by chosen.pin_id desc`)
  return rows.map(({ id }) => id)
}

/** A condition on a status `s`. */
export const isNoReplyToOthers: Sql = sql`(not s.reply or s.in_reply_to_account_id = s.account_id)`

const chosen = (filter: AccountStatusesFilter): Sql =>
  allOf([
    filter.onlyMedia && sql`s.media_ids <> '{}' and s.reblog_of_id is null`,
    filter.excludeReplies && isNoReplyToOthers,
    filter.excludeReblogs && sql`s.reblog_of_id is null`,
    filter.excludeDirect && sql`s.visibility <> 'direct'`,
    filter.tagged !== undefined && isTagged(filter.tagged),
  ])

/** Reblogs of accounts that are hidden from the viewer are left out, except on the viewer's own profile. */
function reblogIsVisible(viewer: MaybeViewer, accountId: string): Sql {
  if (!viewer || viewer.accountId === accountId) return originalVisibleTo(viewer)
  const me = viewer.accountId
  return originalVisibleTo(viewer, sql`(s.account_id = ${me} or not ${isHiddenFrom(sql`a.id`, sql`a.domain`, me)})`)
}

const isTagged = (name: string): Sql =>
  sql`exists (select from status_tags st join tags t on t.id = st.tag_id where st.status_id = s.id and t.name = ${normaliseTag(name)})`
