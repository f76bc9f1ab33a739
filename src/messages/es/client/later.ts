import type { ClientLaterTexts } from '../../en/client/later.ts'
import { esClientExplore } from './explore.ts'
import { esClientProfileEdit } from './profile-edit.ts'
import { esClientSearch } from './search.ts'

export const esClientLater: ClientLaterTexts = {
  explore: esClientExplore,
  profile_edit: esClientProfileEdit,
  search: esClientSearch,
}
