import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { pngOf } from '../support/images.ts'
import { canMakeVideos, makeVideo, tone, withCover, type VideoOptions } from '../support/media-files.ts'
import type { Answer } from '../support/server.ts'
import { stage } from '../support/stage.ts'

const skip = canMakeVideos ? false : 'node-av is not available for this platform'

const { server, ada } = await stage({ accounts: ['ada'] })
const folder = await mkdtemp(join(tmpdir(), 'rookery-audio-'))
after(() => rm(folder, { recursive: true }))

const makeAudio = async (name: string, how: VideoOptions): Promise<Buffer> =>
  readFile(await makeVideo(folder, name, { video: null, ...how }))
const makeImage = (background: string): Promise<Buffer> => pngOf(120, 90, background)

function upload(file: Buffer, thumbnail?: Buffer, version = 'v1'): Promise<Answer> {
  const data = new FormData()
  data.append('file', new Blob([file as never]), 'a')
  if (thumbnail) data.append('thumbnail', new Blob([thumbnail as never]), 'b')
  return ada.send('POST', `/api/${version}/media`, { form: data })
}

async function fetched(url: string): Promise<{ type: string | null; bytes: Buffer; codec: string | undefined }> {
  const answer = await fetch(new URL(new URL(url).pathname, server.url))
  const bytes = Buffer.from(await answer.arrayBuffer())
  const path = join(folder, 'fetched')
  await writeFile(path, bytes)
  const { probe } = await import('node-av/api')
  return {
    type: answer.headers.get('content-type'),
    bytes,
    codec: (await probe(path)).audio?.codec.replace('float', ''),
  }
}

/** Checks what all stored audio has in common, and returns the file. */
async function assertStored(json: any, storedType: string, codec: string): Promise<Buffer> {
  assert.equal(json.type, 'audio')
  const { duration, bitrate, ...rest } = json.meta.original
  assert.ok(duration > 0.9 && duration < 1.1, String(duration))
  assert.ok(bitrate > 30_000)
  assert.deepEqual(rest, {})
  assert.equal(json.meta.duration, duration)
  assert.match(json.meta.length, /^0:00:0[01]\.\d\d$/)
  assert.equal(json.meta.audio_encode, codec)
  assert.match(json.meta.audio_bitrate, /^\d+ Hz$/)
  const file = await fetched(json.url)
  assert.deepEqual([file.type, file.codec], [storedType, codec])
  return file.bytes
}

/** The tests below upload WAV and MP3. */
const KINDS: [name: string, make: () => Promise<Buffer>, storedType: string, codec: string][] = [
  ['FLAC', () => makeAudio('a.flac', { audio: 'flac' }), 'audio/mpeg', 'mp3'],
  ['Opus', () => makeAudio('a.opus', { audio: 'libopus' }), 'audio/mpeg', 'mp3'],
  ['WMA', () => makeAudio('a.wma', { audio: 'wmav2' }), 'audio/mpeg', 'mp3'],
  ['WebM without video', () => makeAudio('a.webm', { audio: 'libopus' }), 'audio/mpeg', 'mp3'],
  ['M4A', () => makeAudio('a.m4a', { audio: 'aac' }), 'audio/mp4', 'aac'],
  ['AAC', () => makeAudio('a.aac', { audio: 'aac' }), 'audio/mp4', 'aac'],
]
for (const [name, make, storedType, codec] of KINDS)
  test(`${name} audio is stored as ${codec}, without a preview`, { skip }, async () => {
    const { status, json } = await upload(await make())
    assert.deepEqual([status, json.preview_url, json.blurhash, json.meta.small], [200, null, null, undefined])
    await assertStored(json, storedType, codec)
  })

test('the cover of an MP3 file becomes its preview and colours, and its metadata is removed', { skip }, async () => {
  const bare = await makeAudio('cover.mp3', { audio: 'libmp3lame' })
  const { status, json } = await upload(withCover(bare, await makeImage('#203060'), 'secret title'))
  assert.equal(status, 200)
  assert.equal(
    (await fetch(new URL(new URL(json.preview_url).pathname, server.url))).headers.get('content-type'),
    'image/png',
  )
  assert.deepEqual(json.meta.small, { width: 120, height: 90, size: '120x90', aspect: 4 / 3 })
  assert.ok(json.blurhash.length > 5)
  assert.match(json.meta.colors.background, /^#[12][0-9a-f]3[0-9a-f][56][0-9a-f]$/)
  for (const color of Object.values(json.meta.colors)) assert.match(String(color), /^#[0-9a-f]{6}$/)
  assert.ok(!(await assertStored(json, 'audio/mpeg', 'mp3')).includes('secret'))
})

test('a cover that is not an image is ignored', { skip }, async () => {
  const bare = await makeAudio('bad.mp3', { audio: 'libmp3lame' })
  const { status, json } = await upload(withCover(bare, Buffer.from('no picture at all'), 'x'))
  assert.deepEqual([status, json.type, json.preview_url], [200, 'audio', null])
})

test(
  'a WAV upload to version 2 responds with 202, and with 200 once it is stored as MP3, with its thumbnail',
  { skip },
  async () => {
    const sent = await upload(tone(1), await makeImage('white'), 'v2')
    assert.deepEqual([sent.status, sent.json.url], [202, null])
    await server.drain()
    const { status: found, json } = await ada.send('GET', `/api/v1/media/${sent.json.id}`)
    assert.equal(found, 200)
    await assertStored(json, 'audio/mpeg', 'mp3')
    assert.deepEqual(json.meta.colors, { background: '#ffffff', foreground: '#000000', accent: '#000000' })
    assert.equal(json.meta.small.width, 120)

    // Its type and duration are in ActivityPub and in link previews.
    const status = await ada.post('/api/v1/statuses', { status: 'listen', media_ids: [json.id] })
    const note = await server.send('GET', new URL(status.uri).pathname, {
      headers: { accept: 'application/activity+json' },
    })
    const [document] = note.json.attachment
    assert.deepEqual([document.type, document.mediaType, document.url], ['Document', 'audio/mpeg', json.url])
    assert.match(document.duration, /^PT\d+S$/)
    const page = await server.send('GET', new URL(status.url).pathname)
    assert.ok(page.text.includes(`<meta property="og:audio" content="${json.url}">`))
    assert.match(page.text, /<meta property="og:audio:type" content="audio\/mpeg">/)
  },
)

test('the thumbnail of audio must be an image', { skip }, async () => {
  assert.equal((await upload(tone(1), Buffer.from('not a picture'))).status, 422)
})
