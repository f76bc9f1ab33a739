import type { Context } from '../../context.ts'
import { getActive, lockAnnouncement } from '../../domain/announcements/announcements.ts'
import { deleteReaction, insertReaction } from '../../domain/announcements/reactions.ts'

/**
 * `text`: an emoji, or the shortcode of a local custom emoji. Throws NotFound; Invalid for other text, a repeated reaction, and a
 * further emoji beyond the limit.
 */
export const reactTo = (ctx: Context, id: string, accountId: string, text: string): Promise<void> =>
  ctx.transaction(async (tx) => {
    await getActive(tx, id)
    // So that simultaneous reactions cannot pass the limit.
    await lockAnnouncement(tx, id)
    const name = await insertReaction(tx, id, accountId, text)
    tx.publish({ type: 'announcement.reaction', id, name })
  })

/** Throws NotFound; Invalid for text that is no emoji. May run twice. */
export const removeReaction = (ctx: Context, id: string, accountId: string, text: string): Promise<void> =>
  ctx.transaction(async (tx) => {
    await getActive(tx, id)
    const name = await deleteReaction(tx, id, accountId, text)
    if (name !== null) tx.publish({ type: 'announcement.reaction', id, name })
  })
