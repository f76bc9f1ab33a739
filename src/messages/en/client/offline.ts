export const enClientOffline = {}

export type ClientOfflineTexts = typeof enClientOffline
