// Blocks of IP addresses, e-mail providers and e-mail addresses for sign-ups, and of IP addresses for all requests.
import { unblockEmails } from '../actions/admin/canonical-email-blocks.ts'
import { blockEmailDomain, unblockEmailDomains } from '../actions/admin/email-domain-blocks.ts'
import { blockIp, removeIpBlocks } from '../actions/admin/ip-blocks.ts'
import { newestPage } from '../db/page.ts'
import { findCanonicalEmailBlocks, findReferenceAccounts } from '../domain/registration/canonical-email-blocks.ts'
import {
  checkEmailProvider,
  findEmailDomainBlocks,
  findParentDomains,
  listEmailDomainBlocks,
  mailServersOf,
} from '../domain/registration/email-domain-blocks.ts'
import {
  findIpBlocks,
  IP_BLOCK_SEVERITIES,
  listIpBlocks,
  listNoAccessRanges,
  MAX_IP_BLOCK_DURATION,
} from '../domain/registration/ip-blocks.ts'
import { isoDay } from '../lib/dates.ts'
import { Invalid } from '../lib/errors.ts'
import { isEmail } from '../lib/mail.ts'
import type { CliTexts } from '../messages/en/cli.ts'
import { plainRange } from '../net/ranges.ts'
import { columns, CommandError, defineCommand, UsageError } from './command.ts'
import { choiceFrom, DRY_RUN, choicesIn, LIMIT, limitFrom, numberFrom, outcome } from './outcome.ts'

/** Names the addresses that were `skipped`, as they had or lacked a block already. Throws CommandError when all were. */
function outcomeWithSkipped(
  t: CliTexts,
  { count, dryRun = false, skipped }: { count: number; dryRun?: boolean; skipped: readonly string[] },
  why: keyof CliTexts['operations']['skipped'],
): ReturnType<typeof outcome> {
  const left = skipped.length > 0 ? t.operations.skipped[why]({ names: skipped.join(', ') }) : ''
  if (count === 0) throw new CommandError(left)
  const { text, json } = outcome(t, 'blocks', { count, dryRun, skipped })
  return { text: left === '' ? text : `${text}\n${left}`, json }
}

export const listIps = defineCommand({
  name: 'ip-blocks list',
  args: [],
  options: { limit: LIMIT },
  async run({ t, open, values }) {
    const limit = limitFrom(t, values.limit)
    const blocks = await listIpBlocks(await open(), newestPage(limit))
    const { range, severity, until, since, comment, never } = t.operations.registration_columns
    const rows = blocks.map((block) => [
      block.ip,
      block.severity,
      block.expires_at === null ? never : block.expires_at.toISOString(),
      isoDay(block.created_at),
      block.comment,
    ])
    return { text: columns([[range, severity, until, since, comment], ...rows], ''), json: blocks }
  },
})

/** Throws UsageError. */
const rangesFrom = ({ operations }: CliTexts, texts: readonly string[]): string[] => [
  ...new Set(
    texts.map((text) => {
      const range = plainRange(text)
      if (range === null) throw new UsageError(operations.no_range({ text }))
      return range
    }),
  ),
]

export const addIps = defineCommand({
  name: 'ip-blocks add',
  args: ['ADDRESS|RANGE...'],
  options: {
    severity: { type: 'string', value: 'SEVERITY' },
    comment: { type: 'string', value: 'TEXT' },
    duration: { type: 'string', value: 'SECONDS' },
  },
  async run({ t, open, args, values }) {
    const ranges = rangesFrom(t, args)
    const severity = choiceFrom(t, '--severity', values.severity, IP_BLOCK_SEVERITIES)
    const expiresIn =
      values.duration === undefined
        ? null
        : numberFrom(t, '--duration', values.duration, { max: MAX_IP_BLOCK_DURATION })
    const comment = values.comment ?? ''
    const ctx = await open()
    const skipped = (await findIpBlocks(ctx, ranges)).flatMap(({ range, ids }) => (ids.length > 0 ? [range] : []))
    const remaining = ranges.filter((ip) => !skipped.includes(ip))
    for (const ip of remaining) await blockIp(ctx, { staffId: null, ip: null }, { ip, severity, comment, expiresIn })
    return outcomeWithSkipped(t, { count: remaining.length, skipped }, 'blocked')
  },
})

export const removeIps = defineCommand({
  name: 'ip-blocks remove',
  args: ['ADDRESS|RANGE...'],
  options: { covering: { type: 'boolean' }, 'dry-run': DRY_RUN },
  async run({ t, open, args, values }) {
    const ranges = rangesFrom(t, args)
    const ctx = await open()
    const blocks = await findIpBlocks(ctx, ranges, { covering: values.covering })
    const dryRun = values['dry-run']
    const ids = [...new Set(blocks.flatMap((found) => found.ids))]
    if (ids.length > 0 && !dryRun) await removeIpBlocks(ctx, null, ids)
    const skipped = blocks.flatMap(({ range, ids: found }) => (found.length === 0 ? [range] : []))
    return outcomeWithSkipped(t, { count: ids.length, dryRun, skipped }, 'not_blocked')
  },
})

const FORMATS = {
  plain: (range: string) => range,
  nginx: (range: string) => `deny ${range};`,
}

/** Prints the ranges that the server refuses altogether, for a firewall or a proxy; not the blocks of sign-ups. */
export const exportIps = defineCommand({
  name: 'ip-blocks export',
  args: [],
  options: { format: { type: 'string', value: 'FORMAT', default: 'plain' } },
  async run({ t, open, values }) {
    const format = FORMATS[choiceFrom(t, '--format', values.format, choicesIn(FORMATS))]
    const ranges = (await listNoAccessRanges(await open())).map(({ ip }) => ip)
    return { text: ranges.map(format).join('\n'), json: ranges }
  },
})

export const listEmailDomains = defineCommand({
  name: 'email-domain-blocks list',
  args: [],
  options: { limit: LIMIT },
  async run({ t, open, values }) {
    const limit = limitFrom(t, values.limit)
    const ctx = await open()
    const blocks = await listEmailDomainBlocks(ctx, newestPage(limit))
    const parents = await findParentDomains(ctx, blocks)
    const texts = t.operations.registration_columns
    const rows = blocks.map((block) => [
      block.domain,
      block.allow_with_approval ? texts.with_approval : texts.refused,
      parents.get(block.parent_id ?? '') ?? '–',
      isoDay(block.created_at),
    ])
    return {
      text: columns([[texts.domain, texts.sign_ups, texts.mail_server_of, texts.since], ...rows], ''),
      json: blocks,
    }
  },
})

/** Throws UsageError. */
const emailDomainsFrom = ({ operations }: CliTexts, texts: readonly string[]): string[] => [
  ...new Set(
    texts.map((text) => {
      try {
        return checkEmailProvider(text)
      } catch (error) {
        if (error instanceof Invalid) throw new UsageError(operations.no_domain({ text }))
        throw error
      }
    }),
  ),
]

export const addEmailDomains = defineCommand({
  name: 'email-domain-blocks add',
  args: ['DOMAIN...'],
  options: { 'allow-with-approval': { type: 'boolean' }, 'with-dns-records': { type: 'boolean' } },
  async run({ t, open, args, values }) {
    const domains = emailDomainsFrom(t, args)
    const allowWithApproval = values['allow-with-approval']
    const ctx = await open()
    const skipped = (await findEmailDomainBlocks(ctx, domains)).map(({ domain }) => domain)
    const remaining = domains.filter((domain) => !skipped.includes(domain))
    for (const domain of remaining) {
      const servers = values['with-dns-records'] ? await mailServersOf(ctx, domain) : []
      const mailServers = servers.flatMap(({ host, addresses }) => [host, ...addresses])
      await blockEmailDomain(ctx, null, { domain, allowWithApproval, mailServers })
    }
    return outcomeWithSkipped(t, { count: remaining.length, skipped }, 'blocked')
  },
})

export const removeEmailDomains = defineCommand({
  name: 'email-domain-blocks remove',
  args: ['DOMAIN...'],
  options: { 'dry-run': DRY_RUN },
  async run({ t, open, args, values }) {
    const domains = emailDomainsFrom(t, args)
    const ctx = await open()
    const blocks = await findEmailDomainBlocks(ctx, domains)
    const dryRun = values['dry-run']
    const ids = blocks.map(({ id }) => id)
    if (ids.length > 0 && !dryRun) await unblockEmailDomains(ctx, null, ids)
    const skipped = domains.filter((name) => !blocks.some(({ domain }) => domain === name))
    return outcomeWithSkipped(t, { count: ids.length, dryRun, skipped }, 'not_blocked')
  },
})

/** Throws UsageError. */
function emailFrom({ errors }: CliTexts, text = ''): string {
  if (!isEmail(text)) throw new UsageError(errors.no_email({ text }))
  return text
}

export const findEmail = defineCommand({
  name: 'canonical-email-blocks find',
  args: ['EMAIL'],
  options: {},
  async run({ t, open, args }) {
    const email = emailFrom(t, args[0])
    const ctx = await open()
    const blocks = await findCanonicalEmailBlocks(ctx, email)
    const ids = blocks.map(({ id }) => id)
    const accounts = [...(await findReferenceAccounts(ctx, ids)).values()]
    const json = { email, blocked: blocks.length > 0, blocks, accounts }
    if (!json.blocked) return { text: t.operations.skipped.not_blocked({ names: email }), json }
    const lines = [
      t.operations.email_blocked({ email }),
      ...accounts.map(({ username }) => t.operations.email_of({ username })),
    ]
    return { text: lines.join('\n'), json }
  },
})

export const removeEmail = defineCommand({
  name: 'canonical-email-blocks remove',
  args: ['EMAIL'],
  options: { 'dry-run': DRY_RUN },
  async run({ t, open, args, values }) {
    const email = emailFrom(t, args[0])
    const ctx = await open()
    const ids = (await findCanonicalEmailBlocks(ctx, email)).map(({ id }) => id)
    const dryRun = values['dry-run']
    if (ids.length > 0 && !dryRun) await unblockEmails(ctx, null, ids)
    return outcomeWithSkipped(t, { count: ids.length, dryRun, skipped: ids.length > 0 ? [] : [email] }, 'not_blocked')
  },
})
