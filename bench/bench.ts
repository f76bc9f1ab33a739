// npm run bench: measures a server with its database, row by row, with the targets. `-- --help` explains it.
import { parseArgs } from 'node:util'
import { Bench } from './lib/bench.ts'
import { heading, lineOf } from './lib/report.ts'
import { measureRow, type Figure } from './lib/row.ts'
import { rows } from './rows/all.ts'

const HELP = `Measures CPU and latency of a server with its database, row by row, and compares them with targets and with a bare
node:http server that returns the same bytes in the same run.

Usage: npm run bench -- [OPTIONS]

  --only A,B         only these rows (see below)
  --skip A,B         all but these rows
  --seconds N        how long each round loads the server (3)
  --rounds N         rounds per row, in turns with the bare server (3)
  --connections N    requests under way at once (16)
  --statuses N       posts of the twenty users (2000)
  --data FOLDER      fills this folder once, and opens it again in later runs; otherwise a temporary folder is filled anew
  --json             prints the figures as JSON

Rows: ${rows.map(({ name }) => name).join(', ')}`

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    skip: { type: 'string' },
    seconds: { type: 'string', default: '3' },
    rounds: { type: 'string', default: '3' },
    connections: { type: 'string', default: '16' },
    statuses: { type: 'string', default: '2000' },
    followers: { type: 'string', default: '100000' },
    activities: { type: 'string', default: '5000' },
    data: { type: 'string' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h' },
  },
})

function fail(message: string): never {
  console.error(`${message} See --help.`)
  process.exit(2)
}

function positive(name: 'seconds' | 'rounds' | 'connections' | 'statuses' | 'followers' | 'activities'): number {
  const n = Number(values[name])
  return n > 0 ? n : fail(`--${name} must be a positive number.`)
}

function namesIn(list: string): Set<string> {
  const names = new Set(list.split(','))
  for (const name of names) if (!rows.some((row) => row.name === name)) fail(`There is no row ${name}.`)
  return names
}

async function run(): Promise<Figure[]> {
  const [only, skip] = [values.only, values.skip].map((list) => (list ? namesIn(list) : null))
  const chosen = rows.filter(({ name }) => (only?.has(name) ?? true) && !skip?.has(name))
  const bench = new Bench({
    seconds: positive('seconds'),
    rounds: positive('rounds'),
    connections: positive('connections'),
    statuses: positive('statuses'),
    followers: positive('followers'),
    activities: positive('activities'),
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
    await bench.close()
  }
  return figures
}

if (values.help) console.log(HELP)
else {
  const figures = await run()
  if (values.json) console.log(JSON.stringify(figures, null, 2))
}
process.exit()
