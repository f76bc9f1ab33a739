// Shows a notification of the system while the client is open in another tab. With web push, the service worker does.
import { hasPush } from '../offline/push.ts'
import { texts } from '../texts.ts'
import { nameText } from '../ui/emoji-text.tsx'
import type { NotificationType } from './kinds.ts'

type Payload = {
  id: string
  type: NotificationType
  account: { display_name: string; username: string; avatar: string }
}

export async function showDesktopNotification(json: string): Promise<void> {
  if (!('Notification' in window) || Notification.permission !== 'granted' || (await hasPush())) return
  const { id, type, account } = JSON.parse(json) as Payload
  const shown = new Notification(texts.notifications.kinds[type], {
    body: nameText(account),
    icon: account.avatar,
    tag: id,
  })
  shown.addEventListener('click', () => {
    window.focus()
    shown.close()
  })
}
