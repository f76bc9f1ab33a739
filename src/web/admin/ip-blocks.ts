// /admin/ip_blocks: networks that cannot sign up, or not use the server at all.
import type { FastifyReply } from 'fastify'
import { blockIp, changeIpBlock, removeIpBlocks } from '../../actions/admin/ip-blocks.ts'
import {
  getIpBlock,
  IP_BLOCK_SEVERITIES,
  type IpBlock,
  type IpBlockSeverity,
  listIpBlocks,
  MAX_IP_BLOCK_COMMENT,
} from '../../domain/registration/ip-blocks.ts'
import { pathId, textParam } from '../../html/form-page.ts'
import { field, radioGroup, select } from '../../html/forms.ts'
import { momentOf } from '../../html/texts.ts'
import { html, type Html } from '../../lib/html.ts'
import type { Texts } from '../../messages/pages.ts'
import { noProblems, problemsOf, type FormProblems } from '../form-problems.ts'
import { actOnChosen, removalForm } from './forms.ts'
import { sendAdminPage, type AdminPage, type AdminVisit } from './frame.ts'
import { dataTable, emptyState, pageOfQuery, stateBadge, timeAgo } from './kit.ts'

const PATH = '/admin/ip_blocks'
const DAY = 86_400
/** Days. */
const LIFETIMES = [1, 7, 30, 180, 365, 1095]

export const ipBlocksPage: AdminPage = {
  key: 'ip_blocks',
  path: PATH,
  permissions: ['manage_blocks'],
  routes(router) {
    router.get(PATH, (visit) => list(visit))
    router.post(PATH, create)
    router.post(`${PATH}/batch`, removeBatch)
    router.get(`${PATH}/new`, (visit) => showForm(visit, null, { ...EMPTY, ip: textParam(visit.request.query, 'ip') }))
    router.get(`${PATH}/:id`, async (visit) => {
      const block = await blockOf(visit)
      return showForm(visit, block, { ...block, expires: 'keep' })
    })
    router.post(`${PATH}/:id`, change)
  },
}

type Filled = { ip: string; severity: string; comment: string; expires: string }
const EMPTY: Filled = { ip: '', severity: 'sign_up_requires_approval', comment: '', expires: '365' }

const blockOf = (visit: AdminVisit): Promise<IpBlock> => getIpBlock(visit.ctx, pathId(visit))

function readForm({ request }: AdminVisit): Filled {
  const text = (name: string): string => textParam(request.body, name)
  return { ip: text('ip'), severity: text('severity'), comment: text('comment'), expires: text('expires') }
}

/** The values of the form, with defaults for unknown choices. */
function valuesOf({ ip, severity, comment, expires }: Filled) {
  const days = LIFETIMES.find((each) => String(each) === expires)
  const chosen: IpBlockSeverity = IP_BLOCK_SEVERITIES.find((each) => each === severity) ?? 'sign_up_requires_approval'
  return {
    ip,
    severity: chosen,
    comment,
    ...(expires === 'keep' ? {} : { expiresIn: days === undefined ? null : days * DAY }),
  }
}

async function create(visit: AdminVisit): Promise<FastifyReply> {
  const { ctx, t, staff, request, reply } = visit
  const filled = readForm(visit)
  try {
    await blockIp(ctx, { staffId: staff.accountId, ip: request.ip }, valuesOf(filled))
  } catch (error) {
    return showForm(visit, null, filled, problemsOf(t, error))
  }
  return reply.redirect(`${PATH}?notice=created`, 303)
}

async function change(visit: AdminVisit): Promise<FastifyReply> {
  const { ctx, t, staff, request, reply } = visit
  const block = await blockOf(visit)
  const filled = readForm(visit)
  try {
    await changeIpBlock(ctx, { staffId: staff.accountId, ip: request.ip }, block.id, valuesOf(filled))
  } catch (error) {
    return showForm(visit, block, filled, problemsOf(t, error))
  }
  return reply.redirect(`${PATH}?notice=changed`, 303)
}

const removeBatch = (visit: AdminVisit): Promise<FastifyReply> =>
  actOnChosen(visit, { act: removeIpBlocks, next: `${PATH}?notice=removed`, again: list })

async function list(visit: AdminVisit, problems: FormProblems = noProblems): Promise<FastifyReply> {
  const { ctx, t, request } = visit
  const { ip: texts, common } = t.admin.registration
  const page = pageOfQuery(request.query)
  const blocks = await listIpBlocks(ctx, page)
  const ids = blocks.map(({ id }) => id)
  return sendAdminPage(visit, {
    lead: texts.lead,
    problems,
    notices: { created: common.created, changed: common.changed, removed: common.removed },
    actions: html`<a class="button" href="${PATH}/new">${texts.add}</a>`,
    body: (csrf) => html`${removalForm(visit, csrf, { path: PATH, table: table(t, blocks), ids, page })}`,
  })
}

function table(t: Texts, blocks: readonly IpBlock[]): Html {
  const { ip: texts, common } = t.admin.registration
  return dataTable(t, {
    caption: t.admin.frame.pages.ip_blocks.label,
    rows: blocks,
    select: { value: ({ id }) => id, label: ({ ip }) => ip },
    empty: emptyState({
      title: texts.empty,
      text: texts.empty_text,
      action: { href: `${PATH}/new`, label: texts.add },
    }),
    columns: [
      { label: texts.range, kind: 'main', cell: ({ id, ip }) => html`<a href="${PATH}/${id}"><bdi>${ip}</bdi></a>` },
      {
        label: texts.severity,
        cell: ({ severity }) =>
          stateBadge(texts[severity], severity === 'sign_up_requires_approval' ? 'warning' : 'bad'),
      },
      { label: common.comment, cell: ({ comment }) => comment },
      { label: common.until, cell: ({ expires_at: end }) => (end ? momentOf(t, end) : common.never) },
      { label: common.since, cell: ({ created_at: since }) => timeAgo(t, since) },
    ],
  })
}

function showForm(
  visit: AdminVisit,
  block: IpBlock | null,
  filled: Filled,
  problems: FormProblems = noProblems,
): Promise<FastifyReply> {
  const { t } = visit
  const { ip: texts, common } = t.admin.registration
  const lifetimes = LIFETIMES.map((days) => ({ value: String(days), label: common.days({ count: days }) }))
  const keep = block ? [{ value: 'keep', label: common.keep }] : []
  return sendAdminPage(visit, {
    title: block ? texts.edit : texts.add,
    back: { href: PATH, label: t.admin.frame.pages.ip_blocks.label },
    problems,
    body: (csrf) => html`<form method="post" action="${block ? `${PATH}/${block.id}` : PATH}" class="card">${csrf}
${field(t, { label: texts.range, name: 'ip', value: filled.ip, hint: texts.range_hint, error: problems.of('ip'), required: true, literal: true })}
${radioGroup({
  legend: texts.severity,
  name: 'severity',
  value: filled.severity,
  error: problems.of('severity'),
  options: IP_BLOCK_SEVERITIES.map((value) => ({ value, label: texts[value], hint: texts[`${value}_hint`] })),
})}
${select({ label: common.expires, name: 'expires', value: filled.expires, options: [...keep, ...lifetimes, { value: '', label: common.never }] })}
${field(t, { label: common.comment, name: 'comment', value: filled.comment, maxLength: MAX_IP_BLOCK_COMMENT, error: problems.of('comment') })}
<div class="actions"><button>${block ? common.save : texts.add}</button></div>
</form>`,
  })
}
