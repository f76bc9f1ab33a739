import type { ClientTexts } from '../../en/client/texts.ts'
import { jaClientFrame } from './frame.ts'
import { jaClientTimelines } from './timelines.ts'
import { jaClientStatuses } from './statuses.ts'
import { jaClientCompose } from './compose.ts'
import { jaClientAccounts } from './accounts.ts'
import { jaClientProfileEdit } from './profile-edit.ts'
import { jaClientNotifications } from './notifications.ts'
import { jaClientExplore } from './explore.ts'
import { jaClientLists } from './lists.ts'
import { jaClientSearch } from './search.ts'
import { jaClientAppearance } from './appearance.ts'
import { jaClientOffline } from './offline.ts'

export const jaClient: ClientTexts = {
  frame: jaClientFrame,
  timelines: jaClientTimelines,
  statuses: jaClientStatuses,
  compose: jaClientCompose,
  accounts: jaClientAccounts,
  profile_edit: jaClientProfileEdit,
  notifications: jaClientNotifications,
  explore: jaClientExplore,
  lists: jaClientLists,
  search: jaClientSearch,
  appearance: jaClientAppearance,
  offline: jaClientOffline,
}
