// `/publish` and `/share?title&text&url`: the composer over the home timeline; `/share?stored`: with what the service worker has stored;
// `/drafts`: the drafts. `/publish?window&draft` is the window for one draft.
import { useLocation } from 'preact-iso'
import { useEffect, useRef } from 'preact/hooks'
import { texts } from '../texts.ts'
import { Page } from '../ui/page.tsx'
import { Loading } from '../ui/state-message.tsx'
import { showToast } from '../ui/toasts.tsx'
import { showDrafts } from './drafts-dialog.tsx'
import { composeRequest, openComposer, type ComposeRequest } from './open.ts'
import { isComposeWindow, openReleased } from './pop-out.ts'
import { takeShared } from './shared.ts'

export function PublishScreen() {
  const { path, query, route } = useLocation()
  const isWindow = isComposeWindow()
  useEffect(() => {
    if (isWindow) return
    if (path === '/drafts') showDrafts()
    else if (path === '/share' && 'stored' in query) void openShared()
    else if (path === '/share') openComposer(shared(query['title'], query['text'], query['url']))
    else openComposer(query['text'] ? { text: query['text'] } : {})
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

async function openShared(): Promise<void> {
  const form = await takeShared()
  if (!form) showToast(texts.compose.file_gone)
  const textOf = (name: string) => form?.getAll(name).find((value) => typeof value === 'string')
  const files = form?.getAll('files').filter((value) => value instanceof File) ?? []
  openComposer({ ...shared(textOf('title'), textOf('text'), textOf('url')), ...(files.length > 0 ? { files } : {}) })
}

function shared(...parts: (string | undefined)[]): ComposeRequest {
  const text = [...new Set(parts.filter(Boolean))].join('\n\n')
  return text ? { text } : {}
}
