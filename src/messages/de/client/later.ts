import type { ClientLaterTexts } from '../../en/client/later.ts'
import { deClientExplore } from './explore.ts'
import { deClientProfileEdit } from './profile-edit.ts'
import { deClientHashtags } from './hashtags.ts'
import { deClientLinked } from './linked.ts'
import { deClientColumns } from './columns.ts'
import { deClientSearch } from './search.ts'

export const deClientLater: ClientLaterTexts = {
  explore: deClientExplore,
  profile_edit: deClientProfileEdit,
  hashtags: deClientHashtags,
  columns: deClientColumns,
  linked: deClientLinked,
  search: deClientSearch,
}
