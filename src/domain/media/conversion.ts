// Uploads of video, audio and animations: their rows, and the job that converts them.
import { createWriteStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { extname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Context } from '../../context.ts'
import type { MediaAttachments } from '../../db/schema.ts'
import { sql } from '../../db/sql.ts'
import { AppError } from '../../lib/errors.ts'
import { attachmentColumns, type Attachment, type MediaMeta } from './attachments.ts'
import type { Measures } from './av/protocol.ts'
import { convertMedia, LibraryMissing } from './av/run.ts'
import { sniff } from './decode.ts'
import { withTemporaryFile } from './files.ts'
import { contentTypeOf, formatOf, type Format } from './types.ts'

export type ArrivingMedia = Pick<
  MediaAttachments,
  'id' | 'account_id' | 'type' | 'description' | 'blurhash' | 'preview_key' | 'source_key'
> & { result_key: string; meta: MediaMeta }

/**
 * The row names every file before it is written, so that clean-up can find it. When `work` fails, the files and the row
 * are deleted.
 */
export async function withArrivingMedia(
  ctx: Context,
  media: ArrivingMedia,
  work: () => Promise<Attachment>,
): Promise<Attachment> {
  const { id, account_id, type, source_key, result_key, preview_key, description, blurhash, meta } = media
  try {
    await ctx.db.run(sql`
      insert into media_attachments (id, account_id, type, processing, source_key, result_key, preview_key, description, blurhash, meta)
      values (${id}, ${account_id}, ${type}, 'arriving', ${source_key}, ${result_key}, ${preview_key}, ${description},
        ${blurhash}, ${JSON.stringify(meta)}::jsonb)`)
    return await work()
  } catch (error) {
    await ctx.files
      .delete([source_key, result_key, preview_key].filter((key) => key !== null))
      .then(() => ctx.db.run(sql`delete from media_attachments where id = ${id}`))
      .catch((cause: unknown) => ctx.log.warn({ err: cause }, 'upload.cleanup-failed'))
    throw error
  }
}

export const countWaiting = async (ctx: Context, accountId: string): Promise<number> => {
  const { waiting } = await ctx.db.one<{ waiting: number }>(sql`
    select count(*)::int as waiting from media_attachments where account_id = ${accountId} and processing = 'waiting'`)
  return waiting
}

export const markWaiting = (tx: Context, id: string): Promise<Attachment> =>
  tx.db.one<Attachment>(
    sql`update media_attachments set processing = 'waiting' where id = ${id} returning ${attachmentColumns}`,
  )

export const markUnconverted = (ctx: Context, id: string, contentType: string, size: number): Promise<Attachment> =>
  ctx.db.one<Attachment>(sql`
    update media_attachments set processing = 'raw', file_key = result_key, result_key = null, content_type = ${contentType},
      file_size = ${size} where id = ${id} returning ${attachmentColumns}`)

/** Counted at the beginning of a conversion, so that a file which crashes the server is not retried for ever. */
const MAX_ATTEMPTS = 3

type WaitingMedia = Pick<MediaAttachments, 'id' | 'attempts'> & { source_key: string; result_key: string }

/** The job `media.process`: converts an upload, or marks it as failed. Throws when a retry may succeed. */
export async function processMedia(ctx: Context, { mediaId }: { mediaId: string }): Promise<void> {
  const row = await ctx.db.maybe<WaitingMedia>(sql`
    update media_attachments set attempts = attempts + 1 where id = ${mediaId} and processing = 'waiting'
    returning id, attempts, source_key, result_key`)
  if (!row) return
  if (row.attempts > MAX_ATTEMPTS) return markFailed(ctx, row)
  try {
    await withTemporaryFile(ctx, async (source) => {
      if (await fetchSource(ctx, row, source)) await convert(ctx, row, source)
      else await markFailed(ctx, row)
    })
  } catch (error) {
    const isFinal = error instanceof LibraryMissing || (error instanceof AppError && error.status < 500)
    if (!isFinal && row.attempts < MAX_ATTEMPTS) throw error
    ctx.log.info({ err: error, mediaId }, 'media.conversion-failed')
    await markFailed(ctx, row)
  }
}

/** False when the upload does not exist. */
async function fetchSource(ctx: Context, { source_key: key }: WaitingMedia, path: string): Promise<boolean> {
  const file = await ctx.files.open(key)
  if (!file) return false
  await pipeline(file.stream(), createWriteStream(path))
  return true
}

async function convert(ctx: Context, row: WaitingMedia, source: string): Promise<void> {
  const { demuxer, isAnimation } = formatOf(await sniff(source)) as Format
  const extension = extname(row.result_key)
  await withTemporaryFile(
    ctx,
    async (target) => {
      const measures = await convertMedia(ctx, { path: source, demuxer, isAnimation, target })
      const { size } = await stat(target)
      const contentType = contentTypeOf(row.result_key) ?? 'application/octet-stream'
      await ctx.files.put(row.result_key, target, contentType)
      // Only measured members are written, so that details which the author gives meanwhile stay.
      const done = await ctx.db.run(sql`
        update media_attachments set processing = null, file_key = result_key, content_type = ${contentType}, file_size = ${size},
          meta = meta || ${JSON.stringify(describeMeasures(measures))}::jsonb
        where id = ${row.id} and processing = 'waiting'`)
      if (done > 0) await deleteSource(ctx, row)
      else await deleteUnusedResult(ctx, row)
    },
    extension.slice(1),
  )
}

async function markFailed(ctx: Context, row: WaitingMedia): Promise<void> {
  const failed = await ctx.db.run(
    sql`update media_attachments set processing = 'failed' where id = ${row.id} and processing = 'waiting'`,
  )
  if (failed === 0) return
  await ctx.files.delete([row.result_key])
  await deleteSource(ctx, row)
}

/** Deletes the file before its key, so that an interruption leaves no unknown file. */
async function deleteSource(ctx: Context, { id, source_key: key }: WaitingMedia): Promise<void> {
  await ctx.files.delete([key])
  await ctx.db.run(sql`update media_attachments set source_key = null, result_key = null where id = ${id}`)
}

/** For a row that was deleted during the conversion. When the job ran twice, the file is in use and stays. */
async function deleteUnusedResult(ctx: Context, { id, result_key: key }: WaitingMedia): Promise<void> {
  const isUsed = await ctx.db.maybe(sql`select 1 from media_attachments where id = ${id} and file_key = ${key}`)
  if (!isUsed) await ctx.deleteFiles([key])
}

/** The `meta` of video and audio: `original`, and besides it the members that clients of Mastodon before 2.0 read. */
export function describeMeasures({ width, height, frameRate, duration, bitrate, audio }: Measures): MediaMeta {
  const [frames = 0, per = 1] = (frameRate ?? '').split('/').map(Number)
  return {
    ...(duration === undefined ? {} : { length: formatDuration(duration), duration }),
    ...(frames > 0 && per > 0 ? { fps: Math.round(frames / per) } : {}),
    ...(width && height ? { size: `${width}x${height}`, width, height, aspect: width / height } : {}),
    ...(audio
      ? {
          audio_encode: audio.codec,
          audio_bitrate: `${audio.sampleRate} Hz`,
          audio_channels: CHANNELS[audio.channels] ?? `${audio.channels} channels`,
        }
      : {}),
    original: {
      ...(width && height ? { width, height } : {}),
      ...(frameRate === undefined ? {} : { frame_rate: frameRate }),
      ...(duration === undefined ? {} : { duration }),
      ...(bitrate === undefined ? {} : { bitrate }),
    },
  }
}

const CHANNELS: Record<number, string> = { 1: 'mono', 2: 'stereo', 6: '5.1' }

/** 0:01:28.65 */
function formatDuration(seconds: number): string {
  const hundredths = Math.round(seconds * 100)
  const two = (value: number): string => String(value).padStart(2, '0')
  const [hours, minutes, rest] = [
    Math.floor(hundredths / 360_000),
    Math.floor(hundredths / 6000) % 60,
    hundredths % 6000,
  ]
  return `${hours}:${two(minutes)}:${two(Math.floor(rest / 100))}.${two(rest % 100)}`
}
