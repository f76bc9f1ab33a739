import { sendConfirmation } from './confirm-email.ts'
import { mailStaffAboutApplicant } from '../moderation/mail-staff.ts'
import { welcomeUser } from './welcome.ts'
import type { Context } from '../../context.ts'
import { type SignUpForm, findSignUpProblems, refuse, signUpProblems } from '../../domain/auth/user-rules.ts'
import { type NewIds, createUser, isTimeZone } from '../../domain/auth/users.ts'
import { closestLocale } from '../../domain/server/languages.ts'
import { findUsableInvite, type Invite, useInvite } from '../../domain/registration/invites.ts'
import { refusesSignUps } from '../../domain/registration/ip-blocks.ts'
import { getSettings, type Settings } from '../../domain/server/settings.ts'
import { Forbidden } from '../../lib/errors.ts'
import { message } from '../../messages/message.ts'
import { triggerWebhooks } from '../server/webhooks.ts'

/** As typed; an empty text counts as absent. */
type Registration = SignUpForm & {
  username: string
  email: string
  /** Null for users who sign in at the identity provider. */
  password: string | null
  displayName?: string
  /** Whether the address is known to be the user's. */
  confirmed?: boolean
  locale?: string
  timeZone?: string
  inviteCode?: string
}

/** `appId`: the application that sent the registration, which may request another confirmation mail. */
type SignUpOrigin = { ip: string; appId: string | null }

/** `approved`: no moderator has to let the user in. */
type NewUserIds = NewIds & { approved: boolean }

/** Joins the transaction that creates the user. */
type Effects = (tx: Context, ids: NewIds) => Promise<void>

type SignUp = { registration: Registration; origin: SignUpOrigin; effects: Effects | undefined }

/**
 * Mails the confirmation link, unless the address is confirmed. A valid invitation opens closed registrations and replaces the
 * approval; blocks other than those of mail domains hold for invited people too, and may require the approval. Throws Forbidden
 * while registrations are closed, for blocked networks, and for passwords where the server takes none; Invalid with `details`
 * that name every problem.
 */
export async function register(
  ctx: Context,
  registration: Registration,
  origin: SignUpOrigin,
  effects?: Effects,
): Promise<NewUserIds> {
  if (ctx.config.omniauthOnly && registration.password !== null) throw new Forbidden()
  const invite = await findUsableInvite(ctx, registration.inviteCode?.trim() ?? '')
  const signUp = { registration, origin, effects }
  try {
    return await registerWith(ctx, signUp, invite)
  } catch (error) {
    if (!(error instanceof InviteEnded)) throw error
    // Another sign-up has just used the invitation up: this one goes on as if it had none.
    return registerWith(ctx, signUp, null)
  }
}

class InviteEnded extends Error {
  override name = 'InviteEnded'
}

async function registerWith(
  ctx: Context,
  { registration, origin, effects }: SignUp,
  invite: Invite | null,
): Promise<NewUserIds> {
  const settings = await getSettings(ctx)
  await checkSignUpAllowed(ctx, settings, origin.ip, invite)
  const form = {
    ...registration,
    username: registration.username.trim(),
    email: registration.email.trim(),
    reason: registration.reason?.trim() ?? '',
  }
  const invited = invite !== null
  const { problems, needsApproval } = await findSignUpProblems(ctx, form, { ip: origin.ip, invited })
  refuse([...problems, ...signUpProblems(settings, form, { invited })])
  const { username, email, password, displayName = '', confirmed = false } = form
  const user = {
    username,
    email,
    password,
    displayName,
    confirmed,
    approved: (settings.registrations_mode === 'open' || invited) && !needsApproval,
    reason: form.reason || null,
    timeZone: isTimeZone(form.timeZone) ? form.timeZone : null,
    locale: closestLocale(form.locale ?? '') ?? 'en',
    ...origin,
  }
  const ids = await createUser(ctx, user, async (tx, { accountId, userId }) => {
    if (invite && !(await useInvite(tx, invite.id, userId))) throw new InviteEnded()
    await effects?.(tx, { accountId, userId })
    await triggerWebhooks(tx, 'account.created', accountId)
    if (!confirmed) await sendConfirmation(tx, userId)
    else await (user.approved ? welcomeUser(tx, accountId) : mailStaffAboutApplicant(tx, accountId))
  })
  return { ...ids, approved: user.approved }
}

/** Throws Forbidden. */
export async function checkSignUpAllowed(
  ctx: Context,
  { registrations_mode: mode }: Settings,
  ip: string,
  invite: Invite | null,
): Promise<void> {
  if (mode === 'none' && invite === null) throw new Forbidden()
  if (await refusesSignUps(ctx, ip)) throw new Forbidden(message('sign_up_blocked'))
}
