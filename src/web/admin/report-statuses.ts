// Posts of a reported account, to add them to the report.
import type { FastifyReply } from 'fastify'
import { addReportedStatuses } from '../../actions/moderation/handle-reports.ts'
import { listOpenStatuses } from '../../domain/reports/reportable.ts'
import { getReport } from '../../domain/reports/reports.ts'
import { readStatusEntities } from '../../entities/status-presenter.ts'
import type { Status } from '../../entities/status.ts'
import { fillText } from '../../html/texts.ts'
import { html } from '../../lib/html.ts'
import { isId } from '../../lib/ids.ts'
import { noProblems, oneProblem, type FormProblems } from '../form-problems.ts'
import { handleOf } from '../names.ts'
import { batchForm, chosenIds } from './forms.ts'
import { sendAdminPage, type AdminVisit } from './frame.ts'
import { dataTable, emptyState, pageOfQuery, pager, stateBadge, statusExcerpt } from './kit.ts'

export async function showStatuses(
  visit: AdminVisit,
  id: string,
  problems: FormProblems = noProblems,
): Promise<FastifyReply> {
  const { ctx, t, request, staff } = visit
  const { reports } = t.admin
  const report = await getReport(ctx, id)
  const page = pageOfQuery(request.query, 20)
  const ids = await listOpenStatuses(ctx, report.target_account_id, page, {
    reported: [...report.status_ids, ...report.removed_status_ids],
  })
  const statuses = await readStatusEntities(ctx, { accountId: staff.accountId }, ids)
  const path = `/admin/reports/${id}/statuses`
  const isReported = ({ id: statusId }: Status): boolean => report.status_ids.includes(statusId)
  const acct = statuses[0]?.account
  return sendAdminPage(visit, {
    title: reports.add_posts,
    back: { href: `/admin/reports/${id}`, label: reports.back({ id }) },
    lead: acct ? fillText(reports.posts_of, { account: html`<bdi>${handleOf(ctx, acct)}</bdi>` }) : '',
    problems,
    body: (csrf) => html`${batchForm(t, csrf, {
      action: path,
      ids: statuses.map((status) => status.id),
      acts: [{ value: 'add', label: reports.add_to_report }],
      table: dataTable(t, {
        caption: reports.add_posts,
        rows: statuses,
        empty: emptyState({
          title: reports.no_open_posts,
          action: { href: `/admin/reports/${id}`, label: reports.back({ id }) },
        }),
        select: {
          value: (status) => status.id,
          label: (status) => `${status.created_at.slice(0, 10)} #${status.id}`,
          checked: isReported,
        },
        columns: [
          {
            label: reports.posts_column,
            kind: 'main',
            cell: (status) => statusExcerpt(t, ctx, status, { author: false }),
          },
          { label: reports.state, cell: (status) => isReported(status) && stateBadge(reports.is_reported, 'warning') },
        ],
      }),
    })}
${pager(t, path, request.query, { ids, page })}`,
  })
}

export async function addStatuses(visit: AdminVisit, id: string): Promise<FastifyReply> {
  const { ctx, t, request, reply, staff } = visit
  const ids = chosenIds(request.body, 100)
  const known = ids === 'matching' ? [] : ids.filter((each) => isId(each))
  if (known.length === 0) return showStatuses(visit, id, oneProblem(t, t.admin.frame.nothing_selected))
  await addReportedStatuses(ctx, staff.accountId, id, known)
  return reply.redirect(`/admin/reports/${id}?notice=updated`, 303)
}
