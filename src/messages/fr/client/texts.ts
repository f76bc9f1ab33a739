import type { ClientTexts } from '../../en/client/texts.ts'
import { frClientFrame } from './frame.ts'
import { frClientTimelines } from './timelines.ts'
import { frClientStatuses } from './statuses.ts'
import { frClientAccounts } from './accounts.ts'
import { frClientNotifications } from './notifications.ts'
import { frClientLists } from './lists.ts'
import { frClientAppearance } from './appearance.ts'
import { frClientOffline } from './offline.ts'

export const frClient: ClientTexts = {
  frame: frClientFrame,
  timelines: frClientTimelines,
  statuses: frClientStatuses,
  accounts: frClientAccounts,
  notifications: frClientNotifications,
  lists: frClientLists,
  appearance: frClientAppearance,
  offline: frClientOffline,
}
