import { commandLineApp } from '../../domain/auth/apps.ts'
import { sendConfirmation } from '../../domain/auth/confirmation.ts'
import { parseScopes } from '../../domain/auth/scopes.ts'
import { issueToken, newSecret } from '../../domain/auth/tokens.ts'
import { checkNewUser } from '../../domain/auth/user-rules.ts'
import { createUser, ROLES, type RoleName } from '../../domain/auth/users.ts'
import { getSettings } from '../../domain/server/settings.ts'
import { CommandError, UsageError, type Command } from '../command.ts'

const STAFF_ONLY = /^admin:/

/** rookery accounts create: somebody new, and at wish a token to use at once. */
export const create: Command = {
  name: 'accounts create',
  args: ['NAME'],
  summary: 'Create an account on this server',
  options: {
    email: { type: 'string', value: 'ADDRESS', help: 'e-mail address (needed)' },
    password: { type: 'string', value: 'PASSWORD', help: 'password; a random one is made and shown without it' },
    role: { type: 'string', value: 'ROLE', help: 'user, moderator, admin or owner', default: 'user' },
    confirmed: { type: 'boolean', help: 'the address needs no confirmation; without it, a mail asks for one' },
    approved: { type: 'boolean', help: 'no approval is needed' },
    token: {
      type: 'string',
      value: '"SCOPES"',
      help: 'make an access token with these scopes, such as "read write follow push"',
    },
  },
  async run({ ctx: open, args, values }) {
    const role = roleOf(values.role)
    const scopes = values.token === undefined ? null : scopesOf(String(values.token), role)
    if (!values.email) throw new UsageError('needs --email ADDRESS')
    const ctx = await open()
    const username = args[0] as string
    const password = typeof values.password === 'string' ? values.password : newSecret().slice(0, 20)
    await checkNewUser(ctx, { username, email: String(values.email), password })
    const confirmed = values.confirmed === true
    const approved =
      values.approved === true || role !== 'user' || (await getSettings(ctx)).registrations_mode !== 'approved'
    const { accountId, userId } = await createUser(
      ctx,
      { username, email: String(values.email), password, role, confirmed, approved },
      confirmed ? undefined : (tx, ids) => sendConfirmation(tx, ids.userId),
    )
    const token =
      scopes === null ? null : (await issueToken(ctx, { appId: (await commandLineApp(ctx)).id, userId, scopes })).token
    const lines = [`Created @${username}@${ctx.config.localDomain}.`]
    if (typeof values.password !== 'string') lines.push(`Password: ${password}`)
    if (token !== null) lines.push(`Access token: ${token}`)
    return {
      text: lines.join('\n'),
      json: {
        id: accountId,
        username,
        email: values.email,
        role,
        ...(typeof values.password === 'string' ? {} : { password }),
        ...(token === null ? {} : { token, scopes }),
      },
    }
  },
}

/** The role of that name. Throws UsageError. */
export function roleOf(value: unknown): RoleName {
  if (typeof value !== 'string' || !Object.hasOwn(ROLES, value))
    throw new UsageError(`--role must be one of ${Object.keys(ROLES).join(', ')}`)
  return value as RoleName
}

function scopesOf(text: string, role: RoleName): string[] {
  const scopes = parseScopes(text)
  if (scopes === null) throw new UsageError(`--token: one of these scopes does not exist: ${text}`)
  if (role === 'user' && scopes.some((scope) => STAFF_ONLY.test(scope)))
    throw new CommandError('admin scopes are for moderators, admins and owners: give --role as well.')
  return scopes
}
