// rookery emoji import, export and purge, without a running server.
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, watch, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import sharp from 'sharp'
import { pack } from 'tar-stream'
import { openBackend } from '../../src/backend.ts'
import { createTestDatabase, sql } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'
import { failStatement } from '../support/faults.ts'
import { readConfig } from '../support/internals.ts'
import { commandsIn, rookeryIn } from './command-line.ts'

const database = await createTestDatabase()
const folder = mkdtempSync(join(tmpdir(), 'rookery-emojis-'))
const dataDir = join(folder, 'data')
const env = { DATABASE_URL: database.url, DATA_DIR: dataDir, LOG_LEVEL: 'silent', LANG: 'en_US.UTF-8' }
const rookery = commandsIn(env)
after(async () => {
  await database.drop()
  rmSync(folder, { recursive: true, force: true })
})

const image = (background: string) =>
  sharp({ create: { width: 32, height: 32, channels: 4, background } })
    .png()
    .toBuffer()

async function emoji(...words: string[]): Promise<{ status: number; err: string; json: any }> {
  const { status, out, err } = await rookery('emoji', ...words, '--json')
  return { status, err, json: status === 0 ? JSON.parse(out) : null }
}

test('a folder is imported, exported, imported elsewhere under other names, and purged', async () => {
  const source = join(folder, 'source')
  mkdirSync(source)
  for (const [name, content] of [
    ['cat.png', await image('#a3c')],
    ['dog.PNG', await image('#3ca')],
    ['dog.gif', await image('#ac3')],
    ['bad name.png', await image('#3ca')],
    ['text.png', 'nonsense'],
    ['huge.png', Buffer.alloc(300 * 1024)],
    ['._cat.png', 'hidden'],
    ['readme.txt', 'no emoji'],
  ] as const)
    writeFileSync(join(source, name), content)
  mkdirSync(join(source, 'folder.png'))
  symlinkSync('nowhere', join(source, 'link.png'))

  const imported = async (...words: string[]): Promise<any> => {
    const { json: dry } = await emoji('import', source, ...words, '--dry-run')
    const { json } = await emoji('import', source, ...words)
    assert.deepEqual(dry, { ...json, dry_run: true })
    return json
  }
  const first = await imported('--category', 'Pets')
  assert.deepEqual(
    [first.imported, first.skipped, first.failed.map(({ shortcode }: any) => shortcode)],
    [2, 1, ['bad name', 'huge', 'text']],
  )
  const again = await imported()
  assert.deepEqual([again.imported, again.skipped, again.replaced], [0, 3, 0])
  assert.equal((await imported('--overwrite')).replaced, 3)

  const archive = join(folder, 'emojis.tar.gz')
  const events: string[] = []
  const watcher = watch(folder, (event, name) => events.push(`${event} ${name}`))
  assert.deepEqual((await emoji('export', archive, '--category', 'Pets')).json, { file: archive, count: 2 })
  writeFileSync(join(folder, 'end'), '')
  await eventually(() => events.some((event) => event.endsWith(' end')))
  watcher.close()
  assert.ok(!events.includes('change emojis.tar.gz'), 'the archive appears when it is whole')
  assert.match((await emoji('export', archive)).err, /exists already/)
  const more = await emoji('import', archive, '--prefix', 'my_', '--suffix', '_2', '--unlisted')
  assert.equal(more.json.imported, 2)

  const backend = await openBackend(readConfig(env), 'command')
  try {
    const rows = await backend.ctx.db.many<{ shortcode: string; category: string | null; visible_in_picker: boolean }>(
      sql`select shortcode, category, visible_in_picker from custom_emojis order by shortcode`,
    )
    assert.deepEqual(
      rows.map(({ shortcode, category, visible_in_picker: visible }) => [shortcode, category, visible]),
      [
        ['cat', 'Pets', true],
        ['dog', 'Pets', true],
        ['my_cat_2', null, false],
        ['my_dog_2', null, false],
      ],
    )
    await backend.ctx.db.run(
      sql`insert into custom_emojis (shortcode, domain) values ('far', 'far.test'), ('off', 'off.test'), ('bad', 'sub.bad.test'), ('good', 'notbad.test')`,
    )
    await backend.ctx.db.run(
      sql`insert into domain_blocks (domain, severity) values ('bad.test', 'suspend'), ('off.test', 'silence')`,
    )
  } finally {
    await backend.close()
  }
  assert.equal((await emoji('purge', '--remote', '--dry-run')).json.count, 4)
  assert.equal((await emoji('purge', '--suspended')).json.count, 1)
  assert.equal((await emoji('purge', '--domain', 'far.test')).json.count, 1)
  assert.equal((await emoji('purge', '--remote')).json.count, 2)
  assert.equal((await emoji('purge', '--local')).status, 2)
  assert.equal((await emoji('purge', '--domain', 'a b')).status, 2)
  assert.equal((await emoji('purge', '--local', '-y')).json.count, 4)
  const files = readdirSync(join(dataDir, 'files'), { recursive: true, withFileTypes: true })
  assert.deepEqual(
    files.filter((entry) => entry.isFile()).map(({ name }) => name),
    [],
  )
})

test('an archive may hold other files; a file that is too large is named, and does not stop the rest', async () => {
  const path = join(folder, 'mixed.tar')
  const archive = pack()
  archive.entry({ name: 'emojis/', type: 'directory' })
  archive.entry({ name: 'emojis/readme.txt' }, 'no emoji')
  archive.entry({ name: 'emojis/huge.png' }, Buffer.alloc(300 * 1024))
  archive.entry({ name: 'emojis/owl.png' }, await image('#a3c'))
  archive.entry({ name: 'emojis/\u001b[2Jred\u009b0m.png' }, await image('#a3c'))
  archive.finalize()
  writeFileSync(path, Buffer.concat((await Array.fromAsync(archive)) as Buffer[]))
  const { json } = await emoji('import', path)
  const refused = json.failed.map(({ shortcode }: any) => shortcode)
  assert.deepEqual([json.imported, refused], [1, ['huge', '\u001b[2Jred\u009b0m']])
  for (const more of [[], ['--json']]) {
    const { out } = await rookery('emoji', 'import', path, '--dry-run', ...more)
    assert.match(out, /\\u001b\[2Jred\\u009b0m/, 'the terminal is not told what to do')
    assert.doesNotMatch(out, /(?!\n)\p{Cc}/u)
  }
})

test('a single image is imported, and one of another format refused with those that are taken', async () => {
  const [png, jpeg] = [join(folder, 'fox.png'), join(folder, 'fox.jpg')]
  writeFileSync(png, await image('#a3c'))
  writeFileSync(
    jpeg,
    await sharp(await image('#a3c'))
      .jpeg()
      .toBuffer(),
  )
  assert.equal((await emoji('import', png)).json.imported, 1)
  assert.equal((await emoji('import', png)).json.skipped, 1)
  const { status, err } = await emoji('import', jpeg)
  assert.notEqual(status, 0)
  assert.match(err, /neither a PNG, GIF or WebP image nor a whole tar or tar\.gz archive/)
})

test('an import that the database interrupts fails, and adds the rest when it is run again', async () => {
  const emojis = join(folder, 'interrupted')
  mkdirSync(emojis)
  for (const name of ['first', 'second', 'third']) writeFileSync(join(emojis, `${name}.png`), await image('#ac3'))
  assert.equal((await emoji('import', join(emojis, 'first.png'))).json.imported, 1)
  failStatement('insert into custom_emojis', '55P03')
  const { status, err } = await emoji('import', emojis)
  assert.equal(status, 1)
  assert.match(err, /^rookery: There was a temporary problem .*please try again \(injected\)\n?$/)
  const { imported, skipped, failed } = (await emoji('import', emojis)).json
  assert.deepEqual([imported, skipped, failed], [2, 1, []])
})

test('a folder of files that cannot be written is named in one line', async () => {
  const file = join(folder, 'owl.png')
  writeFileSync(file, await image('#3ca'))
  const { status, err } = await rookeryIn({ ...env, DATA_DIR: file }, 'emoji', 'import', file)
  assert.equal(status, 1)
  assert.match(err, /^rookery: .*ENOTDIR.*owl\.png.*\n?$/)
})

test('a file that is no archive, or does not exist, is refused with a message', async () => {
  const file = join(folder, 'nonsense.tar.gz')
  writeFileSync(file, Buffer.from([0x1f, 0x8b, 1, 2, 3]))
  for (const [words, problem] of [
    [['import', file], /nor a whole tar or tar\.gz archive/],
    [['import', join(folder, 'nowhere')], /cannot be read/],
    [['export', join(folder, 'nowhere', 'x.tar.gz')], /cannot be read/],
    [['purge'], /--remote/],
    [['import'], /FILE/],
  ] as const) {
    const { status, err } = await emoji(...words)
    assert.notEqual(status, 0)
    assert.match(err, problem)
  }
})
