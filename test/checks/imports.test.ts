import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkImports } from '../../scripts/check-imports.js'

const check = (sources: Record<string, string>): string[] => checkImports(new Map(Object.entries(sources)))
const importing = (target: string, names = '{ x }'): string => `import ${names} from '${target}'\n`

test('imports go down, and leftwards within the domain', () => {
  assert.deepEqual(
    check({
      'main.ts': importing('./api/routes.ts') + importing('./config.ts'),
      'api/routes.ts': importing('./statuses/create.ts'),
      'api/statuses/create.ts': importing('../../http/route.ts') + importing('../../domain/fanout/publish.ts'),
      'http/route.ts': importing('../lib/errors.ts'),
      'domain/fanout/publish.ts': importing('../statuses/insert.ts') + importing('../../db/sql.ts', '{ sql }'),
      'domain/statuses/insert.ts': importing('../../context.ts', 'type { Context }'),
      'jobs/queue.ts': importing('../db/sql.ts', '{ sql }'),
      'jobs/registry.ts': importing('../federation/deliver.ts') + importing('./queue.ts'),
      'federation/deliver.ts': '',
      'context.ts': "import type { Database } from './db/sql.ts'\n",
      'config.ts': importing('./lib/errors.ts') + 'export const port = process.env.PORT\n',
      'db/sql.ts': '',
      'lib/errors.ts': '',
    }),
    [],
  )
})

const wrong: [string, string, string, RegExp][] = [
  ['upwards', 'domain/statuses/a.ts', importing('../../entities/status.ts'), /entities is above domain/],
  ['types upwards', 'lib/a.ts', "import type { X } from '../db/sql.ts'\n", /db is above lib/],
  ['re-exports upwards', 'lib/a.ts', "export { x } from '../db/sql.ts'\n", /db is above lib/],
  ['across several lines', 'lib/a.ts', "import {\n  x,\n} from '../db/sql.ts'\n", /db is above lib/],
  ['later, upwards', 'lib/a.ts', "const x = await import('../db/sql.ts')\n", /db is above lib/],
  ['sideways', 'api/a.ts', importing('../web/page.ts'), /api and web do not import each other/],
  ['rightwards', 'domain/media/a.ts', importing('../statuses/insert.ts'), /domain\/statuses comes after domain\/media/],
  ['the registry from a job', 'jobs/worker.ts', importing('./registry.ts'), /jobs\/registry is above jobs/],
  ['the configuration', 'api/a.ts', importing('../config.ts'), /configuration is read in main and cli only/],
  ['SQL in an endpoint', 'api/a.ts', importing('../db/sql.ts', '{ sql }'), /SQL belongs in/],
  ['tests', 'api/a.ts', importing('../../test/support/server.ts'), /nothing from outside src/],
]
for (const [what, file, code, problem] of wrong)
  test(`an import is found that goes wrong: ${what}`, () => {
    const found = check({ [file]: code })
    assert.equal(found.length, 1, found.join('\n'))
    assert.match(found[0] ?? '', problem)
    assert.ok(found[0]?.startsWith(`src/${file}: `))
  })

test('circles are found, unless they are of types', () => {
  const [a, b] = [importing('./b.ts'), importing('./a.ts')]
  assert.deepEqual(check({ 'lib/a.ts': a, 'lib/b.ts': b }), [
    'src/lib/a.ts: imports itself in a circle: lib/a.ts → lib/b.ts → lib/a.ts',
  ])
  assert.deepEqual(check({ 'lib/a.ts': a, 'lib/b.ts': b.replace('import ', 'import type ') }), [])
})

test('what belongs in one place is found elsewhere, but not in comments', () => {
  const found = check({
    'lib/a.ts': 'export const level = process.env.LOG_LEVEL\n',
    'lib/b.ts': "// process.env and fetch('x') belong elsewhere\nconst ok = ctx.fetch('x')\n",
    'api/c.ts': "await fetch('https://a.test')\n",
    'api/d.ts': importing('undici'),
    'lib/long.ts': 'x\n'.repeat(501),
    'tools/e.ts': '',
    'domain/misc/f.ts': '',
  })
  assert.deepEqual(
    found.map((line) => line.split(':')[0]),
    ['src/lib/a.ts', 'src/api/c.ts', 'src/api/d.ts', 'src/lib/long.ts', 'src/tools/e.ts', 'src/domain/misc/f.ts'],
  )
})
