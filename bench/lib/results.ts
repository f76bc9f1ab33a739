// The last figure of each row, and the tables in documents that are made of them.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readable } from './numbers.ts'
import { meetsTarget, type Figure } from './row.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const FILE = join(root, 'bench/data/figures.json')
const [BEGIN, END] = ['<!-- figures -->', '<!-- end of figures -->']

type Saved = Figure & { command: string }

const read = (): Saved[] => (existsSync(FILE) ? (JSON.parse(readFileSync(FILE, 'utf8')) as Saved[]) : [])

/** Options that change no figure. */
const SILENT = /^--(only|skip|data|json|write)/

/** Replaces the earlier figures of the same rows. `args`: the options of the run, as `--name=value`. */
export function saveFigures(figures: readonly Figure[], args: readonly string[]): void {
  const saved = new Map(read().map((figure) => [figure.name, figure]))
  const shown = args.filter((arg) => !SILENT.test(arg))
  const command = ['npm run bench', ...(shown.length > 0 ? ['--', ...shown] : [])].join(' ')
  for (const figure of figures) saved.set(figure.name, { ...figure, command })
  mkdirSync(dirname(FILE), { recursive: true })
  writeFileSync(FILE, JSON.stringify([...saved.values()], null, 1))
}

/** The names of rows that were never measured in this folder. */
export const unmeasured = (names: readonly string[]): string[] => {
  const measured = new Set(read().map(({ name }) => name))
  return names.filter((name) => !measured.has(name))
}

/** Writes the last figures of these rows between the markers of a document, in this order. Returns how many there are. */
export function writeTable(document: string, names: readonly string[], layout: 'full' | 'short'): number {
  const file = join(root, document)
  const saved = read()
  const figures = names.flatMap((name) => saved.filter((figure) => figure.name === name))
  const [before, rest = ''] = readFileSync(file, 'utf8').split(BEGIN)
  const [, after] = rest.split(END)
  if (after === undefined) throw new Error(`${document} lacks ${BEGIN} or ${END}.`)
  const table = layout === 'full' ? fullTable(figures) : shortTable(figures)
  writeFileSync(file, `${before}${BEGIN}\n\n${captionOf(figures)}\n\n${table}\n\n${END}${after}`)
  return figures.length
}

function captionOf(figures: readonly Saved[]): string {
  const days = [...new Set(figures.map(({ measuredAt }) => measuredAt.slice(0, 10)))].toSorted()
  const commands = [...new Set(figures.map(({ command }) => `\`${command}\``))]
  const machine = `${process.platform} ${process.arch}, ${cpus().length} cores, Node ${process.versions.node}`
  return `Measured on ${days.join(' and ')} (${machine}) with ${commands.join(', ')}.`
}

const HEADINGS = [
  'Workload',
  'Row',
  'Figure',
  'Unit',
  'Target',
  'Met',
  'Database',
  'Bare server = 1',
  'Per second',
  'p99 ms',
]

function fullTable(figures: readonly Figure[]): string {
  const lines = figures.map((figure) => {
    const { title, name, value, unit, target, database, bareRatio, perSecond, p99 } = figure
    const met = meetsTarget(figure)
    const numbers = [database, bareRatio, perSecond, p99].map((n) => (n === undefined ? '' : readable(n)))
    const limit = target === null ? '' : `${figure.atLeast ? '≥' : '≤'} ${readable(target)}`
    return [title, `\`${name}\``, readable(value), unit, limit, met === null ? '' : met ? 'yes' : 'no', ...numbers]
  })
  return markdown([HEADINGS, ['---', '---', '--:', '---', '--:', '---', '--:', '--:', '--:', '--:'], ...lines])
}

const shortTable = (figures: readonly Figure[]): string =>
  markdown([
    ['Workload', 'Figure', ''],
    ['---', '--:', '---'],
    ...figures.map(({ title, value, unit }) => [title, readable(value), unit]),
  ])

const markdown = (lines: string[][]): string => lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')
