import { readable } from './numbers.ts'
import { meetsTarget, type Figure } from './row.ts'

const COLUMNS = [
  'row',
  'figure',
  'unit',
  'target',
  'met',
  'database',
  'bare = 1',
  'per second',
  'p50 ms',
  'p99 ms',
  'errors',
]

const shown = (value: number | undefined | null): string =>
  value === undefined || value === null ? '' : readable(value)

function cellsOf(figure: Figure): string[] {
  const met = meetsTarget(figure)
  const { name, value, unit, target, database, bareRatio, perSecond, p50, p99, errors } = figure
  const answer = met === null ? '' : met ? 'yes' : 'no'
  return [
    name,
    readable(value),
    unit,
    shown(target),
    answer,
    ...[database, bareRatio, perSecond, p50, p99, errors].map(shown),
  ]
}

const WIDTHS = [20, 9, 11, 9, 4, 9, 9, 11, 8, 8, 7]

const line = (cells: readonly string[]): string =>
  cells.map((cell, i) => (i === 0 ? cell.padEnd(WIDTHS[i] as number) : cell.padStart(WIDTHS[i] as number))).join(' ')

/** For a terminal: the heading, then one line per figure as it is measured. */
export const heading = (): string => line(COLUMNS)
export const lineOf = (figure: Figure): string => line(cellsOf(figure))
