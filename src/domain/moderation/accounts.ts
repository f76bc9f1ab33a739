import type { Context } from '../../context.ts'
import { type OffsetPage, type Pagination, newestFirst, onPage } from '../../db/page.ts'
import type { Accounts, Users } from '../../db/schema.ts'
import { allOf, escapeLike, plannedByValue, sql, type Sql } from '../../db/sql.ts'
import { containsPart } from '../../db/name-words.ts'
import { NotFound } from '../../lib/errors.ts'
import { haystack } from '../search/accounts.ts'
import { permissionBits } from '../auth/viewer.ts'
import { hasUsedNetwork } from './networks.ts'
import { isFunctional } from '../users/states.ts'

export const ACCOUNT_STATES = ['active', 'pending', 'disabled', 'sensitized', 'silenced', 'suspended'] as const
export type AccountState = (typeof ACCOUNT_STATES)[number]

/** Absent members do not matter; an account must match all others. Texts are as typed, at least one character long. */
export type AccountFilter = {
  origin?: 'local' | 'remote' | undefined
  states?: readonly AccountState[]
  /** Leaves suspended accounts out. */
  unsuspended?: boolean | undefined
  /** Only users who may manage reports. */
  staff?: boolean | undefined
  roleIds?: readonly string[] | undefined
  /** The id of the account that invited them. */
  invitedBy?: string | undefined
  /** The id of the invitation with which they signed up. */
  inviteId?: string | undefined
  /** The id of the account that they follow. */
  followersOf?: string | undefined
  /** The id of the account that follows them. */
  followedBy?: string | undefined
  /** The beginning of the name. */
  username?: string | undefined
  /** A part of the name. */
  displayName?: string | undefined
  domain?: string | undefined
  /** A part of the address. */
  email?: string | undefined
  /** An address or a network, as PostgreSQL's inet reads it. */
  ip?: string | undefined
}

/** Returns ids, newest account first. */
export async function listModeratedAccounts(ctx: Context, filter: AccountFilter, page: Pagination): Promise<string[]> {
  const rows = await ctx.db.many<Pick<Accounts, 'id'>>(
    plannedByValue(sql`
      select a.id from accounts a left join users u on u.account_id = a.id left join roles r on r.id = u.role_id
      where ${matches(filter)} and ${onPage(sql`a.id`, page)}`),
  )
  return newestFirst(rows, page).map(({ id }) => id)
}

/** Those that posted last come first. */
export async function listLastPosting(
  ctx: Context,
  filter: AccountFilter,
  { limit, offset }: OffsetPage,
): Promise<string[]> {
  const rows = await ctx.db.many<Pick<Accounts, 'id'>>(
    plannedByValue(sql`
      select a.id from account_stats ast join accounts a on a.id = ast.account_id
      left join users u on u.account_id = a.id left join roles r on r.id = u.role_id
      where ${matches(filter)} order by ast.last_status_at desc nulls last, ast.account_id desc limit ${limit} offset ${offset}`),
  )
  return rows.map(({ id }) => id)
}

/** Counts up to `max`. */
export async function countModeratedAccounts(ctx: Context, filter: AccountFilter, max: number): Promise<number> {
  const { count } = await ctx.db.one<{ count: number }>(
    plannedByValue(sql`
      select count(*)::int as count from (
        select from accounts a left join users u on u.account_id = a.id left join roles r on r.id = u.role_id
        where ${matches(filter)} limit ${max}) found`),
  )
  return count
}

const STATES: Record<AccountState, Sql> = {
  active: sql`((u.id is null and a.suspended_at is null) or ${isFunctional})`,
  pending: sql`not u.approved`,
  disabled: sql`u.disabled`,
  sensitized: sql`a.sensitized_at is not null`,
  silenced: sql`a.silenced_at is not null`,
  suspended: sql`a.suspended_at is not null`,
}

function matches(filter: AccountFilter): Sql {
  const {
    origin,
    states = [],
    roleIds,
    invitedBy,
    inviteId,
    followersOf,
    followedBy,
    username,
    displayName,
    domain,
    email,
    ip,
  } = filter
  return allOf([
    origin === 'local' && sql`a.domain is null`,
    origin === 'remote' && sql`a.domain is not null`,
    ...states.map((state) => STATES[state]),
    filter.unsuspended && sql`a.suspended_at is null`,
    filter.staff && sql`(r.permissions & ${permissionBits('manage_reports').toString()}::bigint) <> 0`,
    roleIds && sql`u.role_id = any(${roleIds}::bigint[])`,
    invitedBy !== undefined && invitedByAccount(invitedBy),
    inviteId !== undefined && sql`u.invite_id = ${inviteId}`,
    followersOf !== undefined &&
      sql`exists (select from follows f where f.account_id = a.id and f.target_account_id = ${followersOf})`,
    followedBy !== undefined &&
      sql`exists (select from follows f where f.account_id = ${followedBy} and f.target_account_id = a.id)`,
    username !== undefined && sql`lower(a.username) like ${`${escapeLike(username.toLowerCase())}%`}`,
    displayName !== undefined && hasDisplayName(displayName.toLowerCase()),
    domain !== undefined && sql`a.domain = ${domain}`,
    email !== undefined && sql`lower(u.email) like ${`%${escapeLike(email.toLowerCase())}%`}`,
    ip !== undefined && hasUsedNetwork(ip),
  ])
}

/** The indexes know the display name within the other names of the account. */
const hasDisplayName = (part: string): Sql =>
  sql`(${containsPart(part, haystack)} and lower(a.display_name) like ${`%${escapeLike(part)}%`})`

const invitedByAccount = (accountId: string): Sql => sql`
  u.invite_id in (select i.id from invites i join users inviter on inviter.id = i.user_id where inviter.account_id = ${accountId})`

type ModeratedUser = Pick<Users, 'id' | 'email' | 'locale' | 'approved' | 'disabled'> & { confirmed: boolean }

export type ModeratedAccount = Pick<
  Accounts,
  | 'id'
  | 'username'
  | 'domain'
  | 'suspended_at'
  | 'suspension_origin'
  | 'purge_at'
  | 'purged_at'
  | 'silenced_at'
  | 'sensitized_at'
> & {
  /** Null for remote accounts, and for those whose data was deleted. */
  user: ModeratedUser | null
}

const columns = sql`a.id, a.username, a.domain, a.suspended_at, a.suspension_origin, a.purge_at, a.purged_at, a.silenced_at, a.sensitized_at,
  case when u.id is not null then json_build_object('id', u.id::text, 'email', u.email, 'locale', u.locale, 'approved', u.approved,
    'disabled', u.disabled, 'confirmed', u.confirmed_at is not null) end as "user"`

/** In any state. Throws NotFound. */
export async function getModerated(ctx: Context, accountId: string): Promise<ModeratedAccount> {
  const row = await ctx.db.maybe<ModeratedAccount>(
    sql`select ${columns} from accounts a left join users u on u.account_id = a.id where a.id = ${accountId}`,
  )
  if (!row) throw new NotFound()
  return row
}

/** As getModerated. Simultaneous acts on the account wait. */
export async function lockModerated(tx: Context, accountId: string): Promise<ModeratedAccount> {
  await tx.db.run(sql`select from accounts where id = ${accountId} for update`)
  return getModerated(tx, accountId)
}

/** `@user`, or `@user@domain` for remote accounts. */
export const labelOf = ({ username, domain }: Pick<Accounts, 'username' | 'domain'>): string =>
  domain === null ? `@${username}` : `@${username}@${domain}`

/** Its data is gone, or is being deleted: the suspension cannot be undone any more. */
export const isPurging = ({ purge_at, purged_at }: Pick<Accounts, 'purge_at' | 'purged_at'>): boolean =>
  purged_at !== null || (purge_at !== null && purge_at.getTime() <= Date.now())
