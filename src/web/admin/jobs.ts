// /admin/jobs: what the server does in the background, and what failed.
import type { FastifyReply } from 'fastify'
import { discardFailedJobs, retryFailedJobs } from '../../actions/server/jobs.ts'
import { textParam } from '../../html/form-page.ts'
import { numberText } from '../../html/texts.ts'
import { html, type Html } from '../../lib/html.ts'
import {
  listTroubledJobs,
  MAX_CHOSEN,
  readJobKinds,
  totalOf,
  type JobChoice,
  type KindOverview,
  type TroubledJob,
} from '../../jobs/overview.ts'
import type { Texts } from '../../messages/pages.ts'
import { oneProblem, type FormProblems } from '../form-problems.ts'
import { batchForm, chosenIds, sendConfirmationPage } from './forms.ts'
import { sendAdminPage, type AdminPage, type AdminVisit } from './frame.ts'
import {
  dataTable,
  definitions,
  emptyState,
  figures,
  filterLinks,
  numberedPager,
  pageNumberOf,
  stateBadge,
  timeAgo,
  withQuery,
} from './kit.ts'
import { colonOf } from '../../messages/colon.ts'

const PATH = '/admin/jobs'
const PER_PAGE = 40

export const jobsPage: AdminPage = {
  key: 'jobs',
  path: PATH,
  permissions: ['view_devops'],
  routes(router) {
    router.get(PATH, (visit) => show(visit))
    router.post(`${PATH}/change`, change)
  },
}

async function change(visit: AdminVisit): Promise<FastifyReply> {
  const { ctx, t, staff, request, reply } = visit
  const { body } = request
  const choice = choiceOf(body)
  if ('ids' in choice && choice.ids.length === 0) return show(visit, oneProblem(t, t.admin.frame.nothing_selected))
  if (textParam(body, 'act') === 'retry') {
    await retryFailedJobs(ctx, staff.accountId, choice)
    return reply.redirect(withQuery(PATH, request.query, { notice: 'retried' }), 303)
  }
  if (textParam(body, 'confirmed') !== '1') return askToDiscard(visit, choice)
  await discardFailedJobs(ctx, staff.accountId, choice)
  return reply.redirect(withQuery(PATH, request.query, { notice: 'discarded' }), 303)
}

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/

function choiceOf(body: unknown): JobChoice {
  const ids = chosenIds(body)
  return ids === 'matching' ? { name: textParam(body, 'name') || null } : { ids: ids.filter((id) => UUID.test(id)) }
}

async function askToDiscard(visit: AdminVisit, choice: JobChoice): Promise<FastifyReply> {
  const { ctx, t, request } = visit
  const texts = t.admin.operations.jobs
  const concerned = 'ids' in choice ? [] : failedOf(await readJobKinds(ctx.db), choice.name)
  const matching = totalOf(concerned).failed
  const count = 'ids' in choice ? choice.ids.length : Math.min(matching, MAX_CHOSEN)
  return sendConfirmationPage(visit, {
    title: texts.discard_title,
    lead: texts.discard_lead({ count }),
    dryRun:
      concerned.length > 0 && count === matching
        ? definitions(concerned.map(({ name, failed: number }) => [name, numberText(t, number)]))
        : null,
    action: withQuery(`${PATH}/change`, request.query),
    hidden: {
      act: 'discard',
      name: textParam(request.body, 'name'),
      ...('ids' in choice ? { ids: choice.ids } : { all: 'matching' }),
    },
    confirm: texts.discard,
    cancel: withQuery(PATH, request.query),
  })
}

/** `name`: null for jobs of any kind. */
const failedOf = (kinds: readonly KindOverview[], name: string | null): KindOverview[] =>
  kinds.filter((kind) => kind.failed > 0 && (name === null || kind.name === name))

async function show(visit: AdminVisit, problems?: FormProblems): Promise<FastifyReply> {
  const { ctx, t, request } = visit
  const { query } = request
  const texts = t.admin.operations.jobs
  const [name, state] = [textParam(query, 'name') || null, textParam(query, 'state')]
  const page = pageNumberOf(query)
  const filter = { name, state: state === 'retry' || state === 'failed' ? state : null } as const
  const [kinds, found] = await Promise.all([
    readJobKinds(ctx.db),
    listTroubledJobs(ctx.db, filter, { limit: PER_PAGE + 1, offset: page * PER_PAGE }),
  ])
  const jobs = found.slice(0, PER_PAGE)
  const matching = totalOf(failedOf(kinds, name)).failed
  return sendAdminPage(visit, {
    lead: texts.lead,
    notices: texts.notices,
    ...(problems ? { problems } : {}),
    body: (csrf) => html`${summary(t, kinds)}
${kindTable(t, kinds)}
<h2>${texts.failures}</h2>
${filters(t, query, name)}
${batchForm(t, csrf, {
  action: withQuery(`${PATH}/change`, query),
  table: troubleTable(t, jobs),
  ids: jobs.map(({ id }) => id),
  acts: [
    { value: 'retry', label: texts.retry },
    { value: 'discard', label: texts.discard, kind: 'danger' },
  ],
  ...(filter.state === 'failed' ? { matching, maxMatching: MAX_CHOSEN } : {}),
  hidden: { name },
})}
${numberedPager(t, PATH, query, { page, hasMore: found.length > PER_PAGE })}`,
  })
}

function filters(t: Texts, query: unknown, name: string | null): Html {
  const texts = t.admin.operations.jobs
  const any = { value: '', label: t.admin.frame.any }
  const states = [any, { value: 'failed', label: texts.states_failed }, { value: 'retry', label: texts.states_retry }]
  const byState = { label: texts.state, name: 'state', options: states }
  if (name === null) return filterLinks(t, PATH, query, [byState])
  return filterLinks(t, PATH, query, [
    byState,
    { label: texts.kind, name: 'name', options: [any, { value: name, label: name }] },
  ])
}

function summary(t: Texts, kinds: readonly KindOverview[]): Html {
  const texts = t.admin.operations.jobs
  const total = totalOf(kinds)
  const { oldest } = total
  return figures([
    {
      label: texts.due,
      value: numberText(t, total.due),
      hint: oldest && html`${texts.oldest}${colonOf(t.language)}${timeAgo(t, oldest)}`,
    },
    { label: texts.active, value: numberText(t, total.active) },
    { label: texts.delayed, value: numberText(t, total.delayed) },
    { label: texts.failed, value: numberText(t, total.failed), href: `${PATH}?state=failed` },
    { label: texts.completed, value: numberText(t, total.completed) },
  ])
}

function kindTable(t: Texts, kinds: readonly KindOverview[]): Html {
  const texts = t.admin.operations.jobs
  const number = (label: string, of: (kind: KindOverview) => number) => ({
    label,
    kind: 'number' as const,
    cell: (kind: KindOverview) => (of(kind) > 0 ? numberText(t, of(kind)) : null),
  })
  return dataTable<KindOverview>(t, {
    caption: texts.kinds,
    rows: kinds,
    empty: emptyState({ title: texts.none_title, text: texts.none_text }),
    columns: [
      {
        label: texts.kind,
        kind: 'main',
        cell: ({ name }) => html`<a href="${withQuery(PATH, {}, { name })}"><bdi>${name}</bdi></a>`,
      },
      number(texts.due, ({ due }) => due),
      number(texts.active, ({ active }) => active),
      number(texts.delayed, ({ delayed }) => delayed),
      number(texts.failed, ({ failed }) => failed),
      number(texts.completed, ({ completed }) => completed),
      { label: texts.oldest, cell: ({ oldest }) => oldest && timeAgo(t, oldest) },
    ],
  })
}

function troubleTable(t: Texts, jobs: readonly TroubledJob[]): Html {
  const texts = t.admin.operations.jobs
  return dataTable<TroubledJob>(t, {
    caption: texts.failures,
    rows: jobs,
    empty: emptyState({ title: texts.no_failures }),
    select: { value: ({ id }) => id, label: ({ name, error }) => `${name}${colonOf(t.language)}${error.slice(0, 80)}` },
    columns: [
      { label: texts.kind, kind: 'main', cell: ({ name }) => html`<bdi>${name}</bdi>` },
      {
        label: texts.error,
        cell: ({ error, data }) =>
          html`<bdi>${error.slice(0, 500)}</bdi>${data && html`<details><summary>${texts.contents}</summary><code dir="ltr">${JSON.stringify(data).slice(0, 500)}</code></details>`}`,
      },
      {
        label: texts.state,
        cell: ({ state }) =>
          state === 'failed' ? stateBadge(texts.states_failed, 'bad') : stateBadge(texts.states_retry, 'warning'),
      },
      {
        label: texts.tries,
        kind: 'number',
        cell: ({ tries, limit }) => t.admin.frame.progress({ done: tries, total: limit }),
      },
      { label: texts.when, cell: ({ at }) => timeAgo(t, at) },
    ],
  })
}
