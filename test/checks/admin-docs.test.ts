// The pages for administrators say what the code does.
import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { runCli } from '../../src/cli/run.ts'
import { SETTING_NAMES } from '../../src/domain/server/settings.ts'

const read = (file: string): string => readFileSync(file, 'utf8')

test('configure.md lists every variable and every setting, and no others', () => {
  const [variables = '', settings = ''] = read('docs/admin/configure.md').split('## Settings')
  const listed = (text: string): string[] =>
    text
      .split('\n')
      .flatMap((line) => (line.startsWith('| `') ? [...(line.split('|')[1] ?? '').matchAll(/`(\w+)`/g)] : []))
      .map(([, name = '']) => name)
      .filter((name) => !['free', 'pro'].includes(name))
      .toSorted()
  const code = read('src/config.ts') + read('src/lib/identity-provider-settings.ts')
  const variablesRead = [...code.matchAll(/(?:\(text, |\btext\(|\bneeded\()'([A-Z0-9_]+)'/g)].map(
    ([, name = '']) => name,
  )
  assert.deepEqual(listed(variables), [...new Set(variablesRead)].toSorted())
  assert.deepEqual(listed(settings), SETTING_NAMES.toSorted())
})

test('links between the pages lead somewhere', () => {
  const missing = globSync('docs/admin/*.md').flatMap((page) =>
    [...read(page).matchAll(/\]\(([\w./-]+)\)/g)]
      .map(([, target = '']) => join(dirname(page), target))
      .filter((path) => !existsSync(path)),
  )
  assert.deepEqual(missing, [])
})

async function printed(...words: string[]): Promise<string> {
  let output = ''
  const write = (text: string): void => void (output += text)
  assert.equal(await runCli(words, { out: write, err: write }, { LANG: 'en_US.UTF-8' }), 0, output)
  return output
}

async function commandLinePage(): Promise<string> {
  const overview = await printed('--help')
  const names = [...overview.matchAll(/^ {2}([a-z][a-z-]*(?: [a-z][a-z-]+)?)/gm)].map(([, name = '']) => name)
  const sections = await Promise.all(
    names.map(async (name) => {
      const [summary, usage, options = ''] = (await printed(...name.split(' '), '--help')).split('\n\n')
      const list = options
        .split('\n')
        .filter((line) => line.startsWith('  ') && !/--(json|help)\b/.test(line))
        .map((line) => `    ${line.trim()}`)
      const call = (usage ?? '').replace(/^Usage: rookery /, '').replace(/ \[options\]$/, '')
      return `## \`${call}\`\n\n${summary}.\n${list.length > 0 ? `\n${list.join('\n')}\n` : ''}`
    }),
  )
  return `# Command line

\`bin/rookery\` works on the configured database, whether the server runs or not. Run it as the user of the server. Every command has \`--help\`, and \`--json\` for programs. Progress goes to standard error. The exit status is 0, or 1 when the command cannot be carried out, or 2 when it was written wrongly. Acts of the command line are in the audit log without a name.

This page is what \`--help\` prints; \`WRITE_DOCS=1 npm test -- test/checks/admin-docs.test.ts\` writes it.

${sections.join('\n')}`
}

test('command-line.md is what --help prints', async () => {
  const file = 'docs/admin/command-line.md'
  const wanted = await commandLinePage()
  if (process.env.WRITE_DOCS) writeFileSync(file, wanted)
  assert.equal(read(file), wanted, 'write it: WRITE_DOCS=1 npm test -- test/checks/admin-docs.test.ts')
})
