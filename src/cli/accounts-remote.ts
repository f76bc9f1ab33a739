import { mergeAccounts } from '../actions/accounts/merge.ts'
import { cullAccount, refreshAccounts } from '../actions/operations/accounts.ts'
import { countRemoteAccounts, remoteAccountBatches } from '../domain/accounts/batches.ts'
import { shareKey } from '../domain/deletion/merge.ts'
import { deleteUnknownProfiles } from '../domain/clean-up/remote-content.ts'
import { type CommandCall, CommandError, defineCommand, UsageError } from './command.ts'
import { accountNamed, daysFrom, DAYS, domainFrom, DRY_RUN, outcome, recordOutcome, stepsOf } from './outcome.ts'

export const cull = defineCommand({
  name: 'accounts cull',
  args: ['DOMAIN|all'],
  options: { 'dry-run': DRY_RUN },
  async run({ t, open, args, values, progress }) {
    const domain = args[0] === 'all' ? null : domainFrom(t, args[0])
    const ctx = await open()
    const dryRun = values['dry-run']
    const total = await countRemoteAccounts(ctx, domain)
    const counts = { present: 0, deleted: 0, unreachable: 0 }
    const silent = new Set<string>()
    for await (const accounts of remoteAccountBatches(ctx, domain))
      for (const account of accounts) {
        // A server that does not answer says nothing about its accounts, and is not asked again.
        const result = silent.has(account.domain) ? 'unreachable' : await cullAccount(ctx, account, dryRun)
        if (result === 'unreachable') silent.add(account.domain)
        counts[result]++
        const done = counts.present + counts.deleted + counts.unreachable
        progress(t.operations.progress({ done, total }))
      }
    const { deleted: count, unreachable } = counts
    const result = await recordOutcome(ctx, t, 'accounts cull', 'accounts', { count, unreachable, dryRun })
    const more = silent.size > 0 ? `\n${t.operations.unreachable({ domains: [...silent].join(', ') })}` : ''
    return { text: result.text + more, json: { ...result.json, servers: [...silent] } }
  },
})

export const merge = defineCommand({
  name: 'accounts merge',
  args: ['FROM', 'TO'],
  options: { force: { type: 'boolean' }, 'dry-run': DRY_RUN },
  async run({ t, open, args, values }) {
    const ctx = await open()
    const [from, to] = [await accountNamed(t, ctx, args[0]), await accountNamed(t, ctx, args[1])]
    for (const [text = '', { domain }] of [[args[0], from] as const, [args[1], to] as const])
      if (domain === null) throw new UsageError(t.operations.not_remote_account({ text }))
    if (from.id === to.id) throw new UsageError(t.operations.same_account)
    const ids = { from: from.id, to: to.id }
    if (!values.force && !(await shareKey(ctx, ids))) throw new CommandError(t.operations.other_key)
    const dryRun = values['dry-run']
    if (!dryRun) await mergeAccounts(ctx, ids)
    return recordOutcome(ctx, t, 'accounts merge', 'accounts', { count: 1, from: args[0], to: args[1], dryRun })
  },
})

export const prune = defineCommand({
  name: 'accounts prune',
  args: [],
  options: { days: DAYS, 'dry-run': DRY_RUN },
  async run({ t, open, values, progress }) {
    const days = daysFrom(t, values.days, 7)
    const ctx = await open()
    const dryRun = values['dry-run']
    let count = 0
    for await (const { deleted } of stepsOf((after) => deleteUnknownProfiles(ctx, days, { after, dryRun }))) {
      count += deleted
      progress(t.operations.so_far({ count }))
    }
    return recordOutcome(ctx, t, 'accounts prune', 'accounts', { count, days, dryRun })
  },
})

export const refresh = defineCommand({
  name: 'accounts refresh',
  args: ['ACCOUNT|DOMAIN|all'],
  options: { 'dry-run': DRY_RUN },
  run: (call) => refreshNamed(call, 'accounts refresh'),
})

/** Jobs of the server do the work. */
export async function refreshNamed(
  { t, open, args, values, progress }: CommandCall<{ 'dry-run': typeof DRY_RUN }>,
  command: string,
): ReturnType<typeof recordOutcome> {
  const name = args[0] as string
  const notRemote = new UsageError(t.operations.not_remote({ text: name }))
  // A port, or an IPv6 address, needs no dot.
  if (name !== 'all' && !/[@.:]/.test(name.replace(/^@/, ''))) throw notRemote
  const ctx = await open()
  const dryRun = values['dry-run']
  if (name.replace(/^@/, '').includes('@')) {
    const { id, domain, uri } = await accountNamed(t, ctx, name)
    if (domain === null || uri === null) throw notRemote
    if (!dryRun) await refreshAccounts(ctx, [{ id }])
    return recordOutcome(ctx, t, command, 'accounts', { count: 1, account: name, dryRun })
  }
  const domain = name === 'all' ? null : domainFrom(t, name)
  if (domain === ctx.config.localDomain) throw notRemote
  const total = await countRemoteAccounts(ctx, domain)
  if (dryRun) return outcome(t, 'accounts', { count: total, dryRun })
  let count = 0
  for await (const accounts of remoteAccountBatches(ctx, domain)) {
    await refreshAccounts(ctx, accounts)
    count += accounts.length
    progress(t.operations.progress({ done: count, total }))
  }
  return recordOutcome(ctx, t, command, 'accounts', { count, of: name })
}
