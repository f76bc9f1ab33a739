// /admin/accounts: all accounts with filters, and what can be done with several at once.
import type { FastifyReply } from 'fastify'
import { actOnAccounts, BATCH_ACTS, type BatchAct } from '../../actions/moderation/batch.ts'
import { previewSuspension } from '../../domain/moderation/account-page.ts'
import { type AccountFilter, listModeratedAccounts } from '../../domain/moderation/accounts.ts'
import { listRoles } from '../../domain/roles/roles.ts'
import type { AdminAccount } from '../../entities/admin/account.ts'
import { textParam } from '../../html/form-page.ts'
import { field } from '../../html/forms.ts'
import { dayOf } from '../../html/texts.ts'
import { html, type Html } from '../../lib/html.ts'
import { isId } from '../../lib/ids.ts'
import { cutText } from '../../lib/text/count.ts'
import { noProblems, oneProblem, type FormProblems } from '../form-problems.ts'
import { accountFilterOf, accountFilters } from './account-filter.ts'
import { accountStates, adminAccountChip, readAdminAccounts, suspensionFigures } from './account-parts.ts'
import { registerAccountPage } from './account.ts'
import { batchForm, chosenIds, sendConfirmationPage } from './forms.ts'
import { sendAdminPage, type AdminPage, type AdminVisit } from './frame.ts'
import { dataTable, emptyState, pageOfQuery, pager, withQuery } from './kit.ts'

const PATH = '/admin/accounts'
/** At once, by one form. */
const MAX_BATCH = 500
/** On the page that asks first. */
const MAX_NAMED = 100

export const accountsPage: AdminPage = {
  key: 'accounts',
  path: PATH,
  permissions: ['manage_users'],
  routes(router) {
    router.get(PATH, (visit) => show(visit))
    router.post(`${PATH}/batch`, (visit) => changeAccounts(visit, PATH, show))
    registerAccountPage(router)
  },
}

async function show(visit: AdminVisit, given?: FormProblems): Promise<FastifyReply> {
  const { ctx, t, request } = visit
  const { query } = request
  const texts = t.admin.accounts.list
  const filter = accountFilterOf(ctx, query)
  const problems = given ?? (filter === null ? oneProblem(t, texts.ip_wrong, 'ip') : noProblems)
  const page = pageOfQuery(query)
  const [ids, roles] = await Promise.all([filter ? listModeratedAccounts(ctx, filter, page) : [], listRoles(ctx)])
  const accounts = await readAdminAccounts(ctx, ids)
  const isFiltered = withQuery(PATH, query) !== PATH
  const empty = isFiltered
    ? emptyState({ title: texts.no_match_title, text: texts.no_match_text })
    : emptyState({ title: texts.empty_title, text: texts.empty_text })
  return sendAdminPage(visit, {
    notices: t.admin.accounts.notices,
    problems,
    body: (csrf) => html`${accountFilters(t, PATH, query, roles, problems)}
${batchForm(t, csrf, {
  action: `${PATH}/batch`,
  table: accountTable(visit, accounts, empty),
  ids,
  hidden: { status: textParam(query, 'status') },
  acts: [
    ...(textParam(query, 'status') === 'pending'
      ? [
          { value: 'approve', label: texts.approve },
          { value: 'reject', label: texts.reject, kind: 'danger' as const },
        ]
      : []),
    { value: 'silence', label: texts.silence },
    { value: 'suspend', label: texts.suspend, kind: 'danger' },
  ],
})}
${pager(t, PATH, query, ids, page)}`,
  })
}

function accountTable({ t, ctx }: AdminVisit, accounts: readonly AdminAccount[], empty: Html): Html {
  const texts = t.admin.accounts.list
  return dataTable<AdminAccount>(t, {
    caption: t.admin.frame.pages.accounts.label,
    rows: accounts,
    empty,
    select: { value: ({ id }) => id, label: ({ account }) => `@${account.acct}` },
    columns: [
      { label: texts.account, kind: 'main', cell: (account) => adminAccountChip(ctx, account) },
      { label: texts.state, cell: (account) => accountStates(t, account) },
      { label: texts.role, cell: ({ role, domain }) => (domain === null && role.name !== '' ? role.name : null) },
      {
        label: texts.contact,
        cell: ({ email, ip, domain }) =>
          domain === null
            ? html`<bdi>${email}</bdi>${ip && html`<br><a href="${withQuery(PATH, {}, { ip })}"><bdi>${ip}</bdi></a>`}`
            : html`<a href="${withQuery(PATH, {}, { by_domain: domain })}"><bdi>${domain}</bdi></a>`,
      },
      { label: texts.joined, cell: ({ created_at }) => dayOf(t, new Date(created_at)) },
    ],
  })
}

const isAct = (text: string): text is BatchAct => (BATCH_ACTS as readonly string[]).includes(text)

/** What a batch form sends. `again` shows the page with a problem. */
export async function changeAccounts(
  visit: AdminVisit,
  path: string,
  again: (visit: AdminVisit, problems: FormProblems) => Promise<FastifyReply>,
): Promise<FastifyReply> {
  const { ctx, t, staff, request, reply } = visit
  const { body } = request
  const act = textParam(body, 'act')
  const chosen = chosenIds(body, MAX_BATCH)
  const filter: AccountFilter = { states: ['pending'] }
  const ids =
    chosen === 'matching'
      ? await listModeratedAccounts(ctx, filter, { limit: MAX_BATCH, maxId: null, sinceId: null, minId: null })
      : chosen.filter(isId)
  if (ids.length === 0 || !isAct(act)) return again(visit, oneProblem(t, t.admin.frame.nothing_selected))
  if ((act === 'suspend' || act === 'reject') && textParam(body, 'confirmed') !== '1')
    return act === 'suspend' ? askToSuspend(visit, path, ids) : askToReject(visit, path, ids)
  const refused = await actOnAccounts(ctx, staff.accountId, { act, ids, text: cutText(textParam(body, 'text'), 5000) })
  const notice = refused > 0 ? 'partly' : 'done'
  return reply.redirect(withQuery(path, { status: textParam(body, 'status') }, { notice }), 303)
}

async function askToSuspend(visit: AdminVisit, path: string, ids: readonly string[]): Promise<FastifyReply> {
  const { ctx, t, request } = visit
  const { list, account } = t.admin.accounts
  return sendConfirmationPage(visit, {
    title: list.suspend_title,
    lead: list.suspend_lead({ count: ids.length }),
    dryRun: suspensionFigures(t, await previewSuspension(ctx, ids), true),
    action: `${path}/batch`,
    hidden: { act: 'suspend', ids, status: textParam(request.body, 'status') },
    fields: field(t, { label: account.text, name: 'text', type: 'textarea', maxLength: 5000 }),
    confirm: list.suspend,
    cancel: path,
  })
}

async function askToReject(visit: AdminVisit, path: string, ids: readonly string[]): Promise<FastifyReply> {
  const { ctx, t, request } = visit
  const { list } = t.admin.accounts
  const accounts = await readAdminAccounts(ctx, ids.slice(0, MAX_NAMED))
  return sendConfirmationPage(visit, {
    title: list.reject_title,
    lead: list.reject_lead({ count: ids.length }),
    dryRun: html`<p>${accounts.map(({ username }) => html`<bdi>@${username}</bdi> `)}${ids.length > MAX_NAMED && '…'}</p>`,
    action: `${path}/batch`,
    hidden: { act: 'reject', ids, status: textParam(request.body, 'status') },
    confirm: list.reject,
    cancel: path,
  })
}
