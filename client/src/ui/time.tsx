import { signal } from '@preact/signals'
import { fullTime, ageText } from '../texts.ts'

/** One clock for all times on the screen. */
const now = signal(Date.now())
setInterval(() => (now.value = Date.now()), 30_000)

/** `5 min ago` or a day, with the whole date as a tooltip. What is newer than the clock's last tick is not in the future. */
export function RelativeTime({ at }: { at: string }) {
  const date = new Date(at)
  return (
    <time dateTime={at} title={fullTime(date)}>
      {ageText(date, Math.max(now.value, Math.min(date.getTime(), Date.now())))}
    </time>
  )
}
