import type { ClientNotificationsTexts } from '../../en/client/notifications.ts'

export const arClientNotifications: ClientNotificationsTexts = {}
