// GET /api/v1/blocks
import Type from 'typebox'
import { listBlocks } from '../domain/relationships/lists.ts'
import { Account } from '../entities/account.ts'
import { presentAccountList } from '../entities/account-presenter.ts'
import { pageOf, pageParams, setLinks } from '../http/paginate.ts'
import { route } from '../http/route.ts'

export const getBlocks = route({
  summary: 'Whom the caller blocks',
  scope: 'read:blocks',
  params: pageParams,
  returns: Type.Array(Account),
  async handle(call) {
    const page = pageOf(call.params, 40)
    const rows = await listBlocks(call.ctx, call.viewer.accountId, page)
    setLinks(call, { ids: rows.map(({ id }) => id), page })
    return presentAccountList(
      call.ctx,
      rows.map((row) => row.account_id),
    )
  },
})
