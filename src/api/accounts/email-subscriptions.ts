// POST /api/v1/accounts/:id/email_subscriptions: newsletters of accounts, which this server does not send.
import Type from 'typebox'
import { Empty } from '../../entities/schema.ts'
import { route } from '../../http/route.ts'
import { NotFound } from '../../lib/errors.ts'

export const subscribeByEmail = route('POST /api/v1/accounts/:id/email_subscriptions', {
  summary: 'Be sent the posts of an account by mail: not found, as nobody here offers that',
  auth: 'public',
  params: Type.Object({ email: Type.Optional(Type.String()) }),
  returns: Empty,
  async handle() {
    throw new NotFound()
  },
})
