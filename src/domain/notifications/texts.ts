import { htmlToText } from '../../lib/sanitize.ts'
import type { Language } from '../../messages/message.ts'
import { NOTIFICATIONS_IN } from '../../messages/notifications.ts'
import type { NotificationType } from './types.ts'

export function titleOf(language: Language, type: NotificationType, name: string): string {
  const titles: Record<NotificationType, (params: { name: string }) => string> = NOTIFICATIONS_IN[language].titles
  return titles[type]({ name })
}

/** Null where the post or profile says enough. */
export function detailOf(language: Language, type: NotificationType): string | null {
  const details: Partial<Record<NotificationType, string>> = NOTIFICATIONS_IN[language].details
  return details[type] ?? null
}

/** Remote names may be of any length. */
const MAX_NAME = 60

export const senderName = (sender: { username: string; display_name: string }): string =>
  excerpt(sender.display_name || sender.username, MAX_NAME)

/** What a notification shows of a status, before it is shortened: the content warning, or the content as plain text. */
export const shownText = (status: { spoiler_text: string | null; content: string }): string =>
  status.spoiler_text || htmlToText(status.content)

/** On one line and at most `limit` characters long, including the `…` where the text was cut. */
export function excerpt(text: string, limit: number): string {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  const characters = [...line]
  return characters.length > limit
    ? `${characters
        .slice(0, limit - 1)
        .join('')
        .trimEnd()}…`
    : line
}
