import { createHash } from 'node:crypto'
import { perServer, type Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'
import { newFileKey } from '../../files/store.ts'
import { keepsMediaOf, withDownload } from './download.ts'
import { processImage } from './image.ts'
import { EMOJI_SIZE_LIMIT } from './limits.ts'
import { storing } from './storing.ts'

/** The files of a custom emoji of another server that is kept here. */
export type KeptEmoji = { image_key: string; static_key: string }

/** So long an emoji is kept at which nobody looks. */
const UNSEEN = sql`interval '60 days'`

const digestOf = (url: string): Buffer => createHash('sha256').update(url).digest()

/** Whoever wants the same emoji while it is on its way waits for it. */
const underWay = perServer(() => new Map<string, Promise<KeptEmoji>>())

/**
 * The emoji at an address of another server, kept here or fetched now; `admit` is asked before it is fetched. Null when media of
 * its server are not kept. Throws FetchError where it cannot be had, Invalid where it is no image, and what `admit` throws.
 */
export async function getRemoteEmoji(ctx: Context, url: string, admit: () => Promise<void>): Promise<KeptEmoji | null> {
  if (!(await keepsMediaOf(ctx, url))) return null
  const kept = await findKept(ctx, url)
  if (kept) return kept
  await admit()
  const all = underWay(ctx)
  let fetching = all.get(url)
  if (!fetching) {
    // An earlier fetch may have ended while this request was admitted: look once more before fetching.
    fetching = findKept(ctx, url)
      .then((found) => found ?? fetchEmoji(ctx, url))
      .finally(() => all.delete(url))
    all.set(url, fetching)
  }
  return fetching
}

/** That somebody looked is noted once a day. */
async function findKept(ctx: Context, url: string): Promise<KeptEmoji | null> {
  const digest = digestOf(url)
  const row = await ctx.db.maybe<KeptEmoji & { noted: boolean }>(sql`
    select image_key, static_key, looked_at > now() - interval '1 day' as noted from remote_emojis where digest = ${digest}`)
  if (row && !row.noted) await ctx.db.run(sql`update remote_emojis set looked_at = now() where digest = ${digest}`)
  return row
}

async function fetchEmoji(ctx: Context, url: string): Promise<KeptEmoji> {
  const digest = digestOf(url)
  const { original, small } = await withDownload(ctx, url, EMOJI_SIZE_LIMIT, processImage)
  const keyFor = (variant: string, { extension }: { extension: string }): string =>
    newFileKey('emojis', digest.toString('hex').slice(0, 32), variant, extension)
  const keys = { image_key: keyFor('original', original), static_key: keyFor('static', small) }
  const files = [[keys.image_key, original] as const, [keys.static_key, small] as const]
  const isFirst = await storing(ctx, files, () =>
    ctx.db.run(sql`
      insert into remote_emojis (digest, image_key, static_key) values (${digest}, ${keys.image_key}, ${keys.static_key}) on conflict do nothing`),
  )
  if (isFirst) return keys
  // Another process was faster.
  await ctx.files.delete([keys.image_key, keys.static_key])
  return (await findKept(ctx, url)) ?? fetchEmoji(ctx, url)
}

/** Removes the emojis of other servers that nobody looked at for long. */
export async function removeUnseenEmojis(ctx: Context): Promise<void> {
  const gone = await ctx.db.many<KeptEmoji>(
    sql`delete from remote_emojis where looked_at < now() - ${UNSEEN} returning image_key, static_key`,
  )
  await ctx.files.delete(gone.flatMap(({ image_key, static_key }) => [image_key, static_key]))
}
