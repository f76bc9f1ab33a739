import { getShownAccount } from '../../domain/accounts/find.ts'
import { endorse, listEndorsements, unendorse } from '../../domain/relationships/endorse.ts'
import { Account } from '../../entities/account.ts'
import { Relationship } from '../../entities/relationship.ts'
import { pageOf, pageParams } from '../../http/paginate.ts'
import { IdParam } from '../../http/params.ts'
import { route } from '../../http/route.ts'
import Type from 'typebox'
import { changeRelationship, presentAccountPage } from './relationships.ts'

export const endorseAccount = route({
  summary: "Feature a followed account on the viewer's profile",
  scope: 'write:accounts',
  params: { id: IdParam },
  returns: Relationship,
  handle: changeRelationship((ctx, { accountId, targetAccountId }) => endorse(ctx, accountId, targetAccountId)),
})

export const unendorseAccount = route({
  summary: 'Stop featuring an account',
  scope: 'write:accounts',
  params: { id: IdParam },
  returns: Relationship,
  handle: changeRelationship((ctx, { accountId, targetAccountId }) => unendorse(ctx, accountId, [targetAccountId])),
})

export const getAccountEndorsements = route({
  summary: 'The accounts that an account features',
  auth: 'public',
  scope: 'read:accounts',
  params: { id: IdParam, ...pageParams },
  returns: Type.Array(Account),
  async handle(call) {
    const { ctx, viewer, params } = call
    const { id } = await getShownAccount(ctx, params.id)
    const page = pageOf(params, 40)
    const rows = await listEndorsements(ctx, viewer, id, page)
    return presentAccountPage(call, rows, { page, prev: 'since_id' })
  },
})

export const getEndorsements = route({
  summary: 'Accounts that the viewer features',
  scope: 'read:accounts',
  params: pageParams,
  returns: Type.Array(Account),
  async handle(call) {
    const { ctx, viewer, params } = call
    const page = pageOf(params, 40)
    const rows = await listEndorsements(ctx, viewer, viewer.accountId, page)
    return presentAccountPage(call, rows, { page, prev: 'since_id' })
  },
})
