// Catch up: the posts that the viewer has missed, by author and by link, in a chosen order.
import { useEffect, useRef, useState } from 'preact/hooks'
import { storeStatus } from '../state/statuses.ts'
import { fullNumber, relativeTime, texts } from '../texts.ts'
import { Button } from '../ui/button.tsx'
import { Page } from '../ui/page.tsx'
import { Failed } from '../ui/state-message.tsx'
import { collect, type CaughtUp, type Progress } from './collect.ts'
import { Results } from './results.tsx'
import './catch-up.css'

const HOURS = [1, 2, 4, 8, 12, 24, 48, 72] as const

/** The last result outlives the screen. */
let last: { hours: number; items: CaughtUp[] } | null = null

export function CatchUpScreen() {
  const [hours, setHours] = useState(8)
  const [progress, setProgress] = useState<Progress | null>(null)
  const [result, setResult] = useState(last)
  const [error, setError] = useState<unknown>(null)
  const abort = useRef<AbortController | null>(null)
  useEffect(() => () => abort.current?.abort(), [])
  const start = async () => {
    const controller = (abort.current = new AbortController())
    setError(null)
    setProgress({ statuses: 0, oldest: Date.now() })
    try {
      const items = await collect(hours, setProgress, controller.signal)
      for (const { status } of items) storeStatus(status)
      last = { hours, items }
      setResult(last)
    } catch (failure) {
      if (!controller.signal.aborted) setError(failure)
    }
    setProgress(null)
  }
  const t = texts.timelines.catch_up
  return (
    <Page title={texts.frame.catch_up} isTop>
      <div class="catch-up-start">
        <p>{t.explanation}</p>
        <label>
          {t.last_hours({ count: hours })}
          <input
            type="range"
            min="0"
            max={HOURS.length - 1}
            value={HOURS.findIndex((each) => each === hours)}
            aria-valuetext={t.last_hours({ count: hours })}
            onInput={(event) => setHours(HOURS[Number(event.currentTarget.value)] ?? 8)}
          />
        </label>
        <Button kind="primary" disabled={progress !== null} onClick={() => void start()}>
          {t.start}
        </Button>
        {progress && (
          <p role="status">
            {t.progress({ posts: fullNumber(progress.statuses), time: relativeTime(new Date(progress.oldest)) })}{' '}
            <Button kind="quiet" onClick={() => abort.current?.abort()}>
              {texts.frame.cancel}
            </Button>
          </p>
        )}
      </div>
      {error !== null && <Failed error={error} retry={() => void start()} />}
      {result && !progress && <Results items={result.items} hours={result.hours} />}
    </Page>
  )
}
