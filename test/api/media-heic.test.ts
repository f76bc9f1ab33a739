// HEIC photos, the default format of iPhones.
import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import sharp from 'sharp'
import { canMakeHeic, makeHeic, type Heic, type Rgb } from '../support/heic.ts'
import { pngOf } from '../support/images.ts'
import { eventually, type Answer, type Person } from '../support/server.ts'
import { stage } from '../support/stage.ts'

const skip = canMakeHeic ? false : 'node-av is not available for this platform'
const INVALID_TYPE = 'Validation failed: File content type is invalid, File is invalid'
const [RED, GREEN, BLUE, WHITE]: [Rgb, Rgb, Rgb, Rgb] = [
  [255, 0, 0],
  [0, 255, 0],
  [0, 0, 255],
  [255, 255, 255],
]
/** Four tiles; those on the right and at the bottom are cropped. */
const GRID: Heic = { columns: 2, colors: [RED, GREEN, BLUE, WHITE], width: 120, height: 100 }

const { server, ada } = await stage({ accounts: ['ada'] })

function upload(who: Person, file: Buffer, fields: Record<string, string | Blob> = {}): Promise<Answer> {
  const data = new FormData()
  data.append('file', new Blob([file as never], { type: 'image/heic' }), 'IMG_0001.HEIC')
  for (const [name, value] of Object.entries(fields)) data.append(name, value)
  return who.send('POST', '/api/v2/media', { form: data })
}

async function stored(url: string): Promise<{ type: string | null; bytes: Buffer }> {
  const answer = await fetch(new URL(new URL(url).pathname, server.url))
  assert.equal(answer.status, 200)
  return { type: answer.headers.get('content-type'), bytes: Buffer.from(await answer.arrayBuffer()) }
}

/** The colours near the corners, by rows. */
async function corners(image: Buffer): Promise<string[]> {
  const { data, info } = await sharp(image).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  const names = new Map([RED, GREEN, BLUE, WHITE].map((color, i) => [color, ['red', 'green', 'blue', 'white'][i]]))
  return [
    [8, 8],
    [info.width - 8, 8],
    [8, info.height - 8],
    [info.width - 8, info.height - 8],
  ].map(([x = 0, y = 0]) => {
    const pixel = data.subarray((y * info.width + x) * 3, (y * info.width + x) * 3 + 3)
    const near = [...names].find(([color]) => color.every((value, i) => Math.abs(value - (pixel[i] ?? 0)) < 24))
    return near?.[1] ?? [...pixel].join()
  })
}

async function refused(file: Buffer, message: string | RegExp = INVALID_TYPE): Promise<void> {
  const { status, json } = await upload(ada, file)
  assert.equal(status, 422)
  if (typeof message === 'string') assert.equal(json.error, message)
  else assert.match(json.error, message)
  // An upload is removed after its response.
  await eventually(async () => (await readdir(join(server.ctx.config.dataDir, 'tmp'))).length === 0)
}

test('the instance lists HEIC as supported when it can be decoded', { skip }, async () => {
  for (const path of ['/api/v1/instance', '/api/v2/instance']) {
    const { supported_mime_types: types } = (await server.send('GET', path)).json.configuration.media_attachments
    assert.ok(types.includes('image/heic') && types.includes('image/heif'), path)
  }
})

test('a HEIC photo is stored as JPEG at its size, without EXIF metadata', { skip }, async () => {
  const { exif } = await sharp(
    await sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } })
      .withExif({ IFD0: { Artist: 'secret' }, IFD3: { GPSLatitude: '51/1 30/1 0/1' } })
      .jpeg()
      .toBuffer(),
  ).metadata()
  assert.ok(exif)
  const photo = await makeHeic({ ...GRID, exif: Buffer.concat([Buffer.alloc(4), exif.subarray(6)]) })
  assert.ok(photo.includes('secret'))
  const { status, json } = await upload(ada, photo, { description: 'four fields', focus: '0.5,-0.5' })
  assert.deepEqual([status, json.type, json.description], [200, 'image', 'four fields'])
  assert.deepEqual(json.meta.original, { width: 120, height: 100, size: '120x100', aspect: 1.2 })
  assert.deepEqual([json.meta.focus, json.meta.small.size], [{ x: 0.5, y: -0.5 }, '120x100'])
  assert.ok(json.blurhash.length > 6)
  const [original, small] = await Promise.all([stored(json.url), stored(json.preview_url)])
  assert.deepEqual([original.type, small.type], ['image/jpeg', 'image/webp'])
  const meta = await sharp(original.bytes).metadata()
  assert.deepEqual(
    [meta.format, meta.width, meta.height, meta.exif, meta.icc],
    ['jpeg', 120, 100, undefined, undefined],
  )
  assert.ok(!original.bytes.includes('secret'))
  assert.deepEqual(await corners(original.bytes), ['red', 'green', 'blue', 'white'])
})

test('a HEIC photo is cropped, rotated and mirrored as its properties say', { skip }, async () => {
  const turns: [Partial<Heic>, size: string, string[]][] = [
    [{ clap: [100, 60], irot: 1 }, '60x100', ['green', 'white', 'red', 'blue']],
    [{ irot: 3 }, '100x120', ['blue', 'red', 'white', 'green']],
    [{ irot: 2 }, '120x100', ['white', 'blue', 'green', 'red']],
    [{ imir: 0 }, '120x100', ['blue', 'white', 'red', 'green']],
    [{ irot: 1, imir: 1 }, '100x120', ['white', 'green', 'blue', 'red']],
  ]
  for (const [transformation, size, expected] of turns) {
    const { status, json } = await upload(ada, await makeHeic({ ...GRID, ...transformation }))
    assert.deepEqual([status, json.meta?.original.size], [200, size], JSON.stringify(transformation))
    assert.deepEqual(await corners((await stored(json.url)).bytes), expected, JSON.stringify(transformation))
  }
})

test('the colour profile of a HEIC photo is applied', { skip }, async () => {
  const { icc } = await sharp(
    await sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } })
      .withIccProfile('p3')
      .png()
      .toBuffer(),
  ).metadata()
  const reds = await Promise.all(
    [undefined, icc].map(async (profile) => {
      const { json } = await upload(
        ada,
        await makeHeic({ colors: [[200, 60, 60]], ...(profile ? { icc: profile } : {}) }),
      )
      return (
        (
          await sharp((await stored(json.url)).bytes)
            .raw()
            .toBuffer()
        )[0] ?? 0
      )
    }),
  )
  assert.ok(Math.abs((reds[0] ?? 0) - 200) < 5 && (reds[1] ?? 0) > 210, reds.join())
})

test('avatars, headers and thumbnails may be HEIC', { skip }, async () => {
  const heic = new Blob([(await makeHeic(GRID)) as never])
  const form = new FormData()
  form.set('avatar', heic)
  form.set('header', heic)
  const { status, json } = await ada.send('PATCH', '/api/v1/accounts/update_credentials', { form })
  assert.equal(status, 200)
  for (const url of [json.avatar, json.header]) assert.equal((await stored(url)).type, 'image/jpeg')
  const photo = await pngOf(30, 20, 'red')
  assert.equal((await upload(ada, photo, { thumbnail: heic })).json.meta.small.size, '120x100')
})

test('a HEIC photo of too many pixels is refused before it is decoded', { skip }, async () => {
  const started = performance.now()
  await refused(await makeHeic({ ...GRID, claims: [8000, 6000] }), '8000x6000 images are not supported')
  await refused(await makeHeic({ colors: [RED], claims: [60_000, 60_000] }), /60000x60000|File is invalid/)
  assert.ok(performance.now() - started < 60_000)
})

test('a HEIC photo that lies about its size is refused', { skip }, async () => {
  await refused(await makeHeic({ colors: [RED], tile: 512, claims: [64, 64] }))
  await refused(await makeHeic({ colors: [RED], claims: [5000, 5000] }))
  await refused(await makeHeic({ ...GRID, claims: [128, 128] }))
  await refused(await makeHeic({ ...GRID, width: 4000, height: 4000 }))
})

test('a broken HEIC photo is refused', { skip }, async () => {
  const whole = await makeHeic(GRID)
  await refused(whole.subarray(0, whole.length - 60))
  await refused(whole.subarray(0, 100))
  await refused(await makeHeic({ ...GRID, damage: (frame) => Buffer.alloc(frame.length, 0xff) }))
  await refused(await makeHeic({ ...GRID, damage: (frame) => frame.subarray(0, 5) }))
})
