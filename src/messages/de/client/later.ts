import type { ClientLaterTexts } from '../../en/client/later.ts'
import { deClientExplore } from './explore.ts'
import { deClientProfileEdit } from './profile-edit.ts'
import { deClientSearch } from './search.ts'

export const deClientLater: ClientLaterTexts = {
  explore: deClientExplore,
  profile_edit: deClientProfileEdit,
  search: deClientSearch,
}
