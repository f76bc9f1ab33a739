// The notifications of the viewer in groups, by filter.
import { computed, signal } from '@preact/signals'
import { api, read, readPage } from '../api/client.ts'
import type { NotificationGroup } from '../api/entities.ts'
import { storeAccount } from '../state/accounts.ts'
import { storeStatus } from '../state/statuses.ts'
import type { ListPosition } from '../ui/virtual-list.tsx'
import { TYPES, typesOf, type NotificationFilter } from './kinds.ts'
import { arrivals, unreadCount } from './unread.ts'

const PAGE = 30

export class NotificationList {
  readonly groups = signal<NotificationGroup[]>([])
  readonly state = signal<'new' | 'loading' | 'ready' | 'failed'>('new')
  readonly error = signal<unknown>(null)
  readonly isComplete = signal(false)
  readonly #arrivalsShown = signal(arrivals.value)
  /** How many have arrived since the list was loaded. */
  readonly pending = computed(() => arrivals.value - this.#arrivalsShown.value)
  position: ListPosition | null = null
  readonly #filter: NotificationFilter
  #oldest: string | null = null

  constructor(filter: NotificationFilter) {
    this.#filter = filter
  }

  async loadFirst(): Promise<void> {
    const arrived = arrivals.value
    await this.#load(null, (groups) => groups)
    this.#arrivalsShown.value = arrived
  }

  async loadOlder(): Promise<void> {
    if (this.state.value === 'loading' || this.isComplete.value || this.#oldest === null) return
    await this.#load(this.#oldest, (groups) => {
      const known = new Set(this.groups.value.map(({ group_key: key }) => key))
      return [...this.groups.value, ...groups.filter(({ group_key: key }) => !known.has(key))]
    })
  }

  /** Removes a group here and on the server. Throws ApiError. */
  async dismiss({ group_key: key }: NotificationGroup): Promise<void> {
    const before = this.groups.value
    this.groups.value = before.filter((group) => group.group_key !== key)
    try {
      await read(api.POST('/api/v2/notifications/{group_key}/dismiss', { params: { path: { group_key: key } } }))
    } catch (error) {
      this.groups.value = before
      throw error
    }
  }

  async #load(olderThan: string | null, merge: (groups: NotificationGroup[]) => NotificationGroup[]): Promise<void> {
    this.state.value = 'loading'
    try {
      const page = await loadGroups(this.#filter, olderThan)
      this.groups.value = merge(page)
      this.#oldest = page.at(-1)?.page_min_id ?? page.at(-1)?.most_recent_notification_id ?? null
      this.isComplete.value = page.length === 0
      this.error.value = null
      this.state.value = 'ready'
    } catch (error) {
      this.error.value = error
      this.state.value = 'failed'
    }
  }
}

async function loadGroups(filter: NotificationFilter, olderThan: string | null): Promise<NotificationGroup[]> {
  const loaded = await read(
    api.GET('/api/v2/notifications', {
      params: {
        query: {
          'types[]': typesOf(filter),
          'supported_types[]': TYPES,
          'grouped_types[]': ['favourite', 'reblog', 'follow', 'admin.sign_up'],
          expand_accounts: 'full',
          limit: PAGE,
          ...(olderThan === null ? {} : { max_id: olderThan }),
        },
      },
    }),
  )
  for (const account of loaded.accounts) storeAccount(account)
  for (const status of loaded.statuses) storeStatus(status)
  return loaded.notification_groups
}

const lists = new Map<NotificationFilter, NotificationList>()

export function notificationsOf(filter: NotificationFilter): NotificationList {
  let found = lists.get(filter)
  if (!found) lists.set(filter, (found = new NotificationList(filter)))
  return found
}

/** Everything up to the newest is read, on every device. */
export async function markAllRead(): Promise<void> {
  const newest = notificationsOf('all').groups.value[0]?.most_recent_notification_id
  if (newest === undefined || unreadCount.value === 0) return
  unreadCount.value = 0
  try {
    await read(api.POST('/api/v1/markers', { body: { notifications: { last_read_id: newest } } }))
  } catch (error) {
    // The next visit marks them again.
    console.info(error)
  }
}

/** Throws ApiError. */
export async function clearAll(): Promise<void> {
  await read(api.POST('/api/v2/notifications/clear'))
  unreadCount.value = 0
  for (const list of lists.values()) await list.loadFirst()
}

export const loadRequests = (query: Record<string, string>) =>
  readPage(api.GET('/api/v1/notifications/requests', { params: { query } }))
