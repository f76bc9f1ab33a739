// The texts of areas of the web client that the first screen does not need.
import { enClientExplore } from './explore.ts'
import { enClientProfileEdit } from './profile-edit.ts'
import { enClientHashtags } from './hashtags.ts'
import { enClientPalette } from './palette.ts'
import { enClientLinked } from './linked.ts'
import { enClientCompose } from './compose.ts'
import { enClientComposeWindow } from './compose-window.ts'
import { enClientTransfer } from './transfer.ts'
import { enClientQr } from './qr.ts'
import { enClientSubscribe } from './subscribe.ts'
import { enClientFollowOptions } from './follow-options.ts'
import { enClientThreads } from './threads.ts'
import { enClientColumns } from './columns.ts'
import { enClientSearch } from './search.ts'
import { enClientUpdate } from './update.ts'

export const enClientLater = {
  explore: enClientExplore,
  profile_edit: enClientProfileEdit,
  hashtags: enClientHashtags,
  palette: enClientPalette,
  columns: enClientColumns,
  linked: enClientLinked,
  compose: enClientCompose,
  compose_window: enClientComposeWindow,
  transfer: enClientTransfer,
  qr: enClientQr,
  subscribe: enClientSubscribe,
  follow_options: enClientFollowOptions,
  threads: enClientThreads,
  search: enClientSearch,
  update: enClientUpdate,
}

export type ClientLaterTexts = typeof enClientLater
