// One record per notification type: how it looks, what it says, and what it shows.
import {
  BarChart3,
  Bell,
  FileUser,
  Flag,
  FolderHeart,
  Pencil,
  Quote,
  Repeat2,
  Reply,
  ShieldAlert,
  Star,
  Unlink,
  UserPlus,
  UserRoundCheck,
  type IconNode,
} from 'lucide'
import type { NotificationGroup } from '../api/entities.ts'

export type NotificationType = NotificationGroup['type']

export type NotificationKind = {
  icon: IconNode
  tone?: 'favourite' | 'boost' | 'danger'
  /** `whole`: the status with its actions, as in a timeline; `short`: a few lines of it; none: no status. */
  status?: 'whole' | 'short'
  /** In which part of the filter bar it appears, besides All. */
  filter: 'mentions' | 'reactions' | 'follows' | 'posts' | 'other'
  /** The bit of the role permission that staff need to receive it. */
  permission?: number
}

export const KINDS: Record<NotificationType, NotificationKind> = {
  mention: { icon: Reply, status: 'whole', filter: 'mentions' },
  quote: { icon: Quote, status: 'whole', filter: 'mentions' },
  status: { icon: Bell, status: 'whole', filter: 'posts' },
  favourite: { icon: Star, tone: 'favourite', status: 'short', filter: 'reactions' },
  reblog: { icon: Repeat2, tone: 'boost', status: 'short', filter: 'reactions' },
  follow: { icon: UserPlus, filter: 'follows' },
  follow_request: { icon: UserRoundCheck, filter: 'follows' },
  poll: { icon: BarChart3, status: 'whole', filter: 'posts' },
  update: { icon: Pencil, status: 'short', filter: 'posts' },
  quoted_update: { icon: Pencil, status: 'short', filter: 'posts' },
  severed_relationships: { icon: Unlink, tone: 'danger', filter: 'other' },
  moderation_warning: { icon: ShieldAlert, tone: 'danger', filter: 'other' },
  added_to_collection: { icon: FolderHeart, filter: 'other' },
  collection_update: { icon: FolderHeart, filter: 'other' },
  'admin.sign_up': { icon: FileUser, filter: 'other', permission: 0x400 },
  'admin.report': { icon: Flag, filter: 'other', permission: 0x10 },
}

export const TYPES = Object.keys(KINDS) as NotificationType[]

export const FILTERS = ['all', 'mentions', 'reactions', 'follows', 'posts', 'other'] as const

export type NotificationFilter = (typeof FILTERS)[number]

export const typesOf = (filter: NotificationFilter): NotificationType[] =>
  filter === 'all' ? TYPES : TYPES.filter((type) => KINDS[type].filter === filter)
