import Type from 'typebox'
import { listQuotes } from '../../domain/statuses/quotes/quotes.ts'
import { revokeQuote } from '../../actions/statuses/quote.ts'
import { getTargetStatus, getVisibleStatus } from '../../domain/statuses/visibility.ts'
import { presentStatus, presentStatusList } from '../../entities/status-presenter.ts'
import { Status } from '../../entities/status.ts'
import { pageOf, pageParams, setLinks } from '../../http/paginate.ts'
import { IdParam } from '../../http/params.ts'
import { route } from '../../http/route.ts'

const USUAL = 20

export const getQuotes = route({
  summary: 'Statuses that quote a status',
  scope: 'read:statuses',
  params: { id: IdParam, ...pageParams },
  returns: Type.Array(Status),
  async handle(call) {
    const { ctx, viewer } = call
    const status = await getTargetStatus(ctx, viewer, call.params.id)
    const page = pageOf(call.params, USUAL)
    const entries = await listQuotes(ctx, viewer, status.id, page)
    setLinks(call, { ids: entries.map(({ cursor }) => cursor), page, prev: 'since_id' })
    return presentStatusList(
      ctx,
      viewer,
      entries.map(({ id }) => id),
    )
  },
})

export const revokeQuoteOfStatus = route({
  summary: 'Revoke the quote of one of your statuses in another status',
  scope: 'write:statuses',
  params: { id: IdParam, quoting_status_id: IdParam },
  returns: Status,
  async handle({ ctx, viewer, params }) {
    await revokeQuote(ctx, viewer, params.id, params.quoting_status_id)
    // An author who blocks the viewer cannot prevent the revocation, but the response is 404.
    const { id } = await getVisibleStatus(ctx, viewer, params.quoting_status_id)
    return presentStatus(ctx, viewer, id)
  },
})
