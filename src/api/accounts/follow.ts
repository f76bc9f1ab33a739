// POST /api/v1/accounts/:id/follow, /unfollow, /remove_from_followers
import { authorizeFollow, follow, rejectFollow, rejectRequest, unfollow } from '../../actions/accounts/follow.ts'
import { resolveHandle } from '../../actions/remote/resolve-account.ts'
import type { Context } from '../../context.ts'
import { type AccountRow, getShownAccount, isSilenced } from '../../domain/accounts/find.ts'
import type { FollowOptions } from '../../domain/relationships/follows.ts'
import { listFollowRequests } from '../../domain/relationships/lists.ts'
import { languageOf } from '../../domain/server/languages.ts'
import { presentAccount, presentAccountList } from '../../entities/account-presenter.ts'
import { Account } from '../../entities/account.ts'
import { Relationship, presentRelationship } from '../../entities/relationship.ts'
import { pageOf, pageParams, setLinks } from '../../http/paginate.ts'
import { IdParam } from '../../http/params.ts'
import { route } from '../../http/route.ts'
import { NotFound, invalidField } from '../../lib/errors.ts'
import Type from 'typebox'

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

// GET /api/v1/follow_requests, POST /api/v1/follow_requests/:account_id/authorize and /reject

export const getFollowRequests = route({
  summary: 'Who asks to follow the caller',
  scope: 'read:follows',
  params: pageParams,
  returns: Type.Array(Account),
  async handle(call) {
    const page = pageOf(call.params, 40)
    const rows = await listFollowRequests(call.ctx, call.viewer.accountId, page)
    setLinks(call, { ids: rows.map(({ id }) => id), page, prev: 'since_id' })
    return presentAccountList(
      call.ctx,
      rows.map((row) => row.account_id),
    )
  },
})

export const authorizeFollowRequest = route({
  summary: 'Accept a follower',
  scope: 'write:follows',
  params: { account_id: IdParam },
  returns: Relationship,
  async handle({ ctx, viewer, params }) {
    if (!(await authorizeFollow(ctx, { accountId: viewer.accountId, followerId: params.account_id })))
      throw new NotFound()
    return presentRelationship(ctx, viewer, params.account_id)
  },
})

export const rejectFollowRequest = route({
  summary: 'Refuse a follower',
  scope: 'write:follows',
  params: { account_id: IdParam },
  returns: Relationship,
  async handle({ ctx, viewer, params }) {
    if (!(await rejectRequest(ctx, { accountId: viewer.accountId, followerId: params.account_id })))
      throw new NotFound()
    return presentRelationship(ctx, viewer, params.account_id)
  },
})

// POST /api/v1/follows: the old way to follow, by handle.

export const followByUri = route({
  summary: 'Follow somebody by handle, wherever they are',
  scope: 'write:follows',
  rate: 'follows',
  params: { uri: Type.String() },
  returns: Account,
  async handle({ ctx, viewer, params }) {
    const account = await resolveHandle(ctx, params.uri)
    if (!account) throw new NotFound()
    await follow(ctx, { accountId: viewer.accountId, targetAccountId: account.id })
    return presentAccount(ctx, account.id)
  },
})
