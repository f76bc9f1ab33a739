// /admin/email_domain_blocks: providers whose addresses cannot sign up.
import type { FastifyReply } from 'fastify'
import { blockEmailDomain, unblockEmailDomains } from '../../actions/admin/email-domain-blocks.ts'
import {
  type AttemptDay,
  checkEmailProvider,
  type EmailDomainBlock,
  findParentDomains,
  listEmailDomainBlocks,
  mailServersOf,
  readAttempts,
} from '../../domain/registration/email-domain-blocks.ts'
import { textParam } from '../../html/form-page.ts'
import { checkbox, field } from '../../html/forms.ts'
import { html, type Html } from '../../lib/html.ts'
import type { MailServer } from '../../net/mail-servers.ts'
import type { Texts } from '../../messages/pages.ts'
import { noProblems, problemsOf, type FormProblems } from '../form-problems.ts'
import { emailAddressRoutes, emailTabs } from './canonical-email-blocks.ts'
import { actOnChosen, removalForm } from './forms.ts'
import { sendAdminPage, type AdminPage, type AdminVisit } from './frame.ts'
import { dataTable, emptyState, pageOfQuery, stateBadge, timeAgo } from './kit.ts'

const PATH = '/admin/email_domain_blocks'
const MAX_SERVERS = 100

export const emailDomainBlocksPage: AdminPage = {
  key: 'email_domain_blocks',
  path: PATH,
  permissions: ['manage_blocks'],
  routes(router) {
    router.get(PATH, (visit) => list(visit))
    router.post(PATH, create)
    router.post(`${PATH}/batch`, removeBatch)
    router.get(`${PATH}/new`, (visit) =>
      showForm(visit, { ...EMPTY, domain: textParam(visit.request.query, 'domain') }),
    )
    emailAddressRoutes(router)
  },
}

/** `found`: the mail servers that were looked up; `chosen`: those to block too. */
type Filled = { domain: string; approval: boolean; found: MailServer[] | null; chosen: string[] }
const EMPTY: Filled = { domain: '', approval: false, found: null, chosen: [] }

async function create(visit: AdminVisit): Promise<FastifyReply> {
  const { ctx, t, staff, request, reply } = visit
  const { servers } = (request.body ?? {}) as { servers?: unknown }
  const chosen = (Array.isArray(servers) ? servers : [])
    .filter((name) => typeof name === 'string')
    .slice(0, MAX_SERVERS)
  const filled = {
    domain: textParam(request.body, 'domain'),
    approval: textParam(request.body, 'allow_with_approval') === '1',
    found: null,
    chosen,
  }
  const lookUp = async (): Promise<MailServer[]> => mailServersOf(ctx, checkEmailProvider(filled.domain))
  try {
    if (textParam(request.body, 'act') === 'look_up') return await showForm(visit, { ...filled, found: await lookUp() })
    const { domain, approval: allowWithApproval } = filled
    await blockEmailDomain(ctx, staff.accountId, { domain, allowWithApproval, mailServers: chosen })
  } catch (error) {
    const problems = problemsOf(t, error)
    return showForm(visit, { ...filled, found: chosen.length > 0 ? await lookUp().catch(() => []) : null }, problems)
  }
  return reply.redirect(`${PATH}?notice=created`, 303)
}

const removeBatch = (visit: AdminVisit): Promise<FastifyReply> =>
  actOnChosen(visit, { act: unblockEmailDomains, next: `${PATH}?notice=removed`, again: list })

async function list(visit: AdminVisit, problems: FormProblems = noProblems): Promise<FastifyReply> {
  const { ctx, t, request } = visit
  const { email: texts, common } = t.admin.registration
  const page = pageOfQuery(request.query)
  const blocks = await listEmailDomainBlocks(ctx, page)
  const ids = blocks.map(({ id }) => id)
  const [attempts, parents] = await Promise.all([readAttempts(ctx, ids), findParentDomains(ctx, blocks)])
  return sendAdminPage(visit, {
    lead: texts.lead,
    problems,
    notices: { created: common.created, removed: common.removed },
    actions: html`<a class="button" href="${PATH}/new">${texts.add}</a>`,
    body: (csrf) => html`${emailTabs(t, PATH)}
${removalForm(visit, csrf, { path: PATH, table: table(t, blocks, attempts, parents), ids, page })}`,
  })
}

function table(
  t: Texts,
  blocks: readonly EmailDomainBlock[],
  attempts: ReadonlyMap<string, AttemptDay[]>,
  parents: ReadonlyMap<string, string>,
): Html {
  const { email: texts, common } = t.admin.registration
  return dataTable(t, {
    caption: t.admin.frame.pages.email_domain_blocks.label,
    rows: blocks,
    select: { value: ({ id }) => id, label: ({ domain }) => domain },
    empty: emptyState({
      title: texts.empty,
      text: texts.empty_text,
      action: { href: `${PATH}/new`, label: texts.add },
    }),
    columns: [
      {
        label: texts.domain,
        kind: 'main',
        cell({ domain, parent_id: parent }) {
          const of = parent === null ? undefined : parents.get(parent)
          return html`<bdi>${domain}</bdi>${of !== undefined && html`<br><span class="muted">${texts.mail_server_of({ domain: of })}</span>`}`
        },
      },
      {
        label: common.sign_ups,
        cell: ({ allow_with_approval: approval }) =>
          approval ? stateBadge(common.with_approval, 'warning') : stateBadge(common.refused, 'bad'),
      },
      { label: texts.attempts, cell: ({ id }) => attemptsText(t, attempts.get(id) ?? []) },
      { label: common.since, cell: ({ created_at: since }) => timeAgo(t, since) },
    ],
  })
}

function attemptsText(t: Texts, days: readonly AttemptDay[]): string {
  const sum = (of: 'uses' | 'accounts'): number => days.reduce((total, day) => total + day[of], 0)
  const uses = sum('uses')
  return uses === 0 ? t.admin.frame.none : t.admin.registration.email.tries({ uses, addresses: sum('accounts') })
}

function showForm(visit: AdminVisit, filled: Filled, problems: FormProblems = noProblems): Promise<FastifyReply> {
  const { t } = visit
  const { email: texts, common } = t.admin.registration
  return sendAdminPage(visit, {
    title: texts.add,
    back: { href: PATH, label: t.admin.frame.pages.email_domain_blocks.label },
    problems,
    body: (csrf) => html`<form method="post" action="${PATH}" class="card">${csrf}
${field(t, { label: texts.domain, name: 'domain', value: filled.domain, hint: texts.domain_hint, error: problems.of('domain'), required: true, literal: true })}
${checkbox({ label: common.allow_with_approval, name: 'allow_with_approval', checked: filled.approval })}
${filled.found && serverChoice(t, filled.found, filled.chosen)}
<div class="actions"><button name="act" value="block">${texts.block}</button><button class="secondary" name="act" value="look_up">${texts.look_up}</button></div>
</form>`,
  })
}

function serverChoice(t: Texts, found: readonly MailServer[], chosen: readonly string[]): Html {
  const { email: texts } = t.admin.registration
  const names = found.flatMap(({ host, addresses }) => [host, ...addresses])
  if (names.length === 0) return html`<p class="notice info">${texts.no_servers}</p>`
  const boxes = [...new Set(names)].map(
    (name, at) =>
      html`<div class="choice"><input type="checkbox" id="server-${at}" name="servers[]" value="${name}"${chosen.includes(name) && html` checked`}><label for="server-${at}"><bdi>${name}</bdi></label></div>`,
  )
  return html`<fieldset aria-describedby="servers-hint"><legend>${texts.servers}</legend><p class="hint" id="servers-hint">${texts.servers_hint}</p>${boxes}</fieldset>`
}
