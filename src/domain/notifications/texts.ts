import type { Language } from '../../messages/message.ts'
import { NOTIFICATIONS_IN } from '../../messages/notifications.ts'
import type { NotificationType } from './types.ts'

/** The title of a notification that the account `name` caused, as plain text. */
export function titleOf(language: Language, type: NotificationType, name: string): string {
  const titles: Record<NotificationType, (params: { name: string }) => string> = NOTIFICATIONS_IN[language].titles
  return titles[type]({ name })
}

/** A sentence more about a notification, as plain text; null where its post or profile says enough. */
export function detailOf(language: Language, type: NotificationType): string | null {
  const details: Partial<Record<NotificationType, string>> = NOTIFICATIONS_IN[language].details
  return details[type] ?? null
}

/** The beginning of a text, on one line, with `…` where the text was cut: at most `limit` characters. */
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
