import { parseServerDomain } from '../domain/peers/domain-names.ts'
import { createDomainBlock, endDomainBlock, findPrecedingBlock } from '../actions/moderation/domain-blocks.ts'
import { purgeServer } from '../actions/moderation/servers.ts'
import { BLOCK_SEVERITIES, findDomainBlocks } from '../domain/moderation/domain-blocks.ts'
import { estimateBlock, estimatePurge } from '../domain/moderation/dry-run.ts'
import { countServerStates, getServer, listServers, listSoftware } from '../domain/moderation/servers.ts'
import { refreshNodeInfo } from '../domain/peers/node-info.ts'
import { NotFound } from '../lib/errors.ts'
import { columns, CommandError, defineCommand, UsageError } from './command.ts'
import { choiceFrom, domainFrom, DRY_RUN, LIMIT, limitFrom, outcome, recordOutcome } from './outcome.ts'

const PAGE = 200

export const blockServer = defineCommand({
  name: 'domains block',
  args: ['DOMAIN'],
  options: {
    severity: { type: 'string', value: 'SEVERITY', default: 'suspend' },
    'reject-media': { type: 'boolean' },
    'reject-reports': { type: 'boolean' },
    comment: { type: 'string', value: 'TEXT' },
    'public-comment': { type: 'string', value: 'TEXT' },
    'dry-run': DRY_RUN,
  },
  async run({ t, open, args, values }) {
    const domain = domainFrom(t, args[0])
    const severity = choiceFrom(t, '--severity', values.severity, BLOCK_SEVERITIES)
    const ctx = await open()
    parseServerDomain(ctx, domain)
    const measures = {
      domain,
      severity,
      reject_media: values['reject-media'],
      reject_reports: values['reject-reports'],
    }
    const blockedAlready = (by: { domain: string }): CommandError =>
      new CommandError(t.operations.blocked_already({ domain: by.domain }))
    const existing = await findPrecedingBlock(ctx, measures)
    if (existing) throw blockedAlready(existing)
    const dryRun = values['dry-run']
    const { named: _, ...estimated } = await estimateBlock(ctx, [domain])
    // Only a suspension ends follows.
    const keepsFollows = severity !== 'suspend'
    const effects = { ...estimated, ...(keepsFollows && { following: 0, followers: 0, localAccounts: 0 }) }
    const text = `${outcome(t, 'servers', { count: 1, dryRun }).text} ${t.operations.block_effects(effects)}`
    const facts = { domain, dry_run: dryRun, effects }
    if (dryRun) return { text, json: facts }
    const made = await createDomainBlock(ctx, null, {
      ...measures,
      obfuscate: false,
      private_comment: values.comment ?? '',
      public_comment: values['public-comment'] ?? '',
    })
    if ('existing' in made) throw blockedAlready(made.existing)
    return { text, json: { ...facts, id: made.id } }
  },
})

export const unblockServer = defineCommand({
  name: 'domains unblock',
  args: ['DOMAIN'],
  options: { 'restore-follows': { type: 'boolean' }, 'dry-run': DRY_RUN },
  async run({ t, open, args, values }) {
    const domain = domainFrom(t, args[0])
    const ctx = await open()
    const [existing] = await findDomainBlocks(ctx, [domain])
    if (!existing) throw new CommandError(t.operations.not_blocked({ domain }))
    const dryRun = values['dry-run']
    if (!dryRun) await endDomainBlock(ctx, null, existing.id, { restoreFollows: values['restore-follows'] })
    return outcome(t, 'servers', { count: 1, dryRun, domain })
  },
})

export const purge = defineCommand({
  name: 'domains purge',
  args: ['DOMAIN...'],
  options: { yes: { type: 'boolean', short: 'y' }, 'dry-run': DRY_RUN },
  async run({ t, open, args, values }) {
    const domains = [...new Set(args.map((text) => domainFrom(t, text)))]
    const ctx = await open()
    const dryRun = values['dry-run']
    if (!dryRun && !values.yes) throw new UsageError(t.errors.confirm_deletion)
    // A mistyped name leaves all of them as they are.
    for (const domain of domains)
      await getServer(ctx, domain).catch((error: unknown) => {
        throw error instanceof NotFound ? new CommandError(t.operations.unknown_server({ domain })) : error
      })
    const effects = await estimatePurge(ctx, domains)
    if (!dryRun) for (const domain of domains) await purgeServer(ctx, null, domain)
    const { accounts, statuses } = effects
    const { text, json } = outcome(t, 'servers', { count: domains.length, dryRun, domains, accounts, statuses })
    return { text: `${text} ${t.operations.block_effects(effects)}`, json }
  },
})

export const stats = defineCommand({
  name: 'domains stats',
  args: [],
  options: { limit: LIMIT },
  async run({ t, open, values }) {
    const limit = limitFrom(t, values.limit)
    const { servers } = await listServers(await open(), {}, { limit, offset: 0 })
    const head = t.operations.server_columns
    const rows = servers.map((server) => [
      server.domain,
      server.software ?? '–',
      ...[server.accounts, server.following, server.followers, server.delivered, server.failed].map(String),
    ])
    const titles = [
      head.domain,
      head.software,
      head.accounts,
      head.following,
      head.followers,
      head.delivered,
      head.failed,
    ]
    return { text: columns([titles, ...rows], ''), json: servers }
  },
})

/** Asks each known server what software it runs and how many users it has. */
export const crawl = defineCommand({
  name: 'domains crawl',
  args: [],
  options: { 'dry-run': DRY_RUN },
  async run({ t, open, values, progress }) {
    const ctx = await open()
    const { all: total } = await countServerStates(ctx)
    if (values['dry-run']) return outcome(t, 'servers', { count: total, dryRun: true })
    let count = 0
    for (let offset = 0; ; offset += PAGE) {
      const { servers, hasMore } = await listServers(ctx, {}, { limit: PAGE, offset })
      for (const { domain } of servers) {
        await refreshNodeInfo(ctx, { domain })
        progress(t.operations.progress({ done: ++count, total }))
      }
      if (!hasMore) break
    }
    const software = await listSoftware(ctx)
    const result = await recordOutcome(ctx, t, 'domains crawl', 'servers', { count })
    const list = columns(software.map((row) => [row.software, String(row.count)]))
    return { text: `${result.text}\n${list}`.trimEnd(), json: { ...result.json, software } }
  },
})
