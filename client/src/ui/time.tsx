import { signal } from '@preact/signals'
import { fullTime, relativeTime } from '../texts.ts'

/** One clock for all times on the screen. */
const now = signal(Date.now())
setInterval(() => (now.value = Date.now()), 30_000)

/** `5 min ago`, with the whole date as a tooltip. */
export function RelativeTime({ at }: { at: string }) {
  const date = new Date(at)
  return (
    <time dateTime={at} title={fullTime(date)}>
      {relativeTime(date, now.value)}
    </time>
  )
}
