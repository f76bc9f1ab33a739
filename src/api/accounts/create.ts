// POST /api/v1/accounts: somebody joins through an application.
import Type from 'typebox'
import { getApp } from '../../domain/auth/apps.ts'
import { register } from '../../domain/auth/registration.ts'
import { issueToken } from '../../domain/auth/tokens.ts'
import { presentToken, Token } from '../../entities/token.ts'
import { route } from '../../http/route.ts'

const optional = Type.Optional(Type.String())

export const createAccount = route({
  summary: 'Signs somebody up; the token works once the address is confirmed',
  auth: 'app',
  scope: 'write:accounts',
  alwaysOpen: true,
  rate: 'sign-up',
  // What is missing is told in `details`, with all else that is wrong.
  params: {
    username: optional,
    email: optional,
    password: optional,
    agreement: Type.Optional(Type.Boolean()),
    locale: optional,
    reason: optional,
    date_of_birth: optional,
    time_zone: optional,
  },
  returns: Token,
  async handle({ ctx, caller, params, request }) {
    const app = await getApp(ctx, caller.token.appId)
    const form = {
      username: params.username ?? '',
      email: params.email ?? '',
      password: params.password ?? '',
      agreement: params.agreement ?? false,
      ...(params.locale === undefined ? {} : { locale: params.locale }),
      ...(params.reason === undefined ? {} : { reason: params.reason }),
      ...(params.date_of_birth === undefined ? {} : { dateOfBirth: params.date_of_birth }),
      ...(params.time_zone === undefined ? {} : { timeZone: params.time_zone }),
    }
    const { userId } = await register(ctx, form, { ip: request.ip, appId: app.id })
    return presentToken({
      ...(await issueToken(ctx, { appId: app.id, userId, scopes: app.scopes })),
      scopes: app.scopes,
    })
  },
})
