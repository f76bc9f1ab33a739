// The notifications of the viewer in groups, by filter.
import { computed, signal } from '@preact/signals'
import { api, read, type Page } from '../api/client.ts'
import type { NotificationGroup } from '../api/entities.ts'
import { oldestFirst } from '../api/ids.ts'
import { advanceMarker } from '../state/markers.ts'
import { storeAccount } from '../state/accounts.ts'
import { storeStatus } from '../state/statuses.ts'
import { announce } from '../state/tabs.ts'
import { optimistic } from '../ui/optimistic.ts'
import { PagedList } from '../ui/paged-list.tsx'
import { TYPES, typesOf, type NotificationFilter } from './kinds.ts'
import { arrivals, connections, setUnreadCount } from './unread.ts'

const PAGE = 30

export class NotificationList extends PagedList<NotificationGroup> {
  readonly #filter: NotificationFilter
  /** The id of the newest notification that the last load included, or could have included. */
  readonly #newest = signal('0')
  /** The value of `connections` when the list was loaded: a later connection may have missed arrivals. */
  #connection = 0
  /** How many notifications have arrived since. */
  readonly pending = computed(() => {
    const types = typesOf(this.#filter)
    return arrivals.value.filter(({ id, type }) => types.includes(type) && isNewer(id, this.#newest.value)).length
  })

  constructor(filter: NotificationFilter) {
    super({
      key: `notifications ${filter}`,
      keyOf: ({ group_key: key }) => key,
      load: (query) => loadGroups(filter, query),
    })
    this.#filter = filter
    this.#see(latestArrival())
  }

  override async open(): Promise<void> {
    const isBehind = this.#connection !== connections.value
    if (this.state.value === 'new' || this.pending.value > 0 || isBehind) await this.loadFirst()
  }

  override async loadFirst(): Promise<void> {
    const arrived = latestArrival()
    this.#connection = connections.value
    await super.loadFirst()
    if (this.state.value === 'failed') return
    this.#see(arrived)
    this.#see(this.items.value[0]?.most_recent_notification_id)
  }

  #see(id = '0'): void {
    if (isNewer(id, this.#newest.value)) this.#newest.value = id
  }

  /** Removes a group here and on the server. */
  dismiss({ group_key: key }: NotificationGroup): Promise<boolean> {
    const params = { path: { group_key: key } }
    const request = () => read(api.POST('/api/v2/notifications/{group_key}/dismiss', { params }))
    const sent = optimistic({ on: `notifications ${key}`, undo: this.remove(key), request })
    this.leaveOut(key, sent)
    return sent
  }
}

const isNewer = (id: string, other: string): boolean => oldestFirst({ id }, { id: other }) > 0

const latestArrival = (): string | undefined => arrivals.value.at(-1)?.id

async function loadGroups(filter: NotificationFilter, query: Record<string, string>): Promise<Page<NotificationGroup>> {
  const loaded = await read(
    api.GET('/api/v2/notifications', {
      params: {
        query: {
          ...query,
          'types[]': typesOf(filter),
          'supported_types[]': TYPES,
          expand_accounts: 'full',
          limit: PAGE,
        },
      },
    }),
  )
  for (const account of loaded.accounts) storeAccount(account)
  for (const status of loaded.statuses) storeStatus(status)
  const items = loaded.notification_groups as NotificationGroup[]
  const oldest = items.at(-1)?.page_min_id ?? items.at(-1)?.most_recent_notification_id
  return { items, next: oldest === undefined ? null : { max_id: oldest } }
}

const lists = new Map<NotificationFilter, NotificationList>()

export function notificationsOf(filter: NotificationFilter): NotificationList {
  let found = lists.get(filter)
  if (!found) lists.set(filter, (found = new NotificationList(filter)))
  return found
}

/** The id of the newest notification that was read before this visit: newer ones are marked until the next visit. */
const readBefore = signal<string | null>(null)

export const isUnread = ({ most_recent_notification_id: id }: NotificationGroup): boolean =>
  readBefore.value !== null && isNewer(id, readBefore.value)

export const endMarking = (): void => void (readBefore.value = null)

/** The id of the newest notification that this page has marked as read. */
let marked: string | undefined

/** Everything up to the newest in the list is read, on every device. */
export async function markAllRead(): Promise<void> {
  const { items, pending } = notificationsOf('all')
  const newest = items.value[0]?.most_recent_notification_id
  if (newest === undefined || newest === marked) return
  setUnreadCount(pending.value)
  try {
    const before = await advanceMarker('notifications', newest)
    marked = newest
    // A count that arrived meanwhile was made before the marker moved.
    setUnreadCount(pending.value)
    readBefore.value ??= before
    announce('read')
  } catch (error) {
    // The next visit marks them again.
    console.info(error)
  }
}

/** Throws ApiError. */
export async function clearAll(): Promise<void> {
  await read(api.POST('/api/v2/notifications/clear'))
  setUnreadCount(0)
  announce('read')
  for (const list of lists.values()) await list.loadFirst()
}
