// GET /api/v1/endorsements: whom the caller puts forward.
import Type from 'typebox'
import { listEndorsements } from '../domain/relationships/endorse.ts'
import { Account } from '../entities/account.ts'
import { presentAccountList } from '../entities/account-presenter.ts'
import { pageOf, pageParams, setLinks } from '../http/paginate.ts'
import { route } from '../http/route.ts'

export const getEndorsements = route({
  summary: 'Whom the caller puts forward',
  scope: 'read:accounts',
  params: pageParams,
  returns: Type.Array(Account),
  async handle(call) {
    const { ctx, viewer, params } = call
    const page = pageOf(params, 40)
    const rows = await listEndorsements(ctx, viewer, viewer.accountId, page)
    setLinks(call, { ids: rows.map((row) => row.id), page, prev: 'since_id' })
    return presentAccountList(
      ctx,
      rows.map((row) => row.account_id),
    )
  },
})
