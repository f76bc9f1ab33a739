// /settings/import: lists from other servers. Each upload has a page of its own: its contents, its progress and its failures.
import type { FastifyReply } from 'fastify'
import { readFile } from 'node:fs/promises'
import { confirmImport } from '../../actions/portability/import.ts'
import { IMPORT_TYPES, MAX_BYTES, MAX_ROWS, typeInFileName } from '../../domain/portability/import-rows.ts'
import {
  createImport,
  failedRows,
  failuresCsv,
  findImport,
  listImports,
  stopImport,
  type FailedRow,
  type ImportInfo,
} from '../../domain/portability/imports.ts'
import { pathId, textParam } from '../../html/form-page.ts'
import { fileField, radioGroup, select } from '../../html/forms.ts'
import { fillText, momentOf, numberText, sizeText } from '../../html/texts.ts'
import { isUpload } from '../../http/multipart.ts'
import { limitUse } from '../../http/ratelimit.ts'
import { Invalid, NotFound } from '../../lib/errors.ts'
import { html, type Html } from '../../lib/html.ts'
import type { Texts } from '../../messages/pages.ts'
import { sendCsv } from '../downloads.ts'
import { noProblems, problemsOf, type FormProblems } from '../form-problems.ts'
import { sendSettingsPage, type SettingsPage, type SettingsVisit } from './frame.ts'

const PATH = '/settings/import'

/** How many failed rows the page shows; the file has all of them. */
const SHOWN = 50

export const importPage: SettingsPage = {
  key: 'import',
  path: PATH,
  routes(router) {
    router.get(PATH, (visit) => show(visit))
    router.post(PATH, upload, { files: true })
    router.get(`${PATH}/:id`, async (visit) => showImport(visit, await importOf(visit)))
    router.get(`${PATH}/:id/failures.csv`, sendFailures)
    router.post(`${PATH}/:id/confirm`, async (visit) => {
      const { id } = await importOf(visit)
      await confirmImport(visit.ctx, visit.session.accountId, id)
      return visit.reply.redirect(`${PATH}/${id}`, 303)
    })
    router.post(`${PATH}/:id/stop`, async (visit) => {
      const { id, state } = await importOf(visit)
      await stopImport(visit.ctx, visit.session.accountId, id)
      return visit.reply.redirect(state === 'unconfirmed' ? PATH : `${PATH}/${id}`, 303)
    })
  },
}

async function upload(visit: SettingsVisit): Promise<FastifyReply> {
  const { ctx, t, reply, session } = visit
  await limitUse(ctx, 'imports', session.userId)
  try {
    const id = await createImport(ctx, session.accountId, await read(visit))
    return reply.redirect(`${PATH}/${id}`, 303)
  } catch (error) {
    return show(visit, problemsOf(t, error))
  }
}

async function read({ t, request: { body } }: SettingsVisit): Promise<Parameters<typeof createImport>[2]> {
  const texts = t.settings.import
  const type = IMPORT_TYPES.find((known) => known === textParam(body, 'type'))
  if (!type) throw new Invalid(texts.type_missing)
  const { file } = body as Record<string, unknown>
  if (!isUpload(file)) throw new Invalid(texts.file_missing)
  if (file.size > MAX_BYTES) throw new Invalid(texts.file_too_large({ size: sizeText(t, MAX_BYTES) }))
  // Only for display. Some browsers send the file's path.
  const fileName = file.filename.toWellFormed().replace(/^.*[/\\]/s, '') || 'file'
  return { type, overwrite: textParam(body, 'mode') === 'overwrite', fileName, bytes: await readFile(file.path) }
}

async function show(visit: SettingsVisit, problems: FormProblems = noProblems): Promise<FastifyReply> {
  const { t, request } = visit
  const texts = t.settings.import
  const imports = await listImports(visit.ctx, visit.session.accountId)
  const sent = (name: string, otherwise: string): string => textParam(request.body, name) || otherwise
  const limits = texts.limits({ rows: numberText(t, MAX_ROWS), size: sizeText(t, MAX_BYTES) })
  const modes = [
    { value: 'merge', label: texts.merge, hint: texts.merge_hint },
    { value: 'overwrite', label: texts.overwrite, hint: texts.overwrite_hint },
  ]
  return sendSettingsPage(visit, {
    problems,
    body: (csrf) => html`<section class="card">
<p class="lead">${texts.lead}</p>
<form method="post" action="${PATH}" enctype="multipart/form-data">${csrf}
${select({ label: texts.type, name: 'type', value: sent('type', 'following'), options: IMPORT_TYPES.map((value) => ({ value, label: t.settings.lists[value] })) })}
${fileField(t, { label: texts.file, name: 'file', accept: '.csv,.json,text/csv,application/json', hint: limits, required: true })}
${radioGroup({ legend: texts.mode, name: 'mode', value: sent('mode', 'merge'), options: modes })}
<div class="actions"><button>${texts.upload}</button></div>
</form>
</section>
${imports.length > 0 && html`<section class="card"><h2>${texts.recent}</h2><ul class="rows">${imports.map((entry) => row(t, entry))}</ul></section>`}`,
  })
}

function row(t: Texts, { id, type, state, total, done, failed, file_name, created_at }: ImportInfo): Html {
  const texts = t.settings.import
  return html`<li><div><p><strong>${t.settings.lists[type]}</strong> <span class="badge">${texts.states[state]}</span></p>
<p class="muted"><bdi>${file_name}</bdi> · ${momentOf(t, created_at)}</p>
<p class="muted">${texts.progress({ done, count: total, failed })}</p></div>
<a class="button secondary" href="${PATH}/${id}">${texts.view}<span class="visually-hidden"> ${t.settings.lists[type]}</span></a></li>`
}

/** Throws NotFound unless the import belongs to the signed-in account. */
async function importOf(visit: SettingsVisit): Promise<ImportInfo> {
  const found = await findImport(visit.ctx, visit.session.accountId, pathId(visit))
  if (!found) throw new NotFound()
  return found
}

async function sendFailures(visit: SettingsVisit): Promise<FastifyReply> {
  const { id } = await importOf(visit)
  return sendCsv(visit.reply, 'failures', await failuresCsv(visit.ctx, id))
}

async function showImport(visit: SettingsVisit, job: ImportInfo): Promise<FastifyReply> {
  const { t, ctx } = visit
  const texts = t.settings.import
  const failures = job.failed > 0 ? await failedRows(ctx, job.id, SHOWN) : []
  return sendSettingsPage(visit, {
    title: texts.import_of({ type: t.settings.lists[job.type] }),
    body: (csrf) => html`<section class="card">
<p class="muted"><bdi>${job.file_name}</bdi> · ${momentOf(t, job.created_at)}</p>
${job.state === 'unconfirmed' ? question(t, job, csrf) : progress(t, job, csrf)}
</section>
${failures.length > 0 && failureTable(t, job, failures)}`,
  })
}

function question(t: Texts, job: ImportInfo, csrf: Html): Html {
  const texts = t.settings.import
  const count = job.total - job.failed
  const named = typeInFileName(job.file_name)
  const { lists } = t.settings
  const found = fillText(texts.found({ count }), { number: html`<strong>${numberText(t, count)}</strong>` })
  return html`<p class="lead">${found}${job.failed > 0 && html` ${texts.unusable({ count: job.failed })}`}</p>
${named !== null && named !== job.type && html`<p><strong>${texts.other_name({ named: lists[named], chosen: lists[job.type] })}</strong></p>`}
<p>${job.overwrite ? html`<strong>${texts.will_overwrite}</strong>` : texts.will_merge}${job.type === 'lists' && html` ${texts.follows_members}`}</p>
<div class="actions">
<form method="post" action="${PATH}/${job.id}/confirm">${csrf}<button${job.overwrite && html` class="danger"`}>${job.overwrite ? texts.replace : texts.start}</button></form>
<form method="post" action="${PATH}/${job.id}/stop">${csrf}<button class="secondary">${texts.cancel}</button></form>
</div>`
}

function progress(t: Texts, { id, state, done, total, failed }: ImportInfo, csrf: Html): Html {
  const texts = t.settings.import
  const result = texts.progress({ done, count: total, failed })
  if (state === 'running')
    return html`<progress value="${done}" max="${total}" aria-label="${texts.progress_label}"></progress>
<p>${result} ${texts.in_background}</p>
<div class="actions"><a class="button secondary" href="${PATH}/${id}">${t.settings.refresh}</a>
<form method="post" action="${PATH}/${id}/stop">${csrf}<button class="secondary">${texts.stop}</button></form></div>`
  return html`<p><strong>${done === total ? texts.done : texts.stopped}</strong> ${result}</p>
<div class="actions"><a class="button secondary" href="${PATH}">${texts.back}</a></div>`
}

function failureTable(t: Texts, job: ImportInfo, failures: readonly FailedRow[]): Html {
  const texts = t.settings.import
  const more = job.failed - failures.length
  return html`<section class="card"><h2 id="failures">${texts.failures}</h2>
<div class="table-scroll" tabindex="0" role="region" aria-labelledby="failures"><table>
<thead><tr><th scope="col">${texts.row}</th><th scope="col">${texts.reason}</th></tr></thead>
<tbody>${failures.map(({ cells, error }) => html`<tr><td><bdi>${cells.join(', ').slice(0, 200)}</bdi></td><td>${error}</td></tr>`)}</tbody>
</table></div>
${more > 0 && html`<p class="muted">${texts.more({ count: more })}</p>`}
<div class="actions"><a class="button secondary" href="${PATH}/${job.id}/failures.csv" download>${texts.download_failures}</a></div>
</section>`
}
