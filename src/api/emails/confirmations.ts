// POST /api/v1/emails/confirmations and GET /api/v1/emails/check_confirmation: between sign-up and confirmation.
import Type from 'typebox'
import { changeEmail, confirmationOf, sendConfirmation } from '../../domain/auth/confirmation.ts'
import { Empty } from '../../entities/schema.ts'
import { limitUse } from '../../http/ratelimit.ts'
import { route } from '../../http/route.ts'
import { Forbidden } from '../../lib/errors.ts'

export const resendConfirmation = route('POST /api/v1/emails/confirmations', {
  summary: 'Sends the confirmation mail again, to another address if one is given',
  evenUnconfirmed: true,
  alwaysOpen: true,
  rate: 'mail',
  params: Type.Object({ email: Type.Optional(Type.String()) }),
  returns: Empty,
  async handle({ ctx, viewer, params }) {
    const { awaited, app_id: appId } = await confirmationOf(ctx, viewer.userId)
    if (appId !== viewer.appId)
      throw new Forbidden('This method is only available to the application the user originally signed-up with')
    if (!awaited) throw new Forbidden('This method is only available while the e-mail is awaiting confirmation')
    await limitUse(ctx, 'mail-address', `user ${viewer.userId}`)
    if (params.email === undefined) await sendConfirmation(ctx, viewer.userId)
    // Whose address was confirmed before changes it with the password only: it is what a lost password is asked for with.
    else await changeEmail(ctx, viewer.userId, params.email.trim(), { unless: 'confirmed' })
    return {}
  },
})

export const checkConfirmation = route('GET /api/v1/emails/check_confirmation', {
  summary: 'Whether the address is confirmed',
  scope: 'read:accounts',
  evenUnconfirmed: true,
  alwaysOpen: true,
  returns: Type.Boolean(),
  handle: async ({ ctx, viewer }) => (await confirmationOf(ctx, viewer.userId)).confirmed,
})
