/** These tests work with requests and pages. They import from src/ only through test/support/. */
const OUTSIDE = /^test\/(api|oauth|streaming|web)\//

/** Imports of `src/` in tests that work from outside. @param {Map<string, string>} named sources by path */
export const checkTestImports = (named) =>
  [...named]
    .filter(([file, code]) => OUTSIDE.test(file) && /\b(from|import) ?\(?'(\.\.\/)+src\//.test(code))
    .map(([file]) => `${file} imports from src/; import it through test/support/`)
