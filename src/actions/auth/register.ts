import type { Context } from '../../context.ts'
import { newUserProblems, refuse, signUpProblems, type SignUpForm } from '../../domain/auth/user-rules.ts'
import { createUser, isTimeZone, type NewIds } from '../../domain/auth/users.ts'
import { closestLocale } from '../../domain/server/languages.ts'
import { getSettings } from '../../domain/server/settings.ts'
import { Forbidden } from '../../lib/errors.ts'
import { sendConfirmation } from './confirm-email.ts'

/** A sign-up form as typed; an empty text counts as absent. */
export type Registration = SignUpForm & {
  username: string
  email: string
  password: string
  locale?: string
  timeZone?: string
}

/** `appId`: the application that sent the registration, which may request another confirmation mail. */
export type SignUpOrigin = { ip: string; appId: string | null }

/**
 * Creates an account and its user, and mails the confirmation link. Throws Forbidden while registrations are closed, and
 * Invalid with `details` that name every problem.
 */
export async function register(ctx: Context, registration: Registration, origin: SignUpOrigin): Promise<NewIds> {
  const settings = await getSettings(ctx)
  if (settings.registrations_mode === 'none') throw new Forbidden()
  const form = {
    ...registration,
    username: registration.username.trim(),
    email: registration.email.trim(),
    reason: registration.reason?.trim() ?? '',
  }
  refuse([...(await newUserProblems(ctx, form)), ...signUpProblems(settings, form)])
  const user = {
    username: form.username,
    email: form.email,
    password: form.password,
    approved: settings.registrations_mode === 'open',
    reason: form.reason || null,
    timeZone: isTimeZone(form.timeZone) ? form.timeZone : null,
    locale: closestLocale(form.locale ?? '') ?? 'en',
    ...origin,
  }
  return createUser(ctx, user, (tx, { userId }) => sendConfirmation(tx, userId))
}
