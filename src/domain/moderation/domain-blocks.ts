// Domains that administrators block for everyone.
import type { Context } from '../../context.ts'
import { newestFirst, ordered, type Pagination, within } from '../../db/page.ts'
import type { DomainBlocks } from '../../db/schema.ts'
import { allOf, sql, type Sql } from '../../db/sql.ts'
import { invalidField, NotFound } from '../../lib/errors.ts'
import { parentDomains } from '../peers/domain-policy.ts'

/** From the mildest to the strictest. */
export const BLOCK_SEVERITIES = ['noop', 'silence', 'suspend'] as const satisfies readonly DomainBlocks['severity'][]
export type BlockSeverity = (typeof BLOCK_SEVERITIES)[number]

/** In characters, for both comments. */
export const MAX_BLOCK_COMMENT = 5000

/** `managed`: made by block lists alone. `applied_at` is null while a job applies it to accounts. */
export type AdminDomainBlockRow = Pick<
  DomainBlocks,
  | 'id'
  | 'domain'
  | 'severity'
  | 'reject_media'
  | 'reject_reports'
  | 'private_comment'
  | 'public_comment'
  | 'obfuscate'
  | 'managed'
  | 'applied_at'
  | 'affected_count'
  | 'created_at'
>

const columns: Sql = sql`b.id, b.domain, b.severity, b.reject_media, b.reject_reports, b.private_comment, b.public_comment, b.obfuscate,
  b.managed, b.applied_at, b.affected_count, b.created_at`

/** `search` is a part of the domain. */
export type DomainBlockFilter = { search?: string; severity?: BlockSeverity }

export async function listAdminDomainBlocks(
  ctx: Context,
  page: Pagination,
  { search = '', severity }: DomainBlockFilter = {},
): Promise<AdminDomainBlockRow[]> {
  const rows = await ctx.db.many<AdminDomainBlockRow>(sql`
    select ${columns} from domain_blocks b
    where ${allOf([
      within(sql`b.id`, page),
      search !== '' && sql`position(${search.toLowerCase()} in b.domain) > 0`,
      severity && sql`b.severity = ${severity}`,
    ])} ${ordered(sql`b.id`, page)}`)
  return newestFirst(rows, page)
}

/** By domain, for an export. */
export const listAllDomainBlocks = (ctx: Context): Promise<AdminDomainBlockRow[]> =>
  ctx.db.many<AdminDomainBlockRow>(sql`select ${columns} from domain_blocks b order by b.domain`)

export const findDomainBlocks = (ctx: Context, domains: readonly string[]): Promise<AdminDomainBlockRow[]> =>
  ctx.db.many<AdminDomainBlockRow>(sql`select ${columns} from domain_blocks b where b.domain = any(${domains}::text[])`)

/** Throws NotFound. */
export async function getAdminDomainBlock(ctx: Context, id: string): Promise<AdminDomainBlockRow> {
  const row = await ctx.db.maybe<AdminDomainBlockRow>(sql`select ${columns} from domain_blocks b where b.id = ${id}`)
  if (!row) throw new NotFound()
  return row
}

/** The block of the domain itself, or else of its closest parent. */
export async function findRuleFor(ctx: Context, domain: string): Promise<AdminDomainBlockRow | null> {
  return ctx.db.maybe<AdminDomainBlockRow>(sql`
    select ${columns} from domain_blocks b where b.domain = any(${parentDomains(domain)}::text[]) order by length(b.domain) desc limit 1`)
}

/** Serialises changes of blocks until the transaction ends: what is allowed depends on the other blocks. */
export async function lockDomainRules(tx: Context): Promise<void> {
  await tx.db.run(sql`select pg_advisory_xact_lock(hashtextextended('domain rules', 0))`)
}

/** The effects of a block. */
export type BlockMeasures = Pick<AdminDomainBlockRow, 'severity' | 'reject_media' | 'reject_reports'>

const strictnessOf = ({ severity }: BlockMeasures): number => BLOCK_SEVERITIES.indexOf(severity)

/** Whether a block does all that another does. A suspension does all that any block does. */
export function doesAllOf(block: BlockMeasures, other: BlockMeasures): boolean {
  if (block.severity === 'suspend') return true
  if (strictnessOf(block) < strictnessOf(other)) return false
  return (block.reject_media || !other.reject_media) && (block.reject_reports || !other.reject_reports)
}

export type BlockDraft = BlockMeasures &
  Pick<AdminDomainBlockRow, 'domain' | 'obfuscate' | 'public_comment' | 'private_comment'>

/** Throws Invalid for a comment that is too long. */
export function checkComments(draft: Pick<BlockDraft, 'public_comment' | 'private_comment'>): void {
  for (const field of ['public_comment', 'private_comment'] as const)
    if ([...(draft[field] ?? '')].length > MAX_BLOCK_COMMENT)
      throw invalidField(field, 'too_long', { count: MAX_BLOCK_COMMENT })
}

/** A block that does all that both do. The rest is that of the stricter severity; of the first when they are equal. */
export const combined = (first: BlockDraft, second: BlockDraft): BlockDraft => ({
  ...(strictnessOf(second) > strictnessOf(first) ? second : first),
  reject_media: first.reject_media || second.reject_media,
  reject_reports: first.reject_reports || second.reject_reports,
})

export type StoredBlock = Pick<AdminDomainBlockRow, 'id' | 'domain' | 'severity'> & { before: BlockSeverity | null }

/**
 * Inserts or replaces blocks, one for each domain. `managed`: on behalf of a block list, which leaves alone what an administrator
 * set. Returns those that were stored.
 */
export async function upsertDomainBlocks(
  tx: Context,
  drafts: readonly BlockDraft[],
  { managed }: { managed: boolean },
): Promise<StoredBlock[]> {
  if (drafts.length === 0) return []
  return tx.db.many<StoredBlock>(sql`
    with given as (
      select g.domain, g.severity, g.reject_media, g.reject_reports, g.obfuscate, g.public_comment, g.private_comment from jsonb_to_recordset(${JSON.stringify(drafts)}::jsonb)
        as g (domain text, severity text, reject_media boolean, reject_reports boolean, obfuscate boolean, public_comment text, private_comment text)
    ), before as materialized (
      select b.domain, b.severity from domain_blocks b join given g using (domain) order by b.domain for update of b
    ), stored as (
      insert into domain_blocks as b (domain, severity, reject_media, reject_reports, obfuscate, public_comment, private_comment, managed)
      -- Reads the rows before they change: afterwards, this statement cannot lock them.
      select domain, g.severity, reject_media, reject_reports, obfuscate, public_comment, private_comment, ${managed}::boolean
        from given g left join before using (domain) order by domain
      on conflict (domain) do update set severity = excluded.severity, reject_media = excluded.reject_media, reject_reports = excluded.reject_reports,
        obfuscate = excluded.obfuscate, public_comment = excluded.public_comment, private_comment = excluded.private_comment,
        managed = excluded.managed, applied_at = null, affected_count = 0
        where b.managed or not excluded.managed
      returning b.id, b.domain, b.severity
    )
    select s.id, s.domain, s.severity, (select f.severity from before f where f.domain = s.domain) as before from stored s order by s.id`)
}

/** Returns the domains that were blocked. `onlyManaged`: leaves what an administrator set. */
export async function deleteDomainBlocks(
  tx: Context,
  domains: readonly string[],
  { onlyManaged = false } = {},
): Promise<string[]> {
  const rows = await tx.db.many<Pick<DomainBlocks, 'domain'>>(sql`
    delete from domain_blocks b where b.domain = any(${domains}::text[]) and (b.managed or not ${onlyManaged}::boolean) returning b.domain`)
  return rows.map(({ domain }) => domain)
}
