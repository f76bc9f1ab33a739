import type { ClientTexts } from '../../en/client/texts.ts'
import { esClientFrame } from './frame.ts'
import { esClientTimelines } from './timelines.ts'
import { esClientStatuses } from './statuses.ts'
import { esClientCompose } from './compose.ts'
import { esClientAccounts } from './accounts.ts'
import { esClientProfileEdit } from './profile-edit.ts'
import { esClientNotifications } from './notifications.ts'
import { esClientExplore } from './explore.ts'
import { esClientLists } from './lists.ts'
import { esClientSearch } from './search.ts'
import { esClientAppearance } from './appearance.ts'
import { esClientOffline } from './offline.ts'

export const esClient: ClientTexts = {
  frame: esClientFrame,
  timelines: esClientTimelines,
  statuses: esClientStatuses,
  compose: esClientCompose,
  accounts: esClientAccounts,
  profile_edit: esClientProfileEdit,
  notifications: esClientNotifications,
  explore: esClientExplore,
  lists: esClientLists,
  search: esClientSearch,
  appearance: esClientAppearance,
  offline: esClientOffline,
}
