// GET /api/v1/accounts/:id/lists: in which of the caller's lists somebody is.
import Type from 'typebox'
import { getShownAccount } from '../../domain/accounts/find.ts'
import { listListsWith } from '../../domain/lists/lists.ts'
import { List, presentList } from '../../entities/list.ts'
import { IdParam } from '../../http/params.ts'
import { route } from '../../http/route.ts'

export const getAccountLists = route({
  summary: "The caller's lists in which an account is",
  scope: 'read:lists',
  params: { id: IdParam },
  returns: Type.Array(List),
  async handle({ ctx, viewer, params }) {
    const { id } = await getShownAccount(ctx, params.id)
    return (await listListsWith(ctx, viewer.accountId, id)).map(presentList)
  },
})
