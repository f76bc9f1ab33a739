import type { Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'
import { UNDO_DAYS } from './severed.ts'

// Each returns false when nothing changes.

export const storeDisabled = async (tx: Context, accountId: string): Promise<boolean> =>
  (await tx.db.run(sql`update users set disabled = true where account_id = ${accountId} and not disabled`)) > 0

export const storeEnabled = async (tx: Context, accountId: string): Promise<boolean> =>
  (await tx.db.run(sql`update users set disabled = false where account_id = ${accountId} and disabled`)) > 0

export const storeSensitized = async (tx: Context, accountId: string): Promise<boolean> =>
  (await tx.db.run(sql`update accounts set sensitized_at = now() where id = ${accountId} and sensitized_at is null`)) >
  0

export const storeUnsensitized = async (tx: Context, accountId: string): Promise<boolean> =>
  (await tx.db.run(
    sql`update accounts set sensitized_at = null where id = ${accountId} and sensitized_at is not null`,
  )) > 0

/** From then on the account stays silenced when its domain no longer is. */
export const storeSilenced = async (tx: Context, accountId: string): Promise<boolean> =>
  (await tx.db.run(sql`
    update accounts set silenced_at = coalesce(silenced_at, now()), silenced_by_domain = false
    where id = ${accountId} and (silenced_at is null or silenced_by_domain)`)) > 0

export const storeUnsilenced = async (tx: Context, accountId: string): Promise<boolean> =>
  (await tx.db.run(sql`
    update accounts set silenced_at = null, silenced_by_domain = false
    where id = ${accountId} and silenced_at is not null`)) > 0

export const storeMemorial = async (tx: Context, accountId: string, memorial: boolean): Promise<boolean> =>
  (await tx.db.run(
    sql`update accounts set memorial = ${memorial} where id = ${accountId} and memorial <> ${memorial}`,
  )) > 0

/** False when moderators of this server have suspended the account already. */
export const storeSuspended = async (tx: Context, accountId: string): Promise<boolean> =>
  (await tx.db.run(sql`
    update accounts set suspended_at = coalesce(suspended_at, now()), suspension_origin = 'local',
      purge_at = now() + make_interval(days => ${UNDO_DAYS}::int)
    where id = ${accountId} and purged_at is null and (suspended_at is null or suspension_origin is distinct from 'local')`)) >
  0

/** False when the account is not suspended. */
export const storeUnsuspended = async (tx: Context, accountId: string): Promise<boolean> =>
  (await tx.db.run(sql`
    update accounts set suspended_at = null, suspension_origin = null, purge_at = null
    where id = ${accountId} and suspended_at is not null and purged_at is null`)) > 0

/** The account's own server suspends it, or no longer does. Moderators of this server overrule it. */
export const storeSuspendedRemotely = async (tx: Context, accountId: string, suspended: boolean): Promise<boolean> =>
  (await tx.db.run(sql`
    update accounts set suspended_at = case when ${suspended} then now() end,
      suspension_origin = case when ${suspended} then 'remote' end
    where id = ${accountId} and domain is not null and purged_at is null
      and case when ${suspended} then suspended_at is null else suspension_origin = 'remote' end`)) > 0
