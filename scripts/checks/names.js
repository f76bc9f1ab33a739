// The words of names (docs/glossary.md), and exported names, which are unique in src/.
import { basename } from 'node:path'
import { parseSync } from 'oxc-parser'

/**
 * The words that the glossary refuses in names, each with the word to use. A phrase such as `take back` matches consecutive
 * words of one name.
 * @param {string} glossary docs/glossary.md; its table's columns are: use, for, refused in names
 * @returns {Map<string, string>}
 */
export function readGlossary(glossary) {
  const refused = new Map()
  for (const row of glossary.split('\n').filter((line) => line.startsWith('|'))) {
    const [, use = '', , words = ''] = row.split('|').map((cell) => cell.trim())
    for (const [, word = ''] of words.matchAll(/`([^`]+)`/g)) refused.set(word, use.replaceAll('`', ''))
  }
  return refused
}

/** `takeBackCounts` and `take-back-counts` as ` take back counts `. @param {string} name */
const wordsOf = (name) =>
  ` ${name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll(/[^A-Za-z\d]+/g, ' ')
    .trim()
    .toLowerCase()} `

/** @param {string} file @param {string} code @returns {Set<string>} */
function identifiersIn(file, code) {
  const names = new Set()
  /** @param {any} node */
  const visit = (node) => {
    if (typeof node !== 'object' || node === null) return
    if (/^(JSX|Private)?Identifier$/.test(node.type)) names.add(node.name)
    for (const child of Object.values(node)) visit(child)
  }
  visit(parseSync(file, code).program)
  return names
}

/** Names that a standard, the API or a library prescribes: a claim of OpenID Connect, a quote policy, and the parser's class. */
const GIVEN = new Set(['picture', 'nobody', 'Visitor'])

/** Keys of log lines: `log.warn({ … }, 'delivery.failed')`. @param {string} code */
const logKeysOf = (code) =>
  [...code.matchAll(/\blog(?:ger)?\.(?:trace|debug|info|warn|error|fatal)\((?:\{[^}]*\},\s*)?'([^']*)'/g)].map(
    ([, key = '']) => key,
  )

/**
 * Names with refused words, as `file: problem`.
 * @param {Map<string, string>} sources by path
 * @param {Map<string, string>} refused
 * @returns {string[]}
 */
export function checkWords(sources, refused) {
  const problems = []
  for (const [file, code] of sources) {
    const names = new Set([basename(file).replace(/\..*$/, ''), ...identifiersIn(file, code), ...logKeysOf(code)])
    for (const name of names.difference(GIVEN))
      for (const [word, use] of refused)
        if (wordsOf(name).includes(` ${word} `)) problems.push(`${file}: \`${name}\`: say ${use} (docs/glossary.md)`)
  }
  return problems
}

/** Logs are events with a key: `delivery.failed`. @param {Map<string, string>} sources @returns {string[]} */
export function checkLogKeys(sources) {
  return [...sources].flatMap(([file, code]) =>
    logKeysOf(code)
      .filter((key) => !/^[a-z\d-]+(\.[a-z\d-]+)*$/.test(key))
      .map((key) => `${file}: the log key '${key}' is not of the form noun.event`),
  )
}

/**
 * Exported names that more than one file of src/ has. Schemas and types that share their name in one file count once.
 * @param {Map<string, string>} sources code without comments, by path
 * @returns {string[]}
 */
export function checkExports(sources) {
  /** @type {Map<string, Set<string>>} */
  const exporters = new Map()
  for (const [file, code] of sources)
    for (const [, name = ''] of code.matchAll(
      /^export (?:async )?(?:const|let|function\*?|class|type|interface) ([\w$]+)/gm,
    ))
      exporters.set(name, (exporters.get(name) ?? new Set()).add(file))
  return [...exporters]
    .filter(([, files]) => files.size > 1)
    .map(([name, files]) => `${[...files][0]}: exports \`${name}\`, as does ${[...files].slice(1).join(', ')}`)
}
