// The rules for usernames, mail addresses and passwords, at sign-up, at set-up and on the command line.
import type { Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'
import { findCanonicalEmailBlocks } from '../registration/canonical-email-blocks.ts'
import { checkEmailDomain, type EmailDomainDecision, type SignUpAttempt } from '../registration/email-domain-blocks.ts'
import { findIpSeverity } from '../registration/ip-blocks.ts'
import { checkUsernameBlocks } from '../registration/username-blocks.ts'
import { instanceActorName } from '../server/addresses.ts'
import { isLanguageTag } from '../server/languages.ts'
import type { Settings } from '../server/settings.ts'
import { isDay } from '../../lib/dates.ts'
import { isEmail } from '../../lib/mail.ts'
import { type ErrorDetails, invalidFields } from '../../lib/errors.ts'
import { type Text, message } from '../../messages/message.ts'

export const MAX_USERNAME = 30
export const MIN_PASSWORD = 8
/** Bytes, not characters: the limit of Mastodon's hash. */
const MAX_PASSWORD = 72

/** Names that would pass for the server or its administrators. */
const RESERVED = new Set(
  `abuse account accounts admin administration administrator admins help helpdesk instance mastodon mod moderator moderators
  mods owner root rookery security server staff support webmaster`.split(/\s+/),
)

/** Administrators may give reserved names (`mayBeReserved`). */
function usernameProblems(ctx: Context, username: string, { mayBeReserved = false } = {}): Problem[] {
  if (username === '') return [blank('username')]
  const problems: Problem[] = []
  if (!/^[a-z0-9_]+$/i.test(username)) problems.push(invalidValue('username', message('username_characters')))
  if (username.length > MAX_USERNAME) problems.push(tooLong('username', MAX_USERNAME))
  if (mayBeReserved ? isInstanceActor(ctx, username) : isReservedName(ctx, username)) problems.push(reserved)
  return problems
}

const isInstanceActor = (ctx: Context, username: string): boolean => username.toLowerCase() === instanceActorName(ctx)

export const isReservedName = (ctx: Context, username: string): boolean =>
  isInstanceActor(ctx, username) || RESERVED.has(username.toLowerCase())

/**
 * Some mail servers pass mail for `name%other.example@host` and `other.example!name@host` on to the other host, of whose domain
 * the blocks would know nothing (RFC 5321, appendices C and F.2).
 */
const isDirectEmail = (email: string): boolean => isEmail(email) && !/[%!]/.test(email)

/** `needsApproval`: a block lets new users have the address only with approval. */
type WantedEmail = { problems: Problem[]; needsApproval: boolean }

/** For sign-ups, and for users who want another address. `attempt`: as for `checkEmailDomain`. */
export async function checkWantedEmail(ctx: Context, email: string, attempt: SignUpAttempt = {}): Promise<WantedEmail> {
  if (!isDirectEmail(email)) return { problems: emailProblemsGiven(email, null), needsApproval: false }
  const [domain, canonical] = await Promise.all([
    checkEmailDomain(ctx, email, attempt),
    findCanonicalEmailBlocks(ctx, email),
  ])
  // As for an address that is in use, so that the answer does not reveal who was suspended.
  const problems = [...emailProblemsGiven(email, domain), ...(canonical.length > 0 ? [taken('email')] : [])]
  return { problems, needsApproval: domain === 'approval' }
}

function emailProblemsGiven(email: string, decision: EmailDomainDecision): Problem[] {
  if (email === '') return [blank('email')]
  if (!isDirectEmail(email)) return [invalidValue('email')]
  if (decision === 'blocked')
    return [{ field: 'email', error: 'ERR_BLOCKED', description: message('blocked_provider') }]
  if (decision === 'unreachable')
    return [{ field: 'email', error: 'ERR_UNREACHABLE', description: message('unreachable_provider') }]
  return []
}

export function passwordProblems(password: string): Problem[] {
  if (password === '') return [blank('password')]
  if ([...password].length < MIN_PASSWORD) return [tooShort('password', MIN_PASSWORD)]
  if (Buffer.byteLength(password) > MAX_PASSWORD) return [tooLong('password', MAX_PASSWORD)]
  return []
}

export async function takenProblems(
  ctx: Context,
  { username, email }: { username?: string; email?: string },
): Promise<Problem[]> {
  const row = await ctx.db.one<{ username: boolean; email: boolean }>(sql`
    select exists (select from accounts where lower(username) = lower(${username ?? ''}) and coalesce(domain, '') = '') as username,
      exists (select from users where lower(email) = lower(${email ?? ''})) as email`)
  return [...(row.username ? [taken('username')] : []), ...(row.email ? [taken('email')] : [])]
}

/** The problems with an address, and with its domain. */
export const emailProblems = async (ctx: Context, email: string): Promise<Problem[]> =>
  emailProblemsGiven(email, isDirectEmail(email) ? await checkEmailDomain(ctx, email) : null)

/** For a user that an administrator creates, whose name may be reserved, and `mayBeTaken`. Throws Invalid. */
export async function checkNewUser(
  ctx: Context,
  user: { username: string; email: string; password: string },
  { mayBeTaken = false } = {},
): Promise<void> {
  refuse([
    ...usernameProblems(ctx, user.username, { mayBeReserved: true }),
    ...(await emailProblems(ctx, user.email)),
    ...passwordProblems(user.password),
    ...(await takenProblems(ctx, mayBeTaken ? { email: user.email } : user)),
  ])
}

/**
 * The problems with a sign-up, and whether a block lets it pass only with approval. `password`: null for users who sign in
 * elsewhere. `ip`: the address of the request.
 */
export async function findSignUpProblems(
  ctx: Context,
  user: { username: string; email: string; password: string | null },
  { ip, invited }: { ip: string; invited: boolean },
): Promise<{ problems: Problem[]; needsApproval: boolean }> {
  const [email, name, severity] = await Promise.all([
    checkWantedEmail(ctx, user.email, { ip, invited }),
    checkUsernameBlocks(ctx, user.username),
    findIpSeverity(ctx, ip),
  ])
  const problems = [
    ...usernameProblems(ctx, user.username),
    ...(name === 'blocked' ? [reserved] : []),
    ...email.problems,
    ...(user.password === null ? [] : passwordProblems(user.password)),
    ...(await takenProblems(ctx, user)),
  ]
  const needsApproval = email.needsApproval || name === 'approval' || severity === 'sign_up_requires_approval'
  return { problems, needsApproval }
}

/**
 * Whether a block in force by now refuses a past sign-up, or asks for its approval. `ip`: null where it is not known any more.
 */
export async function isSignUpBlocked(
  ctx: Context,
  user: { username: string; email: string; ip: string | null },
): Promise<boolean> {
  const [email, name, severity] = await Promise.all([
    checkWantedEmail(ctx, user.email),
    checkUsernameBlocks(ctx, user.username),
    user.ip === null ? null : findIpSeverity(ctx, user.ip),
  ])
  return email.needsApproval || email.problems.length > 0 || name !== null || severity !== null
}

export type Problem = {
  field: 'username' | 'email' | 'password' | 'agreement' | 'reason' | 'date_of_birth' | 'captcha' | 'locale'
  error: `ERR_${string}`
  description: Text
}

/** Throws Invalid with all problems in its `details`, each once, unless there are none. */
export function refuse(problems: readonly Problem[]): void {
  if (problems.length === 0) return
  const details: ErrorDetails = {}
  for (const { field, error, description } of problems) {
    const known = (details[field] ??= [])
    if (!known.some((other) => other.error === error)) known.push({ error, description })
  }
  throw invalidFields(details)
}

const reserved: Problem = { field: 'username', error: 'ERR_RESERVED', description: message('reserved') }
const blank = (field: Problem['field']): Problem => ({
  field,
  error: 'ERR_BLANK',
  description: message('blank'),
})
const invalidValue = (field: Problem['field'], description: Text = message('invalid')): Problem => ({
  field,
  error: 'ERR_INVALID',
  description,
})
export const taken = (field: Problem['field']): Problem => ({
  field,
  error: 'ERR_TAKEN',
  description: message('taken'),
})
const tooLong = (field: Problem['field'], max: number): Problem => ({
  field,
  error: 'ERR_TOO_LONG',
  description: message('too_long', { count: max }),
})
const tooShort = (field: Problem['field'], min: number): Problem => ({
  field,
  error: 'ERR_TOO_SHORT',
  description: message('too_short', { count: min }),
})

export const MAX_REASON = 420

/** The parts of a sign-up that only some servers require. */
export type SignUpForm = {
  agreement: boolean
  reason?: string
  /** YYYY-MM-DD. Checked, and not stored. */
  dateOfBirth?: string
}

export const needsReason = (settings: Settings): boolean =>
  settings.registrations_mode === 'approved' && settings.require_invite_text

/** `invited`: with an invitation, which replaces the reason. */
export function signUpProblems(
  settings: Settings,
  form: SignUpForm & { reason: string; locale?: string },
  { invited }: { invited: boolean },
): Problem[] {
  const problems: Problem[] = []
  if (settings.min_age !== null) problems.push(...ageProblems(form.dateOfBirth?.trim() ?? '', settings.min_age))
  if (form.reason === '' && needsReason(settings) && !invited) problems.push(blank('reason'))
  if ([...form.reason].length > MAX_REASON) problems.push(tooLong('reason', MAX_REASON))
  if (!form.agreement)
    problems.push({ field: 'agreement', error: 'ERR_ACCEPTED', description: message('must_be_accepted') })
  if (form.locale && !isLanguageTag(form.locale))
    problems.push({ field: 'locale', error: 'ERR_INCLUSION', description: message('not_included') })
  return problems
}

function ageProblems(text: string, minAge: number): Problem[] {
  if (text === '') return [blank('date_of_birth')]
  // Mastodon accepts the day first as well: 31.12.2000.
  const date = text.replace(/^(\d\d)\.(\d\d)\.(\d{4})$/, '$3-$2-$1')
  if (!isDay(date)) return [invalidValue('date_of_birth')]
  const comesOfAge = new Date(`${date}T00:00Z`)
  comesOfAge.setUTCFullYear(comesOfAge.getUTCFullYear() + minAge)
  return comesOfAge.getTime() > Date.now()
    ? [{ field: 'date_of_birth', error: 'ERR_BELOW_LIMIT', description: message('below_age_limit') }]
    : []
}
