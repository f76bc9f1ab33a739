// POST /api/v1/emails/confirmations and GET /api/v1/emails/check_confirmation: between sign-up and confirmation.
import Type from 'typebox'
import { changeEmail, confirmationOf, sendConfirmation } from '../../domain/auth/confirmation.ts'
import { Empty } from '../../entities/schema.ts'
import { limitUse } from '../../http/ratelimit.ts'
import { route } from '../../http/route.ts'
import { Forbidden } from '../../lib/errors.ts'
import { message } from '../../messages/message.ts'

export const resendConfirmation = route({
  summary: 'Sends the confirmation mail again, to another address if one is given',
  evenUnconfirmed: true,
  alwaysOpen: true,
  rate: 'mail',
  params: { email: Type.Optional(Type.String()) },
  returns: Empty,
  async handle({ ctx, viewer, params }) {
    const { awaited, app_id: appId } = await confirmationOf(ctx, viewer.userId)
    if (appId !== viewer.appId) throw new Forbidden(message('confirmation_other_app'))
    if (!awaited) throw new Forbidden(message('confirmation_not_awaited'))
    await limitUse(ctx, 'mail-address', `user ${viewer.userId}`)
    if (params.email === undefined) await sendConfirmation(ctx, viewer.userId)
    // Whose address was confirmed before changes it with the password only: it is what a lost password is asked for with.
    else await changeEmail(ctx, viewer.userId, params.email.trim(), { unless: 'confirmed' })
    return {}
  },
})

export const checkConfirmation = route({
  summary: 'Whether the address is confirmed',
  scope: 'read:accounts',
  evenUnconfirmed: true,
  alwaysOpen: true,
  returns: Type.Boolean(),
  handle: async ({ ctx, viewer }) => (await confirmationOf(ctx, viewer.userId)).confirmed,
})
