import { signal } from '@preact/signals'
import { fullTime, ageText } from '../texts.ts'

/** One clock for all times on the screen. */
const now = signal(Date.now())
setInterval(() => (now.value = Date.now()), 30_000)

/**
 * `5 min ago` or a day, with the whole date as a tooltip. The clock of the device may be wrong: what has happened is not in the future,
 * and what is still to come, `isAhead`, is not in the past.
 */
export function RelativeTime({ at, isAhead }: { at: string; isAhead?: boolean }) {
  const date = new Date(at)
  return (
    <time dateTime={at} title={fullTime(date)}>
      {ageText(date, (isAhead ? Math.min : Math.max)(now.value, date.getTime()))}
    </time>
  )
}
