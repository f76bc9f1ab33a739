import { perServer, type Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'
import { newFileKey } from '../../files/store.ts'
import type { JobData } from '../../jobs/kinds.ts'
import type { Attachment, MediaMeta } from './attachments.ts'
import { isTemporary, keepsMediaOf, withDownload } from './download.ts'
import { withDecodedHeic } from './heic.ts'
import { processImage } from './image.ts'
import { IMAGE_SIZE_LIMIT, PROFILE_IMAGE_SIZE_LIMIT } from './limits.ts'
import { processAvatar, processHeader } from './profile-image.ts'
import { keyFor, storing } from './storing.ts'

export type RemoteMedium = Attachment & { domain: string | null; content_type: string | null; probed_at: Date | null }

/**
 * The job `media.cache`: keeps copies of the pictures of a remote status, or of an account's avatar and header. Does nothing for
 * what is kept already. Throws when another try later may go better.
 */
export async function cacheMedia(ctx: Context, { statusId, accountId }: JobData['media.cache']): Promise<void> {
  const work: Promise<unknown>[] = []
  if (statusId !== undefined) for (const medium of await mediaOf(ctx, statusId)) work.push(cacheMedium(ctx, medium))
  if (accountId !== undefined) work.push(cachePicture(ctx, accountId, 'avatar'), cachePicture(ctx, accountId, 'header'))
  const failures = (await Promise.allSettled(work)).flatMap((result) =>
    result.status === 'rejected' ? [result.reason as unknown] : [],
  )
  const temporary = failures.find(isTemporary)
  for (const failure of failures) ctx.log.debug({ err: failure, statusId, accountId }, 'media.cache-failed')
  if (temporary) throw temporary
}

/** A remote medium by id, or null; also where its owner is suspended. */
export async function findRemoteMedium(ctx: Context, id: string): Promise<RemoteMedium | null> {
  return ctx.db.maybe<RemoteMedium>(sql`
    select m.*, a.domain from media_attachments m join accounts a on a.id = m.account_id where m.id = ${id} and m.remote_url is not null and a.suspended_at is null`)
}

async function mediaOf(ctx: Context, statusId: string): Promise<RemoteMedium[]> {
  return ctx.db.many<RemoteMedium>(sql`
    select m.*, a.domain from media_attachments m join accounts a on a.id = m.account_id
    where m.status_id = ${statusId} and m.remote_url is not null and m.file_key is null and m.type = 'image' order by m.id`)
}

/** Whoever wants the same file while it is on its way waits for it. */
const underWay = perServer(() => new Map<string, Promise<Attachment | null>>())

/**
 * Fetches an image and keeps it, with its preview and blurhash. Null when media of its server are not kept.
 * Throws FetchError where it cannot be had, Invalid where it is no image.
 */
export function cacheMedium(ctx: Context, medium: RemoteMedium): Promise<Attachment | null> {
  const all = underWay(ctx)
  let fetching = all.get(medium.id)
  if (!fetching) {
    fetching = fetchMedium(ctx, medium).finally(() => all.delete(medium.id))
    all.set(medium.id, fetching)
  }
  return fetching
}

async function fetchMedium(ctx: Context, { id, domain, remote_url: url }: RemoteMedium): Promise<Attachment | null> {
  if (url === null || !(await keepsMediaOf(ctx, domain, url))) return null
  const image = await withDownload(ctx, url, IMAGE_SIZE_LIMIT, (path) => withDecodedHeic(ctx, path, processImage))
  const keys = { file: keyFor(id, 'original', image.original), preview: keyFor(id, 'small', image.small) }
  const files = [
    [keys.file, image.original],
    [keys.preview, image.small],
  ] as const
  const kept = await storing(ctx, files, () =>
    ctx.transaction(async (tx) => {
      const row = await tx.db.maybe<Attachment>(sql`
        update media_attachments set file_key = ${keys.file}, preview_key = ${keys.preview}, content_type = ${image.original.contentType},
          file_size = ${image.original.data.length}, blurhash = ${image.blurhash}, meta = meta || ${JSON.stringify(image.meta satisfies MediaMeta)}::jsonb
        where id = ${id} and file_key is null and remote_url = ${url} returning *`)
      // A new version of the row makes readers present it anew.
      if (row) await tx.db.run(sql`update statuses set fetched_at = now() where id = ${row.status_id}`)
      return row
    }),
  )
  if (kept) return kept
  // Another process was faster, or the medium went away meanwhile.
  await ctx.files.delete([keys.file, keys.preview])
  return ctx.db.maybe<Attachment>(sql`select * from media_attachments where id = ${id}`)
}

const PICTURES = {
  avatar: {
    process: processAvatar,
    missing: sql`avatar_key is null`,
    url: sql`avatar_remote_url`,
    keys: sql`(avatar_key, avatar_static_key)`,
  },
  header: {
    process: processHeader,
    missing: sql`header_key is null`,
    url: sql`header_remote_url`,
    keys: sql`(header_key, header_static_key)`,
  },
}

/** Keeps an account's avatar or header, unless it is kept already. Whoever learns of another address empties the keys. */
async function cachePicture(ctx: Context, accountId: string, kind: keyof typeof PICTURES): Promise<void> {
  const { process, missing, url, keys } = PICTURES[kind]
  const row = await ctx.db.maybe<{ domain: string; url: string }>(sql`
    select domain, ${url} as url from accounts where id = ${accountId} and domain is not null and ${url} is not null and ${missing}`)
  if (!row || !(await keepsMediaOf(ctx, row.domain, row.url))) return
  const { image, still } = await withDownload(ctx, row.url, PROFILE_IMAGE_SIZE_LIMIT, (path) =>
    withDecodedHeic(ctx, path, process),
  )
  const key = newFileKey(`${kind}s`, accountId, 'original', image.extension)
  const stillKey = still && newFileKey(`${kind}s`, accountId, 'static', still.extension)
  const files = [[key, image] as const, ...(still && stillKey ? [[stillKey, still] as const] : [])]
  const kept = await storing(ctx, files, () =>
    ctx.db.run(
      sql`update accounts set ${keys} = (${key}::text, ${stillKey}::text) where id = ${accountId} and ${url} = ${row.url} and ${missing}`,
    ),
  )
  if (kept === 0) await ctx.files.delete(files.map(([name]) => name))
}
