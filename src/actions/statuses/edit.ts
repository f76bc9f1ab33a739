import type { Context } from '../../context.ts'
import { deleteNotificationsOfEvent } from '../../domain/notifications/create.ts'
import { recordStatusEvent } from '../../domain/fasp/sharing.ts'
import { concernsRemote, hasRemoteCopies } from '../../domain/statuses/audience.ts'
import { applyEdit, type Edited, type StatusChanges } from '../../domain/statuses/edit.ts'
import { addToConversations, removeFromConversations } from '../conversations/change.ts'
import { federate } from '../federate.ts'
import { notify } from '../notifications/notify.ts'
import { triggerWebhooks } from '../server/webhooks.ts'
import { enrichEditedStatus } from './enrich.ts'
import { resolveMentionsLater } from './late-mentions.ts'

/**
 * Stores the previous revision. In the same transaction notifies accounts that are newly mentioned, or that reblogged or
 * quoted the status, and sends the edit to other servers. Returns false when nothing changes. Throws NotFound.
 */
export async function editStatus(ctx: Context, statusId: string, changes: StatusChanges): Promise<boolean> {
  const edited = await ctx.transaction(async (tx) => {
    const applied = await applyEdit(tx, statusId, changes)
    if (!applied) return null
    const { pollEnd } = applied
    if (pollEnd) await tx.enqueue('polls.close', { pollId: pollEnd.pollId }, { at: pollEnd.at })
    await enrichEditedStatus(tx, statusId)
    if (changes.hasUnresolved) await resolveMentionsLater(tx, { statusId, accountId: applied.accountId, attempt: 0 })
    if (!applied.unapproved) await spreadEdit(tx, statusId, applied)
    return applied
  })
  if (edited) await ctx.deleteFiles(edited.replacedFiles)
  return edited !== null
}

async function spreadEdit(tx: Context, statusId: string, edited: Edited): Promise<void> {
  const { mentioned, unmentioned } = edited
  if (edited.revised) {
    const event = { fromAccountId: edited.accountId, statusId }
    if (unmentioned.length > 0) {
      await deleteNotificationsOfEvent(tx, { type: 'mention', ...event, to: unmentioned })
      await removeFromConversations(tx, { statusIds: [statusId], accountIds: unmentioned })
    }
    if (mentioned.length > 0) {
      await notify(tx, { type: 'mention', ...event, to: mentioned })
      await addToConversations(tx, [statusId], mentioned)
    }
    await notify(tx, { type: 'update', ...event, to: 'rebloggers' })
    await notify(tx, { type: 'quoted_update', ...event, to: 'quoters' })
  }
  if (edited.local && ((await concernsRemote(tx, statusId)) || (await hasRemoteCopies(tx, statusId))))
    await federate(tx, { activity: edited.revised ? 'update' : 'refresh', statusId })
  if (edited.local && edited.revised) await triggerWebhooks(tx, 'status.updated', statusId)
  if (edited.revised) await recordStatusEvent(tx, 'update', [statusId])
  tx.publish({ type: 'status.edited', id: statusId, unmentioned })
}
