import type { ClientLaterTexts } from '../../en/client/later.ts'
import { deClientExplore } from './explore.ts'
import { deClientProfileEdit } from './profile-edit.ts'
import { deClientHashtags } from './hashtags.ts'
import { deClientPalette } from './palette.ts'
import { deClientLinked } from './linked.ts'
import { deClientCompose } from './compose.ts'
import { deClientComposeWindow } from './compose-window.ts'
import { deClientTransfer } from './transfer.ts'
import { deClientQr } from './qr.ts'
import { deClientSubscribe } from './subscribe.ts'
import { deClientFollowOptions } from './follow-options.ts'
import { deClientThreads } from './threads.ts'
import { deClientColumns } from './columns.ts'
import { deClientSearch } from './search.ts'
import { deClientUpdate } from './update.ts'

export const deClientLater: ClientLaterTexts = {
  explore: deClientExplore,
  profile_edit: deClientProfileEdit,
  hashtags: deClientHashtags,
  palette: deClientPalette,
  columns: deClientColumns,
  linked: deClientLinked,
  compose: deClientCompose,
  compose_window: deClientComposeWindow,
  transfer: deClientTransfer,
  qr: deClientQr,
  subscribe: deClientSubscribe,
  follow_options: deClientFollowOptions,
  threads: deClientThreads,
  search: deClientSearch,
  update: deClientUpdate,
}
