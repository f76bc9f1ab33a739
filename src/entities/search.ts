import Type from 'typebox'
import { Account } from './account.ts'
import { Collection } from './collection.ts'
import { Status } from './status.ts'
import { Tag } from './tag.ts'

/** https://docs.joinmastodon.org/entities/Search/ */
export const Search = Type.Object(
  {
    accounts: Type.Array(Account),
    statuses: Type.Array(Status),
    hashtags: Type.Array(Tag),
    collections: Type.Array(Collection),
  },
  { $id: 'Search' },
)

export const V1Search = Type.Object(
  { accounts: Type.Array(Account), statuses: Type.Array(Status), hashtags: Type.Array(Type.String()) },
  { $id: 'V1_Search' },
)
