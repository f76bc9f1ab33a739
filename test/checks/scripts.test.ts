// The scripts that developers run answer wrong arguments in a sentence.
import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { run } from '../start/run-program.ts'

async function printed(...words: string[]): Promise<{ status: number | string; output: string }> {
  const started = run([process.execPath, ...words])
  return { status: await started.ended, output: started.output() }
}

/** Runs scripts one after the other in one process, as loading their code takes long. Each ends where it would end the process. */
const ASK_EACH = `
for (const [i, [file, ...words]] of JSON.parse(process.argv[2]).entries()) {
  process.argv = [process.execPath, file, ...words, '--help']
  let printed = ''
  console.log = (text) => (printed += text + '\\n')
  const ended = Promise.withResolvers()
  process.exit = (status) => {
    ended.resolve(status)
    throw new Error('ended')
  }
  const ran = import(process.cwd() + '/' + file + '?' + i).then(() => 'did not end', (error) => error.message)
  const status = (await Promise.race([ended.promise, ran])) ?? 0
  process.stdout.write(JSON.stringify({ script: [file, ...words].join(' '), status, printed }) + '\\n')
}
process.reallyExit(0)`

test('the scripts in bench explain themselves', async () => {
  const scripts = [
    ...globSync('bench/*.ts').map((file) => [file]),
    ...['client', 'scale', 'soak'].map((name) => ['bench/bench.ts', name]),
    ['bench/seed/main.ts'],
  ]
  const program = join(await mkdtemp(join(tmpdir(), 'rookery-scripts-')), 'ask-each.mjs')
  await writeFile(program, ASK_EACH)
  const { output } = await printed(program, JSON.stringify(scripts))
  const answers = output.trim().split('\n')
  assert.equal(answers.length, scripts.length, output)
  for (const answer of answers) {
    const { script, status, printed } = JSON.parse(answer)
    assert.equal(status, 0, answer)
    assert.match(printed, /Usage: /, script)
  }
})

test('npm run dev explains itself', async () => {
  const { status, output } = await printed('scripts/run.js', 'scripts/dev.js', '--help')
  assert.equal(status, 0, output)
  assert.match(output, /Usage: /)
})

// The others in bench read their arguments as this one does.
for (const script of ['bench/profile.ts', 'scripts/dev.js'])
  test(`${script} refuses unknown arguments in a sentence`, async () => {
    const { status, output } = await printed('scripts/run.js', script, '--nonsense')
    assert.equal(status, 2, output)
    assert.match(output, /--nonsense[^\n]*\n?[^\n]*--help\.?\n$/)
  })
