// Copies of remote files: how many bytes they take, and which are evicted to make room. Their keys begin with `cache/`.
import { stat } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { perServer, type Context } from '../../context.ts'
import type { CachedFiles } from '../../db/schema.ts'
import { sql, type Sql } from '../../db/sql.ts'
import { type FileStore, partsOfKey } from '../../files/store.ts'
import { Unavailable } from '../../lib/errors.ts'
import { message } from '../../messages/message.ts'
import { getSettings } from '../server/settings.ts'
import { unlinkFiles } from './unlink.ts'

const CACHE = 'cache/'

/** Files younger than this are not evicted, as their rows may not be written yet. */
const MIN_AGE = sql`interval '10 seconds'`
/** A process that was interrupted while it evicted files leaves them to others after this time. */
const EVICTION_TIMEOUT = sql`interval '10 minutes'`
/** Files that one step chooses, the least recently used. All files of their owners are evicted along with them. */
const EVICTED_AT_ONCE = 200
/** Files that a check for missing ones reads with one statement. */
const CHECKED_AT_ONCE = 1000
/** Rounds of making room before a file is refused, and milliseconds between them while another process makes room. */
const MAX_ROUNDS = 40
const WAIT_MS = 50
/** Milliseconds after the first use until all are stored. */
const STORE_USES_AFTER_MS = 60_000

export type CacheUsage = { bytes: number; files: number; budget: number | null }

export async function cacheUsage(ctx: Context): Promise<CacheUsage> {
  const { media_cache_max_bytes: budget } = await getSettings(ctx)
  const { bytes } = await ctx.db.one<{ bytes: string }>(sql`select bytes from media_cache`)
  const { files } = await ctx.db.one<{ files: number }>(sql`select count(*)::int as files from cached_files`)
  return { bytes: Number(bytes), files, budget }
}

/** The owner of a file: `media/1234` for `cache/media/3f/a0/1234/original/9c…e1.webp`. */
function ownerOf(key: string): string {
  const { area, id } = partsOfKey(key)
  return `${area}/${id}`
}

/** Owners whose files were used since `storeUses` last ran. */
const uses = perServer(() => ({ owners: new Set<string>(), timer: null as NodeJS.Timeout | null }))

function recordUse(ctx: Context, key: string): void {
  const state = uses(ctx)
  state.owners.add(ownerOf(key))
  state.timer ??= setTimeout(() => {
    storeUses(ctx).catch((error: unknown) => ctx.log.debug({ err: error }, 'media-cache.uses-lost'))
  }, STORE_USES_AFTER_MS).unref()
}

/** Stores the time at which files were last used, to the hour. */
export async function storeUses(ctx: Context): Promise<void> {
  const state = uses(ctx)
  const owners = [...state.owners]
  state.owners.clear()
  if (state.timer) clearTimeout(state.timer)
  state.timer = null
  if (owners.length > 0)
    await ctx.db.run(
      sql`update cached_files set used_at = now() where owner = any(${owners}::text[]) and used_at < now() - interval '1 hour'`,
    )
}

/** Counts the copies of remote files in a store, and refuses one that does not fit even after others were evicted. */
export function budgetedStore(store: FileStore, ctxOf: () => Context): FileStore {
  return {
    ...store,
    async put(key, source, contentType) {
      if (!key.startsWith(CACHE)) return store.put(key, source, contentType)
      const bytes = typeof source === 'string' ? (await stat(source)).size : source.length
      // Before the file takes room on the disk.
      await reserve(ctxOf(), key, bytes)
      try {
        await store.put(key, source, contentType)
      } catch (error) {
        await release(ctxOf(), [key])
        throw error
      }
    },
    async delete(keys) {
      await store.delete(keys)
      const counted = keys.filter((key) => key.startsWith(CACHE))
      if (counted.length > 0) await release(ctxOf(), counted)
    },
    async open(key) {
      const file = await store.open(key)
      if (file && key.startsWith(CACHE)) recordUse(ctxOf(), key)
      return file
    },
  }
}

/** Throws Unavailable when there is no room. Simultaneous calls wait for each other at the row of the sum. */
async function reserve(ctx: Context, key: string, bytes: number): Promise<void> {
  const { media_cache_max_bytes: budget } = await getSettings(ctx)
  const add = (): Promise<number> =>
    ctx.db.run(sql`
      with room as (
        update media_cache set bytes = bytes + ${bytes}::bigint
        where ${budget}::bigint is null or bytes + ${bytes}::bigint <= ${budget}::bigint returning bytes
      )
      insert into cached_files (key, owner, bytes) select ${key}, ${ownerOf(key)}, ${bytes}::bigint from room`)
  for (let round = 0; round < MAX_ROUNDS && (budget === null || bytes <= budget); round++) {
    if ((await add()) > 0) return
    // Another process may be making room.
    if (!(await makeRoom(ctx, bytes))) await sleep(WAIT_MS)
  }
  ctx.log.info({ key, bytes, budget }, 'media-cache.full')
  throw new Unavailable(message('media_cache_full'))
}

const release = (ctx: Context, keys: readonly string[]): Promise<number> =>
  ctx.db.run(sql`
    with gone as (delete from cached_files where key = any(${keys}::text[]) returning bytes)
    update media_cache set bytes = bytes - (select sum(bytes) from gone) where exists (select from gone)`)

/** Unlinks the counted files that are not in the store, as after a restore without them. Returns how many. */
export async function unlinkMissing(ctx: Context): Promise<number> {
  let unlinked = 0
  for (let after = ''; ;) {
    const rows = await ctx.db.many<Pick<CachedFiles, 'key'>>(
      sql`select key from cached_files where key > ${after} order by key limit ${CHECKED_AT_ONCE}`,
    )
    const missing: string[] = []
    for (const { key } of rows) if (!(await ctx.files.open(key))) missing.push(key)
    if (missing.length > 0) {
      await unlinkFiles(ctx, missing)
      await release(ctx, missing)
      unlinked += missing.length
    }
    if (rows.length < CHECKED_AT_ONCE) return unlinked
    after = rows.at(-1)?.key ?? after
  }
}

/** Evicts the least recently used files, so that `bytes` more fit. One step may not be enough. Returns how many. */
export async function makeRoom(ctx: Context, bytes: number): Promise<number> {
  const { media_cache_max_bytes: budget } = await getSettings(ctx)
  if (budget === null) return 0
  const { missing } = await ctx.db.one<{ missing: string }>(
    sql`select bytes + ${bytes}::bigint - ${budget}::bigint as missing from media_cache`,
  )
  if (BigInt(missing) <= 0n) return 0
  // A little more, so that not every file has to make room.
  return evict(ctx, sql`true`, String(BigInt(missing) + BigInt(Math.floor(budget / 100))))
}

const isUnused = (days: number): Sql => sql`used_at < now() - make_interval(days => ${days}::int)`

/** Evicts the next files that were not used for so many days. Returns how many. */
export const evictUnusedFiles = (ctx: Context, days: number): Promise<number> => evict(ctx, isUnused(days), null)

/** `bytes`: as many files as make so much room; null: a whole chunk. */
async function evict(ctx: Context, condition: Sql, bytes: string | null): Promise<number> {
  // No lock is held while other rows are changed: the deletion of a status waits for the release of its files.
  const files = await ctx.db.many<Pick<CachedFiles, 'key'>>(sql`
    with oldest as (
      select key, owner, bytes, used_at from cached_files
      where ${condition} and used_at < now() - ${MIN_AGE} and (evicting_since is null or evicting_since < now() - ${EVICTION_TIMEOUT})
      order by used_at limit ${EVICTED_AT_ONCE} for update skip locked
    ), summed as (select owner, sum(bytes) over (order by used_at, key) - bytes as before from oldest)
    update cached_files set evicting_since = now()
    where owner in (select owner from summed where ${bytes}::bigint is null or before < ${bytes}::bigint) returning key`)
  if (files.length === 0) return 0
  const keys = files.map(({ key }) => key)
  await unlinkFiles(ctx, keys)
  await ctx.files.delete(keys)
  return keys.length
}

/** A condition on copies: of media in a post that a local account has favourited, bookmarked, boosted, answered or quoted. */
const isOfInteracted: Sql = sql`exists (
  select from media_attachments m where m.id = case when owner like 'media/%' then split_part(owner, '/', 2)::bigint end and (
    exists (select from favourites f join accounts a on a.id = f.account_id where f.status_id = m.status_id and a.domain is null)
    or exists (select from bookmarks b where b.status_id = m.status_id)
    or exists (select from statuses s where s.reblog_of_id = m.status_id and s.local)
    or exists (select from statuses s where s.in_reply_to_id = m.status_id and s.local)
    or exists (select from quotes q join statuses s on s.id = q.status_id where q.quoted_status_id = m.status_id and s.local)))`

/** Copies in posts with which local accounts interacted count as used today, so that they are not evicted soon. */
export async function renewInteracted(ctx: Context, days: number): Promise<void> {
  await ctx.db.run(sql`update cached_files set used_at = now() where ${isUnused(days)} and ${isOfInteracted}`)
}

/** Counts the copies that were not used for so many days. `keepInteracted`: without those that `renewInteracted` renews. */
export const countUnusedFiles = async (
  ctx: Context,
  days: number,
  { keepInteracted }: { keepInteracted: boolean },
): Promise<{ files: number; bytes: number }> =>
  ctx.db.one(sql`
    select count(*)::int as files, coalesce(sum(bytes), 0)::float8 as bytes from cached_files
    where ${isUnused(days)} and not (${keepInteracted} and ${isOfInteracted})`)

/** `local`: uploads, whose thumbnails are not counted. `remote`: copies. The largest first. */
export const usageByArea = (
  ctx: Context,
): Promise<{ where: 'local' | 'remote'; area: string; files: number; bytes: number }[]> =>
  ctx.db.many(sql`
    select 'remote' as where, split_part(owner, '/', 1) as area, count(*)::int as files, sum(bytes)::float8 as bytes
    from cached_files group by 2
    union all
    select 'local', 'media', count(*)::int, coalesce(sum(file_size), 0)::float8 from media_attachments
    where remote_url is null and file_key is not null
    union all
    select 'local', 'archives', count(*)::int, coalesce(sum(file_size), 0)::float8 from archives where file_key is not null
    order by bytes desc`)
