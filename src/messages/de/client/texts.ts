import type { ClientTexts } from '../../en/client/texts.ts'
import { deClientFrame } from './frame.ts'
import { deClientTimelines } from './timelines.ts'
import { deClientStatuses } from './statuses.ts'
import { deClientAccounts } from './accounts.ts'
import { deClientNotifications } from './notifications.ts'
import { deClientLists } from './lists.ts'
import { deClientAppearance } from './appearance.ts'
import { deClientOffline } from './offline.ts'

export const deClient: ClientTexts = {
  frame: deClientFrame,
  timelines: deClientTimelines,
  statuses: deClientStatuses,
  accounts: deClientAccounts,
  notifications: deClientNotifications,
  lists: deClientLists,
  appearance: deClientAppearance,
  offline: deClientOffline,
}
