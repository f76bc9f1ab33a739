// POST /api/v1/collections/:collection_id/items, DELETE …/:id, POST …/:id/revoke: who is in a collection.
import Type from 'typebox'
import { addItems, removeItem, revokeItem } from '../../actions/collections/change.ts'
import { CollectionItem, presentItem } from '../../entities/collection.ts'
import { Empty } from '../../entities/schema.ts'
import { IdParam } from '../../http/params.ts'
import { route } from '../../http/route.ts'
import { Invalid } from '../../lib/errors.ts'
import { message } from '../../messages/message.ts'

const WrappedCollectionItem = Type.Object({ collection_item: CollectionItem }, { $id: 'WrappedCollectionItem' })

export const addCollectionItem = route({
  summary: "Put an account into one of the caller's collections",
  scope: 'write:collections',
  params: { collection_id: IdParam, account_id: Type.Optional(IdParam) },
  returns: WrappedCollectionItem,
  async handle({ ctx, viewer, params }) {
    if (params.account_id === undefined) throw new Invalid(message('account_id_missing'))
    const [item] = await addItems(ctx, viewer.accountId, params.collection_id, [params.account_id])
    if (!item) throw new Error('nothing was added')
    return { collection_item: presentItem(item) }
  },
})

export const removeCollectionItem = route({
  summary: "Take an account out of one of the caller's collections",
  scope: 'write:collections',
  params: { collection_id: IdParam, id: IdParam },
  returns: Empty,
  async handle({ ctx, viewer, params }) {
    await removeItem(ctx, viewer.accountId, params.collection_id, params.id)
    return {}
  },
})

export const revokeCollectionItem = route({
  summary: 'Leave a collection for good',
  scope: 'write:collections',
  params: { collection_id: IdParam, id: IdParam },
  returns: Empty,
  async handle({ ctx, viewer, params }) {
    await revokeItem(ctx, viewer.accountId, params.collection_id, params.id)
    return {}
  },
})
