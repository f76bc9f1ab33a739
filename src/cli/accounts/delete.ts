import { deleteAccount } from '../../actions/accounts/delete.ts'
import { UsageError, type Command } from '../command.ts'
import { userNamed } from './find.ts'

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
