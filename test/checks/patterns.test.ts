import assert from 'node:assert/strict'
import { test } from 'node:test'
import { judgePattern, readPatterns } from '../../scripts/check-patterns.js'

const judge = ({ source, flags }: RegExp): string | null => judgePattern({ at: 'here', source, flags })

test('regular expressions that take more than linear time are reported', () => {
  for (const pattern of [/[^<>]+(?=<|$)/g, /^(a+)+$/, /=+$/, /^\d+\.?\d*$/, /<[^>]*>/g, /\/\*.*?\*\//s])
    assert.match(judge(pattern) ?? 'nothing', /takes more than linear time/, String(pattern))
  for (const pattern of [/<[^<>]*>/g, /^[\p{L}--[a-z]]+$/v, /(?<!\/)\/+$/, /\bcats?\b/i])
    assert.equal(judge(pattern), null, String(pattern))
})

test('regular expressions built from input at run time are reported with file and line', () => {
  const { problems, constructed, patterns } = readPatterns(
    'src/a.ts',
    `const WORD = /a/u
const LINE = new RegExp(\`^\${WORD.source}\`)
export const find = (typed: string) => new RegExp(typed)
export function look(typed: string) {
  RegExp('x')
  'text'.search(typed)
  'text'.match(WORD)
  return 'text'.normalize('NFC')
}
`,
  )
  assert.deepEqual(
    problems.map((problem) => problem.split(' ')[0]),
    ['src/a.ts:3:', 'src/a.ts:5:', 'src/a.ts:6:', 'src/a.ts:8:'],
  )
  assert.deepEqual(constructed, ['src/a.ts:2'])
  assert.deepEqual(patterns, [{ at: 'src/a.ts:1', source: 'a', flags: 'u' }])
})
