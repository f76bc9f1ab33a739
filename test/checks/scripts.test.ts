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
  test(`${script.join(' ')} explains itself, and refuses unknown arguments in a sentence`, async () => {
    const help = await printed(...script, '--help')
    assert.equal(help.status, 0, help.output)
    assert.match(help.output, /Usage: /)
    const unknown = await printed(...script, '--nonsense')
    assert.equal(unknown.status, 2, unknown.output)
    assert.match(unknown.output, /--nonsense[^\n]*\n?[^\n]*--help\.?\n$/)
  })
