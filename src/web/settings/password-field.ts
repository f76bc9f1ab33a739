import { isPasswordOf } from '../../domain/auth/sign-in.ts'
import { textParam } from '../../html/form-page.ts'
import { field } from '../../html/forms.ts'
import { limitUse } from '../../http/ratelimit.ts'
import type { SettingsVisit } from '../../html/settings-page.ts'
import type { Html } from '../../lib/html.ts'
import type { Texts } from '../../messages/pages.ts'
import type { FormProblems } from '../form-problems.ts'

/** The parameter that proves that it is still the same person in front of the browser. */
export const CURRENT_PASSWORD = 'current_password'

export const WRONG_PASSWORD = 'This is not your current password'

/** Asks for the password again. Where a page has several, `prefix` tells them apart. */
export function currentPassword(t: Texts, problems: FormProblems, prefix = ''): Html {
  const name = prefix ? `${prefix}[${CURRENT_PASSWORD}]` : CURRENT_PASSWORD
  return field(t, {
    label: 'Current password',
    name,
    type: 'password',
    error: problems.of(name),
    autocomplete: 'current-password',
    required: true,
  })
}

/** Whether the form brought the right password. Guessing is limited. */
export async function hasPassword({ ctx, request, session }: SettingsVisit, prefix = ''): Promise<boolean> {
  await limitUse(ctx, 'sign-in', `user ${session.userId}`)
  const path = prefix ? [prefix, CURRENT_PASSWORD] : [CURRENT_PASSWORD]
  return isPasswordOf(ctx, session.userId, textParam(request.body, ...path))
}
