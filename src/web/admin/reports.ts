import type { FastifyReply } from 'fastify'
import type { Context } from '../../context.ts'
import { lookupHandle } from '../../domain/accounts/find.ts'
import { REPORT_CATEGORIES, countUnresolvedReports, listReports } from '../../domain/reports/reports.ts'
import type { ReportFilter, ReportRow } from '../../domain/reports/reports.ts'
import { readAccountMap } from '../../entities/account-presenter.ts'
import type { Account } from '../../entities/account.ts'
import { textParam } from '../../html/form-page.ts'
import { field } from '../../html/forms.ts'
import { html, type Html } from '../../lib/html.ts'
import { isId } from '../../lib/ids.ts'
import type { Texts } from '../../messages/pages.ts'
import { filterForm } from './forms.ts'
import { type AdminPage, type AdminVisit, sendAdminPage } from './frame.ts'
import { accountChip, dataTable, emptyState, filterLinks, pageOfQuery, pager } from './kit.ts'
import { reportLink, reportState } from './report-head.ts'
import { registerReportPage } from './report.ts'

const PATH = '/admin/reports'

export const reportsPage: AdminPage = {
  key: 'reports',
  path: PATH,
  permissions: ['manage_reports'],
  badge: (ctx) => countUnresolvedReports(ctx),
  routes(router) {
    router.get(PATH, showList)
    registerReportPage(router)
  },
}

async function showList(visit: AdminVisit): Promise<FastifyReply> {
  const { ctx, t, request } = visit
  const { query } = request
  const page = pageOfQuery(query)
  const filter = await readFilter(visit)
  const reports = filter === null ? [] : await listReports(ctx, filter, page)
  const { targetAccountId, accountId } = filter ?? {}
  const named = [targetAccountId, accountId].filter((id) => id !== undefined)
  const accounts = await readAccountMap(ctx, [
    ...named,
    ...reports.flatMap((report) => [report.account_id, report.target_account_id]),
  ])
  const handleOf = (id: string | undefined): string => (id !== undefined && accounts.get(id)?.acct) || ''
  const handles = { target: handleOf(targetAccountId), reporter: handleOf(accountId) }
  return sendAdminPage(visit, {
    body: () => html`${filters(t, query, handles)}
${table(t, ctx, { reports, accounts, query })}
${pager(t, PATH, query, { ids: reports.map(({ id }) => id), page })}`,
  })
}

/** Null when a filter names an account that is not known. */
async function readFilter({ ctx, request: { query }, staff }: AdminVisit): Promise<ReportFilter | null> {
  const id = (name: string): string | undefined => (isId(textParam(query, name)) ? textParam(query, name) : undefined)
  const named = async (name: string): Promise<string | null | undefined> => {
    const handle = textParam(query, name).trim()
    return handle === '' ? undefined : ((await lookupHandle(ctx, handle))?.id ?? null)
  }
  const [target, reporter] = [await named('target'), await named('reporter')]
  if (target === null || reporter === null) return null
  const [category, origin, resolved] = [
    textParam(query, 'category'),
    textParam(query, 'origin'),
    textParam(query, 'resolved'),
  ]
  return {
    resolved: resolved === 'all' ? null : resolved === '1',
    targetAccountId: target ?? id('target_account_id'),
    accountId: reporter ?? id('account_id'),
    assignedAccountId: textParam(query, 'assigned') === 'me' ? staff.accountId : undefined,
    category: REPORT_CATEGORIES.find((name) => name === category),
    origin: origin === 'local' || origin === 'remote' ? origin : undefined,
    targetDomain: textParam(query, 'domain').trim().toLowerCase() || undefined,
  }
}

/** `handles`: of the accounts that the address names, also by id. */
function filters(t: Texts, query: unknown, handles: { target: string; reporter: string }): Html {
  const { reports, frame } = t.admin
  const any = { value: '', label: frame.any }
  const links = filterLinks(t, PATH, query, [
    {
      label: reports.state,
      name: 'resolved',
      options: [
        { value: '', label: reports.unresolved },
        { value: '1', label: reports.resolved },
        { value: 'all', label: frame.any },
      ],
    },
    {
      label: reports.origin,
      name: 'origin',
      options: [any, { value: 'local', label: reports.local }, { value: 'remote', label: reports.remote }],
    },
    {
      label: reports.category,
      name: 'category',
      options: [any, ...REPORT_CATEGORIES.map((value) => ({ value, label: reports.categories[value] }))],
    },
    { label: reports.assigned, name: 'assigned', options: [any, { value: 'me', label: reports.me }] },
  ])
  const text = (name: string, label: string, handle = ''): Html =>
    field(t, { label, name, type: 'search', value: textParam(query, name) || handle, literal: true, maxLength: 300 })
  const keep = ['resolved', 'origin', 'category', 'assigned']
  return html`${links}
${filterForm(t, PATH, query, {
  keep,
  fields: html`${text('target', reports.target, handles.target)}${text('reporter', reports.reporter, handles.reporter)}${text('domain', reports.target_domain)}`,
})}`
}

type Listed = { reports: readonly ReportRow[]; accounts: ReadonlyMap<string, Account>; query: unknown }

function table(t: Texts, ctx: Context, { reports: rows, accounts, query }: Listed): Html {
  const { reports } = t.admin
  const chip = (id: string): Html | null => {
    const account = accounts.get(id)
    return account ? accountChip(ctx, account) : null
  }
  const isFiltered = Object.keys(query as object).some((name) => name !== 'resolved')
  return dataTable(t, {
    caption: reports.caption,
    rows,
    empty: emptyState(
      isFiltered
        ? { title: reports.none_match, action: { href: PATH, label: t.admin.frame.no_filter } }
        : { title: reports.none, text: reports.none_hint },
    ),
    columns: [
      {
        label: reports.report,
        kind: 'main',
        cell: (row) => reportLink(t, row),
      },
      { label: reports.target, cell: (row) => chip(row.target_account_id) },
      { label: reports.reporter, cell: (row) => chip(row.account_id) },
      { label: reports.about, cell: (row) => summary(t, row) },
      { label: reports.state, cell: (row) => reportState(t, row) },
    ],
  })
}

const MAX_EXCERPT = 140

function summary(t: Texts, { comment, status_ids: ids }: ReportRow): Html {
  const characters = [...comment]
  const text = characters.length > MAX_EXCERPT ? `${characters.slice(0, MAX_EXCERPT).join('')}…` : comment
  return html`${text !== '' && html`<bdi>${text}</bdi> `}<span class="muted">${t.admin.reports.posts({ count: ids.length })}</span>`
}
