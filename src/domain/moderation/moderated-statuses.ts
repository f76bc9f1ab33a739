import type { Context } from '../../context.ts'
import type { Statuses } from '../../db/schema.ts'
import { sql } from '../../db/sql.ts'

export type ModeratedStatus = Pick<Statuses, 'id' | 'local' | 'media_ids' | 'sensitive'> & { has_card: boolean }

/** Those of `ids` that the account wrote, without its boosts. */
export const findModeratedStatuses = (
  ctx: Context,
  accountId: string,
  ids: readonly string[],
): Promise<ModeratedStatus[]> =>
  ctx.db.many<ModeratedStatus>(sql`
    select id, local, media_ids, sensitive, card_id is not null as has_card from statuses
    where id = any(${ids}::bigint[]) and account_id = ${accountId} and reblog_of_id is null order by id`)

/** Lets the next clean-up delete the files, which would otherwise stay for a day for another draft. */
export async function expireDetachedMedia(tx: Context, accountId: string, mediaIds: readonly string[]): Promise<void> {
  if (mediaIds.length === 0) return
  await tx.db.run(sql`
    update media_attachments set created_at = to_timestamp(0)
    where id = any(${mediaIds}::bigint[]) and account_id = ${accountId} and status_id is null`)
}

export async function markRemoteSensitive(tx: Context, ids: readonly string[]): Promise<void> {
  await tx.db.run(sql`update statuses set sensitive = true where id = any(${ids}::bigint[]) and not local`)
}

/** Those of `ids` that the account wrote. */
export async function ownStatusIds(ctx: Context, accountId: string, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const rows = await ctx.db.many<Pick<Statuses, 'id'>>(
    sql`select id from statuses where id = any(${ids}::bigint[]) and account_id = ${accountId} order by id`,
  )
  return rows.map(({ id }) => id)
}

/** The texts of those of `ids` that the account wrote, as HTML. */
export const findStatusTexts = (
  ctx: Context,
  accountId: string,
  ids: readonly string[],
): Promise<Pick<Statuses, 'id' | 'content'>[]> =>
  ctx.db.many<Pick<Statuses, 'id' | 'content'>>(
    sql`select id, content from statuses where id = any(${ids}::bigint[]) and account_id = ${accountId} order by id`,
  )
