// /admin/appeals: users who object to what moderators decided.
import type { FastifyReply } from 'fastify'
import { decideAppeal } from '../../actions/moderation/appeals.ts'
import { type AppealRow, countPendingAppeals, listAppeals } from '../../domain/moderation/appeals.ts'
import type { AppealState } from '../../domain/moderation/warnings.ts'
import { pathId, textParam } from '../../html/form-page.ts'
import { html, type Html } from '../../lib/html.ts'
import { groundsOf } from './account-warnings.ts'
import { actButton } from './forms.ts'
import { sendAdminPage, type AdminPage, type AdminVisit } from './frame.ts'
import { accountChip, dataTable, emptyState, filterLinks, pageOfQuery, pager, timeAgo } from './kit.ts'

const PATH = '/admin/appeals'

export const appealsPage: AdminPage = {
  key: 'appeals',
  path: PATH,
  permissions: ['manage_appeals'],
  badge: countPendingAppeals,
  routes(router) {
    router.get(PATH, show)
    router.post(`${PATH}/:id/accept`, (visit) => decide(visit, 'accepted'))
    router.post(`${PATH}/:id/reject`, (visit) => decide(visit, 'rejected'))
  },
}

async function decide(visit: AdminVisit, decision: 'accepted' | 'rejected'): Promise<FastifyReply> {
  const { ctx, staff, reply } = visit
  const id = pathId(visit)
  await decideAppeal(ctx, staff.accountId, { id, approve: decision === 'accepted' })
  return reply.redirect(`${PATH}?notice=${decision}`, 303)
}

const STATES: readonly AppealState[] = ['pending', 'approved', 'rejected']

async function show(visit: AdminVisit): Promise<FastifyReply> {
  const { ctx, t, request } = visit
  const { query } = request
  const texts = t.admin.accounts.appeals
  const { states } = t.disputes.strikes
  const state = STATES.find((name) => name === textParam(query, 'state')) ?? 'pending'
  const page = pageOfQuery(query)
  const appeals = await listAppeals(ctx, state, page)
  return sendAdminPage(visit, {
    lead: texts.lead,
    notices: { accepted: texts.accepted, rejected: texts.rejected },
    body: (csrf) => html`${filterLinks(t, PATH, query, [
      {
        label: t.admin.accounts.list.state,
        name: 'state',
        options: STATES.map((name) => ({ value: name === 'pending' ? '' : name, label: states[name] })),
      },
    ])}
${appealTable(visit, appeals, csrf)}
${pager(t, PATH, query, { ids: appeals.map(({ id }) => id), page })}`,
  })
}

function appealTable(visit: AdminVisit, appeals: readonly AppealRow[], csrf: Html): Html {
  const { t, ctx } = visit
  const { appeals: texts, list, account } = t.admin.accounts
  return dataTable<AppealRow>(t, {
    caption: t.admin.frame.pages.appeals.label,
    rows: appeals,
    empty: emptyState({ title: texts.empty_title, text: texts.empty_text }),
    columns: [
      {
        label: list.account,
        kind: 'main',
        cell: ({ account_id, username }) => accountChip(ctx, { id: account_id, acct: username, username }),
      },
      {
        label: texts.decision,
        cell(appeal) {
          const { action, warned_at, staff, warning_text: text } = appeal
          return html`<strong>${t.disputes.strikes.actions[action]}</strong> <span class="muted">${staff && html`<bdi>@${staff}</bdi> `}${timeAgo(t, warned_at)}</span>${text && html`<br><span dir="auto">${text.slice(0, 300)}</span>`}<br>${groundsOf(visit, appeal)}`
        },
      },
      { label: texts.words, cell: ({ text }) => html`<span dir="auto">${text}</span>` },
      { label: texts.appealed, cell: ({ created_at }) => timeAgo(t, created_at) },
      {
        label: t.admin.frame.actions,
        kind: 'actions',
        cell: ({ id, state, username }) =>
          state === 'pending' &&
          html`${actButton(csrf, { action: `${PATH}/${id}/accept`, label: texts.accept, about: `${account.appeal} @${username}` })}${actButton(csrf, { action: `${PATH}/${id}/reject`, label: texts.reject, kind: 'danger', about: `${account.appeal} @${username}` })}`,
      },
    ],
  })
}
