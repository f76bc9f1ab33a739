import type { UseHistory } from '../api/entities.ts'
import './sparkline.css'

/** A small plot of how often something was used each day. Decoration: the numbers stand beside it. */
export function Sparkline({ history }: { history: readonly UseHistory[] }) {
  const values = history.map(({ uses }) => Number(uses)).toReversed()
  const highest = Math.max(1, ...values)
  const step = 72 / Math.max(1, values.length - 1)
  const points = values.map(
    (value, index) => `${(index * step).toFixed(1)},${(26 - (value / highest) * 24).toFixed(1)}`,
  )
  return (
    <svg class="sparkline" width="72" height="28" viewBox="0 0 72 28" aria-hidden="true">
      <polyline points={points.join(' ')} />
    </svg>
  )
}
