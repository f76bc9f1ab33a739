import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { crc32, deflateSync } from 'node:zlib'
import { isBlurhashValid } from 'blurhash'
import sharp, { type Sharp } from 'sharp'
import { Invalid } from '../../lib/errors.ts'
import { processAvatar, processHeader, processImage } from './image.ts'
import { stripGif, stripWebp } from './strip.ts'

const dir = mkdtempSync(join(tmpdir(), 'image-test-'))
after(() => rmSync(dir, { recursive: true }))
let files = 0

function fileOf(bytes: Buffer | string, name = 'upload'): string {
  const path = join(dir, `${name}-${files++}`)
  writeFileSync(path, bytes)
  return path
}

/** Left half red, right half blue. */
function image(width: number, height: number, alpha = 1): Sharp {
  const half = {
    create: { width: Math.ceil(width / 2), height, channels: 4 as const, background: { r: 255, g: 0, b: 0, alpha: 1 } },
  }
  return sharp({ create: { width, height, channels: 4, background: { r: 0, g: 0, b: 255, alpha } } }).composite([
    { input: half, left: 0, top: 0 },
  ])
}

async function animation(format: 'gif' | 'webp', frames = 3): Promise<Buffer> {
  const inputs = await Promise.all(
    Array.from({ length: frames }, (_, i) =>
      sharp({ create: { width: 60, height: 40, channels: 3, background: { r: (i * 80) % 256, g: i, b: 0 } } })
        .png()
        .toBuffer(),
    ),
  )
  const joined = sharp(inputs, { join: { animated: true } })
  return joined[format]({ loop: 0 }).toBuffer()
}

function pngOf(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type), data])
    const out = Buffer.alloc(body.length + 8)
    out.writeUInt32BE(data.length)
    body.copy(out, 4)
    out.writeUInt32BE(crc32(body), body.length + 4)
    return out
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width)
  header.writeUInt32BE(height, 4)
  header.set([8, 2, 0, 0, 0], 8)
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.alloc(100))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

const refused = (
  bytes: Buffer | string,
  message = 'Validation failed: File content type is invalid, File is invalid',
): Promise<void> =>
  assert.rejects(
    processImage(fileOf(bytes)),
    (error) => (error instanceof Invalid && error.message === message) || assert.fail(String(error)),
  )

test('a photo is stored upright and without metadata', async () => {
  const photo = await image(600, 400)
    .flatten()
    .keepExif()
    .withExif({ IFD0: { Artist: 'somebody' }, IFD3: { GPSLatitude: '51/1 30/1 0/1' } })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer()
  const { original, small, meta, blurhash } = await processImage(fileOf(photo))
  const stored = await sharp(original.data).metadata()
  assert.deepEqual(
    [stored.format, stored.width, stored.height, stored.orientation, stored.exif, stored.xmp, stored.icc],
    ['jpeg', 400, 600, undefined, undefined, undefined, undefined],
  )
  const [top, bottom] = await Promise.all(
    [10, 590].map((y) => sharp(original.data).extract({ left: 200, top: y, width: 1, height: 1 }).raw().toBuffer()),
  )
  assert.ok((top?.[0] ?? 0) > 200 && (bottom?.[2] ?? 0) > 200, 'red above, blue below')
  assert.deepEqual(meta, {
    original: { width: 400, height: 600, size: '400x600', aspect: 400 / 600 },
    small: {
      width: small.width,
      height: small.height,
      size: `${small.width}x${small.height}`,
      aspect: small.width / small.height,
    },
  })
  assert.ok(small.width * small.height <= 230_400 && small.width * small.height > 225_000)
  assert.ok(isBlurhashValid(blurhash).result)
  assert.equal(blurhash.length, 4 + 2 * 16)
})

test('formats are preserved, or converted to one that all clients support', async () => {
  const results = await Promise.all(
    [
      image(30, 20).flatten().jpeg().toBuffer(),
      image(30, 20, 0).png().toBuffer(),
      image(30, 20).png({ palette: true }).toBuffer(),
      image(30, 20).webp().toBuffer(),
      sharp({ create: { width: 30, height: 20, channels: 3, background: 'red' } })
        .avif({ effort: 0 })
        .toBuffer(),
      image(30, 20, 0.5).avif({ effort: 0 }).toBuffer(),
      image(30, 20).gif().toBuffer(),
    ].map(async (bytes) => processImage(fileOf(await bytes, 'lie.txt'))),
  )
  assert.deepEqual(
    results.map(({ original }) => `${original.contentType} .${original.extension}`),
    [
      'image/jpeg .jpg',
      'image/png .png',
      'image/png .png',
      'image/webp .webp',
      'image/jpeg .jpg',
      'image/webp .webp',
      'image/gif .gif',
    ],
  )
  for (const { original, small } of results) {
    assert.deepEqual(
      [original.width, original.height, small.width, small.height, small.contentType],
      [30, 20, 30, 20, 'image/webp'],
    )
    assert.equal(`image/${(await sharp(original.data).metadata()).format}`, original.contentType)
  }
  assert.ok((await sharp(results[1]?.small.data).metadata()).hasAlpha, 'transparency is preserved')
})

test('large images shrink to the area, thin ones to the longest side of WebP', async () => {
  const { original, meta } = await processImage(
    fileOf(
      await sharp({ create: { width: 5000, height: 2500, channels: 3, background: 'red' } })
        .jpeg()
        .toBuffer(),
    ),
  )
  assert.ok(original.width * original.height <= 8_294_400 && original.width * original.height > 8_280_000)
  assert.ok(Math.abs(meta.original.aspect - 2) < 0.01)
  const line = await processImage(
    fileOf(
      await sharp({ create: { width: 20_000, height: 1, channels: 3, background: 'red' } })
        .png()
        .toBuffer(),
    ),
  )
  assert.deepEqual([line.original.width, line.original.height, line.small.height], [16_383, 1, 1])
})

test('animations keep their frames and lose their metadata', async () => {
  const gif = await animation('gif')
  const comment = Buffer.from('21fe06736563726574 00'.replace(' ', ''), 'hex')
  const withComment = Buffer.concat([gif.subarray(0, -1), comment, Buffer.from([0x3b]), Buffer.from('<script>')])
  const webp = await sharp(await animation('webp'), { animated: true })
    .withExif({ IFD0: { Artist: 'secret' } })
    .webp()
    .toBuffer()
  assert.ok(webp.includes('secret'))
  for (const [bytes, format] of [
    [withComment, 'gif'],
    [webp, 'webp'],
  ] as const) {
    const { original, small } = await processImage(fileOf(bytes))
    const stored = await sharp(original.data).metadata()
    assert.deepEqual(
      [stored.format, stored.pages, stored.loop, stored.width, stored.height, stored.exif],
      [format, 3, 0, 60, 40, undefined],
    )
    assert.deepEqual([original.data.includes('secret'), original.data.includes('script')], [false, false])
    assert.equal((await sharp(small.data).metadata()).pages, undefined)
  }
})

test('truncated and malformed animations do not crash the removal of metadata', async () => {
  for (const [bytes, strip] of [
    [await animation('gif'), stripGif],
    [await animation('webp'), stripWebp],
  ] as const) {
    for (let cut = 0; cut < bytes.length; cut++) strip(bytes.subarray(0, cut))
    for (let at = 0; at < bytes.length; at++)
      strip(Buffer.concat([bytes.subarray(0, at), Buffer.from([0xff]), bytes.subarray(at + 1)]))
  }
})

test('unsupported files are refused with a message, whatever their name', async () => {
  await refused('')
  await refused('plain text')
  await refused('<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"><rect width="10" height="10"/></svg>')
  await refused('<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>')
  await refused(await image(10, 10).tiff().toBuffer())
  await refused('%PDF-1.7\n')
  await refused((await image(300, 300).png().toBuffer()).subarray(0, 60))
  await refused((await animation('gif')).subarray(0, 20))
  await refused(
    Buffer.concat([Buffer.from('0000001c667479706d696631000000006d69663168656963', 'hex'), Buffer.alloc(200)]),
  )
  await refused(pngOf(100, 100))
})

test('a decompression bomb is refused before it is decoded', async () => {
  const started = performance.now()
  await refused(pngOf(6000, 6000), '6000x6000 images are not supported')
  await refused(pngOf(30_000, 30_000), '30000x30000 images are not supported')
  assert.ok(performance.now() - started < 8000)
})

test('avatars and headers are cropped; only animated ones have a still', async () => {
  const png = fileOf(await image(300, 900).png().toBuffer())
  const avatar = await processAvatar(png)
  assert.deepEqual(
    [avatar.image.width, avatar.image.height, avatar.image.contentType, avatar.still],
    [400, 400, 'image/png', null],
  )
  const header = await processHeader(png)
  assert.deepEqual([header.image.width, header.image.height], [1500, 500])
  const moving = await processAvatar(fileOf(await animation('gif')))
  const meta = await sharp(moving.image.data).metadata()
  assert.deepEqual([moving.image.contentType, meta.pages, meta.width, meta.height], ['image/webp', 3, 400, 400])
  assert.deepEqual([moving.still?.contentType, moving.still?.width, moving.still?.height], ['image/png', 400, 400])
  const long = await processAvatar(fileOf(await animation('webp', 220)))
  assert.deepEqual([long.still === null, (await sharp(long.image.data).metadata()).pages], [true, undefined])
  await assert.rejects(processAvatar(fileOf('text')), Invalid)
})

test('many simultaneous images are processed, and a failure does not block others', async () => {
  const good = fileOf(await image(50, 50).png().toBuffer())
  const broken = fileOf(pngOf(50, 50))
  const results = await Promise.allSettled(Array.from({ length: 12 }, (_, i) => processImage(i % 3 ? good : broken)))
  assert.deepEqual(
    results.map((result) => result.status),
    Array.from({ length: 12 }, (_, i) => (i % 3 ? 'fulfilled' : 'rejected')),
  )
})
