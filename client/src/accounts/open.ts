// Opens a dialog about an account over any screen: `openAccountDialog('mute', account)`.
import { signal } from '@preact/signals'
import type { Account } from '../api/entities.ts'

export type AccountDialogKind = 'follow' | 'mute' | 'domain' | 'lists' | 'qr' | 'subscribe'

export type AccountDialogRequest = { kind: AccountDialogKind; account: Account }

/** Null while none is open. */
export const accountDialog = signal<AccountDialogRequest | null>(null)

export function openAccountDialog(kind: AccountDialogKind, account: Account): void {
  accountDialog.value = { kind, account }
}

export function closeAccountDialog(): void {
  accountDialog.value = null
}
