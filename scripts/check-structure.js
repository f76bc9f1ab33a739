// What ARCHITECTURE.md, docs/glossary.md and CONTRIBUTING.md promise about the code's structure. One line per problem.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { checkCommits } from './checks/commits.js'
import { checkImports } from './checks/imports.js'
import { checkExports, checkLogKeys, checkWords, readGlossary } from './checks/names.js'
import { checkRules } from './checks/rules.js'

const root = fileURLToPath(new URL('..', import.meta.url))

/** @param {string} text */
const withoutComments = (text) => text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/(^|\s)\/\/.*$/gm, '$1')

/** The TypeScript and JavaScript files below a folder, by path below it, without comments. @param {string} folder */
function readSources(folder) {
  if (!existsSync(join(root, folder))) return new Map()
  const files = readdirSync(join(root, folder), { recursive: true }).map(String)
  return new Map(
    files
      .filter((file) => /\.(ts|js)$/.test(file))
      .toSorted()
      .map((file) => [file, withoutComments(readFileSync(join(root, folder, file), 'utf8'))]),
  )
}

/** @param {string} folder @param {Map<string, string>} sources */
const below = (folder, sources) => new Map([...sources].map(([file, code]) => [`${folder}/${file}`, code]))

const all = readSources('src')
const sources = new Map([...all].filter(([file]) => !file.endsWith('.test.ts')))
const source = below('src', sources)
const named = new Map(['src', 'scripts', 'bench', 'test'].flatMap((folder) => [...below(folder, readSources(folder))]))
const glossary = readGlossary(readFileSync(join(root, 'docs/glossary.md'), 'utf8'))

const problems = [
  ...checkImports(sources),
  ...checkRules(sources),
  ...checkWords(named, glossary),
  ...checkLogKeys(source),
  ...checkExports(source),
  ...checkCommits(root),
]
for (const problem of problems) console.log(problem)
process.exitCode = problems.length > 0 ? 1 : 0
