import { LRUCache } from 'lru-cache'
import { perServer, type Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'
import { storableIp } from '../../lib/ip.ts'

const HOUR = 3_600_000

/** Whom this process has noted within the last hour. */
const noted = perServer(() => new LRUCache<string, true>({ max: 50_000, ttl: HOUR }))

/**
 * Notes that somebody is here today: what active users are counted from. At most once an hour per person and process, and
 * nobody waits for it.
 */
export function recordActivity(ctx: Context, { userId }: { userId: string }): void {
  if (noted(ctx).has(userId)) return
  noted(ctx).set(userId, true)
  note(ctx, userId).catch((error: unknown) => {
    noted(ctx).delete(userId)
    ctx.log.warn({ err: error, userId }, 'could not note that somebody is here')
  })
}

async function note(ctx: Context, userId: string): Promise<void> {
  await ctx.db.run(sql`
    with seen as (update users set last_active_at = now() where id = ${userId} returning id)
    insert into user_active_days (day, user_id) select (now() at time zone 'utc')::date, id from seen on conflict do nothing`)
}

/** Which tokens this process has noted as used within the last hour. */
const used = perServer(() => new LRUCache<string, true>({ max: 50_000, ttl: HOUR }))

/** Notes that a token is in use, for the page on which people look after their applications. As seldom as recordActivity. */
export function recordTokenUse(ctx: Context, tokenId: string, ip: string): void {
  if (used(ctx).has(tokenId)) return
  used(ctx).set(tokenId, true)
  ctx.db
    .run(
      sql`update oauth_tokens set last_used_at = now(), last_used_ip = ${storableIp(ip)}::inet where id = ${tokenId}`,
    )
    .catch((error: unknown) => {
      used(ctx).delete(tokenId)
      ctx.log.warn({ err: error, tokenId }, 'could not note that a token is in use')
    })
}
