// /admin/relays
import type { FastifyReply } from 'fastify'
import { addRelay, disableRelay, enableRelay, removeRelay } from '../../actions/moderation/relays.ts'
import { listRelays, type RelayRow } from '../../domain/moderation/relays.ts'
import { pathId, textParam } from '../../html/form-page.ts'
import { field } from '../../html/forms.ts'
import { html, type Html } from '../../lib/html.ts'
import type { Texts } from '../../messages/pages.ts'
import { noProblems, problemsOf, type FormProblems } from '../form-problems.ts'
import { actButton } from './forms.ts'
import { sendAdminPage, type AdminPage, type AdminVisit } from './frame.ts'
import { dataTable, emptyState, stateBadge, timeAgo } from './kit.ts'

const PATH = '/admin/relays'

export const relaysPage: AdminPage = {
  key: 'relays',
  path: PATH,
  permissions: ['manage_federation'],
  routes(router) {
    router.get(PATH, (visit) => show(visit))
    router.post(PATH, create)
    router.post(`${PATH}/:id/enable`, changeBy(enableRelay, 'enabled'))
    router.post(`${PATH}/:id/disable`, changeBy(disableRelay, 'disabled'))
    router.post(`${PATH}/:id/delete`, changeBy(removeRelay, 'deleted'))
  },
}

const changeBy =
  (change: typeof enableRelay, notice: string) =>
  async (visit: AdminVisit): Promise<FastifyReply> => {
    await change(visit.ctx, visit.staff.accountId, pathId(visit))
    return visit.reply.redirect(`${PATH}?notice=${notice}`, 303)
  }

async function create(visit: AdminVisit): Promise<FastifyReply> {
  const { ctx, t, request, reply, staff } = visit
  try {
    await addRelay(ctx, staff.accountId, textParam(request.body, 'inbox_url'))
    return await reply.redirect(`${PATH}?notice=created`, 303)
  } catch (error) {
    return show(visit, problemsOf(t, error))
  }
}

async function show(visit: AdminVisit, problems: FormProblems = noProblems): Promise<FastifyReply> {
  const { ctx, t, request } = visit
  const texts = t.admin.federation.relays
  const relays = await listRelays(ctx)
  return sendAdminPage(visit, {
    lead: texts.lead,
    notices: texts.notices,
    problems,
    body: (csrf) => html`<p class="muted">${texts.signatures}</p>
${relays.length > 0 && html`<p class="muted">${texts.remove_hint}</p>`}
${dataTable<RelayRow>(t, {
  caption: t.admin.frame.pages.relays.label,
  rows: relays,
  empty: emptyState({ title: texts.empty_title, text: texts.empty_text }),
  columns: [
    { label: texts.inbox, kind: 'main', cell: ({ inbox_url }) => html`<bdi class="long-address">${inbox_url}</bdi>` },
    { label: t.admin.federation.state, cell: (relay) => stateHtml(t, relay) },
    { label: t.admin.federation.since, cell: ({ created_at }) => timeAgo(t, created_at) },
    { label: t.admin.frame.actions, kind: 'actions', cell: (relay) => actsHtml(t, csrf, relay) },
  ],
})}
<section class="card"><h2>${texts.add}</h2><form method="post" action="${PATH}">${csrf}
${field(t, { label: texts.inbox, name: 'inbox_url', type: 'url', value: textParam(request.body, 'inbox_url'), hint: texts.inbox_hint, required: true, literal: true, maxLength: 2000, error: problems.of('inbox_url') })}
<div class="actions"><button>${texts.add}</button></div></form></section>`,
  })
}

const KINDS = { idle: 'plain', pending: 'warning', accepted: 'good', rejected: 'bad' } as const

const stateHtml = (t: Texts, { state }: RelayRow): Html =>
  stateBadge(t.admin.federation.relays.states[state], KINDS[state])

function actsHtml(t: Texts, csrf: Html, { id, state, inbox_url }: RelayRow): Html {
  const texts = t.admin.federation.relays
  const about = new URL(inbox_url).host
  const isOn = state === 'accepted' || state === 'pending'
  const toggle = isOn
    ? { action: `${PATH}/${id}/disable`, label: texts.disable, about }
    : { action: `${PATH}/${id}/enable`, label: texts.enable, about }
  return html`<div class="actions">${actButton(csrf, toggle)}${actButton(csrf, { action: `${PATH}/${id}/delete`, label: texts.remove, kind: 'danger', about })}</div>`
}
