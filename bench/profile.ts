// node scripts/run.js bench/profile.ts FILE.cpuprofile [--from SECONDS]: the functions and files that use most of the CPU, without
// idle time. `--from` leaves out the start of the server.
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'

type Profile = {
  nodes: { id: number; callFrame: { functionName: string; url: string; lineNumber: number } }[]
  samples: number[]
  timeDeltas: number[]
}

const LISTED = 25
const IDLE = new Set(['(idle)', '(root)'])

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { from: { type: 'string', default: '0' } },
})
const profile = JSON.parse(readFileSync(positionals[0] ?? '', 'utf8')) as Profile
const frames = new Map(profile.nodes.map(({ id, callFrame }) => [id, callFrame]))
const [byFunction, byFile] = [new Map<string, number>(), new Map<string, number>()]
let [total, elapsed] = [0, 0]
profile.samples.forEach((sample, i) => {
  const frame = frames.get(sample)
  const time = profile.timeDeltas[i] ?? 0
  elapsed += time
  if (!frame || IDLE.has(frame.functionName) || elapsed < Number(values.from) * 1e6) return
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
