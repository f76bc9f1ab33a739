// Notifications that the policy filtered, by account: accept shows them, dismiss leaves them out.
import { useState } from 'preact/hooks'
import { PagedListView, pagedListOf, type PagedSource } from '../ui/paged-list.tsx'
import { api, read, readPage } from '../api/client.ts'
import type { NotificationRequest } from '../api/entities.ts'
import { storeStatus } from '../state/statuses.ts'
import { texts } from '../texts.ts'
import { AccountLine } from '../ui/account-line.tsx'
import { Button } from '../ui/button.tsx'
import { confirm } from '../ui/confirm.tsx'
import { Page } from '../ui/page.tsx'
import { showError, showToast } from '../ui/toasts.tsx'
import { ShortStatus } from './notification-item.tsx'
import './notifications-screen.css'

const source: PagedSource<NotificationRequest> = {
  key: '/notifications/requests',
  async load(query) {
    const page = await readPage(api.GET('/api/v1/notifications/requests', { params: { query } }))
    for (const { last_status: status } of page.items) if (status) storeStatus(status)
    return page
  },
  keyOf: ({ id }) => id,
}

type Answer = 'accept' | 'dismiss'

export function NotificationRequestsScreen() {
  const t = texts.notifications
  const list = pagedListOf(source)
  const [isBusy, setBusy] = useState(false)
  const answerAll = async (answer: Answer) => {
    await respondToAll(answer)
    await list.loadFirst()
  }
  const acceptAll = async () => {
    if (isBusy) return
    setBusy(true)
    await answerAll('accept').catch(showError)
    setBusy(false)
  }
  const dismissAll = () =>
    confirm({
      title: t.dismiss_all_question,
      text: t.clear_explanation,
      action: t.dismiss_all,
      isDanger: true,
      act: () => answerAll('dismiss'),
    })
  return (
    <Page
      title={t.requests}
      actions={
        list.items.value.length > 1 && (
          <>
            <Button kind="quiet" aria-busy={isBusy} onClick={() => void acceptAll()}>
              {t.accept_all}
            </Button>
            <Button kind="quiet" onClick={() => void dismissAll()}>
              {t.dismiss_all}
            </Button>
          </>
        )
      }
    >
      <PagedListView
        source={source}
        label={t.requests}
        empty={t.requests_empty}
        render={(request) => <RequestRow request={request} />}
      />
    </Page>
  )
}

const MOST_PAGES = 100

/** To those that are not loaded yet, too. Throws ApiError. */
async function respondToAll(answer: Answer): Promise<void> {
  let query: Record<string, string> | null = {}
  for (let page = 0; query && page < MOST_PAGES; page += 1) {
    const { items, next }: Awaited<ReturnType<typeof source.load>> = await source.load(query)
    if (items.length === 0) return
    await read(api.POST(`/api/v1/notifications/requests/${answer}`, { body: { id: items.map(({ id }) => id) } }))
    query = next
  }
}

function RequestRow({ request }: { request: NotificationRequest }) {
  const { id, account, notifications_count: count, last_status: status } = request
  const t = texts.notifications
  const [isBusy, setBusy] = useState(false)
  const respond = async (answer: Answer) => {
    setBusy(true)
    try {
      await read(api.POST(`/api/v1/notifications/requests/{id}/${answer}`, { params: { path: { id } } }))
      pagedListOf(source).remove(id)
      showToast(answer === 'accept' ? t.request_accepted : t.request_dismissed)
    } catch (error) {
      showError(error)
      setBusy(false)
    }
  }
  return (
    <div class="request-row">
      <AccountLine account={account} />
      {status && <ShortStatus id={status.id} />}
      <div class="request-actions">
        <small>{t.notification_count({ count: Number(count) })}</small>
        <Button kind="primary" disabled={isBusy} onClick={() => void respond('accept')}>
          {t.accept}
        </Button>
        <Button disabled={isBusy} onClick={() => void respond('dismiss')}>
          {t.dismiss}
        </Button>
      </div>
    </div>
  )
}
