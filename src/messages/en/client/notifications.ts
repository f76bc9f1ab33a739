export const enClientNotifications = {}

export type ClientNotificationsTexts = typeof enClientNotifications
