import { CheckCheck, SlidersHorizontal, Trash2 } from 'lucide'
import { useLocation } from 'preact-iso'
import { useContext, useEffect, useState } from 'preact/hooks'
import { useLoaded } from '../state/loaded.ts'
import { api, read } from '../api/client.ts'
import { texts } from '../texts.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { ColumnContext } from '../ui/column.ts'
import { confirm } from '../ui/confirm.tsx'
import { Page } from '../ui/page.tsx'
import { Empty, Failed, Loading } from '../ui/state-message.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { showError } from '../ui/toasts.tsx'
import { VirtualList } from '../ui/virtual-list.tsx'
import { FILTERS, type NotificationFilter } from './kinds.ts'
import { NotificationItem } from './notification-item.tsx'
import { clearAll, markAllRead, notificationsOf, type NotificationList } from './notifications.ts'
import { PolicyDialog } from './policy-dialog.tsx'
import './notifications-screen.css'

const pathOf = (filter: NotificationFilter): string =>
  filter === 'all' ? '/notifications' : `/notifications/${filter}`

export function NotificationsScreen() {
  const { path } = useLocation()
  const t = texts.notifications
  const filter = FILTERS.find((each) => path === pathOf(each)) ?? 'all'
  const [isOpen, setOpen] = useState(false)
  const policy = useLoaded(() => read(api.GET('/api/v2/notifications/policy')), [])
  const tabs = FILTERS.map((each) => ({ href: pathOf(each), label: t.filters[each] }))
  const clear = async () => {
    const question = { title: t.clear_question, text: t.clear_explanation, action: t.clear, isDanger: true }
    if (await confirm(question)) await clearAll().catch(showError)
  }
  const actions = (
    <>
      <IconButton icon={CheckCheck} label={t.mark_read} onClick={() => void markAllRead()} />
      <IconButton icon={SlidersHorizontal} label={t.policy} onClick={() => setOpen(true)} />
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
        <PolicyDialog policy={policy.value} onChange={policy.set} onClose={() => setOpen(false)} />
      )}
    </Page>
  )
}

function Groups({ filter }: { filter: NotificationFilter }) {
  const list = notificationsOf(filter)
  useEffect(() => {
    if (list.state.value === 'new' || list.pending.value > 0) void list.loadFirst()
  }, [list])
  // What is on the screen of someone who looks at it is read.
  const newest = list.groups.value[0]?.most_recent_notification_id
  useEffect(() => {
    if (filter === 'all' && document.visibilityState === 'visible') void markAllRead()
  }, [newest, filter])
  const groups = list.groups.value
  const state = list.state.value
  if (groups.length === 0) {
    if (state === 'failed') return <Failed error={list.error.value} retry={() => void list.loadFirst()} />
    return state === 'ready' ? <Empty>{texts.notifications.empty}</Empty> : <Loading />
  }
  return (
    <>
      <ArrivalPill list={list} />
      <VirtualList
        label={texts.frame.notifications}
        items={groups}
        keyOf={(group) => group.group_key}
        render={(group) => <NotificationItem group={group} list={list} />}
        estimate={120}
        position={list.position}
        onPosition={(position) => (list.position = position)}
        onEnd={() => void list.loadOlder()}
        footer={list.isComplete.value ? <Empty>{texts.notifications.end}</Empty> : <Loading />}
      />
    </>
  )
}

function ArrivalPill({ list }: { list: NotificationList }) {
  const { scroller } = useContext(ColumnContext)
  const count = list.pending.value
  const show = async () => {
    await list.loadFirst()
    const target = scroller ?? window
    target.scrollTo({ top: 0 })
  }
  return (
    <div class="new-posts" role="status">
      {count > 0 && (
        <Button kind="primary" onClick={() => void show()}>
          {texts.notifications.new_notifications({ count })}
        </Button>
      )}
    </div>
  )
}
