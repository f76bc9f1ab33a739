import type { ComponentChildren } from 'preact'
import { BarChart3, MessagesSquare, Repeat2, Sparkles, Telescope, type IconNode } from 'lucide'
import type { AnnualReport } from '../api/entities.ts'
import { findStatus } from '../state/statuses.ts'
import { StatusItem } from '../statuses/status-item.tsx'
import { fill, fullNumber, language, texts } from '../texts.ts'
import { Icon } from '../ui/icon.tsx'
import { tagPath } from '../ui/tag-path.ts'
import './annual-report.css'

const ICONS: Record<AnnualReport['data']['archetype'], IconNode> = {
  lurker: Telescope,
  booster: Repeat2,
  pollster: BarChart3,
  replier: MessagesSquare,
  oracle: Sparkles,
}

type Month = AnnualReport['data']['time_series'][number]

export function AnnualReportView({ report: { data, year } }: { report: AnnualReport }) {
  const { archetype, time_series: series, top_hashtags: tags, top_statuses: top } = data
  const t = texts.lists
  const total = (key: Exclude<keyof Month, 'month'>) => fullNumber(series.reduce((sum, each) => sum + each[key], 0))
  const boosted = top.by_reblogs
  return (
    <div class="report">
      <section class="report-hero">
        <p class="report-year">{year}</p>
        <span class="report-icon">
          <Icon icon={ICONS[archetype]} size={48} />
        </span>
        <h2>{t[`archetype_${archetype}`]}</h2>
        <p>{t[`archetype_${archetype}_text`]}</p>
      </section>
      <dl class="report-totals">
        <Total label={t.report_posts}>{total('statuses')}</Total>
        <Total label={t.report_followers}>{total('followers')}</Total>
        <Total label={t.report_following}>{total('following')}</Total>
      </dl>
      <MonthPlot series={series} year={year} />
      {tags.length > 0 && <TopHashtags tags={tags} />}
      {boosted && findStatus(boosted) && (
        <section class="report-post" aria-label={t.top_post}>
          <h2>{t.top_post}</h2>
          <StatusItem id={boosted} />
        </section>
      )}
    </div>
  )
}

const Total = ({ label, children }: { label: string; children: ComponentChildren }) => (
  <div>
    <dt>{label}</dt>
    <dd>{children}</dd>
  </div>
)

function TopHashtags({ tags }: { tags: AnnualReport['data']['top_hashtags'] }) {
  const most = Math.max(1, ...tags.map(({ count }) => count))
  return (
    <section class="report-section">
      <h2>{texts.lists.top_hashtags}</h2>
      <ol class="report-tags">
        {tags.slice(0, 5).map(({ name, count }) => (
          <li key={name}>
            <a href={tagPath(name)}>
              <bdi>#{name}</bdi>
            </a>
            <small>{texts.lists.times_used({ count })}</small>
            <span class="report-bar" style={{ inlineSize: `${(count / most) * 100}%` }} />
          </li>
        ))}
      </ol>
    </section>
  )
}

/** In the API, months are counted in UTC. */
function monthName(year: number, month: number, style: 'narrow' | 'long'): string {
  return new Intl.DateTimeFormat(language, { month: style, timeZone: 'UTC' }).format(Date.UTC(year, month - 1, 15))
}

/** A bar for each month. Screen readers get the table that it stands in. */
function MonthPlot({ series, year }: { series: readonly Month[]; year: number }) {
  const t = texts.lists
  const most = Math.max(1, ...series.map(({ statuses }) => statuses))
  const busiest = series.find(({ statuses }) => statuses === most)
  return (
    <section class="report-section">
      <h2>{t.months}</h2>
      {busiest && <p>{fill(t.busiest, { month: <strong>{monthName(year, busiest.month, 'long')}</strong> })}</p>}
      <div class="report-plot" aria-hidden="true">
        {series.map(({ month, statuses }) => (
          <div key={month} class={statuses === most ? 'plot-month most' : 'plot-month'}>
            <span>{statuses > 0 ? fullNumber(statuses) : ''}</span>
            <span class="plot-bar" style={{ blockSize: `${(statuses / most) * 8}rem` }} />
            <span>{monthName(year, month, 'narrow')}</span>
          </div>
        ))}
      </div>
      {/* A table is as wide as its words, whatever its style says. */}
      <div class="visually-hidden">
        <table>
          <caption>{t.months}</caption>
          <thead>
            <tr>
              <th scope="col">{t.month}</th>
              <th scope="col">{t.report_posts}</th>
            </tr>
          </thead>
          <tbody>
            {series.map(({ month, statuses }) => (
              <tr key={month}>
                <th scope="row">{monthName(year, month, 'long')}</th>
                <td>{fullNumber(statuses)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}
