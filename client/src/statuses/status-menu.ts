// The menu of everything that can be done with a status and its author.
import {
  BellOff,
  BellRing,
  CodeXml,
  ExternalLink,
  Funnel,
  Languages,
  Link,
  MessageSquareOff,
  MessageSquareQuote,
  Pencil,
  Pin,
  RotateCcw,
  Share2,
  Trash,
} from 'lucide'
import { muteItems, staffItems, writeItems } from '../accounts/account-menu.ts'
import { copyText } from '../ui/copy-text.ts'
import { nameText } from '../ui/emoji-text.tsx'
import type { Status } from '../api/entities.ts'
import { openComposer } from '../compose/open.ts'
import { isMe } from '../state/me.ts'
import { quotedStatus } from '../state/statuses.ts'
import { texts } from '../texts.ts'
import type { MenuGroup, MenuItem } from '../ui/menu.tsx'
import { share } from '../ui/share.ts'
import { webAddress } from '../ui/web-address.ts'
import { deleteStatus, muteThread, pin, redraft, revokeQuote } from './acts.ts'
import { openStatusDialog } from './open.ts'
import { isTranslatable, toggleTranslation, translationOf } from './translation.ts'
import { isPublic } from './visibility.tsx'

export function moreItems(status: Status): MenuGroup[] {
  const isOwn = isMe(status.account.id)
  return [
    linkItems(status),
    ...(isOwn ? [ownItems(status)] : [authorItems(status), restrictItems(status)]),
    staffItems(status.account),
  ]
}

function linkItems(status: Status): MenuGroup {
  const t = texts.statuses
  const address = webAddress(status.url ?? status.uri) ?? ''
  const isLocal = !status.account.acct.includes('@')
  const isShown = translationOf(status).peek().isShown
  return [
    isTranslatable(status) && {
      label: isShown ? t.show_original : t.translate,
      icon: Languages,
      onSelect: () => void toggleTranslation(status),
    },
    'share' in navigator && { label: t.share, icon: Share2, onSelect: () => void shareStatus(status, address) },
    { label: t.copy_link, icon: Link, onSelect: () => void copyText(address, t.link_copied) },
    isLocal &&
      isPublic(status.visibility) && {
        label: t.embed,
        icon: CodeXml,
        onSelect: () => openStatusDialog({ kind: 'embed', status }),
      },
    !isLocal && { label: t.open_original, icon: ExternalLink, href: address },
  ]
}

/** The server shows the address to those who may see the status. */
const shareStatus = ({ account }: Status, url: string): Promise<void> =>
  share({ title: texts.statuses.post_by({ name: nameText(account) }), url })

function ownItems(status: Status): MenuGroup {
  const t = texts.statuses
  const { visibility, pinned } = status
  return [
    { label: t.edit, icon: Pencil, onSelect: () => openComposer({ edit: status }) },
    visibility !== 'direct' && { label: pinned ? t.unpin : t.pin, icon: Pin, onSelect: () => void pin(status) },
    isPublic(status.visibility) && {
      label: t.quote_policy,
      icon: MessageSquareQuote,
      onSelect: () => openStatusDialog({ kind: 'quote-policy', status }),
    },
    threadItem(status),
    { label: t.redraft, icon: RotateCcw, isDanger: true, onSelect: () => void redraft(status) },
    { label: t.delete, icon: Trash, isDanger: true, onSelect: () => void deleteStatus(status) },
  ]
}

const threadItem = (status: Status): MenuItem => ({
  label: status.muted ? texts.statuses.unmute_thread : texts.statuses.mute_thread,
  icon: status.muted ? BellRing : BellOff,
  onSelect: () => void muteThread(status),
})

function authorItems(status: Status): MenuGroup {
  return [
    ...writeItems(status.account),
    threadItem(status),
    { label: texts.statuses.filter_post, icon: Funnel, onSelect: () => openStatusDialog({ kind: 'filter', status }) },
  ]
}

function restrictItems(status: Status): MenuGroup {
  const { account } = status
  const quoted = quotedStatus(status)
  return [
    quoted !== null &&
      isMe(quoted.account.id) &&
      status.quote?.state === 'accepted' && {
        label: texts.statuses.revoke_quote,
        icon: MessageSquareOff,
        isDanger: true,
        onSelect: () => void revokeQuote(status, quoted.id),
      },
    ...muteItems(account, status),
  ]
}
