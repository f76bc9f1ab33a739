import Type from 'typebox'
import { Account } from './account.ts'
import { Status } from './status.ts'
import { Tag } from './tag.ts'

/** https://docs.joinmastodon.org/entities/Search/ */
export const Search = Type.Object(
  { accounts: Type.Array(Account), statuses: Type.Array(Status), hashtags: Type.Array(Tag) },
  { $id: 'Search' },
)

export const V1Search = Type.Object(
  { accounts: Type.Array(Account), statuses: Type.Array(Status), hashtags: Type.Array(Type.String()) },
  { $id: 'V1_Search' },
)
