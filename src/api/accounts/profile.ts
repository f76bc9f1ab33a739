import Type, { type Static } from 'typebox'
import { saveProfile } from '../../actions/accounts/save-profile.ts'
import {
  profileAttributeList,
  type ProfileAttributes,
  type ProfileChanges,
} from '../../domain/accounts/profile-attributes.ts'
import { QUOTE_POLICIES } from '../../domain/statuses/quotes/policy.ts'
import { DEFAULT_VISIBILITIES, type UserSettings } from '../../domain/auth/viewer.ts'
import { languageOf } from '../../domain/server/languages.ts'
import {
  CredentialAccount,
  presentCredentialAccount,
  presentProfile,
  Profile,
} from '../../entities/credential-account.ts'
import { nullable } from '../../entities/schema.ts'
import { Upload } from '../../http/params.ts'
import { route } from '../../http/route.ts'
import { invalidFieldWithDetails } from '../../lib/errors.ts'

type OptionalSchemas = {
  [Name in keyof ProfileAttributes]: ReturnType<typeof Type.Optional<ProfileAttributes[Name]['schema']>>
}

/** Parameters of `update_credentials` or of `PATCH /api/v1/profile`. */
function attributeParams(endpoint: 'credentials' | 'profile'): OptionalSchemas {
  const params = profileAttributeList
    .filter(([, { profileOnly }]) => endpoint === 'profile' || !profileOnly)
    .map(([key, { schema: value }]) => [key, Type.Optional(value)])
  return Object.fromEntries(params) as OptionalSchemas
}

/** Shared by update_credentials and profile. */
const profileParams = {
  ...attributeParams('credentials'),
  note: Type.Optional(Type.String()),
  avatar: Type.Optional(Upload),
  header: Type.Optional(Upload),
  fields_attributes: Type.Optional(
    Type.Array(Type.Object({ name: Type.Optional(Type.String()), value: Type.Optional(Type.String()) })),
  ),
}

const schema = Type.Object(profileParams)

function changesOf({ fields_attributes: fields, ...rest }: Static<typeof schema>): ProfileChanges {
  return { ...rest, ...(fields ? { fields: fields.map(({ name = '', value = '' }) => ({ name, value })) } : {}) }
}

export const verifyCredentials = route({
  summary: 'The account of the token, as its owner sees it',
  scope: ['read:accounts', 'profile'],
  returns: CredentialAccount,
  handle: ({ ctx, viewer }) => presentCredentialAccount(ctx, viewer.accountId),
})

const params = Type.Object({
  ...profileParams,
  source: Type.Optional(
    Type.Object({
      privacy: Type.Optional(Type.Enum([...DEFAULT_VISIBILITIES])),
      sensitive: Type.Optional(Type.Boolean()),
      language: Type.Optional(nullable(Type.String())),
      quote_policy: Type.Optional(Type.Enum([...QUOTE_POLICIES])),
    }),
  ),
})
type Params = Static<typeof params>

export const updateCredentials = route({
  summary: "Change the viewer's profile and the defaults of new posts",
  scope: 'write:accounts',
  rate: 'profile',
  params: params.properties,
  returns: CredentialAccount,
  async handle({ ctx, viewer, params: { source, ...profile } }) {
    await saveProfile(ctx, viewer, changesOf(profile), settingsOf(source))
    return presentCredentialAccount(ctx, viewer.accountId)
  },
})

function settingsOf(source: Params['source']): UserSettings {
  const { language: tag, ...settings } = source ?? {}
  if (tag === undefined) return settings
  const language = languageOf(tag)
  if (tag && language === null) throw invalidFieldWithDetails('language', 'invalid')
  return { ...settings, language }
}

export const getProfile = route({
  summary: "The viewer's profile as it was typed, for editing",
  scope: ['read:accounts', 'profile'],
  returns: Profile,
  handle: async ({ ctx, viewer }) => presentProfile(ctx, viewer.accountId),
})

export const updateProfile = route({
  summary: "Change the viewer's profile",
  scope: 'write:accounts',
  rate: 'profile',
  params: {
    ...profileParams,
    ...attributeParams('profile'),
  },
  returns: Profile,
  async handle({ ctx, viewer, params }) {
    await saveProfile(ctx, viewer, changesOf(params))
    return presentProfile(ctx, viewer.accountId)
  },
})

export const deleteAvatar = route({
  summary: "Remove the viewer's avatar",
  scope: 'write:accounts',
  rate: 'profile',
  returns: CredentialAccount,
  async handle({ ctx, viewer }) {
    await saveProfile(ctx, viewer, { avatar: null, avatar_description: '' })
    return presentCredentialAccount(ctx, viewer.accountId)
  },
})

export const deleteHeader = route({
  summary: "Remove the viewer's header",
  scope: 'write:accounts',
  rate: 'profile',
  returns: CredentialAccount,
  async handle({ ctx, viewer }) {
    await saveProfile(ctx, viewer, { header: null, header_description: '' })
    return presentCredentialAccount(ctx, viewer.accountId)
  },
})
