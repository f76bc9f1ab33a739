// The texts of the web client: one object per area. `{name}` marks where a component inserts markup. Those of areas that are loaded on
// demand are in later.ts.
import { enClientFrame } from './frame.ts'
import { enClientTimelines } from './timelines.ts'
import { enClientStatuses } from './statuses.ts'
import { enClientAccounts } from './accounts.ts'
import { enClientNotifications } from './notifications.ts'
import { enClientLists } from './lists.ts'
import { enClientAppearance } from './appearance.ts'
import { enClientOffline } from './offline.ts'

export const enClient = {
  frame: enClientFrame,
  timelines: enClientTimelines,
  statuses: enClientStatuses,
  accounts: enClientAccounts,
  notifications: enClientNotifications,
  lists: enClientLists,
  appearance: enClientAppearance,
  offline: enClientOffline,
}

export type ClientTexts = typeof enClient
