import type { ClientLaterTexts } from '../../en/client/later.ts'
import { jaClientExplore } from './explore.ts'
import { jaClientProfileEdit } from './profile-edit.ts'
import { jaClientSearch } from './search.ts'

export const jaClientLater: ClientLaterTexts = {
  explore: jaClientExplore,
  profile_edit: jaClientProfileEdit,
  search: jaClientSearch,
}
