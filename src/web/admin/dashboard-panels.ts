// The lower parts of the dashboard.
import type { Context } from '../../context.ts'
import { readLastBackup } from '../../domain/backup/records.ts'
import {
  readDimension,
  readFailingPeers,
  type DimensionKey,
  type DimensionRow,
  type FailingPeers,
} from '../../domain/statistics/dimensions.ts'
import { memoized } from '../../domain/server/settings.ts'
import { lastDays } from '../../domain/statistics/period.ts'
import { readRetention } from '../../domain/statistics/retention.ts'
import { numberText, sizeText } from '../../html/texts.ts'
import { html, type Html } from '../../lib/html.ts'
import { readJobKinds, totalOf } from '../../jobs/overview.ts'
import type { Texts } from '../../messages/pages.ts'
import { barChart, cohortTable } from './charts.ts'
import { mayOpen, type AdminVisit } from './frame.ts'
import { dataTable, definitions, figures, timeAgo } from './kit.ts'
import { serverPath } from './server-state.ts'
import { trendLanguage } from './trend-tables.ts'
import { colonOf } from '../../messages/colon.ts'

const SHOWN = 8

/** Counting the posts of a large server takes seconds. */
const CACHE_SECONDS = 600

type Rankings = Readonly<Record<'sources' | 'languages' | 'servers', DimensionRow[]>>

const rankingsOf = (days: number): ((ctx: Context) => Promise<Rankings>) =>
  memoized(CACHE_SECONDS, async (ctx) => {
    const read = (key: DimensionKey): Promise<DimensionRow[]> =>
      readDimension(ctx, key, { period: lastDays(days), limit: SHOWN })
    return { sources: await read('sources'), languages: await read('languages'), servers: await read('servers') }
  })

/** For each period that the dashboard offers, in days. */
const RANKINGS = { 7: rankingsOf(7), 30: rankingsOf(30), 90: rankingsOf(90) }
export type DashboardDays = keyof typeof RANKINGS

export async function rankingsPanel(ctx: Context, t: Texts, days: DashboardDays): Promise<Html> {
  const texts = t.admin.dashboard
  const { sources, languages, servers } = await RANKINGS[days](ctx)
  const bars = (label: string, rows: readonly DimensionRow[], nameOf: (key: string) => string): Html =>
    barChart(
      t,
      label,
      rows.map(({ key, value }) => ({ label: nameOf(key), value: Number(value) })),
    )
  return html`${bars(texts.sources, sources, (key) => key || texts.website)}
${bars(texts.languages, languages, (key) => trendLanguage(t, key))}
${bars(texts.servers, servers, (key) => key || ctx.config.localDomain)}`
}

const RETENTION_DAYS = 150

/** By month, the latest first. */
export async function retentionPanel(ctx: Context, t: Texts): Promise<Html> {
  const texts = t.admin.dashboard
  const cohorts = await readRetention(ctx, lastDays(RETENTION_DAYS), 'month')
  const month = new Intl.DateTimeFormat(t.language, { month: 'short', year: 'numeric', timeZone: 'UTC' })
  const later = Math.max(0, ...cohorts.map(({ data }) => data.length - 1))
  const chart = cohortTable(t, {
    label: texts.retention,
    heads: {
      cohort: texts.cohort,
      size: texts.cohort_size,
      periods: Array.from({ length: later }, (_, i) => texts.after_months({ count: i + 1 })),
    },
    cohorts: cohorts.toReversed().map(({ period, data }) => ({
      label: month.format(period),
      size: data[0]?.value ?? 0,
      shares: Array.from({ length: later }, (_, i) => (data[0]?.value ? (data[i + 1]?.rate ?? null) : null)),
    })),
  })
  return html`${chart}<p class="muted">${texts.retention_hint}</p>`
}

const SOFTWARE: Readonly<Record<string, string>> = {
  rookery: 'Rookery',
  mastodon: 'Mastodon API',
  node: 'Node.js',
  postgresql: 'PostgreSQL',
}

export async function operationsPanel(visit: AdminVisit): Promise<Html> {
  const { ctx, t } = visit
  const texts = t.admin.dashboard
  const period = lastDays(1)
  const [kinds, failing, backup, software, space] = await Promise.all([
    readJobKinds(ctx.db),
    readFailingPeers(ctx),
    readLastBackup(ctx),
    readDimension(ctx, 'software_versions', { period, limit: SHOWN }),
    readDimension(ctx, 'space_usage', { period, limit: SHOWN }),
  ])
  const { due, failed, oldest } = totalOf(kinds)
  const linkTo = (href: string): { href?: string } => (mayOpen(visit, href) ? { href } : {})
  const spaceNames: Readonly<Record<string, string>> = {
    postgresql: texts.database,
    media: texts.media,
    media_cache: texts.media_cache,
  }
  return html`${figures([
    {
      label: texts.jobs_waiting,
      value: numberText(t, due),
      ...linkTo('/admin/jobs'),
      ...(oldest ? { hint: html`${texts.oldest_job}${colonOf(t.language)}${timeAgo(t, oldest)}` } : {}),
    },
    { label: texts.jobs_failed, value: numberText(t, failed), ...linkTo('/admin/jobs?state=failed') },
    {
      label: texts.peers_failing,
      value: numberText(t, failing.count),
      ...linkTo('/admin/instances?state=failing'),
    },
    ...(backup?.made
      ? [{ label: texts.last_backup, value: sizeText(t, backup.made.bytes), hint: timeAgo(t, backup.made.at) }]
      : []),
    ...space.map(({ key, value }) => ({
      label: `${texts.space}${colonOf(t.language)}${spaceNames[key] ?? key}`,
      value: sizeText(t, Number(value)),
    })),
  ])}
${failingTable(t, failing, mayOpen(visit, '/admin/instances'))}
<h3>${texts.software}</h3>
${definitions(software.map(({ key, value }) => [SOFTWARE[key] ?? key, html`<bdi>${value}</bdi>`]))}`
}

function failingTable(t: Texts, { peers }: FailingPeers, linked: boolean): Html {
  const texts = t.admin.dashboard
  return html`<h3>${texts.peers_failing_title}</h3>
${dataTable(t, {
  caption: texts.peers_failing_title,
  rows: peers,
  empty: html`<p class="muted">${texts.no_peer_fails}</p>`,
  columns: [
    {
      label: texts.peer,
      kind: 'main',
      cell: ({ domain }) => {
        const name = html`<bdi>${domain}</bdi>`
        return linked ? html`<a href="${serverPath(domain)}">${name}</a>` : name
      },
    },
    { label: texts.failing_since, cell: ({ failing_since }) => failing_since && timeAgo(t, failing_since) },
    { label: texts.retry_at, cell: ({ retry_at }) => retry_at && timeAgo(t, retry_at) },
  ],
})}`
}
