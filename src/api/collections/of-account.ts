// GET /api/v1/accounts/:account_id/collections, …/in_collections: the collections of an account, and those it is in.
import Type from 'typebox'
import { getShownAccount } from '../../domain/accounts/find.ts'
import { listCollections, listCollectionsWith } from '../../domain/collections/visible.ts'
import { Collection, presentCollections } from '../../entities/collection.ts'
import { limitOf, offsetParams, setOffsetLinks } from '../../http/paginate.ts'
import { IdParam } from '../../http/params.ts'
import { route } from '../../http/route.ts'
import { Forbidden } from '../../lib/errors.ts'

const Collections = Type.Object({ collections: Type.Array(Collection) }, { $id: 'Collections' })

const pageOf = (params: { limit?: number; offset?: number }): { limit: number; offset: number } => ({
  limit: limitOf(params, 40),
  offset: Math.max(0, params.offset ?? 0),
})

export const getAccountCollections = route({
  summary: "An account's collections; to others, those that may be discovered",
  auth: 'public',
  scope: 'read:collections',
  params: { account_id: IdParam, ...offsetParams },
  returns: Collections,
  async handle(call) {
    const { ctx, viewer, params } = call
    const page = pageOf(params)
    const { id } = await getShownAccount(ctx, params.account_id)
    const ids = await listCollections(ctx, viewer, id, page)
    setOffsetLinks(call, ids.length, page.limit, page.offset)
    return { collections: await presentCollections(ctx, viewer, ids) }
  },
})

export const getCollectionsWithAccount = route({
  summary: 'The collections in which the caller is',
  scope: 'read:collections',
  params: { account_id: IdParam, ...offsetParams },
  returns: Collections,
  async handle(call) {
    const { ctx, viewer, params } = call
    const page = pageOf(params)
    const { id } = await getShownAccount(ctx, params.account_id)
    if (id !== viewer.accountId) throw new Forbidden()
    const ids = await listCollectionsWith(ctx, id, page)
    setOffsetLinks(call, ids.length, page.limit, page.offset)
    return { collections: await presentCollections(ctx, viewer, ids) }
  },
})
