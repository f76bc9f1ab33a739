import { HOST_LIMITS, listHostBudgets } from '../domain/peers/budgets.ts'
import { columns, defineCommand } from './command.ts'
import { numberFrom } from './outcome.ts'

const MAX_ROWS = 1000

export const budgets = defineCommand({
  name: 'federation budgets',
  args: [],
  options: { hours: { type: 'string', value: 'N' } },
  async run({ t, open, values }) {
    const hours = numberFrom(t, '--hours', values.hours ?? 24, { max: 999 })
    const hosts = await listHostBudgets(await open(), hours, MAX_ROWS)
    const { requests, caused, accounts, refused } = t.results
    const lines = hosts.map((row) => [
      `${row.hour.toISOString().slice(0, 13)}h`,
      `${row.host}:`,
      requests({ count: row.requests }),
      caused({ count: row.caused }),
      accounts({ count: row.accounts }),
      refused({ count: row.refused }),
    ])
    const limits = t.results.limits(HOST_LIMITS)
    return { text: [limits, columns(lines, '')].join('\n').trimEnd(), json: { limits: HOST_LIMITS, hosts } }
  },
})
