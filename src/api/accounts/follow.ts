import { authorizeFollow, follow, rejectFollow, rejectPendingFollow, unfollow } from '../../actions/accounts/follow.ts'
import { resolveHandle } from '../../actions/remote/resolve-account.ts'
import type { Context } from '../../context.ts'
import { type AccountRow, getShownAccount, isSilenced } from '../../domain/accounts/find.ts'
import { listFollowRequests } from '../../domain/relationships/lists.ts'
import { languageOf } from '../../domain/server/languages.ts'
import { presentAccount } from '../../entities/account-presenter.ts'
import { Account } from '../../entities/account.ts'
import { Relationship, presentRelationship } from '../../entities/relationship.ts'
import { pageOf, pageParams } from '../../http/paginate.ts'
import { IdParam } from '../../http/params.ts'
import { route } from '../../http/route.ts'
import { NotFound, invalidField } from '../../lib/errors.ts'
import Type from 'typebox'
import { changeRelationship, presentAccountPage } from './relationships.ts'

const common = { scope: 'write:follows', params: { id: IdParam }, returns: Relationship } as const

export const followAccount = route({
  ...common,
  summary: 'Follow an account, request to follow it when it is locked or remote, or change the options of the follow',
  rate: 'follows',
  params: {
    id: IdParam,
    reblogs: Type.Optional(Type.Boolean()),
    notify: Type.Optional(Type.Boolean()),
    // Forms send an empty list as one empty text.
    languages: Type.Optional(Type.Array(Type.String({ minLength: 1 }))),
  },
  async handle({ ctx, viewer, params }) {
    const { id, languages, ...options } = params
    const target = await getShownAccount(ctx, id)
    const outcome = await follow(ctx, {
      accountId: viewer.accountId,
      targetAccountId: target.id,
      ...options,
      ...(languages ? { languages: languages.map(knownLanguage) } : {}),
    })
    const relationship = await presentRelationship(ctx, viewer, target.id)
    return outcome === 'requested' && (await willBeAccepted(ctx, viewer.accountId, target))
      ? { ...relationship, following: true, requested: false }
      : relationship
  },
})

/**
 * Whether a remote server will accept the follow a moment later. The response says that it is accepted, as in Mastodon, since
 * clients would show a pending request otherwise.
 */
async function willBeAccepted(ctx: Context, accountId: string, target: AccountRow): Promise<boolean> {
  return target.domain !== null && !target.locked && !(await isSilenced(ctx, accountId))
}

export const unfollowAccount = route({
  ...common,
  summary: 'Unfollow an account, or withdraw the follow request',
  handle: changeRelationship(unfollow),
})

export const removeFromFollowers = route({
  ...common,
  summary: 'Remove an account from the followers',
  handle: changeRelationship((ctx, { accountId, targetAccountId }) =>
    rejectFollow(ctx, { accountId, followerId: targetAccountId }),
  ),
})

function knownLanguage(tag: string): string {
  const language = languageOf(tag)
  if (language === null) throw invalidField('languages', 'invalid')
  return language
}

export const getFollowRequests = route({
  summary: 'Accounts that request to follow the viewer',
  scope: 'read:follows',
  params: pageParams,
  returns: Type.Array(Account),
  async handle(call) {
    const page = pageOf(call.params, 40)
    const rows = await listFollowRequests(call.ctx, call.viewer.accountId, page)
    return presentAccountPage(call, rows, { page, prev: 'since_id' })
  },
})

export const authorizeFollowRequest = route({
  summary: 'Accept a follow request',
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
  summary: 'Reject a follow request',
  scope: 'write:follows',
  params: { account_id: IdParam },
  returns: Relationship,
  async handle({ ctx, viewer, params }) {
    if (!(await rejectPendingFollow(ctx, { accountId: viewer.accountId, followerId: params.account_id })))
      throw new NotFound()
    return presentRelationship(ctx, viewer, params.account_id)
  },
})

export const followByUri = route({
  summary: 'Follow an account by its handle, for old clients',
  scope: 'write:follows',
  rate: 'follows',
  params: { uri: Type.Optional(Type.String()) },
  returns: Account,
  async handle({ ctx, viewer, params }) {
    const account = await resolveHandle(ctx, params.uri ?? '')
    if (!account) throw new NotFound()
    await follow(ctx, { accountId: viewer.accountId, targetAccountId: account.id })
    return presentAccount(ctx, account.id)
  },
})
