// GET, POST, DELETE /api/v1/lists/:id/accounts: who is in a list.
import Type from 'typebox'
import { addListMembers, removeListMembers } from '../../actions/lists/change.ts'
import { getOwnList } from '../../domain/lists/lists.ts'
import { listMembers } from '../../domain/lists/members.ts'
import { Account } from '../../entities/account.ts'
import { presentAccountList } from '../../entities/account-presenter.ts'
import { Empty } from '../../entities/schema.ts'
import { pageOf, pageParams, setLinks } from '../../http/paginate.ts'
import { IdParam } from '../../http/params.ts'
import { route } from '../../http/route.ts'

export const getListAccounts = route({
  summary: 'Who is in a list; with a limit of 0, everybody at once',
  scope: 'read:lists',
  params: { id: IdParam, ...pageParams },
  returns: Type.Array(Account),
  async handle(call) {
    const { ctx, viewer, params } = call
    const list = await getOwnList(ctx, viewer.accountId, params.id)
    const page = params.limit === 0 ? null : pageOf(params, 40)
    const rows = await listMembers(ctx, list.id, page)
    if (page) setLinks(call, { ids: rows.map(({ id }) => id), page, prev: 'since_id' })
    return presentAccountList(
      ctx,
      rows.map((row) => row.account_id),
    )
  },
})

const members = { account_ids: Type.Array(IdParam) }

export const addListAccounts = route({
  summary: 'Put accounts that the caller follows into a list, all or none',
  scope: 'write:lists',
  params: { id: IdParam, ...members },
  returns: Empty,
  async handle({ ctx, viewer, params }) {
    await addListMembers(ctx, await getOwnList(ctx, viewer.accountId, params.id), params.account_ids)
    return {}
  },
})

export const removeListAccounts = route({
  summary: 'Take accounts out of a list',
  scope: 'write:lists',
  params: { id: IdParam, ...members },
  returns: Empty,
  async handle({ ctx, viewer, params }) {
    await removeListMembers(ctx, await getOwnList(ctx, viewer.accountId, params.id), params.account_ids)
    return {}
  },
})
