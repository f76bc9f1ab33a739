// npm run bench -- client: what people notice of the web client in a browser.
import { cpus, loadavg } from 'node:os'
import { ensureClient } from '../../scripts/lib/client-build.js'
import { launchBrowser } from '../../test/support/browser.ts'
import { countIn, namesIn, readArguments } from '../lib/arguments.ts'
import { median, readable } from '../lib/numbers.ts'
import { openWorld, type World } from '../lib/world.ts'
import { measureOpening, measureScrolling, measureVisits, signIn, type Place } from './measure.ts'
import { servePlainPage } from './plain.ts'

const HELP = `Measures the web client in Chromium on loopback, and a plain HTML page with the same posts from a server that only sends
bytes. Prints medians of the rounds as a table.

Usage: npm run bench -- client [OPTIONS]

  --only A,B       visits, opening, scrolling
  --rounds N       (5)
  --scroll N       posts to scroll through (2000)
  --statuses N     posts of the twenty users (3000); replies and those for followers are not in the timeline that is scrolled
  --data FOLDER    fills this folder once, and opens it again in later runs`

type Figure = { title: string; unit: string; target?: number; value: number; plain?: number }
type Options = { rounds: number; scroll: number }
type Bench = { world: World; browser: Place['browser']; client(path: string): Place; options: Options }

const PARTS = new Map<string, (bench: Bench) => Promise<Figure[]>>([
  ['visits', visits],
  ['opening', opening],
  ['scrolling', scrolling],
])

/** Each round measures the home timeline of the client and a plain page of as many posts. */
async function inTurns<T>(bench: Bench, measure: (place: Place) => Promise<T>): Promise<[T[], T[]]> {
  const address = await servePlainPage(bench.world, 20)
  const results: [T[], T[]] = [[], []]
  for (let round = 0; round < bench.options.rounds; round++) {
    results[0].push(await measure(bench.client('/')))
    results[1].push(await measure({ browser: bench.browser, address }))
  }
  return results
}

async function visits(bench: Bench): Promise<Figure[]> {
  const [own, plain] = await inTurns(bench, measureVisits)
  const of = (values: typeof own, pick: (each: (typeof own)[number]) => number): number => median(values.map(pick))
  return [
    {
      title: 'first visit, navigation to painted home timeline',
      unit: 'ms',
      target: 500,
      value: of(own, ({ cold }) => cold.at),
      plain: of(plain, ({ cold }) => cold.at),
    },
    {
      title: 'later visits, navigation to painted home timeline',
      unit: 'ms',
      target: 200,
      value: median(own.flatMap(({ warm }) => warm)),
      plain: median(plain.flatMap(({ warm }) => warm)),
    },
    {
      title: 'JavaScript before the first post, compressed',
      unit: 'KB',
      target: 90,
      value: of(own, ({ cold }) => cold.js),
    },
    { title: 'CSS before the first post, compressed', unit: 'KB', target: 15, value: of(own, ({ cold }) => cold.css) },
    { title: 'requests before the first post', unit: '', value: of(own, ({ cold }) => cold.requests) },
  ]
}

async function opening(bench: Bench): Promise<Figure[]> {
  const [own, plain] = await inTurns(bench, measureOpening)
  const figure = (title: string, name: 'first' | 'later'): Figure => ({
    title,
    unit: 'ms',
    target: 100,
    value: median(own.map((each) => each[name])),
    plain: median(plain.map((each) => each[name])),
  })
  return [figure('first post opened, click to painted', 'first'), figure('later ones, click to painted', 'later')]
}

async function scrolling({ world, browser, client, options }: Bench): Promise<Figure[]> {
  const address = await servePlainPage(world, options.scroll)
  const own = await measureScrolling(client('/public/local'), options.scroll)
  const plain = await measureScrolling({ browser, address }, null)
  const over = `scrolling through ${own.statuses.toLocaleString('en')} posts`
  return [
    { title: `${over}: frame, 95th percentile`, unit: 'ms', target: 20, value: own.p95, plain: plain.p95 },
    { title: `${over}: frame, median`, unit: 'ms', value: own.median, plain: plain.median },
    { title: `${over}: work of the main thread per frame`, unit: 'ms', value: own.work, plain: plain.work },
    ...(['before', 'after'] as const).flatMap((when): Figure[] => [
      { title: `heap ${when} scrolling`, unit: 'MB', value: own[when].heap, plain: plain[when].heap },
      { title: `elements ${when} scrolling`, unit: '', value: own[when].elements, plain: plain[when].elements },
    ]),
  ]
}

/** Prints the table. Sets the exit code when a target is missed. */
export async function runClient(args: string[]): Promise<void> {
  const { values } = readArguments(HELP, {
    args,
    options: {
      only: { type: 'string' },
      rounds: { type: 'string', default: '5' },
      scroll: { type: 'string', default: '2000' },
      statuses: { type: 'string', default: '3000' },
      data: { type: 'string' },
    },
  })
  const options = { rounds: countIn(values, 'rounds'), scroll: countIn(values, 'scroll') }
  const statuses = countIn(values, 'statuses')
  const names = values.only ? namesIn(values.only, [...PARTS.keys()]) : PARTS.keys()
  if (!(await ensureClient())) return void (process.exitCode = 1)
  const progress = (text: string): void => console.error(text)
  const world = await openWorld({ statuses, data: values.data ?? null, progress })
  const browser = await launchBrowser()
  try {
    const origin = `http://${world.server.target.host}`
    const cookies = await signIn(browser, origin, `${world.users[0]?.username}@localhost`, 'correct horse battery')
    const client = (path: string): Place => ({ browser, cookies, address: origin + path })
    const figures: Figure[] = []
    for (const name of names) {
      progress(name)
      figures.push(...((await PARTS.get(name)?.({ world, browser, client, options })) ?? []))
    }
    print(figures, browser.version())
  } finally {
    await browser.close()
    await world.stop()
  }
}

function print(figures: readonly Figure[], version: string): void {
  const machine = `${process.platform} ${process.arch}, ${cpus().length} cores`
  console.log(`Chromium ${version}, ${machine}, load ${loadavg()[0]?.toFixed(1)}\n`)
  console.log(
    '| What | Figure | Unit | Target | Met | Plain page | Ratio |\n| --- | --: | --- | --: | --- | --: | --: |',
  )
  for (const { title, unit, target, value, plain } of figures) {
    const isMet = target === undefined || value <= target
    if (!isMet) process.exitCode = 1
    const goal = target === undefined ? ['', ''] : [`≤ ${readable(target)}`, isMet ? 'yes' : 'no']
    const base = plain === undefined ? ['', ''] : [readable(plain), readable(value / plain)]
    console.log(`| ${[title, readable(value), unit, ...goal, ...base].join(' | ')} |`)
  }
}
