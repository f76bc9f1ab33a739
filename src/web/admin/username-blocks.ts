// /admin/username_blocks: names that new users cannot choose.
import type { FastifyReply } from 'fastify'
import { blockUsername, changeUsernameBlock, unblockUsernames } from '../../actions/admin/username-blocks.ts'
import {
  getUsernameBlock,
  listUsernameBlocks,
  MAX_BLOCKED_USERNAME,
  type UsernameBlock,
} from '../../domain/registration/username-blocks.ts'
import { pathId, textParam } from '../../html/form-page.ts'
import { checkbox, field, radioGroup } from '../../html/forms.ts'
import { html, type Html } from '../../lib/html.ts'
import type { Texts } from '../../messages/pages.ts'
import { noProblems, problemsOf, type FormProblems } from '../form-problems.ts'
import { actOnChosen, removalForm } from './forms.ts'
import { sendAdminPage, type AdminPage, type AdminVisit } from './frame.ts'
import { dataTable, emptyState, pageOfQuery, stateBadge, timeAgo } from './kit.ts'

const PATH = '/admin/username_blocks'

export const usernameBlocksPage: AdminPage = {
  key: 'username_blocks',
  path: PATH,
  permissions: ['manage_blocks'],
  routes(router) {
    router.get(PATH, (visit) => list(visit))
    router.post(PATH, create)
    router.post(`${PATH}/batch`, removeBatch)
    router.get(`${PATH}/:id`, async (visit) => edit(visit, await blockOf(visit)))
    router.post(`${PATH}/:id`, change)
  },
}

type Filled = Pick<UsernameBlock, 'username' | 'exact' | 'allow_with_approval'>
const EMPTY: Filled = { username: '', exact: false, allow_with_approval: false }

const blockOf = (visit: AdminVisit): Promise<UsernameBlock> => getUsernameBlock(visit.ctx, pathId(visit))

const readForm = ({ request: { body } }: AdminVisit): Filled => ({
  username: textParam(body, 'username'),
  exact: textParam(body, 'match') === 'exact',
  allow_with_approval: textParam(body, 'allow_with_approval') === '1',
})

async function create(visit: AdminVisit): Promise<FastifyReply> {
  const { ctx, t, staff, reply } = visit
  const filled = readForm(visit)
  try {
    await blockUsername(ctx, staff.accountId, filled)
  } catch (error) {
    return list(visit, problemsOf(t, error), filled)
  }
  return reply.redirect(`${PATH}?notice=created`, 303)
}

async function change(visit: AdminVisit): Promise<FastifyReply> {
  const { ctx, t, staff, reply } = visit
  const block = await blockOf(visit)
  const filled = readForm(visit)
  try {
    await changeUsernameBlock(ctx, staff.accountId, block.id, filled)
  } catch (error) {
    return edit(visit, { ...block, ...filled }, problemsOf(t, error))
  }
  return reply.redirect(`${PATH}?notice=changed`, 303)
}

const removeBatch = (visit: AdminVisit): Promise<FastifyReply> =>
  actOnChosen(visit, { act: unblockUsernames, next: `${PATH}?notice=removed`, again: list })

async function list(
  visit: AdminVisit,
  problems: FormProblems = noProblems,
  filled: Filled = EMPTY,
): Promise<FastifyReply> {
  const { ctx, t, request } = visit
  const { names: texts, common } = t.admin.registration
  const page = pageOfQuery(request.query)
  const blocks = await listUsernameBlocks(ctx, page)
  const ids = blocks.map(({ id }) => id)
  return sendAdminPage(visit, {
    lead: texts.lead,
    problems,
    notices: { created: common.created, changed: common.changed, removed: common.removed },
    body: (csrf) => html`<form method="post" action="${PATH}" class="card"><h2>${texts.add}</h2>${csrf}
${fields(t, filled, problems)}
<div class="actions"><button>${texts.add}</button></div>
</form>
${removalForm(visit, csrf, { path: PATH, table: table(t, blocks), ids, page })}`,
  })
}

function edit(visit: AdminVisit, block: UsernameBlock, problems: FormProblems = noProblems): Promise<FastifyReply> {
  const { t } = visit
  const { names: texts, common } = t.admin.registration
  return sendAdminPage(visit, {
    title: texts.edit,
    back: { href: PATH, label: t.admin.frame.pages.username_blocks.label },
    problems,
    body: (csrf) => html`<form method="post" action="${PATH}/${block.id}" class="card">${csrf}
${fields(t, block, problems)}
<div class="actions"><button>${common.save}</button></div>
</form>`,
  })
}

function fields(t: Texts, filled: Filled, problems: FormProblems): Html {
  const { names: texts, common } = t.admin.registration
  return html`${field(t, {
    label: texts.name,
    name: 'username',
    value: filled.username,
    error: problems.of('username'),
    maxLength: MAX_BLOCKED_USERNAME,
    required: true,
    literal: true,
  })}${radioGroup({
    legend: texts.match,
    name: 'match',
    value: filled.exact ? 'exact' : 'contains',
    options: [
      { value: 'contains', label: texts.contains },
      { value: 'exact', label: texts.exact },
    ],
  })}${checkbox({ label: common.allow_with_approval, name: 'allow_with_approval', checked: filled.allow_with_approval })}`
}

function table(t: Texts, blocks: readonly UsernameBlock[]): Html {
  const { names: texts, common } = t.admin.registration
  return dataTable(t, {
    caption: t.admin.frame.pages.username_blocks.label,
    rows: blocks,
    select: { value: ({ id }) => id, label: ({ username }) => username },
    empty: emptyState({ title: texts.empty, text: texts.empty_text }),
    columns: [
      {
        label: texts.name,
        kind: 'main',
        cell: ({ id, username }) => html`<a href="${PATH}/${id}"><bdi>${username}</bdi></a>`,
      },
      { label: texts.match, cell: ({ exact }) => (exact ? texts.exact : texts.contains) },
      {
        label: common.sign_ups,
        cell: ({ allow_with_approval: approval }) =>
          approval ? stateBadge(common.with_approval, 'warning') : stateBadge(common.refused, 'bad'),
      },
      { label: common.since, cell: ({ created_at: since }) => timeAgo(t, since) },
    ],
  })
}
