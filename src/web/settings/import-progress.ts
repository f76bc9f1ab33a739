// /settings/import/:id: one import: what is in it, how far it is, what failed.
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Context } from '../../context.ts'
import { confirmImport } from '../../actions/portability/run-import.ts'
import {
  failedRows,
  failuresCsv,
  findImport,
  stopImport,
  type FailedRow,
  type ImportInfo,
} from '../../domain/portability/imports.ts'
import { onGet, onPost, sendSettingsPage, type SettingsVisit } from '../../html/settings-page.ts'
import { NotFound } from '../../lib/errors.ts'
import { momentOf, numberText, textsFor } from '../../html/texts.ts'
import { html, type Html } from '../../lib/html.ts'
import type { Texts } from '../../messages/pages.ts'
import { isId } from '../../lib/ids.ts'
import { IMPORT } from './import.ts'
import { TYPE_LABELS } from './import-types.ts'

/** How many failed rows the page shows; all are in the file. */
const SHOWN = 50

export function registerImportProgress(app: FastifyInstance, ctx: Context): void {
  onGet(app, ctx, `${IMPORT}/:id`, async (visit) => show(visit, await importOf(visit)))
  onGet(app, ctx, `${IMPORT}/:id/failures.csv`, async (visit) => {
    const { id } = await importOf(visit)
    return visit.reply
      .headers({
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': 'attachment; filename="failures.csv"',
        'cache-control': 'private, no-store',
        'x-content-type-options': 'nosniff',
      })
      .send(await failuresCsv(ctx, id))
  })
  onPost(app, ctx, `${IMPORT}/:id/confirm`, { back: IMPORT }, async (visit) => {
    const { id } = await importOf(visit)
    await confirmImport(ctx, visit.session.accountId, id)
    return visit.reply.redirect(`${IMPORT}/${id}`, 303)
  })
  onPost(app, ctx, `${IMPORT}/:id/stop`, { back: IMPORT }, async (visit) => {
    const { id, state } = await importOf(visit)
    await stopImport(ctx, visit.session.accountId, id)
    return visit.reply.redirect(state === 'unconfirmed' ? IMPORT : `${IMPORT}/${id}`, 303)
  })
}

/** The import that an address names, if it belongs to whoever looks. */
async function importOf({ ctx, request, session }: SettingsVisit): Promise<ImportInfo> {
  const { id } = request.params as { id: string }
  const found = isId(id) ? await findImport(ctx, session.accountId, id) : null
  if (!found) throw new NotFound()
  return found
}

async function show(visit: SettingsVisit, job: ImportInfo): Promise<FastifyReply> {
  const t = textsFor(visit.request)
  const failures = job.failed > 0 ? await failedRows(visit.ctx, job.id, SHOWN) : []
  return sendSettingsPage(visit, {
    title: `Import of ${TYPE_LABELS[job.type].toLowerCase()}`,
    path: IMPORT,
    body: (csrf) => html`<h1>Import of ${TYPE_LABELS[job.type].toLowerCase()}</h1>
<section class="card">
<p class="muted">${job.file_name}, ${momentOf(t, job.created_at)}</p>
${job.state === 'unconfirmed' ? question(t, job, csrf) : state(t, job, csrf)}
</section>
${failures.length > 0 && failureTable(t, job, failures)}`,
  })
}

function question(t: Texts, job: ImportInfo, csrf: Html): Html {
  const rows = numberText(t, job.total - job.failed)
  return html`<p class="lead">The file has <strong>${rows}</strong> ${job.total - job.failed === 1 ? 'entry' : 'entries'} that can be imported${job.failed > 0 && html`, and ${numberText(t, job.failed)} that cannot be understood`}.</p>
<p>${
    job.overwrite
      ? html`<strong>Whatever you have that is not in the file will be removed.</strong>`
      : 'They are added to what you have.'
  }</p>
<div class="actions">
<form method="post" action="${IMPORT}/${job.id}/confirm">${csrf}<button${job.overwrite && html` class="danger"`}>${job.overwrite ? 'Replace' : 'Import'}</button></form>
<form method="post" action="${IMPORT}/${job.id}/stop">${csrf}<button class="secondary">Cancel</button></form>
</div>`
}

function state(t: Texts, job: ImportInfo, csrf: Html): Html {
  const done = html`${numberText(t, job.done)} of ${numberText(t, job.total)} rows`
  if (job.state === 'running')
    return html`<progress value="${job.done}" max="${job.total}" aria-label="Progress of the import"></progress>
<p>${done} so far. This goes on when you leave the page.</p>
<div class="actions"><a class="button secondary" href="${IMPORT}/${job.id}">Look again</a>
<form method="post" action="${IMPORT}/${job.id}/stop">${csrf}<button class="secondary">Stop</button></form></div>`
  return html`<p><strong>${job.done === job.total ? 'Done.' : 'Stopped.'}</strong> ${done}, ${numberText(t, job.failed)} of them failed.</p>
<div class="actions"><a class="button secondary" href="${IMPORT}">Back to imports</a></div>`
}

function failureTable(t: Texts, job: ImportInfo, failures: readonly FailedRow[]): Html {
  return html`<section class="card"><h2 id="failures">What failed</h2>
<div class="table-scroll" tabindex="0" role="region" aria-labelledby="failures"><table>
<thead><tr><th scope="col">Row</th><th scope="col">Why</th></tr></thead>
<tbody>${failures.map(({ cells, error }) => html`<tr><td>${cells.join(', ').slice(0, 200)}</td><td>${error}</td></tr>`)}</tbody>
</table></div>
${job.failed > failures.length && html`<p class="muted">And ${numberText(t, job.failed - failures.length)} more.</p>`}
<div class="actions"><a class="button secondary" href="${IMPORT}/${job.id}/failures.csv" download>Download what failed</a></div>
</section>`
}
