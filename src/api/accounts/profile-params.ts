import Type, { type Static } from 'typebox'
import type { ProfileChanges } from '../../domain/accounts/profile-rules.ts'
import { Upload } from '../../http/params.ts'

/** What people change about their profile, in whichever of the two ways. */
export const profileParams = {
  display_name: Type.Optional(Type.String()),
  note: Type.Optional(Type.String()),
  avatar: Type.Optional(Upload),
  avatar_description: Type.Optional(Type.String()),
  header: Type.Optional(Upload),
  header_description: Type.Optional(Type.String()),
  locked: Type.Optional(Type.Boolean()),
  bot: Type.Optional(Type.Boolean()),
  discoverable: Type.Optional(Type.Boolean()),
  hide_collections: Type.Optional(Type.Boolean()),
  indexable: Type.Optional(Type.Boolean()),
  attribution_domains: Type.Optional(Type.Array(Type.String())),
  fields_attributes: Type.Optional(
    Type.Array(Type.Object({ name: Type.Optional(Type.String()), value: Type.Optional(Type.String()) })),
  ),
}

const schema = Type.Object(profileParams)

/** The parameters as changes. */
export function changesOf({ fields_attributes: fields, ...rest }: Static<typeof schema>): ProfileChanges {
  return { ...rest, ...(fields ? { fields: fields.map(({ name = '', value = '' }) => ({ name, value })) } : {}) }
}
