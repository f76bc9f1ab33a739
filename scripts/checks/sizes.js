// Sizes that the linter does not check: handlers of the API, and files too small to stand alone.
import { dirname, join } from 'node:path'
import { readImports } from './imports.js'

const LONGEST_HANDLER = 25
const SMALLEST_FILE = 20

/**
 * API handlers of more than 25 lines. The formatter indents the members of a route by two spaces, so that a handler ends before
 * the next line that is indented like it.
 * @param {Map<string, string>} texts by path below src/
 * @returns {string[]}
 */
export function checkHandlers(texts) {
  return [...texts].flatMap(([file, text]) => {
    if (!file.startsWith('api/')) return []
    const lines = text.split('\n')
    return lines.flatMap((line, start) => {
      if (!/^ {2}(?:async )?handle(?:\(|: )/.test(line)) return []
      const end = lines.findIndex((other, at) => at > start && /^ {0,2}\S/.test(other) && !/^ {2}\) ?[:=]/.test(other))
      const length = (/^ {2}\}/.test(lines[end] ?? '') ? end + 1 : end) - start
      return length > LONGEST_HANDLER ? [`src/${file}:${start + 1}: a handler of ${length} lines`] : []
    })
  })
}

/**
 * Files of fewer than 20 lines with exactly one importer, whose file they belong in. An act has a file of its own in actions/,
 * and a catalogue of texts in messages/, whatever its size.
 * @param {Map<string, string>} texts by path below src/
 * @param {Map<string, string>} sources by path, without comments, with the client and tests: a test is an importer, too
 * @returns {string[]}
 */
export function checkSmallFiles(texts, sources) {
  /** @type {Map<string, Set<string>>} */
  const importers = new Map()
  for (const [file, code] of sources)
    for (const { target } of readImports(code).filter(({ target }) => target.startsWith('.'))) {
      const to = join(dirname(file), target)
      importers.set(to, (importers.get(to) ?? new Set()).add(file))
    }
  return [...texts]
    .filter(([file]) => !/^(actions|messages)\//.test(file))
    .filter(([, text]) => text.trimEnd().split('\n').length < SMALLEST_FILE)
    .flatMap(([file]) => {
      const [importer, ...others] = importers.get(`src/${file}`) ?? []
      return importer && others.length === 0 ? [`src/${file}: a small file that only ${importer} imports`] : []
    })
}
