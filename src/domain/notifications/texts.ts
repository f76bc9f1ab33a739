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
