import { domainToASCII } from 'node:url'
import type { Context } from '../../context.ts'
import { refuseDuplicate } from '../../db/database.ts'
import { type Pagination, newestFirst, onPage } from '../../db/page.ts'
import type { EmailDomainBlocks } from '../../db/schema.ts'
import { sql, today } from '../../db/sql.ts'
import { invalidFieldWithDetails, NotFound } from '../../lib/errors.ts'
import { findMailServers, type MailServer } from '../../net/mail-servers.ts'
import { plainAddress } from '../../net/ranges.ts'
import { parentDomains } from '../peers/domain-policy.ts'

/** `parent_id`: of the domain whose mail server this is. */
export type EmailDomainBlock = Pick<
  EmailDomainBlocks,
  'id' | 'domain' | 'created_at' | 'allow_with_approval' | 'parent_id'
>

const columns = sql`id, domain, created_at, allow_with_approval, parent_id`

export async function listEmailDomainBlocks(ctx: Context, page: Pagination): Promise<EmailDomainBlock[]> {
  const rows = await ctx.db.many<EmailDomainBlock>(
    sql`select ${columns} from email_domain_blocks where ${onPage(sql`id`, page)}`,
  )
  return newestFirst(rows, page)
}

/** `domains`: as `checkEmailProvider` returns them. */
export const findEmailDomainBlocks = (ctx: Context, domains: readonly string[]): Promise<EmailDomainBlock[]> =>
  ctx.db.many<EmailDomainBlock>(
    sql`select ${columns} from email_domain_blocks where domain = any(${domains}::text[]) order by id`,
  )

/** Throws NotFound. */
export async function getEmailDomainBlock(ctx: Context, id: string): Promise<EmailDomainBlock> {
  const row = await ctx.db.maybe<EmailDomainBlock>(sql`select ${columns} from email_domain_blocks where id = ${id}`)
  if (!row) throw new NotFound()
  return row
}

export type EmailDomainBlockValues = {
  domain: string
  allowWithApproval?: boolean
  /** Hosts and addresses of its mail servers that are blocked too; existing blocks of them stay as they are. */
  mailServers?: readonly string[]
}

/** Throws Invalid, also for a domain that is blocked. */
export async function insertEmailDomainBlock(tx: Context, values: EmailDomainBlockValues): Promise<EmailDomainBlock> {
  const { allowWithApproval = false, mailServers = [] } = values
  const domain = checkEmailProvider(values.domain)
  const others = [...new Set(mailServers.map(checkEmailProvider))].filter((name) => name !== domain)
  return refuseDuplicate('domain', async () => {
    const block = await tx.db.one<EmailDomainBlock>(sql`
      insert into email_domain_blocks (domain, allow_with_approval) values (${domain}, ${allowWithApproval}) returning ${columns}`)
    if (others.length > 0)
      await tx.db.run(sql`
        insert into email_domain_blocks (domain, allow_with_approval, parent_id)
        select name, ${allowWithApproval}, ${block.id} from unnest(${others}::text[]) as name on conflict do nothing`)
    return block
  })
}

/** Returns those that existed. The mail servers that were blocked along with them are unblocked, too. */
export const deleteEmailDomainBlocks = (tx: Context, ids: readonly string[]): Promise<EmailDomainBlock[]> =>
  tx.db.many<EmailDomainBlock>(
    sql`delete from email_domain_blocks where id = any(${ids}::bigint[]) returning ${columns}`,
  )

/** Throws Invalid for a text that is neither a domain nor an address. */
export function checkEmailProvider(text: string): string {
  const typed = text.trim().replace(/^@/, '').replace(/\.$/, '')
  if (typed === '') throw invalidFieldWithDetails('domain', 'blank')
  const address = plainAddress(typed)
  if (address !== null) return address
  // The parser of URLs takes numbers for addresses, and a path or port for the end of the name.
  const domain = /[\s/:?#@[\]\\%]/.test(typed) || /^[\d.]+$/.test(typed) ? '' : domainToASCII(typed)
  const labels = domain.split('.')
  const isDomain = domain.length <= 253 && labels.every((label) => /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/.test(label))
  if (!isDomain) throw invalidFieldWithDetails('domain', 'domain_invalid')
  return domain
}

/** The hosts that receive a domain's mail, for a block of them all. */
export const mailServersOf = async (ctx: Context, domain: string): Promise<MailServer[]> =>
  plainAddress(domain) === null ? (await findMailServers(domain, ctx.config.dnsServers)).servers : []

/** `ip`: null unless it is a sign-up. `invited`: with a valid invitation. */
export type SignUpAttempt = { ip?: string | null; invited?: boolean }

export type EmailDomainDecision = 'blocked' | 'unreachable' | 'approval' | null

/**
 * What the blocks say about an address: its domain, the hosts that receive its mail, all of their parent domains, and the
 * addresses of these hosts are looked up. With `ip`, the address of the sign-up, the attempt counts in the history of the blocks.
 * As in Mastodon, a block of the domain itself refuses no invited person. An address is `unreachable` when no host receives its
 * mail, on servers that send mail.
 */
export async function checkEmailDomain(
  ctx: Context,
  email: string,
  { ip = null, invited = false }: SignUpAttempt = {},
): Promise<EmailDomainDecision> {
  const typed = email.slice(email.lastIndexOf('@') + 1).toLowerCase()
  const domain = domainToASCII(typed) || typed
  const hasBlocks = (await ctx.db.maybe(sql`select from email_domain_blocks limit 1`)) !== null
  if (!hasBlocks && ctx.config.smtp === null) return null
  const { servers, isUnreachable } = await findMailServers(domain, ctx.config.dnsServers)
  const otherwise = isUnreachable && ctx.config.smtp !== null ? 'unreachable' : null
  if (!hasBlocks) return otherwise
  const names = [domain, ...servers.map(({ host }) => host)].flatMap(parentDomains)
  const candidates = [...new Set([...names, ...servers.flatMap(({ addresses }) => addresses)])]
  const blocks = await ctx.db.many<Pick<EmailDomainBlocks, 'id' | 'domain' | 'allow_with_approval'>>(
    sql`select id, domain, allow_with_approval from email_domain_blocks where domain = any(${candidates}::text[])`,
  )
  if (blocks.length === 0) return otherwise
  const address = ip === null ? null : plainAddress(ip)
  if (address !== null)
    await ctx.db.run(sql`
      insert into email_domain_block_attempts (block_id, day, ip)
      select block_id, ${today}, ${address}::inet from unnest(${blocks.map(({ id }) => id)}::bigint[]) as block_id
      on conflict (block_id, day, ip) do update set uses = email_domain_block_attempts.uses + 1`)
  const ignored = invited ? parentDomains(domain) : []
  if (blocks.some((block) => !block.allow_with_approval && !ignored.includes(block.domain))) return 'blocked'
  return otherwise ?? (blocks.some(({ allow_with_approval }) => allow_with_approval) ? 'approval' : null)
}

/** `accounts`: different addresses that tried. */
export type AttemptDay = { block_id: string; /** Unix time. */ day: string; accounts: number; uses: number }

/** The last seven days of each block, the newest first. Days without attempts have zeros. */
export async function readAttempts(ctx: Context, ids: readonly string[]): Promise<Map<string, AttemptDay[]>> {
  const rows = await ctx.db.many<AttemptDay>(sql`
    select block_id, extract(epoch from day)::bigint::text as day, count(a.ip)::int as accounts, coalesce(sum(a.uses), 0)::int as uses
    from unnest(${ids}::bigint[]) as block_id
      cross join (select ${today} - n as day from generate_series(0, 6) as n) as days
      left join email_domain_block_attempts a using (block_id, day)
    group by block_id, days.day order by block_id, days.day desc`)
  return Map.groupBy(rows, ({ block_id }) => block_id)
}

/** The domains, by id, of which the given blocks are mail servers. */
export async function findParentDomains(
  ctx: Context,
  blocks: readonly Pick<EmailDomainBlock, 'parent_id'>[],
): Promise<Map<string, string>> {
  const ids = blocks.flatMap(({ parent_id: id }) => id ?? [])
  if (ids.length === 0) return new Map()
  const rows = await ctx.db.many<Pick<EmailDomainBlocks, 'id' | 'domain'>>(
    sql`select id, domain from email_domain_blocks where id = any(${ids}::bigint[])`,
  )
  return new Map(rows.map(({ id, domain }) => [id, domain]))
}
