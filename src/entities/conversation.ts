import Type, { type Static } from 'typebox'
import type { Context } from '../context.ts'
import type { ConversationRow } from '../domain/conversations/conversations.ts'
import type { MaybeViewer } from '../domain/statuses/visibility.ts'
import { NotFound } from '../lib/errors.ts'
import { jsonArray, jsonObject, type JsonText } from '../lib/json.ts'
import { presentAccountMap } from './account-presenter.ts'
import { Account } from './account.ts'
import { Id, nullable } from './schema.ts'
import { presentStatusMap } from './status-presenter.ts'
import { Status } from './status.ts'

/** https://docs.joinmastodon.org/entities/Conversation/ */
export const Conversation = Type.Object(
  { id: Id, unread: Type.Boolean(), accounts: Type.Array(Account), last_status: nullable(Status) },
  { $id: 'Conversation' },
)
export type Conversation = Static<typeof Conversation>

export async function presentConversations(
  ctx: Context,
  viewer: NonNullable<MaybeViewer>,
  rows: readonly ConversationRow[],
): Promise<JsonText<Conversation>[]> {
  const [accounts, statuses] = await Promise.all([
    presentAccountMap(ctx, [viewer.accountId, ...rows.flatMap((row) => row.participant_ids)]),
    presentStatusMap(
      ctx,
      viewer,
      rows.map((row) => row.last_status_id),
    ),
  ])
  const presentIn = (ids: readonly string[]) => ids.flatMap((id) => accounts.get(id) ?? [])
  return rows.flatMap((row) => {
    const status = statuses.get(row.last_status_id)
    // The last status was deleted meanwhile. Another transaction deletes the conversation or gives it another last status.
    if (!status) return []
    // A conversation without other participants, or whose others are deleted, shows the viewer: apps expect an account.
    const others = presentIn(row.participant_ids)
    return jsonObject<Conversation>({
      id: row.id,
      unread: row.unread,
      accounts: jsonArray(others.length > 0 ? others : presentIn([viewer.accountId])),
      last_status: status,
    })
  })
}

/** Throws NotFound when the last status was deleted meanwhile. */
export async function presentConversation(
  ctx: Context,
  viewer: NonNullable<MaybeViewer>,
  row: ConversationRow,
): Promise<JsonText<Conversation>> {
  const [conversation] = await presentConversations(ctx, viewer, [row])
  if (!conversation) throw new NotFound()
  return conversation
}
