import Type, { type Static } from 'typebox'
import {
  type AttributesIn,
  profileAttributeList,
  type ProfileAttributes,
} from '../domain/accounts/profile-attributes.ts'
import { CustomEmoji } from './emojis.ts'
import { DateTime, Id, nullable } from './schema.ts'

export const Field = Type.Object(
  { name: Type.String(), value: Type.String(), verified_at: nullable(DateTime) },
  { $id: 'Field' },
)
const AccountRole = Type.Object(
  { id: Type.String(), name: Type.String(), color: Type.String() },
  { $id: 'AccountRole' },
)
export const FeatureApproval = Type.Object(
  { automatic: Type.Array(Type.String()), manual: Type.Array(Type.String()), current_user: Type.String() },
  { $id: 'FeatureApproval' },
)

type SchemaOf<Name extends keyof ProfileAttributes> = ProfileAttributes[Name] extends { nullable: true }
  ? ReturnType<typeof nullable<ProfileAttributes[Name]['schema']>>
  : ProfileAttributes[Name]['schema']

export function profileMembersIn<Where extends 'account' | 'source' | 'profile'>(
  where: Where,
): { [Name in keyof AttributesIn<Where> & keyof ProfileAttributes]: SchemaOf<Name> } {
  const members = profileAttributeList
    .filter(([, { shownIn }]) => where === 'profile' || shownIn.includes(where))
    .map(([key, attribute]) => [key, attribute.nullable ? nullable(attribute.schema) : attribute.schema])
  return Object.fromEntries(members)
}

const members = {
  id: Id,
  username: Type.String(),
  acct: Type.String(),
  url: nullable(Type.String()),
  uri: Type.String(),
  ...profileMembersIn('account'),
  note: Type.String(),
  avatar: Type.String(),
  avatar_static: Type.String(),
  header: Type.String(),
  header_static: Type.String(),
  fields: Type.Array(Field),
  emojis: Type.Array(CustomEmoji),
  group: Type.Boolean(),
  noindex: Type.Optional(nullable(Type.Boolean())),
  memorial: Type.Optional(Type.Boolean()),
  suspended: Type.Optional(Type.Boolean()),
  limited: Type.Optional(Type.Boolean()),
  created_at: DateTime,
  roles: Type.Optional(nullable(Type.Array(AccountRole))),
  feature_approval: FeatureApproval,
  email_subscriptions: Type.Optional(Type.Boolean()),
  statuses_count: Type.Integer(),
  followers_count: Type.Integer(),
  following_count: Type.Integer(),
  last_status_at: nullable(Type.String()),
}

const MovedAccount = Type.Object(members, { $id: 'MovedAccount' })
export const accountMembers = { ...members, moved: Type.Optional(nullable(MovedAccount)) }

/** https://docs.joinmastodon.org/entities/Account/ */
export const Account = Type.Object(accountMembers, { $id: 'Account' })
export type Account = Static<typeof Account>
