import Type from 'typebox'
import { requestRecommendations } from '../actions/fasp/discover.ts'
import { insertSuggestionDismissal, listSuggestions } from '../domain/relationships/suggestions.ts'
import { presentAccountList } from '../entities/account-presenter.ts'
import { Account } from '../entities/account.ts'
import { presentSuggestions, Suggestion } from '../entities/relationship.ts'
import { Empty } from '../entities/schema.ts'
import { offsetPageOf, offsetParams } from '../http/paginate.ts'
import { isWithinLimit } from '../http/ratelimit.ts'
import { route } from '../http/route.ts'
import { isId } from '../lib/ids.ts'
import { announceRefresh } from './async-refreshes.ts'

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
  async handle(call) {
    const { ctx, viewer, params } = call
    const rows = await listSuggestions(ctx, viewer.accountId, offsetPageOf(params, 40))
    const mayAsk = (): Promise<boolean> => isWithinLimit(ctx, 'fasp-questions', viewer.userId)
    const more = params.offset ? null : await requestRecommendations(ctx, viewer.accountId, mayAsk)
    if (more) await announceRefresh(call, more)
    return presentSuggestions(ctx, rows)
  },
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
