// The texts of the web client: one object per area. `{name}` marks where a component inserts markup.
import { enClientFrame } from './frame.ts'
import { enClientTimelines } from './timelines.ts'
import { enClientStatuses } from './statuses.ts'
import { enClientCompose } from './compose.ts'
import { enClientAccounts } from './accounts.ts'
import { enClientProfileEdit } from './profile-edit.ts'
import { enClientNotifications } from './notifications.ts'
import { enClientExplore } from './explore.ts'
import { enClientLists } from './lists.ts'
import { enClientSearch } from './search.ts'
import { enClientAppearance } from './appearance.ts'
import { enClientOffline } from './offline.ts'

export const enClient = {
  frame: enClientFrame,
  timelines: enClientTimelines,
  statuses: enClientStatuses,
  compose: enClientCompose,
  accounts: enClientAccounts,
  profile_edit: enClientProfileEdit,
  notifications: enClientNotifications,
  explore: enClientExplore,
  lists: enClientLists,
  search: enClientSearch,
  appearance: enClientAppearance,
  offline: enClientOffline,
}

export type ClientTexts = typeof enClient
