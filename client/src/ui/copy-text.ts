import { texts } from '../texts.ts'
import { showError, showToast } from './toasts.tsx'

export async function copyText(text: string, done = texts.accounts.copied): Promise<void> {
  try {
    // Browsers have it in secure contexts only.
    await navigator.clipboard.writeText(text)
    showToast(done)
  } catch (error) {
    showError(error)
  }
}
