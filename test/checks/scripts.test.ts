// The scripts that developers run answer wrong arguments in a sentence.
import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { test } from 'node:test'
import { run } from '../start/run-program.ts'

const SCRIPTS = [
  ...globSync('bench/*.ts').map((file) => [file]),
  ...['client', 'scale', 'soak'].map((name) => ['bench/bench.ts', name]),
  ['bench/seed/main.ts'],
  ['src/cli/main.ts'],
  ['scripts/dev.js'],
]

async function printed(...words: string[]): Promise<{ status: number | string; output: string }> {
  const started = run([process.execPath, 'scripts/run.js', ...words])
  return { status: await started.ended, output: started.output() }
}

for (const script of SCRIPTS)
  test(`${script.join(' ')} explains itself`, async () => {
    const { status, output } = await printed(...script, '--help')
    assert.equal(status, 0, output)
    assert.match(output, /Usage: /)
  })

// The others in bench read their arguments as this one does.
for (const script of ['bench/profile.ts', 'src/cli/main.ts', 'scripts/dev.js'])
  test(`${script} refuses unknown arguments in a sentence`, async () => {
    const { status, output } = await printed(script, '--nonsense')
    assert.equal(status, 2, output)
    assert.match(output, /--nonsense[^\n]*\n?[^\n]*--help\.?\n$/)
  })
