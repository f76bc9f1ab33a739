// /admin/accounts/pending: people who asked to join.
import type { FastifyReply } from 'fastify'
import { type AccountFilter, listModeratedAccounts } from '../../domain/moderation/accounts.ts'
import { countPendingAccounts } from '../../domain/moderation/pending.ts'
import type { AdminAccount } from '../../entities/admin/account.ts'
import { html } from '../../lib/html.ts'
import { noProblems, type FormProblems } from '../form-problems.ts'
import { adminAccountChip, contactOf, readAdminAccounts } from './account-parts.ts'
import { changeAccounts, MAX_BATCH } from './accounts.ts'
import { batchForm } from './forms.ts'
import { sendAdminPage, type AdminPage, type AdminVisit } from './frame.ts'
import { dataTable, emptyState, pageOfQuery, pager, timeAgo } from './kit.ts'

const PATH = '/admin/accounts/pending'
const PENDING: AccountFilter = { states: ['pending'] }

export const pendingAccountsPage: AdminPage = {
  key: 'pending_accounts',
  path: PATH,
  permissions: ['manage_users'],
  badge: countPendingAccounts,
  routes(router) {
    router.get(PATH, (visit) => show(visit))
    router.post(`${PATH}/batch`, (visit) => changeAccounts(visit, { path: PATH, filter: PENDING, again: show }))
  },
}

async function show(visit: AdminVisit, problems: FormProblems = noProblems): Promise<FastifyReply> {
  const { ctx, t, request } = visit
  const { pending: texts, list } = t.admin.accounts
  const page = pageOfQuery(request.query)
  const [ids, matching] = await Promise.all([listModeratedAccounts(ctx, PENDING, page), countPendingAccounts(ctx)])
  const accounts = await readAdminAccounts(ctx, ids)
  const table = dataTable<AdminAccount>(t, {
    caption: t.admin.frame.pages.pending_accounts.label,
    rows: accounts,
    empty: emptyState({ title: texts.empty_title, text: texts.empty_text }),
    select: { value: ({ id }) => id, label: ({ username }) => `@${username}` },
    columns: [
      { label: list.account, kind: 'main', cell: (account) => adminAccountChip(ctx, account) },
      {
        label: texts.reason,
        cell: ({ invite_request }) =>
          invite_request
            ? html`<span dir="auto">${invite_request}</span>`
            : html`<span class="muted">${texts.no_reason}</span>`,
      },
      { label: list.contact, cell: ({ email, ip }) => contactOf(email, ip, { status: 'pending' }) },
      { label: texts.confirmed, cell: ({ confirmed }) => (confirmed ? t.admin.frame.yes : t.admin.frame.no) },
      { label: list.joined, cell: ({ created_at }) => timeAgo(t, new Date(created_at)) },
    ],
  })
  return sendAdminPage(visit, {
    lead: texts.lead,
    notices: t.admin.accounts.notices,
    problems,
    body: (csrf) => html`${batchForm(t, csrf, {
      action: `${PATH}/batch`,
      table,
      ids,
      matching,
      maxMatching: MAX_BATCH,
      acts: [
        { value: 'approve', label: list.approve },
        { value: 'reject', label: list.reject, kind: 'danger' },
      ],
    })}
${pager(t, PATH, request.query, { ids, page })}`,
  })
}
