import { LRUCache } from 'lru-cache'
import { createHash } from 'node:crypto'
import { perServer, type Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'

/** Somebody of this server who makes a request: what handlers and presenters need to know of them. */
export type Viewer = {
  accountId: string
  userId: string
  username: string
  tokenId: string
  appId: string
  scopes: readonly string[]
  locale: string
  /** Bits of the Role entity. */
  permissions: bigint
  settings: UserSettings
}

/** What people choose for themselves; absent members mean the default. */
export type UserSettings = {
  privacy?: 'public' | 'unlisted' | 'private'
  sensitive?: boolean
  language?: string | null
  quote_policy?: 'public' | 'followers' | 'nobody'
  expand_media?: 'default' | 'show_all' | 'hide_all'
  expand_spoilers?: boolean
  autoplay_gifs?: boolean
  show_application?: boolean
}

export type UserState = 'usable' | 'unconfirmed' | 'pending' | 'disabled' | 'suspended' | 'moved'

/** Whoever holds a token: an application, and mostly a person behind it. */
export type Caller = {
  token: { id: string; appId: string; scopes: readonly string[]; userId: string | null }
  viewer: Viewer | null
  /** Why the person may not act, where that is so. */
  state: UserState
}

type Row = {
  id: string
  app_id: string
  scopes: string[]
  user_id: string | null
  account_id: string
  username: string
  locale: string
  permissions: string
  settings: UserSettings
  confirmed: boolean
  approved: boolean
  disabled: boolean
  suspended: boolean
}

/** Tokens are kept by their digest only. */
export function digestOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}

/**
 * Known callers by digest, dropped when their token or user changes, and after half a minute at the latest. `drops` counts how
 * often that happened: what was read before a drop may be what was dropped.
 */
const callers = perServer((ctx) => {
  const cache = Object.assign(new LRUCache<string, Caller>({ max: 10_000, ttl: 30_000 }), { drops: 0 })
  const drop = (gone: (caller: Caller) => boolean): void => {
    cache.drops++
    for (const [key, caller] of cache.entries()) if (gone(caller)) cache.delete(key)
  }
  ctx.subscribe((message) => {
    if (message.type === 'tokens.gone') drop((caller) => message.tokenIds.includes(caller.token.id))
    if (message.type === 'user.changed') drop((caller) => caller.token.userId === message.userId)
  })
  return cache
})

/** Who holds this access token, or null when it is unknown or revoked. */
export async function findCaller(ctx: Context, token: string): Promise<Caller | null> {
  const digest = digestOf(token)
  const key = digest.toString('base64')
  const known = callers(ctx)
  const cached = known.get(key)
  if (cached) return cached
  const { drops } = known
  const row = await ctx.db.maybe<Row>(sql`
    select t.id, t.app_id, t.scopes, t.user_id, u.account_id, a.username, u.locale, u.settings,
      (r.permissions | e.permissions) as permissions,
      u.confirmed_at is not null as confirmed, u.approved, u.disabled, a.suspended_at is not null as suspended
    from oauth_tokens t
    left join users u on u.id = t.user_id
    left join accounts a on a.id = u.account_id
    left join roles r on r.id = u.role_id
    left join roles e on e.id = -99
    where t.digest = ${digest}`)
  if (!row) return null
  const caller = callerOf(row)
  if (known.drops === drops) known.set(key, caller)
  return caller
}

function callerOf(row: Row): Caller {
  const token = { id: row.id, appId: row.app_id, scopes: row.scopes, userId: row.user_id }
  if (row.user_id === null) return { token, viewer: null, state: 'usable' }
  const viewer: Viewer = {
    accountId: row.account_id,
    userId: row.user_id,
    username: row.username,
    tokenId: row.id,
    appId: row.app_id,
    scopes: row.scopes,
    locale: row.locale,
    permissions: BigInt(row.permissions),
    settings: row.settings,
  }
  return { token, viewer, state: stateOf(row) }
}

/** Whether a person may act, and if not, why. */
export function stateOf(row: {
  confirmed: boolean
  approved: boolean
  disabled: boolean
  suspended: boolean
}): UserState {
  if (row.suspended) return 'suspended'
  if (row.disabled) return 'disabled'
  if (!row.confirmed) return 'unconfirmed'
  return row.approved ? 'usable' : 'pending'
}

const PERMISSIONS = {
  administrator: 0x1n,
  view_devops: 0x2n,
  view_audit_log: 0x4n,
  view_dashboard: 0x8n,
  manage_reports: 0x10n,
  manage_federation: 0x20n,
  manage_settings: 0x40n,
  manage_blocks: 0x80n,
  manage_taxonomies: 0x100n,
  manage_appeals: 0x200n,
  manage_users: 0x400n,
  manage_invites: 0x800n,
  manage_rules: 0x1000n,
  manage_announcements: 0x2000n,
  manage_custom_emojis: 0x4000n,
  manage_webhooks: 0x8000n,
  invite_users: 0x10000n,
  manage_roles: 0x20000n,
  manage_user_access: 0x40000n,
  delete_user_data: 0x80000n,
  view_feeds: 0x100000n,
} as const

export type Permission = keyof typeof PERMISSIONS

/** The bits of which a role needs one to hold a permission: its own, or that of administrators, who hold all. */
export const permissionBits = (permission: Permission): bigint => PERMISSIONS[permission] | PERMISSIONS.administrator

/** Whether the viewer's role, or everyone's, holds a permission. */
export function may(viewer: Viewer | null, permission: Permission): boolean {
  return viewer !== null && (viewer.permissions & permissionBits(permission)) !== 0n
}
