// Pulling a list down at its top looks for what is new. The content stays where it is: only the sign moves, and only with the finger.
import { RefreshCw } from 'lucide'
import { useContext, useEffect, useRef, useState } from 'preact/hooks'
import { texts } from '../texts.ts'
import { ColumnContext } from './column.ts'
import { Icon } from './icon.tsx'
import { listenForPulls, PULL_FAR_ENOUGH } from './pulls.ts'
import { showError } from './toasts.tsx'
import './pull-to-refresh.css'

/** `refresh` throws ApiError. */
export function PullToRefresh({ refresh }: { refresh: () => Promise<void> }) {
  const { scroller } = useContext(ColumnContext)
  const [distance, setDistance] = useState(0)
  const [state, setState] = useState<'waiting' | 'refreshing' | 'refreshed'>('waiting')
  const isBusy = useRef(false)
  const latest = useRef(refresh)
  latest.current = refresh
  const start = async () => {
    isBusy.current = true
    setState('refreshing')
    try {
      await latest.current()
      setState('refreshed')
    } catch (error) {
      setState('waiting')
      showError(error)
    }
    isBusy.current = false
    setDistance(0)
  }
  useEffect(() => {
    const area = scroller ?? document.getElementById('main')
    if (!area) return
    return listenForPulls(area, {
      scroller: scroller ?? window,
      isAtTop: () => (scroller ? scroller.scrollTop : scrollY) <= 0,
      onPull: (pulled) => {
        if (!isBusy.current) setDistance(pulled)
      },
      onRelease: (pulled) => {
        if (isBusy.current) return
        if (pulled >= PULL_FAR_ENOUGH) void start()
        else setDistance(0)
      },
    })
  }, [scroller])
  const isRefreshing = state === 'refreshing'
  return (
    <div class="pull-to-refresh">
      {(distance > 0 || isRefreshing) && (
        <div
          class="pull-sign"
          data-ready={isRefreshing || distance >= PULL_FAR_ENOUGH}
          data-refreshing={isRefreshing}
          style={{ translate: `0 ${distance}px`, '--turn': `${distance * 3}deg` }}
        >
          <Icon icon={RefreshCw} />
        </div>
      )}
      <span class="visually-hidden" role="status">
        {isRefreshing ? texts.frame.loading : state === 'refreshed' && texts.timelines.refreshed}
      </span>
    </div>
  )
}
