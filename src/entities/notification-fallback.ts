import Type, { type Static } from 'typebox'
import { detailOf, excerpt, titleOf } from '../domain/notifications/texts.ts'
import type { NotificationType } from '../domain/notifications/types.ts'
import { escapeHtml } from '../lib/html.ts'
import type { JsonText } from '../lib/json.ts'
import { htmlToText } from '../lib/sanitize.ts'
import type { Account } from './account.ts'
import { nullable } from './schema.ts'
import type { Status } from './status.ts'

/** https://docs.joinmastodon.org/entities/NotificationFallback/ : all HTML. */
export const NotificationFallback = Type.Object(
  { title: Type.String(), summary: nullable(Type.String()), details: nullable(Type.String()) },
  { $id: 'NotificationFallback' },
)
type NotificationFallback = Static<typeof NotificationFallback>

/** The longest summary, in characters. */
const LONGEST = 140

export type FallbackParts = {
  type: NotificationType
  account: JsonText<Account>
  status?: JsonText<Status> | undefined
}

/** A notification in words, for clients that do not know its type; undefined for those that do, or do not say which they know. */
export function fallbackFor(
  supported: readonly string[] | undefined,
  parts: FallbackParts,
): NotificationFallback | undefined {
  if (!supported || supported.includes(parts.type)) return undefined
  const account = JSON.parse(parts.account.toString()) as Account
  const detail = detailOf(parts.type)
  return {
    title: escapeHtml(titleOf(parts.type, account.display_name || account.username)),
    summary: parts.status ? summaryOf(JSON.parse(parts.status.toString()) as Status) : null,
    details: detail === null ? null : `<p>${escapeHtml(detail)}</p>`,
  }
}

function summaryOf(status: Status): string | null {
  const text = excerpt(status.spoiler_text || htmlToText(status.content), LONGEST)
  return text === '' ? null : `<p>${escapeHtml(text)}</p>`
}
