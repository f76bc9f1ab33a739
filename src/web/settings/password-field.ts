import { isPasswordOf } from '../../domain/auth/sign-in.ts'
import { textParam } from '../../html/form-page.ts'
import { field } from '../../html/forms.ts'
import { limitUse } from '../../http/ratelimit.ts'
import type { Html } from '../../lib/html.ts'
import type { Texts } from '../../messages/pages.ts'
import type { FormProblems } from '../form-problems.ts'
import type { SettingsVisit } from './frame.ts'

export const CURRENT_PASSWORD = 'current_password'

/** `prefix` distinguishes several such forms on one page. */
export function currentPassword(t: Texts, problems: FormProblems, prefix = ''): Html {
  const name = prefix ? `${prefix}[${CURRENT_PASSWORD}]` : CURRENT_PASSWORD
  return field(t, {
    label: t.settings.current_password,
    name,
    type: 'password',
    error: problems.of(name),
    autocomplete: 'current-password',
    required: true,
  })
}

/** Throws TooMany after too many attempts. */
export async function hasPassword({ ctx, request, session }: SettingsVisit, prefix = ''): Promise<boolean> {
  await limitUse(ctx, 'sign-in', `user ${session.userId}`)
  const path = prefix ? [prefix, CURRENT_PASSWORD] : [CURRENT_PASSWORD]
  return isPasswordOf(ctx, session.userId, textParam(request.body, ...path))
}
