import { BlockDomainDialog } from './block-domain-dialog.tsx'
import { FollowOptionsDialog } from './follow-options-dialog.tsx'
import { ListsDialog } from './lists-dialog.tsx'
import { MuteDialog } from './mute-dialog.tsx'
import { QrDialog } from './qr-dialog.tsx'
import { SubscribeDialog } from './subscribe-dialog.tsx'
import type { AccountDialogKind, AccountDialogRequest } from './open.ts'

const DIALOGS: Record<AccountDialogKind, typeof MuteDialog> = {
  follow: FollowOptionsDialog,
  mute: MuteDialog,
  domain: BlockDomainDialog,
  lists: ListsDialog,
  qr: QrDialog,
  subscribe: SubscribeDialog,
}

export function AccountDialog({ request: { kind, account } }: { request: AccountDialogRequest }) {
  const Shown = DIALOGS[kind]
  return <Shown key={`${kind} ${account.id}`} account={account} />
}
