import Type from 'typebox'
import type { Context } from '../../context.ts'
import type { Viewer } from '../../domain/auth/viewer.ts'
import { findShownIds, getShownAccount } from '../../domain/accounts/find.ts'
import {
  findFamiliarFollowers,
  listFollowers,
  listFollowing,
  MAX_FAMILIAR,
  type RelationshipEntry,
  showsNetwork,
} from '../../domain/relationships/lists.ts'
import { presentAccountList } from '../../entities/account-presenter.ts'
import { Account } from '../../entities/account.ts'
import {
  FamiliarFollowers,
  presentFamiliarFollowers,
  presentRelationship,
  presentRelationships,
  Relationship,
} from '../../entities/relationship.ts'
import { type Links, pageOf, pageParams, setLinks } from '../../http/paginate.ts'
import type { JsonText } from '../../lib/json.ts'
import { IdParam } from '../../http/params.ts'
import { type Call, type EndpointOptions, type HttpExchange, route } from '../../http/route.ts'

/** Handles an act on another account that needs no parameters, and returns the relationship afterwards. */
export const changeRelationship =
  (act: (ctx: Context, accounts: { accountId: string; targetAccountId: string }) => Promise<unknown>) =>
  async ({ ctx, viewer, params }: Call<{ id: string }, Viewer>): Promise<Relationship> => {
    const { id } = await getShownAccount(ctx, params.id)
    await act(ctx, { accountId: viewer.accountId, targetAccountId: id })
    return presentRelationship(ctx, viewer, id)
  }

/** A page of accounts, with links to the pages beside it. */
export function presentAccountPage(
  call: HttpExchange,
  rows: readonly RelationshipEntry[],
  links: Omit<Links, 'ids'>,
): Promise<JsonText<Account[]>> {
  setLinks(call, { ids: rows.map(({ id }) => id), ...links })
  return presentAccountList(
    call.ctx,
    rows.map((row) => row.account_id),
  )
}

/** Clients ask for the accounts on a page; some collect those of several. More do not fit into the headers of a request. */
const MAX_IDS = 500

export const getRelationships = route({
  summary: 'Follows, blocks, mutes and other relationships between the viewer and accounts',
  scope: 'read:follows',
  params: {
    id: Type.Optional(Type.Array(IdParam, { maxItems: MAX_IDS })),
    with_suspended: Type.Optional(Type.Boolean()),
  },
  returns: Type.Array(Relationship),
  async handle({ ctx, viewer, params }) {
    return presentRelationships(
      ctx,
      viewer,
      await findShownIds(ctx, params.id ?? [], { suspended: params.with_suspended ?? false }),
    )
  },
})

/** The longest page of accounts: clients ask for a page at a time. */
const MAX_FAMILIAR_IDS = 80

export const getFamiliarFollowers = route({
  summary: `Followers of accounts that the viewer follows, at most ${MAX_FAMILIAR} for each of at most ${MAX_FAMILIAR_IDS} accounts`,
  scope: 'read:follows',
  params: { id: Type.Optional(Type.Array(IdParam, { maxItems: MAX_FAMILIAR_IDS })) },
  returns: Type.Array(FamiliarFollowers),
  async handle({ ctx, viewer, params }) {
    return presentFamiliarFollowers(ctx, await findFamiliarFollowers(ctx, viewer.accountId, params.id ?? []))
  },
})

const params = { id: IdParam, ...pageParams }
const accounts = Type.Array(Account)

/** The list is empty when the account hides it from others, or blocks the viewer. */
const listNetwork =
  (list: typeof listFollowers): EndpointOptions<'public', typeof params, typeof accounts>['handle'] =>
  async (call) => {
    const { ctx, viewer } = call
    const account = await getShownAccount(ctx, call.params.id)
    if (!(await showsNetwork(ctx, viewer, account))) return []
    const page = pageOf(call.params, 40)
    return presentAccountPage(call, await list(ctx, viewer, account.id, page), { page })
  }

export const getFollowers = route({
  summary: 'The followers of an account',
  auth: 'public',
  scope: 'read:accounts',
  params,
  returns: accounts,
  handle: listNetwork(listFollowers),
})

export const getFollowing = route({
  summary: 'The accounts that an account follows',
  auth: 'public',
  scope: 'read:accounts',
  params,
  returns: accounts,
  handle: listNetwork(listFollowing),
})
