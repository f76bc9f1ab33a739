// Where one can go from every screen: one record each. The navigation, its menu, the choices of columns and the command palette read it.
import {
  Bell,
  Bookmark,
  BookUser,
  CalendarClock,
  Coffee,
  Columns3,
  Compass,
  Files,
  Funnel,
  Globe,
  Hash,
  House,
  List,
  Mail,
  Palette,
  Search,
  Settings,
  ShieldUser,
  Sparkles,
  SquareUser,
  Star,
  UserRound,
  UserRoundPlus,
  type IconNode,
} from 'lucide'
import type { CredentialAccount } from '../api/entities.ts'
import { texts } from '../texts.ts'

export type Destination = {
  path: string
  label: () => string
  icon: IconNode
  /** Where the frame shows it: in the navigation (`bar`: on phones, too), or in a group of the menu. The palette always shows it. */
  place?: 'bar' | 'navigation' | 'areas' | 'posts' | 'settings'
  /** Its label in the navigation, if different. */
  navigationLabel?: () => string
  /** Whether it makes sense as a column. */
  isColumn?: boolean
  /** The kind of place, which the palette shows beside the label. */
  hint?: () => string
  isFor?: (me: CredentialAccount) => boolean
}

/** The bits of role permissions that open a page of the administration: all up to 0x8000, and that to manage roles. */
const OPENS_ADMINISTRATION = 0xffff | 0x20000

const isStaff = ({ role }: CredentialAccount): boolean => (Number(role.permissions) & OPENS_ADMINISTRATION) !== 0

const liveFeeds = (): string => texts.frame.live_feeds

/** In the order of display. */
export const DESTINATIONS: readonly Destination[] = [
  { path: '/home', label: () => texts.frame.home, icon: House, place: 'bar', isColumn: true },
  { path: '/notifications', label: () => texts.frame.notifications, icon: Bell, place: 'bar', isColumn: true },
  { path: '/explore', label: () => texts.frame.explore, icon: Compass, place: 'navigation', isColumn: true },
  { path: '/public', label: () => texts.frame.federated, icon: Globe, isColumn: true, hint: liveFeeds },
  { path: '/public/remote', label: () => texts.frame.remote, icon: Globe, isColumn: true, hint: liveFeeds },
  {
    path: '/public/local',
    label: () => texts.frame.local,
    icon: Globe,
    place: 'navigation',
    navigationLabel: liveFeeds,
    isColumn: true,
    hint: liveFeeds,
  },
  { path: '/search', label: () => texts.frame.search, icon: Search, place: 'bar' },
  { path: '/conversations', label: () => texts.frame.conversations, icon: Mail, place: 'navigation', isColumn: true },
  { path: '/bookmarks', label: () => texts.frame.bookmarks, icon: Bookmark, place: 'navigation', isColumn: true },
  { path: '/favourites', label: () => texts.frame.favourites, icon: Star, place: 'navigation', isColumn: true },
  { path: '/lists', label: () => texts.frame.lists, icon: List, place: 'navigation' },
  { path: '/catch-up', label: () => texts.frame.catch_up, icon: Coffee, place: 'navigation' },
  { path: '/deck', label: () => texts.frame.deck, icon: Columns3, place: 'navigation' },
  { path: '/follow_requests', label: () => texts.accounts.follow_requests, icon: UserRoundPlus, place: 'areas' },
  { path: '/followed_tags', label: () => texts.lists.followed_tags, icon: Hash, place: 'areas' },
  { path: '/filters', label: () => texts.lists.filters, icon: Funnel, place: 'areas' },
  { path: '/collections', label: () => texts.lists.collections, icon: SquareUser, place: 'areas' },
  { path: '/directory', label: () => texts.accounts.directory, icon: BookUser, place: 'areas' },
  { path: '/annual_report', label: () => texts.lists.annual_report, icon: Sparkles, place: 'areas' },
  { path: '/drafts', label: () => texts.frame.drafts, icon: Files, place: 'posts' },
  { path: '/scheduled_statuses', label: () => texts.frame.scheduled_posts, icon: CalendarClock, place: 'posts' },
  { path: '/appearance', label: () => texts.appearance.title, icon: Palette, place: 'settings' },
  { path: '/settings', label: () => texts.frame.settings, icon: Settings, place: 'settings' },
  { path: '/admin', label: () => texts.frame.administration, icon: ShieldUser, place: 'settings', isFor: isStaff },
  { path: '/profile/edit', label: () => texts.accounts.edit_profile, icon: UserRound },
  { path: '/notifications/requests', label: () => texts.notifications.requests, icon: Bell },
  { path: '/endorsements', label: () => texts.accounts.endorsements, icon: UserRound },
  { path: '/mutes', label: () => texts.accounts.mutes, icon: UserRound },
  { path: '/blocks', label: () => texts.accounts.blocks, icon: UserRound },
  { path: '/domain_blocks', label: () => texts.accounts.domain_blocks, icon: Globe },
  { path: '/settings/preferences', label: () => texts.appearance.preferences, icon: Settings },
]
