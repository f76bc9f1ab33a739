// /admin/trends: what trends, and the decisions on it.
import type { FastifyReply } from 'fastify'
import { reviewTrends } from '../../actions/trends/review.ts'
import { staffMay } from '../../domain/auth/staff.ts'
import { getSettings } from '../../domain/server/settings.ts'
import {
  findTrendingLinks,
  findTrendingStatuses,
  findTrendingTags,
  type ReviewState,
  type TrendPage,
} from '../../domain/trends/lists.ts'
import { countPendingReviews, findAuthors, listProviders, type Reviewed } from '../../domain/trends/review.ts'
import { readLinkTrends, readStatusTrends, readTagTrends } from '../../entities/admin/trend-rows.ts'
import { textParam } from '../../html/form-page.ts'
import { html, type Html } from '../../lib/html.ts'
import { isId } from '../../lib/ids.ts'
import type { Texts } from '../../messages/pages.ts'
import { noProblems, oneProblem, type FormProblems } from '../form-problems.ts'
import { batchForm, chosenIds } from './forms.ts'
import { sendAdminPage, type AdminPage, type AdminVisit } from './frame.ts'
import { emptyState, filterLinks, numberedPager, pageNumberOf, pageOfQuery, pager, tabs, withQuery } from './kit.ts'
import { linkTable, providerTable, statusTable, tagTable } from './trend-tables.ts'

const PATH = '/admin/trends'
const PER_PAGE = 20

const KINDS = ['tags', 'links', 'statuses', 'publishers'] as const
type Kind = (typeof KINDS)[number]

export const trendsPage: AdminPage = {
  key: 'trends',
  path: PATH,
  permissions: ['manage_taxonomies'],
  async badge(ctx) {
    const { trends, trendable_by_default } = await getSettings(ctx)
    if (!trends || trendable_by_default) return 0
    const { tags, links, statuses } = await countPendingReviews(ctx)
    return tags + links + statuses
  },
  routes(router) {
    router.get(PATH, async ({ reply }) => reply.redirect(`${PATH}/tags`))
    for (const kind of KINDS) {
      router.get(`${PATH}/${kind}`, (visit) => show(visit, kind))
      router.post(`${PATH}/${kind}`, (visit) => decide(visit, kind))
    }
  },
}

const ACTS: Readonly<Record<string, { trendable: boolean; authors?: true }>> = {
  approve: { trendable: true },
  reject: { trendable: false },
  approve_authors: { trendable: true, authors: true },
  reject_authors: { trendable: false, authors: true },
}

async function decide(visit: AdminVisit, kind: Kind): Promise<FastifyReply> {
  const { ctx, t, staff, request, reply } = visit
  const chosen = chosenIds(request.body)
  const ids = chosen === 'matching' ? [] : chosen.filter(isId)
  const name = textParam(request.body, 'act')
  const act = Object.hasOwn(ACTS, name) ? ACTS[name] : undefined
  if (ids.length === 0 || !act) return show(visit, kind, oneProblem(t, t.admin.frame.nothing_selected))
  const byAuthor = kind === 'statuses' && act.authors === true
  const [target, targets]: [Reviewed, string[]] = byAuthor ? ['authors', await findAuthors(ctx, ids)] : [kind, ids]
  await reviewTrends(ctx, staff.accountId, target, { ids: targets, trendable: act.trendable })
  return reply.redirect(withQuery(`${PATH}/${kind}`, request.query, { notice: 'done' }), 303)
}

const STATES: readonly ReviewState[] = ['pending', 'approved', 'rejected']

type List = { table: (empty: Html) => Html; ids: string[]; pager: Html | null }

async function show(visit: AdminVisit, kind: Kind, problems: FormProblems = noProblems): Promise<FastifyReply> {
  const { t, request } = visit
  const { query } = request
  const texts = t.admin.trends
  const path = `${PATH}/${kind}`
  const sent = textParam(query, 'state')
  const state = STATES.find((each) => each === sent) ?? null
  const list = kind === 'publishers' ? await listPublishers(visit, path) : await listTrends(visit, kind, state)
  const acts = [
    { value: 'approve', label: texts.approve },
    { value: 'reject', label: texts.reject, kind: 'danger' as const },
    ...(kind === 'statuses'
      ? [
          { value: 'approve_authors', label: texts.approve_authors },
          { value: 'reject_authors', label: texts.reject_authors, kind: 'danger' as const },
        ]
      : []),
  ]
  const states = STATES.map((value) => ({ value, label: texts[value] }))
  const filters = kind === 'publishers' ? [{ value: 'pending', label: texts.pending }] : states
  const links = KINDS.map((each) => ({ href: `${PATH}/${each}`, label: texts[each] }))
  return sendAdminPage(visit, {
    problems,
    lead: html`${texts.lead} ${await settingsNote(visit)}`,
    notices: { done: texts.done },
    body: (csrf) => html`${tabs(texts.tabs, path, links)}
${filterLinks(t, path, query, [{ label: texts.review, name: 'state', options: [{ value: '', label: t.admin.frame.any }, ...filters] }])}
${batchForm(t, csrf, { action: withQuery(path, query), table: list.table(emptyOf(t, kind, state)), acts, ids: list.ids })}
${list.pager}`,
  })
}

/** Why trends do not show, or show without a review. */
async function settingsNote({ ctx, t, staff }: AdminVisit): Promise<Html | null> {
  const { trends, trendable_by_default } = await getSettings(ctx)
  const texts = t.admin.trends
  if (trends && !trendable_by_default) return null
  const link = staffMay(staff, 'manage_settings') && html` <a href="/admin/settings/discovery">${texts.settings}</a>`
  return html`${trends ? texts.by_default : texts.off}${link}`
}

function emptyOf(t: Texts, kind: Kind, state: ReviewState | null): Html {
  const texts = t.admin.trends
  if (state === 'pending') return emptyState({ title: texts.empty_pending, text: texts.empty_pending_text })
  if (kind === 'publishers') return emptyState({ title: texts.no_publishers, text: texts.no_publishers_text })
  return emptyState({ title: texts.empty_title, text: texts.empty_text })
}

async function listTrends(
  visit: AdminVisit,
  kind: Exclude<Kind, 'publishers'>,
  state: ReviewState | null,
): Promise<List> {
  const { ctx, t, staff, request } = visit
  const { query } = request
  const number = pageNumberOf(query, 100)
  const page: TrendPage = { limit: PER_PAGE + 1, offset: number * PER_PAGE, unreviewed: true, state }
  const find = { tags: findTrendingTags, links: findTrendingLinks, statuses: findTrendingStatuses }[kind]
  const found = await find(ctx, null, page)
  const ids = found.slice(0, PER_PAGE)
  const links = numberedPager(t, `${PATH}/${kind}`, query, { page: number, hasMore: found.length > PER_PAGE })
  if (kind === 'tags') {
    const rows = await readTagTrends(ctx, ids)
    return { ids, pager: links, table: (empty) => tagTable(t, rows, empty) }
  }
  if (kind === 'links') {
    const rows = await readLinkTrends(ctx, ids)
    return { ids, pager: links, table: (empty) => linkTable(t, rows, empty) }
  }
  const rows = await readStatusTrends(ctx, { accountId: staff.accountId }, ids)
  return { ids, pager: links, table: (empty) => statusTable(visit, rows, empty) }
}

async function listPublishers({ ctx, t, request: { query } }: AdminVisit, path: string): Promise<List> {
  const page = pageOfQuery(query)
  const rows = await listProviders(ctx, page, { unreviewed: textParam(query, 'state') === 'pending' })
  const ids = rows.map(({ id }) => id)
  return { ids, pager: pager(t, path, query, { ids, page }), table: (empty) => providerTable(t, rows, empty) }
}
