import { isPasswordOf } from '../../domain/auth/sign-in.ts'
import { textParam } from '../../html/form-page.ts'
import { field } from '../../html/forms.ts'
import { limitUse } from '../../http/ratelimit.ts'
import type { Html } from '../../lib/html.ts'
import type { Texts } from '../../messages/pages.ts'
import type { FormProblems } from '../form-problems.ts'
import type { SettingsVisit } from './frame.ts'

/** The form parameter of the password that confirms a change. */
export const CURRENT_PASSWORD = 'current_password'

/** Asks for the password again. Where a page has several such forms, `prefix` tells them apart. */
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

/** Whether the form has the right password. Attempts are rate-limited. */
export async function hasPassword({ ctx, request, session }: SettingsVisit, prefix = ''): Promise<boolean> {
  await limitUse(ctx, 'sign-in', `user ${session.userId}`)
  const path = prefix ? [prefix, CURRENT_PASSWORD] : [CURRENT_PASSWORD]
  return isPasswordOf(ctx, session.userId, textParam(request.body, ...path))
}
