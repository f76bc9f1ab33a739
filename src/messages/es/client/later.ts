import type { ClientLaterTexts } from '../../en/client/later.ts'
import { esClientExplore } from './explore.ts'
import { esClientProfileEdit } from './profile-edit.ts'
import { esClientHashtags } from './hashtags.ts'
import { esClientPalette } from './palette.ts'
import { esClientLinked } from './linked.ts'
import { esClientCompose } from './compose.ts'
import { esClientComposeWindow } from './compose-window.ts'
import { esClientTransfer } from './transfer.ts'
import { esClientQr } from './qr.ts'
import { esClientSubscribe } from './subscribe.ts'
import { esClientFollowOptions } from './follow-options.ts'
import { esClientThreads } from './threads.ts'
import { esClientColumns } from './columns.ts'
import { esClientSearch } from './search.ts'
import { esClientUpdate } from './update.ts'

export const esClientLater: ClientLaterTexts = {
  explore: esClientExplore,
  profile_edit: esClientProfileEdit,
  hashtags: esClientHashtags,
  palette: esClientPalette,
  columns: esClientColumns,
  linked: esClientLinked,
  compose: esClientCompose,
  compose_window: esClientComposeWindow,
  transfer: esClientTransfer,
  qr: esClientQr,
  subscribe: esClientSubscribe,
  follow_options: esClientFollowOptions,
  threads: esClientThreads,
  search: esClientSearch,
  update: esClientUpdate,
}
