import { createHash } from 'node:crypto'
import { perServer, type Context } from '../../context.ts'
import type { Accounts, OauthTokens, Users } from '../../db/schema.ts'
import { CoherentCache } from '../../db/coherent-cache.ts'
import { sql, type Sql } from '../../db/sql.ts'
import { lruCache } from '../../lib/lru-cache.ts'
import { isMissing2fa } from '../users/states.ts'

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

/** The visibilities that new posts may have by default. */
export const DEFAULT_VISIBILITIES = ['public', 'unlisted', 'private'] as const

/** Absent members mean the default. */
export type UserSettings = {
  privacy?: (typeof DEFAULT_VISIBILITIES)[number]
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
  /** Types of notifications: a mail tells about those that are not read; none by default. */
  notification_mails?: readonly string[]
  /** Whether visitors may receive the new posts by mail; false by default. */
  email_subscriptions?: boolean
}

/** `missing_2fa`: without the second factor that the user's role requires. */
export type UserState = 'usable' | 'unconfirmed' | 'pending' | 'disabled' | 'memorial' | 'suspended' | 'missing_2fa'

/** The holder of a token: an application, and usually a user of it. */
export type Caller = {
  token: { id: string; appId: string; scopes: readonly string[]; userId: string | null }
  viewer: Viewer | null
  /** `usable` unless the user may not act. */
  state: UserState
}

export const stateColumns = sql`u.confirmed_at is not null as confirmed, u.approved, u.disabled, a.memorial, a.suspended_at is not null as suspended,
  ${isMissing2fa} as missing_2fa`
/** A locked account that has chosen no default visibility posts to its followers. */
export const settingsColumn = sql`case when a.locked then '{"privacy": "private"}'::jsonb || u.settings else u.settings end as settings`
/** The id of the role of users without another one, in Mastodon's database as well; `ROLES.user` for statements. */
export const everyoneRoleId: Sql = sql`-99`
/** The permission bits of a role `r`, with those that everyone has. */
export const effectivePermissions: Sql = sql`(r.permissions | (select everyone.permissions from roles everyone where everyone.id = ${everyoneRoleId}))`

export type StateRow = Pick<Users, 'approved' | 'disabled'> &
  Pick<Accounts, 'memorial'> & { confirmed: boolean; suspended: boolean; missing_2fa: boolean }

type TokenRow = Pick<OauthTokens, 'id' | 'digest' | 'app_id' | 'scopes' | 'user_id'> & { account_id: string | null }
type UserRow = Pick<Users, 'account_id' | 'locale'> &
  Pick<Accounts, 'username'> &
  StateRow & { permissions: string; settings: UserSettings }

/** Tokens are looked up by their digest. */
export function digestOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}

/** The result of the last look-up of a token. Valid while its rows stay the same. */
type Known = { token: TokenRow; user: UserRow | null; caller: Caller }

const caches = perServer(({ changes }) => ({
  /** By the text of the token. */
  known: lruCache<string, Known>({ max: 10_000 }),
  tokens: new CoherentCache<TokenRow>(changes, ['token'], { max: 10_000 }),
  /** By account. */
  users: new CoherentCache<UserRow>(changes, ['account'], { max: 10_000 }),
}))

/** Null for an unknown or revoked token. No statement for a token that was used before, unless it or its user changed. */
export async function findCaller(ctx: Context, token: string): Promise<Caller | null> {
  const { known, tokens, users } = caches(ctx)
  const before = known.get(token)
  if (before && tokens.get(before.token.id) === before.token) {
    const { user } = before
    if (user === null || users.get(user.account_id) === user) return before.caller
  }
  const row = await findToken(ctx, token, before?.token.id)
  const user = row?.account_id ? await findUser(ctx, row.account_id) : null
  if (!row || (row.user_id !== null && !user)) {
    known.delete(token)
    return null
  }
  const caller = callerOf(row, user)
  known.set(token, { token: row, user, caller })
  return caller
}

/** `id`: of the token, if it is known. */
async function findToken(ctx: Context, token: string, id: string | undefined): Promise<TokenRow | null> {
  const digest = digestOf(token)
  const found =
    id ?? (await ctx.db.maybe<{ id: string }>(sql`select id from oauth_tokens where digest = ${digest}`))?.id
  if (found === undefined) return null
  const rows = await caches(ctx).tokens.load(ctx, [found], async (ids) => {
    const read = await ctx.db.many<TokenRow>(sql`
      select t.id, t.digest, t.app_id, t.scopes, t.user_id, u.account_id
      from oauth_tokens t left join users u on u.id = t.user_id where t.id = any(${ids}::bigint[])`)
    return read.map((row) => [row.id, row])
  })
  const row = rows.get(found)
  return row?.digest.equals(digest) ? row : null
}

async function findUser(ctx: Context, accountId: string): Promise<UserRow | null> {
  const rows = await caches(ctx).users.load(ctx, [accountId], async (ids) => {
    const read = await ctx.db.many<UserRow>(sql`
      select u.account_id, a.username, u.locale, ${settingsColumn}, ${effectivePermissions} as permissions, ${stateColumns}
      from users u join accounts a on a.id = u.account_id join roles r on r.id = u.role_id
      where u.account_id = any(${ids}::bigint[])`)
    return read.map((row) => [row.account_id, row])
  })
  return rows.get(accountId) ?? null
}

function callerOf(row: TokenRow, user: UserRow | null): Caller {
  const token = { id: row.id, appId: row.app_id, scopes: row.scopes, userId: row.user_id }
  if (row.user_id === null || user === null) return { token, viewer: null, state: 'usable' }
  const viewer: Viewer = {
    accountId: user.account_id,
    userId: row.user_id,
    username: user.username,
    tokenId: row.id,
    appId: row.app_id,
    scopes: row.scopes,
    locale: user.locale,
    permissions: BigInt(user.permissions),
    settings: user.settings,
  }
  return { token, viewer, state: stateOf(user) }
}

export function stateOf(row: StateRow): UserState {
  if (row.memorial) return 'memorial'
  if (row.suspended) return 'suspended'
  if (row.disabled) return 'disabled'
  if (!row.confirmed) return 'unconfirmed'
  if (!row.approved) return 'pending'
  return row.missing_2fa ? 'missing_2fa' : 'usable'
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
  manage_email_subscriptions: 0x200000n,
} as const

export type Permission = keyof typeof PERMISSIONS

const ALL_PERMISSIONS = Object.values(PERMISSIONS).reduce((all, bit) => all | bit, 0n)

/** The bits of the permissions that make a user staff: all but those that other users may have. */
export const STAFF_PERMISSIONS = ALL_PERMISSIONS & ~(PERMISSIONS.invite_users | PERMISSIONS.manage_email_subscriptions)
export const PERMISSION_NAMES = Object.keys(PERMISSIONS) as Permission[]

/** The bit of the permission alone, as roles store it. */
export const permissionBit = (permission: Permission): bigint => PERMISSIONS[permission]

/** A role with any of these bits has the permission: its own bit, or that of administrators, who have every permission. */
export const permissionBits = (permission: Permission): bigint => PERMISSIONS[permission] | PERMISSIONS.administrator

/** A condition on a user's role `r`. */
export const hasPermission = (permission: Permission): Sql =>
  sql`(${effectivePermissions} & ${permissionBits(permission).toString()}::bigint) <> 0`

/** All bits for administrators: apps look for the bit of each permission, and know nothing of the administrator's. */
export const grantedPermissions = (permissions: bigint): bigint =>
  (permissions & PERMISSIONS.administrator) === 0n ? permissions : ALL_PERMISSIONS

export function may(viewer: Viewer | null, permission: Permission): boolean {
  return viewer !== null && (viewer.permissions & permissionBits(permission)) !== 0n
}
