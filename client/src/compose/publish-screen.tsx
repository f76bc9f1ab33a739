// `/publish` and `/share?title&text&url`: the composer over the home timeline.
import { useLocation } from 'preact-iso'
import { useEffect } from 'preact/hooks'
import { Loading } from '../ui/state-message.tsx'
import { openComposer } from './open.ts'

export function PublishScreen() {
  const { path, query, route } = useLocation()
  useEffect(() => {
    const parts = path === '/share' ? [query['title'], query['text'], query['url']] : [query['text']]
    const text = [...new Set(parts.filter(Boolean))].join('\n\n')
    openComposer(text ? { text } : {})
    route('/home', true)
  }, [])
  return <Loading />
}
