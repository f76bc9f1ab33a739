import type { ClientTexts } from '../../en/client/texts.ts'
import { esClientFrame } from './frame.ts'
import { esClientTimelines } from './timelines.ts'
import { esClientStatuses } from './statuses.ts'
import { esClientAccounts } from './accounts.ts'
import { esClientNotifications } from './notifications.ts'
import { esClientLists } from './lists.ts'
import { esClientAppearance } from './appearance.ts'
import { esClientOffline } from './offline.ts'

export const esClient: ClientTexts = {
  frame: esClientFrame,
  timelines: esClientTimelines,
  statuses: esClientStatuses,
  accounts: esClientAccounts,
  notifications: esClientNotifications,
  lists: esClientLists,
  appearance: esClientAppearance,
  offline: esClientOffline,
}
