// /admin/webhooks: programs that receive events of this server.
import type { FastifyReply } from 'fastify'
import {
  createWebhook,
  deleteWebhook,
  switchWebhook,
  modifyWebhook,
  rotateWebhookSecret,
  testWebhook,
} from '../../actions/server/webhooks.ts'
import { listDeliveries, listLastDeliveries, type Delivery } from '../../domain/webhooks/deliveries.ts'
import { staffMay } from '../../domain/auth/staff.ts'
import { MAX_TEMPLATE } from '../../domain/webhooks/template.ts'
import {
  EVENT_PERMISSION,
  getWebhook,
  listWebhooks,
  readWebhookSecret,
  type Webhook,
  type WebhookForm,
} from '../../domain/webhooks/webhooks.ts'
import { pathId, textParam } from '../../html/form-page.ts'
import { field } from '../../html/forms.ts'
import { numberText } from '../../html/texts.ts'
import { WEBHOOK_EVENTS, type WebhookEvent } from '../../jobs/webhook-events.ts'
import { html, type Html } from '../../lib/html.ts'
import type { Texts } from '../../messages/pages.ts'
import { labelledProblems, noProblems, type FormProblems } from '../form-problems.ts'
import { actButton, sendConfirmationPage } from './forms.ts'
import { sendAdminPage, type AdminPage, type AdminVisit } from './frame.ts'
import { dataTable, definitions, emptyState, stateBadge, timeAgo } from './kit.ts'

const PATH = '/admin/webhooks'
const SHOWN_DELIVERIES = 30

export const webhooksPage: AdminPage = {
  key: 'webhooks',
  path: PATH,
  permissions: ['manage_webhooks'],
  routes(router) {
    router.get(PATH, show)
    router.get(`${PATH}/new`, (visit) => sendForm(visit, null, { url: '', events: [], template: '' }))
    router.get(`${PATH}/:id`, async (visit) => {
      const webhook = await getWebhook(visit.ctx, pathId(visit))
      return sendForm(visit, webhook, { ...webhook, template: webhook.template ?? '' })
    })
    router.post(PATH, (visit) => save(visit, null))
    router.post(`${PATH}/:id`, (visit) => save(visit, pathId(visit)))
    for (const act of ['enable', 'disable', 'test', 'rotate', 'delete'] as const)
      router.post(`${PATH}/:id/${act}`, (visit) => change(visit, act))
  },
}

async function show(visit: AdminVisit): Promise<FastifyReply> {
  const { ctx, t } = visit
  const texts = t.admin.settings.webhooks
  const [webhooks, last] = await Promise.all([listWebhooks(ctx), listLastDeliveries(ctx)])
  const add = { href: `${PATH}/new`, label: texts.add }
  return sendAdminPage(visit, {
    lead: texts.lead,
    actions: html`<a class="button" href="${add.href}">${add.label}</a>`,
    notices: { deleted: texts.deleted },
    body: () =>
      dataTable<Webhook>(t, {
        caption: t.admin.frame.pages.webhooks.label,
        rows: webhooks,
        empty: emptyState({ title: texts.empty_title, text: texts.empty_text, action: add }),
        columns: [
          {
            label: texts.url,
            kind: 'main',
            cell: ({ id, url }) => html`<a class="long-address" dir="ltr" href="${PATH}/${id}">${shortened(url)}</a>`,
          },
          { label: texts.state, cell: ({ enabled }) => stateOf(t, enabled) },
          {
            label: texts.events,
            cell: ({ events }) => html`<ul>${events.map((event) => html`<li>${texts.event_labels[event]}</li>`)}</ul>`,
          },
          {
            label: texts.last_result,
            cell: ({ id }) => {
              const delivery = last.get(id)
              return delivery
                ? html`${resultOf(t, delivery)} ${timeAgo(t, delivery.updated_at)}`
                : html`<span class="muted">${texts.never}</span>`
            },
          },
        ],
      }),
  })
}

/** The end of an address may be a secret of the service. */
const shortened = (url: string): string => (url.length > 60 ? `${url.slice(0, 60)}…` : url)

function stateOf(t: Texts, enabled: boolean): Html {
  const texts = t.admin.settings.webhooks
  return enabled ? stateBadge(texts.enabled, 'good') : stateBadge(texts.disabled)
}

function resultOf(t: Texts, { delivered_at: delivered, failed_at: failed }: Delivery): Html {
  const { results } = t.admin.settings.webhooks
  if (delivered) return stateBadge(results.delivered, 'good')
  return failed ? stateBadge(results.failed, 'bad') : stateBadge(results.retried, 'warning')
}

async function save(visit: AdminVisit, id: string | null): Promise<FastifyReply> {
  const { ctx, t, staff, request, reply } = visit
  const events = (request.body as { events?: unknown } | null)?.events
  const form: WebhookForm = {
    url: textParam(request.body, 'url'),
    events: Array.isArray(events) ? events.filter((event) => typeof event === 'string') : [],
    template: textParam(request.body, 'template'),
  }
  const before = id === null ? null : await getWebhook(ctx, id)
  try {
    if (id === null) id = await createWebhook(ctx, staff.accountId, form)
    else await modifyWebhook(ctx, staff.accountId, id, form)
  } catch (error) {
    return sendForm(visit, before, form, labelledProblems(t, error, t.admin.settings.webhooks))
  }
  return reply.redirect(`${PATH}/${id}?notice=saved`, 303)
}

async function change(
  visit: AdminVisit,
  act: 'enable' | 'disable' | 'test' | 'rotate' | 'delete',
): Promise<FastifyReply> {
  const { ctx, t, staff, request, reply } = visit
  const texts = t.admin.settings.webhooks
  const { id } = await getWebhook(ctx, pathId(visit))
  if ((act === 'rotate' || act === 'delete') && textParam(request.body, 'confirmed') !== '1')
    return sendConfirmationPage(visit, {
      title: texts[`${act}_title`],
      lead: texts[`${act}_lead`],
      action: `${PATH}/${id}/${act}`,
      confirm: texts[act],
      cancel: `${PATH}/${id}`,
    })
  if (act === 'delete') {
    await deleteWebhook(ctx, staff.accountId, id)
    return reply.redirect(`${PATH}?notice=deleted`, 303)
  }
  if (act === 'test') await testWebhook(ctx, id)
  else if (act === 'rotate') await rotateWebhookSecret(ctx, staff.accountId, id)
  else await switchWebhook(ctx, staff.accountId, id, { enabled: act === 'enable' })
  return reply.redirect(`${PATH}/${id}?notice=${act}`, 303)
}

async function sendForm(
  visit: AdminVisit,
  webhook: Webhook | null,
  filled: WebhookForm,
  problems: FormProblems = noProblems,
): Promise<FastifyReply> {
  const { ctx, t } = visit
  const texts = t.admin.settings.webhooks
  const [secret, deliveries] = await Promise.all([
    webhook && readWebhookSecret(ctx, webhook.id),
    webhook ? listDeliveries(ctx, webhook.id, SHOWN_DELIVERIES) : [],
  ])
  const { saved, was_enabled: enable, was_disabled: disable, tested: test, rotated: rotate } = texts
  return sendAdminPage(visit, {
    title: webhook ? texts.edit : texts.add,
    back: { href: PATH, label: texts.all },
    problems,
    notices: { saved, enable, disable, test, rotate },
    ...(webhook ? { lead: stateOf(t, webhook.enabled) } : {}),
    body: (
      csrf,
    ) => html`${webhook && !webhook.events.every((event) => maySee(visit, event)) ? factsOf(t, webhook) : formOf(visit, csrf, { webhook, filled, problems })}
${webhook && secret !== null && secretSection(t, csrf, webhook.id, secret)}
${webhook && deliverySection(t, csrf, webhook, deliveries)}`,
  })
}

const maySee = ({ staff }: AdminVisit, event: WebhookEvent): boolean => {
  const permission = EVENT_PERMISSION[event]
  return permission === null || staffMay(staff, permission)
}

function factsOf(t: Texts, { url, events }: Webhook): Html {
  const texts = t.admin.settings.webhooks
  const facts = definitions([
    [texts.url, html`<bdi class="long-address" dir="ltr">${shortened(url)}</bdi>`],
    [texts.events, html`<ul>${events.map((event) => html`<li>${texts.event_labels[event]}</li>`)}</ul>`],
  ])
  return html`<section class="card">${facts}<p class="notice info">${texts.unchangeable}</p></section>`
}

type Shown = { webhook: Webhook | null; filled: WebhookForm; problems: FormProblems }

function formOf(visit: AdminVisit, csrf: Html, { webhook, filled, problems }: Shown): Html {
  const { t } = visit
  const texts = t.admin.settings.webhooks
  return html`<form class="card" method="post" action="${webhook ? `${PATH}/${webhook.id}` : PATH}">${csrf}
${field(t, { label: texts.url, name: 'url', type: 'url', value: filled.url, hint: texts.url_hint, error: problems.of('url'), required: true, literal: true })}
${eventBoxes(visit, filled.events, problems)}
${field(t, { label: texts.template, name: 'template', type: 'textarea', value: filled.template, hint: texts.template_hint, error: problems.of('template'), maxLength: MAX_TEMPLATE, literal: true })}
<div class="actions"><button>${texts.save}</button></div>
</form>`
}

function eventBoxes(visit: AdminVisit, chosen: readonly string[], problems: FormProblems): Html {
  const { events, event_labels: labels } = visit.t.admin.settings.webhooks
  const error = problems.of('events')
  const boxes = WEBHOOK_EVENTS.map((event: WebhookEvent, index) => {
    // The first box carries the group's id, to which the summary of the errors links.
    const id = index === 0 ? 'field-events' : `field-events-${index}`
    return html`<div class="choice"><input type="checkbox" id="${id}" name="events[]" value="${event}"${chosen.includes(event) && html` checked`}${!maySee(visit, event) && html` disabled`}><label for="${id}">${labels[event]} <code dir="ltr">${event}</code></label></div>`
  })
  return html`<fieldset${error && html` aria-describedby="field-events-error"`}><legend>${events}</legend>
${error && html`<p class="field-error" id="field-events-error">${error}</p>`}
${boxes}</fieldset>`
}

function secretSection(t: Texts, csrf: Html, id: string, secret: string): Html {
  const texts = t.admin.settings.webhooks
  return html`<section class="card" aria-labelledby="secret"><h2 id="secret">${texts.secret}</h2>
<p class="muted">${texts.secret_hint}</p>
<details><summary>${texts.show_secret}</summary><p><code class="code-display" dir="ltr">${secret}</code></p></details>
<div class="actions">${actButton(csrf, { action: `${PATH}/${id}/rotate`, label: texts.rotate })}</div>
</section>`
}

function deliverySection(t: Texts, csrf: Html, { id, enabled }: Webhook, deliveries: readonly Delivery[]): Html {
  const texts = t.admin.settings.webhooks
  const toggle = enabled ? 'disable' : 'enable'
  return html`<section aria-labelledby="deliveries"><h2 id="deliveries">${texts.deliveries}</h2>
${dataTable<Delivery>(t, {
  caption: texts.deliveries,
  rows: deliveries,
  empty: emptyState({ title: texts.no_deliveries_title, text: texts.no_deliveries_text }),
  columns: [
    {
      label: texts.event,
      kind: 'main',
      cell: ({ event }) => texts.event_labels[event as keyof typeof texts.event_labels] ?? event,
    },
    { label: texts.time, cell: ({ created_at }) => timeAgo(t, created_at) },
    { label: texts.result, cell: (delivery) => resultOf(t, delivery) },
    { label: texts.answer, cell: ({ http_status: status, error }) => status ?? error },
    { label: texts.attempts, kind: 'number', cell: ({ attempts }) => numberText(t, attempts) },
  ],
})}
<div class="actions">${actButton(csrf, { action: `${PATH}/${id}/test`, label: texts.test })}${actButton(csrf, { action: `${PATH}/${id}/${toggle}`, label: texts[toggle] })}${actButton(csrf, { action: `${PATH}/${id}/delete`, label: texts.delete, kind: 'danger' })}</div>
</section>`
}
