import { perServer, type Context } from '../../context.ts'
import { sql, today } from '../../db/sql.ts'
import { lruCache } from '../../lib/lru-cache.ts'
import { storableIp } from './users.ts'

const HOUR = 3_600_000

const recordedUsers = perServer(() => lruCache<string, true>({ max: 50_000, ttl: HOUR }))

/** Records that a user was active: at most once an hour per process, in the background. */
export function recordActivity(ctx: Context, { userId }: { userId: string }): void {
  if (recordedUsers(ctx).has(userId)) return
  recordedUsers(ctx).set(userId, true)
  insertActiveDay(ctx, userId).catch((error: unknown) => {
    recordedUsers(ctx).delete(userId)
    ctx.log.warn({ err: error, userId }, 'user-activity.record-failed')
  })
}

async function insertActiveDay(ctx: Context, userId: string): Promise<void> {
  await ctx.db.run(sql`
    with seen as (update users set last_active_at = now() where id = ${userId} returning id)
    insert into user_active_days (day, user_id) select ${today}, id from seen on conflict do nothing`)
}

const recordedTokens = perServer(() => lruCache<string, true>({ max: 50_000, ttl: HOUR }))

/** Records the last use, for the page of authorised applications. As rarely as `recordActivity`. */
export function recordTokenUse(ctx: Context, tokenId: string, ip: string): void {
  if (recordedTokens(ctx).has(tokenId)) return
  recordedTokens(ctx).set(tokenId, true)
  ctx.db
    .run(
      sql`update oauth_tokens set last_used_at = now(), last_used_ip = ${storableIp(ip)}::inet where id = ${tokenId}`,
    )
    .catch((error: unknown) => {
      recordedTokens(ctx).delete(tokenId)
      ctx.log.warn({ err: error, tokenId }, 'token-use.record-failed')
    })
}
