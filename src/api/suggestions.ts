import Type from 'typebox'
import { insertSuggestionDismissal, listSuggestions } from '../domain/relationships/suggestions.ts'
import { presentAccountList } from '../entities/account-presenter.ts'
import { Account } from '../entities/account.ts'
import { presentSuggestions, Suggestion } from '../entities/relationship.ts'
import { Empty } from '../entities/schema.ts'
import { offsetPageOf, offsetParams } from '../http/paginate.ts'
import { route } from '../http/route.ts'
import { isId } from '../lib/ids.ts'

const common = { scope: 'read:accounts', params: offsetParams } as const

export const getSuggestionsV1 = route({
  ...common,
  summary: 'Accounts that the viewer may want to follow',
  returns: Type.Array(Account),
  deprecated: Date.UTC(2021, 4, 16) / 1000,
  async handle({ ctx, viewer, params }) {
    const rows = await listSuggestions(ctx, viewer.accountId, offsetPageOf(params, 40))
    return presentAccountList(
      ctx,
      rows.map(({ account_id }) => account_id),
    )
  },
})

export const getSuggestions = route({
  ...common,
  summary: 'Accounts that the viewer may want to follow, with reasons',
  returns: Type.Array(Suggestion),
  handle: async ({ ctx, viewer, params }) =>
    presentSuggestions(ctx, await listSuggestions(ctx, viewer.accountId, offsetPageOf(params, 40))),
})

export const dismissSuggestion = route({
  summary: 'Dismiss a suggestion',
  scope: ['write:accounts', 'read'],
  params: { account: Type.String() },
  returns: Empty,
  async handle({ ctx, viewer, params }) {
    if (isId(params.account)) await insertSuggestionDismissal(ctx, viewer.accountId, params.account)
    return {}
  },
})
