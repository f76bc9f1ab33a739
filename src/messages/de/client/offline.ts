import type { ClientOfflineTexts } from '../../en/client/offline.ts'

export const deClientOffline: ClientOfflineTexts = {}
