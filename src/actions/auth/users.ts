// The sign-up of users, and changes of their settings.
import { sendConfirmation } from './confirm-email.ts'
import type { Context } from '../../context.ts'
import { type SignUpForm, newUserProblems, refuse, signUpProblems } from '../../domain/auth/user-rules.ts'
import {
  type NewIds,
  type UserLocale,
  createUser,
  isTimeZone,
  updateLocale,
  updateUserSettings,
} from '../../domain/auth/users.ts'
import type { UserSettings } from '../../domain/auth/viewer.ts'
import { closestLocale } from '../../domain/server/languages.ts'
import { getSettings } from '../../domain/server/settings.ts'
import { Forbidden } from '../../lib/errors.ts'
import { triggerWebhooks } from '../server/webhooks.ts'

/** As typed; an empty text counts as absent. */
type Registration = SignUpForm & {
  username: string
  email: string
  password: string
  locale?: string
  timeZone?: string
}

/** `appId`: the application that sent the registration, which may request another confirmation mail. */
type SignUpOrigin = { ip: string; appId: string | null }

/**
 * Mails the confirmation link. Throws Forbidden while registrations are closed, Invalid with `details` that name every
 * problem.
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
  return createUser(ctx, user, async (tx, { accountId, userId }) => {
    await sendConfirmation(tx, userId)
    await triggerWebhooks(tx, 'account.created', accountId)
  })
}

/** Absent members stay as they are. */
export async function saveUserSettings(ctx: Context, userId: string, changes: UserSettings): Promise<void> {
  if (Object.keys(changes).length === 0) return
  await ctx.transaction(async (tx) => {
    await updateUserSettings(tx, userId, changes)
    tx.publish({ type: 'user.changed', userId })
  })
}

/** Throws Invalid for an unknown language or time zone. */
export async function saveUserLocale(ctx: Context, userId: string, locale: UserLocale): Promise<void> {
  await ctx.transaction(async (tx) => {
    await updateLocale(tx, userId, locale)
    tx.publish({ type: 'user.changed', userId })
  })
}
