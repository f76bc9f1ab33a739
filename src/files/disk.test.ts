import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { createDiskStore } from './disk.ts'
import { isFileKey, newFileKey } from './store.ts'

const root = mkdtempSync(join(tmpdir(), 'disk-test-'))
after(() => rmSync(root, { recursive: true }))
const store = createDiskStore({ root, baseUrl: 'https://rookery.test/files' })

test('new keys are unique, and unsafe keys are invalid', () => {
  const key = newFileKey('media', '109348684345114113', 'original', 'webp')
  assert.match(key, /^media\/[0-9a-f]{2}\/[0-9a-f]{2}\/109348684345114113\/original\/[0-9a-f]{32}\.webp$/)
  assert.ok(isFileKey(key))
  assert.notEqual(key, newFileKey('media', '109348684345114113', 'original', 'webp'))
  for (const bad of [
    '',
    'a',
    '/a/b',
    'a//b',
    'a/../b',
    '../a/b',
    'a/.b',
    '.pending/x',
    'a/b\0',
    'a/b c',
    'a\\b/c',
    'a/é',
    'a/',
    `a/${'b'.repeat(600)}`,
  ])
    assert.equal(isFileKey(bad), false, bad)
})

test('a stored file can be read in whole and in part; its deletion removes its folders', async () => {
  const [one, two] = ['original', 'small'].map((variant) => newFileKey('media', '1', variant, 'txt')) as [
    string,
    string,
  ]
  const source = join(root, 'source')
  writeFileSync(source, 'from a path')
  await store.put(one, source, 'text/plain')
  await store.put(two, Buffer.from('from bytes'), 'text/plain')
  const file = await store.open(one)
  assert.equal(file?.size, 11)
  assert.equal((await buffer(file.stream())).toString(), 'from a path')
  assert.equal((await buffer(file.stream({ start: 5, end: 5 }))).toString(), 'a')
  assert.equal(store.url(two), `https://rookery.test/files/${two}`)
  assert.deepEqual(readdirSync(join(root, '.pending')), [])
  await store.delete([one, 'media/never/was.txt'])
  assert.equal(await store.open(one), null)
  assert.equal((await store.open(two))?.size, 10)
  await store.delete([two])
  assert.equal(readdirSync(root).includes('media'), false)
})

test('other users of the machine cannot read stored files', async () => {
  const [one, two] = ['private', 'media'].map((area) => newFileKey(area, '7', 'original', 'txt')) as [string, string]
  const source = join(root, 'open')
  writeFileSync(source, 'from a path', { mode: 0o644 })
  await store.put(one, source, 'text/plain')
  await store.put(two, Buffer.from('from bytes'), 'text/plain')
  for (const key of [one, two]) {
    assert.equal(statSync(join(root, key)).mode & 0o777, 0o600)
    for (let at = dirname(join(root, key)); at !== root; at = dirname(at)) assert.equal(statSync(at).mode & 0o77, 0, at)
  }
  await store.delete([one, two])
})

test('keys cannot leave the root, and folders are not files', async () => {
  await store.put('media/a/b.txt', Buffer.from('x'), 'text/plain')
  for (const key of ['../etc/passwd', 'media/../../x', '/etc/passwd', 'media/a', 'media/a/b.txt/c', 'media/none/x'])
    assert.equal(await store.open(key), null, key)
  await assert.rejects(store.put('../x/y', Buffer.from('x'), 'text/plain'))
  await assert.rejects(store.delete(['media/../../x']))
  await assert.rejects(store.put('media/a/c.txt', join(root, 'missing'), 'text/plain'))
  assert.deepEqual(readdirSync(join(root, '.pending')), [])
})

test('a file stored during a deletion is not lost', async () => {
  await Promise.all(
    Array.from({ length: 40 }, async (_, i) => {
      const key = `busy/same/${i}.txt`
      await store.put(key, Buffer.from(String(i)), 'text/plain')
      if (i % 2) await store.delete([key])
    }),
  )
  for (let i = 0; i < 40; i++) assert.equal((await store.open(`busy/same/${i}.txt`)) !== null, i % 2 === 0)
})
