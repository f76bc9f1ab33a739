// Remote media: cached copies of images and of the covers of audio and video, and the signed addresses of the media proxy.
import { perServer, type Context } from '../../context.ts'
import type { Accounts, MediaAttachments } from '../../db/schema.ts'
import { sql, type Sql } from '../../db/sql.ts'
import { newFileKey } from '../../files/store.ts'
import { signatureOf } from '../server/secrets.ts'
import { attachmentColumns, findAttachment, type Attachment, type MediaMeta } from './attachments.ts'
import { withDecodedHeic } from './decode.ts'
import { type EncodedFile, mayCacheMediaOf, withDownload, withStoredFiles } from './files.ts'
import { type ProcessedImage, processAvatar, processHeader, processImage } from './image.ts'
import { IMAGE_SIZE_LIMIT, PROFILE_IMAGE_SIZE_LIMIT } from './types.ts'
import { isTemporary } from '../../net/fetch-error.ts'
import { sharedWork } from '../../lib/concurrency.ts'

export type RemoteAttachment = Pick<
  MediaAttachments,
  'id' | 'type' | 'content_type' | 'file_key' | 'preview_key' | 'remote_url' | 'preview_remote_url' | 'probed_at'
> &
  Pick<Accounts, 'domain'>

const remoteColumns = sql`m.id, m.type, m.content_type, m.file_key, m.preview_key, m.remote_url, m.preview_remote_url,
  m.probed_at, a.domain`

/**
 * The job `media.cache`: caches the images and covers of a remote status, or the avatar and header of an account. Skips those
 * that are cached. Throws when a retry may succeed.
 */
export async function cacheMedia(
  ctx: Context,
  { statusId, accountId }: { statusId?: string; accountId?: string },
): Promise<void> {
  const work: Promise<unknown>[] = []
  if (statusId !== undefined)
    for (const attachment of await listUncached(ctx, statusId)) work.push(cacheAttachment(ctx, attachment))
  if (accountId !== undefined)
    work.push(cacheProfileImage(ctx, accountId, 'avatar'), cacheProfileImage(ctx, accountId, 'header'))
  const failures = (await Promise.allSettled(work)).flatMap((result) =>
    result.status === 'rejected' ? [result.reason as unknown] : [],
  )
  const temporary = failures.find(isTemporary)
  for (const failure of failures) ctx.log.debug({ err: failure, statusId, accountId }, 'media.cache-failed')
  if (temporary) throw temporary
}

/** Null for an unknown id, and for media of a suspended account. */
export const findRemoteAttachment = (ctx: Context, id: string): Promise<RemoteAttachment | null> =>
  ctx.db.maybe<RemoteAttachment>(sql`
    select ${remoteColumns} from media_attachments m join accounts a on a.id = m.account_id
    where m.id = ${id} and m.remote_url is not null and a.suspended_at is null`)

const listUncached = (ctx: Context, statusId: string): Promise<RemoteAttachment[]> =>
  ctx.db.many<RemoteAttachment>(sql`
    select ${remoteColumns} from media_attachments m join accounts a on a.id = m.account_id
    where m.status_id = ${statusId} and m.remote_url is not null
      and case when m.type = 'image' then m.file_key is null else m.preview_remote_url is not null and m.preview_key is null end
    order by m.id`)

/** Simultaneous requests share one download. */
const inProgress = perServer(() => new Map<string, Promise<Attachment | null>>())

/**
 * Caches an image, or the cover of audio and video, which themselves are too large for the cache. Null when there is no cover,
 * and when the domain policy rejects media of its server. Throws FetchError when the download fails, Invalid for a
 * file that is not an image.
 */
export function cacheAttachment(ctx: Context, attachment: RemoteAttachment): Promise<Attachment | null> {
  return sharedWork(inProgress(ctx), attachment.id, () => fetchImage(ctx, attachment))
}

async function fetchImage(ctx: Context, attachment: RemoteAttachment): Promise<Attachment | null> {
  const { id, type, domain } = attachment
  const isCover = type !== 'image'
  const url = isCover ? attachment.preview_remote_url : attachment.remote_url
  if (url === null || !(await mayCacheMediaOf(ctx, domain, url))) return null
  const image = await withDownload(ctx, url, IMAGE_SIZE_LIMIT, (path) => withDecodedHeic(ctx, path, processImage))
  const stored = (variant: string, file: EncodedFile): readonly [key: string, file: EncodedFile] => [
    newFileKey('cache/media', id, variant, file.extension),
    file,
  ]
  const preview = stored('small', image.small)
  const original = isCover ? null : stored('original', image.original)
  const files = original ? [original, preview] : [preview]
  const update = original
    ? imageUpdate(id, url, image, { original: original[0], preview: preview[0] })
    : coverUpdate(id, url, image, preview[0])
  const cached = await withStoredFiles(ctx, files, () =>
    ctx.transaction(async (tx) => {
      const row = await tx.db.maybe<Attachment>(update)
      if (row) await touchStatus(tx, row.status_id)
      return row
    }),
  )
  if (cached) return cached
  // Another process was faster, or the attachment was deleted or has another cover.
  await ctx.deleteFiles(files.map(([key]) => key))
  return findAttachment(ctx, id)
}

const imageUpdate = (
  id: string,
  url: string,
  { original, blurhash, meta }: ProcessedImage,
  keys: { original: string; preview: string },
): Sql => sql`
  update media_attachments set file_key = ${keys.original}, preview_key = ${keys.preview}, content_type = ${original.contentType},
    file_size = ${original.data.length}, blurhash = ${blurhash}, meta = meta || ${JSON.stringify(meta satisfies MediaMeta)}::jsonb
  where id = ${id} and file_key is null and remote_url = ${url} returning ${attachmentColumns}`

/** Keeps the blurhash that the author's server gave. */
const coverUpdate = (id: string, url: string, { small, blurhash, meta }: ProcessedImage, key: string): Sql => sql`
  update media_attachments set preview_key = ${key}, file_size = ${small.data.length}, blurhash = coalesce(blurhash, ${blurhash}),
    meta = meta || ${JSON.stringify({ small: meta.small } satisfies MediaMeta)}::jsonb
  where id = ${id} and preview_key is null and preview_remote_url = ${url} returning ${attachmentColumns}`

/** Other servers send an animation as a video. Needs a transaction. */
export async function storeMeasured(
  tx: Context,
  id: string,
  remoteUrl: string,
  { meta, isAnimation }: { meta: MediaMeta; isAnimation: boolean },
): Promise<void> {
  const row = await tx.db.maybe<Pick<MediaAttachments, 'status_id'>>(sql`
    update media_attachments set probed_at = now(), type = case when ${isAnimation} and type = 'video' then 'gifv' else type end, meta = coalesce(meta, '{}') || ${JSON.stringify(meta)}::jsonb
    where id = ${id} and remote_url = ${remoteUrl} returning status_id`)
  if (row) await touchStatus(tx, row.status_id)
}

/** A new version of the row invalidates the cached JSON of the status. */
async function touchStatus(tx: Context, statusId: string | null): Promise<void> {
  await tx.db.run(sql`update statuses set fetched_at = now() where id = ${statusId}`)
}

const PROFILE_IMAGES = {
  avatar: {
    process: processAvatar,
    isMissing: sql`avatar_key is null`,
    url: sql`avatar_remote_url`,
    keys: sql`(avatar_key, avatar_static_key)`,
  },
  header: {
    process: processHeader,
    isMissing: sql`header_key is null`,
    url: sql`header_remote_url`,
    keys: sql`(header_key, header_static_key)`,
  },
}

/** Does nothing while an image is cached: a change of the remote URL empties the keys. */
async function cacheProfileImage(ctx: Context, accountId: string, kind: keyof typeof PROFILE_IMAGES): Promise<void> {
  const { process, isMissing, url, keys } = PROFILE_IMAGES[kind]
  const row = await ctx.db.maybe<{ domain: string; url: string }>(sql`
    select domain, ${url} as url from accounts where id = ${accountId} and domain is not null and ${url} is not null and ${isMissing}`)
  if (!row || !(await mayCacheMediaOf(ctx, row.domain, row.url))) return
  const { image, still } = await withDownload(ctx, row.url, PROFILE_IMAGE_SIZE_LIMIT, (path) =>
    withDecodedHeic(ctx, path, process),
  )
  const key = newFileKey(`cache/${kind}s`, accountId, 'original', image.extension)
  const stillKey = still && newFileKey(`cache/${kind}s`, accountId, 'static', still.extension)
  const files = [[key, image] as const, ...(still && stillKey ? [[stillKey, still] as const] : [])]
  const stored = await withStoredFiles(ctx, files, () =>
    ctx.db.run(
      sql`update accounts set ${keys} = (${key}::text, ${stillKey}::text) where id = ${accountId} and ${url} = ${row.url} and ${isMissing}`,
    ),
  )
  if (stored === 0) await ctx.deleteFiles(files.map(([name]) => name))
}

export type ProxiedSize = 'original' | 'small'
export type EmojiVariant = 'original' | 'static'

/** Ids can be guessed from the time of a post, signatures cannot: only viewers of the status know the address. */
export const proxyUrl = (ctx: Context, id: string, size: ProxiedSize): string =>
  `${ctx.config.baseUrl}/media_proxy/${id}/${size}?sig=${signatureOf(ctx, mediaProxyName(id))}`

/** `domain`: of the account that uses the emoji, whose media may be rejected. The image may be on another host. */
export function emojiProxyUrl(ctx: Context, url: string, domain: string, variant: EmojiVariant): string {
  const query = new URLSearchParams({ url, domain, sig: signatureOf(ctx, emojiProxyName(url, domain)) })
  return `${ctx.config.baseUrl}/media_proxy/emojis/${variant}?${query}`
}

export const mediaProxyName = (id: string): string => `media_proxy:${id}`
export const emojiProxyName = (url: string, domain: string): string => `emoji_proxy:${domain} ${url}`
