import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import sharp from 'sharp'
import { makeHeic } from '../support/heic.ts'
import { pngOf } from '../support/images.ts'
import { canMakeVideos, firstPixel, makeVideo, tone } from '../support/media-files.ts'
import { eventually, startTestServer, type Answer, type Person } from '../support/server.ts'
import { stage } from '../support/stage.ts'

const skip = canMakeVideos ? false : 'node-av is not available for this platform'

// A test holds up statements: those after them on the same connection wait, too.
const { server, ada } = await stage({ accounts: ['ada'], env: { DB_POOL: '10' } })
const folder = await mkdtemp(join(tmpdir(), 'rookery-animations-'))
after(() => rm(folder, { recursive: true }))

function upload(who: Person, file: Buffer, version = 'v2', description = ''): Promise<Answer> {
  const data = new FormData()
  data.append('file', new Blob([file as never]), 'a.png')
  data.append('description', description)
  return who.send('POST', `/api/${version}/media`, { form: data })
}

/** An animation with one frame per colour. */
async function moving(colors: string[], format: 'gif' | 'webp', delay = 200): Promise<Buffer> {
  const frames = colors.map((background) =>
    sharp({ create: { width: 64, height: 48, channels: 4, background } })
      .png()
      .toBuffer(),
  )
  const joined = sharp(await Promise.all(frames), { join: { animated: true } })
  const delays = colors.map(() => delay)
  return (
    format === 'gif' ? joined.gif({ delay: delays, loop: 0 }) : joined.webp({ delay: delays, lossless: true })
  ).toBuffer()
}

async function fetched(url: string): Promise<string> {
  const answer = await fetch(new URL(new URL(url).pathname, server.url))
  assert.deepEqual([answer.status, answer.headers.get('content-type')], [200, 'video/mp4'])
  const path = join(folder, 'fetched.mp4')
  await writeFile(path, Buffer.from(await answer.arrayBuffer()))
  return path
}

const KINDS: [string, () => Promise<Buffer>][] = [
  ['GIF', () => moving(['red', 'lime', 'blue'], 'gif')],
  ['WebP', () => moving(['red', 'lime', 'blue'], 'webp')],
  [
    'APNG',
    async () =>
      readFile(await makeVideo(folder, 'a.apng', { video: 'apng', audio: null, pixels: 'rgba', seconds: 0.4 })),
  ],
]
/** Of each kind. */
const converted: string[] = []
for (const [name, make] of KINDS)
  test(`an animated ${name} becomes a video without audio`, { skip }, async () => {
    const sent = await upload(ada, await make(), 'v2', 'it moves')
    assert.deepEqual([sent.status, sent.json.type, sent.json.url], [202, 'gifv', null])
    assert.equal(
      (await fetch(new URL(new URL(sent.json.preview_url).pathname, server.url))).headers.get('content-type'),
      'image/webp',
    )
    await server.drain()
    const { status, json } = await ada.send('GET', `/api/v1/media/${sent.json.id}`)
    assert.deepEqual([status, json.type, json.description], [200, 'gifv', 'it moves'])
    assert.ok(json.meta.original.width > 0 && json.meta.original.duration > 0.3 && json.meta.original.duration < 0.9)
    assert.equal(json.meta.audio_encode, undefined)
    assert.ok(json.blurhash)
    const { probe } = await import('node-av/api')
    const found = await probe(await fetched(json.url))
    assert.deepEqual(
      found.streams.map(({ codec }) => codec),
      ['h264'],
    )
    converted.push(json.id)
  })

test('a post can have several animations together with images', { skip }, async () => {
  const { json: image } = await upload(ada, await pngOf(9, 9, 'teal'))
  const status = await ada.post('/api/v1/statuses', { status: 'look', media_ids: [...converted, image.id] })
  assert.deepEqual(
    status.media_attachments.map(({ type }: { type: string }) => type),
    ['gifv', 'gifv', 'gifv', 'image'],
  )
  const page = await server.send('GET', new URL(status.url).pathname, { headers: { accept: 'text/html' } })
  assert.match(page.text, /<video src="[^"]+\.mp4" controls loop muted playsinline/)
  assert.ok(!page.text.includes('autoplay'))
})

test('the frames of an animation retain their durations, and transparent areas become white', { skip }, async () => {
  const gif = await moving(['#00000000', '#00000000', 'red'], 'gif', 700)
  const { json } = await upload(ada, gif, 'v1')
  assert.ok(Math.abs(json.meta.original.duration - 2.1) < 0.1, String(json.meta.original.duration))
  for (const value of await firstPixel(await fetched(json.url))) assert.ok(value > 240, String(value))
})

test('a GIF, WebP, PNG or APNG of one frame remains an image', { skip }, async () => {
  const one = sharp({ create: { width: 64, height: 48, channels: 3, background: 'teal' } })
  for (const file of [await one.gif().toBuffer(), await one.webp().toBuffer(), await one.png().toBuffer()]) {
    const { status, json } = await upload(ada, file)
    assert.deepEqual([status, json.type, typeof json.url], [200, 'image', 'string'])
  }
  const single = await readFile(
    await makeVideo(folder, 'one.apng', { video: 'apng', audio: null, pixels: 'rgba', seconds: 0.04 }),
  )
  assert.deepEqual([(await upload(ada, single)).json.type], ['image'])
})

test('an animation with too many pixels in total is refused at upload', { skip }, async () => {
  const one = await sharp({ create: { width: 2800, height: 2800, channels: 3, background: 'teal' } })
    .gif()
    .toBuffer()
  const start = 13 + 3 * 2 ** (((one[10] ?? 0) & 7) + 1)
  const frames = Array<Buffer>(300).fill(one.subarray(start, -1))
  const answer = await upload(ada, Buffer.concat([one.subarray(0, start), ...frames, one.subarray(-1)]))
  assert.deepEqual([answer.status, answer.json.error], [422, '2800x2800 animations of 300 frames are not supported'])
})

const WAITING = `select from pg_locks where locktype = 'advisory' and objid = 77 and not granted
  and database = (select oid from pg_database where datname = current_database())`

test('conversions of one account do not delay those of other accounts', { skip }, async () => {
  const [bob, eve] = [await server.person('bob'), await server.person('eve')]
  // Blocks every conversion of ada and eve at its start until the lock is released.
  await server.database.raw(`
    create function hold() returns trigger language plpgsql as $$ begin perform pg_advisory_xact_lock_shared(77); return new; end $$;
    create trigger hold before update of attempts on media_attachments for each row when (new.account_id in (${ada.id}, ${eve.id})) execute function hold()`)
  const holder = await server.database.dedicated()
  try {
    await holder.query('select pg_advisory_lock(77)')
    const gif = await moving(['red', 'lime'], 'gif')
    const send = async (who: Person): Promise<string> => (await upload(who, gif)).json.id
    await send(ada)
    // Two workers that ask for jobs at the same moment may each get one of the same account.
    await eventually(async () => (await holder.query(WAITING)).rows.length > 0)
    for (let i = 0; i < 2; i++) await send(ada)
    const small = await send(bob)
    await eventually(async () => (await bob.send('GET', `/api/v1/media/${small}`)).status === 200)
    // All workers are now busy: the account with the fewest waiting jobs is next.
    await send(eve)
    const next = await send(bob)
    await holder.query('select pg_advisory_unlock(77)')
    await server.drain()
    assert.equal((await bob.send('GET', `/api/v1/media/${next}`)).status, 200)
    const { rows } = await server.database.raw(`
      select job.group_id from pgboss.job where name = 'media.process' and group_id in ('${ada.id}', '${bob.id}') order by started_on desc limit 2`)
    assert.deepEqual(rows, [{ group_id: ada.id }, { group_id: ada.id }])
  } finally {
    await holder.end()
    await server.database.raw('drop trigger if exists hold on media_attachments; drop function if exists hold')
  }
})

test('without media processing, audio and animations are stored as uploaded, and HEIC photos are refused', async () => {
  const plain = await startTestServer({ MEDIA_PROCESSING: 'off' })
  try {
    const eve = await plain.person('eve')
    const { status, json } = await upload(eve, await moving(['red', 'lime'], 'gif'))
    assert.deepEqual([status, json.type], [200, 'image'])
    assert.match(json.url, /\.gif$/)
    const file = tone(1)
    for (const version of ['v1', 'v2']) {
      const audio = await upload(eve, file, version, 'a tone')
      assert.deepEqual(
        [audio.status, audio.json.type, audio.json.description, audio.json.preview_url],
        [200, 'audio', 'a tone', null],
      )
      const answer = await fetch(new URL(new URL(audio.json.url).pathname, plain.url))
      assert.equal(answer.headers.get('content-type'), 'audio/wav')
      assert.deepEqual(Buffer.from(await answer.arrayBuffer()), file)
      assert.equal((await eve.send('GET', `/api/v1/media/${audio.json.id}`)).status, 200)
      await eve.post('/api/v1/statuses', { status: 'x', media_ids: [audio.json.id] })
    }
    const { supported_mime_types: types } = (await plain.send('GET', '/api/v2/instance')).json.configuration
      .media_attachments
    assert.ok(types.includes('audio/wav'))
    for (const type of ['audio/3gpp', 'image/heic', 'image/heif']) assert.ok(!types.includes(type), type)
    if (!canMakeVideos) return
    const photo = await upload(eve, await makeHeic({ colors: [[255, 0, 0]] }))
    assert.deepEqual(
      [photo.status, photo.json.error],
      [422, 'Validation failed: File content type is invalid, File is invalid'],
    )
  } finally {
    await plain.stop()
  }
})
