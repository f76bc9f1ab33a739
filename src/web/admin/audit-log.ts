// /admin/audit_log: what staff did, with filters.
import type { FastifyReply } from 'fastify'
import { listAuditEntries, listStaff, type AuditEntry } from '../../domain/audit/audit-entries.ts'
import { AUDIT_ACTIONS, type AuditAction, type AuditTarget } from '../../domain/audit/audit-log.ts'
import { textParam } from '../../html/form-page.ts'
import { field, select } from '../../html/forms.ts'
import { addDays } from '../../lib/dates.ts'
import { html, type Html } from '../../lib/html.ts'
import { isId } from '../../lib/ids.ts'
import { colonOf } from '../../messages/colon.ts'
import type { Texts } from '../../messages/pages.ts'
import { filterForm } from './forms.ts'
import { mayOpen, mayOpenAccounts, sendAdminPage, type AdminPage, type AdminVisit } from './frame.ts'
import { dataTable, noRows, pageOfQuery, pager, staffChip, timeAgo, withQuery } from './kit.ts'

const PATH = '/admin/audit_log'

export const auditLogPage: AdminPage = {
  key: 'audit_log',
  path: PATH,
  permissions: ['view_audit_log'],
  routes: (router) => router.get(PATH, show),
}

type AuditTexts = { actions: Readonly<Record<AuditAction, string>>; targets: Readonly<Record<AuditTarget, string>> }

/** Does not compile while a language lacks the text of an action or a target. */
const labelsIn = ({ admin }: Texts): AuditTexts => admin.operations.audit

async function show(visit: AdminVisit): Promise<FastifyReply> {
  const { ctx, t, request } = visit
  const { query } = request
  const texts = t.admin.operations.audit
  const page = pageOfQuery(query)
  const [entries, staff] = await Promise.all([listAuditEntries(ctx, filterOf(query), page), listStaff(ctx)])
  const isFiltered = withQuery(PATH, query) !== PATH
  const empty = noRows(texts, { isFiltered })
  const table = dataTable<AuditEntry>(t, {
    caption: t.admin.frame.pages.audit_log.label,
    rows: entries,
    empty,
    columns: [
      { label: texts.time, cell: (entry) => timeAgo(t, entry.created_at) },
      { label: texts.staff, cell: (entry) => staffOf(visit, entry) },
      { label: texts.action, cell: (entry) => actionText(t, entry), kind: 'main' },
      { label: texts.target, cell: (entry) => targetOf(visit, entry) },
      { label: texts.details, cell: ({ details }) => detailsOf(details) },
    ],
  })
  const ids = entries.map(({ id }) => id)
  return sendAdminPage(visit, {
    lead: texts.lead,
    body: () => html`${filterForm(t, PATH, query, { fields: filterFields(t, query, staff), keep: ['target_id'] })}
${table}
${pager(t, PATH, query, { ids, page })}`,
  })
}

function filterOf(query: unknown): Parameters<typeof listAuditEntries>[1] {
  const [staff, targetId] = [textParam(query, 'staff'), textParam(query, 'target_id')]
  const until = dayOf(query, 'until')
  return {
    staff: isId(staff) || staff === 'command_line' ? staff : null,
    type: textParam(query, 'type') || null,
    action: textParam(query, 'action') || null,
    targetId: targetId || null,
    since: dayOf(query, 'since'),
    until: until && addDays(until, 1),
  }
}

/** Null unless it is a day such as 2026-11-22. */
function dayOf(query: unknown, name: string): Date | null {
  const text = textParam(query, name)
  const day = new Date(`${text}T00:00:00Z`)
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(day.getTime()) ? day : null
}

function filterFields(t: Texts, query: unknown, staff: Awaited<ReturnType<typeof listStaff>>): Html {
  const texts = t.admin.operations.audit
  const { actions, targets } = labelsIn(t)
  const sent = (name: string): string => textParam(query, name)
  const any = { value: '', label: t.admin.frame.any }
  const sorted = (labels: readonly { value: string; label: string }[]): { value: string; label: string }[] =>
    labels.toSorted((a, b) => a.label.localeCompare(b.label, t.language))
  const type = sent('type')
  const known: readonly AuditAction[] = isTarget(type) ? AUDIT_ACTIONS[type] : Object.values(AUDIT_ACTIONS).flat()
  return html`${select({
    label: texts.staff,
    name: 'staff',
    value: sent('staff'),
    options: [
      { value: '', label: texts.everyone },
      { value: 'command_line', label: t.admin.frame.command_line },
      ...staff.map(({ id, username }) => ({ value: id, label: `@${username}` })),
    ],
  })}
${select({ label: texts.target_type, name: 'type', value: type, options: [any, ...sorted((Object.keys(AUDIT_ACTIONS) as AuditTarget[]).map((value) => ({ value, label: targets[value] })))] })}
${select({ label: texts.action, name: 'action', value: sent('action'), options: [any, ...sorted([...new Set(known)].map((value) => ({ value, label: actions[value] })))] })}
${field(t, { label: texts.since, name: 'since', type: 'date', value: sent('since') })}
${field(t, { label: texts.until, name: 'until', type: 'date', value: sent('until') })}`
}

const isTarget = (type: string): type is AuditTarget => Object.hasOwn(AUDIT_ACTIONS, type)

const staffOf = ({ t, staff }: AdminVisit, { account_id, username }: AuditEntry): Html =>
  staffChip(t, account_id !== null && username !== null ? { id: account_id, username } : null, {
    linked: mayOpenAccounts(staff),
  })

/** Such as "Report: resolve". Entries of earlier versions may have names that the texts lack. */
function actionText(t: Texts, { target_type, action }: AuditEntry): Html {
  const { actions, targets } = labelsIn(t)
  const type = isTarget(target_type) ? targets[target_type] : target_type
  const act = Object.hasOwn(actions, action) ? actions[action as AuditAction] : action
  return html`<span class="muted">${type}${colonOf(t.language)}</span><strong>${act}</strong>`
}

/** Where the targets of a type have a page of their own, by their id. */
const PAGES: Partial<Record<AuditTarget, string>> = {
  account: 'accounts',
  announcement: 'announcements',
  block_list: 'block_lists',
  custom_emoji: 'custom_emojis',
  domain_block: 'domain_blocks',
  fasp_provider: 'fasp/providers',
  ip_block: 'ip_blocks',
  report: 'reports',
  role: 'roles',
  rule: 'rules',
  server: 'instances',
  tag: 'tags',
  username_block: 'username_blocks',
  webhook: 'webhooks',
}

function targetOf(visit: AdminVisit, { target_type, target_id, target_label, action }: AuditEntry): Html | null {
  if (!target_label && target_id === null) return null
  const label = html`<bdi>${target_label || `#${target_id}`}</bdi>`
  const folder = isTarget(target_type) && action !== 'delete' ? PAGES[target_type] : undefined
  if (!folder || target_id === null) return label
  const page = `/admin/${folder}`
  const isOpen = folder === 'accounts' ? mayOpenAccounts(visit.staff) : mayOpen(visit, page)
  return isOpen ? html`<a href="${page}/${encodeURIComponent(target_id)}">${label}</a>` : label
}

const SHOWN_DETAILS = 10
const SHOWN_CHARACTERS = 200

function detailsOf(details: AuditEntry['details']): Html | null {
  const entries = Object.entries(details ?? {}).slice(0, SHOWN_DETAILS)
  if (entries.length === 0) return null
  const text = (value: unknown): string =>
    (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, SHOWN_CHARACTERS)
  return html`<ul class="details-list">${entries.map(([name, value]) => html`<li><span class="muted">${name}</span> <bdi>${text(value)}</bdi></li>`)}</ul>`
}
