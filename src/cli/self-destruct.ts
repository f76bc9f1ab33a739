import { createInterface } from 'node:readline/promises'
import { deleteAccount } from '../actions/accounts/delete.ts'
import { changeSettings } from '../actions/server/settings.ts'
import { countLocalAccounts, localAccounts } from '../domain/accounts/batches.ts'
import { countServerStates } from '../domain/moderation/servers.ts'
import { CommandError, defineCommand } from './command.ts'
import { DRY_RUN, outcome, recordOutcome } from './outcome.ts'

/** Deletes every account, which tells every known server. The name of the domain must be typed. */
export const selfDestruct = defineCommand({
  name: 'self-destruct',
  args: [],
  options: { confirm: { type: 'string', value: 'DOMAIN' }, 'dry-run': DRY_RUN },
  async run({ t, open, config, values, progress }) {
    const ctx = await open()
    const total = await countLocalAccounts(ctx)
    const { all: servers } = await countServerStates(ctx)
    const { units, nothing_changed } = t.operations
    const all = { accounts: units.accounts({ count: total }), servers: units.servers({ count: servers }) }
    const text = t.operations.self_destruct_effects(all)
    if (values['dry-run'])
      return {
        text: `${text}\n${nothing_changed}`,
        json: { ...outcome(t, 'accounts', { count: total, dryRun: true }).json, servers },
      }
    const typed = values.confirm ?? (await ask(`${text}\n${t.operations.type_domain({ domain: config.localDomain })} `))
    if (typed.trim().toLowerCase() !== config.localDomain.toLowerCase())
      throw new CommandError(t.operations.wrong_domain({ domain: config.localDomain }))
    await changeSettings(ctx, null, { texts: { registrations_mode: 'none' } })
    let count = 0
    for await (const { id } of localAccounts(ctx)) {
      await deleteAccount(ctx, id)
      progress(t.operations.progress({ done: ++count, total }))
    }
    const { json } = await recordOutcome(ctx, t, 'self-destruct', 'accounts', { count, servers })
    return { text: t.operations.self_destructed({ ...all, accounts: units.accounts({ count }) }), json }
  },
})

/** Empty when the input is no terminal. */
async function ask(question: string): Promise<string> {
  if (!process.stdin.isTTY) return ''
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return await terminal.question(question)
  } finally {
    terminal.close()
  }
}
