import type { ClientLaterTexts } from '../../en/client/later.ts'
import { jaClientExplore } from './explore.ts'
import { jaClientProfileEdit } from './profile-edit.ts'
import { jaClientHashtags } from './hashtags.ts'
import { jaClientPalette } from './palette.ts'
import { jaClientLinked } from './linked.ts'
import { jaClientCompose } from './compose.ts'
import { jaClientComposeWindow } from './compose-window.ts'
import { jaClientTransfer } from './transfer.ts'
import { jaClientQr } from './qr.ts'
import { jaClientSubscribe } from './subscribe.ts'
import { jaClientFollowOptions } from './follow-options.ts'
import { jaClientThreads } from './threads.ts'
import { jaClientColumns } from './columns.ts'
import { jaClientSearch } from './search.ts'
import { jaClientUpdate } from './update.ts'

export const jaClientLater: ClientLaterTexts = {
  explore: jaClientExplore,
  profile_edit: jaClientProfileEdit,
  hashtags: jaClientHashtags,
  palette: jaClientPalette,
  columns: jaClientColumns,
  linked: jaClientLinked,
  compose: jaClientCompose,
  compose_window: jaClientComposeWindow,
  transfer: jaClientTransfer,
  qr: jaClientQr,
  subscribe: jaClientSubscribe,
  follow_options: jaClientFollowOptions,
  threads: jaClientThreads,
  search: jaClientSearch,
  update: jaClientUpdate,
}
