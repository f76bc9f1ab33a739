import type { Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'
import { fileKeys, type Attachment } from './attachments.ts'

const BATCH = 200

/**
 * Removes media that no status has had for a day, with their files. Files go first: should this end in between, the rows are
 * still there to be found by the next run.
 */
export async function removeOrphanedMedia(ctx: Context): Promise<void> {
  for (let removed = BATCH; removed === BATCH;) removed = await removeBatch(ctx)
  await removeSources(ctx)
}

async function removeBatch(ctx: Context): Promise<number> {
  return ctx.transaction(async (tx) => {
    // Locked, so that none of them is attached to a status while its file goes.
    const rows = await tx.db.many<Row>(sql`
      select id, file_key, preview_key, source_key, result_key from media_attachments
      where status_id is null and scheduled_status_id is null and created_at < now() - interval '1 day' order by created_at limit ${BATCH} for update skip locked`)
    await tx.files.delete(rows.flatMap(fileKeys))
    await tx.db.run(sql`delete from media_attachments where id = any(${rows.map(({ id }) => id)}::bigint[])`)
    return rows.length
  })
}

/** Removes uploads that are converted, or cannot be, where the process ended before it came to that. */
async function removeSources(ctx: Context): Promise<void> {
  const rows = await ctx.db.many<Row>(sql`
    select id, null as file_key, null as preview_key, source_key, case when file_key is null then result_key end as result_key
    from media_attachments where source_key is not null and coalesce(processing, 'failed') = 'failed' and created_at < now() - interval '1 day'`)
  await ctx.files.delete(rows.flatMap(fileKeys))
  await ctx.db.run(sql`
    update media_attachments set source_key = null, result_key = null where id = any(${rows.map(({ id }) => id)}::bigint[])`)
}

type Row = Pick<Attachment, 'id' | 'file_key' | 'preview_key' | 'source_key' | 'result_key'>
