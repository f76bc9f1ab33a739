import type { Context } from '../../context.ts'
import { nothing, sql } from '../../db/sql.ts'
import { type FavouriteOptions, insertedFavourite } from '../statuses/interactions.ts'
import {
  type CreatedNotification,
  type CreatedRow,
  createdRows,
  finishNotifications,
  insertedNotifications,
  type NotificationEvent,
} from './create.ts'

/** `id` is null when the account had favourited the status before. `notifications` are to announce. */
type InsertedFavourite = { id: string | null; author_domain: string | null; notifications: CreatedNotification[] }

/** `account_id`, of the notification, is missing when there is none. */
type Row = CreatedRow & { favourite_id: string | null; author_domain: string | null }

/**
 * Inserts and counts a favourite, and creates the author's notification unless the favourite is pending: in one statement, as
 * nothing else happens as often. Null when the status is gone.
 */
export async function insertFavourite(
  tx: Context,
  accountId: string,
  statusId: string,
  options: FavouriteOptions,
): Promise<InsertedFavourite | null> {
  const event: NotificationEvent = {
    type: 'favourite',
    fromAccountId: accountId,
    fromLocal: !options.uri,
    statusId,
    to: 'author',
  }
  const author = sql`select account_id, null::bigint as subject_id, id as status_id from target where exists (select from fresh)`
  const notified = sql`, ${insertedNotifications(event, author, 'unless-policy', sql`(select conversation_id from target)`)}`
  const pending = Boolean(options.approval)
  const row = await tx.db.maybe<Row>(sql`
    with ${insertedFavourite(accountId, statusId, options)} ${pending ? nothing : notified}
    select (select id from fresh) as favourite_id, author.domain as author_domain ${pending ? nothing : sql`, n.*`}
    from target join accounts author on author.id = target.account_id
    ${pending ? nothing : sql`left join (${createdRows('favourite')}) n on true`}`)
  if (!row) return null
  const { favourite_id: id, author_domain, ...created } = row
  return { id, author_domain, notifications: created.account_id ? await finishNotifications(tx, event, [created]) : [] }
}
