import Type, { type Static } from 'typebox'
import type { Context } from '../../context.ts'
import type { Accounts, Users } from '../../db/schema.ts'
import { sql } from '../../db/sql.ts'
import { listUsedAddresses, type UsedAddress } from '../../domain/auth/ip-addresses.ts'
import { everyoneRoleId } from '../../domain/auth/viewer.ts'
import { NotFound } from '../../lib/errors.ts'
import { jsonArray, jsonObject, type JsonText } from '../../lib/json.ts'
import { presentAccountMap } from '../account-presenter.ts'
import { Account } from '../account.ts'
import { Role, roleColumns, roleOf, type RoleRow } from '../credential-account.ts'
import { DateTime, Id, nullable } from '../schema.ts'

/** https://docs.joinmastodon.org/entities/Admin_Ip/ */
const AdminIp = Type.Object({ ip: Type.String(), used_at: DateTime }, { $id: 'AdminIp' })

/**
 * https://docs.joinmastodon.org/entities/Admin_Account/. A remote account has no user: its address and locale are empty, and its
 * role is that of everyone.
 */
export const AdminAccount = Type.Object(
  {
    id: Id,
    username: Type.String(),
    domain: nullable(Type.String()),
    created_at: DateTime,
    email: Type.String(),
    ip: nullable(Type.String()),
    ips: Type.Array(AdminIp),
    locale: Type.String(),
    invite_request: nullable(Type.String()),
    role: Role,
    confirmed: Type.Boolean(),
    approved: Type.Boolean(),
    disabled: Type.Boolean(),
    sensitized: Type.Boolean(),
    silenced: Type.Boolean(),
    suspended: Type.Boolean(),
    account: Account,
    created_by_application_id: Type.Optional(Id),
    invited_by_account_id: Type.Optional(Id),
  },
  { $id: 'AdminAccount' },
)
export type AdminAccount = Static<typeof AdminAccount>

type Row = Pick<Accounts, 'id' | 'username' | 'domain' | 'created_at'> &
  Pick<Users, 'sign_up_reason' | 'created_by_app_id'> &
  RoleRow & {
    email: string
    locale: string
    confirmed: boolean
    approved: boolean
    disabled: boolean
    sensitized: boolean
    silenced: boolean
    suspended: boolean
    user_id: string | null
    invited_by_account_id: string | null
  }

/** Unknown ids have no entry. Without `personal`, addresses and reasons to sign up are empty. */
export async function presentAdminAccountMap(
  ctx: Context,
  ids: readonly string[],
  { personal = true }: { personal?: boolean } = {},
): Promise<Map<string, JsonText<AdminAccount>>> {
  if (ids.length === 0) return new Map()
  const [rows, accounts] = await Promise.all([readRows(ctx, ids), presentAccountMap(ctx, ids)])
  const ips = await listUsedAddresses(ctx, personal ? rows.flatMap(({ user_id }) => user_id ?? []) : [])
  const shown = personal ? rows : rows.map((row) => ({ ...row, email: '', sign_up_reason: null }))
  return new Map(
    shown.flatMap((row) => {
      const account = accounts.get(row.id)
      return account ? [[row.id, present(row, account, ips.get(row.user_id ?? '') ?? [])] as const] : []
    }),
  )
}

/** Keeps the order of `ids`; leaves out unknown ones. */
export async function presentAdminAccounts(ctx: Context, ids: readonly string[]): Promise<JsonText<AdminAccount>[]> {
  const presented = await presentAdminAccountMap(ctx, ids)
  return ids.flatMap((id) => presented.get(id) ?? [])
}

export async function presentAdminAccountList(ctx: Context, ids: readonly string[]): Promise<JsonText<AdminAccount[]>> {
  return jsonArray(await presentAdminAccounts(ctx, ids))
}

/** Throws NotFound. */
export async function presentAdminAccount(ctx: Context, id: string): Promise<JsonText<AdminAccount>> {
  const [account] = await presentAdminAccounts(ctx, [id])
  if (!account) throw new NotFound()
  return account
}

const readRows = (ctx: Context, ids: readonly string[]): Promise<Row[]> =>
  ctx.db.many<Row>(sql`
    select a.id, a.username, a.domain, a.created_at, coalesce(u.email, '') as email, coalesce(u.locale, '') as locale,
      u.id as user_id, u.sign_up_reason, u.created_by_app_id, inviter.account_id as invited_by_account_id,
      coalesce(u.confirmed_at is not null, false) as confirmed, coalesce(u.approved, false) as approved,
      coalesce(u.disabled, false) as disabled, a.sensitized_at is not null as sensitized, a.silenced_at is not null as silenced,
      a.suspended_at is not null as suspended, ${roleColumns}
    from accounts a left join users u on u.account_id = a.id
      left join invites i on i.id = u.invite_id left join users inviter on inviter.id = i.user_id
      join roles r on r.id = coalesce(u.role_id, ${everyoneRoleId})
    where a.id = any(${[...new Set(ids)]}::bigint[])`)

function present(row: Row, account: JsonText<Account>, ips: readonly UsedAddress[]): JsonText<AdminAccount> {
  return jsonObject<AdminAccount>({
    id: row.id,
    username: row.username,
    domain: row.domain,
    created_at: row.created_at.toISOString(),
    email: row.email,
    ip: ips[0]?.ip ?? null,
    ips: ips.map(({ ip, used_at }) => ({ ip, used_at: used_at.toISOString() })),
    locale: row.locale,
    invite_request: row.sign_up_reason,
    role: roleOf(row),
    confirmed: row.confirmed,
    approved: row.approved,
    disabled: row.disabled,
    sensitized: row.sensitized,
    silenced: row.silenced,
    suspended: row.suspended,
    account,
    created_by_application_id: row.created_by_app_id ?? undefined,
    invited_by_account_id: row.invited_by_account_id ?? undefined,
  })
}
