import type { ClientOfflineTexts } from '../../en/client/offline.ts'

export const arClientOffline: ClientOfflineTexts = {}
