import { removeSecondFactors } from '../../domain/auth/two-factor.ts'
import { modifyUser, type UserChanges } from '../../actions/moderation/users.ts'
import { isEmail } from '../../lib/email.ts'
import { UsageError, type Command } from '../command.ts'
import { roleOf } from './create.ts'
import { userNamed } from './find.ts'

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
