import { createHash } from 'node:crypto'
import { perServer, type Context } from '../../context.ts'
import type { RemoteEmojis } from '../../db/schema.ts'
import { sql } from '../../db/sql.ts'
import { newFileKey } from '../../files/store.ts'
import { sharedWork } from '../../lib/concurrency.ts'
import { mayCacheMediaOf, withDownload, withStoredFiles } from './files.ts'
import { processImage } from './image.ts'
import { EMOJI_SIZE_LIMIT } from './types.ts'

export type CachedEmoji = Pick<RemoteEmojis, 'image_key' | 'static_key'>

/** Clean-up deletes emojis that no client has requested for this long. */
const UNUSED_FOR = sql`interval '60 days'`

const digestOf = (url: string): Buffer => createHash('sha256').update(url).digest()

/** Simultaneous requests share one download. */
const inProgress = perServer(() => new Map<string, Promise<CachedEmoji>>())

/**
 * Downloads the emoji on first use, after `admit`. Null when the domain policy rejects media of its server, or of the account's.
 * Throws FetchError when the download fails, Invalid for a file that is not an image, and the errors of `admit`.
 */
export async function getRemoteEmoji(
  ctx: Context,
  { url, domain }: { url: string; domain: string },
  admit: () => Promise<void>,
): Promise<CachedEmoji | null> {
  if (!(await mayCacheMediaOf(ctx, domain, url))) return null
  const cached = await findCached(ctx, url)
  if (cached) return cached
  await admit()
  // An earlier download may have ended while this request was admitted: check once more.
  return sharedWork(inProgress(ctx), url, async () => (await findCached(ctx, url)) ?? fetchEmoji(ctx, url))
}

/** Records the use at most once a day. */
async function findCached(ctx: Context, url: string): Promise<CachedEmoji | null> {
  const digest = digestOf(url)
  const row = await ctx.db.maybe<CachedEmoji & { is_recorded: boolean }>(sql`
    select image_key, static_key, looked_at > now() - interval '1 day' as is_recorded from remote_emojis where digest = ${digest}`)
  if (row && !row.is_recorded)
    await ctx.db.run(sql`update remote_emojis set looked_at = now() where digest = ${digest}`)
  return row
}

async function fetchEmoji(ctx: Context, url: string): Promise<CachedEmoji> {
  const digest = digestOf(url)
  const { original, small } = await withDownload(ctx, url, EMOJI_SIZE_LIMIT, processImage)
  const keyFor = (variant: string, { extension }: { extension: string }): string =>
    newFileKey('cache/emojis', digest.toString('hex').slice(0, 32), variant, extension)
  const keys = { image_key: keyFor('original', original), static_key: keyFor('static', small) }
  const files = [[keys.image_key, original] as const, [keys.static_key, small] as const]
  const isFirst = await withStoredFiles(ctx, files, () =>
    ctx.db.run(sql`
      insert into remote_emojis (digest, image_key, static_key) values (${digest}, ${keys.image_key}, ${keys.static_key}) on conflict do nothing`),
  )
  if (isFirst) return keys
  // Another process was faster.
  await ctx.deleteFiles([keys.image_key, keys.static_key])
  return (await findCached(ctx, url)) ?? fetchEmoji(ctx, url)
}

export async function deleteUnusedEmojis(ctx: Context): Promise<void> {
  const deleted = await ctx.db.many<CachedEmoji>(
    sql`delete from remote_emojis where looked_at < now() - ${UNUSED_FOR} returning image_key, static_key`,
  )
  await ctx.deleteFiles(deleted.flatMap(({ image_key, static_key }) => [image_key, static_key]))
}
