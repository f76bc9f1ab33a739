// The texts of areas of the web client that the first screen does not need.
import { enClientExplore } from './explore.ts'
import { enClientProfileEdit } from './profile-edit.ts'
import { enClientHashtags } from './hashtags.ts'
import { enClientLinked } from './linked.ts'
import { enClientComposeWindow } from './compose-window.ts'
import { enClientTransfer } from './transfer.ts'
import { enClientColumns } from './columns.ts'
import { enClientSearch } from './search.ts'

export const enClientLater = {
  explore: enClientExplore,
  profile_edit: enClientProfileEdit,
  hashtags: enClientHashtags,
  columns: enClientColumns,
  linked: enClientLinked,
  compose_window: enClientComposeWindow,
  transfer: enClientTransfer,
  search: enClientSearch,
}

export type ClientLaterTexts = typeof enClientLater
