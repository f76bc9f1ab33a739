import Type, { type Static } from 'typebox'
import type { Context } from '../context.ts'
import { type AnnualReportRow, ARCHETYPES } from '../domain/annual-reports/reports.ts'
import { jsonArray, jsonObject, type JsonText } from '../lib/json.ts'
import { presentAccounts } from './account-presenter.ts'
import { Account } from './account.ts'
import { Id, nullable } from './schema.ts'
import { presentStatuses } from './status-presenter.ts'
import { Status } from './status.ts'

/** In version 2 of its schema. */
const AnnualReport = Type.Object(
  {
    year: Type.Integer(),
    data: Type.Object({
      archetype: Type.Enum([...ARCHETYPES]),
      time_series: Type.Array(
        Type.Object({
          month: Type.Integer(),
          statuses: Type.Integer(),
          following: Type.Integer(),
          followers: Type.Integer(),
        }),
      ),
      top_hashtags: Type.Array(Type.Object({ name: Type.String(), count: Type.Integer() })),
      top_statuses: Type.Object({ by_reblogs: nullable(Id), by_favourites: nullable(Id), by_replies: nullable(Id) }),
    }),
    schema_version: Type.Integer(),
    share_url: nullable(Type.String()),
    account_id: Id,
  },
  { $id: 'AnnualReport' },
)

export const WrappedAnnualReports = Type.Object(
  { annual_reports: Type.Array(AnnualReport), accounts: Type.Array(Account), statuses: Type.Array(Status) },
  { $id: 'WrappedAnnualReports' },
)

/** Leaves out deleted statuses. */
export async function presentAnnualReports(
  ctx: Context,
  viewer: { accountId: string },
  rows: readonly AnnualReportRow[],
): Promise<JsonText<Static<typeof WrappedAnnualReports>>> {
  const statusIds = rows.flatMap(({ data }) => data.top_statuses.by_reblogs ?? [])
  const [accounts, statuses] = await Promise.all([
    presentAccounts(ctx, [...new Set(rows.map(({ account_id }) => account_id))]),
    presentStatuses(ctx, viewer, statusIds),
  ])
  return jsonObject({
    annual_reports: rows.map(({ year, data, schema_version, account_id }) => ({
      year,
      data,
      schema_version,
      share_url: null,
      account_id,
    })),
    accounts: jsonArray(accounts),
    statuses: jsonArray(statuses),
  })
}
