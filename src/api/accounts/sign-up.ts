import { register } from '../../actions/auth/sign-up.ts'
import { changeEmail, sendConfirmation } from '../../actions/auth/confirm-email.ts'
import Type from 'typebox'
import { getApp } from '../../domain/auth/apps.ts'
import { confirmationOf } from '../../domain/auth/confirmation.ts'
import { type IssuedToken, issueToken } from '../../domain/auth/tokens.ts'
import { presentToken, Token } from '../../entities/application.ts'
import { Empty } from '../../entities/schema.ts'
import { limitUse } from '../../http/ratelimit.ts'
import { route } from '../../http/route.ts'
import { Forbidden } from '../../lib/errors.ts'
import { message } from '../../messages/message.ts'

const optional = Type.Optional(Type.String())

export const createAccount = route({
  summary: 'Sign up; the token works once the address is confirmed',
  auth: 'app',
  scope: 'write:accounts',
  alwaysOpen: true,
  rate: 'sign-up',
  // Optional here: the error names missing parameters in `details`, together with all other mistakes.
  params: {
    username: optional,
    email: optional,
    password: optional,
    agreement: Type.Optional(Type.Boolean()),
    locale: optional,
    reason: optional,
    date_of_birth: optional,
    time_zone: optional,
    invite_code: optional,
  },
  returns: Token,
  async handle({ ctx, caller, params, request }) {
    if (caller.token.userId !== null) throw new Forbidden(message('method_requires_application'))
    const app = await getApp(ctx, caller.token.appId)
    const form = {
      username: params.username ?? '',
      email: params.email ?? '',
      password: params.password ?? '',
      agreement: params.agreement ?? false,
      locale: params.locale,
      reason: params.reason,
      dateOfBirth: params.date_of_birth,
      timeZone: params.time_zone,
      inviteCode: params.invite_code,
    }
    let token: IssuedToken | undefined
    // With the user: an application that got no token could neither use the account nor register it again.
    await register(ctx, form, { ip: request.ip, appId: app.id }, async (tx, { userId }) => {
      token = await issueToken(tx, { appId: app.id, userId, scopes: app.scopes })
    })
    return presentToken(token as IssuedToken)
  },
})

export const requestConfirmationMail = route({
  summary: 'Send the confirmation mail again, to another address if one is given',
  scope: 'write:accounts',
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
    // A confirmed address changes with the password only, as password resets are sent to it.
    else await changeEmail(ctx, viewer.userId, params.email.trim(), { unless: 'confirmed' })
    return {}
  },
})

export const checkConfirmation = route({
  summary: 'Whether the email address is confirmed',
  scope: 'read:accounts',
  evenUnconfirmed: true,
  alwaysOpen: true,
  returns: Type.Boolean(),
  handle: async ({ ctx, viewer }) => (await confirmationOf(ctx, viewer.userId)).confirmed,
})
