import { listUsers, type UserSummary } from '../../actions/moderation/users.ts'
import { UsageError, type Command } from '../command.ts'

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
