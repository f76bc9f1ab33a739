// Installing the client as an app, where the browser offers it.
import { signal } from '@preact/signals'

/** https://developer.mozilla.org/docs/Web/API/BeforeInstallPromptEvent */
type InstallPrompt = Event & { prompt(): Promise<unknown> }

/** Null while the browser does not offer it. */
export const installPrompt = signal<InstallPrompt | null>(null)

addEventListener('beforeinstallprompt', (event) => {
  event.preventDefault()
  installPrompt.value = event as InstallPrompt
})
addEventListener('appinstalled', () => (installPrompt.value = null))

export async function install(): Promise<void> {
  const offered = installPrompt.value
  installPrompt.value = null
  await offered?.prompt()
}
