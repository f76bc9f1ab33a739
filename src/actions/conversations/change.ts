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

export async function addToConversations(
  tx: Context,
  statusIds: readonly string[],
  accountIds?: readonly string[],
): Promise<void> {
  publishChangedConversations(tx, await insertIntoConversations(tx, statusIds, accountIds))
}

export async function removeFromConversations(tx: Context, removed: RemovedStatuses): Promise<void> {
  publishChangedConversations(tx, await deleteFromConversations(tx, removed))
}

/** Throws NotFound. */
export const markConversation = (
  ctx: Context,
  accountId: string,
  id: string,
  { unread }: { unread: boolean },
): Promise<ConversationRow> =>
  ctx.transaction(async (tx) => {
    const conversation = await findConversation(tx, accountId, id)
    if (!conversation) throw new NotFound()
    if (await setUnread(tx, id, unread)) publishChangedConversations(tx, [{ id, account_id: accountId }])
    return { ...conversation, unread }
  })

export function publishChangedConversations(tx: Context, conversations: readonly ChangedConversation[]): void {
  tx.publish(
    ...conversations.map(({ id, account_id: accountId }) => ({ type: 'conversation.changed' as const, id, accountId })),
  )
}
