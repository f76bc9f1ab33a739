import type { Context } from '../../context.ts'
import type { Accounts, OauthTokens, PushSubscriptions, Users } from '../../db/schema.ts'
import { sql } from '../../db/sql.ts'
import { jsonObject, type JsonText } from '../../lib/json.ts'
import { htmlToText } from '../../lib/sanitize.ts'
import type { Language } from '../../messages/message.ts'
import { standardImageUrl } from '../server/addresses.ts'
import { messageLanguage } from '../server/languages.ts'
import { reserveUses } from '../server/rate-limits.ts'
import { unseal } from '../server/secrets.ts'
import { detailOf, excerpt, senderName, shownText, titleOf } from './texts.ts'
import type { NotificationType } from './types.ts'
import { wantsPush } from './push-subscriptions.ts'
import { mayAct } from '../users/states.ts'

export type PushRow = Pick<PushSubscriptions, 'account_id' | 'endpoint' | 'p256dh' | 'auth' | 'standard'> &
  Pick<OauthTokens, 'sealed' | 'session_id'> &
  Pick<Users, 'locale'> &
  Pick<Accounts, 'username' | 'display_name' | 'note' | 'avatar_key' | 'avatar_static_key'> & {
    notification_id: string
    /** Identifies what is pushed to the subscription: the same for each notification about the same act. */
    occurrence: string
    recipient: string
    type: NotificationType
    spoiler_text: string | null
    content: string | null
  }

const MAX_BODY = 140

/**
 * Seconds for which the same is not pushed again. An account that favourites a status, follows or edits again and again causes a
 * new notification each time.
 */
const REPEAT_SECONDS = 3600

const occurrence = sql`concat_ws(' ', 'push', ps.id, n.type, n.from_account_id, n.status_id, n.subject_id)`

/** Call it once the push service has the message. */
export async function rememberPush(ctx: Context, { occurrence: key }: PushRow): Promise<void> {
  await reserveUses(ctx, key, 1, REPEAT_SECONDS)
}

/**
 * Null when the subscription or the notification is gone, the subscription does not want it by now, the notification is older
 * than `maxAge` seconds, or the same was pushed lately.
 */
export async function findPush(
  ctx: Context,
  subscriptionId: string,
  notificationId: string,
  maxAge: number,
): Promise<PushRow | null> {
  return ctx.db.maybe<PushRow>(sql`
    select ps.account_id, ps.endpoint, ps.p256dh, ps.auth, ps.standard, t.sealed, t.session_id, u.locale, a.username as recipient, n.id as notification_id, n.type, ${occurrence} as occurrence,
      fa.username, fa.display_name, fa.note, fa.avatar_key, fa.avatar_static_key, s.spoiler_text, s.content
    from push_subscriptions ps
    join oauth_tokens t on t.id = ps.token_id
    join users u on u.id = t.user_id
    join accounts a on a.id = ps.account_id and ${mayAct}
    join notifications n on n.id = ${notificationId} and ${wantsPush} and not n.filtered
      and n.created_at > now() - ${maxAge}::int * interval '1 second'
    join accounts fa on fa.id = n.from_account_id
    left join statuses s on s.id = n.status_id
    where ps.id = ${subscriptionId} and not exists (select from rate_limits r where r.key = ${occurrence} and r.expires_at > now())`)
}

/** Not encrypted yet. `tokenKey` decrypts the access token of the subscription. */
export function payloadOf(ctx: Context, row: PushRow, tokenKey: Buffer): JsonText {
  const language = messageLanguage(row.locale)
  const avatar = row.avatar_static_key ?? row.avatar_key
  return jsonObject({
    // No script may read the token of a session. Its browser may have several accounts, so that it learns whose message it is.
    ...(row.session_id === null
      ? { access_token: unseal(tokenKey, row.sealed) }
      : { access_token: '', recipient: { id: row.account_id, username: row.recipient } }),
    preferred_locale: row.locale,
    // A number, as Mastodon sends it: apps with fixed types may read no other.
    notification_id: Number(row.notification_id),
    notification_type: row.type,
    icon: avatar === null ? standardImageUrl(ctx, 'avatar') : ctx.files.url(avatar),
    title: titleOf(language, row.type, senderName(row)),
    body: bodyOf(language, row),
  })
}

/** The beginning of the status, or its content warning; without a status, of the profile. Plain text. */
function bodyOf(language: Language, { type, spoiler_text, content, note }: PushRow): string {
  const text = content === null ? (detailOf(language, type) ?? htmlToText(note)) : shownText({ spoiler_text, content })
  return excerpt(text, MAX_BODY)
}
