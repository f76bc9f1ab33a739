// /admin/domain_allows: servers to federate with in limited federation mode.
import type { FastifyReply } from 'fastify'
import { parseServerDomain } from '../../domain/peers/domain-names.ts'
import { allowDomain, disallowDomain } from '../../actions/moderation/domain-allows.ts'
import { importDomainAllows } from '../../actions/moderation/import-domains.ts'
import {
  type DomainAllowRow,
  getDomainAllow,
  listAllDomainAllows,
  listDomainAllows,
} from '../../domain/moderation/domain-allows.ts'
import { writeAllowsCsv } from '../../domain/moderation/domain-csv.ts'
import { pathId, textParam } from '../../html/form-page.ts'
import { field } from '../../html/forms.ts'
import { sizeText } from '../../html/texts.ts'
import { html } from '../../lib/html.ts'
import { sendCsv } from '../downloads.ts'
import { noProblems, problemsOf, type FormProblems } from '../form-problems.ts'
import { MAX_FILE_BYTES, problemTable, readListFile } from './domain-list-file.ts'
import { disallowHtml } from './dry-run.ts'
import { actButton, sendConfirmationPage, listUploadForm } from './forms.ts'
import { sendAdminPage, type AdminPage, type AdminVisit } from './frame.ts'
import { dataTable, emptyState, pageOfQuery, pager, timeAgo } from './kit.ts'

const PATH = '/admin/domain_allows'

export const domainAllowsPage: AdminPage = {
  key: 'domain_allows',
  path: PATH,
  permissions: ['manage_federation'],
  routes(router) {
    router.get(PATH, (visit) => show(visit))
    router.post(PATH, create)
    router.post(`${PATH}/import`, importAllows, { files: true })
    router.get(`${PATH}/export.csv`, async ({ ctx, reply }) => {
      const rows = await listAllDomainAllows(ctx)
      return sendCsv(reply, 'domain_allows', writeAllowsCsv(rows.map(({ domain }) => domain)))
    })
    router.post(`${PATH}/:id/delete`, remove)
  },
}

async function show(visit: AdminVisit, problems: FormProblems = noProblems): Promise<FastifyReply> {
  const { ctx, t, request } = visit
  const texts = t.admin.federation
  const page = pageOfQuery(request.query)
  const rows = await listDomainAllows(ctx, page)
  const ids = rows.map(({ id }) => id)
  return sendAdminPage(visit, {
    lead: texts.allows.lead,
    notices: texts.allows.notices,
    problems,
    actions: html`<a class="button secondary" href="${PATH}/export.csv" download>${texts.export}</a>`,
    body: (csrf) => html`${!ctx.config.limitedFederation && html`<p class="muted">${texts.allows.not_limited}</p>`}
<section class="card"><form method="post" action="${PATH}">${csrf}
${field(t, { label: texts.domain, name: 'domain', value: textParam(request.body, 'domain'), hint: texts.subdomains, required: true, literal: true, maxLength: 255, error: problems.of('domain') })}
<div class="actions"><button>${texts.allows.add}</button></div></form></section>
${dataTable<DomainAllowRow>(t, {
  caption: t.admin.frame.pages.domain_allows.label,
  rows,
  empty: emptyState({ title: texts.allows.empty_title, text: texts.allows.empty_text }),
  columns: [
    { label: texts.domain, kind: 'main', cell: ({ domain }) => html`<bdi>${domain}</bdi>` },
    { label: texts.since, cell: ({ created_at }) => timeAgo(t, created_at) },
    {
      label: t.admin.frame.actions,
      kind: 'actions',
      cell: ({ id, domain }) =>
        actButton(csrf, { action: `${PATH}/${id}/delete`, label: texts.allows.remove, about: domain }),
    },
  ],
})}
${pager(t, PATH, request.query, { ids, page })}
<section class="card"><h2>${texts.allows.import_title}</h2>${listUploadForm(t, csrf, {
      action: `${PATH}/import`,
      label: texts.import,
      hint: texts.file_hint({ size: sizeText(t, MAX_FILE_BYTES) }),
      button: texts.blocks.preview,
    })}</section>`,
  })
}

async function create(visit: AdminVisit): Promise<FastifyReply> {
  const { ctx, t, request, reply, staff } = visit
  try {
    await allowDomain(ctx, staff.accountId, parseServerDomain(ctx, textParam(request.body, 'domain')))
    return await reply.redirect(`${PATH}?notice=created`, 303)
  } catch (error) {
    return show(visit, problemsOf(t, error))
  }
}

/** In limited federation mode, follows end: this is shown first. */
async function remove(visit: AdminVisit): Promise<FastifyReply> {
  const { ctx, t, request, reply, staff } = visit
  const texts = t.admin.federation.allows
  const { id, domain } = await getDomainAllow(ctx, pathId(visit))
  if (ctx.config.limitedFederation && textParam(request.body, 'confirmed') !== '1') {
    const dryRun = await disallowHtml(visit, domain)
    return sendConfirmationPage(visit, {
      title: texts.remove,
      lead: dryRun ? texts.remove_lead({ domain }) : texts.still_allowed({ domain }),
      dryRun,
      action: `${PATH}/${id}/delete`,
      confirm: texts.remove_confirm,
      cancel: PATH,
    })
  }
  await disallowDomain(ctx, staff.accountId, id)
  return reply.redirect(`${PATH}?notice=deleted`, 303)
}

async function importAllows(visit: AdminVisit): Promise<FastifyReply> {
  const { ctx, t, request, reply, staff } = visit
  const texts = t.admin.federation.allows
  try {
    const list = await readListFile(visit)
    const domains = list.drafts.map(({ domain }) => domain)
    if (textParam(request.body, 'confirmed') === '1') {
      await importDomainAllows(ctx, staff.accountId, domains)
      return await reply.redirect(`${PATH}?notice=imported`, 303)
    }
    return await sendConfirmationPage(visit, {
      title: texts.import_title,
      lead: texts.import_lead({ count: domains.length }),
      dryRun: problemTable(t, list),
      action: `${PATH}/import`,
      hidden: { csv: writeAllowsCsv(domains) },
      confirm: texts.import_confirm,
      danger: false,
      cancel: PATH,
    })
  } catch (error) {
    return show(visit, problemsOf(t, error))
  }
}
