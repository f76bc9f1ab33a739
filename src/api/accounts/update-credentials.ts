// PATCH /api/v1/accounts/update_credentials (and PUT): change one's profile and what new posts are like.
import Type, { type Static } from 'typebox'
import type { UserSettings } from '../../domain/auth/viewer.ts'
import { saveProfile } from '../../actions/accounts/save-profile.ts'
import { languageOf } from '../../domain/server/languages.ts'
import { CredentialAccount, presentCredentialAccount } from '../../entities/credential-account.ts'
import { nullable } from '../../entities/schema.ts'
import { route } from '../../http/route.ts'
import { invalidFields } from '../../lib/errors.ts'
import { message } from '../../messages/message.ts'
import { changesOf, profileParams } from './profile-params.ts'

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
