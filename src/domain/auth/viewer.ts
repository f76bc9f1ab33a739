import { LRUCache } from 'lru-cache'
import { createHash } from 'node:crypto'
import { perServer, type Context } from '../../context.ts'
import type { Accounts, OauthTokens, Users } from '../../db/schema.ts'
import { sql } from '../../db/sql.ts'

export type Viewer = {
  accountId: string
  userId: string
  username: string
  tokenId: string
  appId: string
  scopes: readonly string[]
  locale: string
  /** The permission bits of the Role entity. */
  permissions: bigint
  settings: UserSettings
}

/** Absent members mean the default. */
export type UserSettings = {
  privacy?: 'public' | 'unlisted' | 'private'
  sensitive?: boolean
  language?: string | null
  /** The languages that the user wants to read. */
  chosen_languages?: string[]
  quote_policy?: 'public' | 'followers' | 'nobody'
  expand_media?: 'default' | 'show_all' | 'hide_all'
  expand_spoilers?: boolean
  autoplay_gifs?: boolean
  show_application?: boolean
  /** Mails for staff, about reports, people who want to join, appeals and trends to review; true by default. */
  report_mails?: boolean
  sign_up_mails?: boolean
  appeal_mails?: boolean
  trend_mails?: boolean
}

export type UserState = 'usable' | 'unconfirmed' | 'pending' | 'disabled' | 'suspended' | 'moved'

/** The holder of a token: an application, and usually a user of it. */
export type Caller = {
  token: { id: string; appId: string; scopes: readonly string[]; userId: string | null }
  viewer: Viewer | null
  /** `usable` unless the user may not act. */
  state: UserState
}

export const stateColumns = sql`u.confirmed_at is not null as confirmed, u.approved, u.disabled, a.suspended_at is not null as suspended`
export type StateRow = Pick<Users, 'approved' | 'disabled'> & { confirmed: boolean; suspended: boolean }

/** Where `user_id` is null, only the columns of the token are set. */
type Row = Pick<OauthTokens, 'id' | 'app_id' | 'scopes' | 'user_id'> &
  Pick<Users, 'account_id' | 'locale'> &
  Pick<Accounts, 'username'> & {
    permissions: string
    settings: UserSettings
  } & StateRow

/** Tokens are looked up by their digest. */
export function digestOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}

/**
 * Callers by digest, for half a minute or until their token or user changes. `drops` counts invalidations: a row that was
 * read before one may be outdated and is not cached.
 */
const callers = perServer((ctx) => {
  const cache = Object.assign(new LRUCache<string, Caller>({ max: 10_000, ttl: 30_000 }), { drops: 0 })
  const drop = (isStale: (caller: Caller) => boolean): void => {
    cache.drops++
    for (const [key, caller] of cache.entries()) if (isStale(caller)) cache.delete(key)
  }
  ctx.subscribe((message) => {
    if (message.type === 'tokens.gone') drop((caller) => message.tokenIds.includes(caller.token.id))
    if (message.type === 'roles.changed') drop(() => true)
    if (message.type === 'user.changed') drop((caller) => caller.token.userId === message.userId)
  })
  return cache
})

/** Null for an unknown or revoked token. */
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
      ${stateColumns}
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

export function stateOf(row: StateRow): UserState {
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

/** The bits of all permissions but those that usual members have. */
export const STAFF_PERMISSIONS =
  Object.values(PERMISSIONS).reduce((all, bit) => all | bit, 0n) & ~PERMISSIONS.invite_users
export const PERMISSION_NAMES = Object.keys(PERMISSIONS) as Permission[]

/** The bit of the permission alone, as roles store it. */
export const permissionBit = (permission: Permission): bigint => PERMISSIONS[permission]

/** A role with any of these bits has the permission: its own bit, or that of administrators, who have every permission. */
export const permissionBits = (permission: Permission): bigint => PERMISSIONS[permission] | PERMISSIONS.administrator

export function may(viewer: Viewer | null, permission: Permission): boolean {
  return viewer !== null && (viewer.permissions & permissionBits(permission)) !== 0n
}
