// Checks the structure that ARCHITECTURE.md, docs/glossary.md and CONTRIBUTING.md describe. Prints one line per problem.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { checkClientImports, checkLaterTexts } from './checks/client.js'
import { checkCommits } from './checks/commits.js'
import { checkImports } from './checks/imports.js'
import { checkExports, checkLogKeys, checkWords, readGlossary } from './checks/names.js'
import { checkRootFiles, committedFiles } from './checks/root-files.js'
import { checkRules } from './checks/rules.js'
import { checkHandlers, checkSmallFiles } from './checks/sizes.js'
import { checkTestImports } from './checks/test-imports.js'

const root = fileURLToPath(new URL('..', import.meta.url))

/** @param {string} text */
const withoutComments = (text) => text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/(^|\s)\/\/.*$/gm, '$1')

/** The TypeScript and JavaScript files below a folder, by path below it. @param {string} folder @returns {Map<string, string>} */
function readTexts(folder) {
  if (!existsSync(join(root, folder))) return new Map()
  const files = readdirSync(join(root, folder), { recursive: true }).map(String)
  return new Map(
    files
      .filter((file) => /\.(tsx?|js)$/.test(file))
      .toSorted()
      .map((file) => [file, readFileSync(join(root, folder, file), 'utf8')]),
  )
}

/** @param {Map<string, string>} texts */
const stripComments = (texts) => new Map([...texts].map(([file, text]) => [file, withoutComments(text)]))

/** @param {string} folder @param {Map<string, string>} sources */
const below = (folder, sources) => new Map([...sources].map(([file, code]) => [`${folder}/${file}`, code]))

const texts = new Map([...readTexts('src')].filter(([file]) => !file.endsWith('.test.ts')))
const sources = stripComments(texts)
const source = below('src', sources)
const all = new Map(
  ['src', 'scripts', 'bench', 'test', 'client/src'].flatMap((folder) => [...below(folder, readTexts(folder))]),
)
const client = stripComments(below('client/src', readTexts('client/src')))
const glossary = readGlossary(readFileSync(join(root, 'docs/glossary.md'), 'utf8'))

/** @type {Record<string, string[]>} problems by check */
const found = {
  imports: [...checkImports(sources), ...checkClientImports(new Map([...source, ...client]))],
  'later texts': checkLaterTexts(new Map([...source, ...client])),
  rules: checkRules(sources),
  words: checkWords(all, glossary),
  logs: checkLogKeys(source),
  exports: checkExports(new Map([...source].filter(([file]) => file !== 'src/db/schema.ts'))),
  handlers: checkHandlers(texts),
  'small files': checkSmallFiles(texts, new Map([...below('src', stripComments(readTexts('src'))), ...client])),
  tests: checkTestImports(stripComments(all)),
  commits: checkCommits(root),
  'root files': checkRootFiles(committedFiles(root)),
}
for (const [check, problems] of Object.entries(found)) {
  if (problems.length === 0) continue
  process.exitCode = 1
  for (const problem of problems) console.log(problem)
  console.log(`${check}: ${problems.length} problems`)
}
