import type { Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'
import { Invalid, NotFound, invalidField } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import { inspectImage } from './decode.ts'
import { parseFocus, type Focus } from './focus.ts'
import { withDecodedHeic } from './heic.ts'
import { processImage, type Dimensions, type ProcessedImage } from './image.ts'
import { DESCRIPTION_LIMIT, IMAGE_SIZE_LIMIT } from './limits.ts'
import type { Palette } from './palette.ts'
import { keyFor, storing, type ReceivedFile } from './storing.ts'
import { prepareThumbnail, thumbnailMeta } from './thumbnail.ts'

/** `meta` of a MediaAttachment: `original` and `small`, and what older apps look for beside them. */
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

export type Attachment = {
  id: string
  account_id: string
  status_id: string | null
  type: 'image' | 'gifv' | 'video' | 'audio' | 'unknown'
  file_key: string | null
  preview_key: string | null
  remote_url: string | null
  description: string | null
  blurhash: string | null
  meta: MediaMeta
  /** What has yet to happen to its file; null when it is ready. */
  processing: 'arriving' | 'waiting' | 'failed' | 'raw' | null
  source_key: string | null
  result_key: string | null
}

/** What people say about a medium. Absent members stay as they are; an empty text takes away what was there. */
export type Details = { description?: string; focus?: string; thumbnail?: ReceivedFile }

/** Stores a picture as an attachment of the account that no status has yet. Throws Invalid for what cannot be taken. */
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
  const given = details.thumbnail ? await prepareThumbnail(ctx, id, details.thumbnail) : null
  const meta: MediaMeta = { ...(focus ? { focus } : {}), ...image.meta, ...(given ? thumbnailMeta(given) : {}) }
  const original = keyFor(id, 'original', image.original)
  const preview = given?.previewKey ?? keyFor(id, 'small', image.small)
  const files = [[original, image.original] as const, ...(given ? [] : [[preview, image.small] as const])]
  try {
    return await storing(ctx, files, () =>
      ctx.db.one<Attachment>(sql`
      insert into media_attachments (id, account_id, type, content_type, file_key, file_size, preview_key, description, blurhash, meta)
      values (${id}, ${accountId}, 'image', ${image.original.contentType}, ${original}, ${image.original.data.length}, ${preview},
        ${description}, ${given?.blurhash ?? image.blurhash}, ${JSON.stringify(meta)}::jsonb)
      returning *`),
    )
  } catch (error) {
    if (given) await ctx.files.delete([given.previewKey])
    throw error
  }
}

/** An attachment of the account that no status has yet. Throws NotFound. */
export async function getUnattached(ctx: Context, accountId: string, id: string): Promise<Attachment> {
  const row = await ctx.db.maybe<Attachment>(
    sql`
      select * from media_attachments where id = ${id} and account_id = ${accountId} and num_nonnulls(status_id, scheduled_status_id) = 0
        and processing is distinct from 'arriving'`,
  )
  if (!row) throw new NotFound()
  return row
}

/** Changes what is said about an attachment that no status has yet. Throws NotFound and Invalid. */
export async function updateAttachment(
  ctx: Context,
  accountId: string,
  id: string,
  details: Details,
): Promise<Attachment> {
  const before = await getUnattached(ctx, accountId, id)
  const focus = parseFocus(details.focus)
  const description = details.description === undefined ? before.description : cleanDescription(details.description)
  const thumbnail = details.thumbnail ? await prepareThumbnail(ctx, id, details.thumbnail) : null
  // Merged in the database: a conversion may write other members meanwhile.
  const changes: MediaMeta = { ...(focus ? { focus } : {}), ...(thumbnail ? thumbnailMeta(thumbnail) : {}) }
  const removed = details.focus === undefined ? '' : 'focus'
  try {
    const row = await ctx.db.maybe<Attachment>(sql`
      update media_attachments set description = ${description}, meta = (meta - ${removed}::text) || ${JSON.stringify(changes)}::jsonb,
        preview_key = ${thumbnail?.previewKey ?? before.preview_key}, blurhash = ${thumbnail?.blurhash ?? before.blurhash}
      where id = ${id} and account_id = ${accountId} and num_nonnulls(status_id, scheduled_status_id) = 0 returning *`)
    if (!row) throw new NotFound()
    if (thumbnail && before.preview_key !== null) await ctx.files.delete([before.preview_key])
    return row
  } catch (error) {
    if (thumbnail) await ctx.files.delete([thumbnail.previewKey])
    throw error
  }
}

/** Removes an attachment and its files. Throws NotFound, and Invalid while a status has it. */
export async function deleteAttachment(ctx: Context, accountId: string, id: string): Promise<void> {
  const gone = await ctx.db.maybe<Attachment>(sql`
    delete from media_attachments where id = ${id} and account_id = ${accountId} and num_nonnulls(status_id, scheduled_status_id) = 0 returning *`)
  if (!gone) {
    const isThere = await ctx.db.maybe(
      sql`select 1 from media_attachments where id = ${id} and account_id = ${accountId}`,
    )
    throw isThere ? new Invalid('Media attachment is currently used by a status') : new NotFound()
  }
  await ctx.files.delete(fileKeys(gone))
}

/** The keys of all files that belong to an attachment. */
export const fileKeys = (row: Pick<Attachment, 'file_key' | 'preview_key' | 'source_key' | 'result_key'>): string[] =>
  [row.file_key, row.preview_key, row.source_key, row.result_key].filter((key) => key !== null)

/** A description as it is stored; null for none. Throws Invalid when it is too long. */
export function cleanDescription(text: string): string | null {
  const trimmed = text.trim()
  if ([...trimmed].length > DESCRIPTION_LIMIT)
    throw invalidField('description', 'too_long', { count: DESCRIPTION_LIMIT })
  return trimmed === '' ? null : trimmed
}

async function readImage(ctx: Context, { path, size }: ReceivedFile): Promise<ProcessedImage> {
  if (size > IMAGE_SIZE_LIMIT) {
    await inspectImage(path)
    throw invalidField('file', 'file_size', { megabytes: IMAGE_SIZE_LIMIT / 1024 ** 2 })
  }
  return withDecodedHeic(ctx, path, processImage)
}
