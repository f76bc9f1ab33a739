import Type, { type Static } from 'typebox'
import { addListMembers, changeList, removeList, removeListMembers } from '../actions/lists.ts'
import type { Context } from '../context.ts'
import { getShownAccount } from '../domain/accounts/find.ts'
import type { Viewer } from '../domain/auth/viewer.ts'
import {
  type ListChanges,
  type ListRow,
  REPLIES_POLICIES,
  getOwnList,
  insertList,
  listLists,
  listListsWith,
  listMembers,
  MAX_LISTS,
} from '../domain/lists/lists.ts'
import { presentAccountList } from '../entities/account-presenter.ts'
import { Account } from '../entities/account.ts'
import { Empty, Id } from '../entities/schema.ts'
import { pageOf, pageParams, setLinks } from '../http/paginate.ts'
import { IdParam } from '../http/params.ts'
import { limitUse } from '../http/ratelimit.ts'
import { route } from '../http/route.ts'

const RepliesPolicy = Type.Enum([...REPLIES_POLICIES])

/** https://docs.joinmastodon.org/entities/List/ */
const List = Type.Object(
  { id: Id, title: Type.String(), replies_policy: RepliesPolicy, exclusive: Type.Boolean() },
  { $id: 'List' },
)
type List = Static<typeof List>

const presentList = ({ id, title, replies_policy, exclusive }: ListRow): List => ({
  id,
  title,
  replies_policy,
  exclusive,
})

const params = Type.Object({
  title: Type.Optional(Type.String()),
  replies_policy: Type.Optional(RepliesPolicy),
  exclusive: Type.Optional(Type.Boolean()),
})

const changesOf = ({ title, replies_policy: repliesPolicy, exclusive }: Static<typeof params>): ListChanges => ({
  title,
  repliesPolicy,
  exclusive,
})

export const getLists = route({
  summary: "The viewer's lists",
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
  summary: `Create a list; at most ${MAX_LISTS}`,
  scope: 'write:lists',
  params: params.properties,
  returns: List,
  handle: async ({ ctx, viewer, params }) => presentList(await insertList(ctx, viewer.accountId, changesOf(params))),
})

export const updateList = route({
  summary: 'Change a list',
  scope: 'write:lists',
  rate: 'home',
  params: { id: IdParam, ...params.properties },
  returns: List,
  handle: async ({ ctx, viewer, params }) =>
    presentList(await changeList(ctx, viewer.accountId, params.id, changesOf(params))),
})

export const deleteList = route({
  summary: 'Delete a list',
  scope: 'write:lists',
  rate: 'home',
  params: { id: IdParam },
  returns: Empty,
  async handle({ ctx, viewer, params }) {
    await removeList(ctx, viewer.accountId, params.id)
    return {}
  },
})

export const getListAccounts = route({
  summary: 'The members of a list; all of them with a limit of 0',
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

const memberIds = Type.Array(IdParam)

/** Members of exclusive lists leave the home timeline, which is built again. Throws NotFound and TooMany. */
async function getListToChange(ctx: Context, viewer: Viewer, id: string): Promise<ListRow> {
  const list = await getOwnList(ctx, viewer.accountId, id)
  if (list.exclusive) await limitUse(ctx, 'home', viewer.userId)
  return list
}

export const addListAccounts = route({
  summary: 'Add followed accounts to a list, all of them or none',
  scope: 'write:lists',
  params: { id: IdParam, account_ids: memberIds },
  returns: Empty,
  async handle({ ctx, viewer, params }) {
    await addListMembers(ctx, await getListToChange(ctx, viewer, params.id), params.account_ids)
    return {}
  },
})

export const removeListAccounts = route({
  summary: 'Remove accounts from a list',
  scope: 'write:lists',
  params: { id: IdParam, account_ids: Type.Optional(memberIds) },
  returns: Empty,
  async handle({ ctx, viewer, params }) {
    await removeListMembers(ctx, await getListToChange(ctx, viewer, params.id), params.account_ids ?? [])
    return {}
  },
})

export const getAccountLists = route({
  summary: "The viewer's lists that contain an account",
  scope: 'read:lists',
  params: { id: IdParam },
  returns: Type.Array(List),
  async handle({ ctx, viewer, params }) {
    const { id } = await getShownAccount(ctx, params.id)
    return (await listListsWith(ctx, viewer.accountId, id)).map(presentList)
  },
})
