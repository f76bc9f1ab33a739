// /admin/accounts/:id/statuses: the public posts of an account, some of which staff can make a report of.
import type { FastifyReply } from 'fastify'
import { openReport } from '../../actions/moderation/handle-reports.ts'
import { staffMay } from '../../domain/auth/staff.ts'
import { getModerated, labelOf } from '../../domain/moderation/accounts.ts'
import { listOpenStatuses } from '../../domain/reports/reportable.ts'
import { readStatusEntities } from '../../entities/status-presenter.ts'
import type { Status } from '../../entities/status.ts'
import { pathId, textParam } from '../../html/form-page.ts'
import { html, type Html } from '../../lib/html.ts'
import { isId } from '../../lib/ids.ts'
import { noProblems, oneProblem, type FormProblems } from '../form-problems.ts'
import { isolated } from './account-parts.ts'
import { batchForm, chosenIds } from './forms.ts'
import { sendAdminPage, type AdminRouter, type AdminVisit } from './frame.ts'
import { dataTable, emptyState, filterLinks, pageOfQuery, pager, statusExcerpt, withQuery } from './kit.ts'

const ROOT = '/admin/accounts'

export function registerAccountStatuses(router: AdminRouter): void {
  router.get(`${ROOT}/:id/statuses`, (visit) => show(visit), { permissions: ['manage_users', 'manage_reports'] })
  router.post(`${ROOT}/:id/statuses`, report, { permissions: ['manage_reports'] })
}

async function show(visit: AdminVisit, problems: FormProblems = noProblems): Promise<FastifyReply> {
  const { ctx, t, request, staff } = visit
  const { query } = request
  const { reports, accounts: texts } = t.admin
  const id = pathId(visit)
  const path = `${ROOT}/${id}/statuses`
  const page = pageOfQuery(query, 20)
  const withMedia = textParam(query, 'media') === '1'
  const [account, ids] = await Promise.all([getModerated(ctx, id), listOpenStatuses(ctx, id, page, { withMedia })])
  const statuses = await readStatusEntities(ctx, null, ids)
  const mayReport = account.suspended_at === null && staffMay(staff, 'manage_reports')
  const table = dataTable<Status>(t, {
    caption: texts.account.all_posts,
    rows: statuses,
    empty: emptyState({ title: texts.account.no_posts }),
    ...(mayReport && {
      select: { value: (status) => status.id, label: (status) => `${status.created_at.slice(0, 10)} #${status.id}` },
    }),
    columns: [
      {
        label: reports.posts_column,
        kind: 'main',
        cell: (status): Html => statusExcerpt(t, ctx, status, { author: false }),
      },
    ],
  })
  return sendAdminPage(visit, {
    title: texts.account.all_posts,
    back: { href: `${ROOT}/${id}`, label: isolated(labelOf(account)) },
    ...(mayReport && { lead: texts.account.report_posts_lead }),
    problems,
    body: (csrf) => html`${filterLinks(t, path, query, [
      {
        label: reports.posts_column,
        name: 'media',
        options: [
          { value: '', label: t.admin.frame.any },
          { value: '1', label: texts.account.with_media },
        ],
      },
    ])}
${
  mayReport
    ? batchForm(t, csrf, {
        action: withQuery(path, query),
        ids: statuses.map((status) => status.id),
        acts: [{ value: 'report', label: texts.account.report_posts }],
        table,
      })
    : table
}
${pager(t, path, query, { ids, page })}`,
  })
}

async function report(visit: AdminVisit): Promise<FastifyReply> {
  const { ctx, t, request, reply, staff } = visit
  const chosen = chosenIds(request.body, 100)
  const statusIds = chosen === 'matching' ? [] : chosen.filter(isId)
  if (statusIds.length === 0) return show(visit, oneProblem(t, t.admin.frame.nothing_selected))
  const reportId = await openReport(ctx, staff.accountId, { targetAccountId: pathId(visit), statusIds })
  return reply.redirect(`/admin/reports/${reportId}`, 303)
}
