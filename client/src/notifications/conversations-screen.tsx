// Private mentions as conversations, live.
import { Ellipsis, Mail, MailOpen, PenLine, Trash2 } from 'lucide'
import { useEffect } from 'preact/hooks'
import { PagedListView, pagedListOf, type PagedSource } from '../ui/paged-list.tsx'
import { api, read, readPage } from '../api/client.ts'
import type { Conversation } from '../api/entities.ts'
import { openComposer } from '../compose/open.ts'
import { storeStatus } from '../state/statuses.ts'
import { subscribe } from '../state/streaming.ts'
import { statusPath } from '../statuses/links.ts'
import { texts } from '../texts.ts'
import { Avatar, DisplayName } from '../ui/account-line.tsx'
import { Button } from '../ui/button.tsx'
import { confirm } from '../ui/confirm.tsx'
import { emojify } from '../ui/emoji-text.tsx'
import { Icon } from '../ui/icon.tsx'
import { Menu } from '../ui/menu.tsx'
import { optimistic } from '../ui/optimistic.ts'
import { Page } from '../ui/page.tsx'
import { htmlToPlainText } from '../ui/plain-text.ts'
import { RelativeTime } from '../ui/time.tsx'
import './notifications-screen.css'

const source: PagedSource<Conversation> = {
  key: '/conversations',
  load: async (query) => {
    const page = await readPage(api.GET('/api/v1/conversations', { params: { query } }))
    for (const { last_status: status } of page.items) if (status) storeStatus(status)
    return page
  },
  keyOf: ({ id }) => id,
}

export function ConversationsScreen() {
  const list = pagedListOf(source)
  useEffect(
    () =>
      subscribe({
        names: [{ stream: 'direct' }],
        onEvent: ({ event }) => event === 'conversation' && void list.loadFirst(),
        onConnect: () => void list.loadFirst(),
      }),
    [list],
  )
  const write = (
    <Button kind="quiet" icon={PenLine} onClick={() => openComposer({ visibility: 'direct' })}>
      {texts.notifications.write_privately}
    </Button>
  )
  return (
    <Page title={texts.frame.conversations} actions={write} isTop>
      <PagedListView
        source={source}
        label={texts.frame.conversations}
        empty={texts.notifications.conversations_empty}
        render={(conversation) => <ConversationRow conversation={conversation} />}
      />
    </Page>
  )
}

function markConversation({ id, unread }: Conversation, isUnread: boolean): Promise<boolean> {
  const list = pagedListOf(source)
  const show = (now: boolean) => {
    const shown = list.items.value.find((each) => each.id === id)
    if (shown) list.replace({ ...shown, unread: now })
  }
  const action = isUnread ? 'unread' : 'read'
  show(isUnread)
  return optimistic({
    on: `conversation ${id}`,
    undo: () => show(unread),
    request: () => read(api.POST(`/api/v1/conversations/{id}/${action}`, { params: { path: { id } } })),
    done: (changed) => list.replace(changed),
  })
}

function ConversationRow({ conversation }: { conversation: Conversation }) {
  const { accounts, last_status: status, unread, id } = conversation
  const t = texts.notifications
  const [first] = accounts
  const mark = (isUnread: boolean) => void markConversation(conversation, isUnread)
  const remove = async () => {
    if (
      !(await confirm({ title: t.delete_conversation, text: t.delete_explanation, action: t.delete, isDanger: true }))
    )
      return
    const list = pagedListOf(source)
    const sent = optimistic({
      on: `conversation ${id}`,
      undo: list.remove(id),
      request: () => read(api.DELETE('/api/v1/conversations/{id}', { params: { path: { id } } })),
    })
    list.leaveOut(id, sent)
    await sent
  }
  const items = () => [
    [
      unread
        ? { label: t.mark_conversation_read, icon: MailOpen, onSelect: () => mark(false) }
        : { label: t.mark_conversation_unread, icon: Mail, onSelect: () => mark(true) },
    ],
    [{ label: t.delete_conversation, icon: Trash2, isDanger: true, onSelect: () => void remove() }],
  ]
  return (
    <article class={unread ? 'conversation unread' : 'conversation'} tabIndex={-1} data-item="">
      {first ? <Avatar account={first} /> : <span />}
      <a href={status ? statusPath(status) : '/conversations'} onClick={() => unread && mark(false)}>
        <span class="conversation-header">
          <span class="conversation-names">
            {accounts.map((account) => (
              <DisplayName key={account.id} account={account} />
            ))}{' '}
            {unread && <span class="visually-hidden">{t.unread}</span>}
          </span>
          {status && (
            <small>
              <RelativeTime at={status.created_at} />
            </small>
          )}
        </span>
        {status && (
          <span class="preview" dir="auto">
            {emojify(status.spoiler_text || htmlToPlainText(status.content) || t.media_only, status.emojis)}
          </span>
        )}
      </a>
      <Menu label={t.more} trigger={<Icon icon={Ellipsis} />} items={items} />
    </article>
  )
}
