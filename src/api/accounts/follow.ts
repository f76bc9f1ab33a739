// POST /api/v1/accounts/:id/follow, /unfollow, /remove_from_followers
import Type from 'typebox'
import type { Context } from '../../context.ts'
import { getShownAccount, type AccountRow } from '../../domain/accounts/find.ts'
import { isSilenced } from '../../domain/accounts/silenced.ts'
import { follow } from '../../actions/accounts/follow.ts'
import type { FollowOptions } from '../../domain/relationships/follows.ts'
import { rejectFollow } from '../../actions/accounts/follow-requests.ts'
import { unfollow } from '../../actions/accounts/follow.ts'
import { languageOf } from '../../domain/server/languages.ts'
import { presentRelationship, Relationship } from '../../entities/relationship.ts'
import { IdParam } from '../../http/params.ts'
import { route } from '../../http/route.ts'
import { invalidField } from '../../lib/errors.ts'

const common = { scope: 'write:follows', params: { id: IdParam }, returns: Relationship } as const

export const followAccount = route({
  ...common,
  summary: 'Follow an account, ask to where it is locked or on another server, or change what the follow brings',
  rate: 'follows',
  params: {
    id: IdParam,
    reblogs: Type.Optional(Type.Boolean()),
    notify: Type.Optional(Type.Boolean()),
    languages: Type.Optional(Type.Array(Type.String())),
  },
  async handle({ ctx, viewer, params }) {
    const target = await getShownAccount(ctx, params.id)
    const outcome = await follow(ctx, { accountId: viewer.accountId, targetAccountId: target.id, ...optionsOf(params) })
    const relationship = await presentRelationship(ctx, viewer, target.id)
    return outcome === 'requested' && (await willBeAccepted(ctx, viewer.accountId, target))
      ? { ...relationship, following: true, requested: false }
      : relationship
  },
})

/**
 * Somebody on another server who is not locked accepts a moment later. Clients are told so at once, as the usual server
 * does: they would show a request that waits for a person's answer otherwise.
 */
async function willBeAccepted(ctx: Context, accountId: string, target: AccountRow): Promise<boolean> {
  return target.domain !== null && !target.locked && !(await isSilenced(ctx, accountId))
}

function optionsOf({
  reblogs,
  notify,
  languages,
}: {
  reblogs?: boolean
  notify?: boolean
  languages?: string[]
}): FollowOptions {
  return {
    ...(reblogs === undefined ? {} : { reblogs }),
    ...(notify === undefined ? {} : { notify }),
    ...(languages ? { languages: languages.map(knownLanguage) } : {}),
  }
}

export const unfollowAccount = route({
  ...common,
  summary: 'Unfollow an account, or take back the request to follow it',
  async handle({ ctx, viewer, params }) {
    const { id } = await getShownAccount(ctx, params.id)
    await unfollow(ctx, { accountId: viewer.accountId, targetAccountId: id })
    return presentRelationship(ctx, viewer, id)
  },
})

export const removeFromFollowers = route({
  ...common,
  summary: 'End the follow of somebody else after the caller',
  async handle({ ctx, viewer, params }) {
    const { id } = await getShownAccount(ctx, params.id)
    await rejectFollow(ctx, { accountId: viewer.accountId, followerId: id })
    return presentRelationship(ctx, viewer, id)
  },
})

function knownLanguage(tag: string): string {
  const language = languageOf(tag)
  if (language === null) throw invalidField('languages', 'invalid')
  return language
}
