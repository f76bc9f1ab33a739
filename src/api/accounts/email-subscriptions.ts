// POST /api/v1/accounts/:id/email_subscriptions: newsletters of accounts, which this server does not send.
import Type from 'typebox'
import { Empty } from '../../entities/schema.ts'
import { IdParam } from '../../http/params.ts'
import { route } from '../../http/route.ts'
import { NotFound } from '../../lib/errors.ts'

export const subscribeByEmail = route({
  summary: 'Be sent the posts of an account by mail: not found, as nobody here offers that',
  auth: 'public',
  params: { id: IdParam, email: Type.Optional(Type.String()) },
  returns: Empty,
  async handle() {
    throw new NotFound()
  },
})
