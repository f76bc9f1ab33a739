// /admin/canonical_email_blocks: single addresses that cannot sign up. It shares the menu's entry with the providers.
import type { FastifyReply } from 'fastify'
import { blockEmail, unblockEmails } from '../../actions/admin/canonical-email-blocks.ts'
import {
  type CanonicalEmailBlock,
  findCanonicalEmailBlocks,
  findReferenceAccounts,
  listCanonicalEmailBlocks,
} from '../../domain/registration/canonical-email-blocks.ts'
import { textParam } from '../../html/form-page.ts'
import { field } from '../../html/forms.ts'
import { invalidFieldWithDetails } from '../../lib/errors.ts'
import { html, type Html } from '../../lib/html.ts'
import { isEmail } from '../../lib/mail.ts'
import type { Texts } from '../../messages/pages.ts'
import { noProblems, problemsOf, type FormProblems } from '../form-problems.ts'
import { actOnChosen, removalForm } from './forms.ts'
import { mayOpenAccounts, sendAdminPage, type AdminRouter, type AdminVisit } from './frame.ts'
import { dataTable, emptyState, pageOfQuery, staffChip, tabs } from './kit.ts'

const PATH = '/admin/canonical_email_blocks'

export function emailAddressRoutes(router: AdminRouter): void {
  router.get(PATH, (visit) => list(visit))
  router.post(PATH, blockOrTest)
  router.post(`${PATH}/batch`, removeBatch)
}

export const emailTabs = (t: Texts, current: string): Html =>
  tabs(t.admin.registration.email.tabs, current, [
    { href: '/admin/email_domain_blocks', label: t.admin.registration.email.providers },
    { href: PATH, label: t.admin.registration.email.addresses },
  ])

type Shown = { email: string; result: string | null }

async function blockOrTest(visit: AdminVisit): Promise<FastifyReply> {
  const { ctx, t, staff, request, reply } = visit
  const { addresses: texts } = t.admin.registration
  const email = textParam(request.body, 'email').trim()
  try {
    if (textParam(request.body, 'act') !== 'test') await blockEmail(ctx, staff.accountId, { email })
    else if (isEmail(email)) {
      const isBlocked = (await findCanonicalEmailBlocks(ctx, email)).length > 0
      return await list(visit, noProblems, { email, result: isBlocked ? texts.blocked : texts.not_blocked })
    } else throw invalidFieldWithDetails('email', 'invalid')
  } catch (error) {
    return list(
      visit,
      problemsOf(t, error, () => 'email'),
      { email, result: null },
    )
  }
  return reply.redirect(`${PATH}?notice=created`, 303)
}

const removeBatch = (visit: AdminVisit): Promise<FastifyReply> =>
  actOnChosen(visit, { act: unblockEmails, next: `${PATH}?notice=removed`, again: list })

async function list(
  visit: AdminVisit,
  problems: FormProblems = noProblems,
  shown: Shown = { email: '', result: null },
): Promise<FastifyReply> {
  const { ctx, t, request } = visit
  const { addresses: texts, common, email } = t.admin.registration
  const page = pageOfQuery(request.query)
  const blocks = await listCanonicalEmailBlocks(ctx, page)
  const ids = blocks.map(({ id }) => id)
  const accounts = await findReferenceAccounts(ctx, ids)
  const problem = problems.of('email') ?? problems.of('canonical_email_hash')
  return sendAdminPage(visit, {
    title: email.addresses,
    lead: texts.lead,
    problems,
    notices: { created: common.created, removed: common.removed },
    body: (csrf) => html`${emailTabs(t, PATH)}
<form method="post" action="${PATH}" class="card"><h2>${texts.add}</h2>${csrf}
${shown.result && html`<p class="notice info" role="status">${shown.result}</p>`}
${field(t, { label: texts.email, name: 'email', type: 'email', value: shown.email, error: problem, required: true, literal: true })}
<div class="actions"><button name="act" value="block">${texts.block}</button><button class="secondary" name="act" value="test">${texts.test}</button></div>
</form>
${removalForm(visit, csrf, { path: PATH, table: table(visit, blocks, accounts), ids, page })}`,
  })
}

function table(
  { t, staff }: AdminVisit,
  blocks: readonly CanonicalEmailBlock[],
  accounts: ReadonlyMap<string, { id: string; username: string }>,
): Html {
  const { addresses: texts } = t.admin.registration
  return dataTable(t, {
    caption: t.admin.registration.email.addresses,
    rows: blocks,
    select: { value: ({ id }) => id, label: ({ canonical_email_hash: hash }) => hash.slice(0, 12) },
    empty: emptyState({ title: texts.empty, text: texts.empty_text }),
    columns: [
      {
        label: texts.hash,
        kind: 'main',
        cell: ({ canonical_email_hash: hash }) => html`<code title="${hash}">${hash.slice(0, 24)}…</code>`,
      },
      {
        label: texts.account,
        cell({ id }) {
          const account = accounts.get(id)
          return account ? staffChip(t, account, { linked: mayOpenAccounts(staff) }) : t.admin.frame.none
        },
      },
    ],
  })
}
