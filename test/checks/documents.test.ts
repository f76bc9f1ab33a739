import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'

test('every file that the documentation names exists', () => {
  const missing = [
    'README.md',
    'ARCHITECTURE.md',
    'CONTRIBUTING.md',
    'FEDERATION.md',
    ...globSync('docs/**/*.md'),
  ].flatMap((document) =>
    [...readFileSync(document, 'utf8').matchAll(/`((?:src|client\/src|test|scripts|bench|docs)\/[\w./-]+)`/g)]
      .map(([, path = '']) => path)
      .filter((path) => !path.includes('NNNN') && !existsSync(path))
      .map((path) => `${document}: ${path}`),
  )
  assert.deepEqual(missing, [])
})
