// The statuses of a timeline, with a pill for new ones and the end of the list.
import type { ComponentChildren } from 'preact'
import { useEffect, useMemo, useState } from 'preact/hooks'
import { StatusItem } from '../statuses/status-item.tsx'
import { texts } from '../texts.ts'
import { Button } from '../ui/button.tsx'
import { NewPill } from '../ui/new-pill.tsx'
import { PullPlace } from '../ui/pull-place.tsx'
import { Empty, Failed, Loading, Note } from '../ui/state-message.tsx'
import { showError } from '../ui/toasts.tsx'
import { VirtualList } from '../ui/virtual-list.tsx'
import { BoostCarousel } from './boost-carousel.tsx'
import { keyOfRow, type TimelineRow } from './boost-runs.ts'
import type { GapItem } from './grouping.ts'
import type { Timeline } from './timeline.ts'
import { timelineOf } from './timelines.ts'
import { timelineRows } from './timeline-rows.ts'
import type { TimelineSource } from './timeline-source.ts'
import './timeline-view.css'

type TimelineViewProps = {
  source: TimelineSource
  label: string
  /** What an empty timeline says. */
  empty: ComponentChildren
}

export function TimelineView({ source, label, empty }: TimelineViewProps) {
  const timeline = useMemo(() => timelineOf(source), [source.path])
  useEffect(() => timeline.open(), [timeline])
  const items = timelineRows(timeline)
  const state = timeline.state.value
  const refresh = () => timeline.refresh()
  if (items.length === 0 && timeline.pending.value.length === 0) {
    if (state === 'failed') return <Failed error={timeline.error.value} retry={() => void timeline.loadFirst()} />
    if (state !== 'ready') return <Loading />
    return (
      <>
        <PullPlace refresh={refresh} />
        <Empty>{empty}</Empty>
      </>
    )
  }
  return (
    <>
      <PullPlace refresh={refresh} />
      <NewPill count={timeline.newCount.value} label={texts.timelines.new_posts} show={() => timeline.showPending()} />
      <VirtualList
        key={source.path}
        label={label}
        items={items}
        keyOf={keyOfRow}
        render={(row) => <Row row={row} timeline={timeline} />}
        position={timeline.position}
        onPosition={(position) => timeline.setPosition(position)}
        {...(state === 'ready' ? { onEnd: () => void timeline.loadOlder() } : {})}
        footer={<End timeline={timeline} />}
      />
    </>
  )
}

function Row({ row, timeline }: { row: TimelineRow; timeline: Timeline }) {
  if (row.kind === 'gap') return <Gap gap={row} timeline={timeline} />
  if (row.kind === 'status') return <StatusItem id={row.shown} boosts={row.boosts} thread={row.thread} />
  const [only] = row.items
  if (only && row.items.length === 1) return <StatusItem id={only.shown} boosts={only.boosts} />
  return <BoostCarousel run={row} />
}

function Gap({ gap, timeline }: { gap: GapItem; timeline: Timeline }) {
  const [isLoading, setLoading] = useState(false)
  const load = async ({ currentTarget: button }: { currentTarget: HTMLElement }) => {
    if (isLoading) return
    const before = button.closest('[role=listitem]')?.previousElementSibling
    setLoading(true)
    await timeline.loadGap(gap).catch(showError)
    setLoading(false)
    // Once the posts are in the document: keys go on at the first of them.
    setTimeout(() => {
      if (document.activeElement === document.body)
        before?.nextElementSibling?.querySelector<HTMLElement>('[data-status]')?.focus({ preventScroll: true })
    })
  }
  return (
    <div class="timeline-gap">
      <Button data-item="" aria-busy={isLoading} onClick={load}>
        {texts.timelines.load_gap}
      </Button>
    </div>
  )
}

function End({ timeline }: { timeline: Timeline }) {
  if (timeline.isComplete.value) return <Note>{texts.timelines.end}</Note>
  if (timeline.state.value === 'failed')
    return <Failed error={timeline.error.value} retry={() => void timeline.loadOlder()} />
  return <Loading isPaused={timeline.state.value === 'ready'} />
}
