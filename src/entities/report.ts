import Type, { type Static } from 'typebox'
import type { Context } from '../context.ts'
import { type ReportRow, REPORT_CATEGORIES, findReports } from '../domain/reports/reports.ts'
import { NotFound } from '../lib/errors.ts'
import { jsonObject, type JsonText } from '../lib/json.ts'
import { presentAccountMap } from './account-presenter.ts'
import { Account } from './account.ts'
import { DateTime, Id, nullable } from './schema.ts'

export const ReportCategoryName = Type.Enum([...REPORT_CATEGORIES])

/** The members that the Admin::Report entity has too. */
export const commonReportMembers = {
  id: Id,
  action_taken: Type.Boolean(),
  action_taken_at: nullable(DateTime),
  category: ReportCategoryName,
  comment: Type.String(),
  forwarded: Type.Boolean(),
  created_at: DateTime,
}

/** https://docs.joinmastodon.org/entities/Report/ */
export const Report = Type.Object(
  {
    ...commonReportMembers,
    status_ids: nullable(Type.Array(Id)),
    collection_ids: nullable(Type.Array(Id)),
    rule_ids: nullable(Type.Array(Id)),
    target_account: Account,
  },
  { $id: 'Report' },
)
type Report = Static<typeof Report>

/** The values of `commonReportMembers`. */
export const reportMembers = (row: ReportRow) => ({
  id: row.id,
  action_taken: row.action_taken_at !== null,
  action_taken_at: row.action_taken_at?.toISOString() ?? null,
  category: row.category,
  comment: row.comment,
  forwarded: row.forwarded_to.length > 0,
  created_at: row.created_at.toISOString(),
})

/** Unknown ids have no entry. */
export async function presentReportMap(ctx: Context, ids: readonly string[]): Promise<Map<string, JsonText<Report>>> {
  const rows = await findReports(ctx, ids)
  const accounts = await presentAccountMap(
    ctx,
    rows.map(({ target_account_id }) => target_account_id),
  )
  return new Map(
    rows.flatMap((row) => {
      const target = accounts.get(row.target_account_id)
      return target ? [[row.id, present(row, target)] as const] : []
    }),
  )
}

/** Throws NotFound. */
export async function presentReport(ctx: Context, id: string): Promise<JsonText<Report>> {
  const report = (await presentReportMap(ctx, [id])).get(id)
  if (!report) throw new NotFound()
  return report
}

const present = (row: ReportRow, target: JsonText<Account>): JsonText<Report> =>
  jsonObject<Report>({
    ...reportMembers(row),
    status_ids: row.status_ids,
    collection_ids: row.collection_ids,
    rule_ids: row.rule_ids,
    target_account: target,
  })
