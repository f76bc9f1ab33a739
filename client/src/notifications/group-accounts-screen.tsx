// All accounts behind a group of notifications, of which the list shows a few.
import { useRoute } from 'preact-iso'
import { AccountRow } from '../accounts/account-row.tsx'
import { accountSource } from '../accounts/account-source.ts'
import { api, read, readPage } from '../api/client.ts'
import { useLoaded } from '../state/loaded.ts'
import { storeStatus } from '../state/statuses.ts'
import { texts } from '../texts.ts'
import { Page } from '../ui/page.tsx'
import { PagedListView } from '../ui/paged-list.tsx'
import type { NotificationType } from './kinds.ts'
import { ShortStatus } from './notification-item.tsx'

const sourceOf = (group: string) =>
  accountSource(`accounts of ${group}`, (query) =>
    readPage(api.GET('/api/v2/notifications/{group_key}/accounts', { params: { path: { group_key: group }, query } })),
  )

async function loadGroup(key: string) {
  const { statuses, notification_groups: groups } = await read(
    api.GET('/api/v2/notifications/{group_key}', { params: { path: { group_key: key } } }),
  )
  for (const status of statuses) storeStatus(status)
  return groups[0]
}

function titleOf(type: NotificationType | undefined): string {
  const { statuses, notifications: t } = texts
  if (type === 'favourite') return statuses.favourited_by_title
  if (type === 'reblog') return statuses.boosted_by_title
  if (type === 'follow') return t.new_followers
  return type === 'admin.sign_up' ? t.new_accounts : texts.frame.notifications
}

export function GroupAccountsScreen() {
  const { group: key = '' } = useRoute().params
  const group = useLoaded(() => loadGroup(key), [key]).value
  const title = titleOf(group?.type)
  return (
    <Page title={title}>
      {group?.status_id && (
        <div class="group-status">
          <ShortStatus id={group.status_id} />
        </div>
      )}
      <PagedListView
        source={sourceOf(key)}
        label={title}
        empty={texts.notifications.empty}
        render={(account) => <AccountRow account={account} />}
      />
    </Page>
  )
}
