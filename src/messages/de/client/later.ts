import type { ClientLaterTexts } from '../../en/client/later.ts'
import { deClientExplore } from './explore.ts'
import { deClientProfileEdit } from './profile-edit.ts'
import { deClientHashtags } from './hashtags.ts'
import { deClientLinked } from './linked.ts'
import { deClientComposeWindow } from './compose-window.ts'
import { deClientTransfer } from './transfer.ts'
import { deClientColumns } from './columns.ts'
import { deClientSearch } from './search.ts'

export const deClientLater: ClientLaterTexts = {
  explore: deClientExplore,
  profile_edit: deClientProfileEdit,
  hashtags: deClientHashtags,
  columns: deClientColumns,
  linked: deClientLinked,
  compose_window: deClientComposeWindow,
  transfer: deClientTransfer,
  search: deClientSearch,
}
