// GET, PATCH /api/v1/profile: one's own profile, as it is edited. DELETE /avatar and /header beneath it: go back to the picture
// of those who chose none.
import Type from 'typebox'
import { saveProfile } from '../actions/accounts/save-profile.ts'
import { CredentialAccount, presentCredentialAccount } from '../entities/credential-account.ts'
import { presentProfile, Profile } from '../entities/profile.ts'
import { route } from '../http/route.ts'
import { changesOf, profileParams } from './accounts/profile-params.ts'

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
