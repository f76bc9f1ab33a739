// Signing in by password, and the second step that follows where the user has a second factor.
import type { Context } from '../../context.ts'
import type { Accounts, SignInSteps, Users } from '../../db/schema.ts'
import { sql, type Sql } from '../../db/sql.ts'
import { deleteOneTimeTokens } from './one-time.ts'
import { verifyPassword } from './passwords.ts'
import { newSecret } from './tokens.ts'
import { useTotp } from './totp.ts'
import { useRecoveryCode } from './two-factor.ts'
import { digestOf, stateColumns, stateOf, type StateRow, type UserState } from './viewer.ts'

const MAX_LOGIN = 320

const nameOf = (typed: string): string => typed.trim().replace(/^@/, '')

/** One spelling for logins that mean the same user: the key under which attempts are counted. */
export const loginOf = (typed: string): string => nameOf(typed).toLowerCase().slice(0, MAX_LOGIN)

/** An SQL expression; null for no user. `login`: a mail address or username, whose case does not matter. */
export function userWithLogin(login: string): Sql {
  const name = nameOf(login)
  return sql`coalesce((select id from users where lower(email) = lower(${name})), (
    select named.id from users named join accounts on accounts.id = named.account_id
    where lower(accounts.username) = lower(${name}) and coalesce(accounts.domain, '') = ''))`
}

type Contact = Pick<Users, 'id' | 'email'> & Pick<Accounts, 'username'>

/** `login`: a mail address or username, whose case does not matter. */
export const findByLogin = (ctx: Context, login: string): Promise<Contact | null> =>
  ctx.db.maybe<Contact>(sql`
    select u.id, u.email, a.username from users u join accounts a on a.id = u.account_id where u.id = ${userWithLogin(login)}`)

export const lockEmailAndName = (tx: Context, userId: string): Promise<Contact> =>
  tx.db.one<Contact>(sql`
    select u.id, u.email, a.username from users u join accounts a on a.id = u.account_id where u.id = ${userId} for no key update of u`)

/**
 * Null when login and password do not match, after the same time whether or not the user exists. Only the right password
 * reveals the user's state.
 */
export async function signIn(
  ctx: Context,
  login: string,
  password: string,
): Promise<{ userId: string; state: UserState; passwordHash: string | null } | null> {
  const row = await ctx.db.maybe<Pick<Users, 'id' | 'password_hash'> & StateRow>(sql`
    select u.id, u.password_hash, ${stateColumns}
    from users u join accounts a on a.id = u.account_id where u.id = ${userWithLogin(login)}`)
  const matches = await verifyPassword(password, row?.password_hash ?? null)
  return row && matches ? { userId: row.id, state: stateOf(row), passwordHash: row.password_hash } : null
}

export async function isPasswordOf(ctx: Context, userId: string, password: string): Promise<boolean> {
  const row = await ctx.db.maybe<Pick<Users, 'password_hash'>>(
    sql`select password_hash from users where id = ${userId}`,
  )
  return verifyPassword(password, row?.password_hash ?? null)
}

/**
 * Also invalidates everything that another person with the former password may have begun: links for a new password, sign-ins
 * that await their second step, an unconfirmed new mail address, and the key that was offered for an authenticator app.
 */
export async function storePassword(tx: Context, userId: string, passwordHash: string): Promise<void> {
  await tx.db.run(sql`update users set password_hash = ${passwordHash}, unconfirmed_email = null where id = ${userId}`)
  await deleteOneTimeTokens(tx, 'password', userId)
  await tx.db.run(sql`delete from sign_in_steps where user_id = ${userId}`)
  await tx.db.run(sql`delete from totp_keys where user_id = ${userId} and confirmed_at is null`)
}

const STEP_MINUTES = 10
/** Wrong codes after which the password is required again. */
const MAX_ATTEMPTS = 5

/**
 * `passwordHash`: of the right password; null after a sign-in at the identity provider. Returns the secret that identifies the
 * step. Null when a new password has replaced that one.
 */
export async function beginSecondStep(
  ctx: Context,
  userId: string,
  passwordHash: string | null,
): Promise<string | null> {
  const secret = newSecret()
  const begun = await ctx.db.run(sql`
    insert into sign_in_steps (digest, user_id, expires_at)
    select ${digestOf(secret)}::bytea, u.id, now() + make_interval(mins => ${STEP_MINUTES}::int) from users u
    where u.id = ${userId} and u.password_hash is not distinct from coalesce(${passwordHash}::text, u.password_hash) for share`)
  return begun > 0 ? secret : null
}

/** Returns the user's id; null when the step is finished, has expired, or failed too often. */
export async function findSecondStep(ctx: Context, secret: string): Promise<string | null> {
  const row = await ctx.db.maybe<Pick<SignInSteps, 'user_id'>>(sql`
    select user_id from sign_in_steps where digest = ${digestOf(secret)} and expires_at > now() and attempts < ${MAX_ATTEMPTS}`)
  return row?.user_id ?? null
}

/** Whether the step has ended because of wrong codes. */
export const isSecondStepSpent = async (ctx: Context, secret: string): Promise<boolean> =>
  (await ctx.db.maybe(sql`
    select from sign_in_steps where digest = ${digestOf(secret)} and attempts >= ${MAX_ATTEMPTS}`)) !== null

/** `code`: of the authenticator app or a recovery code. Returns the user's id; null for a wrong code. The step goes on. */
export async function takeSecondStep(ctx: Context, secret: string, code: string): Promise<string | null> {
  // Counted before the code is checked, so that simultaneous requests get no further attempts.
  const step = await ctx.db.maybe<Pick<SignInSteps, 'user_id'>>(sql`
    update sign_in_steps set attempts = attempts + 1
    where digest = ${digestOf(secret)} and expires_at > now() and attempts < ${MAX_ATTEMPTS} returning user_id`)
  if (!step) return null
  const isValid = (await useTotp(ctx, step.user_id, code)) || (await useRecoveryCode(ctx, step.user_id, code))
  return isValid ? step.user_id : null
}

/** What a sign-in rests on: the hash of the password that was right, or the secret of the second step, which it ends. */
export type SignInProof = { passwordHash: string | null } | { step: string }

/**
 * False when a new password has ended the proof. Otherwise another one is stored only after the transaction, and then ends the
 * session or revokes the token that this transaction creates.
 */
export async function useProof(tx: Context, userId: string, proof: SignInProof): Promise<boolean> {
  const valid =
    'step' in proof
      ? sql`delete from sign_in_steps where digest = ${digestOf(proof.step)} and user_id = ${userId} returning 1`
      : sql`select from users where id = ${userId} and password_hash = ${proof.passwordHash} for share`
  return (await tx.db.maybe(valid)) !== null
}
