import type { Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'
import type { StoredFile } from '../../files/store.ts'
import { Invalid } from '../../lib/errors.ts'

/** How long an archive can be downloaded, and how soon there may be another: days. */
export const ARCHIVE_DAYS = 7

/** An archive as its owner sees it. */
export type ArchiveInfo = {
  id: string
  state: 'working' | 'ready' | 'failed'
  /** Posts and media that are in it, of how many. */
  done: number
  total: number
  file_size: string | null
  created_at: Date
  finished_at: Date | null
}

/** Asks for an archive of all that somebody posted. Throws Invalid within a week after the last one. */
export async function requestArchive(ctx: Context, accountId: string): Promise<void> {
  await ctx.transaction(async (tx) => {
    await tx.db.run(sql`select from accounts where id = ${accountId} for no key update`)
    const recent = await tx.db.maybe(sql`
      select from archives where account_id = ${accountId} and state <> 'failed' and created_at > now() - ${ARCHIVE_DAYS} * interval '1 day'`)
    if (recent) throw new Invalid(`You can have an archive made once in ${ARCHIVE_DAYS} days`)
    const { id } = await tx.db.one<{ id: string }>(
      sql`insert into archives (account_id) values (${accountId}) returning id`,
    )
    await tx.enqueue('portability.archive', { archiveId: id })
  })
}

/** The archives of somebody, the newest first. */
export const listArchives = (ctx: Context, accountId: string): Promise<ArchiveInfo[]> =>
  ctx.db.many<ArchiveInfo>(sql`
    select id, state, done, total, file_size, created_at, finished_at from archives where account_id = ${accountId} order by id desc`)

/** The file of an archive, if it is ready and belongs to this person; otherwise null. */
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

/** Job `portability.sweep`: archives go after a week, imports after a month; an archive that was never finished has failed. */
export async function sweepPortability(ctx: Context): Promise<void> {
  await ctx.db.run(sql`
    update archives set state = 'failed', finished_at = now() where state = 'working' and created_at < now() - interval '1 day'`)
  const gone = await ctx.db.many<{ file_key: string | null }>(sql`
    delete from archives where finished_at < now() - ${ARCHIVE_DAYS} * interval '1 day' returning file_key`)
  await ctx.files.delete(gone.flatMap(({ file_key }) => file_key ?? []))
  await ctx.db.run(sql`
    delete from imports where (state = 'finished' and finished_at < now() - interval '30 days')
      or (state = 'unconfirmed' and created_at < now() - interval '1 day')`)
}
