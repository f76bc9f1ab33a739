import { sendConfirmation } from '../actions/auth/confirm-email.ts'
import { deleteAccount, eraseAgain } from '../actions/accounts/delete.ts'
import { disableSecondFactors, modifyUser, setRandomPassword } from '../actions/moderation/change-user.ts'
import { recordCommand } from '../actions/operations/record-command.ts'
import { type UserChanges, type UserSummary, findUser, listUsers } from '../domain/auth/user-admin.ts'
import { columns, CommandError, defineCommand, UsageError } from './command.ts'
import { LIMIT, limitFrom } from './outcome.ts'
import type { CliTexts } from '../messages/en/cli.ts'
import type { Context } from '../context.ts'
import { commandLineApp } from '../domain/auth/apps.ts'
import { parseScopes } from '../domain/auth/scopes.ts'
import { issueToken, newSecret } from '../domain/auth/tokens.ts'
import { checkNewUser } from '../domain/auth/user-rules.ts'
import { createUser, findDeletedAccount } from '../domain/auth/users.ts'
import { EVERYONE, findRoleNamed, listRoles, nameForCommands } from '../domain/roles/roles.ts'
import { getSettings } from '../domain/server/settings.ts'
import { isoDay } from '../lib/dates.ts'
import { isEmail } from '../lib/mail.ts'

const STAFF_ONLY = /^admin:/

export const create = defineCommand({
  name: 'accounts create',
  args: ['NAME'],
  options: {
    email: { type: 'string', value: 'ADDRESS' },
    password: { type: 'string', value: 'PASSWORD' },
    role: { type: 'string', value: 'ROLE', default: 'user' },
    confirmed: { type: 'boolean' },
    approved: { type: 'boolean' },
    reattach: { type: 'boolean' },
    token: {
      type: 'string',
      value: '"SCOPES"',
    },
  },
  async run({ t, open, args, values }) {
    if (!values.email) throw new UsageError(t.errors.needs({ what: '--email ADDRESS' }))
    const ctx = await open()
    const { id: roleId, name: role } = await roleNamed(t, ctx, values.role)
    const scopes = values.token === undefined ? null : scopesOf(t, values.token, roleId)
    const deleted = values.reattach ? await findDeletedAccount(ctx, args[0] as string) : null
    const username = deleted?.username ?? (args[0] as string)
    const password = values.password ?? newSecret().slice(0, 20)
    await checkNewUser(ctx, { username, email: values.email, password }, { mayBeTaken: deleted !== null })
    const confirmed = values.confirmed
    const approved =
      values.approved || roleId !== EVERYONE || (await getSettings(ctx)).registrations_mode !== 'approved'
    // Requests may have stored rows for the account since its deletion.
    if (deleted) await eraseAgain(ctx, { accountId: deleted.id, keepRecords: true })
    let token: string | null = null
    // As a whole: a password that was generated for an account and not printed is lost.
    const { accountId } = await createUser(
      ctx,
      { username, email: values.email, password, roleId, confirmed, approved, reattachTo: deleted?.id },
      async (tx, { userId }) => {
        if (!confirmed) await sendConfirmation(tx, userId)
        if (scopes !== null)
          token = (await issueToken(tx, { appId: (await commandLineApp(tx)).id, userId, scopes })).token
        await recordCommand(tx, 'accounts create', { username, role })
      },
    )
    const lines = [t.results.created({ handle: `@${username}@${ctx.config.localDomain}` })]
    if (values.password === undefined) lines.push(t.results.password({ password }))
    if (token !== null) lines.push(t.results.token({ token }))
    return {
      text: lines.join('\n'),
      json: {
        id: accountId,
        username,
        email: values.email,
        role,
        ...(values.password === undefined ? { password } : {}),
        ...(token === null ? {} : { token, scopes }),
      },
    }
  },
})

/** Throws UsageError, with all names. Returns the name as `listUsers` has it. */
async function roleNamed({ errors }: CliTexts, ctx: Context, name: string): Promise<{ id: string; name: string }> {
  const role = await findRoleNamed(ctx, name)
  if (!role) {
    const known = (await listRoles(ctx)).map(nameForCommands).join(', ')
    throw new UsageError(errors.no_role({ name, known }))
  }
  return { id: role.id, name: nameForCommands(role).toLowerCase() }
}

function scopesOf({ errors }: CliTexts, text: string, roleId: string): string[] {
  const scopes = parseScopes(text)
  if (scopes === null) throw new UsageError(errors.unknown_scope({ scopes: text }))
  if (roleId === EVERYONE && scopes.some((scope) => STAFF_ONLY.test(scope))) throw new CommandError(errors.admin_scopes)
  return scopes
}

/** `name` may begin with @. Throws CommandError. */
export async function userNamed({ errors }: CliTexts, ctx: Context, name: string | undefined): Promise<UserSummary> {
  const username = (name ?? '').replace(/^@/, '')
  const user = await findUser(ctx, username)
  if (!user) throw new CommandError(errors.no_account({ username }))
  return user
}

export const list = defineCommand({
  name: 'accounts list',
  args: [],
  options: {
    limit: LIMIT,
    before: { type: 'string', value: 'ID' },
  },
  async run({ t, open, values }) {
    const limit = limitFrom(t, values.limit)
    if (values.before !== undefined && !/^\d{1,18}$/.test(values.before))
      throw new UsageError(t.errors.user_id({ name: '--before' }))
    const users = await listUsers(await open(), {
      limit,
      before: values.before ?? null,
    })
    return { text: users.length === 0 ? t.results.no_accounts : table(t, users), json: users }
  },
})

function table({ results: t }: CliTexts, users: UserSummary[]): string {
  const { name, email, role, state, since, id } = t.columns
  const rows = users.map((user) => [
    user.username,
    user.email,
    user.role,
    t.states[stateOf(user)],
    isoDay(user.created_at),
    user.id,
  ])
  return columns([[name, email, role, state, since, id], ...rows], '')
}

function stateOf(user: UserSummary): keyof CliTexts['results']['states'] {
  if (user.suspended) return 'suspended'
  if (user.memorial) return 'memorial'
  if (user.disabled) return 'disabled'
  if (!user.confirmed) return 'unconfirmed'
  return user.approved ? 'active' : 'pending'
}

export const modify = defineCommand({
  name: 'accounts modify',
  args: ['NAME'],
  options: {
    email: { type: 'string', value: 'ADDRESS' },
    role: { type: 'string', value: 'ROLE' },
    confirm: { type: 'boolean' },
    approve: { type: 'boolean' },
    disable: { type: 'boolean' },
    enable: { type: 'boolean' },
    'disable-2fa': { type: 'boolean' },
  },
  async run({ t, open, args, values }) {
    const changes: UserChanges = {}
    if (values.email !== undefined) {
      if (!isEmail(values.email)) throw new UsageError(t.errors.no_email({ text: values.email }))
      changes.email = values.email
    }
    if (values.confirm) changes.confirmed = true
    if (values.approve) changes.approved = true
    if (values.disable && values.enable) throw new UsageError(t.errors.contradiction)
    if (values.disable || values.enable) changes.disabled = values.disable
    const without2fa = values['disable-2fa']
    if (Object.keys(changes).length === 0 && values.role === undefined && !without2fa)
      throw new UsageError(t.errors.no_change)
    const ctx = await open()
    if (values.role !== undefined) changes.roleId = (await roleNamed(t, ctx, values.role)).id
    const user = await userNamed(t, ctx, args[0])
    await modifyUser(ctx, user.account_id, changes)
    if (without2fa) await disableSecondFactors(ctx, null, user.account_id)
    const now = await userNamed(t, ctx, user.username)
    return { text: t.results.changed({ username: now.username }), json: now }
  },
})

/** Shows the new password once. */
export const resetPasswordOf = defineCommand({
  name: 'accounts reset-password',
  args: ['NAME'],
  options: {},
  async run({ t, open, args }) {
    const ctx = await open()
    const user = await userNamed(t, ctx, args[0])
    const password = await ctx.transaction(async (tx) => {
      const chosen = await setRandomPassword(tx, user.id)
      await recordCommand(tx, 'accounts reset-password', { username: user.username })
      return chosen
    })
    return {
      text: t.results.new_password({ username: user.username, password }),
      json: { username: user.username, password },
    }
  },
})

export const remove = defineCommand({
  name: 'accounts delete',
  args: ['NAME'],
  options: { yes: { type: 'boolean', short: 'y' } },
  async run({ t, open, args, values }) {
    if (!values.yes) throw new UsageError(t.errors.confirm_deletion)
    const ctx = await open()
    const user = await userNamed(t, ctx, args[0])
    await ctx.transaction(async (tx) => {
      await deleteAccount(tx, user.account_id)
      await recordCommand(tx, 'accounts delete', { username: user.username })
    })
    return {
      text: t.results.deleted({ username: user.username }),
      json: { id: user.account_id, username: user.username, deleted: true },
    }
  },
})
