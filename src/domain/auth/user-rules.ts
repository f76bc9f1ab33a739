// What a name, an address and a password must be like, for whoever makes an account: sign-up, set-up, command line.
import type { Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'
import { isEmail } from '../../lib/email.ts'
import { blank, invalidValue, refuse, taken, tooLong, tooShort, type Problem } from './problems.ts'
import { message } from '../../messages/message.ts'

export const MAX_USERNAME = 30
export const MIN_PASSWORD = 8
/** Bytes, not characters: what the usual server's hash takes. */
const MAX_PASSWORD = 72

/** Names that would pass for the server or the people who run it. */
const RESERVED = new Set(
  `abuse account accounts admin administration administrator admins help helpdesk instance mastodon mod moderator moderators
  mods owner root rookery security server staff support webmaster`.split(/\s+/),
)

/** What is wrong with a username by itself. The people who run the server may take reserved names. */
function usernameProblems(ctx: Context, username: string, { mayBeReserved = false } = {}): Problem[] {
  if (username === '') return [blank('username')]
  const problems: Problem[] = []
  if (!/^[a-z0-9_]+$/i.test(username)) problems.push(invalidValue('username', message('username_characters')))
  if (username.length > MAX_USERNAME) problems.push(tooLong('username', MAX_USERNAME))
  const name = username.toLowerCase()
  // The server's own actor goes by the name of its domain.
  const isOurs = name === ctx.config.localDomain.replace(/:\d+$/, '')
  if (isOurs || (!mayBeReserved && RESERVED.has(name)))
    problems.push({ field: 'username', error: 'ERR_RESERVED', description: message('reserved') })
  return problems
}

/** What is wrong with a mail address: its form, its provider. */
export async function emailProblems(ctx: Context, email: string): Promise<Problem[]> {
  // Both, as Mastodon answers: clients show the one they know.
  if (email === '') return [blank('email'), invalidValue('email')]
  if (!isEmail(email)) return [invalidValue('email')]
  if (await isProviderBlocked(ctx, email))
    return [{ field: 'email', error: 'ERR_BLOCKED', description: message('blocked_provider') }]
  return []
}

/** What is wrong with a password. */
export function passwordProblems(password: string): Problem[] {
  if (password === '') return [blank('password')]
  if ([...password].length < MIN_PASSWORD) return [tooShort('password', MIN_PASSWORD)]
  if (Buffer.byteLength(password) > MAX_PASSWORD) return [tooLong('password', MAX_PASSWORD)]
  return []
}

/** Which of the two somebody else has already, in any case. */
export async function takenProblems(
  ctx: Context,
  { username, email }: { username?: string; email?: string },
): Promise<Problem[]> {
  const row = await ctx.db.one<{ username: boolean; email: boolean }>(sql`
    select exists (select from accounts where lower(username) = lower(${username ?? ''}) and coalesce(domain, '') = '') as username,
      exists (select from users where lower(email) = lower(${email ?? ''})) as email`)
  return [...(row.username ? [taken('username')] : []), ...(row.email ? [taken('email')] : [])]
}

/** All that is wrong with the name, address and password of a new user. */
export async function newUserProblems(
  ctx: Context,
  user: { username: string; email: string; password: string },
  options?: { mayBeReserved?: boolean },
): Promise<Problem[]> {
  const problems = [
    ...usernameProblems(ctx, user.username, options),
    ...(await emailProblems(ctx, user.email)),
    ...passwordProblems(user.password),
  ]
  const known = await takenProblems(ctx, user)
  return [...problems, ...known]
}

/** Refuses a bad new user whom somebody makes who may: on the command line, on the set-up page. Throws Invalid. */
export async function checkNewUser(
  ctx: Context,
  user: { username: string; email: string; password: string },
): Promise<void> {
  refuse(await newUserProblems(ctx, user, { mayBeReserved: true }))
}

async function isProviderBlocked(ctx: Context, email: string): Promise<boolean> {
  const labels = email
    .slice(email.lastIndexOf('@') + 1)
    .toLowerCase()
    .split('.')
  const domains = labels.map((_, i) => labels.slice(i).join('.'))
  return (
    (await ctx.db.maybe(sql`select from email_domain_blocks where domain = any(${domains}::text[]) limit 1`)) !== null
  )
}
