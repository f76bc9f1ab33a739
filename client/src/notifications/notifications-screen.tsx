import { CheckCheck, SlidersHorizontal, Trash2 } from 'lucide'
import { useRoute } from 'preact-iso'
import { useContext, useEffect, useLayoutEffect, useState } from 'preact/hooks'
import { useCached } from '../state/cached.ts'
import { api, read } from '../api/client.ts'
import { texts } from '../texts.ts'
import { IconButton } from '../ui/button.tsx'
import { ColumnContext } from '../ui/column.ts'
import { confirm } from '../ui/confirm.tsx'
import { NewPill } from '../ui/new-pill.tsx'
import { Page, useWasPush } from '../ui/page.tsx'
import { PagedItems } from '../ui/paged-list.tsx'
import { PullPlace } from '../ui/pull-place.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { showError } from '../ui/toasts.tsx'
import { FILTERS, type NotificationFilter } from './kinds.ts'
import { NotificationItem } from './notification-item.tsx'
import { clearAll, endMarking, markAllRead, notificationsOf } from './notifications.ts'
import { PolicyDialog } from './policy-dialog.tsx'
import { connections } from './unread.ts'
import './notifications-screen.css'

const pathOf = (filter: NotificationFilter): string =>
  filter === 'all' ? '/notifications' : `/notifications/${filter}`

export function NotificationsScreen() {
  const { path } = useRoute()
  const wasPush = useWasPush()
  const t = texts.notifications
  // On the way back from a post, those that are left stay marked.
  useLayoutEffect(() => {
    if (wasPush) endMarking()
  }, [])
  const filter = FILTERS.find((each) => path === pathOf(each)) ?? 'all'
  const [isOpen, setOpen] = useState(false)
  const policy = useCached('notification policy', () => read(api.GET('/api/v2/notifications/policy')))
  const tabs = FILTERS.map((each) => ({ href: pathOf(each), label: t.filters[each] }))
  const clear = () =>
    confirm({ title: t.clear_question, text: t.clear_explanation, action: t.clear, isDanger: true, act: clearAll })
  const openPolicy = () => {
    setOpen(true)
    if (!policy.error) return
    showError(policy.error)
    policy.reload()
  }
  const actions = (
    <>
      <IconButton icon={CheckCheck} label={t.mark_read} onClick={() => void markAllRead().then(endMarking)} />
      <IconButton icon={SlidersHorizontal} label={t.settings} onClick={openPolicy} />
      <IconButton icon={Trash2} label={t.clear} onClick={() => void clear()} />
    </>
  )
  const pendingRequests = policy.value?.summary.pending_requests_count ?? 0
  return (
    <Page
      title={texts.frame.notifications}
      actions={actions}
      bar={<Tabs label={t.show} tabs={tabs} current={path} />}
      isTop
    >
      {pendingRequests > 0 && (
        <p class="frame-notice">
          <a href="/notifications/requests">{t.requests_waiting({ count: pendingRequests })}</a>
        </p>
      )}
      <Groups key={filter} filter={filter} />
      {isOpen && policy.value && (
        <PolicyDialog policy={policy.value} onChange={policy.change} onClose={() => setOpen(false)} />
      )}
    </Page>
  )
}

function Groups({ filter }: { filter: NotificationFilter }) {
  const list = notificationsOf(filter)
  // Notifications on a visible screen count as read.
  const newest = list.items.value[0]?.most_recent_notification_id
  useEffect(() => {
    if (filter === 'all' && document.visibilityState === 'visible') void markAllRead()
  }, [newest, filter])
  useEffect(() => void list.open(), [connections.value])
  const t = texts.notifications
  const { isPinned } = useContext(ColumnContext)
  const showNew = () => {
    // A column of the deck is visited once and stays: its marks would add up.
    if (isPinned) endMarking()
    return list.loadFirst()
  }
  return (
    <>
      <PullPlace refresh={() => list.refresh()} />
      <NewPill count={list.pending.value} label={t.new_notifications} show={showNew} />
      <PagedItems
        list={list}
        label={texts.frame.notifications}
        empty={
          <>
            {t.empty} {filter === 'all' && <a href="/explore/people">{texts.timelines.find_people}</a>}
          </>
        }
        end={t.end}
        estimate={120}
        render={(group) => <NotificationItem group={group} list={list} />}
      />
    </>
  )
}
