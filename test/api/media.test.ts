import assert from 'node:assert/strict'
import { access, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import sharp from 'sharp'
import { sql } from '../support/database.ts'
import { pngOf } from '../support/images.ts'
import { eventually, type Answer, type Person } from '../support/server.ts'
import { stage } from '../support/stage.ts'

const { server, ada, bob } = await stage({ accounts: ['ada', 'bob'] })
const photo = await sharp({ create: { width: 800, height: 600, channels: 3, background: 'teal' } })
  .withExif({ IFD0: { Artist: 'secret' } })
  .jpeg()
  .toBuffer()

type Fields = { file?: Buffer | string; thumbnail?: Buffer; description?: string; focus?: string }

function form({ file, thumbnail, ...texts }: Fields): FormData {
  const data = new FormData()
  if (file !== undefined) data.append('file', new Blob([file as never], { type: 'image/png' }), 'claims-to-be.png')
  if (thumbnail) data.append('thumbnail', new Blob([thumbnail as never]), 'thumb.png')
  for (const [name, text] of Object.entries(texts)) data.append(name, text)
  return data
}
const upload = (who: Person, fields: Fields, path = '/api/v2/media'): Promise<Answer> =>
  who.send('POST', path, { form: form(fields) })
const refused = async (fields: Fields, message: string): Promise<void> => {
  const answer = await upload(ada, fields)
  assert.deepEqual([answer.status, answer.json], [422, { error: `Validation failed: ${message}` }])
}
const fileOf = (url: string): string => join(server.ctx.config.dataDir, new URL(url).pathname)
const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )

for (const version of ['v1', 'v2']) {
  test(`${version}: an image is processed at once and served without EXIF metadata`, async () => {
    const { status, json } = await upload(
      ada,
      { file: photo, description: '  A teal wall ', focus: '-0.5,0.25' },
      `/api/${version}/media`,
    )
    assert.equal(status, 200)
    assert.equal(json.type, 'image')
    assert.equal(json.description, 'A teal wall')
    assert.equal(json.remote_url, null)
    assert.deepEqual(json.meta.focus, { x: -0.5, y: 0.25 })
    assert.deepEqual(json.meta.original, { width: 800, height: 600, size: '800x600', aspect: 4 / 3 })
    assert.ok(json.blurhash.length > 6)
    const [original, preview] = await Promise.all(
      [json.url, json.preview_url].map((url: string) => server.send('GET', new URL(url).pathname)),
    )
    assert.deepEqual([original?.status, original?.headers.get('content-type')], [200, 'image/jpeg'])
    assert.deepEqual([preview?.status, preview?.headers.get('content-type')], [200, 'image/webp'])
    assert.ok(!original?.text.includes('secret'))
  })
}

test('the client library uploads, updates and fetches media', async () => {
  const attachment = await ada.client.v2.media.create({ file: new Blob([photo as never]), description: 'one' })
  assert.equal(attachment.description, 'one')
  const changed = await ada.client.v1.media.$select(attachment.id).update({ description: 'two', focus: '0,1' })
  assert.equal(changed.description, 'two')
  assert.deepEqual(changed.meta?.focus, { x: 0, y: 1 })
  assert.deepEqual(await ada.client.v1.media.$select(attachment.id).fetch(), changed)
})

test('caches may give one copy of a file to all clients, and none of a missing one', async () => {
  const { json } = await upload(ada, { file: photo })
  for (const url of [json.url, json.preview_url, `${server.url}/assets/avatar.png`]) {
    const { status, headers } = await fetch(url, { headers: { origin: 'https://client.test' } })
    assert.deepEqual([status, headers.get('vary'), headers.get('access-control-allow-origin')], [200, null, '*'], url)
    assert.match(headers.get('cache-control') ?? '', /^public, max-age=/)
  }
  const missing = await fetch(`${server.url}/files/media/missing.png`)
  assert.equal(missing.status, 404)
  assert.match(missing.headers.get('vary') ?? '', /Accept/)
})

test('an update leaves absent fields unchanged, and empty fields remove description and focus', async () => {
  const { json } = await upload(ada, { file: photo, description: 'here', focus: '0.1,0.2' })
  const same = await ada.put(`/api/v1/media/${json.id}`, {})
  assert.deepEqual(same, json)
  const bare = await ada.put(`/api/v1/media/${json.id}`, { description: '', focus: '' })
  assert.equal(bare.description, null)
  assert.equal(bare.meta.focus, undefined)
  assert.deepEqual(bare.meta.original, json.meta.original)
})

test('a thumbnail replaces the preview and deletes its file', async () => {
  const red = await pngOf(50, 50, 'red')
  const { json } = await upload(ada, { file: photo, thumbnail: red })
  assert.deepEqual([json.meta.original.width, json.meta.small.width], [800, 50])
  assert.deepEqual(json.meta.colors, { background: '#ff0000', foreground: '#000000', accent: '#000000' })
  const preview = await server.send('GET', new URL(json.preview_url).pathname)
  assert.equal(preview.headers.get('content-type'), 'image/png')
  const changed = (await ada.send('PUT', `/api/v1/media/${json.id}`, { form: form({ thumbnail: photo }) })).json
  assert.notEqual(changed.preview_url, json.preview_url)
  assert.notEqual(changed.blurhash, json.blurhash)
  assert.equal(changed.url, json.url)
  assert.deepEqual([await exists(fileOf(json.preview_url)), await exists(fileOf(changed.preview_url))], [false, true])
})

test('a thumbnail, a description and a focus that are changed at once all stay, and only one preview is stored', async () => {
  const [red, blue] = [await pngOf(50, 50, 'red'), await pngOf(50, 50, 'blue')]
  const change = (id: string, fields: Fields): Promise<Answer> =>
    ada.send('PUT', `/api/v1/media/${id}`, { form: form(fields) })
  for (let round = 0; round < 4; round++) {
    const { id } = (await upload(ada, { file: red })).json
    const changes = [{ thumbnail: red }, { thumbnail: blue }, { description: 'a wall' }, { focus: '0.5,0.5' }]
    const previews = (await Promise.all(changes.map((fields) => change(id, fields)))).map(
      ({ json }) => json.preview_url as string,
    )
    const { description, meta, preview_url } = (await ada.send('GET', `/api/v1/media/${id}`)).json
    assert.deepEqual([description, meta.focus], ['a wall', { x: 0.5, y: 0.5 }])
    for (const url of new Set(previews)) assert.equal(await exists(fileOf(url)), url === preview_url, url)
  }
})

test('files can be data: URIs in JSON, in forms and in multipart fields', async () => {
  const uri = `data:image/jpeg;base64,${photo.toString('base64')}`
  const red = await pngOf(50, 50, 'red')
  const thumbnail = `data:image/png;base64,${red.toString('base64')}`
  for (const body of [
    { json: { file: uri, thumbnail, description: 'a wall' } },
    { form: { file: uri, thumbnail, description: 'a wall' } },
    {
      form: Object.entries({ file: uri, thumbnail, description: 'a wall' }).reduce(
        (data, [name, text]) => (data.append(name, text), data),
        new FormData(),
      ),
    },
  ]) {
    const { status, json } = await ada.send('POST', '/api/v2/media', body)
    assert.deepEqual(
      [status, json.meta?.original.width, json.meta?.small.width, json.description],
      [200, 800, 50, 'a wall'],
    )
    assert.ok(!(await server.send('GET', new URL(json.url).pathname)).text.includes('secret'))
    const changed = await ada.send('PUT', `/api/v1/media/${json.id}`, { json: { thumbnail: uri } })
    assert.deepEqual([changed.status, changed.json.preview_url === json.preview_url], [200, false])
    const post = await ada.post('/api/v1/statuses', { status: 'wall', media_ids: [json.id] })
    const edited = await ada.put(`/api/v1/statuses/${post.id}`, {
      status: 'wall',
      media_ids: [json.id],
      media_attributes: [{ id: json.id, thumbnail }],
    })
    assert.deepEqual(
      [edited.media_attachments[0].meta.small.width, edited.media_attachments[0].meta.colors.background],
      [50, '#ff0000'],
    )
  }
  await eventually(async () => (await readdir(join(server.ctx.config.dataDir, 'tmp'))).length === 0)
})

test('malformed, foreign and oversized data: URIs are refused', async () => {
  const send = (file: string, token?: null): Promise<Answer> =>
    ada.send('POST', '/api/v2/media', { json: { file }, ...(token === null ? { token } : {}) })
  for (const uri of [
    'data:',
    'data:image/png,abc',
    'data:image/png;base64,',
    'data:image/png;base64,%%%',
    'file:///etc/passwd',
    'data:text/plain;base64,aGVsbG8=',
  ])
    assert.equal((await send(uri)).status, 422, uri)
  const large = (bytes: number): string => `data:image/png;base64,${Buffer.alloc(bytes).toString('base64')}`
  assert.equal((await send(large(16 * 1024 * 1024 + 3))).status, 413)
  assert.equal((await send(large(24 * 1024 * 1024))).status, 413)
  assert.equal((await send(large(3 * 1024 * 1024))).status, 422)
  // Large bodies are read only with a token and on media routes.
  assert.equal((await send(large(3 * 1024 * 1024), null)).status, 401)
  assert.equal((await ada.send('POST', '/api/v1/statuses', { json: { status: large(3 * 1024 * 1024) } })).status, 413)
  await eventually(async () => (await readdir(join(server.ctx.config.dataDir, 'tmp'))).length === 0)
})

test('invalid files, descriptions and focus points are refused with a validation error', async () => {
  const stored = async (): Promise<unknown> => (await server.database.raw('select id from media_attachments')).rowCount
  const before = Number(await stored())
  await refused({}, "File can't be blank")
  await refused({ file: 'plain text' }, 'File content type is invalid, File is invalid')
  await refused(
    { file: Buffer.from('000000186674797069736f6d0000020069736f6d69736f32', 'hex') },
    'File content type is invalid, File is invalid',
  )
  await refused(
    { file: Buffer.concat([photo, Buffer.alloc(17 * 1024 * 1024)]) },
    'File file size must be less than 16 MB',
  )
  await refused({ file: Buffer.alloc(17 * 1024 * 1024) }, 'File content type is invalid, File is invalid')
  await refused({ file: photo, description: 'é'.repeat(1501) }, 'Description is too long (maximum is 1500 characters)')
  await refused({ file: photo, focus: 'left' }, 'Focus is invalid')
  assert.equal(
    (await upload(ada, { file: photo, description: 'é'.repeat(1500), focus: '-7,1e0' })).json.meta.focus.x,
    -1,
  )
  assert.equal((await ada.send('POST', '/api/v2/media', { json: { file: 'text' } })).status, 422)
  assert.equal(await stored(), before + 1, 'only the one that was accepted is stored')
})

test('media are accessible only to their owner, and no longer once a status uses them', async () => {
  const { json } = await upload(ada, { file: photo })
  const path = `/api/v1/media/${json.id}`
  assert.equal((await bob.send('GET', path)).status, 404)
  assert.equal((await bob.send('PUT', path, { json: { description: 'mine' } })).status, 404)
  assert.equal((await bob.send('DELETE', path)).status, 404)
  assert.equal((await server.send('GET', path)).status, 401)
  assert.equal((await server.send('POST', '/api/v2/media', { form: form({ file: photo }) })).status, 401)
  assert.equal(
    (
      await ada.send('GET', path, {
        token: await server.token({ userId: ada.userId, scopes: ['read', 'write:statuses'] }),
      })
    ).status,
    403,
  )
  assert.equal(
    (await ada.send('GET', path, { token: await server.token({ userId: ada.userId, scopes: ['write:media'] }) }))
      .status,
    200,
  )
  assert.equal((await ada.send('GET', '/api/v1/media/none')).status, 404)

  await server.ctx.db.run(sql`
    with post as (insert into statuses (id, account_id, visibility, local) values (${json.id}, ${ada.id}, 'public', true) returning id)
    update media_attachments set status_id = post.id from post where media_attachments.id = ${json.id}`)
  assert.equal((await ada.send('GET', path)).status, 404)
  assert.equal((await ada.send('PUT', path, { json: { description: 'late' } })).status, 404)
  const used = await ada.send('DELETE', path)
  assert.deepEqual([used.status, used.json], [422, { error: 'Media attachment is currently used by a status' }])
  assert.ok(await exists(fileOf(json.url)))
})

test('deleting media deletes their files', async () => {
  const { json } = await upload(ada, { file: photo })
  assert.deepEqual((await ada.send('DELETE', `/api/v1/media/${json.id}`)).json, {})
  assert.deepEqual(await Promise.all([json.url, json.preview_url].map((url: string) => exists(fileOf(url)))), [
    false,
    false,
  ])
  assert.equal((await ada.send('GET', `/api/v1/media/${json.id}`)).status, 404)
})
