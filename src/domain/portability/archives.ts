import type { Context } from '../../context.ts'
import type { Archives, MediaAttachments, Users } from '../../db/schema.ts'
import { sql } from '../../db/sql.ts'
import type { StoredFile } from '../../files/store.ts'
import { getSettings } from '../server/settings.ts'
import { Invalid } from '../../lib/errors.ts'
import { message } from '../../messages/message.ts'
import { lockAccount } from '../users/locks.ts'

/** Days before another archive can be requested. */
export const ARCHIVE_DAYS = 7

const BATCH = 200

/** `done` of `total` statuses and media are in the archive. */
export type ArchiveInfo = Pick<Archives, 'id' | 'state' | 'done' | 'total' | 'file_size' | 'created_at' | 'finished_at'>

export type WorkingArchive = Pick<Archives, 'id' | 'account_id'> & {
  user_id: Users['id']
  avatar_key: string | null
  header_key: string | null
}

/** Needs a transaction. Throws Invalid within a week of the last archive. */
export async function insertArchive(tx: Context, accountId: string): Promise<string> {
  await lockAccount(tx, accountId)
  const recent = await tx.db.maybe(sql`
    select from archives where account_id = ${accountId} and state <> 'failed' and created_at > now() - ${ARCHIVE_DAYS} * interval '1 day'`)
  if (recent) throw new Invalid(message('archive_limit', { count: ARCHIVE_DAYS }))
  const { id } = await tx.db.one<Pick<Archives, 'id'>>(
    sql`insert into archives (account_id) values (${accountId}) returning id`,
  )
  return id
}

export const listArchives = (ctx: Context, accountId: string): Promise<ArchiveInfo[]> =>
  ctx.db.many<ArchiveInfo>(sql`
    select id, state, done, total, file_size, created_at, finished_at from archives where account_id = ${accountId} order by id desc`)

/** Null unless the archive is ready. */
export async function openArchive(
  ctx: Context,
  accountId: string,
  id: string,
): Promise<{ file: StoredFile; madeAt: Date } | null> {
  const archive = await ctx.db.maybe<{ file_key: string; created_at: Date }>(sql`
    select file_key, created_at from archives where id = ${id} and account_id = ${accountId} and state = 'ready'`)
  const file = archive && (await ctx.files.open(archive.file_key))
  return archive && file ? { file, madeAt: archive.created_at } : null
}

/** Also marks archives that were not finished within a day as failed. */
export async function deleteExpiredArchives(ctx: Context): Promise<void> {
  const { backups_retention_period: days } = await getSettings(ctx)
  await ctx.db.run(sql`
    update archives set state = 'failed', finished_at = now() where state = 'working' and created_at < now() - interval '1 day'`)
  const expired = await ctx.db.many<Pick<Archives, 'file_key'>>(sql`
    delete from archives where finished_at < now() - make_interval(days => ${days}::int) returning file_key`)
  await ctx.deleteFiles(expired.flatMap(({ file_key }) => file_key ?? []))
}

export const findWorkingArchive = (ctx: Context, id: string): Promise<WorkingArchive | null> =>
  ctx.db.maybe<WorkingArchive>(sql`
    select r.id, r.account_id, u.id as user_id, a.avatar_key, a.header_key
    from archives r join accounts a on a.id = r.account_id join users u on u.account_id = a.id
    where r.id = ${id} and r.state = 'working'`)

export async function resetProgress(ctx: Context, { id, account_id: accountId }: WorkingArchive): Promise<void> {
  await ctx.db.run(sql`
    update archives set done = 0, total = (select count(*) from statuses where account_id = ${accountId})
      + (select count(*) from media_attachments where account_id = ${accountId} and status_id is not null and file_key is not null)
    where id = ${id}`)
}

export async function addProgress(ctx: Context, { id }: WorkingArchive, more: number): Promise<void> {
  await ctx.db.run(sql`update archives set done = done + ${more} where id = ${id}`)
}

/** False when the archive is gone, or another run of the job was faster. */
export async function finishArchive(
  ctx: Context,
  { id }: WorkingArchive,
  { key, size }: { key: string; size: number },
): Promise<boolean> {
  const finished = await ctx.db.run(sql`
    update archives set state = 'ready', file_key = ${key}, file_size = ${size}, done = total, finished_at = now()
    where id = ${id} and state = 'working'`)
  return finished > 0
}

type ArchivedMedia = Pick<MediaAttachments, 'id'> & { file_key: string }

export async function* archivedMedia(ctx: Context, accountId: string): AsyncGenerator<ArchivedMedia[]> {
  for (let after = '0'; ;) {
    const media = await ctx.db.many<ArchivedMedia>(sql`
      select id, file_key from media_attachments
      where account_id = ${accountId} and id > ${after} and status_id is not null and file_key is not null order by id limit ${BATCH}`)
    if (media.length === 0) return
    yield media
    after = media.at(-1)?.id ?? after
  }
}

export async function* archivedStatusIds(ctx: Context, accountId: string): AsyncGenerator<string[]> {
  for (let after = '0'; ;) {
    const rows = await ctx.db.many<{ id: string }>(
      sql`select id from statuses where account_id = ${accountId} and id > ${after} order by id limit ${BATCH}`,
    )
    if (rows.length === 0) return
    yield rows.map(({ id }) => id)
    after = rows.at(-1)?.id ?? after
  }
}
