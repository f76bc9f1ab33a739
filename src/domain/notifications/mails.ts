// Mails about notifications that a user has not read.
import type { Context } from '../../context.ts'
import type { Accounts, Users } from '../../db/schema.ts'
import { sql } from '../../db/sql.ts'
import { isId } from '../../lib/ids.ts'
import type { Language } from '../../messages/message.ts'
import { isSignature, signatureOf } from '../server/secrets.ts'
import { isFunctional } from '../users/states.ts'
import { excerpt, senderName, shownText, titleOf } from './texts.ts'
import type { NotificationType } from './types.ts'
import { colonOf } from '../../messages/colon.ts'

/** The types of notifications about which users can choose to receive mails. */
export const MAILED_TYPES = [
  'mention',
  'quote',
  'follow',
  'follow_request',
  'reblog',
  'favourite',
] as const satisfies readonly NotificationType[]
export type MailedType = (typeof MAILED_TYPES)[number]

/** Minutes after the last use of the server from which a user counts as away. */
const AWAY_MINUTES = 30

export type MailedUser = Pick<Users, 'id' | 'account_id' | 'email' | 'locale' | 'notifications_mailed_id'> &
  Pick<Accounts, 'username'> & { types: MailedType[] }

/** Users who chose such mails and are away, in the order of their ids, after `after`. */
export const listUsersToMail = (ctx: Context, after: string, limit: number): Promise<MailedUser[]> =>
  ctx.db.many<MailedUser>(sql`
    select u.id, u.account_id, u.email, u.locale, u.notifications_mailed_id, a.username, u.settings -> 'notification_mails' as types
    from users u join accounts a on a.id = u.account_id
    where u.settings -> 'notification_mails' <> '[]'::jsonb and ${isFunctional} and u.id > ${after}
      and (u.last_active_at is null or u.last_active_at < now() - make_interval(mins => ${AWAY_MINUTES}::int))
    order by u.id limit ${limit}`)

const MAX_TEXT = 140

/** A line for each notification, in the order of `ids`: who did what, and the beginning of the post or its content warning. */
export async function describeNotifications(
  ctx: Context,
  language: Language,
  ids: readonly string[],
): Promise<string[]> {
  type Row = Pick<Accounts, 'username' | 'display_name'> & {
    type: NotificationType
    spoiler_text: string | null
    content: string | null
  }
  const rows = await ctx.db.many<Row>(sql`
    select n.type, fa.username, fa.display_name, s.spoiler_text, s.content
    from unnest(${ids}::bigint[]) with ordinality as wanted (id, position) join notifications n on n.id = wanted.id
    join accounts fa on fa.id = n.from_account_id left join statuses s on s.id = n.status_id order by wanted.position`)
  return rows.map(({ content, ...row }) => {
    const title = titleOf(language, row.type, senderName(row))
    const text = content === null ? '' : excerpt(shownText({ ...row, content }), MAX_TEXT)
    return text === '' ? title : `${title}${colonOf(language)}${text}`
  })
}

/** Ends these mails without a session. It works for as long as the user exists, since mails are read late. */
export const unsubscribeUrl = (ctx: Context, userId: string): string =>
  `${ctx.config.baseUrl}/unsubscribe?token=${userId}.${signatureOf(ctx, signedText(userId))}`

/** The user whose mails the token of such an address ends; null for any other text. */
export function userOfUnsubscribeToken(ctx: Context, token: string): string | null {
  const [userId = '', signature = ''] = token.split('.')
  return isId(userId) && isSignature(ctx, signedText(userId), signature) ? userId : null
}

const signedText = (userId: string): string => `unsubscribe notifications ${userId}`

/** False when another clean-up has mailed the user since `user` was read. */
export async function markMailed(tx: Context, user: MailedUser, notificationId: string): Promise<boolean> {
  const marked = await tx.db.run(sql`
    update users set notifications_mailed_id = ${notificationId}
    where id = ${user.id} and notifications_mailed_id is not distinct from ${user.notifications_mailed_id}::bigint`)
  return marked > 0
}
