import assert from 'node:assert/strict'
import { test } from 'node:test'
import { english } from '../../html/texts.ts'
import { barChart, cohortTable, lineChart, roundedMax, sparkline } from './charts.ts'

test('the top of an axis is easily halved', () => {
  assert.deepEqual([0, 1, 2, 3, 5, 7, 9, 11, 61, 1234].map(roundedMax), [2, 2, 2, 4, 6, 8, 10, 20, 80, 2000])
})

test('a line has a point and a title for each value, and all values are in a table', () => {
  const ticks = ['1 Jan', '2 Jan', '3 Jan']
  const chart = String(
    lineChart(english, { label: 'Sign-ups', ticks, series: [{ label: 'People', values: [0, 2, 4] }] }),
  )
  assert.match(chart, /points="0,160 300,80 600,0"/)
  assert.match(chart, /<title>2 Jan\nPeople: 2<\/title>/)
  assert.match(chart, /<th scope="row">3 Jan<\/th><td class="number">4<\/td>/)
  assert.match(chart, /role="img" aria-label="Sign-ups"/)
  for (const one of [[], [5]])
    assert.doesNotMatch(
      String(lineChart(english, { label: 'a', ticks: one.map(String), series: [{ label: 'b', values: one }] })),
      /NaN|Infinity/,
    )
})

test('plots without data say so, and none has NaN, styles or scripts', () => {
  assert.match(String(barChart(english, 'Top', [])), /No data yet/)
  assert.equal(sparkline([1]), null)
  const heads = { cohort: 'Month', size: 'New', periods: ['0', '1'] }
  const plots = [
    barChart(english, 'Top', [{ label: '<b>', value: 0, href: '/' }]),
    cohortTable(english, { label: 'Back', heads, cohorts: [{ label: 'May', size: 0, shares: [1, null] }] }),
    sparkline([0, 0]),
  ].map(String)
  for (const plot of plots) assert.doesNotMatch(plot, /NaN|Infinity|style=|<script|<b>|on\w+=/)
  assert.match(plots[1] ?? '', /shade-5">100%/)
})
