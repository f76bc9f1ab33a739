import type { ClientLaterTexts } from '../../en/client/later.ts'
import { arClientExplore } from './explore.ts'
import { arClientProfileEdit } from './profile-edit.ts'
import { arClientHashtags } from './hashtags.ts'
import { arClientPalette } from './palette.ts'
import { arClientLinked } from './linked.ts'
import { arClientCompose } from './compose.ts'
import { arClientComposeWindow } from './compose-window.ts'
import { arClientTransfer } from './transfer.ts'
import { arClientQr } from './qr.ts'
import { arClientSubscribe } from './subscribe.ts'
import { arClientFollowOptions } from './follow-options.ts'
import { arClientThreads } from './threads.ts'
import { arClientColumns } from './columns.ts'
import { arClientSearch } from './search.ts'
import { arClientUpdate } from './update.ts'

export const arClientLater: ClientLaterTexts = {
  explore: arClientExplore,
  profile_edit: arClientProfileEdit,
  hashtags: arClientHashtags,
  palette: arClientPalette,
  columns: arClientColumns,
  linked: arClientLinked,
  compose: arClientCompose,
  compose_window: arClientComposeWindow,
  transfer: arClientTransfer,
  qr: arClientQr,
  subscribe: arClientSubscribe,
  follow_options: arClientFollowOptions,
  threads: arClientThreads,
  search: arClientSearch,
  update: arClientUpdate,
}
