// A status with what it answers and what answers it. It outlives its screen, so that going back finds it as it was.
import { computed, signal } from '@preact/signals'
import type { Status } from '../api/entities.ts'
import { api, isGone, read } from '../api/client.ts'
import { isMe } from '../state/me.ts'
import { RecentMap } from '../state/recent-map.ts'
import { findStatus, removeStatus, storeStatus } from '../state/statuses.ts'
import { subscribe, untilConnected, type StreamEvent } from '../state/streaming.ts'
import type { ListPosition } from '../ui/virtual-list.tsx'
import { threadRows, type Reply } from './thread-rows.ts'

const replyOf = ({ id, in_reply_to_id: parent, account }: Status): Reply => ({
  id,
  parent: parent ?? '',
  accountId: account.id,
})

/** How often to ask the server whether a refresh has finished. */
const MAX_QUESTIONS = 15

/** Milliseconds for which the first request waits for the stream. */
const MAX_WAIT = 300

export class Thread {
  readonly id: string
  readonly state = signal<'loading' | 'ready' | 'failed'>('loading')
  readonly error = signal<unknown>(null)
  readonly ancestors = signal<string[]>([])
  readonly replies = signal<Reply[]>([])
  readonly folded = signal<ReadonlySet<string>>(new Set())
  /** Whether the server still fetches replies from other servers. */
  readonly isFetching = signal(false)
  /** Replies that arrived later and wait for the reader. */
  readonly pending = signal<Reply[]>([])
  position: ListPosition | null = null
  #users = 0
  #stop: (() => void) | null = null

  constructor(id: string) {
    this.id = id
  }

  readonly rows = computed(() => {
    const status = findStatus(this.id)?.value
    const root = { id: this.id, accountId: status?.account.id ?? '' }
    return threadRows(root, this.replies.value, this.folded.value)
  })

  /** For as long as a screen shows it. Returns the function that ends that. */
  open(): () => void {
    this.#users += 1
    if (this.#users === 1) {
      let hasBegun = false
      const load = () => {
        hasBegun = true
        void this.load()
      }
      this.#stop = subscribe({
        names: [{ stream: 'user' }],
        onEvent: (event) => this.#receive(event),
        onConnect: load,
      })
      // A thread that was loaded before the stream connected has to be loaded again.
      void untilConnected(MAX_WAIT).then(() => hasBegun || load())
    }
    return () => {
      this.#users -= 1
      if (this.#users === 0) this.#stop?.()
    }
  }

  /** The status itself and its context, at the same time. What is known stays until the answer is there. */
  async load(): Promise<void> {
    const params = { path: { id: this.id } }
    const before = this.#known()
    if (this.state.peek() === 'failed') this.state.value = 'loading'
    try {
      const [status] = await Promise.all([
        read(api.GET('/api/v1/statuses/{id}', { params })),
        this.#loadContext().then((replies) => {
          // The stream may have brought some meanwhile that the answer does not have.
          const found = new Set(replies.map(({ id }) => id))
          const isLater = ({ id }: Reply) => !before.has(id) && !found.has(id)
          this.replies.value = [...replies, ...this.replies.value.filter(isLater)]
          this.pending.value = this.pending.value.filter(isLater)
        }),
      ])
      storeStatus(status)
      this.error.value = null
      this.state.value = 'ready'
    } catch (error) {
      // It was deleted, or is now hidden from the viewer, without a word from the stream.
      if (isGone(error)) removeStatus(this.id)
      this.error.value = error
      this.state.value = 'failed'
    }
  }

  showPending(): void {
    this.replies.value = [...this.replies.value, ...this.pending.value]
    this.pending.value = []
  }

  toggleFold(id: string): void {
    const folded = new Set(this.folded.value)
    if (!folded.delete(id)) folded.add(id)
    this.folded.value = folded
  }

  async #loadContext(): Promise<Reply[]> {
    const answer = api.GET('/api/v1/statuses/{id}/context', { params: { path: { id: this.id } } })
    const { ancestors, descendants } = await read(answer)
    for (const status of [...ancestors, ...descendants]) storeStatus(status)
    this.ancestors.value = ancestors.map(({ id }) => id)
    const { response } = await answer
    void this.#awaitRefresh(response.headers.get('mastodon-async-refresh'))
    return descendants.map(replyOf)
  }

  /** Asks until the server has fetched what other servers know, then offers the replies that are new. */
  async #awaitRefresh(header: string | null): Promise<void> {
    const id = /\bid="([^"]+)"/.exec(header ?? '')?.[1]
    if (id === undefined || this.isFetching.value) return
    const seconds = Number(/\bretry=(\d+)/.exec(header ?? '')?.[1] ?? 2)
    this.isFetching.value = true
    try {
      for (let question = 0; question < MAX_QUESTIONS && this.#users > 0; question += 1) {
        await new Promise((resolve) => setTimeout(resolve, Math.max(1, seconds) * 1000))
        const params = { path: { refresh_id: id } }
        const { async_refresh: refresh } = await read(api.GET('/api/v1_alpha/async_refreshes/{refresh_id}', { params }))
        if (refresh.status !== 'finished') continue
        if (refresh.result_count !== 0) this.#offer(await this.#loadContext())
        break
      }
    } catch (error) {
      // The replies that are here stay; the next visit asks again.
      console.info(error)
    } finally {
      this.isFetching.value = false
    }
  }

  #known(): Set<string> {
    return new Set([...this.replies.value, ...this.pending.value].map(({ id }) => id))
  }

  #offer(found: Reply[]): void {
    const known = this.#known()
    this.pending.value = [...this.pending.value, ...found.filter(({ id }) => !known.has(id))]
  }

  #belongs({ in_reply_to_id: parent }: Status): boolean {
    return parent !== null && (parent === this.id || this.#known().has(parent))
  }

  #receive({ event, payload }: StreamEvent): void {
    if (event === 'update') this.#receiveStatus(JSON.parse(payload) as Status)
    else if (event === 'notification') {
      const { status } = JSON.parse(payload) as { status?: Status | null }
      if (status) this.#receiveStatus(status)
    } else if (event === 'status.update') storeStatus(JSON.parse(payload) as Status)
    else if (event === 'delete') {
      removeStatus(payload)
      const isLeft = ({ id }: Reply) => id !== payload
      this.replies.value = this.replies.value.filter(isLeft)
      this.pending.value = this.pending.value.filter(isLeft)
    }
  }

  /** The viewer's own replies show at once, those of others wait: nothing moves under the reader's eyes. */
  #receiveStatus(status: Status): void {
    if (status.reblog || !this.#belongs(status)) return
    storeStatus(status)
    if (!isMe(status.account.id)) this.#offer([replyOf(status)])
    else if (!this.replies.value.some(({ id }) => id === status.id))
      this.replies.value = [...this.replies.value, replyOf(status)]
  }
}

const threads = new RecentMap<Thread>(40)

export const threadOf = (id: string): Thread => threads.getOr(id, () => new Thread(id))
