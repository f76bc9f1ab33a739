import type { Context } from '../../context.ts'
import { Forbidden } from '../../lib/errors.ts'
import { message } from '../../messages/message.ts'
import { getSettings, type Settings } from '../server/settings.ts'
import { sendConfirmation } from './confirmation.ts'
import { localeOf } from './locales.ts'
import { blank, invalidValue, refuse, tooLong, type Problem } from './problems.ts'
import { newUserProblems } from './user-rules.ts'
import { isTimeZone } from './user-settings.ts'
import { createUser, type NewIds } from './users.ts'

export const MAX_REASON = 420

/** What somebody fills in to join. Texts are as typed; empty is the same as absent. */
export type Registration = {
  username: string
  email: string
  password: string
  agreement: boolean
  locale?: string
  reason?: string
  /** YYYY-MM-DD. Looked at, not kept. */
  dateOfBirth?: string
  timeZone?: string
}

/** Where a registration comes from. `appId`: the application that may ask for another confirmation mail. */
export type SignUpOrigin = { ip: string; appId: string | null }

/**
 * Signs somebody up: account, user, and the mail with the confirmation link. Throws Forbidden where registrations are closed,
 * Invalid with `details` naming everything that is wrong.
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
  refuse([...(await newUserProblems(ctx, form)), ...circumstances(settings, form)])
  const user = {
    username: form.username,
    email: form.email,
    password: form.password,
    approved: settings.registrations_mode === 'open',
    reason: form.reason || null,
    timeZone: isTimeZone(form.timeZone) ? form.timeZone : null,
    locale: localeOf(form.locale ?? '') ?? 'en',
    ...origin,
  }
  return createUser(ctx, user, (tx, { userId }) => sendConfirmation(tx, userId))
}

/** Whether people who ask to join have to say why. */
export const needsReason = (settings: Settings): boolean =>
  settings.registrations_mode === 'approved' && settings.require_invite_text

function circumstances(settings: Settings, form: Registration & { reason: string }): Problem[] {
  const problems: Problem[] = []
  if (settings.min_age !== null) problems.push(...ageProblems(form.dateOfBirth?.trim() ?? '', settings.min_age))
  if (form.reason === '' && needsReason(settings)) problems.push(blank('reason'))
  if ([...form.reason].length > MAX_REASON) problems.push(tooLong('reason', MAX_REASON))
  if (!form.agreement)
    problems.push({ field: 'agreement', error: 'ERR_ACCEPTED', description: message('must_be_accepted') })
  return problems
}

function ageProblems(text: string, minAge: number): Problem[] {
  if (text === '') return [blank('date_of_birth')]
  const born = /^\d{4}-\d\d-\d\d$/.test(text) ? new Date(`${text}T00:00:00Z`) : null
  if (!born || Number.isNaN(born.getTime()) || born.toISOString().slice(0, 10) !== text)
    return [invalidValue('date_of_birth')]
  const comesOfAge = new Date(born)
  comesOfAge.setUTCFullYear(born.getUTCFullYear() + minAge)
  return comesOfAge.getTime() > Date.now()
    ? [{ field: 'date_of_birth', error: 'ERR_BELOW_LIMIT', description: message('below_age_limit') }]
    : []
}
