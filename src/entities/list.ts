import Type, { type Static } from 'typebox'
import { REPLIES_POLICIES, type ListRow } from '../domain/lists/lists.ts'
import { Id } from './schema.ts'

export const RepliesPolicy = Type.Enum([...REPLIES_POLICIES])

/** https://docs.joinmastodon.org/entities/List/ */
export const List = Type.Object(
  { id: Id, title: Type.String(), replies_policy: RepliesPolicy, exclusive: Type.Boolean() },
  { $id: 'List' },
)
export type List = Static<typeof List>

export const presentList = ({ id, title, replies_policy, exclusive }: ListRow): List => ({
  id,
  title,
  replies_policy,
  exclusive,
})
