// A list of statuses that grows at both ends. It outlives the screen that shows it, so that going back finds it as it was.
import { computed, signal } from '@preact/signals'
import type { Status } from '../api/entities.ts'
import type { Page } from '../api/client.ts'
import { latestFirst, oldestFirst } from '../api/ids.ts'
import { isHiddenByFilter } from '../statuses/filters.ts'
import { removeStatus, storeStatus } from '../state/statuses.ts'
import { subscribe, type StreamEvent } from '../state/streaming.ts'
import { withFirstPage } from '../ui/first-page.ts'
import type { ListPosition } from '../ui/virtual-list.tsx'
import { isSentHere, newsAmong } from './own-posts.ts'
import type { TimelineSnapshot, TimelineSource } from './timeline-source.ts'
import { groupStatuses, keyOfItem, withGaps, withoutStatus, type GapItem, type TimelineItem } from './grouping.ts'

const PAGE = 20
/** How many one look for newer statuses loads; a gap remains before the rest. */
const CATCH_UP = 40
/** How many items a timeline has. The oldest make room for new ones. */
const LIMIT = 4000
/** How many new statuses wait. The oldest make room, behind a gap: the tab may be in the background for days. */
const PENDING_LIMIT = 400

/** When more cannot be loaded, what is shown stays. */
const logFailure = (error: unknown): void => console.info(error)

export class Timeline {
  readonly items = signal<TimelineItem[]>([])
  /** Newer statuses that wait for the reader, newest first. */
  readonly pending = signal<Status[]>([])
  /** How many of them the pill announces. */
  readonly newCount = computed(() => newsAmong(this.pending.value).length)
  readonly state = signal<'new' | 'loading' | 'ready' | 'failed'>('new')
  readonly error = signal<unknown>(null)
  readonly isComplete = signal(false)
  position: ListPosition | null = null
  /** Counts the changes of the position. */
  readonly positionChanges = signal(0)
  readonly source: TimelineSource
  #next: Record<string, string> | null = null
  #stop: (() => void) | null = null
  #users = 0
  /** The stream connected while a request was on its way, whose answer may be older. */
  #isOutdated = false
  /** Ids of pending statuses below which statuses are missing. */
  readonly #gaps = new Set<string>()
  /** The newest status up to which none is missing, other than in gaps. */
  complete: string | undefined
  /** Since the stream connected, until what was missed before is loaded: what it brings may be newer than that. */
  #isBehind = false

  constructor(source: TimelineSource) {
    this.source = source
  }

  /** Loads the first page for a screen that will show it soon. */
  prepare(): void {
    if (this.state.value === 'new') void this.loadFirst()
  }

  /** For as long as a screen shows it. Returns the function that ends that. */
  open(): () => void {
    this.#users += 1
    if (this.#users === 1) {
      const { streams } = this.source
      if (this.state.value === 'new') void this.loadFirst()
      else if (streams) {
        this.#isBehind = true
        void this.loadNewer()
      } else void this.#loadFirstAgain().catch(logFailure)
      if (streams)
        this.#stop = subscribe({
          names: streams,
          onEvent: (event) => this.#receive(event),
          onConnect: () => {
            this.#isBehind = true
            void this.loadNewer()
          },
        })
    }
    return () => {
      this.#users -= 1
      if (this.#users === 0) this.#stop?.()
    }
  }

  async loadFirst(): Promise<void> {
    if (this.state.value === 'loading') return
    await this.#load(async () => {
      const page = await this.source.load({ limit: PAGE })
      this.items.value = groupStatuses(this.store(page.items))
      this.complete = page.items[0]?.id
      this.#setNext(page)
    })
    // Filters may hide the whole page.
    if (this.items.value.length === 0 && this.state.value === 'ready') await this.loadOlder()
  }

  /** Without a stream: brings in what is new at the beginning. Throws ApiError. */
  async #loadFirstAgain(): Promise<void> {
    const page = await this.source.load({ limit: PAGE })
    if (this.state.value === 'loading') return
    const fresh = groupStatuses(this.store(page.items))
    // Filters may hide the whole page.
    if (fresh.length === 0 && page.items.length > 0) return
    const end = this.items.value.map(keyOfItem).at(-1)
    this.items.value = withFirstPage<TimelineItem>(fresh, this.items.value, keyOfItem)
    // What follows is known as long as the end is the same.
    if (this.items.value.map(keyOfItem).at(-1) !== end) this.#setNext(page)
  }

  /** When the reader asks for it: shows what is new. Throws ApiError. */
  async refresh(): Promise<void> {
    if (this.source.streams) await this.#fetchNewer()
    else await this.#loadFirstAgain()
    this.showPending()
  }

  /** Shows statuses from an earlier visit, newest first, and looks for newer ones. */
  restore({ statuses, gaps = [], position }: TimelineSnapshot): void {
    if (this.items.value.length > 0 || statuses.length === 0) return
    this.position = position
    this.items.value = withGaps(groupStatuses(this.store(statuses)), gaps)
    this.complete = statuses[0]?.id
    this.#next = { max_id: statuses.at(-1)?.id ?? '' }
    this.state.value = 'ready'
  }

  async loadOlder(): Promise<void> {
    if (this.state.value === 'loading' || this.isComplete.value || !this.#next) return
    const next = this.#next
    const { length } = this.items.value
    await this.#load(async () => {
      const page = await this.source.load({ ...next, limit: PAGE })
      const before = this.items.value
      const added = groupStatuses(this.#unknown(page.items), before.slice(-PAGE * 2))
      this.items.value = [...before, ...added]
      this.#setNext(page)
    })
    // A page whose boosts all joined other items makes the list no longer, so its end would not come into view again.
    if (this.items.value.length === length && this.state.value === 'ready') await this.loadOlder()
  }

  /** Starts again at a status; newer ones wait as pending. Throws ApiError. */
  async continueAt(id: string): Promise<void> {
    const page = await this.source.load({ max_id: String(BigInt(id) + 1n), limit: PAGE })
    this.pending.value = []
    this.#gaps.clear()
    this.items.value = groupStatuses(this.store(page.items))
    this.complete = page.items[0]?.id
    this.#setNext(page)
    this.#isBehind = true
    await this.loadNewer()
  }

  /** Loads it again when a screen shows it next: blocks, mutes or filters have changed. */
  restart(): void {
    this.items.value = []
    this.pending.value = []
    this.#gaps.clear()
    this.position = null
    this.state.value = 'new'
    if (this.#users > 0) void this.loadFirst()
  }

  setPosition(position: ListPosition): void {
    this.position = position
    this.positionChanges.value += 1
  }

  /** Loads what is newer than the newest into `pending`, with a gap when there is more than one page. */
  async loadNewer(): Promise<void> {
    // The stream connects again, or the reader comes back: both look again.
    await this.#fetchNewer().catch(logFailure)
  }

  async #fetchNewer(): Promise<void> {
    if (this.state.value === 'loading') return void (this.#isOutdated = true)
    if (this.complete === undefined) return this.loadFirst()
    const { items } = await this.source.load({ since_id: this.complete, limit: CATCH_UP })
    const added = this.#unknown(items)
    if (items.length === CATCH_UP && added.length > 0) this.#gaps.add(added.at(-1)?.id ?? '')
    this.complete = items[0]?.id ?? this.complete
    this.#isBehind = false
    if (this.state.value === 'failed') this.state.value = 'ready'
    // The stream may have brought newer ones meanwhile.
    const waiting = added.filter((status) => !this.#showsOwn(status))
    this.pending.value = [...waiting, ...this.pending.value].toSorted(latestFirst)
  }

  /** Moves the pending statuses into the list. */
  showPending(): void {
    const before = this.items.value
    const all = withGaps([...groupStatuses(this.pending.value, before), ...before], this.#gaps)
    this.#gaps.clear()
    this.pending.value = []
    this.items.value = all.slice(0, LIMIT)
    const last = this.items.value.at(-1)
    if (all.length === this.items.value.length || last?.kind !== 'status') return
    this.#next = { max_id: last.id }
    this.isComplete.value = false
  }

  /** Throws ApiError. */
  async loadGap(gap: GapItem): Promise<void> {
    const page = await this.source.load({ max_id: gap.olderThan, since_id: gap.newerThan, limit: CATCH_UP })
    const added = groupStatuses(this.#unknown(page.items))
    const oldest = page.items.at(-1)
    const rest = page.items.length === CATCH_UP && oldest ? [{ ...gap, olderThan: oldest.id }] : []
    this.items.value = this.items.value.flatMap((item) => (item === gap ? [...added, ...rest] : [item]))
  }

  /** The viewer's own new status is shown without a pill. */
  addOwn(status: Status): void {
    if (this.state.value !== 'ready' && this.items.value.length === 0) {
      // The first page may have been read before.
      this.#isOutdated ||= this.state.value === 'loading'
      return
    }
    // The stream may have been faster.
    this.pending.value = this.pending.value.filter(({ id }) => id !== status.id)
    const added = groupStatuses(this.#unknown([status]))
    this.items.value = [...added, ...this.items.value]
  }

  #showsOwn(status: Status): boolean {
    const isOwn = isSentHere(status) && this.state.value !== 'new'
    if (isOwn) this.addOwn(status)
    return isOwn
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
    if (!this.#isOutdated) return
    this.#isOutdated = false
    void this.loadNewer()
  }

  #setNext(page: Page<Status>): void {
    this.#next = page.next
    this.isComplete.value = page.next === null || page.items.length === 0
  }

  /** Returns those that the timeline shows. */
  store(statuses: Status[]): Status[] {
    const { context, isUnwanted } = this.source
    const shown = statuses.filter((status) => !isHiddenByFilter(status, context) && isUnwanted?.(status) !== true)
    for (const status of shown) storeStatus(status)
    return shown
  }

  #unknown(statuses: Status[]): Status[] {
    const known = new Set(this.pending.value.map(({ id }) => id))
    for (const item of this.items.value)
      if (item.kind === 'status') for (const id of [item.id, ...item.boosts, item.shown, ...item.thread]) known.add(id)
    return this.store(statuses).filter(({ id }) => !known.has(id))
  }

  #receive({ event, payload }: StreamEvent): void {
    if (event === 'update') {
      const status = JSON.parse(payload) as Status
      if (!this.#isBehind) this.complete = status.id
      if (this.#showsOwn(status)) return
      const pending = [...this.#unknown([status]), ...this.pending.value]
      this.pending.value = pending.slice(0, PENDING_LIMIT)
      const last = this.pending.value.at(-1)
      if (pending.length > PENDING_LIMIT && last) {
        for (const id of this.#gaps) if (oldestFirst({ id }, last) < 0) this.#gaps.delete(id)
        this.#gaps.add(last.id)
      }
    } else if (event === 'status.update') storeStatus(JSON.parse(payload) as Status)
    else if (event === 'delete') this.remove(payload)
  }

  /** A deleted status, and its boosts. */
  remove(id: string): void {
    removeStatus(id)
    if (this.pending.value.some((status) => status.id === id))
      this.pending.value = this.pending.value.filter((status) => status.id !== id)
    const before = this.items.value
    const left = before.flatMap((item) => withoutStatus(item, id))
    if (left.some((item, at) => item !== before[at]) || left.length < before.length) this.items.value = left
  }
}
