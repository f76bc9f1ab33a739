// `/publish` and `/share?title&text&url`: the composer over the home timeline; `/drafts`: the drafts.
import { useLocation } from 'preact-iso'
import { useEffect } from 'preact/hooks'
import { Loading } from '../ui/state-message.tsx'
import { showDrafts } from './drafts-dialog.tsx'
import { openComposer, type ComposeRequest } from './open.ts'

export function PublishScreen() {
  const { path, query, route } = useLocation()
  useEffect(() => {
    if (path === '/drafts') showDrafts()
    else openComposer(contentOf(path, query))
    route('/home', true)
  }, [])
  return <Loading />
}

function contentOf(path: string, query: Record<string, string>): ComposeRequest {
  const parts = path === '/share' ? [query['title'], query['text'], query['url']] : [query['text']]
  const text = [...new Set(parts.filter(Boolean))].join('\n\n')
  return text ? { text } : {}
}
