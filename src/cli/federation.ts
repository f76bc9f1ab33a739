import { HOST_LIMITS, listHostBudgets } from '../domain/peers/budgets.ts'
import { UsageError, type Command } from './command.ts'

const MOST_ROWS = 1000

/** rookery federation budgets: how much other servers made this one do. */
export const budgets: Command = {
  name: 'federation budgets',
  args: [],
  summary: 'Show how many requests and new accounts each host caused, by the hour',
  options: { hours: { type: 'string', value: 'N', help: 'look back so many hours, 24 unless given' } },
  async run({ ctx: open, values }) {
    const hours = String(values.hours ?? '24')
    if (!/^[1-9]\d{0,2}$/.test(hours)) throw new UsageError('--hours must be a number from 1 to 999')
    const hosts = await listHostBudgets(await open(), Number(hours), MOST_ROWS)
    const { requests, caused, accounts } = HOST_LIMITS
    const lines = hosts.map(
      (row) =>
        `${row.hour.toISOString().slice(0, 13)}h  ${row.host}: ${row.requests} requests, ${row.caused} caused, ${row.accounts} new accounts, ${row.refused} refused`,
    )
    const limits = `Per host and hour: ${requests} requests to it, ${caused} caused by it, ${accounts} new accounts.`
    return { text: [limits, ...lines].join('\n'), json: { limits: HOST_LIMITS, hosts } }
  },
}
