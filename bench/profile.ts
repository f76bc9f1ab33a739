import { readFileSync } from 'node:fs'
import { countIn, readArguments, refuseArguments } from './lib/arguments.ts'

type Profile = {
  nodes: { id: number; callFrame: { functionName: string; url: string; lineNumber: number } }[]
  samples: number[]
  timeDeltas: number[]
}

const LISTED = 25
const IDLE = new Set(['(idle)', '(root)'])

const HELP = `Lists the functions and files that use most of the CPU, without idle time.

Usage: node scripts/run.js bench/profile.ts FILE.cpuprofile [--from SECONDS]

  --from SECONDS   leaves out the start of the server (0)`

const { values, positionals } = readArguments(HELP, {
  allowPositionals: true,
  options: { from: { type: 'string', default: '0' } },
})
const [file] = positionals
if (file === undefined || positionals.length > 1) refuseArguments('Name one .cpuprofile file.')
const from = countIn(values, 'from', 0) * 1e6
const profile = JSON.parse(readFileSync(file, 'utf8')) as Profile
const frames = new Map(profile.nodes.map(({ id, callFrame }) => [id, callFrame]))
const [byFunction, byFile] = [new Map<string, number>(), new Map<string, number>()]
let [total, elapsed] = [0, 0]
profile.samples.forEach((sample, i) => {
  const frame = frames.get(sample)
  const time = profile.timeDeltas[i] ?? 0
  elapsed += time
  if (!frame || IDLE.has(frame.functionName) || elapsed < from) return
  total += time
  const file = frame.url.replace(/^.*?\/(src|node_modules)\//, '$1/') || '(native)'
  const name = `${frame.functionName || '(anonymous)'} ${file}:${frame.lineNumber + 1}`
  byFunction.set(name, (byFunction.get(name) ?? 0) + time)
  const part = /^node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? file
  byFile.set(part, (byFile.get(part) ?? 0) + time)
})
for (const times of [byFunction, byFile]) {
  console.log(`\n${(total / 1e6).toFixed(1)} s of CPU`)
  for (const [name, time] of [...times].toSorted((a, b) => b[1] - a[1]).slice(0, LISTED))
    console.log(`${((time / total) * 100).toFixed(1).padStart(5)} %  ${name}`)
}
