import type { ClientTexts } from '../../en/client/texts.ts'
import { arClientFrame } from './frame.ts'
import { arClientTimelines } from './timelines.ts'
import { arClientStatuses } from './statuses.ts'
import { arClientAccounts } from './accounts.ts'
import { arClientNotifications } from './notifications.ts'
import { arClientLists } from './lists.ts'
import { arClientAppearance } from './appearance.ts'
import { arClientOffline } from './offline.ts'

export const arClient: ClientTexts = {
  frame: arClientFrame,
  timelines: arClientTimelines,
  statuses: arClientStatuses,
  accounts: arClientAccounts,
  notifications: arClientNotifications,
  lists: arClientLists,
  appearance: arClientAppearance,
  offline: arClientOffline,
}
