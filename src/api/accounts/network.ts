// GET /api/v1/accounts/:id/followers and /following. Empty for others where the account hides them, or blocks the caller.
import Type from 'typebox'
import { getShownAccount } from '../../domain/accounts/find.ts'
import { listFollowers, listFollowing, showsNetwork } from '../../domain/relationships/lists.ts'
import { Account } from '../../entities/account.ts'
import { presentAccountList } from '../../entities/account-presenter.ts'
import { pageOf, pageParams, setLinks } from '../../http/paginate.ts'
import { IdParam } from '../../http/params.ts'
import { route } from '../../http/route.ts'

const common = {
  auth: 'public',
  scope: 'read:accounts',
  params: { id: IdParam, ...pageParams },
  returns: Type.Array(Account),
} as const

export const getFollowers = route({
  ...common,
  summary: 'Who follows an account',
  async handle(call) {
    const { ctx, viewer, params } = call
    const account = await getShownAccount(ctx, params.id)
    if (!(await showsNetwork(ctx, viewer, account))) return []
    const page = pageOf(params, 40)
    const rows = await listFollowers(ctx, viewer, account.id, page)
    setLinks(call, { ids: rows.map(({ id }) => id), page })
    return presentAccountList(
      ctx,
      rows.map((row) => row.account_id),
    )
  },
})

export const getFollowing = route({
  ...common,
  summary: 'Whom an account follows',
  async handle(call) {
    const { ctx, viewer, params } = call
    const account = await getShownAccount(ctx, params.id)
    if (!(await showsNetwork(ctx, viewer, account))) return []
    const page = pageOf(params, 40)
    const rows = await listFollowing(ctx, viewer, account.id, page)
    setLinks(call, { ids: rows.map(({ id }) => id), page })
    return presentAccountList(
      ctx,
      rows.map((row) => row.account_id),
    )
  },
})
