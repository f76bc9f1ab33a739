import { showError } from './toasts.tsx'

/** Offers the device's own ways to share. Not every browser has them. */
export async function share(data: ShareData): Promise<void> {
  try {
    await navigator.share(data)
  } catch (error) {
    // Closing the device's dialog is no failure.
    if (!(error instanceof DOMException && error.name === 'AbortError')) showError(error)
  }
}
