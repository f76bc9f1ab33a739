// GET /api/v1/mutes
import Type from 'typebox'
import { listMutes } from '../domain/relationships/lists.ts'
import { MutedAccount, presentMutedAccounts } from '../entities/muted-account.ts'
import { pageOf, pageParams, setLinks } from '../http/paginate.ts'
import { route } from '../http/route.ts'

export const getMutes = route({
  summary: 'Whom the caller mutes, and until when',
  scope: 'read:mutes',
  params: pageParams,
  returns: Type.Array(MutedAccount),
  async handle(call) {
    const page = pageOf(call.params, 40)
    const rows = await listMutes(call.ctx, call.viewer.accountId, page)
    setLinks(call, { ids: rows.map(({ id }) => id), page, prev: 'since_id' })
    return presentMutedAccounts(call.ctx, rows)
  },
})
