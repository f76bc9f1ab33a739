import type { ClientOfflineTexts } from '../../en/client/offline.ts'

export const esClientOffline: ClientOfflineTexts = {}
