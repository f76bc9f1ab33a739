// A list that grows at its end, such as followers. It outlives its screen, so that going back finds it as it was.
import { signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useMemo } from 'preact/hooks'
import type { Page } from '../api/client.ts'
import { RecentMap } from '../state/recent-map.ts'
import { withFirstPage } from './first-page.ts'
import { Empty, Failed, Loading, Note } from './state-message.tsx'
import { VirtualList, type ListPosition } from './virtual-list.tsx'

export type PagedSource<T> = {
  /** Differs for each list. */
  key: string
  load: (query: Record<string, string>) => Promise<Page<T>>
  keyOf: (item: T) => string
}

export class PagedList<T> {
  readonly items = signal<T[]>([])
  readonly state = signal<'new' | 'loading' | 'ready' | 'failed'>('new')
  readonly error = signal<unknown>(null)
  readonly isComplete = signal(false)
  position: ListPosition | null = null
  readonly keyOf: (item: T) => string
  readonly #source: PagedSource<T>
  #next: Record<string, string> = {}
  /** The end came into view while something was loading. */
  #wantsMore = false
  /** Something changed while a request was on its way. */
  #isOutdated = false
  /** What acts changed while a request was on its way, whose answer may be older: items by key, null for removed ones. */
  readonly #changed = new Map<string, T | null>()
  /** Items whose removal is on its way: what the server answers may still have them. */
  readonly #leaving = new Set<string>()

  constructor(source: PagedSource<T>) {
    this.#source = source
    this.keyOf = source.keyOf
  }

  /** Call it at a new visit: loads new items at the beginning. */
  async open(): Promise<void> {
    await this.loadFirst()
  }

  /** Loads the first page again. The shown items stay until the answer arrives, and further pages stay where they are. */
  async loadFirst(): Promise<void> {
    if (this.state.value === 'loading') return void (this.#isOutdated = true)
    await this.#load({}, ({ items, next }) => {
      const renewed = withFirstPage(items, this.items.value, this.keyOf)
      if (renewed.length === items.length) this.#setNext(items, next)
      return renewed
    })
  }

  /** When the reader asks for it. Throws ApiError. */
  async refresh(): Promise<void> {
    await this.loadFirst()
    if (this.state.value === 'failed') throw this.error.value
  }

  async loadMore(): Promise<void> {
    if (this.state.value === 'loading') this.#wantsMore = true
    if (this.state.value === 'loading' || this.isComplete.value) return
    const { keyOf } = this
    await this.#load(this.#next, ({ items, next }) => {
      this.#setNext(items, next)
      const known = new Set(this.items.value.map(keyOf))
      return [...this.items.value, ...items.filter((item) => !known.has(keyOf(item)))]
    })
  }

  /** Returns the function that puts the item back where it was. */
  remove(key: string): () => void {
    const at = this.items.value.findIndex((item) => this.keyOf(item) === key)
    const item = this.items.value[at]
    if (item === undefined) return () => {}
    this.items.value = this.items.value.toSpliced(at, 1)
    this.#changed.set(key, null)
    return () => {
      this.#changed.delete(key)
      if (!this.items.value.some((each) => this.keyOf(each) === key))
        this.items.value = this.items.value.toSpliced(at, 0, item)
    }
  }

  /** Leaves out a removed item, also when the list is loaded again, until the server has answered. */
  leaveOut(key: string, answered: Promise<unknown>): void {
    this.#leaving.add(key)
    void answered.finally(() => this.#leaving.delete(key))
  }

  /** Puts a changed item in the place of the one with the same key. */
  replace(changed: T): void {
    const key = this.keyOf(changed)
    this.#changed.set(key, changed)
    this.items.value = this.items.value.map((each) => (this.keyOf(each) === key ? changed : each))
  }

  /** Puts an item at the beginning. */
  prepend(item: T): void {
    const key = this.keyOf(item)
    this.#changed.delete(key)
    if (this.state.value === 'loading') this.#isOutdated = true
    this.items.value = [item, ...this.items.value.filter((each) => this.keyOf(each) !== key)]
  }

  /** The item as acts have left it since the last request; null when they removed it. */
  #current(item: T): T | null {
    const changed = this.#changed.get(this.keyOf(item))
    return changed === undefined ? item : changed
  }

  #setNext(items: readonly T[], next: Record<string, string> | null): void {
    this.#next = next ?? {}
    this.isComplete.value = next === null || items.length === 0
  }

  async #load(query: Record<string, string>, merge: (page: Page<T>) => T[]): Promise<void> {
    this.state.value = 'loading'
    this.#isOutdated = false
    this.#changed.clear()
    for (const key of this.#leaving) this.#changed.set(key, null)
    try {
      const merged = merge(await this.#source.load(query)).flatMap((item) => this.#current(item) ?? [])
      const isLonger = merged.length > this.items.value.length
      this.items.value = merged
      this.error.value = null
      this.state.value = 'ready'
      const goesOn = this.#wantsMore && !isLonger
      this.#wantsMore = false
      if (goesOn) await this.loadMore()
    } catch (error) {
      this.error.value = error
      this.state.value = 'failed'
    }
    if (this.#isOutdated) await this.loadFirst()
  }
}

const lists = new RecentMap<PagedList<unknown>>(60)

export const pagedListOf = <T,>(source: PagedSource<T>): PagedList<T> =>
  lists.getOr(source.key, () => new PagedList(source) as PagedList<unknown>) as PagedList<T>

type ViewProps<T> = {
  label: string
  empty: ComponentChildren
  render: (item: T, list: PagedList<T>) => ComponentChildren
}

export function PagedListView<T>({ source, ...view }: ViewProps<T> & { source: PagedSource<T> }) {
  const list = useMemo(() => pagedListOf(source), [source.key])
  return <PagedItems key={source.key} list={list} {...view} />
}

type ItemsProps<T> = ViewProps<T> & {
  list: PagedList<T>
  /** Shown below the last item. */
  end?: string
  /** Height of an item in pixels, before it is measured. */
  estimate?: number
}

export function PagedItems<T>({ list, label, empty, end, estimate = 76, render }: ItemsProps<T>) {
  useEffect(() => void list.open(), [list])
  const items = list.items.value
  const state = list.state.value
  const retry = () => void (items.length > 0 ? list.loadMore() : list.loadFirst())
  const failed = state === 'failed' ? <Failed error={list.error.value} retry={retry} /> : null
  if (items.length === 0) return failed ?? (state === 'ready' ? <Empty>{empty}</Empty> : <Loading />)
  return (
    <VirtualList
      label={label}
      items={items}
      keyOf={list.keyOf}
      render={(item) => render(item, list)}
      estimate={estimate}
      position={list.position}
      onPosition={(position) => (list.position = position)}
      {...(state === 'ready' ? { onEnd: () => void list.loadMore() } : {})}
      footer={failed ?? (list.isComplete.value ? end && <Note>{end}</Note> : <Loading isPaused={state === 'ready'} />)}
    />
  )
}
