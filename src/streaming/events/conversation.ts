import { findConversation } from '../../domain/conversations/conversations.ts'
import { presentConversations } from '../../entities/conversation.ts'
import type { EventSource } from './event.ts'

/** A conversation has a new post, lost its last one, or was read elsewhere. */
export const conversationChanged: EventSource<'conversation.changed'> = async (ctx, hub, { id, accountId }) => {
  const to = hub.at('direct', accountId)
  if (to.length === 0) return []
  const row = await findConversation(ctx, accountId, id)
  const [conversation] = row ? await presentConversations(ctx, { accountId }, [row]) : []
  return conversation ? [{ to, event: 'conversation', payload: conversation.toString() }] : []
}
