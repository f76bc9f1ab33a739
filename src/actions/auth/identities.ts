// Signing in and up at the OpenID Connect provider, and connecting accounts to it.
import type { Context } from '../../context.ts'
import {
  deleteIdentity,
  findByIdentity,
  findUnconnectedUser,
  freeUsername,
  identityProvider,
  insertIdentity,
  type IdentityUser,
  type ProvenIdentity,
} from '../../domain/auth/identities.ts'
import { deleteIdentitySignUps } from '../../domain/auth/identity-requests.ts'
import { takenProblems, type SignUpForm } from '../../domain/auth/user-rules.ts'
import { Conflict, Invalid, type ErrorDetails } from '../../lib/errors.ts'
import { mailUser } from '../server/mail.ts'
import { endSessions } from './sessions.ts'
import { register } from './sign-up.ts'

/**
 * The user whose identity this is. Where the configuration allows it, the identity is attached to the account with the same mail
 * address, which both the provider and this server must have verified. Null for people without an account.
 */
export async function findIdentityUser(ctx: Context, identity: ProvenIdentity): Promise<IdentityUser | null> {
  const known = await findByIdentity(ctx, identity)
  if (known || identity.email === null || !identity.emailVerified) return known
  if (!identityProvider(ctx).settings.attachesByEmail) return null
  const userId = await findUnconnectedUser(ctx, identity.issuer, identity.email)
  if (userId !== null) await attach(ctx, identity, userId)
  return findByIdentity(ctx, identity)
}

/** Throws Conflict when the identity belongs to another account, or the account to another identity. */
export async function connectIdentity(ctx: Context, identity: ProvenIdentity, userId: string): Promise<void> {
  if (await attach(ctx, identity, userId)) return
  if ((await findByIdentity(ctx, identity))?.userId !== userId) throw new Conflict()
}

/** False for an identity that has an account. The user learns of it by mail, as another one may have done it. */
const attach = (ctx: Context, identity: ProvenIdentity, userId: string): Promise<boolean> =>
  ctx.transaction(async (tx) => {
    if (!(await insertIdentity(tx, identity, userId))) return false
    // An unfinished sign-up would sign in any person who uses the browser where it was left open.
    await deleteIdentitySignUps(tx, identity)
    await mailUser(tx, userId, 'identity_connected', { provider: identityProvider(ctx).settings.displayName })
    return true
  })

/**
 * Ends the user's other sessions, as another person may have signed in at the provider. False for users without a password, who
 * could not sign in without it.
 */
export const disconnectIdentity = (ctx: Context, session: { id: string; userId: string }): Promise<boolean> =>
  ctx.transaction(async (tx) => {
    if (!(await deleteIdentity(tx, identityProvider(ctx).settings.issuer, session.userId))) return false
    await endSessions(tx, session.userId, { exceptId: session.id })
    return true
  })

/** `email`: for people whose provider names none. */
type IdentityForm = SignUpForm & { email: string; locale: string; inviteCode: string }

/** Attempts to create the account, as another sign-up may take the username first. */
const MAX_ATTEMPTS = 3

/** As `register`, for an identity. Returns the user also when another request has created the account meanwhile. */
export async function registerIdentity(
  ctx: Context,
  identity: ProvenIdentity,
  form: IdentityForm,
  ip: string,
): Promise<IdentityUser | null> {
  for (let attempt = 1; ; attempt++) {
    try {
      await registerOnce(ctx, identity, form, ip)
      return await findByIdentity(ctx, identity)
    } catch (error) {
      const known = await findByIdentity(ctx, identity)
      if (known) return known
      const details = (error instanceof Invalid ? error.extra?.details : undefined) as ErrorDetails | undefined
      if (attempt === MAX_ATTEMPTS || !details?.username?.some((detail) => detail.error === 'ERR_TAKEN')) throw error
    }
  }
}

async function registerOnce(ctx: Context, identity: ProvenIdentity, form: IdentityForm, ip: string): Promise<void> {
  const { email, emailVerified, displayName } = identity
  const registration = {
    ...form,
    username: await freeUsername(ctx, identity.username),
    email: email ?? form.email,
    password: null,
    displayName,
    confirmed: emailVerified,
  }
  await register(ctx, registration, { ip, appId: null }, async (tx, { userId }) => {
    if (!(await insertIdentity(tx, identity, userId))) throw new Conflict()
    await deleteIdentitySignUps(tx, identity)
  })
}

/** Whether an account has the address that the provider names. */
export const isEmailTaken = async (ctx: Context, { email }: ProvenIdentity): Promise<boolean> =>
  email !== null && (await takenProblems(ctx, { email })).length > 0
