import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { after, beforeEach, test } from 'node:test'
import { signedIn } from '../support/forms.ts'
import { pngOf } from '../support/images.ts'
import { deleteOrphans, openFileStore, readConfig } from '../support/internals.ts'
import { bringForward } from '../support/jobs.ts'
import { mailsTo } from '../support/mail.ts'
import { startObjectStorage } from '../support/object-storage.ts'
import { type Answer, startTestServer } from '../support/server.ts'
import { stage } from '../support/stage.ts'

const storage = await startObjectStorage()
after(() => storage.stop())
const { server, ada } = await stage({
  accounts: ['ada'],
  env: { ...storage.env, S3_KEY_PREFIX: 'community' },
  fresh: true,
})
const photo = await pngOf(80, 60, 'teal')

beforeEach(() => storage.fail(0, 0))

const storeWith = (env: NodeJS.ProcessEnv): ReturnType<typeof openFileStore> =>
  openFileStore(readConfig({ ...storage.env, ...env }))

// The first requests to a silent storage wait for ten seconds, beside the other tests.
const silent = await startObjectStorage()
after(() => silent.stop())
silent.fail(1000, 0)
const silence = readSilent()

async function readSilent(): Promise<{ first: string[]; next: string; requests: number }> {
  const store = storeWith(silent.env)
  const read = (): Promise<string> =>
    store.open('media/x/y.png').then(
      () => 'found',
      (error: Error) => error.name,
    )
  const first = await Promise.all(Array.from({ length: 8 }, read))
  return { first, next: await read(), requests: silent.requests.length }
}

function upload(): Promise<Answer> {
  const form = new FormData()
  form.append('file', new Blob([photo], { type: 'image/png' }), 'teal.png')
  return ada.send('POST', '/api/v2/media', { form })
}
const pathOf = (address: string): string => new URL(address).pathname
const keyOf = (address: string): string => `community${pathOf(address).replace(/^\/files/, '')}`

test('an upload is in the bucket, is served by the server, in parts, too, and is deleted from the bucket', async () => {
  const { json } = await upload()
  const stored = storage.objects.get(keyOf(json.url))
  assert.equal(stored?.type, 'image/png')
  assert.ok(storage.objects.has(keyOf(json.preview_url)))
  assert.equal(existsSync(join(server.ctx.config.dataDir, 'files')), false)

  const path = pathOf(json.url)
  const whole = await server.send('GET', path)
  assert.deepEqual([whole.status, whole.headers.get('content-type')], [200, 'image/png'])
  assert.equal(Number(whole.headers.get('content-length')), stored?.body.length)
  assert.match(whole.headers.get('cache-control') ?? '', /immutable/)
  const part = await server.send('GET', path, { headers: { range: 'bytes=1-3' } })
  assert.deepEqual([part.status, part.text], [206, 'PNG'])
  const etag = whole.headers.get('etag') as string
  assert.equal((await server.send('GET', path, { headers: { 'if-none-match': etag } })).status, 304)
  assert.equal((await server.send('HEAD', path)).text, '')

  assert.equal((await ada.send('DELETE', `/api/v1/media/${json.id}`)).status, 200)
  await server.drain()
  assert.equal(storage.objects.size, 0)
  assert.equal((await server.send('GET', '/files/media/x/y.png')).status, 404)
})

test('private files of the bucket and files of suspended accounts are not found', async () => {
  const { json } = await upload()
  await server.ctx.files.put('private/archives/x/archive.tar.gz', Buffer.from('secret'), 'application/gzip')
  assert.equal((await server.send('GET', '/files/private/archives/x/archive.tar.gz')).status, 404)
  const eve = await server.person('eve')
  const form = new FormData()
  form.append('avatar', new Blob([photo], { type: 'image/png' }), 'teal.png')
  const avatar = pathOf((await eve.send('PATCH', '/api/v1/accounts/update_credentials', { form })).json.avatar)
  assert.equal((await server.send('GET', avatar)).status, 200)
  const staff = await server.person('staff', { role: 'admin' })
  await staff.post(`/api/v1/admin/accounts/${eve.id}/action`, { type: 'suspend' })
  assert.equal((await server.send('GET', avatar)).status, 404)
  assert.equal((await server.send('GET', pathOf(json.url))).status, 200)
})

test('a request that the storage is too busy for is repeated; an outage answers 503 and loses nothing', async () => {
  storage.fail(2, 503)
  const first = await upload()
  assert.equal(first.status, 200)
  server.expectErrors(/storage answered 500/)
  storage.fail(1000, 500)
  const refused = await Promise.all([upload(), server.send('GET', pathOf(first.json.url))])
  assert.deepEqual(
    refused.map(({ status }) => status),
    [503, 503],
  )
  storage.fail(0, 0)
  assert.equal((await server.send('GET', pathOf(first.json.url))).status, 200)
})

test('files that the storage does not delete during an outage are deleted after it', async () => {
  storage.objects.clear()
  const { json } = await upload()
  server.expectErrors(/storage answered 503/)
  storage.fail(1000, 503)
  assert.equal((await ada.send('DELETE', `/api/v1/media/${json.id}`)).status, 200)
  assert.equal(storage.objects.size, 2)
  storage.fail(0, 0)
  await bringForward(server, 'files.delete')
  await server.drain()
  assert.equal(storage.objects.size, 0)
})

test('an archive that is requested during a long outage is ready after it, and mailed once', async () => {
  const tab = await signedIn(server, ada)
  await upload()
  storage.fail(1000, 503)
  await tab.submit(await tab.get('/settings/export'), {}, { action: '/settings/export/archives' })
  await server.drain()
  // Most of a day later.
  const { rowCount } = await server.database.raw(
    `update pgboss.job set retry_count = 20 where name = 'portability.archive' and state = 'retry'`,
  )
  assert.equal(rowCount, 1)
  await bringForward(server, 'portability.archive')
  await server.drain()
  storage.fail(0, 0)
  await bringForward(server, 'portability.archive')
  await server.drain()
  const { text } = await tab.get('/settings/export')
  assert.match(text, /href="\/settings\/export\/archives\/\d+"/)
  const mails = (await mailsTo(server, ada.email)).filter((mail) => /archive/.test(mail.subject))
  assert.equal(mails.length, 1)
})

test('downloads that last do not keep others waiting', async (t) => {
  await server.ctx.files.put('media/x/large.mp4', photo, 'video/mp4')
  const stored = storage.objects.get('community/media/x/large.mp4')
  assert.ok(stored)
  stored.isEndless = true
  const readers = new AbortController()
  t.after(() => readers.abort())
  let ended = 0
  const open = (): Promise<Response> =>
    fetch(`${server.url}/files/media/x/large.mp4`, { signal: readers.signal }).then((response) => {
      const reader = response.body?.getReader()
      const read = async (): Promise<void> => {
        while (!(await reader?.read())?.done);
      }
      read().then(
        () => ended++,
        () => ended++,
      )
      return response
    })
  for (let opened = 0; opened < 70; opened += 10)
    for (const { status } of await Promise.all(Array.from({ length: 10 }, open))) assert.equal(status, 200)
  assert.equal((await upload()).status, 200)
  assert.equal(ended, 0, 'others waited until downloads were given up')
})

test('files that no row names are found on all pages of the list and deleted', async () => {
  storage.objects.clear()
  const { json } = await upload()
  for (const name of ['a', 'b', 'c']) await server.ctx.files.put(`media/x/${name}.png`, photo, 'image/png')
  for (const object of storage.objects.values()) object.modified = new Date(Date.now() - 25 * 3600_000)
  await server.ctx.files.put('media/x/new.png', photo, 'image/png')
  storage.objects.set('others/media/x.png', { body: photo, type: 'image/png', modified: new Date(0) })
  const { files, orphans } = await deleteOrphans(server.database, server.ctx.files, {
    dryRun: false,
    onProgress: () => {},
  })
  assert.deepEqual([files, orphans], [6, 3])
  assert.deepEqual(
    [...storage.objects.keys()].toSorted(),
    ['community/media/x/new.png', keyOf(json.preview_url), keyOf(json.url), 'others/media/x.png'].toSorted(),
  )
})

test('S3_ALIAS_HOST is the host of the addresses that clients get', () => {
  const store = storeWith({ S3_ALIAS_HOST: 'files.example.org' })
  assert.equal(store.url('media/a/b.png'), 'https://files.example.org/media/a/b.png')
})

test('a server that cannot use its bucket does not start, and says why in one line', async () => {
  const problem = (env: NodeJS.ProcessEnv): Promise<string> =>
    storeWith(env)
      .check()
      .then(
        () => '',
        ({ name, message }: Error) => `${name}: ${message}`,
      )
  assert.equal(await problem({}), '')
  assert.match(await problem({ AWS_SECRET_ACCESS_KEY: 'wrong' }), /^StartError: .*SignatureDoesNotMatch.*AWS_SECRET/)
  assert.match(await problem({ S3_BUCKET: 'none' }), /^StartError: The bucket none cannot be used: .*NoSuchBucket/)
  assert.throws(() => storeWith({ S3_BUCKET: '' }), /S3_ENABLED=true needs S3_BUCKET/)
  assert.throws(() => storeWith({ S3_ENDPOINT: 'storage' }), /S3_ENDPOINT=storage is not an address/)
})

test('a server starts during an outage of its bucket, which it uses afterwards', async () => {
  await assert.rejects(storeWith({ S3_ENDPOINT: 'http://127.0.0.1:1' }).check(), { name: 'Unavailable' })
  storage.fail(3, 503)
  const late = await startTestServer({ ...storage.env, S3_KEY_PREFIX: 'late' }, { fresh: true })
  try {
    await late.ctx.files.put('media/x/late.png', photo, 'image/png')
    assert.equal((await late.send('GET', '/files/media/x/late.png')).status, 200)
  } finally {
    await late.stop()
  }
})

test('while the storage is silent, requests fail soon, and at once after the first ones', async () => {
  const { first, next, requests } = await silence
  assert.deepEqual(new Set([...first, next]), new Set(['Unavailable']))
  assert.equal(requests, first.length)
})
