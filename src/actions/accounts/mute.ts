import type { Context } from '../../context.ts'
import { removeConversationsWith } from '../../domain/conversations/conversations.ts'
import { deleteNotificationsFrom } from '../../domain/notifications/list.ts'
import { deleteMute, upsertMute } from '../../domain/relationships/blocks.ts'
import { isFollowing } from '../../domain/relationships/follows.ts'
import { lockRelationship } from '../../domain/relationships/locks.ts'
import { removeFromHome } from '../timelines/fan-out.ts'

type Mute = {
  accountId: string
  targetAccountId: string
  /** Also mutes notifications. Default: true. */
  notifications?: boolean
  /** Seconds until the mute expires; 0 or absent: never. */
  duration?: number
}

/** Also changes an existing mute. Does nothing for oneself. */
export async function mute(ctx: Context, form: Mute): Promise<void> {
  const { accountId, targetAccountId, notifications = true, duration = 0 } = form
  if (accountId === targetAccountId) return
  const expiresAt = duration > 0 ? new Date(Date.now() + duration * 1000) : null
  await ctx.transaction(async (tx) => {
    await lockRelationship(tx, accountId, targetAccountId)
    await upsertMute(tx, { accountId, targetAccountId, notifications, expiresAt })
    await removeFromHome(tx, accountId, targetAccountId)
    if (notifications) {
      await deleteNotificationsFrom(tx, accountId, [targetAccountId])
      await removeConversationsWith(tx, accountId, targetAccountId)
    }
    // No job ends the mute when it expires. This one restores the home timeline afterwards.
    if (expiresAt) await tx.enqueue('fanout.merge', { accountId, targetAccountId }, { delay: duration + 1 })
  })
}

export async function unmute(
  ctx: Context,
  { accountId, targetAccountId }: { accountId: string; targetAccountId: string },
): Promise<void> {
  await ctx.transaction(async (tx) => {
    await lockRelationship(tx, accountId, targetAccountId)
    const deleted = await deleteMute(tx, accountId, targetAccountId)
    if (deleted && (await isFollowing(tx, accountId, targetAccountId)))
      await tx.enqueue('fanout.merge', { accountId, targetAccountId })
  })
}
