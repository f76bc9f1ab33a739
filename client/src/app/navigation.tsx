// The main navigation: a column on wide screens, a bar at the bottom of phones.
import {
  Download,
  Globe,
  Hash,
  Keyboard,
  Link,
  List,
  LogOut,
  Menu as MenuIcon,
  PenLine,
  Plus,
  Search,
  Terminal,
  UserRound,
  UserRoundPlus,
  type IconNode,
} from 'lucide'
import { useLocation } from 'preact-iso'
import type { CredentialAccount } from '../api/entities.ts'
import { ACCOUNTS_PAGE } from '../api/server-pages.ts'
import { otherAccountIds } from '../api/session.ts'
import { openFromLink } from '../compose/open.ts'
import { install, installPrompt } from '../offline/install.ts'
import { unreadCount } from '../notifications/unread.ts'
import { useInstance, useMe } from '../state/me.ts'
import { settings } from '../state/settings.ts'
import { otherAccounts } from '../state/other-accounts.ts'
import { fullNumber, texts } from '../texts.ts'
import { accountPath, Avatar, DisplayName } from '../ui/account-line.tsx'
import { Icon } from '../ui/icon.tsx'
import { Menu, type MenuGroup } from '../ui/menu.tsx'
import { showNew } from '../ui/new-pill.tsx'
import { opensHere } from '../ui/opens-here.ts'
import { showError } from '../ui/toasts.tsx'
import { signOutHere, signOutLabel, switchTo } from './account-acts.ts'
import { DESTINATIONS, type Destination } from './destinations.ts'
import { focusSearch } from './shortcuts.ts'
import { showPalette, showShortcuts } from './shown-dialog.ts'
import './navigation.css'

/** Where the stylesheet makes the column a bar. */
const BAR = '(max-width: 48rem)'

const ENTRIES = DESTINATIONS.filter(({ place }) => place === 'bar' || place === 'navigation')

const entryLabel = ({ label, navigationLabel = label }: Destination): string => navigationLabel()

export function Navigation() {
  const { path, url } = useLocation()
  const me = useMe()
  const { title } = useInstance()
  const waiting = me.source.follow_requests_count
  return (
    <nav class="navigation" aria-label={texts.frame.navigation}>
      <a class="site" href="/home">
        <img src="/assets/logo.svg" alt="" width="28" height="28" />
        <span>{title}</span>
      </a>
      {ENTRIES.map((entry) => {
        const { path: href, icon, place } = entry
        const label = entryLabel(entry)
        const isCurrent = isAt(path, href)
        return (
          <a
            key={href}
            href={href}
            title={label}
            class={place === 'bar' ? 'entry in-bar' : 'entry'}
            onClick={(event) => (path === href || (path === '/' && href === '/home')) && goUp(event)}
            aria-current={isCurrent ? 'page' : undefined}
          >
            <Icon icon={icon} size={24} />
            <span>{label}</span>
            {href === '/notifications' && <UnreadBadge />}
          </a>
        )
      })}
      <Shortcuts url={url} />
      <RequestsEntry me={me} path={path} />
      <a class="button primary compose-link" href="/publish" title={texts.frame.compose} onClick={openFromLink}>
        <Icon icon={PenLine} size={20} />
        <span>{texts.frame.compose}</span>
      </a>
      <a class="entry own-profile" href={accountPath(me)} title={texts.accounts.profile}>
        <Avatar account={me} size={28} />
        <DisplayName account={me} />
      </a>
      <Menu
        label={texts.frame.more}
        triggerClass="entry in-bar more-entry"
        trigger={
          <>
            {/* Those who have several accounts see which one they use. */}
            {otherAccountIds.length > 0 ? <Avatar account={me} size={24} /> : <Icon icon={MenuIcon} size={24} />}
            <span>{texts.frame.more}</span>
            {/* The bar of phones has no entry for the requests. */}
            <span class="bar-badge">
              <Badge count={waiting} text={texts.lists.requests_waiting({ count: waiting })} />
            </span>
          </>
        }
        items={() => moreItems(me)}
      />
    </nav>
  )
}

/** Screens that the viewer has put here. The bar of phones has room for one; the menu has the others. */
function Shortcuts({ url }: { url: string }) {
  return settings.value.shortcuts.map(({ path, label }, index) => (
    <a
      key={path}
      href={path}
      title={label}
      class={index === 0 ? 'entry shortcut in-bar' : 'entry shortcut'}
      onClick={(event) => path === url && goUp(event)}
      aria-current={path === url ? 'page' : undefined}
    >
      <Icon icon={iconOf(path)} size={24} />
      <span dir="auto">{label}</span>
    </a>
  ))
}

const SHORTCUT_ICONS: Record<string, IconNode> = { tags: Hash, lists: List, search: Search, public: Globe, links: Link }

const iconOf = (path: string): IconNode => SHORTCUT_ICONS[path.split(/[/?]/)[1] ?? ''] ?? UserRound

/** The entry of the current screen scrolls to its top; at the top, it loads what is new. That of the search begins a new one. */
function goUp(event: MouseEvent): void {
  if (!opensHere(event)) return
  event.preventDefault()
  event.stopPropagation()
  if (location.pathname === '/search') focusSearch()
  else if (scrollY > 0) scrollTo({ top: 0 })
  else showNew()
}

/** Whether an entry leads to the current screen, or to one that contains it. */
function isAt(path: string, href: string): boolean {
  const root = href.replace(/\/local$/, '')
  return path === root || path.startsWith(`${root}/`) || (href === '/home' && path === '/')
}

function UnreadBadge() {
  const count = unreadCount.value
  return <Badge count={count} text={texts.notifications.unread_count({ count })} />
}

function Badge({ count, text }: { count: number; text: string }) {
  if (count === 0) return null
  return (
    <b class="unread-badge">
      <span aria-hidden="true">{count > 99 ? `${fullNumber(99)}+` : fullNumber(count)}</span>
      <span class="visually-hidden">{text}</span>
    </b>
  )
}

/** Only while requests wait. The menu has the entry always. */
function RequestsEntry({ me: { source }, path }: { me: CredentialAccount; path: string }) {
  const count = source.follow_requests_count
  if (count === 0) return null
  return (
    <a
      href="/follow_requests"
      title={texts.accounts.follow_requests}
      class="entry"
      aria-current={path === '/follow_requests' ? 'page' : undefined}
    >
      <Icon icon={UserRoundPlus} size={24} />
      <span>{texts.accounts.follow_requests}</span>
      <Badge count={count} text={texts.lists.requests_waiting({ count })} />
    </a>
  )
}

function moreItems(me: CredentialAccount): MenuGroup[] {
  return [
    // First, so that no small window hides them.
    switchItems(),
    // The column of wide screens has them; the bar of phones has no room.
    matchMedia(BAR).matches
      ? [
          { label: texts.accounts.profile, icon: UserRound, href: accountPath(me) },
          ...settings
            .peek()
            .shortcuts.slice(1)
            .map(({ path, label }) => ({ label, icon: iconOf(path), href: path })),
          ...ENTRIES.filter(({ place }) => place === 'navigation').map((entry) => ({
            label: entryLabel(entry),
            icon: entry.icon,
            href: entry.path,
          })),
        ]
      : [],
    itemsAt('areas', me),
    itemsAt('posts', me),
    [
      ...itemsAt('settings', me),
      { label: texts.appearance.shortcuts.palette, icon: Terminal, onSelect: showPalette },
      matchMedia('(hover: hover)').matches && {
        label: texts.appearance.shortcuts_title,
        icon: Keyboard,
        onSelect: showShortcuts,
      },
      installPrompt.value !== null && {
        label: texts.offline.install,
        icon: Download,
        onSelect: () => void install().catch(showError),
      },
    ],
    accountItems(),
  ]
}

/** They come from the server when the first screen is painted. */
const switchItems = (): MenuGroup =>
  otherAccounts.value.map((account) => ({
    label: texts.offline.switch_to({ handle: account.username }),
    image: <Avatar account={account} size={24} />,
    onSelect: () => void switchTo(account.id),
  }))

const accountItems = (): MenuGroup => [
  { label: texts.offline.add_account, icon: Plus, href: ACCOUNTS_PAGE },
  { label: signOutLabel(), icon: LogOut, onSelect: () => void signOutHere() },
]

function itemsAt(group: Destination['place'], me: CredentialAccount): MenuGroup {
  const waiting = me.source.follow_requests_count
  return DESTINATIONS.filter(({ place, isFor }) => place === group && isFor?.(me) !== false).map(
    ({ path, label, icon }) => ({
      label: label(),
      icon,
      href: path,
      ...(path === '/follow_requests' && waiting > 0 ? { hint: texts.lists.requests_waiting({ count: waiting }) } : {}),
    }),
  )
}
