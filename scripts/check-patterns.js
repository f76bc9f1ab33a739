// Checks that every regular expression in src/ takes linear time and that none is built at run time. Prints one line per problem.
// scslre analyses patterns, but only for attacks that repeat one character. For longer ones, every pattern is run against texts
// made of its own parts.
import { RegExpParser } from '@eslint-community/regexpp'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { createContext, Script } from 'node:vm'
import { parseSync, Visitor } from 'oxc-parser'
import { analyse } from 'scslre'

/** @typedef {{ at: string, source: string, flags: string }} Pattern */
/** @typedef {{ start: string, repeated: string }} Attack */

const ATTACK_LENGTH = 128 * 1024
/** A linear pattern takes about 1 ms, a quadratic one 60 or more, even on a fast machine. */
const SUSPICIOUS_MS = 25
/** For a text four times as long: a linear pattern takes four times as long, a quadratic one 16 times. */
const CONFIRMED_MS = 250
/** Every character class should contain one of these. */
const SAMPLES = [...'a0 <"\'/:.-_@#=&;A!%\0\n\té中猫ーไก한א\u0301\u200D\u200B\u00B7\uFE0F😀'].concat('\uD800', '\uDC00')

/**
 * The pattern literals of a file, the lines that construct patterns when the module is loaded, and problems.
 * @param {string} file as `src/…`
 * @param {string} text
 */
export function readPatterns(file, text) {
  /** @type {Pattern[]} */
  const patterns = []
  /** @type {string[]} */
  const constructed = []
  /** @type {string[]} */
  const problems = []
  let depth = 0
  const at = (/** @type {{ start: number }} */ { start }) => `${file}:${text.slice(0, start).split('\n').length}`
  const construct = (/** @type {any} */ node) => {
    if (node.callee.name !== 'RegExp' && node.callee.property?.name !== 'RegExp') return
    if (depth === 0) constructed.push(at(node))
    else problems.push(`${at(node)}: a pattern is built at run time; make it a constant of the module`)
  }
  const enter = () => void depth++
  const leave = () => void depth--
  const functions = ['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']
  new Visitor({
    ...Object.fromEntries(
      functions.flatMap((kind) => [
        [kind, enter],
        [`${kind}:exit`, leave],
      ]),
    ),
    Literal(node) {
      if ('regex' in node) patterns.push({ at: at(node), source: node.regex.pattern, flags: node.regex.flags })
    },
    NewExpression: construct,
    CallExpression(node) {
      construct(node)
      const name = node.callee.type === 'MemberExpression' && !node.callee.computed ? node.callee.property.name : ''
      const [first] = node.arguments
      if (['match', 'matchAll', 'search'].includes(name) && node.arguments.length === 1 && !isConstantPattern(first))
        problems.push(`${at(node)}: .${name}() builds a pattern from a string; use a literal or a CONSTANT`)
      if (name === 'normalize' && file !== 'src/lib/text/linear-time.ts')
        problems.push(`${at(node)}: .normalize() is quadratic in combining marks; take lib/text/linear-time.ts`)
    },
  }).visit(parseSync(file, text).program)
  return { patterns, constructed, problems }
}

const isConstantPattern = (/** @type {any} */ node) => Boolean(node.regex) || /^[A-Z][A-Z_]*$/.test(node.name ?? '')

/**
 * The patterns that modules construct when they are loaded.
 * @param {string[]} places as `src/file.ts:12`
 * @param {string} root
 * @returns {Promise<Pattern[]>}
 */
async function loadConstructed(places, root) {
  const wanted = new Set(places)
  /** @type {Map<string, Pattern>} */
  const found = new Map()
  const base = pathToFileURL(join(root, 'src/')).href
  const Original = globalThis.RegExp
  globalThis.RegExp = new Proxy(Original, {
    construct(target, args, self) {
      const pattern = Reflect.construct(target, args, self)
      const frame = (new Error().stack ?? '').split('\n').find((line) => line.includes(base)) ?? ''
      const at = `src/${frame.slice(frame.indexOf(base) + base.length).replace(/:\d+\)?$/, '')}`
      if (wanted.has(at)) found.set(at, { at, source: pattern.source, flags: pattern.flags })
      return pattern
    },
  })
  for (const file of new Set(places.map((place) => place.replace(/:\d+$/, ''))))
    await import(new URL(`../${file}`, base).href)
  globalThis.RegExp = Original
  return places.map((at) => found.get(at) ?? { at, source: '(', flags: '' })
}

/** The problem of a pattern, or null. @param {Pattern} pattern */
export function judgePattern({ source, flags }) {
  let parsed
  try {
    parsed = new RegExpParser().parseLiteral(`/${source}/${flags}`)
  } catch {
    return 'this pattern could not be parsed'
  }
  if (analyse(parsed).reports.length > 0) return `/${source}/${flags} takes more than linear time`
  if (!/[*+]|,\}/.test(source)) return null
  const pattern = new RegExp(source, flags)
  for (const attack of attacksOn(parsed.pattern, flags)) {
    const text = textOf(attack, ATTACK_LENGTH)
    if (
      takesLonger(SUSPICIOUS_MS, pattern, text) &&
      takesLonger(CONFIRMED_MS, pattern, textOf(attack, 4 * ATTACK_LENGTH))
    )
      return `/${source}/${flags} takes more than linear time, for instance on ${JSON.stringify(text.slice(0, 60))}…`
  }
  return null
}

/** @param {Attack} attack @param {number} length at least */
const textOf = ({ start, repeated }, length) => `${start}${repeated.repeat(Math.ceil(length / repeated.length))}\0`

const context = createContext({ pattern: /x/, text: '' })
const attempt = new Script('text.replace(pattern, "")')

/**
 * Counts the time of the processor: a busy machine may interrupt any pattern for long.
 * @param {number} ms @param {RegExp} pattern @param {string} text
 */
function takesLonger(ms, pattern, text) {
  Object.assign(context, { pattern, text })
  for (let timeout = ms; ; timeout *= 2) {
    const before = process.threadCpuUsage()
    try {
      attempt.runInContext(context, { timeout })
      return false
    } catch (error) {
      if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error
      const { user, system } = process.threadCpuUsage(before)
      if (user + system >= ms * 1000) return true
    }
  }
}

/**
 * Texts that match the beginning of a pattern and then repeat a match of one of its parts.
 * @param {import('@eslint-community/regexpp').AST.Pattern} pattern
 * @param {string} flags
 * @returns {Attack[]}
 */
function attacksOn(pattern, flags) {
  /** @type {Map<string, Attack>} */
  const attacks = new Map()
  for (let choice = 0; choice < 3; choice++)
    for (const { elements } of pattern.alternatives) {
      const parts = elements.map((element) => sampleOf(element, flags, choice))
      for (let from = 0; from < parts.length; from++)
        for (let to = from + 1; to <= (from === 0 ? parts.length : Math.min(from + 3, parts.length)); to++) {
          const repeated = parts.slice(from, to).join('')
          if (repeated === '') continue
          const start = parts.slice(0, from).join('')
          attacks.set(`${start}\0${repeated}`, { start, repeated })
        }
    }
  return [...attacks.values()]
}

/**
 * A text that a part of a pattern should match. `choice` selects the alternative of groups.
 * @param {import('@eslint-community/regexpp').AST.Element} element
 * @param {string} flags
 * @param {number} choice
 * @returns {string}
 */
function sampleOf(element, flags, choice) {
  switch (element.type) {
    case 'Character':
      return String.fromCodePoint(element.value)
    case 'CharacterSet':
    case 'CharacterClass':
    case 'ExpressionCharacterClass': {
      const one = new RegExp(`^${element.raw}$`, flags.replace(/[gym]/g, ''))
      const fitting = SAMPLES.filter((sample) => one.test(sample))
      return fitting[choice % fitting.length] ?? ''
    }
    case 'Quantifier':
      return sampleOf(element.element, flags, choice).repeat(Math.min(Math.max(element.min, 1), 100))
    case 'Group':
    case 'CapturingGroup': {
      const { elements } = element.alternatives[choice % element.alternatives.length] ?? { elements: [] }
      return elements.map((part) => sampleOf(part, flags, choice)).join('')
    }
    default:
      return ''
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = fileURLToPath(new URL('..', import.meta.url))
  const files = readdirSync(join(root, 'src'), { recursive: true }).map((file) => `src/${file}`)
  const read = files
    .filter((file) => /(?<!\.test)\.(ts|js)$/.test(file))
    .toSorted()
    .map((file) => readPatterns(file, readFileSync(join(root, file), 'utf8')))
  const constructed = await loadConstructed(
    read.flatMap((file) => file.constructed),
    root,
  )
  const problems = read.flatMap((file) => file.problems)
  /** @type {Map<string, string | null>} */
  const known = new Map()
  for (const pattern of [...read.flatMap(({ patterns }) => patterns), ...constructed]) {
    const key = `/${pattern.source}/${pattern.flags}`
    const problem = known.has(key) ? known.get(key) : judgePattern(pattern)
    known.set(key, problem ?? null)
    if (problem) problems.push(`${pattern.at}: ${problem}`)
  }
  for (const problem of problems) console.log(problem)
  process.exit(problems.length > 0 ? 1 : 0)
}
