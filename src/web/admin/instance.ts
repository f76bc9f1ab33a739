// /admin/instances/:domain: what is known of one server, and what can be done about it.
import type { FastifyReply } from 'fastify'
import { restoreFollowsWith } from '../../actions/moderation/domain-blocks.ts'
import {
  addServerNote,
  purgeServer,
  removeServerNote,
  retryServer,
  setDeliveryStopped,
} from '../../actions/moderation/servers.ts'
import { isListed } from '../../domain/moderation/domain-allows.ts'
import { type AdminDomainBlockRow, findRuleFor } from '../../domain/moderation/domain-blocks.ts'
import { listModerationNotes } from '../../domain/moderation/notes.ts'
import {
  getServer,
  listInboxHosts,
  listTraffic,
  type ServerRow,
  type TrafficDay,
} from '../../domain/moderation/servers.ts'
import { listSeverances, type SeveranceRow } from '../../domain/moderation/severed.ts'
import { textParam } from '../../html/form-page.ts'
import { dayText, numberText } from '../../html/texts.ts'
import { countWaitingDeliveries, type DeliveryError, findDeliveryError } from '../../jobs/deliveries.ts'
import { NotFound } from '../../lib/errors.ts'
import { html, type Html } from '../../lib/html.ts'
import { isId } from '../../lib/ids.ts'
import type { Texts } from '../../messages/pages.ts'
import { noProblems, problemsOf, type FormProblems } from '../form-problems.ts'
import { lineChart } from './charts.ts'
import { purgeHtml } from './dry-run.ts'
import { actButton, sendConfirmationPage } from './forms.ts'
import { mayOpen, sendAdminPage, type AdminVisit } from './frame.ts'
import { dataTable, definitions, emptyState, figures, stateBadge, timeAgo, withQuery } from './kit.ts'
import { notesSection } from './notes.ts'
import { serverPath, serverState } from './server-state.ts'

/** Throws NotFound. */
const serverOf = ({ ctx, request }: AdminVisit): Promise<ServerRow> =>
  getServer(ctx, (request.params as { domain: string }).domain.toLowerCase())

export async function showInstance(visit: AdminVisit, problems: FormProblems = noProblems): Promise<FastifyReply> {
  const { ctx, t } = visit
  const texts = t.admin.federation.servers
  const server = await serverOf(visit)
  const { domain } = server
  const hosts = await listInboxHosts(ctx, domain)
  const [traffic, rule, isAllowed, severances, waiting, error, notes] = await Promise.all([
    listTraffic(ctx, domain),
    findRuleFor(ctx, domain),
    isListed(ctx, domain),
    listSeverances(ctx, domain),
    countWaitingDeliveries(ctx, hosts),
    findDeliveryError(ctx, hosts),
    listModerationNotes(ctx, { domain }),
  ])
  return sendAdminPage(visit, {
    title: domain,
    back: { href: '/admin/instances', label: t.admin.frame.pages.instances.label },
    notices: { ...texts.notices, ...t.admin.frame.notes.notices },
    problems,
    ...(mayOpen(visit, '/admin/accounts') && {
      actions: html`<a class="button secondary" href="${withQuery('/admin/accounts', null, { by_domain: domain })}">${texts.see_accounts}</a>`,
    }),
    body: (csrf) => html`${countsHtml(t, server)}
${factsHtml(t, server, { hosts, waiting, error })}
${trafficChart(t, traffic)}
<h2>${texts.measures}</h2>
${measuresHtml(t, csrf, { domain, rule, isAllowed, isLimited: ctx.config.limitedFederation })}
${severances.length > 0 && html`<h2>${texts.history}</h2>${severanceTable(t, csrf, { domain, severances, isSuspended: rule?.severity === 'suspend' || (ctx.config.limitedFederation && !isAllowed) })}`}
<h2>${texts.delivery}</h2>
${deliveryForms(t, csrf, server)}
${notesSection(visit, csrf, { path: `${serverPath(domain)}/notes`, notes, problems, mayWrite: true })}`,
  })
}

const countsHtml = (t: Texts, server: ServerRow): Html => {
  const { servers: texts, accounts } = t.admin.federation
  const entry = (label: string, value: number) => ({ label, value: numberText(t, value) })
  return figures([
    entry(accounts, server.accounts),
    entry(texts.following, server.following),
    entry(texts.followers, server.followers),
    { ...entry(texts.received, server.received), hint: texts.month },
    { ...entry(texts.delivered, server.delivered), hint: texts.month },
    { ...entry(texts.failed, server.failed), hint: texts.month },
  ])
}

function factsHtml(
  t: Texts,
  server: ServerRow,
  { hosts, waiting, error }: { hosts: readonly string[]; waiting: number; error: DeliveryError | null },
): Html {
  const texts = t.admin.federation.servers
  const others = hosts.filter((host) => host !== server.domain)
  return definitions([
    [t.admin.federation.state, serverState(t, server)],
    [texts.stopped_since, server.stopped_at && timeAgo(t, server.stopped_at)],
    [texts.software, html`<bdi>${server.software ?? texts.unknown} ${server.software_version}</bdi>`],
    [texts.users, server.users_count !== null && numberText(t, server.users_count)],
    [texts.first_seen, timeAgo(t, server.first_seen_at)],
    [texts.last_success, server.last_success_at && timeAgo(t, server.last_success_at)],
    [texts.hosts, others.length > 0 && html`<bdi>${others.join(', ')}</bdi>`],
    [texts.waiting, numberText(t, waiting)],
    [texts.last_error, error && html`<bdi>${error.error}</bdi> <span class="muted">${timeAgo(t, error.at)}</span>`],
  ])
}

function trafficChart(t: Texts, days: readonly TrafficDay[]): Html {
  const texts = t.admin.federation.servers
  const series = (['received', 'delivered', 'failed'] as const).map((key) => ({
    label: texts[key],
    values: days.map((day) => day[key]),
  }))
  return lineChart(t, {
    label: texts.traffic,
    ticks: days.map(({ day }) => dayText(t, new Date(`${day}T00:00:00Z`))),
    series: days.some(({ received, delivered, failed }) => received + delivered + failed > 0) ? series : [],
  })
}

type Measures = { domain: string; rule: AdminDomainBlockRow | null; isAllowed: boolean; isLimited: boolean }

function measuresHtml(t: Texts, csrf: Html, { domain, rule, isAllowed, isLimited }: Measures): Html {
  const { servers: texts, severities } = t.admin.federation
  const block = `/admin/domain_blocks/new?domain=${encodeURIComponent(domain)}`
  const own = rule?.domain === domain
  return html`${rule === null ? html`<p>${texts.no_measure}</p>` : html`<p>${stateBadge(severities[rule.severity], rule.severity === 'suspend' ? 'bad' : 'warning')} ${!own && texts.covered_by(rule)} <bdi>${rule.public_comment}</bdi></p>`}
${isAllowed && html`<p>${texts.is_allowed}</p>`}
<div class="actions">${rule !== null && html`<a class="button secondary" href="/admin/domain_blocks/${rule.id}">${texts.edit_block}</a>`}${!own && html`<a class="button secondary" href="${block}">${texts.block}</a>`}${isLimited && !isAllowed && actButton(csrf, { action: '/admin/domain_allows', label: texts.allow, hidden: { domain } })}</div>`
}

type Severances = { domain: string; severances: readonly SeveranceRow[]; isSuspended: boolean }

function severanceTable(t: Texts, csrf: Html, { domain, severances, isSuspended }: Severances): Html {
  const texts = t.admin.federation.servers
  const canRestore =
    !isSuspended &&
    severances.some((severance) => severance.restore_requested_at === null && severance.severed_count > 0)
  return html`${dataTable<SeveranceRow>(t, {
    caption: texts.history,
    rows: severances,
    empty: emptyState({ title: t.admin.frame.none }),
    columns: [
      { label: texts.when, kind: 'main', cell: ({ created_at }) => timeAgo(t, created_at) },
      {
        label: texts.history,
        cell: ({ severed_count: count, severed_at }) =>
          html`${texts.severed({ count })}${severed_at === null && html` <span class="muted">${texts.severing}</span>`}`,
      },
      {
        label: texts.restore,
        cell: ({ restored_count: count, restore_requested_at, restored_at }) =>
          restore_requested_at !== null &&
          html`${texts.restored({ count })}${restored_at === null && html` <span class="muted">${texts.severing}</span>`}`,
      },
    ],
  })}
${canRestore && html`<p class="muted">${texts.restore_hint}</p><div class="actions">${actButton(csrf, { action: `${serverPath(domain)}/restore`, label: texts.restore })}</div>`}`
}

function deliveryForms(t: Texts, csrf: Html, { domain, stopped_at }: ServerRow): Html {
  const texts = t.admin.federation.servers
  const path = serverPath(domain)
  const toggle =
    stopped_at === null
      ? actButton(csrf, { action: `${path}/delivery`, label: texts.stop, hidden: { stopped: '1' } })
      : actButton(csrf, { action: `${path}/delivery`, label: texts.resume })
  return html`<ul class="rows"><li><p>${texts.retry_hint}</p>${actButton(csrf, { action: `${path}/retry`, label: texts.retry })}</li>
<li><p>${texts.stop_hint}</p>${toggle}</li>
<li><p>${texts.purge_hint}</p>${actButton(csrf, { action: `${path}/purge`, label: texts.purge, kind: 'danger' })}</li></ul>`
}

export async function retry(visit: AdminVisit): Promise<FastifyReply> {
  const { domain } = await serverOf(visit)
  await retryServer(visit.ctx, visit.staff.accountId, domain)
  return visit.reply.redirect(`${serverPath(domain)}?notice=retried`, 303)
}

export async function changeDelivery(visit: AdminVisit): Promise<FastifyReply> {
  const { domain } = await serverOf(visit)
  const stopped = textParam(visit.request.body, 'stopped') === '1'
  await setDeliveryStopped(visit.ctx, visit.staff.accountId, domain, { stopped })
  return visit.reply.redirect(`${serverPath(domain)}?notice=${stopped ? 'stopped' : 'resumed'}`, 303)
}

export async function restoreFollows(visit: AdminVisit): Promise<FastifyReply> {
  const { domain } = await serverOf(visit)
  await restoreFollowsWith(visit.ctx, visit.staff.accountId, domain)
  return visit.reply.redirect(`${serverPath(domain)}?notice=restoring`, 303)
}

export async function purgeInstance(visit: AdminVisit): Promise<FastifyReply> {
  const { ctx, t, request, reply, staff } = visit
  const texts = t.admin.federation.servers
  const { domain } = await serverOf(visit)
  if (textParam(request.body, 'confirmed') !== '1')
    return sendConfirmationPage(visit, {
      title: texts.purge,
      lead: texts.purge_lead({ domain }),
      dryRun: await purgeHtml(visit, domain),
      action: `${serverPath(domain)}/purge`,
      confirm: texts.purge_confirm,
      cancel: serverPath(domain),
    })
  await purgeServer(ctx, staff.accountId, domain)
  return reply.redirect(`${serverPath(domain)}?notice=purging`, 303)
}

export async function addNote(visit: AdminVisit): Promise<FastifyReply> {
  const { ctx, t, request, reply, staff } = visit
  const { domain } = await serverOf(visit)
  try {
    await addServerNote(ctx, staff.accountId, domain, textParam(request.body, 'note'))
  } catch (error) {
    return showInstance(
      visit,
      problemsOf(t, error, () => 'note'),
    )
  }
  return reply.redirect(`${serverPath(domain)}?notice=note_added`, 303)
}

export async function removeNote(visit: AdminVisit): Promise<FastifyReply> {
  const { ctx, request, reply, staff } = visit
  const { domain } = await serverOf(visit)
  const noteId = textParam(request.body, 'note_id')
  if (!isId(noteId)) throw new NotFound()
  await removeServerNote(ctx, staff.accountId, domain, noteId)
  return reply.redirect(`${serverPath(domain)}?notice=note_deleted`, 303)
}
