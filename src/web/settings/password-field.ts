import { isPasswordOf } from '../../domain/auth/sign-in.ts'
import { textParam } from '../../html/form-page.ts'
import { field } from '../../html/forms.ts'
import { fillText } from '../../html/texts.ts'
import { limitUse } from '../../http/ratelimit.ts'
import { html, type Html } from '../../lib/html.ts'
import { oneProblem, type FormProblems } from '../form-problems.ts'
import type { SettingsVisit } from './frame.ts'

const CURRENT_PASSWORD = 'current_password'
/** For users without a password, a sign-in at the identity provider within this time replaces it. In milliseconds. */
const FRESH_MS = 15 * 60_000

/** Whether the user can sign in with a password here. */
export const usesPassword = ({ ctx, session }: SettingsVisit): boolean =>
  session.hasPassword && !ctx.config.omniauthOnly

const isFresh = ({ session }: SettingsVisit): boolean => Date.now() - session.authenticatedAt.getTime() < FRESH_MS

/** `prefix` distinguishes several such forms on one page. */
export function currentPassword(visit: SettingsVisit, problems: FormProblems, prefix = ''): Html | null {
  const { t, request } = visit
  if (!usesPassword(visit)) return isFresh(visit) ? null : html`<p class="hint">${signInAgain(visit, request.url)}</p>`
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

function signInAgain({ ctx, t, page, request }: SettingsVisit, url: string): Html {
  const next = request.method === 'GET' ? url : page.path
  const link = html`<a href="/auth/sign_in?${String(new URLSearchParams({ again: '1', next }))}">${t.provider.sign_in_again_link}</a>`
  return fillText(t.provider.sign_in_again({ name: ctx.config.oidc?.displayName ?? '' }), { link })
}

/**
 * Null when the form has the current password, or when a user without one signed in within FRESH_MS. Throws TooMany after too
 * many attempts.
 */
export async function findPasswordProblems(visit: SettingsVisit, prefix = ''): Promise<FormProblems | null> {
  const { ctx, request, session, t } = visit
  await limitUse(ctx, 'sign-in', `user ${session.userId}`)
  if (!usesPassword(visit)) return isFresh(visit) ? null : oneProblem(t, t.provider.not_fresh)
  const path = prefix ? [prefix, CURRENT_PASSWORD] : [CURRENT_PASSWORD]
  if (await isPasswordOf(ctx, session.userId, textParam(request.body, ...path))) return null
  return oneProblem(t, t.settings.wrong_password, prefix ? `${prefix}[${CURRENT_PASSWORD}]` : CURRENT_PASSWORD)
}
