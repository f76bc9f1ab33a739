// The rows of media attachments, and the details that their authors give.
import type { Context } from '../../context.ts'
import type { MediaAttachments } from '../../db/schema.ts'
import { nothing, sql, type Sql } from '../../db/sql.ts'
import { Invalid, invalidField, NotFound } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import { message } from '../../messages/message.ts'
import { checkImageSize, withDecodedHeic } from './decode.ts'
import { discardFiles, mediaKey, withStoredFiles, type ReceivedFile } from './files.ts'
import { processImage, type Dimensions, type ProcessedImage } from './image.ts'
import { type FileKeys, fileKeysIn, storedKeys } from './stored-files.ts'
import { prepareThumbnail, thumbnailMeta, type Palette } from './thumbnail.ts'
import { DESCRIPTION_LIMIT } from './types.ts'

/** The point of an image to keep visible when it is cropped: -1 (left, bottom) to 1 (right, top). */
export type Focus = { x: number; y: number }

/** `meta` of a MediaAttachment: `original` and `small`, and besides them the members that older clients read. */
export type MediaMeta = {
  focus?: Focus
  original?: Partial<Dimensions> & { frame_rate?: string; duration?: number; bitrate?: number }
  small?: Dimensions
  colors?: Palette
  length?: string
  duration?: number
  fps?: number
  size?: string
  width?: number
  height?: number
  aspect?: number
  audio_encode?: string
  audio_bitrate?: string
  audio_channels?: string
}

/**
 * `processing`: null when the file is ready. `arriving`: it is being uploaded. `waiting`: for its conversion. `failed`: it could
 * not be converted. `raw`: it is stored as uploaded, on a server that does not convert.
 */
export type Attachment = Omit<
  MediaAttachments,
  'content_type' | 'file_size' | 'meta' | 'created_at' | 'scheduled_status_id' | 'attempts' | 'probed_at'
> & { meta: MediaMeta }

export const attachmentColumns = sql`id, account_id, status_id, type, file_key, preview_key, remote_url, preview_remote_url, description, blurhash, meta,
  processing, source_key, result_key`

/** A condition on media: no status or scheduled status has it. */
export const isUnattached: Sql = sql`(status_id is null and scheduled_status_id is null)`

/** Absent members stay as they are; an empty text removes the stored value. */
export type Details = { description?: string; focus?: string; thumbnail?: ReceivedFile }

/** Null for an empty text. Throws Invalid when it is too long. */
export function cleanDescription(text: string): string | null {
  const trimmed = text.trim()
  if ([...trimmed].length > DESCRIPTION_LIMIT)
    throw invalidField('description', 'too_long', { count: DESCRIPTION_LIMIT })
  return trimmed === '' ? null : trimmed
}

const NUMBER = String.raw`[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?`
const PAIR = new RegExp(String.raw`^\s*(${NUMBER})\s*,\s*(${NUMBER})\s*$`, 'i')

/** Reads "x,y", or a point; clamped to the edges; null for an empty text. Throws Invalid. */
export function parseFocus(focus: string | Focus | undefined): Focus | null {
  if (focus === undefined || (typeof focus === 'string' && focus.trim() === '')) return null
  const point = typeof focus === 'string' ? PAIR.exec(focus)?.slice(1).map(Number) : [focus.x, focus.y]
  if (!point) throw invalidField('focus', 'invalid')
  const [x = 0, y = 0] = point.map((value) => Math.min(1, Math.max(-1, value)))
  return { x, y }
}

/** Throws Invalid for an image that is not accepted. */
export async function createAttachment(
  ctx: Context,
  accountId: string,
  file: ReceivedFile,
  details: Details,
): Promise<Attachment> {
  const description = cleanDescription(details.description ?? '')
  const focus = parseFocus(details.focus)
  const image = await readImage(ctx, file)
  const id = newId()
  const thumbnail = details.thumbnail ? await prepareThumbnail(ctx, id, details.thumbnail) : null
  const meta: MediaMeta = { ...(focus ? { focus } : {}), ...image.meta, ...(thumbnail ? thumbnailMeta(thumbnail) : {}) }
  const original = mediaKey(id, 'original', image.original)
  const preview = thumbnail?.previewKey ?? mediaKey(id, 'small', image.small)
  const files = [[original, image.original] as const, ...(thumbnail ? [] : [[preview, image.small] as const])]
  try {
    return await withStoredFiles(ctx, files, () =>
      ctx.db.one<Attachment>(sql`
      insert into media_attachments (id, account_id, type, content_type, file_key, file_size, preview_key, description, blurhash, meta)
      values (${id}, ${accountId}, 'image', ${image.original.contentType}, ${original}, ${image.original.data.length}, ${preview},
        ${description}, ${thumbnail?.blurhash ?? image.blurhash}, ${JSON.stringify(meta)}::jsonb)
      returning ${attachmentColumns}`),
    )
  } catch (error) {
    if (thumbnail) await discardFiles(ctx, [thumbnail.previewKey], error)
    throw error
  }
}

async function readImage(ctx: Context, file: ReceivedFile): Promise<ProcessedImage> {
  await checkImageSize(file, 'file')
  return withDecodedHeic(ctx, file.path, processImage)
}

export const findAttachment = (ctx: Context, id: string): Promise<Attachment | null> =>
  ctx.db.maybe<Attachment>(sql`select ${attachmentColumns} from media_attachments where id = ${id}`)

/** Throws NotFound, also when a status has the attachment. `lock`: `for update` or nothing. */
export async function getUnattached(
  ctx: Context,
  accountId: string,
  id: string,
  lock: Sql = nothing,
): Promise<Attachment> {
  const row = await ctx.db.maybe<Attachment>(
    sql`
      select ${attachmentColumns} from media_attachments where id = ${id} and account_id = ${accountId} and ${isUnattached}
        and processing is distinct from 'arriving' ${lock}`,
  )
  if (!row) throw new NotFound()
  return row
}

/** Throws Invalid, and NotFound as `getUnattached` does. */
export async function updateAttachment(
  ctx: Context,
  accountId: string,
  id: string,
  details: Details,
): Promise<Attachment> {
  await getUnattached(ctx, accountId, id)
  const focus = parseFocus(details.focus)
  const description = details.description === undefined ? undefined : cleanDescription(details.description)
  const thumbnail = details.thumbnail ? await prepareThumbnail(ctx, id, details.thumbnail) : null
  // Merged by the database, since a conversion may write other members at the same time.
  const changes: MediaMeta = { ...(focus ? { focus } : {}), ...(thumbnail ? thumbnailMeta(thumbnail) : {}) }
  const removed = details.focus === undefined ? '' : 'focus'
  try {
    return await ctx.transaction(async (tx) => {
      // Locked, as other requests may change the other details at the same time.
      const before = await getUnattached(tx, accountId, id, sql`for update`)
      if (thumbnail && before.preview_key !== null) await tx.deleteFiles([before.preview_key])
      return tx.db.one<Attachment>(sql`
        update media_attachments set description = ${description === undefined ? before.description : description},
          meta = (meta - ${removed}::text) || ${JSON.stringify(changes)}::jsonb,
          preview_key = ${thumbnail?.previewKey ?? before.preview_key}, blurhash = ${thumbnail?.blurhash ?? before.blurhash}
        where id = ${id} returning ${attachmentColumns}`)
    })
  } catch (error) {
    if (thumbnail) await discardFiles(ctx, [thumbnail.previewKey], error)
    throw error
  }
}

/** Throws NotFound, and Invalid while a status has the attachment. */
export async function deleteAttachment(ctx: Context, accountId: string, id: string): Promise<void> {
  const deleted = await ctx.db.maybe<FileKeys>(sql`
    delete from media_attachments where id = ${id} and account_id = ${accountId} and ${isUnattached}
    returning ${fileKeysIn('media_attachments')} as keys`)
  if (!deleted) {
    const exists = await ctx.db.maybe(
      sql`select 1 from media_attachments where id = ${id} and account_id = ${accountId}`,
    )
    throw exists ? new Invalid(message('media_attached')) : new NotFound()
  }
  await ctx.deleteFiles(storedKeys([deleted]))
}

const BATCH = 200

/**
 * Deletes media that belong to no status after a day. The files go first: after an interruption the next run still
 * finds the rows.
 */
export async function deleteOrphanedMedia(ctx: Context): Promise<void> {
  for (let deleted = BATCH; deleted === BATCH;) deleted = await deleteOrphanedBatch(ctx)
  await deleteLeftSources(ctx)
}

const deleteOrphanedBatch = (ctx: Context): Promise<number> =>
  ctx.transaction(async (tx) => {
    // Locked, so that no status gets an attachment whose files are being deleted.
    const rows = await tx.db.many<FileKeys & Pick<MediaAttachments, 'id'>>(sql`
      select id, ${fileKeysIn('media_attachments')} as keys from media_attachments
      where ${isUnattached} and created_at < now() - interval '1 day' order by created_at limit ${BATCH} for update skip locked`)
    await tx.files.delete(storedKeys(rows))
    await tx.db.run(sql`delete from media_attachments where id = any(${rows.map(({ id }) => id)}::bigint[])`)
    return rows.length
  })

/** Deletes the uploads of finished and failed conversions that an interrupted process did not delete. */
async function deleteLeftSources(ctx: Context): Promise<void> {
  const rows = await ctx.db.many<FileKeys & Pick<MediaAttachments, 'id'>>(sql`
    select id, array[source_key, case when file_key is null then result_key end] as keys
    from media_attachments where source_key is not null and coalesce(processing, 'failed') = 'failed' and created_at < now() - interval '1 day'`)
  await ctx.files.delete(storedKeys(rows))
  await ctx.db.run(sql`
    update media_attachments set source_key = null, result_key = null where id = any(${rows.map(({ id }) => id)}::bigint[])`)
}
