import { fork } from 'node:child_process'
import { hash, randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { bodyOf } from '../src/http/response-body.ts'
import { countIn, durationIn, readArguments } from './lib/arguments.ts'
import { cpuSeconds } from './lib/cpu.ts'
import { requestBytes } from './lib/http.ts'
import { loop } from './lib/loop.ts'
import { median, readable } from './lib/numbers.ts'

const HELP = `Measures what parts of a response cost in Node alone, each compared with a baseline of the same run. The first table
needs a quiet machine.

Usage: node scripts/run.js bench/node-request.ts [OPTIONS]

  --seconds N   how long each round takes (2)
  --rounds N    rounds, of which the medians count (3)`

const PIECES = 100
const SIZE = 40_000
const pieces = Array.from({ length: PIECES }, () => Buffer.alloc(SIZE / PIECES, 'x'))
const ready = Buffer.concat(pieces)

/** The first one is the baseline. */
const WRITERS: Record<string, (response: ServerResponse) => void> = {
  'one ready buffer': (response) => response.end(ready),
  'pieces, copied to reused memory': (response) => response.end(bodyOf(pieces, response)),
  'pieces, Buffer.concat': (response) => response.end(Buffer.concat(pieces)),
  'pieces, writev'(response) {
    response.cork()
    for (const piece of pieces) response.write(piece)
    response.end()
  },
}
const names = Object.keys(WRITERS)

/** In a process of its own: the CPU of the client does not count. */
function serve(): void {
  const server = createServer(({ url = '' }, response) => {
    response.setHeader('content-length', SIZE)
    WRITERS[names[Number(url.slice(1))] as string]?.(response)
  })
  process.on('disconnect', () => process.exit())
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as { port: number }).port))
}

function print(title: string, unit: string, figures: [string, number][]): void {
  const base = figures[0]?.[1] ?? 1
  console.log(`\n${title.padEnd(40)}${unit.padStart(12)}${'ratio'.padStart(8)}`)
  for (const [name, value] of figures)
    console.log(`${name.padEnd(40)}${readable(value).padStart(12)}${(value / base).toFixed(2).padStart(8)}`)
}

async function compareWriters(seconds: number, rounds: number): Promise<void> {
  const child = fork(import.meta.filename, ['serve'])
  const [port] = (await once(child, 'message')) as [number]
  const target = { port, host: 'localhost' }
  const measured = names.map((): number[] => [])
  for (let round = 0; round <= rounds; round++)
    for (const [i, costs] of measured.entries()) {
      const request = requestBytes(target, { method: 'GET', path: `/${i}` })
      const before = cpuSeconds(child.pid as number)
      const { answers } = await loop(target, () => request, { connections: 16, seconds })
      // The first round warms up.
      if (round > 0) costs.push(((cpuSeconds(child.pid as number) - before) / answers) * 1000)
    }
  child.disconnect()
  print(
    `${SIZE / 1000} KB in ${PIECES} pieces`,
    'CPU s/1000',
    names.map((name, i) => [name, median(measured[i] ?? [])]),
  )
}

const CALLS = 20_000

/** Microseconds per call: the median of nine runs. */
function timeOf(call: () => unknown): number {
  const times = Array.from({ length: 10 }, () => {
    const start = performance.now()
    for (let i = 0; i < CALLS; i++) call()
    return ((performance.now() - start) * 1000) / CALLS
  })
  return median(times.slice(1))
}

function compareCalls(): void {
  const text = 'x'.repeat(4000)
  print('An id for a request', 'µs', [
    ['randomUUID', timeOf(randomUUID)],
    ['randomBytes', timeOf(() => randomBytes(16).toString('hex'))],
  ])
  print('A digest for an ETag', 'µs', [
    ['4 KB of text', timeOf(() => hash('sha1', text, 'base64url'))],
    ['40 KB of bytes', timeOf(() => hash('sha1', ready, 'base64url'))],
  ])
}

if (process.argv[2] === 'serve') serve()
else {
  const { values } = readArguments(HELP, {
    options: { seconds: { type: 'string', default: '2' }, rounds: { type: 'string', default: '3' } },
  })
  await compareWriters(durationIn(values, 'seconds'), countIn(values, 'rounds'))
  compareCalls()
  process.exit()
}
