import type { Context } from '../../context.ts'
import { jsonObject, type Json } from '../../lib/json.ts'
import { htmlToText } from '../../lib/sanitize.ts'
import { assetUrl } from '../server/addresses.ts'
import { unseal } from '../server/secrets.ts'
import { detailOf, excerpt, titleOf } from './texts.ts'
import type { NotificationType } from './types.ts'

/** A subscription, and a notification with its sender and post. */
export type PushRow = {
  account_id: string
  endpoint: string
  p256dh: string
  auth: string
  standard: boolean
  sealed: Buffer
  locale: string
  notification_id: string
  type: NotificationType
  username: string
  display_name: string
  note: string
  avatar_key: string | null
  avatar_static_key: string | null
  spoiler_text: string | null
  content: string | null
}

const LONGEST_BODY = 140
/** Names of other servers may be of any length, and a push has little room. */
const LONGEST_NAME = 60

/** What a device is told, before it is encrypted. `tokenKey` opens the token that it is told with. */
export function payloadOf(ctx: Context, row: PushRow, tokenKey: Buffer): Json {
  const picture = row.avatar_static_key ?? row.avatar_key
  return jsonObject({
    access_token: unseal(tokenKey, row.sealed),
    preferred_locale: row.locale,
    notification_id: row.notification_id,
    notification_type: row.type,
    icon: picture === null ? assetUrl(ctx, 'avatar.png') : ctx.files.url(picture),
    title: titleOf(row.type, excerpt(row.display_name || row.username, LONGEST_NAME)),
    body: bodyOf(row),
  })
}

/** The beginning of the post, or its warning only; without a post, of the profile. Plain text. */
function bodyOf({ type, spoiler_text, content, note }: PushRow): string {
  const text = content === null ? (detailOf(type) ?? htmlToText(note)) : spoiler_text || htmlToText(content)
  return excerpt(text, LONGEST_BODY)
}
