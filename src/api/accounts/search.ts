// GET /api/v1/accounts/search: people by handle and name.
import Type from 'typebox'
import { searchAndResolveAccounts } from '../../actions/remote/search-accounts.ts'
import { Account } from '../../entities/account.ts'
import { presentAccountList } from '../../entities/account-presenter.ts'
import { limitOf, offsetParams } from '../../http/paginate.ts'
import { route } from '../../http/route.ts'

export const searchForAccounts = route({
  summary: 'People by handle or name, the very handle first',
  scope: 'read:accounts',
  params: {
    q: Type.String(),
    ...offsetParams,
    resolve: Type.Optional(Type.Boolean()),
    following: Type.Optional(Type.Boolean()),
  },
  returns: Type.Array(Account),
  async handle({ ctx, viewer, params }) {
    const me = viewer.accountId
    const ids = await searchAndResolveAccounts(ctx, {
      q: params.q,
      limit: limitOf(params, 40),
      offset: Math.max(0, params.offset ?? 0),
      resolve: params.resolve ?? false,
      followedBy: params.following ? me : null,
      viewerId: me,
    })
    return presentAccountList(ctx, ids)
  },
})
