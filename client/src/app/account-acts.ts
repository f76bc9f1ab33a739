// Acts on the account that this browser uses, with their errors. Their code is loaded when they are used.
import { signal } from '@preact/signals'
import { identity } from '../state/me.ts'
import { otherAccounts } from '../state/other-accounts.ts'
import { texts } from '../texts.ts'
import { showError } from '../ui/toasts.tsx'

/** Until the page of the other account is asked for. */
export const isSwitching = signal(false)

export async function switchTo(id: string): Promise<void> {
  if (isSwitching.value) return
  isSwitching.value = true
  try {
    const { switchAccount } = await import('../offline/current-account.ts')
    await switchAccount(id)
  } catch (error) {
    showError(error)
  } finally {
    isSwitching.value = false
  }
}

/** Names the account where the browser has others. */
export const signOutLabel = (): string =>
  otherAccounts.value.length > 0
    ? texts.offline.sign_out_of({ handle: identity.value?.me.username ?? '' })
    : texts.offline.sign_out

export async function signOutHere(): Promise<void> {
  try {
    const { signOut } = await import('../offline/sign-out.ts')
    await signOut()
  } catch (error) {
    showError(error)
  }
}
