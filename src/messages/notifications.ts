import { arNotifications } from './ar/notifications.ts'
import { deNotifications } from './de/notifications.ts'
import { enNotifications, type NotificationTexts } from './en/notifications.ts'
import { esNotifications } from './es/notifications.ts'
import { frNotifications } from './fr/notifications.ts'
import { jaNotifications } from './ja/notifications.ts'
import type { Language } from './message.ts'

export const NOTIFICATIONS_IN: Record<Language, NotificationTexts> = {
  ar: arNotifications,
  de: deNotifications,
  en: enNotifications,
  es: esNotifications,
  fr: frNotifications,
  ja: jaNotifications,
}
