// How many notifications are unread: on the navigation, in the title of the window, and on the icon of the installed client.
import { effect, signal } from '@preact/signals'
import { api, read } from '../api/client.ts'
import type { NotificationGroup } from '../api/entities.ts'
import { screenTitle } from '../state/screen-title.ts'
import { reloadMe } from '../state/me.ts'
import { subscribe } from '../state/streaming.ts'
import { tabs } from '../state/tabs.ts'

export const unreadCount = signal(0)

/** Counts the changes of the number. */
let changes = 0

/** The groups of unread notifications that have arrived: the server counts each once. */
const groups = new Set<string>()

/** Also makes `count` repeat a request that is on its way, as its answer may be older. */
export function setUnreadCount(count: number): void {
  changes += 1
  groups.clear()
  unreadCount.value = count
}

async function count(): Promise<void> {
  const before = changes
  try {
    const answer = await read(api.GET('/api/v2/notifications/unread_count'))
    if (changes === before) unreadCount.value = answer.count
    else await count()
  } catch (error) {
    console.info(error)
  }
}

/** The navigation shows how many follow requests wait, too. */
function countAll(): void {
  // They may have been read elsewhere.
  groups.clear()
  void count()
  void reloadMe()
}

type Arrival = { id: string; type: NotificationGroup['type'] }

const MAX_ARRIVALS = 1000

/** The notifications that have arrived during this visit, the newest last. */
export const arrivals = signal<readonly Arrival[]>([])

/** How often the stream has connected. Notifications from before a connection are not among the arrivals. */
export const connections = signal(0)

/** For the whole visit: counts what is unread, and what arrives. Returns the function that stops. */
export function watchNotifications(): () => void {
  void count()
  const watching = new AbortController()
  // A channel of its own receives what this tab announces, too: an answered request is no longer among the notifications.
  new BroadcastChannel(tabs.name).addEventListener('message', countAll, watching)
  // Other devices do not announce what the viewer reads or answers there, and no event says that a request was withdrawn.
  const countWhenVisible = () => document.visibilityState === 'visible' && countAll()
  document.addEventListener('visibilitychange', countWhenVisible, watching)
  const unsubscribe = subscribe({
    names: [{ stream: 'user:notification' }],
    onEvent: ({ event, payload }) => {
      if (event === 'notifications_merged') return void count()
      if (event !== 'notification') return
      const { id, type, group_key: group } = JSON.parse(payload) as Arrival & { group_key: string }
      changes += 1
      if (group.startsWith('ungrouped-')) unreadCount.value += 1
      else if (!groups.has(group)) {
        groups.add(group)
        // Only the server knows whether others of the group are unread.
        void count()
      }
      if (type === 'follow_request') void reloadMe()
      arrivals.value = [...arrivals.value, { id, type }].slice(-MAX_ARRIVALS)
      if (document.visibilityState === 'hidden')
        // Some browsers allow them to service workers only.
        import('./desktop-notification.ts').then((m) => m.showDesktopNotification(payload)).catch(console.info)
    },
    onConnect() {
      connections.value += 1
      // The first time, too: a request may have arrived since the identity was loaded.
      countAll()
    },
  })
  return () => {
    watching.abort()
    unsubscribe()
  }
}

/** So that tabs in the background show the number. */
effect(() => {
  const [count, title] = [unreadCount.value, screenTitle.value]
  if (title) document.title = count > 0 ? `(${count}) ${title}` : title
})

/** The icon of an installed client shows the number. */
effect(() => {
  const count = unreadCount.value
  if (!('setAppBadge' in navigator)) return
  const changed = count > 0 ? navigator.setAppBadge(count) : navigator.clearAppBadge()
  // Browsers refuse it to pages that are not installed.
  changed.catch(() => {})
})
