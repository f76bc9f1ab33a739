import type { Context } from '../../context.ts'
import type { Accounts, Announcements, Users } from '../../db/schema.ts'
import { type Pagination, newestFirst, onPage } from '../../db/page.ts'
import { sql } from '../../db/sql.ts'
import { addDays } from '../../lib/dates.ts'
import { NotFound } from '../../lib/errors.ts'
import { isFunctional } from '../users/states.ts'

/** Its end has passed. All-day events end with the day of `ends_at`, in UTC. */
const hasEnded = sql`coalesce(n.ends_at + case when n.all_day then interval '1 day' else interval '0' end <= now(), false)`

/** The columns of an announcement `n`. */
const columns = sql`n.id, n.text, n.published, n.published_at, n.scheduled_at, n.starts_at, n.ends_at, n.all_day,
  n.status_ids, n.mails_users, n.mailed_at, n.updated_at`

export type AnnouncementRow = Omit<Announcements, 'created_at' | 'status_ids' | 'mailed_up_to'> & {
  status_ids: string[]
}

/** Further published ones are not shown. */
const MAX_SHOWN = 100

/** The announcements that are published and have not ended, newest first; `id`: only this one. */
export const findActive = (
  ctx: Context,
  { accountId = null, id }: { accountId?: string | null; id: string | null },
): Promise<(AnnouncementRow & { read: boolean })[]> =>
  ctx.db.many(sql`
    select ${columns}, m.account_id is not null as read
    from announcements n left join announcement_mutes m on m.announcement_id = n.id and m.account_id = ${accountId}
    where n.published and not ${hasEnded} and (${id}::bigint is null or n.id = ${id})
    order by n.published_at desc, n.id desc limit ${MAX_SHOWN}`)

/** Throws NotFound for one that is not published, or has ended. */
export async function getActive(ctx: Context, id: string): Promise<AnnouncementRow> {
  const [announcement] = await findActive(ctx, { id })
  if (!announcement) throw new NotFound()
  return announcement
}

/** May run twice. */
export const dismiss = (ctx: Context, id: string, accountId: string): Promise<number> =>
  ctx.db.run(sql`
    insert into announcement_mutes (announcement_id, account_id) values (${id}, ${accountId}) on conflict do nothing`)

// For staff.

export type ListedAnnouncement = AnnouncementRow & { ended: boolean; reactions: number; dismissals: number }

const id = sql`n.id`

/** Newest first. */
export async function listAnnouncements(ctx: Context, page: Pagination): Promise<ListedAnnouncement[]> {
  const rows = await ctx.db.many<ListedAnnouncement>(sql`
    select ${columns}, ${hasEnded} as ended,
      (select count(*)::int from announcement_reactions r where r.announcement_id = n.id) as reactions,
      (select count(*)::int from announcement_mutes m where m.announcement_id = n.id) as dismissals
    from announcements n where ${onPage(id, page)}`)
  return newestFirst(rows, page)
}

/** Throws NotFound. */
export async function getAnnouncement(ctx: Context, announcementId: string): Promise<AnnouncementRow> {
  const row = await ctx.db.maybe<AnnouncementRow>(
    sql`select ${columns} from announcements n where n.id = ${announcementId}`,
  )
  if (!row) throw new NotFound()
  return row
}

/** Locks it in a transaction. Throws NotFound. */
export async function lockAnnouncement(
  ctx: Context,
  announcementId: string,
): Promise<AnnouncementRow & { ended: boolean }> {
  const row = await ctx.db.maybe<AnnouncementRow & { ended: boolean }>(
    sql`select ${columns}, ${hasEnded} as ended from announcements n where n.id = ${announcementId} for update`,
  )
  if (!row) throw new NotFound()
  return row
}

export type AnnouncementFields = Pick<
  AnnouncementRow,
  'text' | 'starts_at' | 'ends_at' | 'all_day' | 'scheduled_at' | 'mails_users' | 'status_ids'
>

export async function insertAnnouncement(tx: Context, fields: AnnouncementFields): Promise<string> {
  const row = await tx.db.one<Pick<Announcements, 'id'>>(sql`
    insert into announcements (text, starts_at, ends_at, all_day, scheduled_at, mails_users, status_ids)
    values (${fields.text}, ${fields.starts_at}, ${fields.ends_at}, ${fields.all_day}, ${fields.scheduled_at},
      ${fields.mails_users}, ${fields.status_ids}::bigint[])
    returning id`)
  return row.id
}

export const updateAnnouncement = (tx: Context, id: string, fields: AnnouncementFields): Promise<number> =>
  tx.db.run(sql`
    update announcements set text = ${fields.text}, starts_at = ${fields.starts_at}, ends_at = ${fields.ends_at},
      all_day = ${fields.all_day}, scheduled_at = ${fields.scheduled_at}, mails_users = ${fields.mails_users},
      status_ids = ${fields.status_ids}::bigint[], updated_at = now()
    where id = ${id}`)

/** Publishing it again shows it also to users who have dismissed it. */
export async function storePublished(tx: Context, id: string, published: boolean): Promise<void> {
  await tx.db.run(sql`
    update announcements set published = ${published}, scheduled_at = null,
      published_at = case when ${published} then now() else published_at end
    where id = ${id}`)
  if (published) await tx.db.run(sql`delete from announcement_mutes where announcement_id = ${id}`)
}

/** Returns the id of the last user who was mailed, `0` at first; null for one that mails no users. */
export async function startAnnouncementMails(tx: Context, id: string): Promise<string | null> {
  const row = await tx.db.maybe<Pick<Announcements, 'mailed_up_to'>>(sql`
    update announcements set mailed_at = coalesce(mailed_at, now()) where id = ${id} and (mails_users or mailed_at is not null)
    returning mailed_up_to`)
  return row?.mailed_up_to ?? null
}

/** False when the users after `from` were mailed before. Call it in the transaction that enqueues their mails. */
export const advanceMailing = async (tx: Context, id: string, from: string, to: string): Promise<boolean> =>
  (await tx.db.run(sql`update announcements set mailed_up_to = ${to} where id = ${id} and mailed_up_to = ${from}`)) > 0

type MailedUser = Pick<Users, 'id' | 'email' | 'locale'> & Pick<Accounts, 'username'>

/**
 * Users who may sign in, in the order of their ids, without those who joined after the mailing began. `after`: the id of the last
 * user of the previous page.
 */
export const listMailedUsers = (ctx: Context, id: string, after: string, limit: number): Promise<MailedUser[]> =>
  ctx.db.many<MailedUser>(sql`
    select u.id, u.email, u.locale, a.username from users u join accounts a on a.id = u.account_id
    where u.id > ${after} and u.created_at <= (select mailed_at from announcements where id = ${id}) and ${isFunctional}
    order by u.id limit ${limit}`)

export const deleteStoredAnnouncement = (tx: Context, id: string): Promise<number> =>
  tx.db.run(sql`delete from announcements where id = ${id}`)

/** The announcements that are due to be published or taken down; `id`: only this one. */
export async function findDueAnnouncements(ctx: Context, id: string | null = null): Promise<string[]> {
  const rows = await ctx.db.many<Pick<Announcements, 'id'>>(sql`
    select n.id from announcements n
    where ((not n.published and n.scheduled_at <= now() and not ${hasEnded}) or (n.published and ${hasEnded}))
      and (${id}::bigint is null or n.id = ${id})
    limit 100`)
  return rows.map(({ id }) => id)
}

/** When it is taken down; null without an end. */
export function endOf({ ends_at: at, all_day: allDay }: Pick<AnnouncementRow, 'ends_at' | 'all_day'>): Date | null {
  return at && allDay ? addDays(at, 1) : at
}
