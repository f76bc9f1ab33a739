// POST /api/v1/follows: the old way to follow, by handle.
import Type from 'typebox'
import { resolveHandle } from '../actions/remote/resolve-account.ts'
import { follow } from '../actions/accounts/follow.ts'
import { Account } from '../entities/account.ts'
import { presentAccount } from '../entities/account-presenter.ts'
import { route } from '../http/route.ts'
import { NotFound } from '../lib/errors.ts'

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
