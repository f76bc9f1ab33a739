// /admin/follow_recommendations: the accounts that are suggested to newcomers, and those that staff does not want suggested.
import type { FastifyReply } from 'fastify'
import { suppressRecommendations } from '../../actions/moderation/recommendations.ts'
import { listRecommendations, listSuppressed, type Recommendation } from '../../domain/relationships/suggestions.ts'
import { readAccountMap } from '../../entities/account-presenter.ts'
import type { Account } from '../../entities/account.ts'
import { textParam } from '../../html/form-page.ts'
import { numberText } from '../../html/texts.ts'
import { html, type Html } from '../../lib/html.ts'
import { noProblems, type FormProblems } from '../form-problems.ts'
import { actOnChosen, batchForm } from './forms.ts'
import { mayOpenAccounts, sendAdminPage, type AdminPage, type AdminVisit } from './frame.ts'
import { accountChip, dataTable, emptyState, filterLinks, numberedPager, pageNumberOf, withQuery } from './kit.ts'
import { trendLanguage } from './trend-tables.ts'

const PATH = '/admin/follow_recommendations'
const PER_PAGE = 40

export const followRecommendationsPage: AdminPage = {
  key: 'follow_recommendations',
  path: PATH,
  permissions: ['manage_taxonomies'],
  routes(router) {
    router.get(PATH, (visit) => list(visit))
    router.post(PATH, change)
  },
}

const isSuppressed = ({ request }: AdminVisit): boolean => textParam(request.query, 'state') === 'suppressed'

/** The list says what its button does: those in it are either suggested or not. */
const change = (visit: AdminVisit): Promise<FastifyReply> =>
  actOnChosen(visit, {
    act: (ctx, staffId, ids) => suppressRecommendations(ctx, staffId, { ids, suppressed: !isSuppressed(visit) }),
    next: withQuery(PATH, visit.request.query, { notice: 'done' }),
    again: list,
  })

async function list(visit: AdminVisit, problems: FormProblems = noProblems): Promise<FastifyReply> {
  const { ctx, t, request } = visit
  const { query } = request
  const texts = t.admin.trends.recommendations
  const suppressed = isSuppressed(visit)
  const all = await (suppressed ? listSuppressed(ctx) : listRecommendations(ctx))
  const language = textParam(query, 'language')
  const found = language === '' ? all : all.filter((row) => codeOf(row) === language)
  const page = pageNumberOf(query)
  const rows = found.slice(page * PER_PAGE, (page + 1) * PER_PAGE)
  const accounts = await readAccountMap(
    ctx,
    rows.map(({ account_id }) => account_id),
  )
  const shown = rows.flatMap((row) => {
    const account = accounts.get(row.account_id)
    return account ? [{ ...row, account }] : []
  })
  const any = { value: '', label: t.admin.frame.any }
  const languages = [...new Set(all.map(codeOf))].map((code) => ({ value: code, label: trendLanguage(t, code) }))
  return sendAdminPage(visit, {
    problems,
    lead: texts.lead,
    notices: { done: t.admin.trends.done },
    body: (csrf) => html`${filterLinks(t, PATH, query, [
      {
        label: t.admin.trends.state,
        name: 'state',
        options: [
          { value: '', label: texts.suggested },
          { value: 'suppressed', label: texts.suppressed },
        ],
      },
      { label: t.admin.trends.language, name: 'language', options: [any, ...languages] },
    ])}
${batchForm(t, csrf, {
  action: withQuery(PATH, query),
  table: table(visit, shown, suppressed),
  ids: shown.map(({ account_id }) => account_id),
  acts: [suppressed ? { value: 'restore', label: texts.restore } : { value: 'suppress', label: texts.suppress }],
})}
${numberedPager(t, PATH, query, { page, hasMore: found.length > (page + 1) * PER_PAGE })}`,
  })
}

const codeOf = ({ language }: Recommendation): string => language ?? 'und'

type Row = Recommendation & { account: Account }

function table({ ctx, t, staff }: AdminVisit, rows: readonly Row[], suppressed: boolean): Html {
  const texts = t.admin.trends.recommendations
  return dataTable<Row>(t, {
    caption: t.admin.frame.pages.follow_recommendations.label,
    rows,
    empty: emptyState({ title: suppressed ? texts.none_suppressed : texts.none_suggested }),
    select: { value: ({ account_id }) => account_id, label: ({ account }) => `@${account.acct}` },
    columns: [
      {
        label: t.admin.accounts.list.account,
        kind: 'main',
        cell: ({ account }) => accountChip(ctx, account, { linked: mayOpenAccounts(staff) }),
      },
      ...(suppressed
        ? []
        : [
            {
              label: texts.reason,
              cell: ({ sources }: Row): string => sources.map((source) => texts.reasons[source]).join(', '),
            },
          ]),
      { label: t.admin.trends.language, cell: (row) => trendLanguage(t, row.language) },
      {
        label: t.admin.accounts.account.followers,
        kind: 'number',
        cell: ({ account }) => numberText(t, account.followers_count),
      },
    ],
  })
}
