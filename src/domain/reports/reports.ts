import type { Context } from '../../context.ts'
import { type Pagination, newestFirst, onPage } from '../../db/page.ts'
import type { Reports } from '../../db/schema.ts'
import { type Sql, allOf, sql } from '../../db/sql.ts'
import { NotFound } from '../../lib/errors.ts'
import type { StaffId } from '../auth/staff.ts'
import { siteOf } from '../peers/budgets.ts'

export const REPORT_CATEGORIES = [
  'spam',
  'legal',
  'violation',
  'other',
] as const satisfies readonly Reports['category'][]
export type ReportCategory = (typeof REPORT_CATEGORIES)[number]

/** How many statuses, collections or rules a report may name. */
export const MAX_REPORTED = 100
/** In characters, for reports of local accounts. */
export const MAX_COMMENT = 1000

export type ReportRow = Reports

const reportColumns = sql`r.id, r.account_id, r.target_account_id, r.uri, r.category, r.comment, r.status_ids, r.removed_status_ids, r.collection_ids,
  r.rule_ids, r.forwarded_to, r.assigned_account_id, r.action_taken_at, r.action_taken_by_account_id, r.created_at, r.updated_at`

export type NewReport = {
  accountId: string
  targetAccountId: string
  category: ReportCategory
  comment: string
  statusIds: readonly string[]
  collectionIds?: readonly string[]
  ruleIds?: readonly string[]
  /** Domains of servers. */
  forwardedTo?: readonly string[]
  /** The id of the Flag that was received. */
  uri?: string | null
}

/** Null when a report with this URI is stored. */
export async function insertReport(tx: Context, report: NewReport): Promise<string | null> {
  const { accountId, targetAccountId, category, comment, statusIds, uri = null } = report
  const { collectionIds = [], ruleIds = [], forwardedTo = [] } = report
  const row = await tx.db.maybe<Pick<Reports, 'id'>>(sql`
    insert into reports (account_id, target_account_id, uri, category, comment, status_ids, collection_ids, rule_ids, forwarded_to)
    values (${accountId}, ${targetAccountId}, ${uri}, ${category}, ${comment}, ${statusIds}::bigint[], ${collectionIds}::bigint[],
      ${ruleIds}::bigint[], ${forwardedTo}::text[])
    on conflict (uri) do nothing returning id`)
  return row?.id ?? null
}

/** In no order; without unknown ids. */
export const findReports = (ctx: Context, ids: readonly string[]): Promise<ReportRow[]> =>
  ctx.db.many<ReportRow>(sql`select ${reportColumns} from reports r where r.id = any(${ids}::bigint[])`)

/** Throws NotFound. */
export async function getReport(ctx: Context, id: string): Promise<ReportRow> {
  const [report] = await findReports(ctx, [id])
  if (!report) throw new NotFound()
  return report
}

/** Throws NotFound. Other acts on the report wait for the transaction. */
export async function lockReport(tx: Context, id: string): Promise<ReportRow> {
  const row = await tx.db.maybe<ReportRow>(
    sql`select ${reportColumns} from reports r where r.id = ${id} for no key update`,
  )
  if (!row) throw new NotFound()
  return row
}

export type ReportFilter = {
  /** Null for both. */
  resolved: boolean | null
  /** The account that reported. */
  accountId?: string | undefined
  targetAccountId?: string | undefined
  assignedAccountId?: string | undefined
  category?: ReportCategory | undefined
  /** Whether the reported account is local or remote. */
  origin?: 'local' | 'remote' | undefined
  targetDomain?: string | undefined
}

/** Newest first. */
export async function listReports(ctx: Context, filter: ReportFilter, page: Pagination): Promise<ReportRow[]> {
  const rows = await ctx.db.many<ReportRow>(sql`
    select ${reportColumns} from reports r
    where ${conditions(filter)} and ${onPage(sql`r.id`, page)}`)
  return newestFirst(rows, page)
}

function conditions(filter: ReportFilter): Sql {
  const { resolved, accountId, targetAccountId, assignedAccountId, category, origin, targetDomain } = filter
  const target = (condition: Sql): Sql =>
    sql`exists (select from accounts ta where ta.id = r.target_account_id and ${condition})`
  return allOf([
    resolved !== null && (resolved ? sql`r.action_taken_at is not null` : sql`r.action_taken_at is null`),
    accountId !== undefined && sql`r.account_id = ${accountId}`,
    targetAccountId !== undefined && sql`r.target_account_id = ${targetAccountId}`,
    assignedAccountId !== undefined && sql`r.assigned_account_id = ${assignedAccountId}`,
    category !== undefined && sql`r.category = ${category}`,
    origin !== undefined && target(origin === 'local' ? sql`ta.domain is null` : sql`ta.domain is not null`),
    targetDomain !== undefined && target(sql`ta.domain = ${targetDomain}`),
  ])
}

/** Whether another report about the account is unresolved. */
export async function hasOtherUnresolvedReport(
  ctx: Context,
  targetAccountId: string,
  exceptId: string,
): Promise<boolean> {
  const row = await ctx.db.maybe(sql`
    select from reports where target_account_id = ${targetAccountId} and action_taken_at is null and id <> ${exceptId} limit 1`)
  return row !== null
}

/** The accounts that reported the account. For a report from another server, this may be its instance actor. */
export async function findReporters(ctx: Context, targetAccountId: string): Promise<string[]> {
  const rows = await ctx.db.many<Pick<Reports, 'account_id'>>(
    sql`select distinct account_id from reports where target_account_id = ${targetAccountId}`,
  )
  return rows.map(({ account_id }) => account_id)
}

/** For menus and dashboards. */
export async function countUnresolvedReports(ctx: Context): Promise<number> {
  return (await ctx.db.one<{ n: number }>(sql`select count(*)::int as n from reports where action_taken_at is null`)).n
}

/** How many reports the accounts of a server, and of others of its site, filed within a day. */
export async function countRecentReportsFrom(ctx: Context, domain: string): Promise<number> {
  const rows = await ctx.db.many<{ domain: string; n: number }>(sql`
    select a.domain, count(*)::int as n from reports r join accounts a on a.id = r.account_id
    where r.created_at > now() - interval '1 day' and a.domain is not null group by a.domain`)
  const site = siteOf(domain)
  return rows.reduce((sum, row) => (siteOf(row.domain) === site ? sum + row.n : sum), 0)
}

type ReportChanges = {
  category: ReportCategory
  ruleIds: readonly string[]
  /** The account of the staff member; null for none. */
  assignedAccountId: string | null
}

export async function updateReportRow(tx: Context, id: string, changes: ReportChanges): Promise<void> {
  await tx.db.run(sql`
    update reports set category = ${changes.category}, rule_ids = ${changes.ruleIds}::bigint[],
      assigned_account_id = ${changes.assignedAccountId}, updated_at = now()
    where id = ${id}`)
}

/** Up to MAX_REPORTED in all. */
export async function appendReportedStatuses(tx: Context, id: string, statusIds: readonly string[]): Promise<void> {
  await tx.db.run(sql`
    update reports r set updated_at = now(), status_ids = (
      select array_agg(s.id order by s.id) from (
        select distinct s.id from unnest(r.status_ids || ${statusIds}::bigint[]) s (id) limit ${MAX_REPORTED}) s)
    where r.id = ${id}`)
}

export async function removeReportedStatusRow(tx: Context, id: string, statusId: string): Promise<void> {
  await tx.db.run(sql`
    update reports set updated_at = now(), status_ids = array_remove(status_ids, ${statusId}::bigint),
      removed_status_ids = (${statusId}::bigint || array_remove(removed_status_ids, ${statusId}::bigint))[1:${MAX_REPORTED}::int]
    where id = ${id}`)
}

/** Resolves those that are unresolved: the report with this id, or all about an account. Returns their ids. */
export async function markReportsResolved(
  tx: Context,
  staffId: StaffId,
  which: { reportId: string } | { targetAccountId: string },
): Promise<string[]> {
  const condition =
    'reportId' in which ? sql`id = ${which.reportId}` : sql`target_account_id = ${which.targetAccountId}`
  const rows = await tx.db.many<Pick<Reports, 'id'>>(sql`
    update reports set action_taken_at = now(), action_taken_by_account_id = ${staffId}, updated_at = now()
    where ${condition} and action_taken_at is null returning id`)
  return rows.map(({ id }) => id)
}

/** False when it is unresolved already. */
export async function markReportUnresolved(tx: Context, id: string): Promise<boolean> {
  const changed = await tx.db.run(sql`
    update reports set action_taken_at = null, action_taken_by_account_id = null, updated_at = now()
    where id = ${id} and action_taken_at is not null`)
  return changed > 0
}
