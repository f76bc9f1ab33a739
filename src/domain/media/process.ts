import { createWriteStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { extname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'
import type { JobData } from '../../jobs/kinds.ts'
import { AppError } from '../../lib/errors.ts'
import type { Attachment } from './attachments.ts'
import { contentTypeOf, formatOf, type Format } from './types.ts'
import { convertMedia, LibraryMissing } from './av/run.ts'
import { sniff } from './decode.ts'
import { describeMeasures } from './film-meta.ts'
import { withTemporary } from './temporary.ts'

/** Counted when it begins: a file that takes the whole server down is not tried for ever. */
const MAX_ATTEMPTS = 3

/** A medium that waits: both keys are known. */
type Waiting = Attachment & { source_key: string; result_key: string; attempts: number }

/** The job `media.process`: converts an upload. One that cannot be converted is marked so. Throws when another try may go better. */
export async function processMedium(ctx: Context, { mediaId }: JobData['media.process']): Promise<void> {
  const row = await ctx.db.maybe<Waiting>(sql`
    update media_attachments set attempts = attempts + 1 where id = ${mediaId} and processing = 'waiting' returning *`)
  if (!row) return
  if (row.attempts > MAX_ATTEMPTS) return fail(ctx, row)
  try {
    await withTemporary(ctx, async (source) => {
      if (await fetchSource(ctx, row, source)) await convertInto(ctx, row, source)
      else await fail(ctx, row)
    })
  } catch (error) {
    const isFault = error instanceof LibraryMissing || (error instanceof AppError && error.status < 500)
    if (!isFault && row.attempts < MAX_ATTEMPTS) throw error
    ctx.log.info({ err: error, mediaId }, 'media.conversion-failed')
    await fail(ctx, row)
  }
}

/** Copies what was uploaded to where the child process can read it; false when it is gone. */
async function fetchSource(ctx: Context, { source_key: key }: Waiting, path: string): Promise<boolean> {
  const file = await ctx.files.open(key)
  if (!file) return false
  await pipeline(file.stream(), createWriteStream(path))
  return true
}

async function convertInto(ctx: Context, row: Waiting, source: string): Promise<void> {
  const { demuxer, isAnimation } = formatOf(await sniff(source)) as Format
  const extension = extname(row.result_key)
  await withTemporary(
    ctx,
    async (target) => {
      const measures = await convertMedia(ctx, { path: source, demuxer, isAnimation, target })
      const { size } = await stat(target)
      const contentType = contentTypeOf(row.result_key) ?? 'application/octet-stream'
      await ctx.files.put(row.result_key, target, contentType)
      // What people say about it meanwhile stays: only what was measured is written.
      const done = await ctx.db.run(sql`
        update media_attachments set processing = null, file_key = result_key, content_type = ${contentType}, file_size = ${size},
          meta = meta || ${JSON.stringify(describeMeasures(measures))}::jsonb
        where id = ${row.id} and processing = 'waiting'`)
      if (done > 0) await forgetSource(ctx, row)
      else await forgetResult(ctx, row)
    },
    extension.slice(1),
  )
}

async function fail(ctx: Context, row: Waiting): Promise<void> {
  const failed = await ctx.db.run(
    sql`update media_attachments set processing = 'failed' where id = ${row.id} and processing = 'waiting'`,
  )
  if (failed === 0) return
  await ctx.files.delete([row.result_key])
  await forgetSource(ctx, row)
}

/** The row names the file until it is gone. */
async function forgetSource(ctx: Context, { id, source_key: key }: Waiting): Promise<void> {
  await ctx.files.delete([key])
  await ctx.db.run(sql`update media_attachments set source_key = null, result_key = null where id = ${id}`)
}

/** Deleted meanwhile; unless the same job was done twice, and this is the file that is shown. */
async function forgetResult(ctx: Context, { id, result_key: key }: Waiting): Promise<void> {
  const isShown = await ctx.db.maybe(sql`select 1 from media_attachments where id = ${id} and file_key = ${key}`)
  if (!isShown) await ctx.files.delete([key])
}
