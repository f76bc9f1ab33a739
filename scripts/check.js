// npm run check [-- --fix]: types, lint, format, unused code, structure, patterns, size of the client. All checks run, and a
// summary comes last. With --fix, format and some lint problems are corrected.
import { spawn } from 'node:child_process'
import { packageCommand, prepare, root } from './lib/runtime.js'

await prepare({ dev: true })

const fix = process.argv.includes('--fix')

/** @type {[string, string[]][]} */
const CHECKS = [
  // Not by the package `typescript`, which `npx tsc` runs: that is an older compiler, for the generator of the client's types. It
  // knows neither all of the platform nor that only some members of a union have a property.
  // With one thread it needs half the CPU: several would each compute the types of the routes.
  ['types', [packageCommand('typescript-7', 'tsc'), '--noEmit', '--singleThreaded', '--pretty', 'false', '-p', '.']],
  ['types of the client', [packageCommand('typescript-7', 'tsc'), '--noEmit', '--pretty', 'false', '-p', 'client']],
  ['lint', [packageCommand('oxlint'), '--format=unix', '--deny-warnings', ...(fix ? ['--fix'] : [])]],
  ['format', [packageCommand('oxfmt'), ...(fix ? [] : ['--list-different']), '.']],
  ['unused', [packageCommand('knip'), '--reporter=compact', '--no-progress', '--no-config-hints']],
  ['structure', ['scripts/check-structure.js']],
  ['patterns', ['scripts/check-patterns.js']],
  ['client', ['scripts/check-client.js']],
]

/** @param {string[]} args */
function run(args) {
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text))
  return new Promise((resolve) => {
    child.once('error', (error) => resolve({ ok: false, output: error.message }))
    child.once('close', (code) => resolve({ ok: code === 0, output: output.trim() }))
  })
}

const results = await Promise.all(CHECKS.map(async ([name, args]) => ({ name, ...(await run(args)) })))
for (const { name, ok, output } of results) if (!ok) console.log(`${name}:\n${output.replaceAll(/^/gm, '  ')}\n`)
for (const { name, ok, output } of results)
  console.log(`${ok ? '✔' : '✖'} ${name}${name === 'client' && ok ? `: ${output.split('\n').at(-1)}` : ''}`)
process.exitCode = results.every(({ ok }) => ok) ? 0 : 1
