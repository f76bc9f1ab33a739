import { open, stat } from 'node:fs/promises'
import type { Context } from '../../context.ts'
import {
  cleanDescription,
  createAttachment,
  findAttachment,
  parseFocus,
  type Attachment,
  type Details,
  type Focus,
} from '../../domain/media/attachments.ts'
import { convertsMedia, inspectMedia, LibraryMissing } from '../../domain/media/av/run.ts'
import {
  countWaiting,
  describeMeasures,
  markUnconverted,
  markWaiting,
  withArrivingMedia,
  type ArrivingMedia,
} from '../../domain/media/conversion.ts'
import { inspectImage, notAnImage, sniff } from '../../domain/media/decode.ts'
import { withTemporaryFile, type ReceivedFile } from '../../domain/media/files.ts'
import { prepareThumbnail, thumbnailMeta, type Thumbnail } from '../../domain/media/thumbnail.ts'
import {
  ANIMATION_PIXELS_LIMIT,
  formatOf,
  IMAGE_SIZE_LIMIT,
  VIDEO_SIZE_LIMIT,
  type Format,
} from '../../domain/media/types.ts'
import { newFileKey } from '../../files/store.ts'
import { AppError, Invalid, invalidField, Unavailable } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import { message } from '../../messages/message.ts'

/**
 * Stores an upload as an attachment that no status has yet. An image is ready at once; video, audio and animations get a
 * preview and wait for their conversion. Throws Invalid for a file that is not accepted.
 */
export async function receiveUpload(
  ctx: Context,
  accountId: string,
  file: ReceivedFile,
  details: Details,
): Promise<Attachment> {
  const format = formatOf(await sniff(file.path))
  if (!format || (format.isAnimation && !(convertsMedia(ctx) && (await isAnimated(file, format.demuxer)))))
    return createAttachment(ctx, accountId, file, details)
  const upload = { accountId, file, format, details }
  const limit = format.isAnimation ? IMAGE_SIZE_LIMIT : VIDEO_SIZE_LIMIT
  if (file.size > limit) throw invalidField('file', 'file_size', { megabytes: limit / 1024 ** 2 })
  try {
    if (convertsMedia(ctx)) return await queueConversion(ctx, upload)
  } catch (error) {
    if (!(error instanceof LibraryMissing)) throw error
    if (format.isAnimation) return createAttachment(ctx, accountId, file, details)
  }
  return storeUnconverted(ctx, upload)
}

type Upload = { accountId: string; file: ReceivedFile; format: Format; details: Details }

/** Throws Invalid for an image that is not accepted, or whose conversion would take too long. */
async function isAnimated({ path }: ReceivedFile, demuxer: string): Promise<boolean> {
  const { width, height, ...image } = await inspectImage(path)
  const frames = demuxer === 'apng' ? await countApngFrames(path) : image.frames
  if (width * height * frames > ANIMATION_PIXELS_LIMIT)
    throw new Invalid(message('animation_dimensions', { width, height, frames }))
  return frames > 1
}

/** The number in the `acTL` chunk, which precedes the image data. */
async function countApngFrames(path: string): Promise<number> {
  const handle = await open(path, 'r')
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(65_536), 0, 65_536, 0)
    const at = buffer.subarray(0, bytesRead).indexOf('acTL')
    return at > 0 && at + 8 <= bytesRead ? buffer.readUInt32BE(at + 4) : 1
  } finally {
    await handle.close()
  }
}

/** Throws Invalid, LibraryMissing. */
async function queueConversion(
  ctx: Context,
  { accountId, file, format: { demuxer, isAnimation }, details }: Upload,
): Promise<Attachment> {
  const texts = readTexts(details)
  return withTemporaryFile(ctx, async (target) => {
    const inspected = await inspectMedia(ctx, { path: file.path, demuxer, isAnimation, target })
    const id = newId()
    const image = details.thumbnail ?? (inspected.hasPreview ? { path: target, size: (await stat(target)).size } : null)
    const isGiven = details.thumbnail !== undefined
    const kind = isGiven || inspected.type === 'audio' ? 'artwork' : 'frame'
    const preview = await storePreview(ctx, id, image, { kind, isRequired: isGiven || inspected.type !== 'audio' })
    // The members besides `original` describe the converted file, which does not exist yet.
    const { original } = describeMeasures(inspected.measures)
    const media = arriving({ id, accountId, ...inspected, ...texts }, preview)
    const sourceKey = newFileKey('private/media', id, 'source', 'bin')
    const meta = { ...media.meta, ...(original ? { original } : {}) }
    return withArrivingMedia(ctx, { ...media, source_key: sourceKey, meta }, async () => {
      await ctx.files.put(sourceKey, file.path, 'application/octet-stream')
      return ctx.transaction(async (tx) => {
        // One conversion per account at a time, and accounts with fewer waiting conversions first.
        const options = { group: accountId, priority: -(await countWaiting(tx, accountId)) }
        await tx.enqueue('media.process', { mediaId: id }, options)
        return markWaiting(tx, id)
      })
    })
  })
}

/** For servers that cannot convert media: the metadata stays in the file. Throws Invalid. */
async function storeUnconverted(
  ctx: Context,
  { accountId, file, format: { playable }, details }: Upload,
): Promise<Attachment> {
  if (!playable) throw notAnImage()
  const texts = readTexts(details)
  const id = newId()
  const preview = await storePreview(ctx, id, details.thumbnail ?? null, { kind: 'artwork', isRequired: true })
  const type = playable.contentType.startsWith('video/') ? 'video' : 'audio'
  const media = arriving({ id, accountId, type, extension: playable.extension, ...texts }, preview)
  return withArrivingMedia(ctx, media, async () => {
    await ctx.files.put(media.result_key, file.path, playable.contentType)
    return markUnconverted(ctx, id, playable.contentType, file.size)
  })
}

type Texts = { description: string | null; focus: Focus | null }

const readTexts = ({ description, focus }: Details): Texts => ({
  description: cleanDescription(description ?? ''),
  focus: parseFocus(focus),
})

type NewMedia = Texts & { id: string; accountId: string; type: Attachment['type']; extension: string }

const arriving = (
  { id, accountId, type, extension, description, focus }: NewMedia,
  preview: Thumbnail | null,
): ArrivingMedia => ({
  id,
  account_id: accountId,
  type,
  description,
  blurhash: preview?.blurhash ?? null,
  preview_key: preview?.previewKey ?? null,
  source_key: null,
  result_key: newFileKey('media', id, 'original', extension),
  meta: { ...(focus ? { focus } : {}), ...(preview ? thumbnailMeta(preview) : {}) },
})

/** Ignores an invalid image, such as a cover in an audio file, unless the preview is required. */
async function storePreview(
  ctx: Context,
  id: string,
  image: ReceivedFile | null,
  { kind, isRequired }: { kind: 'artwork' | 'frame'; isRequired: boolean },
): Promise<Thumbnail | null> {
  try {
    return image && (await prepareThumbnail(ctx, id, image, kind))
  } catch (error) {
    if (isRequired || !(error instanceof AppError)) throw error
    return null
  }
}

const MAX_WAIT_MS = 5 * 60_000
const CHECK_EVERY_MS = 200

/**
 * Waits on behalf of clients that do not poll. Throws Unavailable after MAX_WAIT_MS, Invalid when the media is deleted meanwhile.
 */
export async function waitUntilProcessed(ctx: Context, attachment: Attachment): Promise<Attachment> {
  let row: Attachment | null = attachment
  for (const end = Date.now() + MAX_WAIT_MS; row?.processing === 'waiting';) {
    if (Date.now() > end) throw new Unavailable(message('media_processing'))
    await new Promise((resolve) => setTimeout(resolve, CHECK_EVERY_MS))
    row = await findAttachment(ctx, attachment.id)
  }
  if (!row) throw new Invalid(message('media_deleted'))
  return row
}
