import Type from 'typebox'
import { requestReport } from '../actions/annual-reports.ts'
import {
  readAnnualReport,
  getReportState,
  listAnnualReports,
  markReportRead,
  reportKey,
} from '../domain/annual-reports/reports.ts'
import { presentAnnualReports, WrappedAnnualReports } from '../entities/annual-report.ts'
import { Empty } from '../entities/schema.ts'
import { route } from '../http/route.ts'
import { NotFound } from '../lib/errors.ts'
import { announceRefresh } from './async-refreshes.ts'

/** Throws NotFound. */
function yearOf({ year }: { year: string }): number {
  if (!/^[12]\d{3}$/.test(year)) throw new NotFound()
  return Number(year)
}

export const getAnnualReports = route({
  summary: 'Unread annual reports',
  scope: 'read:accounts',
  returns: WrappedAnnualReports,
  handle: async ({ ctx, viewer }) => presentAnnualReports(ctx, viewer, await listAnnualReports(ctx, viewer.accountId)),
})

export const getAnnualReport = route({
  summary: 'The annual report of a year',
  scope: 'read:accounts',
  params: { year: Type.String() },
  returns: WrappedAnnualReports,
  handle: async ({ ctx, viewer, params }) =>
    presentAnnualReports(ctx, viewer, [await readAnnualReport(ctx, viewer.accountId, yearOf(params))]),
})

export const getAnnualReportState = route({
  summary: 'Whether the annual report of a year is available or can be generated',
  scope: 'read:accounts',
  params: { year: Type.String() },
  returns: Type.Object(
    { state: Type.Enum(['available', 'generating', 'eligible', 'ineligible']) },
    { $id: 'AnnualReportState' },
  ),
  async handle(call) {
    const { ctx, viewer, params } = call
    const year = yearOf(params)
    const state = await getReportState(ctx, viewer.accountId, year)
    if (state === 'generating')
      await announceRefresh(call, { key: reportKey(viewer.accountId, year), result_count: null })
    return { state }
  },
})

export const generateAnnualReport = route({
  summary: 'Generate the annual report of a year',
  scope: 'write:accounts',
  params: { year: Type.String() },
  returns: Empty,
  also: [202],
  async handle(call) {
    const { ctx, viewer, params, reply } = call
    const year = yearOf(params)
    if ((await requestReport(ctx, viewer.accountId, year)) === 'generating') {
      await announceRefresh(call, { key: reportKey(viewer.accountId, year), result_count: null })
      void reply.status(202)
    }
    return {}
  },
})

export const markAnnualReportRead = route({
  summary: 'Mark an annual report as read',
  scope: 'write:accounts',
  params: { year: Type.String() },
  returns: Empty,
  async handle({ ctx, viewer, params }) {
    await markReportRead(ctx, viewer.accountId, yearOf(params))
    return {}
  },
})
