import './styles/base.css'
import { render } from 'preact'
import { App } from './app/app.tsx'
import { loadIdentity } from './state/me.ts'
import { homeTimeline } from './timelines/home.tsx'
import { restoreReading } from './timelines/reading-position.ts'
import { timelineOf } from './timelines/timelines.ts'
import { loadTexts, texts } from './texts.ts'
import { withTexts } from './ui/lazy.tsx'
import { loadCode } from './ui/load-code.ts'
import { Failed } from './ui/state-message.tsx'

history.scrollRestoration = 'manual'

/** The addresses of the home timeline. */
const HOME = /^\/(?:home)?$/

async function start(root: HTMLElement): Promise<void> {
  const identified = loadIdentity().then(
    () => null,
    (error: unknown) => ({ error }),
  )
  const restored = restoreReading(homeTimeline).then(() => {
    // Its request goes out beside those of the identity.
    if (HOME.test(location.pathname)) timelineOf(homeTimeline).prepare()
  })
  await Promise.all([loadTexts(), restored])
  const failed = await identified
  if (failed) render(<Failed error={failed.error} retry={() => location.reload()} />, root)
  else render(<App />, root)
  document.title ||= texts.frame.home
  // After the first paint.
  requestAnimationFrame(() => setTimeout(() => void startService()))
}

async function startService(): Promise<void> {
  try {
    // The service worker stores the texts that the page has loaded by then.
    const { startOffline } = await loadCode(() => withTexts(() => import('./offline/service.ts')))
    startOffline()
  } catch (error) {
    console.warn(error)
  }
}

/** Safari has all that the client needs since 17.4, Firefox since 125. The pages of the server need less. */
const isSupported = 'showPopover' in HTMLElement.prototype && 'any' in AbortSignal

function openServerPage(): void {
  const address = new URL(location.href)
  // Without a network, the service worker answers with the stored shell, which would ask again and again.
  if (address.searchParams.has('client')) return
  address.searchParams.set('client', 'off')
  location.replace(address)
}

const root = document.getElementById('app')
if (!isSupported) openServerPage()
else if (root) void start(root)
