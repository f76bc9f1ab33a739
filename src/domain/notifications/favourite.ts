import type { Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'
import { insertedFavourites, type NewFavourite } from '../statuses/interactions.ts'
import {
  type CreatedNotification,
  type CreatedRow,
  createdRows,
  finishNotifications,
  insertedNotifications,
  type NotificationEvent,
} from './create.ts'

/** `id` is null when the account had favourited the status before. */
export type InsertedFavourite = { id: string | null; authorDomain: string | null }

/** The members of CreatedRow are missing when there is no notification. */
type Row = CreatedRow & {
  target_id: string
  favourite_id: string | null
  favourited_by: string
  author_domain: string | null
}

/**
 * Inserts and counts favourites, and creates the authors' notifications of those that are not pending: in one statement, as
 * nothing else happens as often. The results are in the order of `favourites`, with null where the status is gone.
 * `notifications` are to stream and push.
 */
export async function insertFavourites(
  tx: Context,
  favourites: readonly NewFavourite[],
): Promise<{ inserted: (InsertedFavourite | null)[]; notifications: CreatedNotification[] }> {
  const event = { type: 'favourite', fromLocal: favourites.every(({ uri }) => !uri), to: 'author' } as const
  const authors = sql`
    select target.account_id, null::bigint as subject_id, target.id as status_id, fresh.account_id as from_account_id, target.conversation_id
    from fresh join target on target.id = fresh.status_id where fresh.approval is null`
  const source = { sender: sql`r.from_account_id`, conversation: sql`r.conversation_id` }
  const rows = await tx.db.many<Row>(sql`
    with ${insertedFavourites(favourites)}, ${insertedNotifications(event, authors, 'unless-policy', source)}
    select target.id as target_id, fresh.id as favourite_id, fresh.account_id as favourited_by, author.domain as author_domain, n.*
    from target join accounts author on author.id = target.account_id left join fresh on fresh.status_id = target.id
    left join (${createdRows('favourite')}) n on n.status_id = target.id and n.from_account_id = fresh.account_id`)
  const domains = new Map(rows.map((row) => [row.target_id, row.author_domain]))
  const ids = new Map(rows.map((row) => [`${row.target_id}:${row.favourited_by}`, row.favourite_id]))
  const inserted = favourites.map(({ accountId, statusId }) => {
    const authorDomain = domains.get(statusId)
    if (authorDomain === undefined) return null
    const key = `${statusId}:${accountId}`
    const id = ids.get(key) ?? null
    // A second favourite of the same status by the same account is not new.
    ids.delete(key)
    return { id, authorDomain }
  })
  return { inserted, notifications: await finish(tx, event, rows) }
}

/** Recipients with a policy are rare: each of them has a statement. */
async function finish(
  tx: Context,
  event: Pick<NotificationEvent, 'type' | 'fromLocal' | 'to'>,
  rows: readonly Row[],
): Promise<CreatedNotification[]> {
  const wanted = rows.filter((row) => row.account_id !== null)
  const undecided = wanted.filter((row) => row.id === null)
  const finished = await Promise.all([
    finishNotifications(
      tx,
      { ...event },
      wanted.filter((row) => row.id !== null),
    ),
    ...undecided.map((row) =>
      finishNotifications(tx, { ...event, fromAccountId: row.from_account_id, statusId: row.target_id }, [row]),
    ),
  ])
  return finished.flat()
}
