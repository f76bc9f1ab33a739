// /admin/fasp/providers: auxiliary services that registered with this server.
import type { FastifyReply } from 'fastify'
import {
  callForDebugging,
  chooseCapabilities,
  confirmProvider,
  deleteProvider,
  refreshProvider,
} from '../../actions/fasp/providers.ts'
import {
  countWaitingProviders,
  fingerprintOf,
  getProvider,
  hasCapability,
  isCapability,
  isUsable,
  listDebugCallbacks,
  listFaspProviders,
  type DebugCallback,
  type OfferedCapability,
  type Provider,
} from '../../domain/fasp/providers.ts'
import { pathId, textParam } from '../../html/form-page.ts'
import { html, type Html } from '../../lib/html.ts'
import type { Texts } from '../../messages/pages.ts'
import { noProblems, problemsOf, type FormProblems } from '../form-problems.ts'
import { actButton, sendConfirmationPage } from './forms.ts'
import { sendAdminPage, type AdminPage, type AdminVisit } from './frame.ts'
import { dataTable, definitions, emptyState, stateBadge, timeAgo } from './kit.ts'

const PATH = '/admin/fasp/providers'

export const faspPage: AdminPage = {
  key: 'fasp',
  path: PATH,
  permissions: ['manage_federation'],
  isOn: ({ config }) => config.fasp,
  badge: countWaitingProviders,
  routes(router) {
    router.get(PATH, list)
    router.get(`${PATH}/:id`, (visit) => show(visit))
    router.post(
      `${PATH}/:id/confirm`,
      actBy('confirm', ({ ctx, staff }, id) => confirmProvider(ctx, staff.accountId, id)),
    )
    router.post(
      `${PATH}/:id/capabilities`,
      actBy('capabilities', (visit, id) => chooseCapabilities(visit.ctx, visit.staff.accountId, id, chosenIn(visit))),
    )
    router.post(
      `${PATH}/:id/refresh`,
      actBy('refresh', ({ ctx }, id) => refreshProvider(ctx, id)),
    )
    router.post(
      `${PATH}/:id/debug`,
      actBy('debug', ({ ctx }, id) => callForDebugging(ctx, id)),
    )
    router.post(`${PATH}/:id/delete`, remove)
  },
}

const actBy =
  (notice: string, act: (visit: AdminVisit, id: string) => Promise<void>) =>
  async (visit: AdminVisit): Promise<FastifyReply> => {
    const id = pathId(visit)
    try {
      await act(visit, id)
    } catch (error) {
      return show(visit, problemsOf(visit.t, error))
    }
    return visit.reply.redirect(`${PATH}/${id}?notice=${notice}`, 303)
  }

function chosenIn({ request }: AdminVisit): string[] {
  const { capabilities } = (request.body ?? {}) as { capabilities?: unknown }
  return Array.isArray(capabilities) ? capabilities.filter((id) => typeof id === 'string') : []
}

async function remove(visit: AdminVisit): Promise<FastifyReply> {
  const { ctx, t, staff, request, reply } = visit
  const texts = t.admin.federation.fasp
  const provider = await getProvider(ctx, pathId(visit))
  const isWaiting = provider.confirmed_at === null
  if (!isWaiting && textParam(request.body, 'confirmed') !== '1')
    return sendConfirmationPage(visit, {
      title: texts.delete_title,
      lead: texts.delete_lead,
      action: `${PATH}/${provider.id}/delete`,
      confirm: texts.delete,
      cancel: `${PATH}/${provider.id}`,
    })
  await deleteProvider(ctx, staff.accountId, provider.id)
  return reply.redirect(`${PATH}?notice=${isWaiting ? 'rejected' : 'deleted'}`, 303)
}

async function list(visit: AdminVisit): Promise<FastifyReply> {
  const { ctx, t } = visit
  const texts = t.admin.federation.fasp
  const providers = await listFaspProviders(ctx)
  return sendAdminPage(visit, {
    lead: texts.lead,
    notices: texts.notices,
    body: () =>
      dataTable<Provider>(t, {
        caption: t.admin.frame.pages.fasp.label,
        rows: providers,
        empty: emptyState({ title: texts.empty_title, text: texts.empty_text }),
        columns: [
          {
            label: texts.name,
            kind: 'main',
            cell: ({ id, name }) => html`<a href="${PATH}/${id}"><bdi>${name}</bdi></a>`,
          },
          { label: texts.address, cell: (provider) => addressHtml(provider) },
          { label: t.admin.federation.state, cell: (provider) => stateHtml(t, provider) },
          { label: texts.capabilities, cell: ({ enabled }) => enabled.map((id) => labelOf(t, id)).join(', ') || '–' },
          {
            label: t.admin.federation.since,
            cell: (provider) => timeAgo(t, provider.confirmed_at ?? provider.created_at),
          },
        ],
      }),
  })
}

const addressHtml = ({ base_url }: Provider): Html => html`<bdi class="long-address" dir="ltr">${base_url}</bdi>`

function stateHtml(t: Texts, { confirmed_at, failing_since }: Provider): Html {
  const { states } = t.admin.federation.fasp
  if (confirmed_at === null) return stateBadge(states.waiting, 'warning')
  return failing_since === null ? stateBadge(states.confirmed, 'good') : stateBadge(states.failing, 'bad')
}

function labelOf(t: Texts, id: string): string {
  const { capability_labels: labels } = t.admin.federation.fasp
  return isCapability(id) ? labels[id].label : id
}

async function show(visit: AdminVisit, problems: FormProblems = noProblems): Promise<FastifyReply> {
  const { ctx, t } = visit
  const texts = t.admin.federation.fasp
  const provider = await getProvider(ctx, pathId(visit))
  const isDebugged = hasCapability(provider, 'callback')
  const callbacks = isDebugged ? await listDebugCallbacks(ctx, provider.id) : []
  return sendAdminPage(visit, {
    title: provider.name,
    back: { href: PATH, label: texts.all },
    lead: stateHtml(t, provider),
    notices: texts.notices,
    problems,
    body: (csrf) => html`<section class="card">${factsHtml(t, provider)}
${provider.confirmed_at === null ? registrationHtml(t, csrf, provider) : actsHtml(t, csrf, provider)}</section>
${provider.confirmed_at !== null && capabilitiesHtml(t, csrf, provider)}
${isDebugged && debugHtml(t, csrf, provider, callbacks)}`,
  })
}

function factsHtml(t: Texts, provider: Provider): Html {
  const texts = t.admin.federation.fasp
  const { public_key, privacy_policy, sign_in_url, contact_email, fediverse_account, failing_since } = provider
  const link = (href: string, text: string): Html =>
    html`<a href="${href}" rel="noopener noreferrer nofollow"><bdi>${text}</bdi></a>`
  return definitions([
    [texts.address, addressHtml(provider)],
    [texts.fingerprint, html`<code class="long-address" dir="ltr">${fingerprintOf(public_key)}</code>`],
    [t.admin.federation.since, timeAgo(t, provider.confirmed_at ?? provider.created_at)],
    [texts.failing_since, failing_since && timeAgo(t, failing_since)],
    [texts.sign_in, sign_in_url && link(sign_in_url, sign_in_url)],
    [texts.contact, contact_email && html`<bdi>${contact_email}</bdi>`],
    [texts.account, fediverse_account && html`<bdi>${fediverse_account}</bdi>`],
    [
      texts.privacy_policy,
      privacy_policy.length > 0 &&
        html`<ul>${privacy_policy.map(({ url, language }) => html`<li>${link(url, language || url)}</li>`)}</ul>`,
    ],
  ])
}

function registrationHtml(t: Texts, csrf: Html, { id }: Provider): Html {
  const texts = t.admin.federation.fasp
  return html`<p>${texts.compare}</p>
<div class="actions">${actButton(csrf, { action: `${PATH}/${id}/confirm`, label: texts.confirm, kind: 'primary' })}${actButton(csrf, { action: `${PATH}/${id}/delete`, label: texts.reject, kind: 'danger' })}</div>`
}

function actsHtml(t: Texts, csrf: Html, { id }: Provider): Html {
  const texts = t.admin.federation.fasp
  return html`<div class="actions">${actButton(csrf, { action: `${PATH}/${id}/refresh`, label: texts.refresh })}${actButton(csrf, { action: `${PATH}/${id}/delete`, label: texts.delete, kind: 'danger' })}</div>`
}

function capabilitiesHtml(t: Texts, csrf: Html, { id, capabilities, enabled }: Provider): Html {
  const texts = t.admin.federation.fasp
  const boxOf = (offered: OfferedCapability): Html => {
    const name = offered.id
    const hint = isUsable(offered) ? texts.capability_labels[offered.id].hint : texts.unsupported
    const box = html`<input type="checkbox" id="capability-${name}" name="capabilities[]" value="${name}"${enabled.includes(name) && html` checked`}${!isUsable(offered) && html` disabled`} aria-describedby="about-${name}">`
    return html`<div class="choice">${box}<label for="capability-${name}">${labelOf(t, name)} <code dir="ltr">${name} ${offered.version}</code></label></div>
<p class="muted" id="about-${name}">${hint}</p>`
  }
  const form = html`<form method="post" action="${PATH}/${id}/capabilities">${csrf}
<fieldset><legend class="visually-hidden">${texts.capabilities}</legend>${capabilities.map(boxOf)}</fieldset>
<div class="actions"><button>${texts.save}</button></div>
</form>`
  return html`<section class="card" aria-labelledby="capabilities"><h2 id="capabilities">${texts.capabilities}</h2>
<p class="muted">${texts.capabilities_hint}</p>
${capabilities.length > 0 ? form : html`<p>${texts.no_capabilities}</p>`}</section>`
}

function debugHtml(t: Texts, csrf: Html, { id }: Provider, callbacks: readonly DebugCallback[]): Html {
  const texts = t.admin.federation.fasp
  return html`<section aria-labelledby="debug"><h2 id="debug">${texts.debug}</h2>
<p class="muted">${texts.debug_hint}</p>
<div class="actions">${actButton(csrf, { action: `${PATH}/${id}/debug`, label: texts.debug_call })}</div>
${dataTable<DebugCallback>(t, {
  caption: texts.debug_calls,
  rows: callbacks,
  empty: emptyState({ title: texts.no_calls_title, text: texts.no_calls_text }),
  columns: [
    { label: texts.time, kind: 'main', cell: ({ created_at }) => timeAgo(t, created_at) },
    { label: texts.ip, cell: ({ ip }) => html`<bdi>${ip}</bdi>` },
    { label: texts.content, cell: ({ body }) => html`<code class="long-address" dir="ltr">${body}</code>` },
  ],
})}</section>`
}
