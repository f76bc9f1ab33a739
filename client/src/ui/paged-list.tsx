// A list that grows at its end, such as followers. It outlives its screen, so that going back finds it as it was.
import { signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useMemo } from 'preact/hooks'
import type { Page } from '../api/client.ts'
import { Empty, Failed, Loading, Note } from './state-message.tsx'
import { VirtualList, type ListPosition } from './virtual-list.tsx'

export type PagedSource<T> = {
  /** Its name among all lists. */
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

  constructor(source: PagedSource<T>) {
    this.#source = source
    this.keyOf = source.keyOf
  }

  /** For a new visit. A list of several pages stays as it was, and so does the place in it. */
  async open(): Promise<void> {
    if (this.items.value.length <= PAGE) await this.loadFirst()
  }

  /** From the start; what is shown stays until the answer is there. */
  async loadFirst(): Promise<void> {
    if (this.state.value === 'loading') return void (this.#isOutdated = true)
    this.#isOutdated = false
    await this.#load({}, (items) => items)
    if (this.#isOutdated) await this.loadFirst()
  }

  async loadMore(): Promise<void> {
    if (this.state.value === 'loading') this.#wantsMore = true
    if (this.state.value === 'loading' || this.isComplete.value) return
    const { keyOf } = this
    await this.#load(this.#next, (items) => {
      const known = new Set(this.items.value.map(keyOf))
      return [...this.items.value, ...items.filter((item) => !known.has(keyOf(item)))]
    })
  }

  /** Returns the function that undoes it. */
  remove(key: string): () => void {
    const before = this.items.value
    this.items.value = before.filter((item) => this.keyOf(item) !== key)
    return () => (this.items.value = before)
  }

  async #load(query: Record<string, string>, merge: (items: T[]) => T[]): Promise<void> {
    this.state.value = 'loading'
    try {
      const { items, next } = await this.#source.load(query)
      const merged = merge(items)
      const isLonger = merged.length > this.items.value.length
      this.items.value = merged
      this.#next = next ?? {}
      this.isComplete.value = next === null || items.length === 0
      this.error.value = null
      this.state.value = 'ready'
      const goesOn = this.#wantsMore && !isLonger
      this.#wantsMore = false
      if (goesOn) await this.loadMore()
    } catch (error) {
      this.error.value = error
      this.state.value = 'failed'
    }
  }
}

/** Items of a page, as the server has them. */
const PAGE = 40

const LIMIT = 60

const lists = new Map<string, PagedList<unknown>>()

export function pagedListOf<T>(source: PagedSource<T>): PagedList<T> {
  let found = lists.get(source.key)
  if (!found) {
    if (lists.size >= LIMIT) for (const old of [...lists.keys()].slice(0, LIMIT / 10)) lists.delete(old)
    lists.set(source.key, (found = new PagedList(source) as PagedList<unknown>))
  }
  return found as PagedList<T>
}

type ViewProps<T> = {
  label: string
  empty: string
  /** Shown below the last item. */
  end?: string
  /** Height of an item in pixels, before it is measured. */
  estimate?: number
  render: (item: T, list: PagedList<T>) => ComponentChildren
}

export function PagedListView<T>({ source, ...view }: ViewProps<T> & { source: PagedSource<T> }) {
  const list = useMemo(() => pagedListOf(source), [source.key])
  return <PagedItems key={source.key} list={list} {...view} />
}

export function PagedItems<T>({
  list,
  label,
  empty,
  end,
  estimate = 76,
  render,
}: ViewProps<T> & { list: PagedList<T> }) {
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
      footer={failed ?? (list.isComplete.value ? end && <Note>{end}</Note> : <Loading />)}
    />
  )
}
