import type { ClientTexts } from '../../en/client/texts.ts'
import { frClientFrame } from './frame.ts'
import { frClientTimelines } from './timelines.ts'
import { frClientStatuses } from './statuses.ts'
import { frClientCompose } from './compose.ts'
import { frClientAccounts } from './accounts.ts'
import { frClientProfileEdit } from './profile-edit.ts'
import { frClientNotifications } from './notifications.ts'
import { frClientExplore } from './explore.ts'
import { frClientLists } from './lists.ts'
import { frClientSearch } from './search.ts'
import { frClientAppearance } from './appearance.ts'
import { frClientOffline } from './offline.ts'

export const frClient: ClientTexts = {
  frame: frClientFrame,
  timelines: frClientTimelines,
  statuses: frClientStatuses,
  compose: frClientCompose,
  accounts: frClientAccounts,
  profile_edit: frClientProfileEdit,
  notifications: frClientNotifications,
  explore: frClientExplore,
  lists: frClientLists,
  search: frClientSearch,
  appearance: frClientAppearance,
  offline: frClientOffline,
}
