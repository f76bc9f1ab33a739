import { requestSubscription } from '../../actions/accounts/email-subscriptions.ts'
import Type from 'typebox'
import { Empty } from '../../entities/schema.ts'
import { languageFor } from '../../http/language.ts'
import { IdParam } from '../../http/params.ts'
import { limitSubscription } from '../../http/ratelimit.ts'
import { route } from '../../http/route.ts'

export const subscribeByEmail = route({
  summary: 'Receive new public posts of a local account by mail, once a link in a first mail was confirmed',
  auth: 'public',
  // Optional here: an account that offers nothing is not found, whatever else is missing.
  params: { id: IdParam, email: Type.Optional(Type.String()) },
  returns: Empty,
  async handle({ ctx, params: { id, email = '' }, request }) {
    await limitSubscription(ctx, request.ip, id, email)
    await requestSubscription(ctx, id, email, { ip: request.ip, language: languageFor(request) })
    return {}
  },
})
