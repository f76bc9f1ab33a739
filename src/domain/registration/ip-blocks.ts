import { type Context, perServer } from '../../context.ts'
import { refuseDuplicate } from '../../db/database.ts'
import { type Pagination, newestFirst, onPage } from '../../db/page.ts'
import type { IpBlocks } from '../../db/schema.ts'
import { sql } from '../../db/sql.ts'
import { invalidFieldWithDetails, NotFound } from '../../lib/errors.ts'
import { plainAddress, plainRange, rangeMatcher } from '../../net/ranges.ts'

/** From the mildest to the most severe. */
export const IP_BLOCK_SEVERITIES = [
  'sign_up_requires_approval',
  'sign_up_block',
  'no_access',
] as const satisfies readonly IpBlocks['severity'][]
export type IpBlockSeverity = (typeof IP_BLOCK_SEVERITIES)[number]

/** `ip`: a range such as `192.0.2.0/24`. */
export type IpBlock = Pick<IpBlocks, 'id' | 'ip' | 'severity' | 'comment' | 'created_at' | 'expires_at'>

/** `expiresIn`: seconds from now; null for a block without an end. Absent members stay as they are. */
export type IpBlockChanges = {
  ip?: string
  severity?: IpBlockSeverity
  comment?: string
  expiresIn?: number | null
}

export const MAX_IP_BLOCK_COMMENT = 1000
/** Seconds that a block may last. */
export const MAX_IP_BLOCK_DURATION = 10 * 365 * 86_400
const isInForce = sql`(expires_at is null or expires_at > now())`
const columns = sql`id, ip, severity, comment, created_at, expires_at`

export async function listIpBlocks(ctx: Context, page: Pagination): Promise<IpBlock[]> {
  const rows = await ctx.db.many<IpBlock>(sql`select ${columns} from ip_blocks where ${onPage(sql`id`, page)}`)
  return newestFirst(rows, page)
}

/** Throws NotFound. */
export async function getIpBlock(ctx: Context, id: string): Promise<IpBlock> {
  const block = await ctx.db.maybe<IpBlock>(sql`select ${columns} from ip_blocks where id = ${id}`)
  if (!block) throw new NotFound()
  return block
}

/**
 * The ids of the blocks of exactly these ranges, in the form of `plainRange`; `covering`: also of ranges that contain them. One
 * entry for each range.
 */
export const findIpBlocks = (
  ctx: Context,
  ranges: readonly string[],
  { covering = false }: { covering?: boolean } = {},
): Promise<{ range: string; ids: string[] }[]> =>
  ctx.db.many(sql`
    select range, array(select id::text from ip_blocks where ip ${covering ? sql`>>=` : sql`=`} range::cidr order by id) as ids
    from unnest(${ranges}::text[]) with ordinality as wanted (range, place) order by place`)

/** The blocks that refuse every request now. */
export const listNoAccessRanges = (ctx: Context): Promise<Pick<IpBlock, 'ip' | 'expires_at'>[]> =>
  ctx.db.many<Pick<IpBlock, 'ip' | 'expires_at'>>(sql`
    select ip, expires_at from ip_blocks
    where severity = 'no_access' and ${isInForce} order by ip`)

/** Throws Invalid, also for a range that has a block. */
export async function insertIpBlock(
  tx: Context,
  { ip, severity, comment = '', expiresIn = null }: IpBlockChanges & { ip: string; severity: IpBlockSeverity },
): Promise<IpBlock> {
  const values = { ip: checkRange(ip), comment: checkComment(comment) }
  return refuseDuplicate('ip', () =>
    tx.db.one<IpBlock>(sql`
      insert into ip_blocks (ip, severity, comment, expires_at)
      values (${values.ip}::cidr, ${severity}, ${values.comment}, now() + ${expiresIn}::int * interval '1 second')
      returning ${columns}`),
  )
}

/** Throws NotFound and Invalid. */
export async function updateIpBlock(tx: Context, id: string, changes: IpBlockChanges): Promise<IpBlock> {
  const { severity = null, expiresIn } = changes
  const ip = changes.ip === undefined ? null : checkRange(changes.ip)
  const comment = changes.comment === undefined ? null : checkComment(changes.comment)
  const row = await refuseDuplicate('ip', () =>
    tx.db.maybe<IpBlock>(sql`
      update ip_blocks set ip = coalesce(${ip}::cidr, ip), severity = coalesce(${severity}, severity),
        comment = coalesce(${comment}, comment), updated_at = now(),
        expires_at = case when ${expiresIn !== undefined} then now() + ${expiresIn ?? null}::int * interval '1 second' else expires_at end
      where id = ${id} returning ${columns}`),
  )
  if (!row) throw new NotFound()
  return row
}

/** Returns those that existed. */
export const deleteIpBlocks = (tx: Context, ids: readonly string[]): Promise<IpBlock[]> =>
  tx.db.many<IpBlock>(sql`delete from ip_blocks where id = any(${ids}::bigint[]) returning ${columns}`)

function checkRange(text: string): string {
  const range = plainRange(text)
  if (range === null) throw invalidFieldWithDetails('ip', 'invalid')
  return range
}

function checkComment(text: string): string {
  const comment = text.trim()
  if ([...comment].length > MAX_IP_BLOCK_COMMENT)
    throw invalidFieldWithDetails('comment', 'too_long', { count: MAX_IP_BLOCK_COMMENT })
  return comment
}

/** The most severe of the blocks that hold for an address now; null for none. */
export async function findIpSeverity(ctx: Context, ip: string): Promise<IpBlockSeverity | null> {
  const address = plainAddress(ip)
  if (address === null) return null
  const rows = await ctx.db.many<{ severity: IpBlockSeverity }>(sql`
    select distinct severity from ip_blocks where ip >>= ${address}::inet and ${isInForce}`)
  return IP_BLOCK_SEVERITIES.findLast((severity) => rows.some((row) => row.severity === severity)) ?? null
}

/** Whether a block refuses sign-ups from the address. */
export async function refusesSignUps(ctx: Context, ip: string): Promise<boolean> {
  const severity = await findIpSeverity(ctx, ip)
  return severity === 'sign_up_block' || severity === 'no_access'
}

const MIN_CACHE_MS = 50
/** Milliseconds after which reading is tried again while the database does not answer. */
const RETRY_MS = 5000

type Cache = {
  isBlocked: ((address: string) => boolean) | null
  /** Unix time in ms: of the first end of a block; 0 when they have to be read. */
  until: number
  reading: Promise<void> | null
  /** Whether blocks changed while they were being read. */
  isOutdated: boolean
}

const caches = perServer((ctx) => {
  const cache: Cache = { isBlocked: null, until: 0, reading: null, isOutdated: false }
  ctx.changes.on('ip-block', () => {
    cache.until = 0
    cache.isOutdated = true
  })
  return cache
})

/** Whether a block refuses every request from the address. A promise, which never rejects, only when rows have to be read. */
export function hasNoAccess(ctx: Context, ip: string): boolean | Promise<boolean> {
  const cache = caches(ctx)
  return Date.now() < cache.until ? isIn(cache, ip) : readAndCheck(ctx, cache, ip)
}

async function readAndCheck(ctx: Context, cache: Cache, ip: string): Promise<boolean> {
  // Another request may have begun the first read before the last change.
  for (let reads = 0; reads < 2 && Date.now() >= cache.until; reads++) await (cache.reading ??= read(ctx, cache))
  return isIn(cache, ip)
}

function isIn({ isBlocked }: Cache, ip: string): boolean {
  if (isBlocked === null) return false
  const address = plainAddress(ip)
  return address !== null && isBlocked(address)
}

async function read(ctx: Context, cache: Cache): Promise<void> {
  cache.isOutdated = false
  try {
    const rows = await listNoAccessRanges(ctx)
    cache.isBlocked = rows.length === 0 ? null : rangeMatcher(rows.map(({ ip }) => ip))
    const ends = rows.flatMap(({ expires_at: end }) => (end === null ? [] : [end.getTime()]))
    // The clock of the database may be behind: then blocks have ended that it still returns.
    cache.until = cache.isOutdated ? 0 : Math.max(Date.now() + MIN_CACHE_MS, Math.min(...ends))
  } catch (error) {
    // The ranges that are known stay in force. Everything else that needs the database reports the failure.
    ctx.log.warn({ err: error }, 'ip-blocks.read-failed')
    cache.until = Date.now() + RETRY_MS
  } finally {
    cache.reading = null
  }
}
