import type { Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'
import { addToConversations, removeFromConversations } from '../../domain/conversations/conversations.ts'
import { notify, unnotify } from '../notifications/notify.ts'
import { findAudience, hasRemoteCopies } from '../../domain/statuses/audience.ts'
import { applyEdit, type Edited, type StatusChanges } from '../../domain/statuses/edit.ts'
import { tendToEdited } from './enrich.ts'
import { federate } from '../federate.ts'

/**
 * Edits a post, of this server or another: keeps the revision before, and in the same transaction tells those who are newly
 * mentioned, who boosted or quoted it, and other servers. Gives false, and does nothing, when nothing would change. Throws NotFound.
 */
export async function editStatus(ctx: Context, statusId: string, changes: StatusChanges): Promise<boolean> {
  const replaced: string[] = []
  const changed = await ctx.transaction(async (tx) => {
    replaced.length = 0
    const edited = await applyEdit(tx, statusId, changes)
    if (!edited) return false
    replaced.push(...edited.replaced)
    await tendToEdited(tx, statusId)
    await tellOfEdit(tx, statusId, edited)
    return true
  })
  if (replaced.length > 0) await ctx.files.delete(replaced)
  return changed
}

async function tellOfEdit(tx: Context, statusId: string, edited: Edited): Promise<void> {
  if (edited.unapproved) return
  if (edited.revised) {
    const about = { fromAccountId: edited.accountId, statusId }
    if (edited.unmentioned.length > 0) await unnotify(tx, { type: 'mention', ...about, to: edited.unmentioned })
    if (edited.mentioned.length > 0) await notify(tx, { type: 'mention', ...about, to: edited.mentioned })
    if (edited.unmentioned.length > 0)
      await removeFromConversations(tx, sql`select ${statusId}::bigint`, edited.unmentioned)
    if (edited.mentioned.length > 0) await addToConversations(tx, [statusId], edited.mentioned)
    await notify(tx, { type: 'update', ...about, to: 'boosters' })
    await notify(tx, { type: 'quoted_update', ...about, to: 'quoters' })
  }
  if (edited.local && ((await findAudience(tx, statusId)).remote || (await hasRemoteCopies(tx, statusId))))
    await federate(tx, { activity: edited.revised ? 'update' : 'refresh', statusId })
  tx.publish({ type: 'status.edited', id: statusId, unmentioned: edited.unmentioned })
}
