// /admin/domain_blocks/import: a file of blocks, its preview and its import.
import type { FastifyReply } from 'fastify'
import { importDomainBlocks } from '../../actions/moderation/import-domains.ts'
import { writeBlocksCsv } from '../../domain/moderation/domain-csv.ts'
import { type ImportMode, isChange, planImport, type PlannedBlock } from '../../domain/moderation/import-plan.ts'
import { textParam } from '../../html/form-page.ts'
import { radioGroup } from '../../html/forms.ts'
import { numberText, sizeText } from '../../html/texts.ts'
import { html, type Html } from '../../lib/html.ts'
import type { Texts } from '../../messages/pages.ts'
import { noProblems, problemsOf, type FormProblems } from '../form-problems.ts'
import { MAX_FILE_BYTES, problemTable, readListFile } from './domain-list-file.ts'
import { dryRunHtml } from './dry-run.ts'
import { sendConfirmationPage, listUploadForm } from './forms.ts'
import { sendAdminPage, type AdminVisit } from './frame.ts'
import { dataTable, definitions, emptyState, stateBadge } from './kit.ts'

const PATH = '/admin/domain_blocks'
/** Changes that the preview lists one by one. */
const SHOWN = 200

export function showBlockImport(visit: AdminVisit, problems: FormProblems = noProblems): Promise<FastifyReply> {
  const { t, request } = visit
  const texts = t.admin.federation
  return sendAdminPage(visit, {
    title: texts.blocks.import_title,
    back: { href: PATH, label: t.admin.frame.pages.domain_blocks.label },
    problems,
    body: (csrf) =>
      html`<section class="card">${listUploadForm(t, csrf, {
        action: `${PATH}/import`,
        label: t.admin.federation.import,
        hint: texts.file_hint({ size: sizeText(t, MAX_FILE_BYTES) }),
        button: texts.blocks.preview,
        fields: radioGroup({
          legend: texts.blocks.import_mode,
          name: 'mode',
          value: textParam(request.body, 'mode') || 'merge',
          options: [
            { value: 'merge', label: texts.blocks.merge },
            { value: 'overwrite', label: texts.blocks.overwrite },
          ],
        }),
      })}</section>`,
  })
}

export async function importBlocks(visit: AdminVisit): Promise<FastifyReply> {
  const { ctx, t, request, reply, staff } = visit
  const texts = t.admin.federation.blocks
  const mode: ImportMode = textParam(request.body, 'mode') === 'overwrite' ? 'overwrite' : 'merge'
  try {
    const list = await readListFile(visit)
    if (textParam(request.body, 'confirmed') === '1') {
      await importDomainBlocks(ctx, staff.accountId, list.drafts, mode)
      return await reply.redirect(`${PATH}?notice=imported`, 303)
    }
    const plan = await planImport(ctx, list.drafts, mode)
    const changes = plan.filter(isChange)
    const suspended = changes.filter(({ draft }) => draft.severity === 'suspend').map(({ draft }) => draft.domain)
    const problems = problemTable(t, list)
    const dryRun = html`${planHtml(t, plan)}${suspended.length > 0 && (await dryRunHtml(visit, suspended, { suspends: true }))}${problems}`
    return await sendConfirmationPage(visit, {
      title: texts.import_title,
      lead: texts.import_lead({ count: changes.length }),
      dryRun,
      action: `${PATH}/import`,
      hidden: { csv: writeBlocksCsv((changes.length > 0 ? changes : plan).map(({ draft }) => draft)), mode },
      confirm: texts.import_confirm,
      cancel: `${PATH}/import`,
    })
  } catch (error) {
    return showBlockImport(visit, problemsOf(t, error))
  }
}

function planHtml(t: Texts, plan: readonly PlannedBlock[]): Html {
  const texts = t.admin.federation
  const { changes } = texts.blocks
  const counted = Map.groupBy(plan, ({ change }) => change)
  const rows = plan.filter(isChange)
  const table = dataTable<PlannedBlock>(t, {
    caption: texts.blocks.import_title,
    rows: rows.slice(0, SHOWN),
    empty: emptyState({ title: t.admin.frame.nothing_would_happen }),
    columns: [
      { label: texts.domain, kind: 'main', cell: ({ draft }) => html`<bdi>${draft.domain}</bdi>` },
      { label: texts.blocks.change, cell: ({ change }) => stateBadge(changes[change]) },
      { label: texts.severity, cell: ({ draft }) => texts.severities[draft.severity] },
      {
        label: texts.blocks.before,
        cell: ({ before }) => (before ? texts.severities[before.severity] : t.admin.frame.none),
      },
      { label: texts.public_comment, cell: ({ draft }) => html`<bdi>${draft.public_comment ?? ''}</bdi>` },
    ],
  })
  const rest = rows.length - SHOWN
  return html`${definitions([...counted].map(([change, of]) => [changes[change], numberText(t, of.length)] as const))}
${table}${rest > 0 && html`<p class="muted">${texts.blocks.and_more({ count: rest })}</p>`}`
}
