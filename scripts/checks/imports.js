// The import order: ARCHITECTURE.md's floors, and no circle of files or of folders inside domain/. Type imports count.
import { dirname, join } from 'node:path'

/**
 * From the top down. A part imports from the floors below it, from itself, and from those parts of its floor that PEERS lists.
 */
const FLOORS = [
  ['main', 'processes', 'server', 'site', 'cli', 'worker', 'backend', 'connection'],
  ['api', 'oauth', 'web', 'streaming', 'federation', 'monitoring'],
  ['http', 'html', 'entities'],
  ['actions'],
  ['domain'],
  ['jobs', 'net', 'ap', 'db', 'bus', 'files', 'postgres'],
  ['lib'],
  ['messages'],
]
/** @type {Record<string, string[]>} */
const PEERS = {
  main: ['processes', 'server', 'site', 'connection'],
  processes: ['server', 'connection'],
  server: ['backend', 'connection', 'site', 'worker'],
  cli: ['backend', 'connection'],
  backend: ['connection'],
  html: ['http'],
  jobs: ['db'],
  bus: ['db'],
  files: ['net'],
}
const SQL_IN = ['domain', 'entities', 'federation', 'db', 'jobs']

/** @typedef {{ target: string, typeOnly: boolean, names: string }} Import */

/** The imports of a TypeScript source without comments. @returns {Import[]} */
export function readImports(/** @type {string} */ code) {
  const found = [...code.matchAll(/^(?:import|export)\s+(type\s)?([^'"`;=()]*?\sfrom\s+)?['"]([^'"]+)['"]/gm)]
  const dynamic = [...code.matchAll(/\bimport\(\s*['"]([^'"]+)['"]\s*\)/g)]
  return [
    ...found.map(([, type, names = '', target = '']) => ({ target, typeOnly: Boolean(type), names })),
    ...dynamic.map(([, target = '']) => ({ target, typeOnly: true, names: '' })),
  ]
}

/** The top folder or file below src/ that a file belongs to. @param {string} file */
export const partOf = (file) => file.replace(/\.ts$/, '').split('/')[0] ?? ''

/** @param {string} part */
const floorOf = (part) => FLOORS.findIndex((parts) => parts.includes(part))

/**
 * Why one import is refused, or null.
 * @param {string} from
 * @param {string} to
 * @param {Import} imported
 */
function refuse(from, to, { typeOnly, names }) {
  const [a, b] = [partOf(from), partOf(to)]
  const grounded = a === 'lib' || a === 'messages'
  if (b === 'context') return grounded ? `${b} is above ${a}` : null
  if (b === 'config') {
    if (grounded) return `${b} is above ${a}`
    return typeOnly || floorOf(a) === 0 ? null : 'configuration is read at start-up only: use ctx.config'
  }
  if (a === 'config') return b === 'lib' ? null : 'config.ts imports from lib only'
  if (a === 'context') return typeOnly || b === 'lib' ? null : 'context.ts imports types only'
  if (/\bsql\b/.test(names) && to === 'db/sql.ts' && !SQL_IN.includes(a)) return `SQL belongs in ${SQL_IN.join(', ')}`
  if (a === b || PEERS[a]?.includes(b) || floorOf(a) < floorOf(b)) return null
  return floorOf(a) === floorOf(b) ? `${a} and ${b} do not import each other` : `${b} is above ${a}`
}

/**
 * The strongly connected groups of a graph that have more than one member (Tarjan).
 * @param {Map<string, Iterable<string>>} graph
 * @returns {string[][]}
 */
export function findCircles(graph) {
  /** @type {string[][]} */
  const circles = []
  /** @type {Map<string, { index: number, low: number, open: boolean }>} */
  const seen = new Map()
  /** @type {string[]} */
  const stack = []
  /** @param {string} node */
  const visit = (node) => {
    const state = { index: seen.size, low: seen.size, open: true }
    seen.set(node, state)
    stack.push(node)
    for (const next of graph.get(node) ?? []) {
      const other = seen.get(next) ?? visit(next)
      if (other.open) state.low = Math.min(state.low, other.low)
    }
    if (state.low === state.index) {
      const circle = stack.splice(stack.indexOf(node))
      for (const member of circle) /** @type {{ open: boolean }} */ (seen.get(member)).open = false
      if (circle.length > 1) circles.push(circle.toReversed())
    }
    return state
  }
  for (const node of graph.keys()) if (!seen.has(node)) visit(node)
  return circles
}

/** The noun of a file in domain/: its first folder. @param {string} file */
const nounOf = (file) => file.split('/')[1] ?? ''

/**
 * All problems with imports, as `file: problem`.
 * @param {Map<string, string>} sources code without comments, by path below src/; tests left out
 * @returns {string[]}
 */
export function checkImports(sources) {
  const problems = []
  /** @type {Map<string, string[]>} */
  const files = new Map()
  /** @type {Map<string, Set<string>>} */
  const nouns = new Map()
  for (const [file, code] of sources) {
    if (floorOf(partOf(file)) < 0 && !['config', 'context'].includes(partOf(file)))
      problems.push(
        `src/${file}: src/${partOf(file)} stands on no floor: add it to ARCHITECTURE.md and ${import.meta.filename.split('/').slice(-3).join('/')}`,
      )
    files.set(file, [])
    for (const imported of readImports(code).filter(({ target }) => target.startsWith('.'))) {
      const to = join(dirname(file), imported.target)
      files.get(file)?.push(to)
      if (file.startsWith('domain/') && to.startsWith('domain/') && nounOf(file) !== nounOf(to))
        nouns.set(nounOf(file), (nouns.get(nounOf(file)) ?? new Set()).add(nounOf(to)))
      const problem = to.startsWith('..') ? 'src imports nothing from outside src' : refuse(file, to, imported)
      if (problem) problems.push(`src/${file}: imports ${imported.target}: ${problem}`)
    }
  }
  for (const circle of findCircles(files))
    problems.push(`src/${circle[0]}: imports itself in a circle: ${circle.join(', ')}`)
  for (const circle of findCircles(nouns))
    problems.push(`src/domain: these folders import each other in a circle: ${circle.join(', ')}`)
  return problems
}
