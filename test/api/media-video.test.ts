import { cleanUp } from '../support/acts.ts'
import { sql } from '../support/database.ts'
import { pngOf } from '../support/images.ts'
import { processMedia } from '../support/internals.ts'
import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { canMakeVideos, makeVideo, type VideoOptions } from '../support/media-files.ts'
import { eventually, type Answer } from '../support/server.ts'
import { stage } from '../support/stage.ts'

const skip = canMakeVideos ? false : 'node-av is not available for this platform'

const { server, ada } = await stage({ accounts: ['ada'], fresh: true })
const folder = await mkdtemp(join(tmpdir(), 'rookery-videos-'))
after(() => rm(folder, { recursive: true }))

const makeFile = async (name: string, how: VideoOptions = {}): Promise<Buffer> =>
  readFile(await makeVideo(folder, name, how))

function upload(file: Buffer, fields: Record<string, string | Buffer> = {}, version = 'v2'): Promise<Answer> {
  const data = new FormData()
  data.append('file', new Blob([file as never]), 'a')
  for (const [name, value] of Object.entries(fields))
    data.append(name, typeof value === 'string' ? value : new Blob([value as never]))
  return ada.send('POST', `/api/${version}/media`, { form: data })
}
const look = (id: string): Promise<Answer> => ada.send('GET', `/api/v1/media/${id}`)
const files = async (): Promise<string[]> =>
  (await readdir(join(server.ctx.config.dataDir, 'files'), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
    .toSorted()
const temporary = (): Promise<string[]> => readdir(join(server.ctx.config.dataDir, 'tmp'))
const bytesAt = async (url: string): Promise<{ type: string | null; path: string; bytes: Buffer }> => {
  const answer = await fetch(new URL(new URL(url).pathname, server.url), { headers: { host: server.domain } })
  assert.equal(answer.status, 200)
  const bytes = Buffer.from(await answer.arrayBuffer())
  const path = join(folder, 'fetched')
  await writeFile(path, bytes)
  return { type: answer.headers.get('content-type'), path, bytes }
}

test(
  'a video upload responds at once with its size and preview, and becomes an H.264 MP4 in the background',
  { skip },
  async () => {
    const sent = await upload(await makeFile('a.webm', { video: 'libvpx-vp9', audio: 'libopus' }), {
      description: 'Colours',
      focus: '0.5,-0.5',
    })
    assert.equal(sent.status, 202)
    const { id } = sent.json
    assert.deepEqual([sent.json.type, sent.json.url, sent.json.description], ['video', null, 'Colours'])
    assert.equal((await bytesAt(sent.json.preview_url)).type, 'image/webp')
    assert.ok(sent.json.blurhash.length > 6)
    const { width, height, duration: seconds } = sent.json.meta.original
    assert.deepEqual([width, height, Math.round(seconds)], [64, 48, 1])
    assert.equal(sent.json.meta.colors, undefined)
    await server.drain()

    const { status, json } = await look(id)
    assert.equal(status, 200)
    assert.equal(json.preview_url, sent.json.preview_url)
    const { duration, frame_rate: frameRate, bitrate, ...size } = json.meta.original
    assert.deepEqual(size, { width: 64, height: 48 })
    assert.ok(duration > 0.9 && duration < 1.1)
    assert.match(frameRate, /^\d+\/\d+$/)
    assert.ok(bitrate > 10_000)
    assert.deepEqual(json.meta.small, { width: 64, height: 48, size: '64x48', aspect: 4 / 3 })
    assert.deepEqual(json.meta.focus, { x: 0.5, y: -0.5 })
    const { length, fps, audio_encode, audio_bitrate, audio_channels, aspect } = json.meta
    assert.match(length, /^0:00:0[01]\.\d\d$/)
    assert.ok(fps >= 24 && fps <= 27)
    assert.deepEqual([json.meta.size, json.meta.width, json.meta.height, aspect], ['64x48', 64, 48, 4 / 3])
    assert.deepEqual([audio_encode, audio_bitrate, audio_channels], ['aac', '48000 Hz', 'stereo'])

    const { type, path } = await bytesAt(json.url)
    assert.equal(type, 'video/mp4')
    const { probe } = await import('node-av/api')
    const found = await probe(path)
    assert.deepEqual(
      found.streams.map(({ codec, pixelFormat }) => [codec, pixelFormat ?? null]),
      [
        ['h264', 'yuv420p'],
        ['aac', null],
      ],
    )
  },
)

test(
  'an upload to version 1 waits until a playable video is copied as it is, without its metadata',
  { skip },
  async () => {
    const metadata = {
      location: '+12.3400-056.7800/',
      title: 'secret',
      comment: 'secret',
      creation_time: '2020-01-01T00:00:00Z',
    }
    const original = await makeFile('place.mp4', {
      width: 320,
      height: 240,
      metadata,
      options: { movflags: 'use_metadata_tags' },
    })
    assert.ok(original.includes('secret'))
    const { status, json } = await upload(original, {}, 'v1')
    assert.deepEqual([status, json.type], [200, 'video'])
    const { type, bytes, path } = await bytesAt(json.url)
    assert.equal(type, 'video/mp4')
    assert.ok(!bytes.includes('secret') && !bytes.includes('12.34'))
    const { probe } = await import('node-av/api')
    const copied = await probe(path)
    assert.deepEqual(
      copied.streams.map(({ codec }) => codec),
      ['h264', 'aac'],
    )
    // The index comes first, so that the video plays while it loads.
    assert.ok(Math.abs(bytes.length - original.length) < 3000)
    assert.ok(bytes.indexOf('moov') < bytes.indexOf('mdat'))
  },
)

test('short videos without audio become gifv, of even sizes, and large ones are scaled down', { skip }, async () => {
  const odd = await upload(
    await makeFile('odd.webm', {
      width: 161,
      height: 91,
      seconds: 0.2,
      video: 'libvpx-vp9',
      audio: null,
      pixels: 'yuv444p',
    }),
    {},
    'v1',
  )
  assert.deepEqual([odd.json.type, odd.json.meta.audio_encode], ['gifv', undefined])
  assert.deepEqual([odd.status, odd.json.meta.original.width, odd.json.meta.original.height], [200, 160, 90])
  const large = await upload(
    await makeFile('large.mp4', { width: 1680, height: 1260, seconds: 0.2, rate: 10, audio: null, pixels: 'yuv444p' }),
    {},
    'v1',
  )
  const { width, height } = large.json.meta.original
  assert.ok(width * height <= 1920 * 1080 && width > 1600 && Math.abs(width / height - 4 / 3) < 0.01)
})

/** An upload that only the test converts. */
async function later(name: string): Promise<string> {
  const { status, json } = await upload(await makeFile(name))
  assert.equal(status, 202)
  return json.id
}

test('unprocessed media cannot be posted but can be edited, and can be posted once processed', { skip }, async () => {
  await server.queue.boss.offWork('media.process')
  const id = await later('later.mp4')
  const busy = await look(id)
  assert.deepEqual([busy.status, busy.json.url], [206, null])
  const early = await ada.send('POST', '/api/v1/statuses', { json: { status: 'x', media_ids: [id] } })
  assert.deepEqual(
    [early.status, early.json.error],
    [422, 'Cannot attach files that have not finished processing. Try again in a moment!'],
  )
  // Changes during processing are preserved.
  const red = await pngOf(40, 30, 'red')
  const data = new FormData()
  data.append('description', 'said meanwhile')
  data.append('focus', '0.25,0.75')
  data.append('thumbnail', new Blob([red]))
  const edited = await ada.send('PUT', `/api/v1/media/${id}`, { form: data })
  assert.equal(edited.status, 206)
  assert.equal((await bytesAt(edited.json.preview_url)).type, 'image/png')
  assert.equal(edited.json.meta.colors.background, '#ff0000')
  await processMedia(server.ctx, { mediaId: id })
  const { status, json } = await look(id)
  assert.equal(status, 200)
  assert.equal(json.description, 'said meanwhile')
  assert.deepEqual(json.meta.focus, { x: 0.25, y: 0.75 })
  assert.deepEqual([json.meta.small.width, json.preview_url], [40, edited.json.preview_url])
  const posted = await ada.post('/api/v1/statuses', { status: 'x', media_ids: [id] })
  assert.deepEqual(posted.media_attachments, [json])
  const page = await server.send('GET', new URL(posted.url).pathname)
  assert.ok(page.text.includes(`<meta property="og:video" content="${json.url}">`))
  assert.match(page.text, /<meta property="og:video:type" content="video\/mp4">\s*<meta property="og:video:width"/)
  const videos = await Promise.all([red, red].map(async (file): Promise<string> => (await upload(file)).json.id))
  await server.ctx.db.run(sql`update media_attachments set type = 'video' where id = any(${videos}::bigint[])`)
  const both = await ada.send('POST', '/api/v1/statuses', { json: { status: 'x', media_ids: videos } })
  assert.deepEqual(
    [both.status, both.json.error],
    [422, 'Cannot attach a video to a post that already contains images'],
  )
})

test('media deleted before their conversion leave no files, and their source is never served', { skip }, async () => {
  const before = await files()
  const id = await later('deleted.mp4')
  const { source_key: key } = await server.ctx.db.one<{ source_key: string }>(
    sql`select source_key from media_attachments where id = ${id}`,
  )
  assert.ok(await server.ctx.files.open(key))
  assert.equal((await server.send('GET', `/files/${key}`)).status, 404)
  assert.equal((await files()).length, before.length + 2)
  assert.equal((await ada.send('DELETE', `/api/v1/media/${id}`)).status, 200)
  await processMedia(server.ctx, { mediaId: id })
  assert.deepEqual(await files(), before)
  assert.equal((await look(id)).status, 404)
})

test('media deleted during their conversion leave no files', { skip }, async () => {
  const before = await files()
  const id = await later('during.mp4')
  const working = processMedia(server.ctx, { mediaId: id })
  await server.database.raw(`select 1`)
  assert.equal((await ada.send('DELETE', `/api/v1/media/${id}`)).status, 200)
  await working
  assert.deepEqual(await files(), before)
})

test('a conversion that runs twice has the same result', { skip }, async () => {
  const id = await later('twice.mp4')
  await Promise.all([processMedia(server.ctx, { mediaId: id }), processMedia(server.ctx, { mediaId: id })])
  const { status, json } = await look(id)
  assert.equal(status, 200)
  assert.equal((await bytesAt(json.url)).type, 'video/mp4')
  await processMedia(server.ctx, { mediaId: id })
  assert.deepEqual((await look(id)).json, json)
})

test('a file that crashed its conversion three times fails permanently', { skip }, async () => {
  const before = await files()
  const id = await later('deadly.mp4')
  await server.ctx.db.run(sql`update media_attachments set attempts = 3 where id = ${id}`)
  await processMedia(server.ctx, { mediaId: id })
  const failed = await look(id)
  assert.deepEqual([failed.status, failed.json.error], [422, 'Error processing thumbnail for uploaded media'])
  const attached = await ada.send('POST', '/api/v1/statuses', { json: { status: 'x', media_ids: [id] } })
  assert.equal(attached.status, 422)
  assert.equal((await ada.send('DELETE', `/api/v1/media/${id}`)).status, 200)
  assert.deepEqual(await files(), before)
})

test('the clean-up removes unfinished uploads and their files after a day', { skip }, async () => {
  const before = await files()
  const id = await later('old.mp4')
  await server.ctx.db.run(
    sql`update media_attachments set created_at = now() - interval '25 hours', processing = 'arriving' where id = ${id}`,
  )
  assert.equal((await look(id)).status, 404)
  await cleanUp(server.ctx)
  assert.deepEqual(await files(), before)
  // Removed after the response to the upload.
  await eventually(async () => (await temporary()).length === 0)
})
