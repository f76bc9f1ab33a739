// Remote statuses and accounts that no local account interacted with.
import { perServer, type Context } from '../../context.ts'
import type { Accounts, Statuses } from '../../db/schema.ts'
import { nothing, sql, type Sql } from '../../db/sql.ts'
import { daysAgo } from '../../lib/dates.ts'
import { idAt } from '../../lib/ids.ts'
import { type FileKeys, fileKeysIn, storedKeys } from '../media/stored-files.ts'
import { deleteStatusRows, lockStatuses, unlinkStatuses } from '../statuses/delete.ts'
import { isUnreferenced } from './references.ts'

/** Rows that one step looks at. */
const CHUNK = 500

/** Tables whose rows belong to a post and are deleted with it: they do not keep it. */
const PARTS_OF_STATUS = [
  'status_stats',
  'status_tags',
  'status_edits',
  'status_search',
  'status_translations',
  'status_trends',
  'media_attachments',
  'former_mentions',
  'quotes',
  // These two keep a post when they are of a local account.
  'mentions',
  'favourites',
  'polls',
]

const lastOfChunk = (rows: readonly { id: string }[]): string | null =>
  rows.length < CHUNK ? null : (rows.at(-1)?.id ?? null)

export type Step = {
  /** The id after which the next step continues; null at the end. */
  next: string | null
  deleted: number
}

/**
 * Deletes remote statuses that are older than so many days, among the next ones after `after`, unless a local account has
 * favourited, boosted, bookmarked, answered, quoted or voted in them, or is mentioned in them. Unlike a deleted post, such a post
 * can be fetched again. `spareFollowed`: keeps those of accounts that a local account follows. `dryRun`: only counts them.
 */
export async function deleteOldStatuses(
  ctx: Context,
  days: number,
  {
    after = '0',
    spareFollowed = false,
    dryRun = false,
  }: { after?: string; spareFollowed?: boolean; dryRun?: boolean } = {},
): Promise<Step> {
  const horizon = idAt(daysAgo(days))
  const isUnused = await isUnusedStatus(ctx, spareFollowed)
  const rows = await ctx.db.many<Pick<Statuses, 'id'> & { unused: boolean }>(sql`
    select s.id, ${isUnused} as unused
    from (
      select id, account_id from statuses where id > ${after} and id < ${horizon} and not local order by id limit ${CHUNK}) s`)
  const ids = rows.filter(({ unused }) => unused).map(({ id }) => id)
  const deleted = ids.length === 0 || dryRun ? ids.length : await deleteUnusedStatuses(ctx, ids, isUnused)
  return { next: lastOfChunk(rows), deleted }
}

const isUnusedStatus = async (ctx: Context, spareFollowed: boolean): Promise<Sql> => sql`(
  ${await isUnreferenced(ctx, 'statuses', sql`s.id`, PARTS_OF_STATUS)}
  and not exists (select from quotes q where q.quoted_status_id = s.id)
  and not exists (select from mentions m join accounts a on a.id = m.account_id where m.status_id = s.id and a.domain is null)
  and not exists (select from favourites f join accounts a on a.id = f.account_id where f.status_id = s.id and a.domain is null)
  and not exists (select from polls p join poll_votes v on v.poll_id = p.id join accounts a on a.id = v.account_id where p.status_id = s.id and a.domain is null)
  ${spareFollowed ? sql`and not exists (select from follows f where f.target_account_id = s.account_id)` : nothing})`

const deleteUnusedStatuses = (ctx: Context, ids: readonly string[], isUnused: Sql): Promise<number> =>
  ctx.transaction(async (tx) => {
    // Locked and checked again, so that no status is deleted with which a local account interacts just then.
    const locked = await lockStatuses(tx, ids)
    await tx.db.run(sql`select from polls where status_id = any(${ids}::bigint[]) order by id for update`)
    const rows = await tx.db.many<Pick<Statuses, 'id'>>(
      sql`select s.id from statuses s where s.id = any(${locked.map(({ id }) => id)}::bigint[]) and ${isUnused}`,
    )
    const unused = new Set(rows.map(({ id }) => id))
    const statuses = locked.filter(({ id }) => unused.has(id))
    await unlinkStatuses(tx, statuses, [], { tombstones: false })
    await deleteStatusRows(tx, [...unused])
    return unused.size
  })

const PARTS_OF_ACCOUNT = ['account_stats', 'account_keys', 'featured_tags', 'well_known_accounts']

/**
 * Deletes profiles of other servers that were not fetched for so many days and that no row here refers to, among the next ones
 * after `after`. `dryRun`: only counts them.
 */
export async function deleteUnknownProfiles(
  ctx: Context,
  days: number,
  { after = '0', dryRun = false }: { after?: string; dryRun?: boolean } = {},
): Promise<Step> {
  const isUnknown = sql`a.suspended_at is null and a.silenced_at is null and a.fetched_at < ${daysAgo(days)}
    and ${await isUnreferenced(ctx, 'accounts', sql`a.id`, PARTS_OF_ACCOUNT)}`
  const rows = await ctx.db.many<Pick<Accounts, 'id'> & { unused: boolean }>(sql`
    select a.id, ${isUnknown} as unused
    from (
      select id, suspended_at, silenced_at, fetched_at from accounts where id > ${after} and domain is not null order by id limit ${CHUNK}) a`)
  const ids = rows.filter(({ unused }) => unused).map(({ id }) => id)
  const deleted = ids.length === 0 || dryRun ? ids.length : await deleteUnknown(ctx, ids, isUnknown)
  return { next: lastOfChunk(rows), deleted }
}

const deleteUnknown = (ctx: Context, ids: readonly string[], isUnknown: Sql): Promise<number> =>
  ctx.transaction(async (tx) => {
    // Locked and checked again, so that no profile is deleted to which a row begins to refer just then.
    await tx.db.run(sql`select from accounts where id = any(${ids}::bigint[]) order by id for update`)
    const deleted = await tx.db.many<FileKeys>(sql`
      delete from accounts a where a.id = any(${ids}::bigint[]) and ${isUnknown} returning ${fileKeysIn('accounts')} as keys`)
    await tx.deleteFiles(storedKeys(deleted))
    return deleted.length
  })

/** The ids after which the next hourly clean-up continues, as one run does not look at all rows. */
export const cleanUpPositions = perServer(() => ({ statuses: '0', profiles: '0' }))
