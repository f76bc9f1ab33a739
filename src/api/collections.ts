import {
  addItems,
  changeCollection,
  removeCollection,
  removeItem,
  revokeItem,
  startCollection,
} from '../actions/collections/change.ts'
import type { Context } from '../context.ts'
import { getShownAccount } from '../domain/accounts/find.ts'
import { type CollectionChanges, MAX_ITEMS } from '../domain/collections/collections.ts'
import { getVisibleCollection, listCollections, listCollectionsWith } from '../domain/collections/visible.ts'
import { presentAccounts } from '../entities/account-presenter.ts'
import { Account } from '../entities/account.ts'
import { Collection, CollectionItem, presentCollections, presentItem } from '../entities/collection.ts'
import { Empty, nullable } from '../entities/schema.ts'
import { offsetPageOf, offsetParams, setOffsetLinks } from '../http/paginate.ts'
import { IdParam } from '../http/params.ts'
import { route } from '../http/route.ts'
import { AppError, Forbidden, Invalid, NotFound } from '../lib/errors.ts'
import { jsonArray, jsonObject } from '../lib/json.ts'
import { message } from '../messages/message.ts'
import Type from 'typebox'

const changes = {
  name: Type.Optional(Type.String()),
  description: Type.Optional(Type.String()),
  language: Type.Optional(nullable(Type.String())),
  tag_name: Type.Optional(nullable(Type.String())),
  sensitive: Type.Optional(Type.Boolean()),
  discoverable: Type.Optional(Type.Boolean()),
}

const changesOf = ({
  name,
  description,
  language,
  tag_name,
  sensitive,
  discoverable,
}: CollectionChanges): CollectionChanges => ({
  name,
  description,
  language,
  tag_name,
  sensitive,
  discoverable,
})

const WrappedCollection = Type.Object({ collection: Collection }, { $id: 'WrappedCollection' })
const CollectionWithAccounts = Type.Object(
  { accounts: Type.Array(Account), collection: Collection },
  { $id: 'CollectionWithAccounts' },
)

/** Clients expect validation errors of collections one level deeper than those of other endpoints. */
function reword(error: unknown): unknown {
  if (!(error instanceof Invalid)) return error
  return new AppError(422, error.text, {
    cause: error,
    extra: { error: { error: error.text, details: error.extra?.details ?? {} } },
  })
}

async function present(ctx: Context, viewer: { accountId: string } | null, id: string): Promise<Collection> {
  const [collection] = await presentCollections(ctx, viewer, [id])
  if (!collection) throw new NotFound()
  return collection
}

export const getCollection = route({
  summary: 'A collection, its owner, and the accounts in it',
  auth: 'public',
  scope: 'read:collections',
  params: { id: IdParam },
  returns: CollectionWithAccounts,
  async handle({ ctx, viewer, params }) {
    const { id } = await getVisibleCollection(ctx, viewer, params.id)
    const collection = await present(ctx, viewer, id)
    const ids = [collection.account_id, ...collection.items.flatMap(({ account_id }) => account_id ?? [])]
    return jsonObject({ accounts: jsonArray(await presentAccounts(ctx, [...new Set(ids)])), collection })
  },
})

export const createCollection = route({
  summary: `Create a collection; the role limits their number, and each has at most ${MAX_ITEMS} accounts`,
  scope: 'write:collections',
  rate: 'featured',
  params: { ...changes, account_ids: Type.Optional(Type.Array(IdParam)) },
  returns: WrappedCollection,
  reword,
  async handle({ ctx, viewer, params }) {
    const { name = '', ...rest } = changesOf(params)
    const id = await startCollection(ctx, viewer.accountId, { name, ...rest }, params.account_ids ?? [])
    return { collection: await present(ctx, viewer, id) }
  },
})

export const updateCollection = route({
  summary: 'Change a collection; its accounts are notified',
  scope: 'write:collections',
  rate: 'featured',
  params: { id: IdParam, ...changes },
  returns: WrappedCollection,
  reword,
  async handle({ ctx, viewer, params }) {
    await changeCollection(ctx, viewer.accountId, params.id, changesOf(params))
    return { collection: await present(ctx, viewer, params.id) }
  },
})

export const deleteCollection = route({
  summary: 'Delete a collection',
  scope: 'write:collections',
  rate: 'featured',
  params: { id: IdParam },
  returns: Empty,
  async handle({ ctx, viewer, params }) {
    await removeCollection(ctx, viewer.accountId, params.id)
    return {}
  },
})

const Collections = Type.Object({ collections: Type.Array(Collection) }, { $id: 'Collections' })

export const getAccountCollections = route({
  summary: "An account's collections; other accounts see the discoverable ones",
  auth: 'public',
  scope: 'read:collections',
  params: { account_id: IdParam, ...offsetParams },
  returns: Collections,
  async handle(call) {
    const { ctx, viewer, params } = call
    const page = offsetPageOf(params, 40)
    const { id } = await getShownAccount(ctx, params.account_id)
    const ids = await listCollections(ctx, viewer, id, page)
    setOffsetLinks(call, ids.length, page)
    return { collections: await presentCollections(ctx, viewer, ids) }
  },
})

export const getCollectionsWithAccount = route({
  summary: 'The collections that contain the viewer',
  scope: 'read:collections',
  params: { account_id: IdParam, ...offsetParams },
  returns: Collections,
  async handle(call) {
    const { ctx, viewer, params } = call
    const page = offsetPageOf(params, 40)
    const { id } = await getShownAccount(ctx, params.account_id)
    if (id !== viewer.accountId) throw new Forbidden()
    const ids = await listCollectionsWith(ctx, id, page)
    setOffsetLinks(call, ids.length, page)
    return { collections: await presentCollections(ctx, viewer, ids) }
  },
})

const WrappedCollectionItem = Type.Object({ collection_item: CollectionItem }, { $id: 'WrappedCollectionItem' })

export const addCollectionItem = route({
  summary: "Add an account to one of the viewer's collections",
  scope: 'write:collections',
  rate: 'featured',
  params: { collection_id: IdParam, account_id: Type.Optional(IdParam) },
  returns: WrappedCollectionItem,
  async handle({ ctx, viewer, params }) {
    if (params.account_id === undefined) throw new Invalid(message('account_id_missing'))
    const [item] = await addItems(ctx, viewer.accountId, params.collection_id, [params.account_id])
    if (!item) throw new Error('no item was added')
    return { collection_item: presentItem(item) }
  },
})

export const removeCollectionItem = route({
  summary: "Remove an account from one of the viewer's collections",
  scope: 'write:collections',
  rate: 'featured',
  params: { collection_id: IdParam, id: IdParam },
  returns: Empty,
  async handle({ ctx, viewer, params }) {
    await removeItem(ctx, viewer.accountId, params.collection_id, params.id)
    return {}
  },
})

export const revokeCollectionItem = route({
  summary: 'Leave a collection, so that its owner cannot add the account again',
  scope: 'write:collections',
  params: { collection_id: IdParam, id: IdParam },
  returns: Empty,
  async handle({ ctx, viewer, params }) {
    await revokeItem(ctx, viewer.accountId, params.collection_id, params.id)
    return {}
  },
})
