// Remote media: cached by jobs or on the first request.
import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, beforeEach, test } from 'node:test'
import sharp from 'sharp'
import { publishStatus, cleanUp } from '../support/acts.ts'
import { sql } from '../support/database.ts'
import { cacheMedia as runCacheJob, createUser, proxyUrl } from '../support/internals.ts'
import { makeHeic } from '../support/heic.ts'
import { canMakeVideos, makeVideo, type VideoOptions } from '../support/media-files.ts'
import { type Answer } from '../support/server.ts'
import { stage } from '../support/stage.ts'

/** The requests that the remote server received, and its responses by path. */
let asked: string[] = []
let answers: Record<string, Scripted> = {}
let heard: IncomingHttpHeaders | undefined

type Scripted = {
  status?: number
  type?: string
  headers?: Record<string, string>
  body?: Buffer | string
  wait?: Promise<unknown>
  /** A body without an end; `closed` is called when the client disconnects. */
  endless?: boolean
  /** Supports range requests. */
  ranges?: boolean
  closed?: () => void
}

const { server, ada } = await stage({ accounts: ['ada'] })
const photo = await sharp({ create: { width: 640, height: 480, channels: 3, background: 'teal' } })
  .withExif({ IFD0: { Artist: 'secret' } })
  .jpeg()
  .toBuffer()
const far = createServer((request, response) => {
  asked.push(request.url ?? '')
  heard = request.headers
  const { status = 200, type = 'image/png', headers, body = photo, ...rest } = answers[request.url ?? ''] ?? {}
  const part = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '')
  if (rest.ranges && part && Buffer.isBuffer(body)) {
    const [start, end] = [Number(part[1]), Math.min(Number(part[2]) + 1, body.length)]
    response.writeHead(206, { 'content-type': type, 'content-range': `bytes ${start}-${end - 1}/${body.length}` })
    return void response.end(body.subarray(start, end))
  }
  const length = rest.endless ? {} : { 'content-length': Buffer.byteLength(body) }
  void Promise.resolve(rest.wait).then(() => {
    response.writeHead(status, { 'content-type': type, ...length, ...headers })
    if (!rest.endless) return response.end(body)
    response.once('close', () => rest.closed?.())
    const more = (): void => {
      while (!response.destroyed && response.write(Buffer.alloc(65_536)));
    }
    response.on('drain', more)
    return more()
  })
})
await new Promise<void>((resolve) => far.listen(0, '127.0.0.1', resolve))
/** As a worker does: its caches know what has changed until then. */
async function cacheMedia(data: Parameters<typeof runCacheJob>[1]): Promise<void> {
  await server.ctx.changes.catchUp()
  await runCacheJob(server.ctx, data)
}

const domain = `127.0.0.1:${(far.address() as AddressInfo).port}`
const origin = `http://${domain}`
const authorId = (
  await createUser(server.ctx, { username: 'far', email: 'far@localhost', password: 'correct horse battery' })
).accountId
await server.ctx.db.run(sql`update accounts set domain = ${domain}, uri = ${`${origin}/far`} where id = ${authorId}`)
after(() => far.close())
beforeEach(() => {
  asked = []
  answers = {}
})

let count = 0
/** A remote status with media of these types. */
async function statusWith(...types: ('image' | 'video' | 'audio' | 'unknown')[]): Promise<string> {
  const n = count++
  const remoteMedia = types.map((type, i) => ({
    type,
    remoteUrl: `${origin}/${n}-${i}`,
    meta: { focus: { x: 0.5, y: 0 } },
  }))
  const draft = {
    accountId: authorId,
    local: false,
    uri: `${origin}/status/${n}`,
    content: 'look',
    visibility: 'public' as const,
    remoteMedia,
  }
  return (await publishStatus(server.ctx, draft)).id
}
const mediaOf = async (id: string): Promise<any[]> => (await ada.get(`/api/v1/statuses/${id}`)).media_attachments
const look = (url: string): Promise<Answer> => server.send('GET', url.slice(new URL(url).origin.length))

test('a job caches remote images but not videos, and the post links to the cached files', async () => {
  const id = await statusWith('image', 'video', 'image')
  const [before] = await mediaOf(id)
  assert.match(before.url, /\/media_proxy\//)
  await server.ctx.enqueue('media.cache', { statusId: id })
  await server.drain()
  const [first, video, second] = await mediaOf(id)
  assert.match(first.url, /\/files\/cache\/media\//)
  assert.deepEqual(first.meta.focus, { x: 0.5, y: 0 })
  assert.deepEqual([first.meta.original.width, second.meta.original.height, first.type], [640, 480, 'image'])
  assert.ok(first.blurhash)
  assert.equal(first.remote_url, before.remote_url)
  const cached = await look(first.url)
  assert.deepEqual(
    [cached.status, cached.headers.get('content-type'), cached.text.includes('secret')],
    [200, 'image/jpeg', false],
  )
  assert.match(video.url, /\/media_proxy\//)
  assert.equal(video.preview_url, null)
  assert.equal(asked.length, 2)
  await cacheMedia({ statusId: id })
  assert.equal(asked.length, 2)
})

test('a remote HEIC photo is shown as JPEG', { skip: !canMakeVideos }, async () => {
  const [media] = await mediaOf(await statusWith('image'))
  answers[new URL(media.remote_url).pathname] = { type: 'image/heic', body: await makeHeic({ colors: [[255, 0, 0]] }) }
  const place = await look(media.url)
  assert.equal(place.status, 302)
  const shown = await look(place.headers.get('location') ?? '')
  assert.deepEqual([shown.status, shown.headers.get('content-type')], [200, 'image/jpeg'])
})

test('concurrent requests for uncached media fetch them once', async () => {
  const [attachment] = await mediaOf(await statusWith('image'))
  const gate = Promise.withResolvers<void>()
  answers[new URL(attachment.remote_url).pathname] = { wait: gate.promise }
  const looks = Promise.all([look(attachment.url), look(attachment.preview_url), look(attachment.url)])
  gate.resolve()
  const [one, small, other] = await looks
  assert.deepEqual([one.status, small.status], [302, 302])
  assert.equal(one.headers.get('location'), other.headers.get('location'))
  assert.match(small.headers.get('location') ?? '', /\/small\//)
  assert.equal((await look(one.headers.get('location') as string)).status, 200)
  assert.equal(asked.length, 1)
})

test('the media proxy requires the signature of the exact URL', async () => {
  const [attachment, other] = await mediaOf(await statusWith('image', 'image'))
  const url = new URL(attachment.url)
  const get = async (path: string): Promise<number> => (await server.send('GET', path)).status
  assert.equal(await get(url.pathname), 404)
  assert.equal(await get(`${url.pathname}?sig=nope`), 404)
  assert.equal(await get(`${new URL(other.url).pathname}${url.search}`), 404)
  assert.equal(await get(`${url.pathname.replace('original', 'huge')}${url.search}`), 404)
  assert.equal(await get(`/media_proxy/x/original${url.search}`), 404)
  assert.deepEqual(asked, [])
})

test('videos are proxied in full or by range, without revealing the viewer to the remote server', async () => {
  const [video] = await mediaOf(await statusWith('video'))
  await server.ctx.db.run(sql`update media_attachments set probed_at = now() where id = ${video.id}`)
  const path = new URL(video.remote_url).pathname
  const body = Buffer.from('0123456789'.repeat(50_000))
  answers[path] = { type: 'video/webm', body, headers: { 'accept-ranges': 'bytes', 'set-cookie': 'spy=1' } }
  const get = (headers: Record<string, string> = {}, method = 'GET'): Promise<Response> =>
    fetch(video.url, { headers: { 'user-agent': 'a reader', cookie: 'secret=1', ...headers }, method })
  const whole = await get()
  assert.deepEqual(
    ['content-type', 'x-content-type-options', 'set-cookie', 'content-length'].map((name) => whole.headers.get(name)),
    ['video/webm', 'nosniff', null, '500000'],
  )
  assert.match(whole.headers.get('content-security-policy') ?? '', /sandbox/)
  assert.deepEqual(Buffer.from(await whole.arrayBuffer()), body)
  assert.deepEqual(
    [heard?.cookie, heard?.['user-agent']?.includes('reader'), heard?.range],
    [undefined, false, undefined],
  )
  answers[path] = { status: 206, type: 'video/webm', body: '345', headers: { 'content-range': 'bytes 3-5/500000' } }
  const part = await get({ range: 'bytes=3-5' })
  assert.deepEqual(
    [part.status, part.headers.get('content-range'), await part.text()],
    [206, 'bytes 3-5/500000', '345'],
  )
  assert.equal(heard?.range, 'bytes=3-5')
  answers[path] = { type: 'video/webm', body }
  const head = await get({}, 'HEAD')
  assert.deepEqual([head.status, head.headers.get('content-type'), await head.text()], [200, 'video/webm', ''])
  for (const [answer, status] of [
    [{ type: 'text/html', body: '<script>alert(1)</script>' }, 404],
    [{ type: 'image/svg+xml', body: '<svg/>' }, 404],
    [{ status: 410, type: 'video/webm' }, 404],
    [{ status: 503, type: 'video/webm' }, 503],
    [{ status: 416, type: 'text/plain', headers: { 'content-range': 'bytes */500000' } }, 416],
    [{ type: 'application/octet-stream', body: 'a film' }, 200],
  ] as const) {
    answers[path] = answer
    const given = await get()
    assert.equal(given.status, status, JSON.stringify(answer))
    if (status === 200) assert.equal(given.headers.get('content-type'), 'video/mp4')
    await given.arrayBuffer()
  }
})

test('a signed proxy URL never serves or redirects to anything but media', async () => {
  const [file] = await mediaOf(await statusWith('unknown'))
  // An unknown file is an ordinary link to its own server.
  assert.equal(file.url, file.remote_url)
  const signed = proxyUrl(server.ctx, file.id, 'original')
  const path = new URL(file.remote_url).pathname
  for (const [answer, status] of [
    [{ type: 'text/html', body: '<script>alert(1)</script>' }, 404],
    [{ type: 'application/octet-stream', body: 'anything' }, 404],
    [{ type: 'image/svg+xml', body: '<svg/>' }, 404],
    [{ status: 302, headers: { location: '/page' }, type: 'text/html', body: '' }, 404],
    [{ type: 'audio/mpeg', body: 'a sound' }, 200],
  ] as const) {
    answers[path] = answer
    answers['/page'] = { type: 'text/html', body: 'a page' }
    const given = await fetch(signed, { redirect: 'manual' })
    assert.deepEqual([given.status, given.headers.get('location')], [status, null], JSON.stringify(answer))
    await given.arrayBuffer()
  }
})

test('the proxy stops fetching a video when the client disconnects', async () => {
  const [video] = await mediaOf(await statusWith('video'))
  const gate = Promise.withResolvers<void>()
  const path = new URL(video.remote_url).pathname
  answers[path] = { type: 'video/mp4', endless: true, closed: () => gate.resolve() }
  const abort = new AbortController()
  const answer = await fetch(video.url, { signal: abort.signal })
  await answer.body?.getReader().read()
  abort.abort()
  await gate.promise
})

test(
  'playing remote video or audio probes its metadata once, with at most three requests',
  { skip: !canMakeVideos },
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'rookery-remote-'))
    const made = async (name: string, options: VideoOptions = {}): Promise<Buffer> =>
      readFile(await makeVideo(folder, name, options))
    try {
      // The index is at the end, after 20 MB.
      const bytes = await made('a.mp4')
      const large = Buffer.concat([
        bytes.subarray(0, bytes.indexOf('free') - 4),
        padding(20_000_000),
        bytes.subarray(bytes.indexOf('free') - 4),
      ])
      const silent = await made('b.mp4', { audio: null })
      const sound = await made('a.mp3', { video: null, audio: 'libmp3lame', seconds: 3 })
      const cases = [
        ['video', large, true, 'moved'],
        ['video', bytes, false, 'whole'],
        ['video', silent, true, 'silent'],
        ['audio', sound, true, 'sound'],
        ['video', Buffer.from('no film'.repeat(1000)), true, 'nonsense'],
        ['video', bytes.subarray(0, 3000), true, 'cut off'],
      ] as const
      for (const [type, body, hasRanges, name] of cases) {
        const id = await statusWith(type)
        const [before] = await mediaOf(id)
        assert.equal(before.meta.original, undefined)
        const requests = (): number => asked.filter((one) => one === new URL(before.remote_url).pathname).length
        assert.equal(requests(), 0)
        const path = new URL(before.remote_url).pathname
        answers[path] = { type: 'video/mp4', body, ranges: hasRanges }
        await (await fetch(before.url, { headers: { range: 'bytes=0-9' } })).arrayBuffer()
        await server.drain()
        const [after] = await mediaOf(id)
        assert.deepEqual(after.meta.focus, { x: 0.5, y: 0 })
        // Servers send an animation as a video.
        assert.equal(after.type, name === 'silent' ? 'gifv' : type)
        if (name === 'sound') assert.ok(Math.abs(after.meta.original.duration - 3) < 0.2, JSON.stringify(after.meta))
        else if (name === 'moved' || name === 'whole' || name === 'silent')
          assert.deepEqual(
            [after.meta.original.width, after.meta.original.height, Math.round(after.meta.duration)],
            [64, 48, 1],
            name,
          )
        else assert.equal(after.meta.original, undefined, name)
        assert.ok(requests() <= 3)
        // A file is probed once, also when that fails.
        asked = []
        await (await fetch(before.url, { headers: { range: 'bytes=0-9' } })).arrayBuffer()
        await server.drain()
        assert.equal(asked.length, 1)
        asked = []
      }
    } finally {
      await rm(folder, { recursive: true })
    }
  },
)

/** A `free` box of an MP4 file, which players skip. */
function padding(size: number): Buffer {
  const box = Buffer.alloc(size)
  box.writeUInt32BE(size)
  box.write('free', 4)
  return box
}

test('remote emojis are fetched on the first request, cached and removed when unused, and only for signed URLs', async () => {
  const emoji = { shortcode: 'blob', url: `${origin}/blob?a=1&b=2` }
  await server.ctx.db.run(
    sql`update accounts set display_name = ':blob:', emojis = ${JSON.stringify([emoji])}::jsonb where id = ${authorId}`,
  )
  const { emojis } = await ada.get(`/api/v1/accounts/${authorId}`)
  assert.deepEqual([emojis.length, emojis[0].shortcode], [1, 'blob'])
  assert.match(emojis[0].url, /\/media_proxy\/emojis\/original\?/)
  const places = await Promise.all([look(emojis[0].url), look(emojis[0].url), look(emojis[0].static_url)])
  assert.deepEqual(
    places.map(({ status }) => status),
    [302, 302, 302],
  )
  // Jobs of other tests may still request other files.
  const askedForEmoji = (): string[] => asked.filter((path) => path.startsWith('/blob') || path.startsWith('/other'))
  assert.deepEqual(askedForEmoji(), ['/blob?a=1&b=2'])
  const [original, , still] = places.map(({ headers }) => headers.get('location') ?? '')
  assert.match(original ?? '', /\/files\/cache\/emojis\//)
  assert.notEqual(original, still)
  for (const place of [original, still]) assert.equal((await look(place ?? '')).status, 200)
  const forged = emojis[0].url.replace('blob', 'other')
  const others = [forged, emojis[0].url.replace(/sig=.*/, 'sig='), emojis[0].url.replace('original', 'huge')]
  for (const url of others) assert.equal((await look(url)).status, 404)
  assert.equal(askedForEmoji().length, 1)
  // The clean-up removes emojis that were not requested for 60 days.
  await server.ctx.db.run(sql`update remote_emojis set looked_at = now() - interval '61 days'`)
  await cleanUp(server.ctx)
  assert.equal((await look(original ?? '')).status, 404)
  assert.equal((await look(emojis[0].url)).status, 302)
  for (const [answer, status] of [
    [{ body: '<svg xmlns="http://www.w3.org/2000/svg"/>' }, 404],
    [{ body: Buffer.alloc(3 * 1024 * 1024) }, 404],
    [{ status: 500 }, 503],
  ] as const) {
    await server.ctx.db.run(sql`delete from remote_emojis`)
    answers['/blob?a=1&b=2'] = answer
    assert.equal((await look(emojis[0].url)).status, status)
  }
})

test('remote media that cannot be fetched are a 404, or a 503 after a server error', async () => {
  const cases: [object, number][] = [
    [{ status: 404 }, 404],
    [{ body: 'no picture' }, 404],
    [{ status: 500 }, 503],
    [{ body: Buffer.alloc(17 * 1024 * 1024) }, 404],
  ]
  for (const [answer, status] of cases) {
    const id = await statusWith('image')
    const [attachment] = await mediaOf(id)
    answers[new URL(attachment.remote_url).pathname] = answer
    assert.equal((await look(attachment.url)).status, status)
    const job = cacheMedia({ statusId: id })
    await (status === 503 ? assert.rejects(job) : job)
  }
})

test('media of domains with reject_media are not fetched', async () => {
  const id = await statusWith('image', 'video')
  const media = await mediaOf(id)
  // Many servers have their images on another host.
  const emoji = { shortcode: 'elsewhere', url: `${origin.replace('127.0.0.1', 'localhost')}/elsewhere` }
  await server.ctx.db.run(
    sql`update accounts set display_name = ':elsewhere:', emojis = ${JSON.stringify([emoji])}::jsonb where id = ${authorId}`,
  )
  const { emojis } = await ada.get(`/api/v1/accounts/${authorId}`)
  await server.ctx.db.run(
    sql`insert into domain_blocks (domain, severity, reject_media) values (${domain}, 'noop', true)`,
  )
  server.ctx.publish({ type: 'settings.changed' })
  try {
    for (const { url } of [...media, ...emojis]) assert.equal((await look(url)).status, 404)
    await cacheMedia({ statusId: id, accountId: authorId })
    assert.deepEqual(asked, [])
  } finally {
    await server.ctx.db.run(sql`delete from domain_blocks`)
    server.ctx.publish({ type: 'settings.changed' })
  }
})

test('avatars and headers are cached independently: a missing header does not affect the avatar', async () => {
  answers['/header'] = { status: 410 }
  await server.ctx.db.run(
    sql`update accounts set avatar_remote_url = ${`${origin}/avatar`}, header_remote_url = ${`${origin}/header`} where id = ${authorId}`,
  )
  await cacheMedia({ accountId: authorId })
  const account = await ada.get(`/api/v1/accounts/${authorId}`)
  assert.match(account.avatar, /\/files\/cache\/avatars\//)
  assert.equal(account.avatar_static, account.avatar)
  assert.match(account.header, /\/headers\/original\/missing\.png$/)
  assert.equal((await look(account.avatar)).status, 200)
  assert.deepEqual(asked.toSorted(), ['/avatar', '/header'])
  await cacheMedia({ accountId: authorId })
  assert.deepEqual(asked.toSorted(), ['/avatar', '/header', '/header'])
})
