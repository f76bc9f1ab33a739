import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkClientImports, checkLaterTexts } from '../../scripts/checks/client.js'
import { checkImports } from '../../scripts/checks/imports.js'
import { checkExports, checkLogKeys, checkWords, readGlossary } from '../../scripts/checks/names.js'
import { checkRootFiles } from '../../scripts/checks/root-files.js'
import { checkRules } from '../../scripts/checks/rules.js'
import { checkHandlers, checkSmallFiles } from '../../scripts/checks/sizes.js'

const check = (sources: Record<string, string>): string[] => checkImports(new Map(Object.entries(sources)))
const importing = (target: string, names = '{ x }'): string => `import ${names} from '${target}'\n`

test('imports from lower floors are allowed', () => {
  assert.deepEqual(
    check({
      'main.ts': importing('./config.ts') + importing('./server.ts'),
      'server.ts': importing('./site.ts') + importing('./worker/handlers.ts'),
      'site.ts': importing('./api/routes.ts'),
      'api/routes.ts': importing('./statuses/create.ts'),
      'api/statuses/create.ts': importing('../../http/route.ts') + importing('../../actions/statuses/publish.ts'),
      'http/route.ts': importing('../lib/errors.ts'),
      'actions/statuses/publish.ts': importing('../../domain/statuses/insert.ts'),
      'domain/statuses/insert.ts':
        importing('../../db/sql.ts', '{ sql }') + importing('../../context.ts', 'type { Context }'),
      'jobs/queue.ts': importing('../db/sql.ts', '{ sql }'),
      'worker/handlers.ts': importing('../federation/deliver.ts') + importing('../jobs/queue.ts'),
      'federation/deliver.ts': '',
      'context.ts': "import type { Database } from './db/sql.ts'\n",
      'config.ts': importing('./lib/errors.ts'),
      'db/sql.ts': '',
      'lib/errors.ts': '',
    }),
    [],
  )
})

const wrong: [string, string, string, RegExp][] = [
  ['upwards', 'domain/statuses/a.ts', importing('../../entities/status.ts'), /entities is above domain/],
  ['from the domain into an act', 'domain/statuses/a.ts', importing('../../actions/a.ts'), /actions is above domain/],
  ['of types upwards', 'lib/a.ts', "import type { X } from '../db/sql.ts'\n", /db is above lib/],
  ['re-exported upwards', 'lib/a.ts', "export { x } from '../db/sql.ts'\n", /db is above lib/],
  ['across several lines', 'lib/a.ts', "import {\n  x,\n} from '../db/sql.ts'\n", /db is above lib/],
  ['at run time, upwards', 'lib/a.ts', "const x = await import('../db/sql.ts')\n", /db is above lib/],
  ['sideways', 'api/a.ts', importing('../web/page.ts'), /api and web do not import each other/],
  ['of the configuration', 'api/a.ts', importing('../config.ts'), /configuration is read at start-up only/],
  ['of SQL in an endpoint', 'api/a.ts', importing('../db/sql.ts', '{ sql }'), /SQL belongs in/],
  ['of tests', 'api/a.ts', importing('../../test/support/server.ts'), /nothing from outside src/],
  ['from a folder on no floor', 'tools/e.ts', '', /stands on no floor/],
]
for (const [what, file, code, problem] of wrong)
  test(`an import is refused: ${what}`, () => {
    const found = check({ [file]: code })
    assert.equal(found.length, 1, found.join('\n'))
    assert.match(found[0] ?? '', problem)
    assert.ok(found[0]?.startsWith(`src/${file}: `))
  })

test("the client's rooms import downward, without circles, and only types of the server", () => {
  const found = (file: string, target: string): string[] => checkClientImports(new Map([[file, importing(target)]]))
  assert.deepEqual(found('client/src/ui/c.tsx', '../state/b.ts'), [])
  assert.match(found('client/src/api/c.ts', '../state/b.ts')[0] ?? '', /state is above api/)
  assert.match(found('client/src/ui/c.ts', '../compose/d.ts')[0] ?? '', /area is above ui/)
  assert.match(found('client/src/compose/c.ts', '../app/d.ts')[0] ?? '', /app is above area/)
  assert.match(found('client/src/app/c.ts', '../../../src/db/sql.ts')[0] ?? '', /types, messages and lib.text only/)
  const [a, b] = [importing('../lists/b.ts'), importing('../compose/a.ts', 'type { x }')]
  const circle = checkClientImports(
    new Map([
      ['client/src/compose/a.ts', a],
      ['client/src/lists/b.ts', b],
    ]),
  )
  assert.match(circle[0] ?? '', /imports itself in a circle/)
  assert.match(found('src/api/c.ts', '../../client/src/main.tsx')[0] ?? '', /src does not import the client/)
})

test('code of the first screen uses no texts that are loaded after it', () => {
  const found = checkLaterTexts(
    new Map([
      ['src/messages/en/client/later.ts', 'export const enClientLater = {\n  qr: enClientQr,\n}'],
      ['client/src/main.tsx', `${importing('./app/app.tsx')}\nlazy(() => import('./qr.tsx'))`],
      ['client/src/app/app.tsx', 'const label = texts.qr.label\nconst home = texts.frame.home'],
      ['client/src/qr.tsx', 'const hint = texts.qr.hint'],
    ]),
  )
  assert.deepEqual(found, [
    'client/src/app/app.tsx: uses texts.qr, which is loaded after the first screen, as this file is not',
  ])
})

test('circular imports of files and of domain folders are reported, type imports included', () => {
  const [a, b] = [importing('./b.ts'), importing('./a.ts')]
  assert.deepEqual(check({ 'lib/a.ts': a, 'lib/b.ts': b.replace('import ', 'import type ') }), [
    'src/lib/b.ts: imports itself in a circle: lib/b.ts, lib/a.ts',
  ])
  assert.deepEqual(
    check({
      'domain/media/a.ts': importing('../tags/b.ts'),
      'domain/tags/b.ts': '',
      'domain/tags/c.ts': importing('../media/d.ts'),
      'domain/media/d.ts': '',
    }),
    ['src/domain: these folders import each other in a circle: tags, media'],
  )
})

test('effects, writes, requests and visibility rules outside their folders are reported', () => {
  const found = checkRules(
    new Map([
      ['lib/a.ts', 'export const level = process.env.LOG_LEVEL\n'],
      ['lib/b.ts', "const ok = ctx.fetch('x')\n"],
      ['api/c.ts', "await fetch('https://a.test')\n"],
      ['api/d.ts', importing('undici')],
      ['domain/tags/e.ts', "await ctx.enqueue('mail.send', {})\n"],
      ['actions/f.ts', "await ctx.enqueue('mail.send', {})\n"],
      ['entities/g.ts', 'sql`delete from tags`\n'],
      ['domain/tags/h.ts', 'sql`select * from tags`\n'],
      ['domain/tags/i.ts', 'sql`select from blocks where true`\n'],
      ['domain/tags/j.ts', "sql`visibility in ('public')`\n"],
      ['domain/tags/k.ts', 'sql`update tags set uses = 1 returning id, old.uses`\n'],
    ]),
  )
  assert.deepEqual(
    found.map((line) => line.split(':')[0]),
    [
      'lib/a.ts',
      'api/c.ts',
      'api/d.ts',
      'domain/tags/e.ts',
      'entities/g.ts',
      'domain/tags/h.ts',
      'domain/tags/i.ts',
      'domain/tags/j.ts',
      'domain/tags/k.ts',
    ].map((file) => `src/${file}`),
  )
})

test('names with refused words, malformed log keys and duplicate exports are reported', () => {
  const refused = readGlossary('| Use | For | Refused |\n|---|---|---|\n| image | | `picture`, `take back` |\n')
  const words = new Map([
    ['src/a.ts', "const profilePicture = 'picture'\nconst text = `picture ${takeBackCounts}`\n"],
    ['src/take-back.ts', ''],
    ['src/b.ts', "const image = 'a picture'\n"],
    ['src/c.ts', 'class A {\n  #b() {}\n  #pictureOf = 1\n  c = `${1}`\n}\n'],
  ])
  assert.deepEqual(
    checkWords(words, refused).map((line) => line.split(': say')[0]),
    [
      'src/a.ts: `profilePicture`',
      'src/a.ts: `takeBackCounts`',
      'src/take-back.ts: `take-back`',
      'src/c.ts: `pictureOf`',
    ],
  )
  assert.equal(checkLogKeys(new Map([['src/a.ts', "log.warn({ host }, 'delivery.failed')\n"]])).length, 0)
  assert.equal(checkLogKeys(new Map([['src/a.ts', "log.warn({ host }, 'it failed')\n"]])).length, 1)
  const twice = new Map([
    ['src/a.ts', 'export const find = 1\n'],
    ['src/b.ts', 'export function find() {}\n'],
  ])
  assert.equal(checkExports(twice).length, 1)
})

test('long handlers and small files with one importer are reported', () => {
  const route = (lines: number): string =>
    `export const getA = route({\n  async handle({ ctx }) {\n${'    await x(ctx)\n'.repeat(lines - 2)}  },\n})\n`
  const arrow = (lines: number): string =>
    `export const getB = route({\n  handle: ({ ctx }) =>\n${'    x(ctx)\n'.repeat(lines - 1)}})\n`
  const texts = new Map([
    ['api/a.ts', route(26)],
    ['api/b.ts', route(25)],
    ['api/c.ts', arrow(26)],
    ['api/d.ts', arrow(25)],
    ['web/e.ts', route(40)],
  ])
  assert.deepEqual(checkHandlers(texts), [
    'src/api/a.ts:2: a handler of 26 lines',
    'src/api/c.ts:2: a handler of 26 lines',
  ])
  const files = new Map([
    ['lib/once.ts', 'export const once = 1\n'],
    ['lib/twice.ts', 'export const twice = 1\n'],
    ['lib/both.ts', 'export const both = 1\n'],
    ['lib/long.ts', 'export const long = 1\n'.repeat(20)],
    ['actions/act.ts', 'export const act = 1\n'],
    ['api/a.ts', "import { once } from '../lib/once.ts'\nimport { twice } from '../lib/twice.ts'\n"],
    ['api/b.ts', "import { long } from '../lib/long.ts'\nimport { twice } from '../lib/twice.ts'\n"],
    ['api/c.ts', "import { act } from '../actions/act.ts'\nimport { both } from '../lib/both.ts'\n"],
  ])
  const sources = new Map([...files].map(([file, text]) => [`src/${file}`, text]))
  sources.set('client/src/app/d.ts', "import { both } from '../../../src/lib/both.ts'\n")
  assert.deepEqual(checkSmallFiles(files, sources), ['src/lib/once.ts: a small file that only src/api/a.ts imports'])
})

test('unexpected files at the root are found', () => {
  assert.deepEqual(
    checkRootFiles(['README.md', 'src/main.ts', 'cpu.profile']).map((problem) => problem.split(':')[0]),
    ['cpu.profile'],
  )
})
