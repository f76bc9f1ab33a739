// /admin/block_lists: lists of blocks that this server follows.
import type { FastifyReply } from 'fastify'
import { subscribeToBlockList } from '../../actions/moderation/block-lists.ts'
import { type CountedBlockList, countWaitingEntries, listBlockLists } from '../../domain/moderation/block-lists.ts'
import { textParam } from '../../html/form-page.ts'
import { field } from '../../html/forms.ts'
import { numberText } from '../../html/texts.ts'
import { html } from '../../lib/html.ts'
import { noProblems, problemsOf, type FormProblems } from '../form-problems.ts'
import { listFields, readState } from './block-list-fields.ts'
import { answerChanges, readNow, saveList, showList, unsubscribe } from './block-list.ts'
import { sendAdminPage, type AdminPage, type AdminVisit } from './frame.ts'
import { dataTable, emptyState } from './kit.ts'

const PATH = '/admin/block_lists'

export const blockListsPage: AdminPage = {
  key: 'block_lists',
  path: PATH,
  permissions: ['manage_federation'],
  badge: countWaitingEntries,
  routes(router) {
    router.get(PATH, (visit) => show(visit))
    router.post(PATH, create)
    router.get(`${PATH}/:id`, (visit) => showList(visit))
    router.post(`${PATH}/:id`, saveList)
    router.post(`${PATH}/:id/answer`, answerChanges)
    router.post(`${PATH}/:id/read`, readNow)
    router.post(`${PATH}/:id/delete`, unsubscribe)
  },
}

async function create(visit: AdminVisit): Promise<FastifyReply> {
  const { ctx, t, request, reply, staff } = visit
  const sent = (name: string): string => textParam(request.body, name)
  try {
    const form = { title: sent('title'), url: sent('url'), mode: sent('mode'), severity: sent('severity') }
    const id = await subscribeToBlockList(ctx, staff.accountId, form)
    return await reply.redirect(`${PATH}/${id}?notice=created`, 303)
  } catch (error) {
    return show(visit, problemsOf(t, error))
  }
}

async function show(visit: AdminVisit, problems: FormProblems = noProblems): Promise<FastifyReply> {
  const { ctx, t, request } = visit
  const texts = t.admin.federation.lists
  const lists = await listBlockLists(ctx)
  return sendAdminPage(visit, {
    lead: texts.lead,
    notices: texts.notices,
    problems,
    body: (csrf) => html`${dataTable<CountedBlockList>(t, {
      caption: t.admin.frame.pages.block_lists.label,
      rows: lists,
      empty: emptyState({ title: texts.empty_title, text: texts.empty_text }),
      columns: [
        {
          label: texts.title,
          kind: 'main',
          cell: ({ id, title }) => html`<a href="${PATH}/${id}"><bdi>${title}</bdi></a>`,
        },
        { label: texts.mode, cell: ({ mode }) => texts.modes[mode] },
        { label: texts.applied, kind: 'number', cell: ({ applied }) => numberText(t, applied) },
        { label: texts.waiting, kind: 'number', cell: ({ waiting }) => numberText(t, waiting) },
        { label: texts.last_read, cell: (list) => readState(t, list) },
      ],
    })}
<section class="card"><h2>${texts.add}</h2><form method="post" action="${PATH}">${csrf}
${field(t, { label: texts.url, name: 'url', type: 'url', value: textParam(request.body, 'url'), hint: texts.url_hint, required: true, literal: true, maxLength: 2000, error: problems.of('url') })}
${listFields(t, { title: textParam(request.body, 'title'), mode: textParam(request.body, 'mode') || 'ask', severity: textParam(request.body, 'severity') || 'suspend' }, problems)}
<div class="actions"><button>${texts.add}</button></div></form></section>`,
  })
}
