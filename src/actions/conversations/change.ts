import type { Context } from '../../context.ts'
import {
  deleteFromConversations,
  findConversation,
  insertIntoConversations,
  setUnread,
  type ChangedConversation,
  type ConversationRow,
  type RemovedStatuses,
} from '../../domain/conversations/conversations.ts'
import { NotFound } from '../../lib/errors.ts'

/** Adds direct statuses to conversations, as insertIntoConversations describes. */
export async function addToConversations(
  tx: Context,
  statusIds: readonly string[],
  accountIds?: readonly string[],
): Promise<void> {
  publishChanged(tx, await insertIntoConversations(tx, statusIds, accountIds))
}

/** Removes direct statuses from conversations, as deleteFromConversations describes. */
export async function removeFromConversations(tx: Context, removed: RemovedStatuses): Promise<void> {
  publishChanged(tx, await deleteFromConversations(tx, removed))
}

/** Marks a conversation of an account as read or unread. Throws NotFound. */
export const markConversation = (
  ctx: Context,
  accountId: string,
  id: string,
  unread: boolean,
): Promise<ConversationRow> =>
  ctx.transaction(async (tx) => {
    const conversation = await findConversation(tx, accountId, id)
    if (!conversation) throw new NotFound()
    if (await setUnread(tx, id, unread)) publishChanged(tx, [{ id, account_id: accountId }])
    return { ...conversation, unread }
  })

/** Streams conversations to their accounts. */
export function publishChanged(tx: Context, conversations: readonly ChangedConversation[]): void {
  tx.publish(
    ...conversations.map(({ id, account_id: accountId }) => ({ type: 'conversation.changed' as const, id, accountId })),
  )
}
