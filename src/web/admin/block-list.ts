// /admin/block_lists/:id: one list, its changes that wait, and its entries.
import type { FastifyReply } from 'fastify'
import {
  answerListChanges,
  readListNow,
  unsubscribeFromBlockList,
  updateBlockList,
} from '../../actions/moderation/block-lists.ts'
import {
  listEntries,
  type ListEntryRow,
  type WaitingEntry,
  listWaitingEntries,
} from '../../domain/moderation/block-list-entries.ts'
import { type BlockListRow, getBlockList } from '../../domain/moderation/block-lists.ts'
import { findDomainBlocks } from '../../domain/moderation/domain-blocks.ts'
import { pathId, textParam } from '../../html/form-page.ts'
import { numberText } from '../../html/texts.ts'
import { html, safeUrl, type Html } from '../../lib/html.ts'
import type { Texts } from '../../messages/pages.ts'
import { noProblems, oneProblem, problemsOf, type FormProblems } from '../form-problems.ts'
import { listFields, readState } from './block-list-fields.ts'
import { dryRunHtml } from './dry-run.ts'
import { actButton, batchForm, chosenIds, sendConfirmationPage } from './forms.ts'
import { sendAdminPage, type AdminVisit } from './frame.ts'
import { dataTable, definitions, emptyState, numberedPager, pageNumberOf, stateBadge } from './kit.ts'

const PATH = '/admin/block_lists'
const PER_PAGE = 100

/** Throws NotFound. */
const listOf = (visit: AdminVisit): Promise<BlockListRow> => getBlockList(visit.ctx, pathId(visit))

const isWaiting = ({ state }: ListEntryRow): boolean => state === 'proposed' || state === 'retracted'

export async function showList(visit: AdminVisit, problems: FormProblems = noProblems): Promise<FastifyReply> {
  const { ctx, t, request } = visit
  const texts = t.admin.federation.lists
  const list = await listOf(visit)
  const address = safeUrl(list.url)
  const page = pageNumberOf(request.query)
  const [entries, allWaiting] = await Promise.all([
    listEntries(ctx, list.id, { limit: PER_PAGE + 1, offset: page * PER_PAGE }),
    listWaitingEntries(ctx, list.id),
  ])
  const shown = entries.slice(0, PER_PAGE)
  const waiting = shown.filter(isWaiting)
  const path = `${PATH}/${list.id}`
  const before = await blocksNow(visit, waiting)
  return sendAdminPage(visit, {
    title: list.title,
    back: { href: PATH, label: t.admin.frame.pages.block_lists.label },
    notices: texts.notices,
    problems,
    body: (csrf) => html`${definitions([
      [
        texts.url,
        address ? html`<a href="${address}" rel="noopener"><bdi class="long-address">${list.url}</bdi></a>` : list.url,
      ],
      [texts.last_read, readState(t, list)],
      [texts.waiting, numberText(t, allWaiting.length)],
      [t.admin.federation.problem, list.skipped_count > 0 && t.admin.federation.skipped({ count: list.skipped_count })],
    ])}
<div class="actions">${actButton(csrf, { action: `${path}/read`, label: texts.read_now })}${actButton(csrf, { action: `${path}/delete`, label: texts.unsubscribe, kind: 'danger' })}</div>
<h2>${texts.waiting_title}</h2>
${waiting.length === 0 ? html`<p class="muted">${texts.nothing_waiting}</p>` : waitingForm(t, csrf, { path, waiting, matching: allWaiting.length, before })}
<h2>${texts.entries_title}</h2>
${entryTable(
  t,
  shown.filter((entry) => !isWaiting(entry)),
)}
${numberedPager(t, path, request.query, { page, hasMore: entries.length > PER_PAGE })}
<section class="card"><h2>${texts.settings}</h2><form method="post" action="${path}">${csrf}${listFields(t, problems.of('title') === null ? list : sentForm(visit), problems)}
<div class="actions"><button>${texts.save}</button></div></form></section>`,
  })
}

async function blocksNow(
  { ctx }: AdminVisit,
  entries: readonly ListEntryRow[],
): Promise<Map<string, ListEntryRow['severity']>> {
  const blocks = await findDomainBlocks(
    ctx,
    entries.map(({ domain }) => domain),
  )
  return new Map(blocks.map(({ domain, severity }) => [domain, severity]))
}

type Waiting = {
  path: string
  waiting: ListEntryRow[]
  matching: number
  before: Map<string, ListEntryRow['severity']>
}

function waitingForm(t: Texts, csrf: Html, { path, waiting, matching, before }: Waiting): Html {
  const texts = t.admin.federation
  return batchForm(t, csrf, {
    action: `${path}/answer`,
    ids: waiting.map(({ domain }) => domain),
    matching,
    acts: [
      { value: 'accept', label: texts.lists.accept },
      { value: 'decline', label: texts.lists.decline },
    ],
    table: dataTable<ListEntryRow>(t, {
      caption: texts.lists.waiting_title,
      rows: waiting,
      empty: emptyState({ title: texts.lists.nothing_waiting }),
      select: { value: ({ domain }) => domain, label: ({ domain }) => domain },
      columns: [
        { label: texts.domain, kind: 'main', cell: ({ domain }) => html`<bdi>${domain}</bdi>` },
        {
          label: texts.blocks.change,
          cell: ({ state }) => stateBadge(texts.lists.states[state], state === 'retracted' ? 'plain' : 'warning'),
        },
        {
          label: texts.severity,
          cell: ({ severity, state }) => (state === 'retracted' ? t.admin.frame.none : texts.severities[severity]),
        },
        {
          label: texts.blocks.before,
          cell: ({ domain }) => {
            const severity = before.get(domain)
            return severity ? texts.severities[severity] : t.admin.frame.none
          },
        },
        { label: texts.public_comment, cell: ({ public_comment }) => html`<bdi>${public_comment ?? ''}</bdi>` },
      ],
    }),
  })
}

function entryTable(t: Texts, entries: readonly ListEntryRow[]): Html {
  const texts = t.admin.federation
  return dataTable<ListEntryRow>(t, {
    caption: texts.lists.entries_title,
    rows: entries,
    empty: emptyState({ title: texts.lists.no_entries }),
    columns: [
      { label: texts.domain, kind: 'main', cell: ({ domain }) => html`<bdi>${domain}</bdi>` },
      {
        label: texts.state,
        cell: ({ state }) => stateBadge(texts.lists.states[state], state === 'applied' ? 'good' : 'plain'),
      },
      { label: texts.severity, cell: ({ severity }) => texts.severities[severity] },
      { label: texts.public_comment, cell: ({ public_comment }) => html`<bdi>${public_comment ?? ''}</bdi>` },
    ],
  })
}

export async function saveList(visit: AdminVisit): Promise<FastifyReply> {
  const { ctx, t, reply, staff } = visit
  const list = await listOf(visit)
  try {
    await updateBlockList(ctx, staff.accountId, list.id, sentForm(visit))
  } catch (error) {
    return showList(visit, problemsOf(t, error))
  }
  return reply.redirect(`${PATH}/${list.id}?notice=updated`, 303)
}

function sentForm({ request: { body } }: AdminVisit): { title: string; mode: string; severity: string } {
  return { title: textParam(body, 'title'), mode: textParam(body, 'mode'), severity: textParam(body, 'severity') }
}

const suspendedBy = (entries: readonly WaitingEntry[]): string[] =>
  entries.filter(({ state, severity }) => state === 'proposed' && severity === 'suspend').map(({ domain }) => domain)

/** Changes of a list that one form answers. */
const MAX_ANSWERED = 20_000

export async function answerChanges(visit: AdminVisit): Promise<FastifyReply> {
  const { ctx, t, request, reply, staff } = visit
  const texts = t.admin.federation.lists
  const list = await listOf(visit)
  const accept = textParam(request.body, 'act') === 'accept'
  const chosen = chosenIds(request.body, MAX_ANSWERED)
  const all = await listWaitingEntries(ctx, list.id)
  const entries = chosen === 'matching' ? all : all.filter(({ domain }) => chosen.includes(domain))
  const domains = entries.map(({ domain }) => domain)
  if (domains.length === 0) return showList(visit, oneProblem(t, t.admin.frame.nothing_selected))
  if (accept && textParam(request.body, 'confirmed') !== '1')
    return sendConfirmationPage(visit, {
      title: list.title,
      lead: texts.accept_lead({ count: domains.length }),
      dryRun: await dryRunHtml(visit, suspendedBy(entries), { suspends: true }),
      action: `${PATH}/${list.id}/answer`,
      hidden: { act: 'accept', ...(chosen === 'matching' ? { all: 'matching' } : { ids: domains }) },
      confirm: texts.accept,
      cancel: `${PATH}/${list.id}`,
    })
  await answerListChanges(ctx, staff.accountId, list.id, { domains, accept })
  return reply.redirect(`${PATH}/${list.id}?notice=${accept ? 'accepted' : 'declined'}`, 303)
}

export async function readNow(visit: AdminVisit): Promise<FastifyReply> {
  const { id } = await listOf(visit)
  await readListNow(visit.ctx, id)
  return visit.reply.redirect(`${PATH}/${id}?notice=reading`, 303)
}

export async function unsubscribe(visit: AdminVisit): Promise<FastifyReply> {
  const { ctx, t, request, reply, staff } = visit
  const texts = t.admin.federation.lists
  const list = await listOf(visit)
  if (textParam(request.body, 'confirmed') !== '1')
    return sendConfirmationPage(visit, {
      title: texts.unsubscribe,
      lead: texts.unsubscribe_lead({ title: list.title }),
      action: `${PATH}/${list.id}/delete`,
      confirm: texts.unsubscribe,
      cancel: `${PATH}/${list.id}`,
    })
  await unsubscribeFromBlockList(ctx, staff.accountId, list.id)
  return reply.redirect(`${PATH}?notice=deleted`, 303)
}
