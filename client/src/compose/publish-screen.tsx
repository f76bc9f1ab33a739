// `/publish` and `/share?title&text&url`: the composer over the home timeline; `/drafts`: the drafts. `/publish?window&draft` is the
// window for one draft.
import { useLocation } from 'preact-iso'
import { useEffect, useRef } from 'preact/hooks'
import { texts } from '../texts.ts'
import { Page } from '../ui/page.tsx'
import { Loading } from '../ui/state-message.tsx'
import { showDrafts } from './drafts-dialog.tsx'
import { composeRequest, openComposer, type ComposeRequest } from './open.ts'
import { isComposeWindow, openReleased } from './pop-out.ts'

export function PublishScreen() {
  const { path, query, route } = useLocation()
  const isWindow = isComposeWindow()
  useEffect(() => {
    if (isWindow) return
    if (path === '/drafts') showDrafts()
    else openComposer(contentOf(path, query))
    route('/home', true)
  }, [])
  return isWindow ? <ComposeWindow draft={query['draft'] ?? ''} /> : <Loading />
}

/** The stylesheet gives the composer all of it. It closes with the composer. */
function ComposeWindow({ draft }: { draft: string }) {
  const { route } = useLocation()
  const isOpen = composeRequest.value !== null
  const wasOpen = useRef(false)
  useEffect(() => {
    const { classList } = document.documentElement
    classList.add('compose-window')
    void openReleased(draft)
    return () => classList.remove('compose-window')
  }, [])
  useEffect(() => {
    if (!isOpen && wasOpen.current) {
      close()
      // Browsers close only what a script has opened.
      route('/home', true)
    }
    wasOpen.current = isOpen
  }, [isOpen])
  return (
    <Page title={texts.frame.compose} isTop>
      <Loading />
    </Page>
  )
}

function contentOf(path: string, query: Record<string, string>): ComposeRequest {
  const parts = path === '/share' ? [query['title'], query['text'], query['url']] : [query['text']]
  const text = [...new Set(parts.filter(Boolean))].join('\n\n')
  return text ? { text } : {}
}
