import { loginOf } from '../domain/auth/sign-in.ts'
import { checkForm } from '../html/csrf.ts'
import { textParam, type FormVisit } from '../html/form-page.ts'
import { addressKey, limitUse } from '../http/ratelimit.ts'

/**
 * Takes a form that asks for a mail to whoever has an address or name. How often is limited. The mail is not waited for, so that
 * the time tells nobody whether there is such an account.
 */
export async function takeMailRequest(
  { ctx, request }: FormVisit,
  send: (login: string) => Promise<void>,
): Promise<void> {
  await checkForm(ctx, request)
  const login = textParam(request.body, 'user', 'email').trim()
  await limitUse(ctx, 'mail', addressKey(request.ip))
  await limitUse(ctx, 'mail-address', loginOf(login))
  send(login).catch((error: unknown) => ctx.log.error({ err: error }, 'a mail that was asked for could not be sent'))
}
