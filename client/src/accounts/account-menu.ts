// Everything that the viewer can do with an account, for menus.
import {
  AtSign,
  Ban,
  Bell,
  ExternalLink,
  Flag,
  Link,
  List as ListIcon,
  Mail,
  Pencil,
  QrCode,
  Search,
  ServerOff,
  ShieldUser,
  SlidersHorizontal,
  Sparkles,
  UserMinus,
  VolumeX,
} from 'lucide'
import type { Account, Relationship, Status } from '../api/entities.ts'
import { openComposer } from '../compose/open.ts'
import { relationshipOf } from '../state/accounts.ts'
import { identity, isMe } from '../state/me.ts'
import { openStatusDialog } from '../statuses/open.ts'
import { texts } from '../texts.ts'
import type { MenuGroup } from '../ui/menu.tsx'
import { webAddress } from '../ui/web-address.ts'
import { block, endorse, follow, handleOf, removeFollower, unblock, unmute } from './acts.ts'
import { unblockDomain } from './domain-acts.ts'
import { hostOf, isRemote } from './handle.tsx'
import { searchPath } from '../search/search-path.ts'
import { copyText } from '../ui/copy-text.ts'
import { openAccountDialog } from './open.ts'

/** Bits of role permissions: the administrator's, and those to manage reports, appeals or users, or federation. */
const MANAGES_PEOPLE = 0x1 | 0x10 | 0x200 | 0x400
const MANAGES_SERVERS = 0x1 | 0x20

export function accountMenu(account: Account): MenuGroup[] {
  if (isMe(account.id)) return [ownItems(), linkItems(account)]
  const relationship = relationshipOf(account.id).value
  return [
    writeItems(account),
    linkItems(account),
    relationship ? followItems(account, relationship) : [],
    relationship ? restrictItems(account, relationship) : [],
    staffItems(account),
  ]
}

function ownItems(): MenuGroup {
  const t = texts.accounts
  return [
    { label: t.edit_profile, icon: Pencil, href: '/profile/edit' },
    { label: t.follow_requests, href: '/follow_requests' },
    { label: t.mutes, href: '/mutes' },
    { label: t.blocks, href: '/blocks' },
    { label: t.domain_blocks, href: '/domain_blocks' },
    { label: t.endorsements, href: '/endorsements' },
  ]
}

export function writeItems(account: Account): MenuGroup {
  const text = `${handleOf(account)} `
  return [
    { label: texts.accounts.mention, icon: AtSign, onSelect: () => openComposer({ text }) },
    { label: texts.accounts.private_mention, icon: Mail, onSelect: () => openComposer({ text, visibility: 'direct' }) },
  ]
}

function linkItems(account: Account): MenuGroup {
  const address = webAddress(account.url ?? account.uri) ?? ''
  const t = texts.accounts
  return [
    {
      label: t.search_posts,
      icon: Search,
      href: searchPath(`from:${isMe(account.id) ? 'me' : account.acct}`, 'statuses'),
    },
    { label: t.copy_link, icon: Link, onSelect: () => void copyText(address) },
    { label: texts.accounts.show_qr, icon: QrCode, onSelect: () => openAccountDialog('qr', account) },
    account.email_subscriptions === true && {
      label: t.subscribe_item,
      icon: Mail,
      onSelect: () => openAccountDialog('subscribe', account),
    },
    isRemote(account) && { label: t.open_original, icon: ExternalLink, href: address },
  ]
}

function followItems(account: Account, relationship: Relationship): MenuGroup {
  if (!relationship.following) return []
  const t = texts.accounts
  const { notifying, endorsed } = relationship
  return [
    {
      label: notifying ? t.stop_notify : t.notify,
      icon: Bell,
      onSelect: () => void follow(account, { notify: !notifying }),
    },
    { label: t.follow_options, icon: SlidersHorizontal, onSelect: () => openAccountDialog('follow', account) },
    { label: t.lists, icon: ListIcon, onSelect: () => openAccountDialog('lists', account) },
    {
      label: endorsed ? t.unendorse : t.endorse,
      icon: Sparkles,
      onSelect: () => void endorse(account, !endorsed),
    },
  ]
}

function restrictItems(account: Account, relationship: Relationship): MenuGroup {
  const t = texts.accounts
  const host = hostOf(account)
  const isBlocked = relationship.domain_blocking
  return [
    relationship.followed_by && {
      label: t.remove_follower,
      icon: UserMinus,
      onSelect: () => void removeFollower(account),
    },
    ...muteItems(account, null),
    isRemote(account) && {
      label: isBlocked ? t.unblock_domain({ host }) : t.block_domain_item({ host }),
      icon: ServerOff,
      isDanger: !isBlocked,
      onSelect: () => (isBlocked ? void unblockDomain(host) : openAccountDialog('domain', account)),
    },
  ]
}

/** Mutes, blocks and reports an account. `status`: what the viewer would report it for, if it is one. */
export function muteItems(account: Account, status: Status | null): MenuGroup {
  const t = texts.accounts
  const relationship = relationshipOf(account.id).value
  return [
    relationship?.muting
      ? { label: t.unmute, icon: VolumeX, onSelect: () => void unmute(account) }
      : { label: t.mute_item, icon: VolumeX, onSelect: () => openAccountDialog('mute', account) },
    relationship?.blocking
      ? { label: t.unblock, icon: Ban, onSelect: () => void unblock(account) }
      : { label: t.block_item, icon: Ban, isDanger: true, onSelect: () => void block(account) },
    {
      label: texts.statuses.report_item,
      icon: Flag,
      isDanger: true,
      onSelect: () => openStatusDialog({ kind: 'report', account, status }),
    },
  ]
}

/** Items for users whose role lets them manage accounts or servers. */
export function staffItems(account: Account): MenuGroup {
  const has = (permission: number) => (Number(identity.peek()?.me.role.permissions ?? 0) & permission) !== 0
  const host = hostOf(account)
  const t = texts.accounts
  return [
    has(MANAGES_PEOPLE) && { label: t.open_administration, icon: ShieldUser, href: `/admin/accounts/${account.id}` },
    isRemote(account) &&
      has(MANAGES_SERVERS) && {
        label: t.administer_server({ host }),
        icon: ShieldUser,
        href: `/admin/instances/${host}`,
      },
  ]
}
