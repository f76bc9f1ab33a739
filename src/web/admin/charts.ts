// Plots as inline SVG without styles or scripts. Labels are HTML around the SVG, so that they keep their size on a phone. The
// numbers are also in a table below.
import { numberText } from '../../html/texts.ts'
import { html, type Html, type HtmlValue } from '../../lib/html.ts'
import type { Texts } from '../../messages/pages.ts'
import { colonOf } from '../../messages/colon.ts'

export type Series = { label: string; values: readonly number[] }

export type LineChart = {
  /** What is shown, as a heading and for screen readers. */
  label: string
  /** What each index stands for, such as a day. All series have as many values. */
  ticks: readonly string[]
  series: readonly Series[]
  /** Fills the area below the lines. */
  area?: boolean
}

const WIDTH = 600
const HEIGHT = 160
const COLOURS = 6

/** The class of the colour of a series. */
const colourOf = (index: number): string => `plot-${(index % COLOURS) + 1}`

/** A number at least as large as `value` that is easily halved and read: 2, 4, 10, 20, 40, … */
export function roundedMax(value: number): number {
  if (value <= 2) return 2
  const size = 10 ** Math.floor(Math.log10(value))
  return size * ([1, 2, 4, 6, 8, 10].find((step) => step * size >= value) ?? 10)
}

/** Lines over time, with a title for each index on hover and a table of all values. */
export function lineChart(t: Texts, chart: LineChart): Html {
  const { label, ticks, series, area = false } = chart
  if (ticks.length === 0 || series.length === 0) return emptyChart(t, label)
  const max = roundedMax(Math.max(...series.flatMap(({ values }) => values)))
  const step = ticks.length > 1 ? WIDTH / (ticks.length - 1) : 0
  const point = (value: number, index: number): string =>
    `${rounded(index * step)},${rounded(HEIGHT - (value / max) * HEIGHT)}`
  const lines = series.map(({ values }, index) => {
    const points = values.map(point).join(' ')
    const fill =
      area &&
      html`<polygon class="plot-area ${colourOf(index)}" points="0,${HEIGHT} ${points} ${rounded((values.length - 1) * step)},${HEIGHT}"/>`
    return html`${fill}<polyline class="plot-line ${colourOf(index)}" points="${points}"/>`
  })
  const bands = ticks.map((tick, index) => {
    const title = [
      tick,
      ...series.map((each) => `${each.label}${colonOf(t.language)}${numberText(t, each.values[index] ?? 0)}`),
    ].join('\n')
    const left = Math.max(0, (index - 0.5) * step)
    const right = Math.min(WIDTH, (index + 0.5) * step)
    return html`<rect class="plot-band" x="${rounded(left)}" y="0" width="${rounded(right - left || WIDTH)}" height="${HEIGHT}"><title>${title}</title></rect>`
  })
  return html`<figure class="chart">
<figcaption>${label}</figcaption>
${series.length > 1 && legend(series.map((each) => each.label))}
<div class="plot" dir="ltr">
<div class="plot-y" aria-hidden="true"><span>${numberText(t, max)}</span><span>${numberText(t, max / 2)}</span><span>${numberText(t, 0)}</span></div>
<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label="${label}">
<path class="plot-grid" d="M0 0.5H${WIDTH}M0 ${HEIGHT / 2}H${WIDTH}M0 ${HEIGHT - 0.5}H${WIDTH}"/>
${lines}${bands}
</svg>
<div class="plot-x" aria-hidden="true"><span dir="auto">${ticks[0]}</span>${ticks.length > 2 && html`<span dir="auto">${ticks[Math.floor(ticks.length / 2)]}</span>`}${ticks.length > 1 && html`<span dir="auto">${ticks.at(-1)}</span>`}</div>
</div>
${valueTable(t, chart)}
</figure>`
}

function valueTable(t: Texts, { label, ticks, series }: LineChart): Html {
  const { frame } = t.admin
  const rows = ticks.map(
    (tick, index) =>
      html`<tr><th scope="row">${tick}</th>${series.map(({ values }) => html`<td class="number">${numberText(t, values[index] ?? 0)}</td>`)}</tr>`,
  )
  return html`<details class="chart-table"><summary>${frame.show_table}<span class="visually-hidden"> (${label})</span></summary><div class="table-scroll" tabindex="0" role="region" aria-label="${label}"><table>
<thead><tr><th scope="col">${frame.period}</th>${series.map((each) => html`<th scope="col" class="number">${each.label}</th>`)}</tr></thead>
<tbody>${rows}</tbody></table></div></details>`
}

/** The shape of a series without axes, beside its number. It is decoration: the number stands beside it. */
export function sparkline(values: readonly number[]): Html | null {
  if (values.length < 2) return null
  const max = Math.max(...values, 1)
  const step = 100 / (values.length - 1)
  const points = values.map((value, index) => `${rounded(index * step)},${rounded(22 - (value / max) * 20)}`).join(' ')
  return html`<svg class="sparkline" viewBox="0 0 100 24" preserveAspectRatio="none" aria-hidden="true" dir="ltr"><polygon class="plot-area plot-1" points="0,24 ${points} 100,24"/><polyline class="plot-line plot-1" points="${points}"/></svg>`
}

export type Bar = { label: HtmlValue; value: number; text?: string; href?: string }

/** Horizontal bars with their names and numbers, such as the top ten of something. */
export function barChart(t: Texts, label: string, bars: readonly Bar[]): Html {
  if (bars.length === 0) return emptyChart(t, label)
  const max = Math.max(...bars.map(({ value }) => value), 1)
  const items = bars.map(({ label: name, value, text, href }) => {
    const title = html`<bdi>${name}</bdi>`
    return html`<li><span class="bar-label">${href ? html`<a href="${href}">${title}</a>` : title}</span><span class="bar-value">${text ?? numberText(t, value)}</span>
<svg class="bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true"><rect class="bar-ground" width="100" height="8"/><rect class="plot-1" width="${rounded((value / max) * 100)}" height="8"/></svg></li>`
  })
  return html`<figure class="chart"><figcaption>${label}</figcaption><ol class="bars">${items}</ol></figure>`
}

export type Cohort = {
  label: string
  size: number
  /** Between 0 and 1; null where there is no value yet. */
  shares: readonly (number | null)[]
}

/** How many of each cohort came back, as a table whose cells are the darker, the more did. */
export function cohortTable(
  t: Texts,
  {
    label,
    heads,
    cohorts,
  }: { label: string; heads: { cohort: string; size: string; periods: readonly string[] }; cohorts: readonly Cohort[] },
): Html {
  if (cohorts.length === 0) return emptyChart(t, label)
  const percent = new Intl.NumberFormat(t.language, { style: 'percent', maximumFractionDigits: 0 })
  const rows = cohorts.map(
    ({ label: name, size, shares }) =>
      html`<tr><th scope="row">${name}</th><td class="number">${numberText(t, size)}</td>${shares.map((share) =>
        share === null
          ? html`<td></td>`
          : html`<td class="number shade-${Math.min(5, Math.ceil(share * 5))}">${percent.format(share)}</td>`,
      )}</tr>`,
  )
  return html`<figure class="chart"><figcaption>${label}</figcaption>
<div class="table-scroll" tabindex="0" role="region" aria-label="${label}"><table class="cohorts">
<thead><tr><th scope="col">${heads.cohort}</th><th scope="col" class="number">${heads.size}</th>${heads.periods.map((period) => html`<th scope="col" class="number">${period}</th>`)}</tr></thead>
<tbody>${rows}</tbody></table></div></figure>`
}

function legend(labels: readonly string[]): Html {
  const items = labels.map(
    (label, index) =>
      html`<li><svg class="swatch" viewBox="0 0 10 10" aria-hidden="true"><rect class="${colourOf(index)}" width="10" height="10" rx="2"/></svg>${label}</li>`,
  )
  return html`<ul class="legend">${items}</ul>`
}

const emptyChart = (t: Texts, label: string): Html =>
  html`<figure class="chart"><figcaption>${label}</figcaption><p class="muted">${t.admin.frame.no_data}</p></figure>`

const rounded = (value: number): string => String(Math.round(value * 100) / 100)
