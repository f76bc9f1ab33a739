// GET /api/v1/follow_requests, POST /api/v1/follow_requests/:account_id/authorize and /reject
import Type from 'typebox'
import { listFollowRequests } from '../domain/relationships/lists.ts'
import { authorizeFollow, rejectRequest } from '../actions/accounts/follow-requests.ts'
import { Account } from '../entities/account.ts'
import { presentAccountList } from '../entities/account-presenter.ts'
import { presentRelationship, Relationship } from '../entities/relationship.ts'
import { pageOf, pageParams, setLinks } from '../http/paginate.ts'
import { IdParam } from '../http/params.ts'
import { route } from '../http/route.ts'
import { NotFound } from '../lib/errors.ts'

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
