// /admin/dashboard: what happens on the server, and what waits for its staff.
import type { FastifyReply } from 'fastify'
import { readMeasuresInTurn, type Measure } from '../../domain/statistics/measures.ts'
import { findProblems, type SystemProblem } from '../../domain/statistics/system-checks.ts'
import { lastDays, type Period } from '../../domain/statistics/period.ts'
import { textParam } from '../../html/form-page.ts'
import { dayText, fillText, numberText, sizeText } from '../../html/texts.ts'
import { html, type Html } from '../../lib/html.ts'
import type { Texts } from '../../messages/pages.ts'
import { lineChart, sparkline } from './charts.ts'
import { operationsPanel, rankingsPanel, retentionPanel, type DashboardDays } from './dashboard-panels.ts'
import { staffMay } from '../../domain/auth/staff.ts'
import { mayOpen, menuFor, readMenu, sendAdminPage, waitingHtml, type AdminPage, type AdminVisit } from './frame.ts'
import { figures, filterLinks, timeAgo } from './kit.ts'

const PATH = '/admin/dashboard'
const PERIODS: readonly DashboardDays[] = [7, 30, 90]
const USUAL_DAYS = 30

export const dashboardPage: AdminPage = {
  key: 'dashboard',
  path: PATH,
  permissions: ['view_dashboard'],
  routes: (router) => router.get(PATH, show),
}

const SHOWN = ['new_users', 'active_users', 'interactions', 'opened_reports', 'resolved_reports'] as const
type Shown = (typeof SHOWN)[number]
type Measures = Readonly<Record<Shown, Measure>>

const ADDRESSES: Partial<Record<Shown, string>> = {
  new_users: '/admin/accounts?origin=local',
  active_users: '/admin/accounts?origin=local&status=active',
  opened_reports: '/admin/reports',
  resolved_reports: '/admin/reports?resolved=1',
}

async function show(visit: AdminVisit): Promise<FastifyReply> {
  const { ctx, t, request } = visit
  const texts = t.admin.dashboard
  const asked = Number(textParam(request.query, 'days'))
  const shown = PERIODS.find((days) => days === asked) ?? USUAL_DAYS
  const period = lastDays(shown)
  const [problems, waiting, measures, rankings, retention, operations] = await Promise.all([
    problemsPanel(visit),
    waitingPanel(visit),
    readMeasures(visit, period),
    rankingsPanel(ctx, t, shown),
    retentionPanel(ctx, t),
    operationsPanel(visit),
  ])
  const options = PERIODS.map((days) => ({
    value: days === USUAL_DAYS ? '' : String(days),
    label: texts.last_days({ count: days }),
  }))
  return sendAdminPage(visit, {
    body: () => html`${problems}
${waiting}
${filterLinks(t, PATH, request.query, [{ label: texts.period, name: 'days', options }])}
${overview(visit, measures)}
<h2>${texts.activity}</h2>
<div class="charts">${charts(t, measures)}</div>
<h2>${texts.people}</h2>
${retention}
<div class="charts">${rankings}</div>
<h2>${texts.operation}</h2>
${operations}`,
  })
}

const SERIOUS: ReadonlySet<SystemProblem['key']> = new Set(['low_disk_space', 'backup_failed'])

/** The problems that the staff member should fix. Nothing when there are none. */
async function problemsPanel({ ctx, t, staff }: AdminVisit): Promise<Html> {
  const problems = await findProblems(ctx, (permissions) => staffMay(staff, ...permissions))
  return html`${problems.map((problem) => html`<p class="notice ${SERIOUS.has(problem.key) ? 'error' : 'info'}">${problemText(t, problem)}</p>`)}`
}

function problemText(t: Texts, problem: SystemProblem): Html {
  const texts = t.admin.dashboard
  switch (problem.key) {
    case 'low_disk_space':
      return fillText(texts.low_disk_space, {
        free: sizeText(t, problem.free),
        command: html`<code>bin/rookery media usage</code>`,
      })
    case 'backup_failed':
      return fillText(texts.backup_failed, {
        time: timeAgo(t, problem.at),
        command: html`<code>bin/rookery backup</code>`,
      })
    case 'backup_old':
      return fillText(texts.backup_old, { time: timeAgo(t, problem.at) })
    case 'no_mail_server':
      return fillText(t.set_up.no_mail_server, {
        folder: html`<code>mail</code>`,
        variable: html`<code>SMTP_SERVER</code>`,
      })
    case 'no_rules':
      return html`${texts.no_rules} <a href="/admin/rules">${t.admin.frame.pages.rules.label}</a>`
  }
}

/** Every page on which something waits, with how much. */
async function waitingPanel({ ctx, t, menu, staff }: AdminVisit): Promise<Html> {
  const texts = t.admin.dashboard
  const pages = (await readMenu(ctx, menuFor(menu, staff), staff)).flatMap((group) => group.pages)
  const waiting = pages.filter((page) => page.waiting > 0)
  const items = waiting.map(
    ({ key, path, waiting: count }) =>
      html`<li><a class="button secondary" href="${path}">${t.admin.frame.pages[key].label}${waitingHtml(t, count)}</a></li>`,
  )
  return html`<section class="waiting"><h2>${texts.waiting}</h2>${
    waiting.length > 0
      ? html`<ul class="waiting-list">${items}</ul>`
      : html`<p class="muted">${texts.nothing_waiting}</p>`
  }</section>`
}

async function readMeasures({ ctx }: AdminVisit, period: Period): Promise<Measures> {
  const asked = SHOWN.map((key) => ({ key }))
  const measures = await readMeasuresInTurn(ctx, period, asked)
  return Object.fromEntries(measures.map((measure) => [measure.key, measure])) as Measures
}

const valuesOf = ({ data }: Measure): number[] => data.map(({ value }) => value)

function overview(visit: AdminVisit, measures: Measures): Html {
  const { t } = visit
  const texts = t.admin.dashboard
  return figures(
    SHOWN.map((key) => {
      const { total, previousTotal } = measures[key]
      const href = ADDRESSES[key]
      return {
        label: texts[key],
        value: numberText(t, total),
        plot: sparkline(valuesOf(measures[key])) ?? html``,
        hint: texts.before({ value: numberText(t, previousTotal ?? 0) }),
        ...(href && mayOpen(visit, href) ? { href } : {}),
      }
    }),
  )
}

function charts(t: Texts, measures: Measures): Html[] {
  const texts = t.admin.dashboard
  const ticks = measures.new_users.data.map(({ date }) => dayText(t, date))
  const chart = (label: string, keys: readonly Shown[]): Html =>
    lineChart(t, {
      label,
      ticks,
      area: true,
      series: keys.map((key) => ({ label: texts[key], values: valuesOf(measures[key]) })),
    })
  return [
    chart(texts.active_users_chart, ['active_users']),
    chart(texts.sign_ups_chart, ['new_users']),
    chart(texts.interactions_chart, ['interactions']),
    chart(texts.reports_chart, ['opened_reports', 'resolved_reports']),
  ]
}
