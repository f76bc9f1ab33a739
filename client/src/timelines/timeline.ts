// A list of statuses that grows at both ends. It outlives the screen that shows it, so that going back finds it as it was.
import { signal } from '@preact/signals'
import type { Status } from '../api/entities.ts'
import type { Page } from '../api/client.ts'
import { removeStatus, storeStatus } from '../state/statuses.ts'
import { subscribe, type StreamEvent, type StreamName } from '../state/streaming.ts'
import type { ListPosition } from '../ui/virtual-list.tsx'

/** `gap`: statuses between the neighbours that are not loaded. */
export type TimelineItem = { kind: 'status'; id: string } | { kind: 'gap'; newerThan: string; olderThan: string }

export type TimelineQuery = { max_id?: string; min_id?: string; since_id?: string; limit?: number }

export type TimelineSource = {
  /** Its name among all timelines: the path of its screen. */
  path: string
  load: (query: TimelineQuery) => Promise<Page<Status>>
  stream?: StreamName
}

const PAGE = 20
/** How many one look for newer statuses loads; a gap remains before the rest. */
const CATCH_UP = 40

export class Timeline {
  readonly items = signal<TimelineItem[]>([])
  /** Newer statuses that wait for the reader, newest first. */
  readonly pending = signal<string[]>([])
  readonly state = signal<'new' | 'loading' | 'ready' | 'failed'>('new')
  readonly error = signal<unknown>(null)
  readonly isComplete = signal(false)
  position: ListPosition | null = null
  readonly #source: TimelineSource
  #next: Record<string, string> | null = null
  #stop: (() => void) | null = null
  #users = 0

  constructor(source: TimelineSource) {
    this.#source = source
  }

  /** For as long as a screen shows it. Returns the function that ends that. */
  open(): () => void {
    this.#users += 1
    if (this.#users === 1) {
      if (this.state.value === 'new') void this.loadFirst()
      else void this.loadNewer()
      const { stream } = this.#source
      if (stream)
        this.#stop = subscribe({
          name: stream,
          onEvent: (event) => this.#receive(event),
          onReconnect: () => void this.loadNewer(),
        })
    }
    return () => {
      this.#users -= 1
      if (this.#users === 0) this.#stop?.()
    }
  }

  async loadFirst(): Promise<void> {
    await this.#load(async () => {
      const page = await this.#source.load({ limit: PAGE })
      this.items.value = itemsOf(page.items)
      this.#setNext(page)
    })
  }

  async loadOlder(): Promise<void> {
    if (this.state.value === 'loading' || this.isComplete.value || !this.#next) return
    const next = this.#next
    await this.#load(async () => {
      const page = await this.#source.load({ ...next, limit: PAGE })
      this.items.value = [...this.items.value, ...this.#unknown(page.items)]
      this.#setNext(page)
    })
  }

  /** Loads what is newer than the newest into `pending`, with a gap when there is more than one page. */
  async loadNewer(): Promise<void> {
    const newest = this.pending.value[0] ?? this.#newest()
    if (newest === undefined) return this.loadFirst()
    try {
      const { items } = await this.#source.load({ since_id: newest, limit: CATCH_UP })
      const added = this.#unknown(items).map(({ id }) => id)
      if (items.length === CATCH_UP && added.length > 0) this.#gaps.add(added.at(-1) ?? '')
      this.pending.value = [...added, ...this.pending.value]
    } catch (error) {
      // The stream connects again, or the reader comes back: both look again.
      console.warn(error)
    }
  }

  /** Ids of pending statuses below which statuses are missing. */
  readonly #gaps = new Set<string>()

  /** Moves the pending statuses into the list. */
  showPending(): void {
    const before = this.items.value
    const added: TimelineItem[] = this.pending.value.map((id) => ({ kind: 'status', id }))
    const withGaps = added.flatMap((item, index): TimelineItem[] => {
      if (item.kind !== 'status' || !this.#gaps.has(item.id)) return [item]
      const older = added[index + 1] ?? before[0]
      return older?.kind === 'status' ? [item, { kind: 'gap', newerThan: older.id, olderThan: item.id }] : [item]
    })
    this.#gaps.clear()
    this.pending.value = []
    this.items.value = [...withGaps, ...before]
  }

  async loadGap(gap: TimelineItem & { kind: 'gap' }): Promise<void> {
    const page = await this.#source.load({ max_id: gap.olderThan, since_id: gap.newerThan, limit: CATCH_UP })
    const added = this.#unknown(page.items)
    const oldest = added.at(-1)
    const rest: TimelineItem[] =
      page.items.length === CATCH_UP && oldest?.kind === 'status' ? [{ ...gap, olderThan: oldest.id }] : []
    this.items.value = this.items.value.flatMap((item) => (item === gap ? [...added, ...rest] : [item]))
  }

  async #load(work: () => Promise<void>): Promise<void> {
    this.state.value = 'loading'
    try {
      await work()
      this.state.value = 'ready'
      this.error.value = null
    } catch (error) {
      this.error.value = error
      this.state.value = 'failed'
    }
  }

  #setNext(page: Page<Status>): void {
    this.#next = page.next
    this.isComplete.value = page.next === null || page.items.length === 0
  }

  #newest(): string | undefined {
    const first = this.items.value[0]
    return first?.kind === 'status' ? first.id : undefined
  }

  #unknown(statuses: Status[]): (TimelineItem & { kind: 'status' })[] {
    const known = new Set([
      ...this.pending.value,
      ...this.items.value.map((item) => (item.kind === 'status' ? item.id : '')),
    ])
    return itemsOf(statuses).filter(({ id }) => !known.has(id))
  }

  #receive({ event, payload }: StreamEvent): void {
    if (event === 'update') {
      const added = this.#unknown([JSON.parse(payload) as Status]).map(({ id }) => id)
      this.pending.value = [...added, ...this.pending.value]
    } else if (event === 'status.update') storeStatus(JSON.parse(payload) as Status)
    else if (event === 'delete') {
      removeStatus(payload)
      this.pending.value = this.pending.value.filter((id) => id !== payload)
      this.items.value = this.items.value.filter((item) => item.kind !== 'status' || item.id !== payload)
    }
  }
}

function itemsOf(statuses: Status[]): (TimelineItem & { kind: 'status' })[] {
  return statuses.map((status) => {
    storeStatus(status)
    return { kind: 'status', id: status.id }
  })
}

const timelines = new Map<string, Timeline>()

export function timelineOf(source: TimelineSource): Timeline {
  let found = timelines.get(source.path)
  if (!found) timelines.set(source.path, (found = new Timeline(source)))
  return found
}
