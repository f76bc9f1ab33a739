import type { ClientTexts } from '../../en/client/texts.ts'
import { jaClientFrame } from './frame.ts'
import { jaClientTimelines } from './timelines.ts'
import { jaClientStatuses } from './statuses.ts'
import { jaClientAccounts } from './accounts.ts'
import { jaClientNotifications } from './notifications.ts'
import { jaClientLists } from './lists.ts'
import { jaClientAppearance } from './appearance.ts'
import { jaClientOffline } from './offline.ts'

export const jaClient: ClientTexts = {
  frame: jaClientFrame,
  timelines: jaClientTimelines,
  statuses: jaClientStatuses,
  accounts: jaClientAccounts,
  notifications: jaClientNotifications,
  lists: jaClientLists,
  appearance: jaClientAppearance,
  offline: jaClientOffline,
}
