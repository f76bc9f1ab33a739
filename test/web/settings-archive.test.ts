import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import sharp from 'sharp'
import { extract } from 'tar-stream'
import { setSettings } from '../support/acts.ts'
import { failStatement } from '../support/faults.ts'
import { browser, cookieOf, type Browser, signedIn } from '../support/forms.ts'
import { bringForward } from '../support/jobs.ts'
import { mailsTo } from '../support/mail.ts'
import { stage } from '../support/stage.ts'

const { server, ada, bob } = await stage({ accounts: ['ada', 'bob'] })

async function unpack(bytes: Buffer): Promise<Map<string, Buffer>> {
  const files = new Map<string, Buffer>()
  const archive = extract()
  archive.on('entry', (header, stream, next) => {
    const chunks: Buffer[] = []
    stream.on('data', (chunk: unknown) => chunks.push(chunk as Buffer))
    stream.on('end', () => {
      files.set(header.name, Buffer.concat(chunks))
      next()
    })
  })
  Readable.from(gunzipSync(bytes)).pipe(archive)
  await once(archive, 'finish')
  return files
}

/** Collects the names in the folder of temporary files. */
async function watchTemporary(names: Set<string>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    for (const name of await readdir(join(server.ctx.config.dataDir, 'tmp')).catch(() => [])) names.add(name)
    await delay(1)
  }
}

const fetchArchive = async (tab: Browser, path: string): Promise<Response> => {
  const cookie = cookieOf(tab)
  return fetch(server.url + path, { headers: { cookie }, redirect: 'manual' })
}

test('an archive is complete, available to its owner only, and limited to one per week', async () => {
  const kim = await server.person('kim')
  const form = new FormData()
  const image = await sharp({ create: { width: 60, height: 40, channels: 3, background: '#862' } })
    .jpeg()
    .toBuffer()
  form.set('file', new File([new Uint8Array(image)], 'me.jpg', { type: 'image/jpeg' }))
  const media = (await kim.send('POST', '/api/v2/media', { form })).json
  const images = new FormData()
  for (const kind of ['avatar', 'header'])
    images.set(kind, new File([new Uint8Array(image)], 'me.jpg', { type: 'image/jpeg' }))
  await kim.send('PATCH', '/api/v1/accounts/update_credentials', { form: images })
  await server.drain()
  const post = await kim.post('/api/v1/statuses', { status: 'With an image', media_ids: [media.id] })
  const secret = await kim.post('/api/v1/statuses', { status: 'For me', visibility: 'direct' })
  const other = await ada.post('/api/v1/statuses', { status: 'Worth keeping' })
  for (const what of ['favourite', 'bookmark', 'reblog']) await kim.post(`/api/v1/statuses/${other.id}/${what}`)
  const tab = await signedIn(server, kim)
  const temporary = new Set<string>()
  const watching = new AbortController()
  const watched = watchTemporary(temporary, watching.signal)
  const asked = await tab.submit(await tab.get('/settings/export'), {}, { action: '/settings/export/archives' })
  assert.match(asked.text, /Your archive is being made/)
  const mail = (await mailsTo(server, kim.email)).at(-1)
  watching.abort()
  await watched
  assert.match([...temporary].join(), /^upload-archive-\w+$/, 'the clean-up at the start finds what a crash leaves')
  assert.match(`${mail?.subject}: ${mail?.text}`, /archive [^]* is ready: [^]*@kim[^]*\/settings\/export\n/)
  const page = await tab.get('/settings/export')
  const link = /href="(\/settings\/export\/archives\/\d+)"/.exec(page.text)?.[1] ?? ''
  const answer = await fetchArchive(tab, link)
  assert.equal(answer.status, 200)
  assert.match(answer.headers.get('content-disposition') ?? '', /^attachment; filename="archive-[\d-]+-kim\.tar\.gz"$/)
  const files = await unpack(Buffer.from(await answer.arrayBuffer()))
  const outbox = JSON.parse(String(files.get('outbox.json')))
  assert.equal(outbox.totalItems, 3)
  assert.deepEqual(
    outbox.orderedItems.map(({ type, object }: any) => [type, object.id ?? object]),
    [
      ['Create', post.uri],
      ['Create', secret.uri],
      ['Announce', other.uri],
    ],
  )
  const imageName = outbox.orderedItems[0].object.attachment[0].url
  assert.match(imageName, /^media\/\d+\.\w+$/)
  assert.ok((files.get(imageName)?.length ?? 0) > 100)
  const actor = JSON.parse(String(files.get('actor.json')))
  assert.equal(actor.preferredUsername, 'kim')
  for (const { url } of [actor.icon, actor.image]) assert.ok((files.get(url)?.length ?? 0) > 100, url)
  assert.equal(actor.outbox, 'outbox.json')
  for (const name of [actor.likes, actor.bookmarks]) {
    const { totalItems, orderedItems } = JSON.parse(String(files.get(name)))
    assert.deepEqual([totalItems, orderedItems], [1, [other.uri]], name)
  }
  assert.ok([...files.keys()].every((name) => !name.startsWith('/') && !name.includes('..')))

  assert.equal((await fetchArchive(await signedIn(server, bob), link)).status, 404)
  assert.match((await fetchArchive(browser(server), link)).headers.get('location') ?? '', /sign_in/)
  const { rows } = await server.database.raw('select file_key from archives where account_id = $1', [kim.id])
  assert.equal((await server.send('GET', `/files/${rows[0].file_key}`)).status, 404, 'the file is not public')

  assert.doesNotMatch(page.text, /Request an archive/)
  const token = asked.forms.at(-1)?.fields.csrf_token ?? ''
  const again = await tab.post('/settings/export/archives', { csrf_token: token })
  assert.deepEqual([again.status, /once in 7 days/.test(again.text)], [422, true])

  await server.database.raw(
    `update archives set finished_at = now() - interval '8 days', created_at = now() - interval '8 days'`,
  )
  await server.ctx.enqueue('instance.clean-up', {})
  await server.drain()
  assert.equal((await fetchArchive(tab, link)).status, 404)
  assert.equal(await server.ctx.files.open(rows[0].file_key), null)
  await setSettings(server.ctx, { backups_retention_period: 30 })
  const { text } = await tab.get('/settings/export')
  assert.match(text, /request an archive every 7 days, and download it for 30 days[^]*Request an archive/)
})

test('a failed archive says so, and can be requested again at once', async () => {
  const tab = await signedIn(server, bob)
  await server.database.raw(`insert into archives (account_id, state) values ($1, 'failed')`, [bob.id])
  const page = await tab.get('/settings/export')
  assert.match(page.text, /<strong>[^<]*(failed|could not)[^<]*<\/strong>/i)
  const asked = await tab.submit(page, {}, { action: '/settings/export/archives' })
  assert.match(asked.text, /Your archive is being made/)
})

test('an archive that could not be recorded is made again, and leaves one file', async () => {
  const lea = await server.person('lea')
  const tab = await signedIn(server, lea)
  const page = await tab.get('/settings/export')
  // An earlier test may still have its archive made.
  await server.drain()
  failStatement("update archives set state = 'ready'", '55P03')
  await tab.submit(page, {}, { action: '/settings/export/archives' })
  await server.drain()
  const link = /href="\/settings\/export\/archives\/\d+"/
  assert.doesNotMatch((await tab.get('/settings/export')).text, link)
  await bringForward(server, 'portability.archive')
  await server.drain()
  assert.match((await tab.get('/settings/export')).text, link)
  const files = await Array.fromAsync(server.ctx.files.list(), ({ key }) => key)
  assert.equal(files.filter((key) => key.startsWith('private/') && key.includes(`/${lea.id}/`)).length, 1)
})

test('the archive is deleted with the account', async () => {
  const lou = await server.person('lou')
  const tab = await signedIn(server, lou)
  await tab.submit(await tab.get('/settings/export'), {}, { action: '/settings/export/archives' })
  await server.drain()
  const { rows } = await server.database.raw('select file_key from archives where account_id = $1', [lou.id])
  assert.notEqual(await server.ctx.files.open(rows[0].file_key), null)
  const fields = { username: 'lou', current_password: lou.password }
  await tab.submit(await tab.get('/settings/delete'), fields, { action: '/settings/delete' })
  await server.drain()
  assert.equal(await server.ctx.files.open(rows[0].file_key), null)
})
