import Type from 'typebox'
import { assignReport, reopenReport, resolveReports, updateReport } from '../../actions/moderation/handle-reports.ts'
import type { Context } from '../../context.ts'
import type { Viewer } from '../../domain/auth/viewer.ts'
import { listReports, MAX_REPORTED } from '../../domain/reports/reports.ts'
import { AdminReport, presentAdminReport, presentAdminReports } from '../../entities/admin/report.ts'
import { ReportCategoryName } from '../../entities/report.ts'
import { pageOf, pageParams, setLinks } from '../../http/paginate.ts'
import { IdParam } from '../../http/params.ts'
import { route } from '../../http/route.ts'
import { arrayPieces } from '../../lib/json.ts'

const permission = 'manage_reports'

export const listAdminReports = route({
  summary: 'Unresolved reports, or with `resolved` the resolved ones; all with `unresolved` as well; newest first',
  scope: 'admin:read:reports',
  permission,
  params: {
    ...pageParams,
    resolved: Type.Optional(Type.Boolean()),
    unresolved: Type.Optional(Type.Boolean()),
    account_id: Type.Optional(IdParam),
    target_account_id: Type.Optional(IdParam),
  },
  returns: Type.Array(AdminReport),
  async handle(call) {
    const { ctx, viewer, params } = call
    const page = pageOf(params, 100)
    const filter = {
      resolved: params.resolved && params.unresolved ? null : (params.resolved ?? false),
      accountId: params.account_id,
      targetAccountId: params.target_account_id,
    }
    const reports = await listReports(ctx, filter, page)
    setLinks(call, { ids: reports.map(({ id }) => id), page })
    return arrayPieces(await presentAdminReports(ctx, viewer, reports))
  },
})

export const getAdminReport = route({
  summary: 'A report',
  scope: 'admin:read:reports',
  permission,
  params: { id: IdParam },
  returns: AdminReport,
  handle: ({ ctx, viewer, params }) => presentAdminReport(ctx, viewer, params.id),
})

export const updateAdminReport = route({
  summary: 'Change the category of a report, and the rules that the account violated',
  scope: 'admin:write:reports',
  permission,
  params: {
    id: IdParam,
    category: Type.Optional(ReportCategoryName),
    rule_ids: Type.Optional(Type.Array(IdParam, { maxItems: MAX_REPORTED })),
  },
  returns: AdminReport,
  async handle({ ctx, viewer, params }) {
    const { id, category, rule_ids: ruleIds } = params
    await updateReport(ctx, viewer.accountId, id, { category, ruleIds })
    return presentAdminReport(ctx, viewer, id)
  },
})

/** A route for an act on a report whose only parameter is the id. */
const reportAct = (summary: string, act: (ctx: Context, viewer: Viewer, id: string) => Promise<unknown>) =>
  route({
    summary,
    scope: 'admin:write:reports',
    permission,
    params: { id: IdParam },
    returns: AdminReport,
    async handle({ ctx, viewer, params }) {
      await act(ctx, viewer, params.id)
      return presentAdminReport(ctx, viewer, params.id)
    },
  })

export const assignReportToSelf = reportAct('Assign a report to yourself', (ctx, { accountId }, id) =>
  assignReport(ctx, accountId, id, accountId),
)

export const unassignReport = reportAct(
  'Unassign a report, so that other moderators look after it',
  (ctx, viewer, id) => assignReport(ctx, viewer.accountId, id, null),
)

export const resolveReport = reportAct('Resolve a report without an action', (ctx, { accountId }, id) =>
  ctx.transaction((tx) => resolveReports(tx, accountId, { reportId: id })),
)

export const reopenAdminReport = reportAct('Reopen a resolved report', (ctx, { accountId }, id) =>
  reopenReport(ctx, accountId, id),
)
