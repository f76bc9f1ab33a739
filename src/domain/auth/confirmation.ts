// Confirmation of mail addresses: the first one of a user, and a new one that replaces it.
import type { Context } from '../../context.ts'
import type { Accounts, OauthApps, Users } from '../../db/schema.ts'
import { sql, type Sql } from '../../db/sql.ts'

/**
 * `app` and `ip`: the application and the address that the user signed up with. `unconfirmed_email` replaces `email` once it is
 * confirmed.
 */
export type Addressee = Pick<Users, 'account_id' | 'email' | 'unconfirmed_email' | 'approved'> &
  Pick<Accounts, 'username'> & { app: OauthApps['name'] | null; ip: string | null; confirmed: boolean }

const addressee = (userId: string): Sql => sql`
  select a.username, u.email, u.unconfirmed_email, u.approved, app.name as app, host(u.sign_up_ip) as ip, u.account_id, u.confirmed_at is not null as confirmed
  from users u join accounts a on a.id = u.account_id left join oauth_apps app on app.id = u.created_by_app_id where u.id = ${userId}`

export const getAddressee = (ctx: Context, userId: string): Promise<Addressee> =>
  ctx.db.one<Addressee>(addressee(userId))

export const lockAddressee = (tx: Context, userId: string): Promise<Addressee> =>
  tx.db.one<Addressee>(sql`${addressee(userId)} for no key update of u`)

/** Ignores case. Null when the address is unknown or confirmed. */
export async function findUnconfirmedUser(ctx: Context, email: string): Promise<string | null> {
  const user = await ctx.db.maybe<Pick<Users, 'id'>>(
    sql`select id from users where lower(email) = lower(${email}) and confirmed_at is null`,
  )
  return user?.id ?? null
}

export const lockEmail = (tx: Context, userId: string): Promise<Pick<Users, 'email'> & { confirmed: boolean }> =>
  tx.db.one(sql`select email, confirmed_at is not null as confirmed from users where id = ${userId} for no key update`)

/** A confirmed address stays in use until the new one is confirmed. `needsApproval`: of new users with this address. */
export async function storeUnconfirmedEmail(
  tx: Context,
  userId: string,
  email: string,
  { confirmed, needsApproval }: { confirmed: boolean; needsApproval: boolean },
): Promise<void> {
  await tx.db.run(
    confirmed
      ? sql`update users set unconfirmed_email = ${email} where id = ${userId}`
      : sql`update users set email = ${email}, approved = approved and not ${needsApproval} where id = ${userId}`,
  )
}

/** `approved`: whether the user is approved from now on. */
export async function storeConfirmedEmail(
  tx: Context,
  userId: string,
  { email, approved }: { email: string; approved: boolean },
): Promise<void> {
  await tx.db.run(sql`
    update users set email = ${email}, unconfirmed_email = null, confirmed_at = coalesce(confirmed_at, now()), approved = ${approved}
    where id = ${userId}`)
}

/** `awaited`: some address awaits its confirmation. */
export const confirmationOf = (
  ctx: Context,
  userId: string,
): Promise<{ confirmed: boolean; awaited: boolean; app_id: Users['created_by_app_id'] }> =>
  ctx.db.one(sql`
    select confirmed_at is not null as confirmed, confirmed_at is null or unconfirmed_email is not null as awaited,
      created_by_app_id as app_id
    from users where id = ${userId}`)

/** A link works for a week, and a user can request another one for a week more. */
const UNCONFIRMED_DAYS = 14
const BATCH = 500

const neverConfirmed = sql`u.confirmed_at is null and u.created_at < now() - make_interval(days => ${UNCONFIRMED_DAYS}::int)
  and not exists (select from one_time_tokens t where t.user_id = u.id and t.purpose = 'confirmation' and t.expires_at > now())
  and not exists (select from accounts a where a.id = u.account_id and a.suspended_at is not null)`

/** Clean-up task: deletes users who let their links expire, so that their names and addresses become free again. */
export async function deleteUnconfirmedUsers(ctx: Context): Promise<void> {
  for (;;) {
    const deleted = await ctx.transaction(async (tx) => {
      // Locked and checked again, so that no user is deleted who confirms the address or requests a link just then.
      const locked = await tx.db.many<Pick<Users, 'id'>>(
        sql`select u.id from users u where ${neverConfirmed} order by u.id limit ${BATCH} for update skip locked`,
      )
      return tx.db.run(sql`
        delete from accounts where id in (
          select u.account_id from users u where u.id = any(${locked.map(({ id }) => id)}::bigint[]) and ${neverConfirmed})`)
    })
    if (deleted < BATCH) return
  }
}
