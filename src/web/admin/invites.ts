// /admin/invites: everyone's invitations.
import type { FastifyReply } from 'fastify'
import { deactivateAllInvites, deactivateInvites } from '../../actions/admin/invites.ts'
import { type Invite, listInvites } from '../../domain/registration/invites.ts'
import { textParam } from '../../html/form-page.ts'
import { momentOf, numberText } from '../../html/texts.ts'
import { html, type Html } from '../../lib/html.ts'
import { noProblems, type FormProblems } from '../form-problems.ts'
import { batchForm, actOnChosen, sendConfirmationPage } from './forms.ts'
import { mayOpen, mayOpenAccounts, sendAdminPage, type AdminPage, type AdminVisit } from './frame.ts'
import { dataTable, emptyState, filterLinks, pageOfQuery, pager, staffChip, stateBadge, withQuery } from './kit.ts'

const PATH = '/admin/invites'

export const adminInvitesPage: AdminPage = {
  key: 'invites',
  path: PATH,
  permissions: ['manage_invites'],
  routes(router) {
    router.get(PATH, (visit) => list(visit))
    router.post(`${PATH}/batch`, deactivate)
    router.get(`${PATH}/deactivate_all`, confirmAll)
    router.post(`${PATH}/deactivate_all`, async ({ ctx, staff, reply }) => {
      await deactivateAllInvites(ctx, staff.accountId)
      return reply.redirect(`${PATH}?notice=deactivated`, 303)
    })
  },
}

const deactivate = (visit: AdminVisit): Promise<FastifyReply> =>
  actOnChosen(visit, { act: deactivateInvites, next: `${PATH}?notice=deactivated`, again: list })

function confirmAll(visit: AdminVisit): Promise<FastifyReply> {
  const { invites: texts } = visit.t.admin.registration
  return sendConfirmationPage(visit, {
    title: texts.all,
    lead: texts.all_lead,
    action: `${PATH}/deactivate_all`,
    confirm: texts.all,
    cancel: PATH,
  })
}

async function list(visit: AdminVisit, problems: FormProblems = noProblems): Promise<FastifyReply> {
  const { ctx, t, request } = visit
  const { invites: texts } = t.admin.registration
  const sent = textParam(request.query, 'state')
  const page = pageOfQuery(request.query)
  const invites = await listInvites(ctx, page, sent === 'usable' || sent === 'ended' ? { state: sent } : {})
  const ids = invites.map(({ id }) => id)
  const states = [
    { value: '', label: t.admin.frame.any },
    { value: 'usable', label: texts.usable },
    { value: 'ended', label: texts.ended },
  ]
  return sendAdminPage(visit, {
    lead: texts.lead,
    problems,
    notices: { deactivated: texts.deactivated },
    actions: html`<a class="button secondary" href="/invites">${texts.yours}</a>`,
    body: (
      csrf,
    ) => html`${filterLinks(t, PATH, request.query, [{ label: texts.state, name: 'state', options: states }])}
${batchForm(t, csrf, {
  action: `${PATH}/batch`,
  table: table(visit, invites),
  ids,
  acts: [{ value: 'deactivate', label: texts.deactivate, kind: 'danger' }],
})}
${pager(t, PATH, request.query, { ids, page })}
${invites.some(({ usable }) => usable) && html`<p><a href="${PATH}/deactivate_all">${texts.all}</a></p>`}`,
  })
}

function table(visit: AdminVisit, invites: readonly Invite[]): Html {
  const { t, staff } = visit
  const { invites: texts, common } = t.admin.registration
  return dataTable(t, {
    caption: t.admin.frame.pages.invites.label,
    rows: invites,
    select: { value: ({ id }) => id, label: ({ code }) => code },
    empty: emptyState({ title: texts.empty, text: texts.empty_text, action: { href: '/invites', label: texts.yours } }),
    columns: [
      { label: texts.code, kind: 'main', cell: ({ code }) => html`<code dir="ltr">${code}</code>` },
      {
        label: texts.inviter,
        cell: ({ account_id, username }) =>
          staffChip(t, { id: account_id, username }, { linked: mayOpenAccounts(staff) }),
      },
      {
        label: texts.uses,
        kind: 'number',
        cell({ id, uses, max_uses: max }) {
          const text = max === null ? numberText(t, uses) : texts.of({ uses, max })
          if (uses === 0 || !mayOpen(visit, '/admin/accounts')) return text
          return html`<a href="${withQuery('/admin/accounts', {}, { invite: id })}">${text}</a>`
        },
      },
      { label: common.until, cell: ({ expires_at: end }) => (end ? momentOf(t, end) : common.never) },
      {
        label: texts.state,
        cell: ({ usable }) => (usable ? stateBadge(texts.usable, 'good') : stateBadge(texts.ended)),
      },
      { label: common.comment, cell: ({ comment }) => comment },
    ],
  })
}
