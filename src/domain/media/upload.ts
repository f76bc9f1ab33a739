import { open } from 'node:fs/promises'
import type { Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'
import { Invalid, Unavailable, invalidField } from '../../lib/errors.ts'
import { message } from '../../messages/message.ts'
import { createAttachment, type Attachment, type Details } from './attachments.ts'
import { formatOf } from './types.ts'
import { convertsMedia, LibraryMissing } from './av/run.ts'
import { inspectImage, sniff } from './decode.ts'
import { keepAsItCame, lineUp } from './film.ts'
import { ANIMATION_PIXELS_LIMIT, IMAGE_SIZE_LIMIT, VIDEO_SIZE_LIMIT } from './limits.ts'
import type { ReceivedFile } from './storing.ts'

/**
 * Stores an upload as an attachment of the account that no status has yet. Pictures are ready at once; films, sounds and
 * animations are looked at, get a preview, and wait to be converted. Throws Invalid for what cannot be taken.
 */
export async function receiveUpload(
  ctx: Context,
  accountId: string,
  file: ReceivedFile,
  details: Details,
): Promise<Attachment> {
  const format = formatOf(await sniff(file.path))
  if (!format || (format.isAnimation && !(convertsMedia(ctx) && (await moves(file, format.demuxer)))))
    return createAttachment(ctx, accountId, file, details)
  const limit = format.isAnimation ? IMAGE_SIZE_LIMIT : VIDEO_SIZE_LIMIT
  if (file.size > limit) throw invalidField('file', 'file_size', { megabytes: limit / 1024 ** 2 })
  try {
    if (convertsMedia(ctx)) return await lineUp(ctx, accountId, file, format, details)
  } catch (error) {
    if (!(error instanceof LibraryMissing)) throw error
    if (format.isAnimation) return createAttachment(ctx, accountId, file, details)
  }
  return keepAsItCame(ctx, accountId, file, format, details)
}

const WAIT_MS = 5 * 60_000
const LOOK_EVERY_MS = 200

/** An upload as it is when it is converted, for apps that do not wait. Throws Unavailable when that takes too long. */
export async function waitUntilProcessed(ctx: Context, medium: Attachment): Promise<Attachment> {
  let row: Attachment | null = medium
  for (const end = Date.now() + WAIT_MS; row?.processing === 'waiting';) {
    if (Date.now() > end) throw new Unavailable(message('media_processing'))
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
    row = await ctx.db.maybe<Attachment>(sql`select * from media_attachments where id = ${medium.id}`)
  }
  if (!row) throw new Invalid(message('media_deleted'))
  return row
}

/** Whether an image has several frames. Throws Invalid for an image that is not accepted, or would take too long to convert. */
async function moves({ path }: ReceivedFile, demuxer: string): Promise<boolean> {
  const { width, height, ...image } = await inspectImage(path)
  const frames = demuxer === 'apng' ? await apngFrames(path) : image.frames
  if (width * height * frames > ANIMATION_PIXELS_LIMIT)
    throw new Invalid(`Validation failed: ${width}x${height} animations of ${frames} frames are not supported`)
  return frames > 1
}

/** As its `acTL` block says, which stands before the first picture data. */
async function apngFrames(path: string): Promise<number> {
  const handle = await open(path, 'r')
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(65_536), 0, 65_536, 0)
    const at = buffer.subarray(0, bytesRead).indexOf('acTL')
    return at > 0 && at + 8 <= bytesRead ? buffer.readUInt32BE(at + 4) : 1
  } finally {
    await handle.close()
  }
}
