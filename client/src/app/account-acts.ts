// Acts on the account that this browser uses, with their errors. Their code is loaded when they are used.
import { showError } from '../ui/toasts.tsx'

export async function switchTo(id: string): Promise<void> {
  try {
    const { switchAccount } = await import('../offline/current-account.ts')
    await switchAccount(id)
  } catch (error) {
    showError(error)
  }
}

export async function signOutHere(): Promise<void> {
  try {
    const { signOut } = await import('../offline/sign-out.ts')
    await signOut()
  } catch (error) {
    showError(error)
  }
}
