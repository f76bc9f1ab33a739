// Boosts side by side. Fingers and wheels scroll them, buttons turn to the next ones, and the keys for posts go through all.
import { ChevronLeft, ChevronRight, Repeat2 } from 'lucide'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { isMotionReduced } from '../state/motion.ts'
import { RecentMap } from '../state/recent-map.ts'
import { StatusItem } from '../statuses/status-item.tsx'
import { texts } from '../texts.ts'
import { IconButton } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import type { BoostRun } from './boost-runs.ts'
import './boost-carousel.css'

/** Where each was left, in pixels, by its key. */
const offsets = new RecentMap<number>(100)

/** Pixels that rounding may leave. */
const TOLERANCE = 2

type Ends = { isStart: boolean; isEnd: boolean }

function endsOf({ scrollLeft, scrollWidth, clientWidth }: HTMLElement): Ends {
  const offset = Math.abs(scrollLeft)
  return { isStart: offset <= TOLERANCE, isEnd: offset + clientWidth >= scrollWidth - TOLERANCE }
}

export function BoostCarousel({ run: { key, items } }: { run: BoostRun }) {
  const cards = useRef<HTMLDivElement>(null)
  const [ends, setEnds] = useState<Ends>({ isStart: true, isEnd: false })
  useLayoutEffect(() => cards.current?.scrollTo({ left: offsets.get(key) ?? 0 }), [key])
  const look = (element: HTMLElement) => {
    offsets.set(key, element.scrollLeft)
    const now = endsOf(element)
    if (now.isStart !== ends.isStart || now.isEnd !== ends.isEnd) setEnds(now)
  }
  const turn = (step: 1 | -1) => {
    const { current } = cards
    if (!current) return
    const direction = getComputedStyle(current).direction === 'rtl' ? -1 : 1
    const behavior = isMotionReduced() ? 'instant' : 'smooth'
    current.scrollBy({ left: step * direction * current.clientWidth * 0.9, behavior })
  }
  const t = texts.timelines
  const label = t.boost_run({ count: items.length })
  return (
    <section class="boost-carousel" aria-label={label}>
      <div class="boost-carousel-header">
        <Icon icon={Repeat2} size={18} />
        <span>{label}</span>
        <span class="boost-carousel-buttons">
          <IconButton icon={ChevronLeft} label={t.previous_boosts} disabled={ends.isStart} onClick={() => turn(-1)} />
          <IconButton icon={ChevronRight} label={t.next_boosts} disabled={ends.isEnd} onClick={() => turn(1)} />
        </span>
      </div>
      <div
        ref={cards}
        class="boost-cards"
        role="list"
        aria-label={label}
        onScroll={({ currentTarget }) => look(currentTarget)}
      >
        {items.map(({ id, shown, boosts }) => (
          <div key={id} class="boost-card" role="listitem">
            <StatusItem id={shown} boosts={boosts} isCard />
          </div>
        ))}
      </div>
    </section>
  )
}
