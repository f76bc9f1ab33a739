import Type, { type Static } from 'typebox'
import type { Context } from '../../context.ts'
import { may, type Viewer } from '../../domain/auth/viewer.ts'
import { type ReportRow, findReports } from '../../domain/reports/reports.ts'
import { findRules } from '../../domain/server/rules.ts'
import { NotFound } from '../../lib/errors.ts'
import { jsonArray, jsonObject, type JsonText } from '../../lib/json.ts'
import { presentRule, Rule } from '../instance.ts'
import { commonReportMembers, reportMembers } from '../report.ts'
import { DateTime, nullable } from '../schema.ts'
import { presentStatusMap } from '../status-presenter.ts'
import { Status } from '../status.ts'
import { AdminAccount, presentAdminAccountMap } from './account.ts'

/** https://docs.joinmastodon.org/entities/Admin_Report/ */
export const AdminReport = Type.Object(
  {
    ...commonReportMembers,
    updated_at: DateTime,
    account: AdminAccount,
    target_account: AdminAccount,
    assigned_account: nullable(AdminAccount),
    action_taken_by_account: nullable(AdminAccount),
    statuses: Type.Array(Status),
    rules: Type.Array(Rule),
  },
  { $id: 'AdminReport' },
)
type AdminReport = Static<typeof AdminReport>

/**
 * For staff who may manage reports: their statuses are shown whatever their visibility. Deleted ones are left out. What only
 * those who manage users may know of the accounts is empty for others. Null stands for the server itself.
 */
export async function presentAdminReports(
  ctx: Context,
  viewer: Viewer | null,
  reports: readonly ReportRow[],
): Promise<JsonText<AdminReport>[]> {
  const [accounts, statuses, rules] = await Promise.all([
    presentAdminAccountMap(ctx, reports.flatMap(accountsOf), {
      personal: viewer === null || may(viewer, 'manage_users'),
    }),
    presentStatusMap(
      ctx,
      viewer,
      reports.flatMap(({ status_ids }) => status_ids),
    ),
    findRules(
      ctx,
      reports.flatMap(({ rule_ids }) => rule_ids),
    ),
  ])
  return reports.flatMap((report) => {
    const [account, target] = [accounts.get(report.account_id), accounts.get(report.target_account_id)]
    if (!account || !target) return []
    return jsonObject<AdminReport>({
      ...reportMembers(report),
      updated_at: report.updated_at.toISOString(),
      account,
      target_account: target,
      assigned_account: accounts.get(report.assigned_account_id ?? '') ?? null,
      action_taken_by_account: accounts.get(report.action_taken_by_account_id ?? '') ?? null,
      statuses: jsonArray(report.status_ids.flatMap((id) => statuses.get(id) ?? [])),
      rules: rules.filter(({ id }) => report.rule_ids.includes(id)).map(presentRule),
    })
  })
}

/** Throws NotFound. */
export async function presentAdminReport(
  ctx: Context,
  viewer: Viewer | null,
  id: string,
): Promise<JsonText<AdminReport>> {
  const [report] = await presentAdminReports(ctx, viewer, await findReports(ctx, [id]))
  if (!report) throw new NotFound()
  return report
}

const accountsOf = (report: ReportRow): string[] =>
  [report.account_id, report.target_account_id, report.assigned_account_id, report.action_taken_by_account_id].filter(
    (id) => id !== null,
  )
