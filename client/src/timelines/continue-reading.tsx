// The viewer may have read on in the home timeline on another device. The list stays where it is until they ask to go there.
import { ArrowUp, X } from 'lucide'
import { useContext, useEffect, useState } from 'preact/hooks'
import { api, read } from '../api/client.ts'
import { oldestFirst } from '../api/ids.ts'
import { texts } from '../texts.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { ColumnContext } from '../ui/column.ts'
import { showError } from '../ui/toasts.tsx'
import type { Timeline } from './timeline.ts'
import './continue-reading.css'

export function ContinueReading({ timeline }: { timeline: Timeline }) {
  const { scroller } = useContext(ColumnContext)
  const [marker, setMarker] = useState<string | null>(null)
  useEffect(() => watchMarker(setMarker), [])
  const newest = timeline.items.value.find((item) => item.kind === 'status')?.id
  const isOffered = marker !== null && newest !== undefined && oldestFirst({ id: newest }, { id: marker }) < 0
  const go = async () => {
    if (marker === null) return
    try {
      await timeline.continueAt(marker)
      requestAnimationFrame(() => (scroller ?? window).scrollTo({ top: 0 }))
    } catch (error) {
      showError(error)
    }
  }
  return (
    <div class="continue-reading" role="status">
      {isOffered && (
        <div>
          <Button icon={ArrowUp} onClick={() => void go()}>
            {texts.timelines.continue_reading}
          </Button>
          <IconButton icon={X} label={texts.timelines.stay_here} onClick={() => setMarker(null)} />
        </div>
      )}
    </div>
  )
}

/** Looks for the marker now and when the reader comes back to this page. Returns the function that stops. */
function watchMarker(onMarker: (id: string) => void): () => void {
  let known = ''
  const look = async () => {
    if (document.visibilityState === 'hidden') return
    try {
      const { home } = await read(api.GET('/api/v1/markers', { params: { query: { 'timeline[]': ['home'] } } }))
      if (home && home.last_read_id !== known) onMarker((known = home.last_read_id))
    } catch (error) {
      console.info(error)
    }
  }
  const lookAgain = () => void look()
  lookAgain()
  document.addEventListener('visibilitychange', lookAgain)
  return () => document.removeEventListener('visibilitychange', lookAgain)
}
