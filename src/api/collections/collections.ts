// GET, POST /api/v1/collections, GET, PATCH, DELETE /api/v1/collections/:id: sets of accounts that people recommend.
import Type from 'typebox'
import { changeCollection, removeCollection, startCollection } from '../../actions/collections/change.ts'
import { getVisibleCollection } from '../../domain/collections/visible.ts'
import type { CollectionChanges } from '../../domain/collections/rules.ts'
import type { Context } from '../../context.ts'
import { Account } from '../../entities/account.ts'
import { presentAccounts } from '../../entities/account-presenter.ts'
import { Collection, presentCollections } from '../../entities/collection.ts'
import { Empty, nullable } from '../../entities/schema.ts'
import { IdParam } from '../../http/params.ts'
import { route } from '../../http/route.ts'
import { AppError, Invalid, NotFound } from '../../lib/errors.ts'
import { jsonArray, jsonObject } from '../../lib/json.ts'

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

/** What is wrong with a collection is told one level deeper than elsewhere. */
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
  summary: 'Make a collection; as many as the role allows, 25 accounts in each',
  scope: 'write:collections',
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
  summary: 'Change a collection; whoever is in it hears of it',
  scope: 'write:collections',
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
  params: { id: IdParam },
  returns: Empty,
  async handle({ ctx, viewer, params }) {
    await removeCollection(ctx, viewer.accountId, params.id)
    return {}
  },
})
