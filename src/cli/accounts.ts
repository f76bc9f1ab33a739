import { sendConfirmation } from '../actions/auth/confirm-email.ts'
import { deleteAccount } from '../actions/accounts/delete.ts'
import { modifyUser, setRandomPassword } from '../actions/moderation/users.ts'
import { type UserChanges, type UserSummary, findUser, listUsers } from '../domain/auth/user-admin.ts'
import { type Command, CommandError, UsageError } from './command.ts'
import type { Context } from '../context.ts'
import { commandLineApp } from '../domain/auth/apps.ts'
import { parseScopes } from '../domain/auth/scopes.ts'
import { issueToken, newSecret } from '../domain/auth/tokens.ts'
import { removeSecondFactors } from '../domain/auth/two-factor.ts'
import { checkNewUser } from '../domain/auth/user-rules.ts'
import { ROLES, type RoleName, createUser } from '../domain/auth/users.ts'
import { getSettings } from '../domain/server/settings.ts'
import { isEmail } from '../lib/mail.ts'

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
function roleOf(value: unknown): RoleName {
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

/** The person of that name, with or without a leading @. Throws CommandError. */
async function userNamed(ctx: Context, name: string | undefined): Promise<UserSummary> {
  const username = (name ?? '').replace(/^@/, '')
  const user = await findUser(ctx, username)
  if (!user) throw new CommandError(`There is no account named ${username} here. See: rookery accounts list`)
  return user
}

/** rookery accounts list: the people of this server. */
export const list: Command = {
  name: 'accounts list',
  args: [],
  summary: 'List the accounts of this server, newest first',
  options: {
    limit: { type: 'string', value: 'N', help: 'how many', default: '100' },
    before: { type: 'string', value: 'ID', help: 'older than this user id: the next page' },
  },
  async run({ ctx: open, values }) {
    const limit = Number(values.limit)
    if (!Number.isInteger(limit) || limit < 1) throw new UsageError('--limit must be a whole number above 0')
    if (values.before !== undefined && !/^\d{1,18}$/.test(String(values.before)))
      throw new UsageError('--before must be a user id')
    const users = await listUsers(await open(), {
      limit,
      before: values.before === undefined ? null : String(values.before),
    })
    return { text: users.length === 0 ? 'Nobody lives here yet.' : table(users), json: users }
  },
}

function table(users: UserSummary[]): string {
  const rows = users.map((user) => [
    user.username,
    user.email,
    user.role,
    stateOf(user),
    user.created_at.toISOString().slice(0, 10),
    user.id,
  ])
  const all = [['NAME', 'E-MAIL', 'ROLE', 'STATE', 'SINCE', 'ID'], ...rows]
  const widths = all[0]!.map((_, column) => Math.max(...all.map((row) => row[column]!.length)))
  return all
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

function stateOf(user: UserSummary): string {
  if (user.disabled) return 'disabled'
  if (!user.confirmed) return 'unconfirmed'
  return user.approved ? 'active' : 'pending'
}

/** rookery accounts modify: role, address, and what stands in the way of signing in. */
export const modify: Command = {
  name: 'accounts modify',
  args: ['NAME'],
  summary: 'Change an account of this server',
  options: {
    email: { type: 'string', value: 'ADDRESS', help: 'new e-mail address' },
    role: { type: 'string', value: 'ROLE', help: 'user, moderator, admin or owner' },
    confirm: { type: 'boolean', help: 'take the e-mail address as confirmed' },
    approve: { type: 'boolean', help: 'approve a sign-up that waits' },
    disable: { type: 'boolean', help: 'lock the person out' },
    enable: { type: 'boolean', help: 'let the person in again' },
    'disable-2fa': { type: 'boolean', help: 'take away the authenticator app, passkeys and recovery codes' },
  },
  async run({ ctx: open, args, values }) {
    const changes: UserChanges = {}
    if (values.email !== undefined) {
      if (!isEmail(String(values.email))) throw new UsageError(`${values.email} is not an e-mail address`)
      changes.email = String(values.email)
    }
    if (values.role !== undefined) changes.role = roleOf(values.role)
    if (values.confirm) changes.confirmed = true
    if (values.approve) changes.approved = true
    if (values.disable && values.enable) throw new UsageError('--disable and --enable contradict each other')
    if (values.disable || values.enable) changes.disabled = values.disable === true
    const without2fa = values['disable-2fa'] === true
    if (Object.keys(changes).length === 0 && !without2fa)
      throw new UsageError('needs at least one change, such as --role admin')
    const ctx = await open()
    const user = await userNamed(ctx, args[0])
    await modifyUser(ctx, user.id, changes)
    if (without2fa) await removeSecondFactors(ctx, user.id)
    const now = await userNamed(ctx, user.username)
    return { text: `Changed @${now.username}.`, json: now }
  },
}

/** rookery accounts reset-password: a new random password, told once. */
export const resetPasswordOf: Command = {
  name: 'accounts reset-password',
  args: ['NAME'],
  summary: 'Give an account a new random password and sign it out everywhere',
  options: {},
  async run({ ctx: open, args }) {
    const ctx = await open()
    const user = await userNamed(ctx, args[0])
    const password = await setRandomPassword(ctx, user.id)
    return { text: `New password of @${user.username}: ${password}`, json: { username: user.username, password } }
  },
}

/** rookery accounts delete: somebody and all they wrote, for good. */
export const remove: Command = {
  name: 'accounts delete',
  args: ['NAME'],
  summary: 'Delete an account of this server with everything it posted. This cannot be undone',
  options: { yes: { type: 'boolean', short: 'y', help: 'yes, delete it' } },
  async run({ ctx: open, args, values }) {
    if (!values.yes) throw new UsageError('deletes for good: give --yes to go ahead')
    const ctx = await open()
    const user = await userNamed(ctx, args[0])
    await deleteAccount(ctx, user.account_id)
    return {
      text: `Deleted @${user.username}. The name stays taken; other servers will be told while the server runs.`,
      json: { id: user.account_id, username: user.username, deleted: true },
    }
  },
}
