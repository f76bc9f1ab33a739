// GET, POST /api/v1/lists; GET, PUT, DELETE /api/v1/lists/:id: the caller's lists of people.
import Type, { type Static } from 'typebox'
import { changeList, removeList } from '../../actions/lists/change.ts'
import { getOwnList, insertList, listLists, type ListChanges } from '../../domain/lists/lists.ts'
import { List, presentList, RepliesPolicy } from '../../entities/list.ts'
import { Empty } from '../../entities/schema.ts'
import { IdParam } from '../../http/params.ts'
import { route } from '../../http/route.ts'

const params = Type.Object({
  title: Type.Optional(Type.String()),
  replies_policy: Type.Optional(RepliesPolicy),
  exclusive: Type.Optional(Type.Boolean()),
})

const changesOf = ({ title, replies_policy: repliesPolicy, exclusive }: Static<typeof params>): ListChanges => ({
  ...(title === undefined ? {} : { title }),
  ...(repliesPolicy === undefined ? {} : { repliesPolicy }),
  ...(exclusive === undefined ? {} : { exclusive }),
})

export const getLists = route({
  summary: "All of the caller's lists",
  scope: 'read:lists',
  returns: Type.Array(List),
  handle: async ({ ctx, viewer }) => (await listLists(ctx, viewer.accountId)).map(presentList),
})

export const getList = route({
  summary: 'A list',
  scope: 'read:lists',
  params: { id: IdParam },
  returns: List,
  handle: async ({ ctx, viewer, params }) => presentList(await getOwnList(ctx, viewer.accountId, params.id)),
})

export const createList = route({
  summary: 'Make a list; 50 at most',
  scope: 'write:lists',
  params: params.properties,
  returns: List,
  handle: async ({ ctx, viewer, params }) => presentList(await insertList(ctx, viewer.accountId, changesOf(params))),
})

export const updateList = route({
  summary: 'Change a list',
  scope: 'write:lists',
  params: { id: IdParam, ...params.properties },
  returns: List,
  handle: async ({ ctx, viewer, params }) =>
    presentList(await changeList(ctx, viewer.accountId, params.id, changesOf(params))),
})

export const deleteList = route({
  summary: 'Delete a list',
  scope: 'write:lists',
  params: { id: IdParam },
  returns: Empty,
  async handle({ ctx, viewer, params }) {
    await removeList(ctx, viewer.accountId, params.id)
    return {}
  },
})
