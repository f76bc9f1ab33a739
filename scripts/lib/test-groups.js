import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

/** Start whole programs, kill them, and measure them: each needs a process of its own. */
const ALONE = /^test\/(start|security)\//
/** Source of the test files that share a process, in bytes. */
const GROUP_SIZE = 30_000

/**
 * Puts test files of one folder together, so that one process loads the server's code for several of them. Gives the
 * files to run: groups as files in `folder` that import their members, the others as they are.
 * @param {string[]} files relative to the working directory
 * @param {string} folder
 * @returns {string[]}
 */
export function groupTests(files, folder) {
  const alone = new Set(files.filter((file) => ALONE.test(file) || awaitsAtTopLevel(file)))
  const byFolder = Map.groupBy(
    files.filter((file) => !alone.has(file)),
    (file) => (file.startsWith('src/') ? 'src' : dirname(file)),
  )
  const groups = [...byFolder.values()].flatMap(divide)
  const entries = groups.map((group, index) => {
    // Static imports: all tests are registered before the first one runs. The runner ends a process when all tests that it
    // knows of have finished.
    const entry = join(folder, `group-${index + 1}.test.mjs`)
    writeFileSync(entry, group.map((file) => `import ${JSON.stringify(pathToFileURL(resolve(file)).href)}\n`).join(''))
    return entry
  })
  return [...alone, ...entries]
}

/** Whether the tests of a file are registered only after something else: see above. @param {string} file */
const awaitsAtTopLevel = (file) => /^([\w{][^\n]*= )?await\b/m.test(readFileSync(file, 'utf8'))

/** @param {string[]} files @returns {string[][]} */
function divide(files) {
  const sized = files.map((file) => ({ file, size: statSync(file).size })).toSorted((a, b) => b.size - a.size)
  const count = Math.ceil(sized.reduce((sum, { size }) => sum + size, 0) / GROUP_SIZE)
  const groups = Array.from({ length: count }, () => ({ size: 0, files: /** @type {string[]} */ ([]) }))
  for (const { file, size } of sized) {
    const smallest = groups.reduce((least, group) => (group.size < least.size ? group : least))
    smallest.size += size
    smallest.files.push(file)
  }
  return groups.map((group) => group.files.toSorted())
}
