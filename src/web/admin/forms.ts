// Forms of the administration: buttons, batches, confirmations, filters and uploads. Fields are in src/html/forms.ts.
import type { FastifyReply } from 'fastify'
import type { Context } from '../../context.ts'
import type { Pagination } from '../../db/page.ts'
import { fileField } from '../../html/forms.ts'
import { html, type Html } from '../../lib/html.ts'
import { isId } from '../../lib/ids.ts'
import type { Texts } from '../../messages/pages.ts'
import { oneProblem, type FormProblems } from '../form-problems.ts'
import { sendAdminPage, type AdminVisit } from './frame.ts'
import { pager, withQuery } from './kit.ts'

/** Lists become `name[]`. */
export type HiddenValues = Readonly<Record<string, string | readonly string[] | null | undefined>>

/** The hidden fields of a form. */
function hiddenFields(values: HiddenValues): Html {
  const input = (name: string, value: string): Html => html`<input type="hidden" name="${name}" value="${value}">`
  return html`${Object.entries(values).map(([name, value]) => {
    if (value === null || value === undefined) return null
    return typeof value === 'string' ? input(name, value) : value.map((each) => input(`${name}[]`, each))
  })}`
}

export type ActButton = {
  action: string
  label: string
  kind?: 'primary' | 'secondary' | 'danger'
  hidden?: HiddenValues
  /** The object of the act, for screen readers, where several buttons have the same label. */
  about?: string
}

/** A form of one button. `secondary` unless given. */
export function actButton(csrf: Html, { action, label, kind = 'secondary', hidden = {}, about }: ActButton): Html {
  const text = html`${label}${about && html` <bdi class="visually-hidden">${about}</bdi>`}`
  return html`<form method="post" action="${action}">${csrf}${hiddenFields(hidden)}<button${kind !== 'primary' && html` class="${kind}"`}>${text}</button></form>`
}

export type BatchForm = {
  action: string
  /** From `dataTable` with `select`. */
  table: Html
  /** The button pressed is sent as `act`. */
  acts: readonly { value: string; label: string; kind?: 'secondary' | 'danger' }[]
  /** The ids of the page's rows, for "all on this page". */
  ids: readonly string[]
  /** When more rows match the filters than the page shows: how many, with the filters in `hidden`. */
  matching?: number
  /** The act changes no more of those that match. */
  maxMatching?: number
  hidden?: HiddenValues
  /** Such as a text for all of them. */
  fields?: Html
}

/** A list with checkboxes, and buttons for acts on the checked rows. Works without scripts. */
export function batchForm(t: Texts, csrf: Html, form: BatchForm): Html {
  const { action, table, acts, ids, matching = 0, maxMatching = Infinity, hidden = {}, fields } = form
  if (ids.length === 0) return table
  const { frame } = t.admin
  const all =
    matching > maxMatching ? frame.most_matching({ count: maxMatching }) : frame.all_matching({ count: matching })
  const choice = (value: string, label: string): Html =>
    html`<label class="batch-choice"><input type="checkbox" name="all" value="${value}"> ${label}</label>`
  return html`<form method="post" action="${action}" class="batch">${csrf}${hiddenFields({ ...hidden, page_ids: ids })}
${table}
<fieldset class="batch-bar"><legend>${frame.with_selected}</legend>
${choice('page', frame.all_on_page)}${matching > ids.length && choice('matching', all)}
${fields}
<div class="actions">${acts.map(({ value, label, kind = 'secondary' }) => html`<button class="${kind}" name="act" value="${value}">${label}</button>`)}</div>
</fieldset>
</form>`
}

/** The ids that a batch form chose: those checked or all on the page. `matching`: all that the filters find. */
export function chosenIds(body: unknown, max = 1000): 'matching' | string[] {
  const { all, ids, page_ids } = (body ?? {}) as Record<string, unknown>
  if (all === 'matching') return 'matching'
  const chosen = all === 'page' ? page_ids : ids
  const texts = Array.isArray(chosen) ? chosen.filter((id) => typeof id === 'string') : []
  return [...new Set(texts)].slice(0, max)
}

type RemovalForm = Pick<BatchForm, 'table' | 'ids'> & { path: string; page: Pagination }

/** A list whose chosen rows can be removed by `${path}/batch`, and its pager. */
export function removalForm({ t, request }: AdminVisit, csrf: Html, { path, table, ids, page }: RemovalForm): Html {
  const remove = { value: 'remove', label: t.admin.registration.common.remove, kind: 'danger' } as const
  return html`${batchForm(t, csrf, { action: `${path}/batch`, table, ids, acts: [remove] })}
${pager(t, path, request.query, { ids, page })}`
}

type BatchAct = {
  act: (ctx: Context, staffId: string, ids: readonly string[]) => Promise<unknown>
  /** Where the browser goes afterwards. */
  next: string
  /** Shows the form again when no row was chosen. */
  again: (visit: AdminVisit, problems: FormProblems) => Promise<FastifyReply>
}

/** Carries out the act of a batch form whose rows have ids, and which offers no act on all that match. */
export async function actOnChosen(visit: AdminVisit, { act, next, again }: BatchAct): Promise<FastifyReply> {
  const { ctx, t, staff, request, reply } = visit
  const chosen = chosenIds(request.body)
  const ids = chosen === 'matching' ? [] : chosen.filter(isId)
  if (ids.length === 0) return again(visit, oneProblem(t, t.admin.frame.nothing_selected))
  await act(ctx, staff.accountId, ids)
  return reply.redirect(next, 303)
}

/**
 * A GET form whose values stay in the address, folded on a phone unless one is set. The caller fills `fields` from `query`;
 * `keep` names further parameters to keep.
 */
export function filterForm(
  t: Texts,
  path: string,
  query: unknown,
  { fields, keep = [] }: { fields: Html; keep?: readonly string[] },
): Html {
  const values = query as Record<string, unknown>
  const hidden = Object.fromEntries(
    keep.flatMap((name) => (typeof values[name] === 'string' && values[name] !== '' ? [[name, values[name]]] : [])),
  )
  const isFiltered = withQuery(path, query) !== path
  const isFilled = withQuery(path, query, Object.fromEntries(keep.map((name) => [name, null]))) !== path
  return html`<form method="get" action="${path}" class="filter-form" role="search">${hiddenFields(hidden)}
<details${isFilled && html` open`}><summary>${t.admin.frame.filter}</summary>
<div class="filter-fields">${fields}</div>
<div class="actions"><button class="secondary">${t.admin.frame.filter}</button>${isFiltered && html`<a href="${path}">${t.admin.frame.no_filter}</a>`}</div>
</details></form>`
}

export type Confirmation = {
  title: string
  /** A sentence that says what will happen. */
  lead: string | Html
  /** The effects: `definitions`, tables. Without them, the page has no such section. */
  dryRun?: Html | null
  action: string
  /** The values of the form before, so that nothing is lost. */
  hidden?: HiddenValues
  /** Such as a reason. */
  fields?: Html
  confirm: string
  danger?: boolean
  /** Where "Cancel" leads. */
  cancel: string
}

/** The page before something grave: what it would do, and the buttons to do it or not. */
export function sendConfirmationPage(visit: AdminVisit, page: Confirmation): Promise<FastifyReply> {
  const { frame } = visit.t.admin
  const { title, lead, dryRun, action, hidden = {}, fields, confirm, danger = true, cancel } = page
  return sendAdminPage(visit, {
    title,
    back: { href: cancel, label: frame.cancel },
    body: (csrf) => html`<section class="card">
<p class="lead">${lead}</p>
${dryRun && html`<h2>${frame.would_happen}</h2>${dryRun}`}
<form method="post" action="${action}">${csrf}${hiddenFields({ ...hidden, confirmed: '1' })}
${fields}
<div class="actions"><button${danger && html` class="danger"`}>${confirm}</button><a class="button secondary" href="${cancel}">${frame.cancel}</a></div>
</form>
</section>`,
  })
}

type ListUpload = { action: string; label: string; hint: string; button: string; fields?: Html }

/** Sends a list of domains as `file`. The route needs `{ files: true }`. */
export function listUploadForm(t: Texts, csrf: Html, { action, label, hint, button, fields }: ListUpload): Html {
  return html`<form method="post" action="${action}" enctype="multipart/form-data">${csrf}
${fileField(t, { label, name: 'file', accept: '.csv,.txt,text/csv,text/plain', hint, required: true })}
${fields}
<div class="actions"><button>${button}</button></div>
</form>`
}
