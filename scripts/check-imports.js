// Holds the rules of ARCHITECTURE.md about who may import whom, and what else a file may not do. One line per problem.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

/** From the top down. A part imports from lower layers; from its own layer only what PEERS says, besides itself. */
const LAYERS = [
  ['main', 'server', 'cli', 'backend', 'jobs/registry'],
  ['api', 'oauth', 'web', 'streaming', 'federation'],
  ['http', 'entities'],
  ['domain'],
  ['jobs', 'ap', 'db', 'bus', 'files'],
  ['lib'],
  ['messages'],
]
/** @type {Record<string, string[]>} */
const PEERS = {
  main: ['server', 'jobs/registry'],
  server: ['backend', 'jobs/registry'],
  cli: ['backend'],
  http: ['entities'],
  jobs: ['db', 'bus'],
  bus: ['db'],
  files: ['db'],
}
/** The fetch gate: nothing else makes outgoing requests. */
const GATE = ['ap/fetch.ts', 'ap/connector.ts']
/** A folder of the domain imports from those before it. */
const DOMAIN = (
  'instance media accounts auth tags statuses lists filters timelines notifications ' +
  'crypto relationships collections interactions conversations search annual-reports moderation fanout portability'
).split(' ')
const SQL_IN = ['domain', 'entities', 'federation', 'db', 'jobs', 'jobs/registry']
/** Presenters of either kind read what they present; they change nothing. */
const SELECT_ONLY = ['entities', 'federation']
const MAX_LINES = 500

/** @typedef {{ target: string, typeOnly: boolean, names: string }} Import */

/** Of a TypeScript source: what it imports. Comments are taken out before. @returns {Import[]} */
function readImports(/** @type {string} */ code) {
  const found = [...code.matchAll(/^(?:import|export)\s+(type\s)?([^'"`;=()]*?\sfrom\s+)?['"]([^'"]+)['"]/gm)]
  const dynamic = [...code.matchAll(/\bimport\(\s*['"]([^'"]+)['"]\s*\)/g)]
  return [
    ...found.map(([, type, names = '', target = '']) => ({ target, typeOnly: Boolean(type), names })),
    // In a type, `import('…').Name`; otherwise a module that is loaded later: neither makes a cycle.
    ...dynamic.map(([, target = '']) => ({ target, typeOnly: true, names: '' })),
  ]
}

/** @param {string} text */
const withoutComments = (text) => text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/(^|\s)\/\/.*$/gm, '$1')

/** Which part of the house a file below src/ belongs to. @param {string} file */
function partOf(file) {
  const [top = '', second] = file.replace(/\.ts$/, '').split('/')
  return top === 'jobs' && second === 'registry' ? 'jobs/registry' : top
}

/** @param {string} part */
const layerOf = (part) => LAYERS.findIndex((parts) => parts.includes(part))

/**
 * What is wrong with one import, or null.
 * @param {string} from
 * @param {string} to
 * @param {Import} imported
 */
function judge(from, to, { typeOnly, names }) {
  const [a, b] = [partOf(from), partOf(to)]
  if (b === 'context') return a === 'lib' ? 'lib imports nothing of ours' : null
  if (b === 'config') {
    if (a === 'lib') return 'lib imports nothing of ours'
    return typeOnly || ['main', 'server', 'backend', 'cli'].includes(a)
      ? null
      : 'the configuration is read in main and cli only: take ctx.config'
  }
  if (a === 'config') return b === 'lib' ? null : 'config.ts imports from lib only'
  if (a === 'context') return typeOnly || b === 'lib' ? null : 'context.ts imports types only'
  if (/\bsql\b/.test(names) && /^db\/sql\.ts$/.test(to) && !SQL_IN.includes(a))
    return 'SQL belongs in domain, db and jobs; entities and federation may select'
  if (a === 'domain' && b === 'domain') return judgeDomain(from, to)
  if (a === b || PEERS[a]?.includes(b) || layerOf(a) < layerOf(b)) return null
  return layerOf(a) === layerOf(b) ? `${a} and ${b} do not import each other` : `${b} is above ${a}`
}

/**
 * @param {string} from
 * @param {string} to
 */
function judgeDomain(from, to) {
  const [a = '', b = ''] = [from.split('/')[1], to.split('/')[1]]
  if (a === b || DOMAIN.indexOf(a) > DOMAIN.indexOf(b)) return null
  return `domain/${b} comes after domain/${a}`
}

/** What is wrong with a file by itself. @param {string} file @param {string} code without comments @returns {string[]} */
function judgeFile(file, code) {
  const [part, folder = ''] = [partOf(file), file.split('/')[1]]
  const problems = []
  if (layerOf(part) < 0 && !['config', 'context'].includes(part)) problems.push(`src/${part} is no part of the house`)
  if (part === 'domain' && !DOMAIN.includes(folder))
    problems.push(`domain/${folder} has no rank: add it to ARCHITECTURE.md and here`)
  if (file.endsWith('.test.ts')) return problems
  if (file !== 'config.ts' && /\bprocess\.env\b|\benv\b.* from 'node:process'/.test(code))
    problems.push('process.env is read in config.ts only')
  if (SELECT_ONLY.includes(part) && /sql`[^`]*\b(insert into|delete from|update \w+ set)\b/i.test(code))
    problems.push(`SQL in ${part} only selects`)
  if (!GATE.includes(file)) {
    if (/(?<![.\w])fetch\(|\bglobalThis\.fetch\b|from 'undici'|\bhttps?\.(request|get)\(|from 'node:https'/.test(code))
      problems.push('outgoing requests go through ap/fetch.ts only: take ctx.fetch')
  }
  return problems
}

/** @param {string} file @param {string} text @returns {string[]} */
function judgeLength(file, text) {
  const lines = text.split('\n').length - 1
  return lines > MAX_LINES ? [`${file}: ${lines} lines; more than ${MAX_LINES} are to be split`] : []
}

/**
 * Every group of files that import each other in a circle, once.
 * @param {Map<string, string[]>} graph
 */
function findCycles(graph) {
  /** @type {string[][]} */
  const cycles = []
  const done = new Set()
  /** @type {string[]} */
  const path = []
  /** @param {string} file */
  const visit = (file) => {
    const start = path.indexOf(file)
    if (start >= 0) cycles.push([...path.slice(start), file])
    if (start >= 0 || done.has(file)) return
    path.push(file)
    for (const next of graph.get(file) ?? []) visit(next)
    path.pop()
    done.add(file)
  }
  for (const file of graph.keys()) visit(file)
  return cycles
}

/**
 * All problems, as `file: problem`.
 * @param {Map<string, string>} sources by path below src/
 * @returns {string[]}
 */
export function checkImports(sources) {
  const problems = []
  /** @type {Map<string, string[]>} */
  const graph = new Map()
  for (const [file, text] of sources) {
    const code = withoutComments(text)
    problems.push(...judgeLength(`src/${file}`, text))
    for (const problem of judgeFile(file, code)) problems.push(`src/${file}: ${problem}`)
    const ours = readImports(code).filter(({ target }) => target.startsWith('.'))
    graph.set(file, [])
    for (const imported of ours) {
      const to = join(dirname(file), imported.target)
      if (!imported.typeOnly) graph.get(file)?.push(to)
      if (file.endsWith('.test.ts')) continue
      const problem = to.startsWith('..') ? 'src imports nothing from outside src' : judge(file, to, imported)
      if (problem) problems.push(`src/${file}: imports ${imported.target}: ${problem}`)
    }
  }
  for (const cycle of findCycles(graph))
    problems.push(`src/${cycle[0]}: imports itself in a circle: ${cycle.join(' → ')}`)
  return problems
}

/** The TypeScript and JavaScript files below a folder. @param {string} folder */
function listFiles(folder) {
  if (!existsSync(join(root, folder))) return []
  const files = readdirSync(join(root, folder), { recursive: true }).map(String)
  return files.filter((file) => /\.(ts|js)$/.test(file)).toSorted()
}

/** @param {string} file */
const read = (file) => readFileSync(join(root, file), 'utf8')

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const sources = new Map(listFiles('src').map((file) => [file, read(`src/${file}`)]))
  const others = ['scripts', 'test', 'bench'].flatMap((folder) => listFiles(folder).map((file) => `${folder}/${file}`))
  const problems = [...checkImports(sources), ...others.flatMap((file) => judgeLength(file, read(file)))]
  for (const problem of problems) console.log(problem)
  process.exitCode = problems.length > 0 ? 1 : 0
}
