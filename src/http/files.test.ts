import fastify from 'fastify'
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { createDiskStore } from '../files/disk.ts'
import { AppError } from '../lib/errors.ts'
import { serveFiles } from './files.ts'

const root = mkdtempSync(join(tmpdir(), 'files-test-'))
after(() => rmSync(root, { recursive: true }))
const store = createDiskStore({ root, baseUrl: 'http://rookery.test/files' })
const app = fastify()
app.setErrorHandler((error, _request, reply) =>
  reply.status(error instanceof AppError ? error.status : 500).send({ error: String(error) }),
)
serveFiles(app, store)
await store.put('media/v/0123456789.mp4', Buffer.from('0123456789'), 'video/mp4')
for (const name of ['page.html', 'image.svg', 'note.json', 'none', 'empty.png'])
  await store.put(`media/x/${name}`, Buffer.from(name === 'empty.png' ? '' : 'x'), 'text/html')

const get = (path: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
  app.inject({ method, url: `/files/${path}`, headers })
const VIDEO = 'media/v/0123456789.mp4'

test('GET returns a file with its headers, and HEAD no body', async () => {
  const whole = await get(VIDEO)
  assert.equal(whole.statusCode, 200)
  assert.equal(whole.body, '0123456789')
  assert.equal(whole.headers['content-type'], 'video/mp4')
  assert.equal(whole.headers['cache-control'], 'public, max-age=31536000, immutable')
  assert.equal(whole.headers['access-control-allow-origin'], '*')
  assert.equal(whole.headers['x-content-type-options'], 'nosniff')
  assert.match(String(whole.headers['content-security-policy']), /^default-src 'none';.*sandbox$/)
  const head = await get(VIDEO, { range: 'bytes=0-1' }, 'HEAD')
  assert.deepEqual([head.statusCode, head.body, head.headers['content-length']], [200, '', '10'])
})

test('documents and scripts are served as downloads only', async () => {
  for (const name of ['page.html', 'image.svg', 'note.json', 'none']) {
    const { headers } = await get(`media/x/${name}`)
    assert.deepEqual(
      [headers['content-type'], headers['content-disposition']],
      ['application/octet-stream', 'attachment'],
    )
  }
  const empty = await get('media/x/empty.png')
  assert.deepEqual([empty.statusCode, empty.body, empty.headers['content-length']], [200, '', '0'])
})

test('single byte ranges are served, and unsatisfiable ones give a 416', async () => {
  for (const [range, status, body, contentRange] of [
    ['bytes=0-3', 206, '0123', 'bytes 0-3/10'],
    ['bytes=8-', 206, '89', 'bytes 8-9/10'],
    ['bytes=-3', 206, '789', 'bytes 7-9/10'],
    ['bytes=-30', 206, '0123456789', 'bytes 0-9/10'],
    ['bytes=5-500', 206, '56789', 'bytes 5-9/10'],
    ['bytes=10-', 416, '', 'bytes */10'],
    ['bytes=-0', 416, '', 'bytes */10'],
    ['bytes=4-2', 200, '0123456789', undefined],
    ['bytes=0-1,4-5', 200, '0123456789', undefined],
    ['bytes=-', 200, '0123456789', undefined],
    ['lines=1-2', 200, '0123456789', undefined],
  ] as const) {
    const answer = await get(VIDEO, { range })
    assert.deepEqual(
      [answer.statusCode, answer.body, answer.headers['content-range']],
      [status, body, contentRange],
      range,
    )
  }
})

test('conditional requests give a 304 for an unchanged file', async () => {
  const { headers } = await get(VIDEO)
  const [etag, modified] = [String(headers.etag), String(headers['last-modified'])]
  const unchanged: Record<string, string>[] = [
    { 'if-none-match': etag },
    { 'if-none-match': `"x", W/${etag}` },
    { 'if-none-match': '*' },
    { 'if-modified-since': modified },
  ]
  for (const conditions of unchanged) {
    const answer = await get(VIDEO, conditions)
    assert.deepEqual([answer.statusCode, answer.body], [304, ''])
  }
  assert.equal((await get(VIDEO, { 'if-none-match': '"x"', 'if-modified-since': modified })).statusCode, 200)
  assert.equal((await get(VIDEO, { 'if-modified-since': 'nonsense' })).statusCode, 200)
  assert.equal((await get(VIDEO, { range: 'bytes=0-1', 'if-range': etag })).statusCode, 206)
  assert.equal((await get(VIDEO, { range: 'bytes=0-1', 'if-range': '"x"' })).statusCode, 200)
})

test('folders, missing files and unsafe paths are 404', async () => {
  for (const path of [
    '',
    'media',
    'media/x',
    '../package.json',
    '..%2f..%2fetc%2fpasswd',
    '%2e%2e/%2e%2e/etc/passwd',
    'media/x/%00',
    '.pending/x',
    'media//x/none',
  ])
    assert.equal((await get(path)).statusCode, 404, path)
})
