import type { ClientLaterTexts } from '../../en/client/later.ts'
import { frClientExplore } from './explore.ts'
import { frClientProfileEdit } from './profile-edit.ts'
import { frClientHashtags } from './hashtags.ts'
import { frClientPalette } from './palette.ts'
import { frClientLinked } from './linked.ts'
import { frClientCompose } from './compose.ts'
import { frClientComposeWindow } from './compose-window.ts'
import { frClientTransfer } from './transfer.ts'
import { frClientQr } from './qr.ts'
import { frClientSubscribe } from './subscribe.ts'
import { frClientFollowOptions } from './follow-options.ts'
import { frClientThreads } from './threads.ts'
import { frClientColumns } from './columns.ts'
import { frClientSearch } from './search.ts'
import { frClientUpdate } from './update.ts'

export const frClientLater: ClientLaterTexts = {
  explore: frClientExplore,
  profile_edit: frClientProfileEdit,
  hashtags: frClientHashtags,
  palette: frClientPalette,
  columns: frClientColumns,
  linked: frClientLinked,
  compose: frClientCompose,
  compose_window: frClientComposeWindow,
  transfer: frClientTransfer,
  qr: frClientQr,
  subscribe: frClientSubscribe,
  follow_options: frClientFollowOptions,
  threads: frClientThreads,
  search: frClientSearch,
  update: frClientUpdate,
}
