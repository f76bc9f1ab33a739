// Measures the rows of the table, one after the other.
import { countIn, durationIn, namesIn, readArguments } from '../lib/arguments.ts'
import { Bench } from '../lib/bench.ts'
import { heading, lineOf } from '../lib/report.ts'
import { saveFigures, unmeasured, writeTable } from '../lib/results.ts'
import { measureRow, type Figure } from '../lib/row.ts'
import { rows } from './all.ts'

const HELP = `Measures CPU and latency of a server with its database, row by row, and compares them with targets and with a bare
node:http server that returns the same bytes in the same run.

Usage: npm run bench -- [OPTIONS]
       npm run bench -- client [OPTIONS]  what people notice of the web client in a browser
       npm run bench -- scale [OPTIONS]   how each read and write grows with the database
       npm run bench -- soak [OPTIONS]    memory during mixed load

  --only A,B         only these rows (see below)
  --skip A,B         all but these rows
  --seconds N        how long each round loads the server (3)
  --rounds N         rounds per row, in turns with the bare server (3)
  --connections N    requests under way at once (16)
  --statuses N       posts of the twenty users (2000)
  --followers N      local followers of the author in the rows followers_* and deliveries* (100000)
  --activities N     activities per round of the inbox rows (5000)
  --data FOLDER      fills this folder once, and opens it again in later runs; otherwise a temporary folder is filled anew
  --json             prints the figures as JSON
  --write            measures nothing; writes the last figure of each row into docs/performance.md and README.md

Rows: ${rows.map(({ name }) => name).join(', ')}`

const OPTIONS = {
  only: { type: 'string' },
  skip: { type: 'string' },
  seconds: { type: 'string', default: '3' },
  rounds: { type: 'string', default: '3' },
  connections: { type: 'string', default: '16' },
  statuses: { type: 'string', default: '2000' },
  followers: { type: 'string', default: '100000' },
  activities: { type: 'string', default: '5000' },
  data: { type: 'string' },
  write: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
} as const

type Values = ReturnType<typeof parse>

const parse = (args: string[]) => readArguments(HELP, { args, options: OPTIONS }).values

/** The options that differ from the default, as they are given on a command line. */
const optionsIn = (values: Values): string[] =>
  Object.entries(values).flatMap(([name, value]) => {
    const standard = (OPTIONS as Record<string, { default?: unknown }>)[name]?.default
    return value === standard ? [] : [`--${name}${value === true ? '' : `=${value}`}`]
  })

/** The rows that README.md shows. */
const TELLING = ['home20', 'status', 'search', 'post', 'inbox', 'inbox_processed', 'deliveries', 'start', 'memory_rest']

async function run(values: Values): Promise<Figure[]> {
  const names = rows.map(({ name }) => name)
  const [only, skip] = [values.only, values.skip].map((list) => (list ? namesIn(list, names) : null))
  const chosen = rows.filter(({ name }) => (only?.has(name) ?? true) && !skip?.has(name))
  const bench = new Bench({
    seconds: durationIn(values, 'seconds'),
    rounds: countIn(values, 'rounds'),
    connections: countIn(values, 'connections'),
    statuses: countIn(values, 'statuses'),
    followers: countIn(values, 'followers'),
    activities: countIn(values, 'activities'),
    data: values.data ?? null,
    progress: (text) => console.error(text),
  })
  const figures: Figure[] = []
  try {
    for (const [i, row] of chosen.entries()) {
      console.error(`${i + 1} of ${chosen.length}: ${row.name}`)
      try {
        figures.push(await measureRow(row, bench))
      } catch (error) {
        process.exitCode = 1
        console.error(`${row.name}:`, error)
        continue
      }
      if (figures.length === 1 && !values.json) console.log(heading())
      if (!values.json) console.log(lineOf(figures.at(-1) as Figure))
    }
  } finally {
    await bench.closeWorld()
  }
  return figures
}

/** Prints a line per row. The last figure of each row is stored for `--write`. */
export async function runRows(args: string[]): Promise<void> {
  const values = parse(args)
  if (values.write) {
    const names = rows.map(({ name }) => name)
    const missing = unmeasured(names)
    // The tables would lose these rows.
    if (missing.length > 0) {
      console.error(
        `Nothing was written: some rows have no figures yet. First run:\n  npm run bench -- --only ${missing.join(',')}`,
      )
      process.exit(1)
    }
    console.log(`${writeTable('docs/performance.md', names, 'full')} figures written`)
    writeTable('README.md', TELLING, 'short')
    return
  }
  const figures = await run(values)
  if (values.json) console.log(JSON.stringify(figures, null, 2))
  saveFigures(figures, optionsIn(values))
}
