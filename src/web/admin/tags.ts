// /admin/tags: which hashtags may be used, found and trend.
import type { FastifyReply } from 'fastify'
import { updateTag } from '../../actions/trends/review.ts'
import { readDimension } from '../../domain/statistics/dimensions.ts'
import { readMeasure } from '../../domain/statistics/measures.ts'
import { lastDays } from '../../domain/statistics/period.ts'
import { getSettings } from '../../domain/server/settings.ts'
import { tagUrl } from '../../domain/server/addresses.ts'
import { listTags } from '../../domain/trends/review.ts'
import { readTagTrends } from '../../entities/admin/trend-rows.ts'
import { pathId, textParam } from '../../html/form-page.ts'
import { checkbox, field } from '../../html/forms.ts'
import { dayText } from '../../html/texts.ts'
import { NotFound } from '../../lib/errors.ts'
import { html, type Html } from '../../lib/html.ts'
import type { Texts } from '../../messages/pages.ts'
import { noProblems, problemsOf, type FormProblems } from '../form-problems.ts'
import { barChart, lineChart } from './charts.ts'
import { filterForm } from './forms.ts'
import { sendAdminPage, type AdminPage, type AdminVisit } from './frame.ts'
import { dataTable, emptyState, filterLinks, pageOfQuery, pager, stateBadge, withQuery } from './kit.ts'
import { trendLanguage, useOf } from './trend-tables.ts'

const PATH = '/admin/tags'

export const tagsPage: AdminPage = {
  key: 'tags',
  path: PATH,
  permissions: ['manage_taxonomies'],
  routes(router) {
    router.get(PATH, list)
    router.get(`${PATH}/:id`, (visit) => showTag(visit))
    router.post(`${PATH}/:id`, save)
  },
}

type TagRow = Awaited<ReturnType<typeof readTagTrends>>[number]

const FILTERS: Readonly<Record<string, Parameters<typeof listTags>[2]>> = {
  unreviewed: { reviewed: false },
  reviewed: { reviewed: true },
  limited: { blocked: true },
}

async function list(visit: AdminVisit): Promise<FastifyReply> {
  const { ctx, t, request } = visit
  const { query } = request
  const texts = t.admin.trends
  const page = pageOfQuery(query)
  const q = textParam(query, 'q').replace(/^[#＃]/, '')
  const ids = await listTags(ctx, page, { ...FILTERS[textParam(query, 'state')], q })
  const rows = await readTagTrends(ctx, ids)
  const empty =
    withQuery(PATH, query) === PATH
      ? emptyState({ title: texts.no_tags, text: texts.no_tags_text })
      : emptyState({ title: texts.no_match, action: { href: PATH, label: t.admin.frame.no_filter } })
  const table = dataTable<TagRow>(t, {
    caption: texts.tags,
    rows,
    empty,
    columns: [
      {
        label: texts.name,
        kind: 'main',
        cell: (row) => html`<a href="${PATH}/${row.id}"><bdi>#${row.display_name}</bdi></a>`,
      },
      {
        label: texts.use,
        kind: 'number',
        cell: ({ accounts }) => useOf(t, accounts),
      },
      { label: texts.state, cell: (row) => states(t, row) },
    ],
  })
  const options = [
    { value: '', label: t.admin.frame.any },
    { value: 'unreviewed', label: texts.not_reviewed },
    { value: 'reviewed', label: texts.reviewed },
    { value: 'limited', label: texts.limited },
  ]
  return sendAdminPage(visit, {
    body: () => html`${filterLinks(t, PATH, query, [{ label: texts.filter_state, name: 'state', options }])}
${filterForm(t, PATH, query, { keep: ['state'], fields: field(t, { label: texts.search, name: 'q', type: 'search', value: textParam(query, 'q'), literal: true }) })}
${table}
${pager(t, PATH, query, { ids, page })}`,
  })
}

function states(t: Texts, { reviewed_at, trendable, usable, listable }: TagRow): Html {
  const texts = t.admin.trends
  return html`${reviewed_at === null ? stateBadge(texts.not_reviewed) : stateBadge(texts.reviewed, 'good')}${
    trendable === false && html` ${stateBadge(texts.rejected, 'bad')}`
  }${!usable && html` ${stateBadge(texts.not_usable, 'bad')}`}${!listable && html` ${stateBadge(texts.not_listable, 'bad')}`}`
}

/** Throws NotFound. */
async function findTagRow(visit: AdminVisit): Promise<TagRow> {
  const [tag] = await readTagTrends(visit.ctx, [pathId(visit)])
  if (!tag) throw new NotFound()
  return tag
}

async function save(visit: AdminVisit): Promise<FastifyReply> {
  const { ctx, t, staff, request, reply } = visit
  const { id } = await findTagRow(visit)
  const { body } = request
  const checked = (name: string): boolean => textParam(body, name) === '1'
  try {
    await updateTag(ctx, staff.accountId, id, {
      display_name: textParam(body, 'display_name')
        .trim()
        .replace(/^[#＃]/, ''),
      trendable: checked('trendable'),
      usable: checked('usable'),
      listable: checked('listable'),
    })
  } catch (error) {
    return showTag(visit, problemsOf(t, error))
  }
  return reply.redirect(`${PATH}/${id}?notice=saved`, 303)
}

const DAYS = 30

async function showTag(visit: AdminVisit, problems: FormProblems = noProblems): Promise<FastifyReply> {
  const { ctx, t, request } = visit
  const texts = t.admin.trends
  const tag = await findTagRow(visit)
  const plots = await plotsOf(visit, tag.id)
  const { trendable_by_default } = await getSettings(ctx)
  const isSent = problems !== noProblems
  const { body } = request
  const value = (name: string, stored: boolean): boolean => (isSent ? textParam(body, name) === '1' : stored)
  return sendAdminPage(visit, {
    title: `#${tag.display_name}`,
    back: { href: PATH, label: texts.all_tags },
    problems,
    notices: { saved: texts.saved },
    actions: html`<a class="button secondary" href="${tagUrl(ctx, tag.name)}">${texts.public_page}</a>`,
    lead: states(t, tag),
    body: (csrf) => html`<form method="post" action="${PATH}/${tag.id}" class="card">${csrf}
${field(t, {
  label: texts.display_name,
  name: 'display_name',
  hint: texts.display_name_hint,
  value: isSent ? textParam(body, 'display_name') : tag.display_name,
  error: problems.of('display_name'),
  required: true,
  maxLength: 100,
  literal: true,
})}
${checkbox({ label: texts.trendable, name: 'trendable', hint: texts.trendable_hint, checked: value('trendable', tag.trendable ?? trendable_by_default) })}
${checkbox({ label: texts.usable, name: 'usable', hint: texts.usable_hint, checked: value('usable', tag.usable) })}
${checkbox({ label: texts.listable, name: 'listable', hint: texts.listable_hint, checked: value('listable', tag.listable) })}
<div class="actions"><button>${texts.save}</button></div>
</form>
${plots}`,
  })
}

async function plotsOf({ ctx, t }: AdminVisit, tagId: string): Promise<Html> {
  const texts = t.admin.trends
  const period = lastDays(DAYS)
  const options = { period, param: tagId, limit: 10 }
  const [uses, accounts, servers, languages] = await Promise.all([
    readMeasure(ctx, 'tag_uses', period, tagId),
    readMeasure(ctx, 'tag_accounts', period, tagId),
    readDimension(ctx, 'tag_servers', options),
    readDimension(ctx, 'tag_languages', options),
  ])
  return html`${lineChart(t, {
    label: texts.uses_chart,
    ticks: uses.data.map(({ date }) => dayText(t, date)),
    series: [
      { label: texts.posts, values: uses.data.map(({ value }) => value) },
      { label: texts.people, values: accounts.data.map(({ value }) => value) },
    ],
    area: true,
  })}
<div class="charts">
${barChart(
  t,
  texts.tag_servers,
  servers.map(({ key, value }) => ({ label: key || ctx.config.localDomain, value: Number(value) })),
)}
${barChart(
  t,
  texts.tag_languages,
  languages.map(({ key, value }) => ({ label: trendLanguage(t, key), value: Number(value) })),
)}
</div>`
}
