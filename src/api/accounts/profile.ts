import Type, { type Static } from 'typebox'
import { saveProfile } from '../../actions/accounts/save-profile.ts'
import type { ProfileChanges } from '../../domain/accounts/profile-rules.ts'
import type { UserSettings } from '../../domain/auth/viewer.ts'
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
import { invalidFields } from '../../lib/errors.ts'
import { message } from '../../messages/message.ts'

/** What people change about their profile, in whichever of the two ways. */
const profileParams = {
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
function changesOf({ fields_attributes: fields, ...rest }: Static<typeof schema>): ProfileChanges {
  return { ...rest, ...(fields ? { fields: fields.map(({ name = '', value = '' }) => ({ name, value })) } : {}) }
}

// GET /api/v1/accounts/verify_credentials: who am I?

export const verifyCredentials = route({
  summary: 'The account of the token, as its owner sees it',
  scope: ['read:accounts', 'profile'],
  returns: CredentialAccount,
  handle: ({ ctx, viewer }) => presentCredentialAccount(ctx, viewer.accountId),
})

// PATCH /api/v1/accounts/update_credentials (and PUT): change one's profile and what new posts are like.

const params = Type.Object({
  ...profileParams,
  source: Type.Optional(
    Type.Object({
      privacy: Type.Optional(Type.Enum(['public', 'unlisted', 'private'])),
      sensitive: Type.Optional(Type.Boolean()),
      language: Type.Optional(nullable(Type.String())),
      quote_policy: Type.Optional(Type.Enum(['public', 'followers', 'nobody'])),
    }),
  ),
})
type Params = Static<typeof params>

export const updateCredentials = route({
  summary: "Change the caller's profile and the defaults of new posts",
  scope: 'write:accounts',
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
  if (tag && language === null)
    throw invalidFields({
      language: [{ error: 'ERR_INVALID', description: message('invalid') }],
    })
  return { ...settings, language }
}

// GET, PATCH /api/v1/profile: one's own profile, as it is edited. DELETE /avatar and /header beneath it: go back to the picture
// of those who chose none.

export const getProfile = route({
  summary: "The caller's profile: what was typed, and what is shown of it",
  scope: ['read:accounts', 'profile'],
  returns: Profile,
  handle: async ({ ctx, viewer }) => presentProfile(ctx, viewer.accountId),
})

export const updateProfile = route({
  summary: "Change the caller's profile",
  scope: 'write:accounts',
  params: {
    ...profileParams,
    show_media: Type.Optional(Type.Boolean()),
    show_media_replies: Type.Optional(Type.Boolean()),
    show_featured: Type.Optional(Type.Boolean()),
  },
  returns: Profile,
  async handle({ ctx, viewer, params }) {
    await saveProfile(ctx, viewer, changesOf(params))
    return presentProfile(ctx, viewer.accountId)
  },
})

export const deleteAvatar = route({
  summary: "Remove the caller's avatar",
  scope: 'write:accounts',
  returns: CredentialAccount,
  async handle({ ctx, viewer }) {
    await saveProfile(ctx, viewer, { avatar: null, avatar_description: '' })
    return presentCredentialAccount(ctx, viewer.accountId)
  },
})

export const deleteHeader = route({
  summary: "Remove the caller's header",
  scope: 'write:accounts',
  returns: CredentialAccount,
  async handle({ ctx, viewer }) {
    await saveProfile(ctx, viewer, { header: null, header_description: '' })
    return presentCredentialAccount(ctx, viewer.accountId)
  },
})
