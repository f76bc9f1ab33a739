import Type from 'typebox'
import { markConversation } from '../actions/conversations/change.ts'
import { deleteConversation, listConversations } from '../domain/conversations/conversations.ts'
import { Conversation, presentConversation, presentConversations } from '../entities/conversation.ts'
import { Empty } from '../entities/schema.ts'
import { pageOf, pageParams, setLinks } from '../http/paginate.ts'
import { IdParam } from '../http/params.ts'
import { route } from '../http/route.ts'
import { arrayPieces } from '../lib/json.ts'

export const getConversations = route({
  summary: 'Conversations, the one with the newest status first',
  scope: 'read:statuses',
  params: pageParams,
  returns: Type.Array(Conversation),
  async handle(call) {
    const { ctx, viewer, params } = call
    const page = pageOf(params, 20)
    const rows = await listConversations(ctx, viewer.accountId, page)
    setLinks(call, { ids: rows.map((row) => row.last_status_id), page })
    return arrayPieces(await presentConversations(ctx, viewer, rows))
  },
})

export const readConversation = route({
  summary: 'Mark a conversation as read',
  scope: 'write:conversations',
  params: { id: IdParam },
  returns: Conversation,
  handle: async ({ ctx, viewer, params }) =>
    presentConversation(ctx, viewer, await markConversation(ctx, viewer.accountId, params.id, { unread: false })),
})

export const unreadConversation = route({
  summary: 'Mark a conversation as unread',
  scope: 'write:conversations',
  params: { id: IdParam },
  returns: Conversation,
  handle: async ({ ctx, viewer, params }) =>
    presentConversation(ctx, viewer, await markConversation(ctx, viewer.accountId, params.id, { unread: true })),
})

export const removeConversation = route({
  summary: 'Remove a conversation from the list; its statuses stay',
  scope: 'write:conversations',
  params: { id: IdParam },
  returns: Empty,
  async handle({ ctx, viewer, params }) {
    await deleteConversation(ctx, viewer.accountId, params.id)
    return {}
  },
})
