// /admin/accounts: all accounts with filters, and acts on several at once.
import type { FastifyReply } from 'fastify'
import { actOnAccounts, BATCH_ACTS, type BatchAct } from '../../actions/moderation/batch.ts'
import { newestPage } from '../../db/page.ts'
import { previewSuspension } from '../../domain/moderation/account-page.ts'
import {
  type AccountFilter,
  countModeratedAccounts,
  getModerated,
  labelOf,
  listLastPosting,
  listModeratedAccounts,
} from '../../domain/moderation/accounts.ts'
import { MAX_WARNING_TEXT } from '../../domain/moderation/presets.ts'
import { getInvite } from '../../domain/registration/invites.ts'
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
import {
  accountStates,
  adminAccountChip,
  contactOf,
  isolated,
  readAdminAccounts,
  suspensionFigures,
} from './account-parts.ts'
import { registerAccountPage } from './account.ts'
import { batchForm, chosenIds, sendConfirmationPage } from './forms.ts'
import { mayOpen, sendAdminPage, type AdminPage, type AdminVisit } from './frame.ts'
import {
  dataTable,
  noRows,
  numberedPager,
  pageNumberOf,
  pageOfQuery,
  pager,
  type QueryChanges,
  withQuery,
} from './kit.ts'

const PATH = '/admin/accounts'
/** Accounts that one form changes. */
export const MAX_BATCH = 500
/** Accounts that the confirmation lists. */
const MAX_NAMED = 100

export const accountsPage: AdminPage = {
  key: 'accounts',
  path: PATH,
  permissions: ['manage_users'],
  routes(router) {
    router.get(PATH, (visit) => show(visit))
    router.post(`${PATH}/batch`, (visit) => {
      const filter = accountFilterOf(visit.ctx, visit.request.query)
      return changeAccounts(visit, { path: PATH, filter, again: show })
    })
    registerAccountPage(router)
  },
}

async function show(visit: AdminVisit, given?: FormProblems): Promise<FastifyReply> {
  const { ctx, t, request } = visit
  const { query } = request
  const texts = t.admin.accounts.list
  const filter = accountFilterOf(ctx, query)
  const problems = given ?? (filter === null ? oneProblem(t, texts.ip_wrong, 'ip') : noProblems)
  const [{ ids, pages }, roles] = await Promise.all([listPage(visit, filter), listRoles(ctx)])
  const isFiltered = withQuery(PATH, query, { order: null }) !== PATH
  const [accounts, matching] = await Promise.all([
    readAdminAccounts(ctx, ids),
    filter && isFiltered ? countModeratedAccounts(ctx, filter, MAX_BATCH + 1) : 0,
  ])
  const empty = noRows(texts, { isFiltered })
  return sendAdminPage(visit, {
    ...(await headOf(visit, filter)),
    actions: ruleLinks(visit, filter),
    notices: t.admin.accounts.notices,
    problems,
    body: (csrf) => html`${accountFilters(t, PATH, query, { roles, problems })}
${batchForm(t, csrf, {
  action: withQuery(`${PATH}/batch`, query),
  table: accountTable(visit, accounts, empty),
  ids,
  matching,
  maxMatching: MAX_BATCH,
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
${pages}`,
  })
}

const PER_PAGE = 40

/** The accounts of the page in the order that the address asks for, and the links to further ones. */
async function listPage(
  { ctx, t, request: { query } }: AdminVisit,
  filter: AccountFilter | null,
): Promise<{ ids: string[]; pages: Html | null }> {
  if (textParam(query, 'order') === 'active') {
    const number = pageNumberOf(query)
    const page = { limit: PER_PAGE + 1, offset: number * PER_PAGE }
    const found = filter ? await listLastPosting(ctx, filter, page) : []
    return {
      ids: found.slice(0, PER_PAGE),
      pages: numberedPager(t, PATH, query, { page: number, hasMore: found.length > PER_PAGE }),
    }
  }
  const page = pageOfQuery(query, PER_PAGE)
  const ids = filter ? await listModeratedAccounts(ctx, filter, page) : []
  return { ids, pages: pager(t, PATH, query, { ids, page }) }
}

/** The next step after the accounts of a spammer were found: to keep the network or mail provider from signing up again. */
function ruleLinks(visit: AdminVisit, filter: AccountFilter | null): Html {
  const { ip, email } = visit.t.admin.registration
  const domain = filter?.email?.startsWith('@') ? filter.email.slice(1) : undefined
  const link = (path: string, query: QueryChanges, label: string): Html | false =>
    mayOpen(visit, path) && html`<a class="button secondary" href="${withQuery(`${path}/new`, {}, query)}">${label}</a>`
  return html`${filter?.ip !== undefined && link('/admin/ip_blocks', { ip: filter.ip }, ip.add)}
${domain !== undefined && link('/admin/email_domain_blocks', { domain }, email.add)}`
}

type Heading = { title?: string; back?: { href: string; label: string } }

/** The heading of a list that was opened from an account or an invitation: its name, and the way back. Throws NotFound. */
async function headOf({ ctx, t }: AdminVisit, filter: AccountFilter | null): Promise<Heading> {
  if (filter?.inviteId !== undefined) {
    const { code } = await getInvite(ctx, filter.inviteId)
    const back = { href: '/admin/invites', label: t.admin.frame.pages.invites.label }
    return { title: `${t.admin.registration.invites.code} ${isolated(code)}`, back }
  }
  const id = filter?.followersOf ?? filter?.followedBy
  if (id === undefined) return {}
  const handle = isolated(labelOf(await getModerated(ctx, id)))
  const { followers_of, followed_by } = t.admin.accounts.list
  const title = filter?.followersOf === undefined ? followed_by : followers_of
  return { title: title.replace('{name}', handle), back: { href: `${PATH}/${id}`, label: handle } }
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
            ? contactOf(email, ip)
            : html`<a href="${withQuery(PATH, {}, { by_domain: domain })}"><bdi>${domain}</bdi></a>`,
      },
      { label: texts.joined, cell: ({ created_at }) => dayOf(t, new Date(created_at)) },
      {
        label: texts.last_post,
        cell: ({ account }) => account.last_status_at && dayOf(t, new Date(account.last_status_at)),
      },
    ],
  })
}

const isAct = (text: string): text is BatchAct => (BATCH_ACTS as readonly string[]).includes(text)

type AccountBatch = {
  /** The path of the list. The query of its address stays. */
  path: string
  /** The filter of the list; null when its address filters by something that is no network. */
  filter: AccountFilter | null
  /** Shows the page with a problem. */
  again: (visit: AdminVisit, problems: FormProblems) => Promise<FastifyReply>
}

/** Carries out the act that a batch form sends. */
export async function changeAccounts(visit: AdminVisit, { path, filter, again }: AccountBatch): Promise<FastifyReply> {
  const { ctx, t, staff, request, reply } = visit
  const { body, query } = request
  const act = textParam(body, 'act')
  const chosen = chosenIds(body, MAX_BATCH)
  const matching = async () => (filter ? listModeratedAccounts(ctx, filter, newestPage(MAX_BATCH)) : [])
  const ids = chosen === 'matching' ? await matching() : chosen.filter(isId)
  if (ids.length === 0 || !isAct(act)) return again(visit, oneProblem(t, t.admin.frame.nothing_selected))
  if ((act === 'suspend' || act === 'reject') && textParam(body, 'confirmed') !== '1')
    return act === 'suspend' ? askToSuspend(visit, path, ids) : askToReject(visit, path, ids)
  const refused = await actOnAccounts(ctx, staff.accountId, {
    act,
    ids,
    text: cutText(textParam(body, 'text'), MAX_WARNING_TEXT),
  })
  const notice = refused > 0 ? 'partly' : 'done'
  return reply.redirect(withQuery(path, query, { notice }), 303)
}

async function askToSuspend(visit: AdminVisit, path: string, ids: readonly string[]): Promise<FastifyReply> {
  const { ctx, t, request } = visit
  const { list, account } = t.admin.accounts
  return sendConfirmationPage(visit, {
    title: list.suspend_title,
    lead: list.suspend_lead({ count: ids.length }),
    dryRun: suspensionFigures(t, await previewSuspension(ctx, ids), { withRemoteFollows: true }),
    action: withQuery(`${path}/batch`, request.query),
    hidden: { act: 'suspend', ids },
    fields: field(t, { label: account.text, name: 'text', type: 'textarea', maxLength: MAX_WARNING_TEXT }),
    confirm: list.suspend,
    cancel: withQuery(path, request.query),
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
    action: withQuery(`${path}/batch`, request.query),
    hidden: { act: 'reject', ids },
    confirm: list.reject,
    cancel: withQuery(path, request.query),
  })
}
