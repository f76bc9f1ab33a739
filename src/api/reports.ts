import Type from 'typebox'
import { fileReport } from '../actions/moderation/file-report.ts'
import { MAX_COMMENT, MAX_REPORTED } from '../domain/reports/reports.ts'
import { presentReport, Report, ReportCategoryName } from '../entities/report.ts'
import { IdParam } from '../http/params.ts'
import { route } from '../http/route.ts'

const ids = Type.Optional(Type.Array(IdParam, { maxItems: MAX_REPORTED }))

export const createReport = route({
  summary: 'Report an account to the moderators, and to its server with `forward`',
  scope: 'write:reports',
  rate: 'reports',
  params: {
    account_id: IdParam,
    status_ids: ids,
    collection_ids: ids,
    rule_ids: ids,
    comment: Type.Optional(Type.String({ maxLength: MAX_COMMENT })),
    category: Type.Optional(ReportCategoryName),
    forward: Type.Optional(Type.Boolean()),
    forward_to_domains: Type.Optional(Type.Array(Type.String(), { maxItems: MAX_REPORTED })),
  },
  returns: Report,
  async handle({ ctx, viewer, params }) {
    const id = await fileReport(ctx, {
      accountId: viewer.accountId,
      targetAccountId: params.account_id,
      category: params.category,
      comment: params.comment,
      statusIds: params.status_ids ?? [],
      collectionIds: params.collection_ids ?? [],
      ruleIds: params.rule_ids ?? [],
      forward: params.forward ?? false,
      forwardToDomains: params.forward_to_domains,
    })
    return presentReport(ctx, id)
  },
})
