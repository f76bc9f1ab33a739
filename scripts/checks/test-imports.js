/** Tests from outside: they know requests and pages, and of the inside only what test/support names. */
const OUTSIDE = /^test\/(api|oauth|streaming|web)\//

/** Imports of `src/` in tests that work from outside. @param {Map<string, string>} named sources by path */
export const checkTestImports = (named) =>
  [...named]
    .filter(([file, code]) => OUTSIDE.test(file) && /\b(from|import) ?\(?'(\.\.\/)+src\//.test(code))
    .map(([file]) => `${file} imports from src/; import it through test/support/`)
