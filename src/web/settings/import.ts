// /settings/import: lists that somebody brings along from elsewhere.
import type { FastifyInstance, FastifyReply } from 'fastify'
import { readFile } from 'node:fs/promises'
import type { Context } from '../../context.ts'
import { IMPORT_TYPES, MAX_BYTES, MAX_ROWS } from '../../domain/portability/import-rows.ts'
import { createImport, listImports, type ImportInfo } from '../../domain/portability/imports.ts'
import { isUpload } from '../../http/body.ts'
import { textParam } from '../../html/form-page.ts'
import { fileField, radioGroup, select } from '../../html/forms.ts'
import { limitUse } from '../../http/ratelimit.ts'
import { onGet, onPost, sendSettingsPage, type SettingsVisit } from '../../html/settings-page.ts'
import { Invalid } from '../../lib/errors.ts'
import { momentOf, numberText, textsFor } from '../../html/texts.ts'
import { html, type Html } from '../../lib/html.ts'
import type { Texts } from '../../messages/pages.ts'
import { noProblems, problemsOf, type FormProblems } from '../form-problems.ts'
import { TYPE_LABELS } from './import-types.ts'

export const IMPORT = '/settings/import'

const MODES = [
  { value: 'merge', label: 'Add to what is here', hint: 'Nothing is taken away.' },
  { value: 'overwrite', label: 'Replace what is here', hint: 'Whatever is not in the file is removed.' },
]

export function registerImport(app: FastifyInstance, ctx: Context): void {
  onGet(app, ctx, IMPORT, (visit) => show(visit))
  onPost(app, ctx, IMPORT, { back: IMPORT, files: true }, upload)
}

async function upload(visit: SettingsVisit): Promise<FastifyReply> {
  const t = textsFor(visit.request)
  const { ctx, request, reply, session } = visit
  await limitUse(ctx, 'imports', session.userId)
  try {
    const id = await createImport(ctx, session.accountId, await read(request.body))
    return reply.redirect(`${IMPORT}/${id}`, 303)
  } catch (error) {
    return show(
      visit,
      problemsOf(t, error, (name) => name),
    )
  }
}

async function read(body: unknown): Promise<Parameters<typeof createImport>[2]> {
  const type = IMPORT_TYPES.find((known) => known === textParam(body, 'type'))
  if (!type) throw new Invalid('Choose what is in the file')
  const file = (body as Record<string, unknown>).file
  if (!isUpload(file)) throw new Invalid('Choose a file')
  if (file.size > MAX_BYTES) throw new Invalid(`The file is larger than ${MAX_BYTES / 1024 / 1024} MB`)
  // The name is only shown. Whatever path a browser sends with it is left out.
  const fileName = file.filename.toWellFormed().replace(/^.*[/\\]/s, '') || 'file'
  return { type, overwrite: textParam(body, 'mode') === 'overwrite', fileName, bytes: await readFile(file.path) }
}

async function show(visit: SettingsVisit, problems: FormProblems = noProblems): Promise<FastifyReply> {
  const t = textsFor(visit.request)
  const imports = await listImports(visit.ctx, visit.session.accountId)
  const sent = (name: string, otherwise: string): string => textParam(visit.request.body, name) || otherwise
  return sendSettingsPage(visit, {
    title: 'Import',
    path: IMPORT,
    status: problems === noProblems ? 200 : 422,
    body: (csrf) => html`${problems.summary}
<h1>Import</h1>
<section class="card">
<p class="lead">Bring along what you exported from another server. You see what is in the file before anything happens.</p>
<form method="post" action="${IMPORT}" enctype="multipart/form-data">${csrf}
${select({ label: 'What is in the file', name: 'type', value: sent('type', 'following'), options: IMPORT_TYPES.map((value) => ({ value, label: TYPE_LABELS[value] })) })}
${fileField(t, { label: 'CSV file', name: 'file', accept: '.csv,text/csv', hint: `Up to ${numberText(t, MAX_ROWS)} rows and ${MAX_BYTES / 1024 / 1024} MB.`, required: true })}
${radioGroup({ legend: 'What to do', name: 'mode', value: sent('mode', 'merge'), options: MODES })}
<div class="actions"><button>Read the file</button></div>
</form>
</section>
${imports.length > 0 && html`<section class="card"><h2>Imports so far</h2><ul class="rows">${imports.map((entry) => row(t, entry))}</ul></section>`}`,
  })
}

const STATES: Record<ImportInfo['state'], string> = {
  unconfirmed: 'Waits for you',
  running: 'Running',
  finished: 'Done',
}

function row(t: Texts, { id, type, state, total, done, failed, file_name, created_at }: ImportInfo): Html {
  return html`<li><div><p><strong>${TYPE_LABELS[type]}</strong> <span class="badge">${STATES[state]}</span></p>
<p class="muted">${file_name}, ${momentOf(t, created_at)}. ${numberText(t, done - failed)} of ${numberText(t, total)} rows done${failed > 0 && html`, ${numberText(t, failed)} failed`}.</p></div>
<a class="button secondary" href="${IMPORT}/${id}">Look<span class="visually-hidden"> at the import of ${TYPE_LABELS[type].toLowerCase()}</span></a></li>`
}
