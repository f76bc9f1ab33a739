import type { Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'
import { removeFromHome } from '../timelines/fan-out.ts'
import { forgetConversations } from '../../domain/relationships/conversations.ts'
import { forgetNotifications } from '../../domain/relationships/notifications.ts'
import { lockPair } from '../../domain/relationships/relationship.ts'

export type Mute = {
  accountId: string
  targetAccountId: string
  /** Whether notifications are muted too; so unless told. */
  notifications?: boolean
  /** Seconds until it ends by itself; 0 or absent: never. */
  duration?: number
}

/** Mutes an account, or changes how. Muting oneself does nothing. Whoever is muted is not told. */
export async function mute(ctx: Context, wish: Mute): Promise<void> {
  const { accountId, targetAccountId, notifications = true, duration = 0 } = wish
  if (accountId === targetAccountId) return
  const expiresAt = duration > 0 ? new Date(Date.now() + duration * 1000) : null
  await ctx.transaction(async (tx) => {
    await lockPair(tx, accountId, targetAccountId)
    await tx.db.run(sql`
      insert into mutes (account_id, target_account_id, hide_notifications, expires_at)
      values (${accountId}, ${targetAccountId}, ${notifications}, ${expiresAt})
      on conflict (account_id, target_account_id) do update set hide_notifications = excluded.hide_notifications, expires_at = excluded.expires_at`)
    await removeFromHome(tx, accountId, targetAccountId)
    if (notifications) {
      await forgetNotifications(tx, accountId, [targetAccountId])
      await forgetConversations(tx, accountId, targetAccountId)
    }
    // The mute itself ends by the clock; what it kept out of the home timeline is put back then.
    if (expiresAt) await tx.enqueue('fanout.merge', { accountId, targetAccountId }, { delay: duration + 1 })
  })
}

/** Ends a mute; whoever is followed is at home again. */
export async function unmute(ctx: Context, tie: { accountId: string; targetAccountId: string }): Promise<void> {
  const { accountId, targetAccountId } = tie
  await ctx.transaction(async (tx) => {
    await lockPair(tx, accountId, targetAccountId)
    const gone = await tx.db.run(
      sql`delete from mutes where account_id = ${accountId} and target_account_id = ${targetAccountId}`,
    )
    const follows =
      gone > 0 &&
      (await tx.db.maybe(
        sql`select id from follows where account_id = ${accountId} and target_account_id = ${targetAccountId}`,
      ))
    if (follows) await tx.enqueue('fanout.merge', { accountId, targetAccountId })
  })
}

/** Removes mutes that have run out. They have not acted since; this only tidies up. */
export async function deleteExpiredMutes(ctx: Context): Promise<void> {
  await ctx.db.run(sql`delete from mutes where expires_at < now()`)
}
