import { stat } from 'node:fs/promises'
import type { Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'
import { newFileKey } from '../../files/store.ts'
import type { EnqueueOptions } from '../../jobs/kinds.ts'
import { AppError } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import { cleanDescription, fileKeys, type Attachment, type Details, type MediaMeta } from './attachments.ts'
import type { Format } from './types.ts'
import { inspectMedia } from './av/run.ts'
import { notAnImage } from './decode.ts'
import { describeMeasures } from './film-meta.ts'
import { parseFocus } from './focus.ts'
import type { ReceivedFile } from './storing.ts'
import { withTemporary } from './temporary.ts'
import { prepareThumbnail, thumbnailMeta, type Thumbnail } from './thumbnail.ts'

/** A film, sound or animation that waits to be converted, with its preview. Throws Invalid, LibraryMissing. */
export async function lineUp(
  ctx: Context,
  accountId: string,
  file: ReceivedFile,
  { demuxer, isAnimation }: Format,
  details: Details,
): Promise<Attachment> {
  const said = read(details)
  return withTemporary(ctx, async (target) => {
    const seen = await inspectMedia(ctx, { path: file.path, demuxer, isAnimation, target })
    const id = newId()
    const picture = details.thumbnail ?? (seen.hasPicture ? { path: target, size: (await stat(target)).size } : null)
    const isGiven = details.thumbnail !== undefined
    const kind = isGiven || seen.type === 'audio' ? 'artwork' : 'frame'
    const preview = await previewOf(ctx, id, picture, isGiven || seen.type !== 'audio', kind)
    // The members beside `original` are for older apps and describe the result alone.
    const { original } = describeMeasures(seen.measures)
    const row: NewFilm = {
      id,
      type: seen.type,
      source_key: newFileKey('private/media', id, 'source', 'bin'),
      result_key: newFileKey('media', id, 'original', seen.extension),
    }
    return store(ctx, accountId, said, preview, original ? { original } : {}, row, async () => {
      await ctx.files.put(row.source_key ?? '', file.path, 'application/octet-stream')
      return ctx.transaction(async (tx) => {
        await tx.enqueue('media.process', { mediaId: id }, await fairly(tx, accountId))
        return tx.db.one<Attachment>(
          sql`update media_attachments set processing = 'waiting' where id = ${id} returning *`,
        )
      })
    })
  })
}

/** One conversion per account at a time; each waits behind those of accounts with fewer of them waiting. */
async function fairly(tx: Context, accountId: string): Promise<EnqueueOptions> {
  const { waiting } = await tx.db.one<{ waiting: number }>(sql`
    select count(*)::int as waiting from media_attachments where account_id = ${accountId} and processing = 'waiting'`)
  return { group: accountId, priority: -waiting }
}

/** A film or sound that nothing here can convert: its bytes as they are, with what cameras wrote into them. Throws Invalid. */
export async function keepAsItCame(
  ctx: Context,
  accountId: string,
  file: ReceivedFile,
  { kept }: Format,
  details: Details,
): Promise<Attachment> {
  if (!kept) throw notAnImage()
  const said = read(details)
  const id = newId()
  const preview = await previewOf(ctx, id, details.thumbnail ?? null, true)
  const type = kept.contentType.startsWith('video/') ? 'video' : 'audio'
  const row: NewFilm = { id, type, source_key: null, result_key: newFileKey('media', id, 'original', kept.extension) }
  return store(ctx, accountId, said, preview, {}, row, async () => {
    await ctx.files.put(row.result_key, file.path, kept.contentType)
    return ctx.db.one<Attachment>(sql`
      update media_attachments set processing = 'raw', file_key = result_key, result_key = null, content_type = ${kept.contentType},
        file_size = ${file.size} where id = ${id} returning *`)
  })
}

type Said = { description: string | null; focus: MediaMeta['focus'] | null }
type NewFilm = { id: string; type: Attachment['type']; source_key: string | null; result_key: string }

const read = ({ description, focus }: Details): Said => ({
  description: cleanDescription(description ?? ''),
  focus: parseFocus(focus),
})

/** Stores what is to be shown for a medium. The cover of a record may be anything: what is no picture we take is none. */
async function previewOf(
  ctx: Context,
  id: string,
  picture: ReceivedFile | null,
  isNeeded: boolean,
  kind: 'artwork' | 'frame' = 'artwork',
): Promise<Thumbnail | null> {
  try {
    return picture && (await prepareThumbnail(ctx, id, picture, kind))
  } catch (error) {
    if (isNeeded || !(error instanceof AppError)) throw error
    return null
  }
}

/**
 * Adds the row, which knows every file before it is written, so that none is ever left behind unknown; then does `work`. Should
 * that fail, all of it goes again.
 */
async function store(
  ctx: Context,
  accountId: string,
  { description, focus }: Said,
  preview: Thumbnail | null,
  more: MediaMeta,
  { id, type, source_key, result_key }: NewFilm,
  work: () => Promise<Attachment>,
): Promise<Attachment> {
  const meta: MediaMeta = { ...(focus ? { focus } : {}), ...more, ...(preview ? thumbnailMeta(preview) : {}) }
  const keys = { file_key: null, preview_key: preview?.previewKey ?? null, source_key, result_key }
  try {
    await ctx.db.run(sql`
      insert into media_attachments (id, account_id, type, processing, source_key, result_key, preview_key, description, blurhash, meta)
      values (${id}, ${accountId}, ${type}, 'arriving', ${source_key}, ${result_key}, ${keys.preview_key}, ${description},
        ${preview?.blurhash ?? null}, ${JSON.stringify(meta)}::jsonb)`)
    return await work()
  } catch (error) {
    await ctx.files
      .delete(fileKeys(keys))
      .then(() => ctx.db.run(sql`delete from media_attachments where id = ${id}`))
      .catch((cause: unknown) => ctx.log.warn({ err: cause }, 'upload.cleanup-failed'))
    throw error
  }
}
