// Media of other servers: kept by jobs, or when somebody first looks.
import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, beforeEach, test } from 'node:test'
import sharp from 'sharp'
import { sql } from '../../src/db/sql.ts'
import { createUser } from '../../src/domain/auth/users.ts'
import { publishStatus } from '../../src/domain/fanout/publish.ts'
import { cacheMedia } from '../../src/domain/media/remote.ts'
import { startTestServer, type Answer, type Person, type TestServer } from '../support/server.ts'

let server: TestServer
let ada: Person
let far: Server
let origin: string
let domain: string
let authorId: string
let photo: Buffer
/** What was asked of the other server, and how it answers. */
let asked: string[] = []
let answers: Record<string, { status?: number; body?: Buffer | string; wait?: Promise<unknown> }> = {}

before(async () => {
  server = await startTestServer()
  ada = await server.person('ada')
  photo = await sharp({ create: { width: 640, height: 480, channels: 3, background: 'teal' } })
    .withExif({ IFD0: { Artist: 'secret' } })
    .jpeg()
    .toBuffer()
  far = createServer((request, response) => {
    asked.push(request.url ?? '')
    const { status = 200, body = photo, wait } = answers[request.url ?? ''] ?? {}
    void Promise.resolve(wait).then(() => response.writeHead(status, { 'content-type': 'image/png' }).end(body))
  })
  await new Promise<void>((resolve) => far.listen(0, '127.0.0.1', resolve))
  domain = `127.0.0.1:${(far.address() as AddressInfo).port}`
  origin = `http://${domain}`
  authorId = (
    await createUser(server.ctx, { username: 'far', email: 'far@localhost', password: 'correct horse battery' })
  ).accountId
  await server.ctx.db.run(sql`update accounts set domain = ${domain}, uri = ${`${origin}/far`} where id = ${authorId}`)
})
after(async () => {
  far.close()
  await server.stop()
})
beforeEach(() => {
  asked = []
  answers = {}
})

let count = 0
/** A status of the other server with media of these types. */
async function statusWith(...types: ('image' | 'video')[]): Promise<string> {
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

test('a job keeps pictures, and the post shows them from here', async () => {
  const id = await statusWith('image', 'video', 'image')
  const [before] = await mediaOf(id)
  assert.match(before.url, /\/media_proxy\//)
  await server.ctx.enqueue('media.cache', { statusId: id })
  await server.drain()
  const [first, film, second] = await mediaOf(id)
  assert.match(first.url, /\/files\/media\//)
  assert.deepEqual(first.meta.focus, { x: 0.5, y: 0 })
  assert.deepEqual([first.meta.original.width, second.meta.original.height, first.type], [640, 480, 'image'])
  assert.ok(first.blurhash)
  assert.equal(first.remote_url, before.remote_url)
  const kept = await look(first.url)
  assert.deepEqual(
    [kept.status, kept.headers.get('content-type'), kept.text.includes('secret')],
    [200, 'image/jpeg', false],
  )
  assert.match(film.url, /\/media_proxy\//)
  assert.equal(film.preview_url, null)
  assert.equal(asked.length, 2)
  await cacheMedia(server.ctx, { statusId: id })
  assert.equal(asked.length, 2)
})

test('what is not kept yet is fetched when somebody looks, once for many', async () => {
  const [medium] = await mediaOf(await statusWith('image'))
  const gate = Promise.withResolvers<void>()
  answers[new URL(medium.remote_url).pathname] = { wait: gate.promise }
  const looks = Promise.all([look(medium.url), look(medium.preview_url), look(medium.url)])
  gate.resolve()
  const [one, small, other] = await looks
  assert.deepEqual([one.status, small.status], [302, 302])
  assert.equal(one.headers.get('location'), other.headers.get('location'))
  assert.match(small.headers.get('location') ?? '', /\/small\//)
  assert.equal((await look(one.headers.get('location') as string)).status, 200)
  assert.equal(asked.length, 1)
})

test('only who was given the address can look', async () => {
  const [medium, other] = await mediaOf(await statusWith('image', 'image'))
  const url = new URL(medium.url)
  const get = async (path: string): Promise<number> => (await server.send('GET', path)).status
  assert.equal(await get(url.pathname), 404)
  assert.equal(await get(`${url.pathname}?sig=nope`), 404)
  assert.equal(await get(`${new URL(other.url).pathname}${url.search}`), 404)
  assert.equal(await get(`${url.pathname.replace('original', 'huge')}${url.search}`), 404)
  assert.equal(await get(`/media_proxy/x/original${url.search}`), 404)
  assert.deepEqual(asked, [])
})

test('films are left where they are', async () => {
  const [film] = await mediaOf(await statusWith('video'))
  const answer = await look(film.url)
  assert.deepEqual([answer.status, answer.headers.get('location'), asked], [302, film.remote_url, []])
})

test('what cannot be had is not there, or not there now', async () => {
  const cases: [object, number][] = [
    [{ status: 404 }, 404],
    [{ body: 'no picture' }, 404],
    [{ status: 500 }, 503],
    [{ body: Buffer.alloc(17 * 1024 * 1024) }, 404],
  ]
  for (const [answer, status] of cases) {
    const id = await statusWith('image')
    const [medium] = await mediaOf(id)
    answers[new URL(medium.remote_url).pathname] = answer
    assert.equal((await look(medium.url)).status, status)
    const job = cacheMedia(server.ctx, { statusId: id })
    await (status === 503 ? assert.rejects(job) : job)
  }
})

test('nothing is fetched from servers whose media are refused', async () => {
  const id = await statusWith('image', 'video')
  const media = await mediaOf(id)
  await server.ctx.db.run(
    sql`insert into domain_blocks (domain, severity, reject_media) values (${domain}, 'noop', true)`,
  )
  server.ctx.publish({ type: 'settings.changed' })
  try {
    for (const { url } of media) assert.equal((await look(url)).status, 404)
    await cacheMedia(server.ctx, { statusId: id, accountId: authorId })
    assert.deepEqual(asked, [])
  } finally {
    await server.ctx.db.run(sql`delete from domain_blocks`)
    server.ctx.publish({ type: 'settings.changed' })
  }
})

test('avatars and headers are kept, one not being there does not keep back the other', async () => {
  answers['/header'] = { status: 410 }
  await server.ctx.db.run(
    sql`update accounts set avatar_remote_url = ${`${origin}/avatar`}, header_remote_url = ${`${origin}/header`} where id = ${authorId}`,
  )
  await cacheMedia(server.ctx, { accountId: authorId })
  const account = await ada.get(`/api/v1/accounts/${authorId}`)
  assert.match(account.avatar, /\/files\/avatars\//)
  assert.equal(account.avatar_static, account.avatar)
  assert.match(account.header, /\/assets\//)
  assert.equal((await look(account.avatar)).status, 200)
  assert.deepEqual(asked.toSorted(), ['/avatar', '/header'])
  await cacheMedia(server.ctx, { accountId: authorId })
  assert.deepEqual(asked.toSorted(), ['/avatar', '/header', '/header'])
})
