// /admin/domain_blocks: servers that are blocked for everyone, with a dry run and an undo.
import type { FastifyReply } from 'fastify'
import { parseServerDomain } from '../../domain/peers/domain-names.ts'
import {
  createDomainBlock,
  draftOf,
  endDomainBlock,
  findPrecedingBlock,
  updateDomainBlock,
} from '../../actions/moderation/domain-blocks.ts'
import { listSources } from '../../domain/moderation/block-list-entries.ts'
import {
  type AdminDomainBlockRow,
  BLOCK_SEVERITIES,
  type BlockDraft,
  checkComments,
  getAdminDomainBlock,
  listAdminDomainBlocks,
  listAllDomainBlocks,
} from '../../domain/moderation/domain-blocks.ts'
import { writeBlocksCsv } from '../../domain/moderation/domain-csv.ts'
import { isKnownServer } from '../../domain/moderation/servers.ts'
import { listRestorable } from '../../domain/moderation/severed.ts'
import { pathId, textParam } from '../../html/form-page.ts'
import { checkbox, field, select } from '../../html/forms.ts'
import { numberText } from '../../html/texts.ts'
import { html, type Html } from '../../lib/html.ts'
import type { Texts } from '../../messages/pages.ts'
import { sendCsv } from '../downloads.ts'
import { noProblems, oneProblem, problemsOf, type FormProblems } from '../form-problems.ts'
import { blockFields, draftFromForm, hiddenBlock } from './domain-block-form.ts'
import { importBlocks, showBlockImport } from './domain-block-import.ts'
import { dryRunHtml } from './dry-run.ts'
import { filterForm, sendConfirmationPage } from './forms.ts'
import { sendAdminPage, type AdminPage, type AdminVisit } from './frame.ts'
import { serverPath } from './server-state.ts'
import { dataTable, definitions, emptyState, pageOfQuery, pager, stateBadge, timeAgo, withQuery } from './kit.ts'

const PATH = '/admin/domain_blocks'

export const domainBlocksPage: AdminPage = {
  key: 'domain_blocks',
  path: PATH,
  permissions: ['manage_federation'],
  routes(router) {
    router.get(PATH, list)
    router.post(PATH, create)
    router.get(`${PATH}/new`, (visit) => showNew(visit))
    router.get(`${PATH}/import`, (visit) => showBlockImport(visit))
    router.post(`${PATH}/import`, importBlocks, { files: true })
    router.get(`${PATH}/export.csv`, async ({ ctx, reply }) =>
      sendCsv(reply, 'domain_blocks', writeBlocksCsv(await listAllDomainBlocks(ctx))),
    )
    router.get(`${PATH}/:id`, (visit) => showEdit(visit))
    router.post(`${PATH}/:id`, update)
    router.post(`${PATH}/:id/delete`, undo)
  },
}

async function list(visit: AdminVisit): Promise<FastifyReply> {
  const { ctx, t, request } = visit
  const { query } = request
  const texts = t.admin.federation
  const page = pageOfQuery(query)
  const severity = BLOCK_SEVERITIES.find((each) => each === textParam(query, 'severity'))
  const rows = await listAdminDomainBlocks(ctx, page, {
    search: textParam(query, 'q').trim(),
    ...(severity ? { severity } : {}),
  })
  const sources = await listSources(
    ctx,
    rows.map(({ domain }) => domain),
  )
  const { blocks } = texts
  const table = blockTable(t, { rows, sources, isFiltered: withQuery(PATH, query) !== PATH })
  const options = [{ value: '', label: t.admin.frame.any }, ...severityOptions(t)]
  return sendAdminPage(visit, {
    lead: blocks.lead,
    notices: blocks.notices,
    actions: html`<a class="button" href="${PATH}/new">${blocks.add}</a> <a class="button secondary" href="${PATH}/import">${texts.import}</a> <a class="button secondary" href="${PATH}/export.csv" download>${texts.export}</a>`,
    body: () => html`${filterForm(t, PATH, query, {
      fields: html`${field(t, { label: texts.search, name: 'q', type: 'search', value: textParam(query, 'q'), literal: true })}
${select({ label: texts.severity, name: 'severity', value: severity ?? '', options })}`,
    })}
${table}
${pager(t, PATH, query, { ids: rows.map(({ id }) => id), page })}`,
  })
}

type BlockTable = {
  rows: readonly AdminDomainBlockRow[]
  sources: Awaited<ReturnType<typeof listSources>>
  isFiltered: boolean
}

function blockTable(t: Texts, { rows, sources, isFiltered }: BlockTable): Html {
  const texts = t.admin.federation
  const { blocks } = texts
  return dataTable<AdminDomainBlockRow>(t, {
    caption: t.admin.frame.pages.domain_blocks.label,
    rows,
    empty: isFiltered
      ? emptyState({ title: blocks.no_match_title, text: blocks.no_match_text })
      : emptyState({
          title: blocks.empty_title,
          text: blocks.empty_text,
          action: { href: `${PATH}/new`, label: blocks.add },
        }),
    columns: [
      {
        label: texts.domain,
        kind: 'main',
        cell: ({ id, domain }) => html`<a href="${PATH}/${id}"><bdi>${domain}</bdi></a>`,
      },
      { label: texts.severity, cell: (block) => measuresHtml(t, block) },
      {
        label: texts.public_comment,
        cell: (block) => html`<bdi>${block.public_comment ?? block.private_comment ?? ''}</bdi>`,
      },
      {
        label: texts.source,
        cell: ({ domain, managed }) => (managed ? sourceLinks(sources.get(domain)) : texts.by_hand),
      },
      { label: blocks.affected, kind: 'number', cell: (block) => affectedText(t, block) },
      { label: texts.since, cell: ({ created_at }) => timeAgo(t, created_at) },
    ],
  })
}

const severityOptions = (t: Texts): { value: string; label: string }[] =>
  BLOCK_SEVERITIES.map((value) => ({ value, label: t.admin.federation.severities[value] }))

const sourceLinks = (lists: readonly { id: string; title: string }[] | undefined): Html =>
  html`${(lists ?? []).map(({ id, title }) => html`<a href="/admin/block_lists/${id}"><bdi>${title}</bdi></a> `)}`

function measuresHtml(t: Texts, block: BlockDraft): Html {
  const texts = t.admin.federation
  const kind = { suspend: 'bad', silence: 'warning', noop: 'plain' } as const
  return html`${stateBadge(texts.severities[block.severity], kind[block.severity])}${block.reject_media && block.severity !== 'suspend' && html` ${stateBadge(texts.reject_media)}`}${block.reject_reports && html` ${stateBadge(texts.reject_reports)}`}`
}

const affectedText = (t: Texts, { applied_at, affected_count }: AdminDomainBlockRow): Html =>
  html`${numberText(t, affected_count)}${applied_at === null && html` <span class="muted">${t.admin.federation.applying}</span>`}`

const back = (t: Texts): { href: string; label: string } => ({
  href: PATH,
  label: t.admin.frame.pages.domain_blocks.label,
})

function showNew(visit: AdminVisit, problems: FormProblems = noProblems): Promise<FastifyReply> {
  const { t, request } = visit
  const texts = t.admin.federation
  const sent = textParam(request.body, 'domain') || textParam(request.query, 'domain')
  return sendAdminPage(visit, {
    title: texts.blocks.add,
    back: back(t),
    problems,
    body: (csrf) => html`<section class="card"><form method="post" action="${PATH}">${csrf}
${field(t, { label: texts.domain, name: 'domain', value: sent, hint: texts.blocks.domain_hint, required: true, literal: true, maxLength: 255, error: problems.of('domain') })}
${blockFields(t, request.body === undefined || request.body === null ? null : draftFromForm(request.body, sent), problems)}
<div class="actions"><button>${texts.blocks.preview}</button></div>
</form></section>`,
  })
}

async function create(visit: AdminVisit): Promise<FastifyReply> {
  const { ctx, t, request, reply, staff } = visit
  const texts = t.admin.federation.blocks
  const refuse = ({ domain }: BlockDraft): Promise<FastifyReply> =>
    showNew(visit, oneProblem(t, texts.exists({ domain }), 'domain'))
  try {
    const draft = draftFromForm(request.body, parseServerDomain(ctx, textParam(request.body, 'domain')))
    checkComments(draft)
    const existing = await findPrecedingBlock(ctx, draft)
    if (existing) return await refuse(existing)
    if (textParam(request.body, 'confirmed') !== '1')
      return await confirmBlock(visit, draft, PATH, texts.preview_lead(draft))
    const outcome = await createDomainBlock(ctx, staff.accountId, draft)
    if ('existing' in outcome) return await refuse(outcome.existing)
    return reply.redirect(`${PATH}?notice=created`, 303)
  } catch (error) {
    return showNew(visit, problemsOf(t, error))
  }
}

async function confirmBlock(visit: AdminVisit, draft: BlockDraft, action: string, lead: string): Promise<FastifyReply> {
  const { t } = visit
  const texts = t.admin.federation
  const options = { suspends: draft.severity === 'suspend', rejectsMedia: draft.reject_media }
  return sendConfirmationPage(visit, {
    title: texts.blocks.add,
    lead: html`${lead} ${measuresHtml(t, draft)}`,
    dryRun: await dryRunHtml(visit, [draft.domain], options),
    action,
    hidden: hiddenBlock(draft),
    confirm: texts.blocks.confirm,
    cancel: PATH,
  })
}

/** Throws NotFound. */
const blockOf = (visit: AdminVisit): Promise<AdminDomainBlockRow> => getAdminDomainBlock(visit.ctx, pathId(visit))

async function showEdit(visit: AdminVisit, problems: FormProblems = noProblems): Promise<FastifyReply> {
  const { ctx, t, request } = visit
  const texts = t.admin.federation
  const block = await blockOf(visit)
  const [sources, isKnown] = await Promise.all([
    listSources(ctx, [block.domain]).then((found) => found.get(block.domain)),
    isKnownServer(ctx, block.domain),
  ])
  return sendAdminPage(visit, {
    title: texts.blocks.edit(block),
    back: back(t),
    notices: texts.blocks.notices,
    problems,
    ...(isKnown
      ? { actions: html`<a class="button secondary" href="${serverPath(block.domain)}">${texts.servers.name}</a>` }
      : {}),
    body: (csrf) => html`${definitions([
      [texts.severity, measuresHtml(t, block)],
      [texts.since, timeAgo(t, block.created_at)],
      [texts.blocks.affected, affectedText(t, block)],
      [texts.source, block.managed ? sourceLinks(sources) : texts.by_hand],
    ])}
${block.managed && html`<p class="muted">${texts.blocks.managed_hint}</p>`}
<section class="card"><form method="post" action="${PATH}/${block.id}">${csrf}
${blockFields(t, problems.summary === null ? draftOf(block) : draftFromForm(request.body, block.domain), problems)}
<div class="actions"><button>${texts.blocks.save}</button></div>
</form></section>
<section class="card"><h2>${texts.blocks.undo}</h2><p>${texts.blocks.undo_hint}</p>
<form method="post" action="${PATH}/${block.id}/delete">${csrf}<div class="actions"><button class="danger">${texts.blocks.undo}</button></div></form></section>`,
  })
}

async function update(visit: AdminVisit): Promise<FastifyReply> {
  const { ctx, t, request, reply, staff } = visit
  const block = await blockOf(visit)
  const { domain, ...changes } = draftFromForm(request.body, block.domain)
  try {
    checkComments(changes)
  } catch (error) {
    return showEdit(visit, problemsOf(t, error))
  }
  const isGraver = changes.severity === 'suspend' && block.severity !== 'suspend'
  if (isGraver && textParam(request.body, 'confirmed') !== '1')
    return confirmBlock(
      visit,
      { domain, ...changes },
      `${PATH}/${block.id}`,
      t.admin.federation.blocks.change_lead(block),
    )
  await updateDomainBlock(ctx, staff.accountId, block.id, changes)
  return reply.redirect(`${PATH}/${block.id}?notice=updated`, 303)
}

async function undo(visit: AdminVisit): Promise<FastifyReply> {
  const { ctx, t, request, reply, staff } = visit
  const texts = t.admin.federation.blocks
  const block = await blockOf(visit)
  if (textParam(request.body, 'confirmed') === '1') {
    const restoreFollows = textParam(request.body, 'restore_follows') === '1'
    await endDomainBlock(ctx, staff.accountId, block.id, { restoreFollows })
    return reply.redirect(`${PATH}?notice=deleted`, 303)
  }
  const severances = await listRestorable(ctx, { domain: block.domain })
  const count = severances.reduce((sum, { severed_count }) => sum + severed_count, 0)
  return sendConfirmationPage(visit, {
    title: texts.undo,
    lead: html`${texts.undo_lead(block)} ${texts.undo_hint}`,
    action: `${PATH}/${block.id}/delete`,
    fields:
      count > 0
        ? checkbox({
            label: texts.restore_follows,
            name: 'restore_follows',
            checked: true,
            hint: texts.restorable({ count }),
          })
        : html``,
    confirm: texts.undo,
    cancel: `${PATH}/${block.id}`,
  })
}
