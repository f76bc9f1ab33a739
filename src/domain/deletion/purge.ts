// The deletion of a suspended account's data in small transactions, and how far it is.
import type { Context } from '../../context.ts'
import type { AccountPurges, Accounts } from '../../db/schema.ts'
import { sql } from '../../db/sql.ts'
import { type FileKeys, fileKeysIn, storedKeys } from '../media/stored-files.ts'
import { deleteStatusRows, lockReblogsOf, lockStatuses, unlinkStatuses } from '../statuses/delete.ts'

const BATCH = 100

export type Purge = Pick<
  AccountPurges,
  'statuses_total' | 'statuses_deleted' | 'media_total' | 'media_deleted' | 'started_at' | 'finished_at'
>

/** Null before the deletion has begun. */
export const findPurge = (ctx: Context, accountId: string): Promise<Purge | null> =>
  ctx.db.maybe<Purge>(sql`
    select statuses_total, statuses_deleted, media_total, media_deleted, started_at, finished_at
    from account_purges where account_id = ${accountId}`)

const DUE = sql`a.suspended_at is not null and a.purged_at is null and a.purge_at <= now()`

/** At most `limit` accounts whose suspension is final. */
export async function findDuePurges(ctx: Context, limit: number): Promise<string[]> {
  const rows = await ctx.db.many<Pick<Accounts, 'id'>>(
    sql`select a.id from accounts a where ${DUE} order by a.purge_at limit ${limit}`,
  )
  return rows.map(({ id }) => id)
}

/** Null when the account is not due, or gone already. */
export async function beginPurge(ctx: Context, accountId: string): Promise<Pick<Accounts, 'domain'> | null> {
  const account = await ctx.db.maybe<Pick<Accounts, 'domain'>>(
    sql`select a.domain from accounts a where a.id = ${accountId} and ${DUE}`,
  )
  if (!account) return null
  await ctx.db.run(sql`
    insert into account_purges (account_id, statuses_total, media_total)
    select ${accountId}, (select count(*) from statuses where account_id = ${accountId}),
      (select count(*) from media_attachments where account_id = ${accountId})
    on conflict do nothing`)
  return account
}

/** Sends nothing to other servers. False when there were none left. */
export async function purgeStatuses(tx: Context, accountId: string): Promise<boolean> {
  const rows = await tx.db.many<{ id: string }>(
    sql`select id from statuses where account_id = ${accountId} order by id desc limit ${BATCH}`,
  )
  if (rows.length === 0) return false
  const statuses = await lockStatuses(
    tx,
    rows.map(({ id }) => id),
    accountId,
  )
  const reblogs = await lockReblogsOf(tx, statuses)
  await unlinkStatuses(tx, statuses, reblogs)
  await deleteStatusRows(
    tx,
    [...statuses, ...reblogs].map(({ id }) => id),
  )
  await tx.db.run(sql`
    update account_purges set statuses_deleted = statuses_deleted + ${statuses.length} where account_id = ${accountId}`)
  return true
}

/** Returns the keys of the files to delete; null when there was no media left. */
export async function purgeMedia(tx: Context, accountId: string): Promise<string[] | null> {
  const rows = await tx.db.many<FileKeys>(sql`
    delete from media_attachments where id in (select id from media_attachments where account_id = ${accountId} order by id limit ${BATCH})
    returning ${fileKeysIn('media_attachments')} as keys`)
  if (rows.length === 0) return null
  await tx.db.run(sql`
    update account_purges set media_deleted = media_deleted + ${rows.length} where account_id = ${accountId}`)
  return storedKeys(rows)
}

export async function finishPurge(tx: Context, accountId: string): Promise<void> {
  await tx.db.run(sql`update account_purges set finished_at = now() where account_id = ${accountId}`)
}

/** The suspended account's data is deleted now. False when it is not suspended, or its data is gone. */
export async function storePurgeNow(tx: Context, accountId: string): Promise<boolean> {
  const changed = await tx.db.run(sql`
    update accounts set purge_at = now(), suspension_origin = 'local'
    where id = ${accountId} and suspended_at is not null and purged_at is null`)
  return changed > 0
}
