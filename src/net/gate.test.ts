import assert from 'node:assert/strict'
import { access, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { failsWith, loopback, startPageServers, type PageServers } from '../../test/support/page-servers.ts'
import { createFetch } from './gate.ts'

const gate = createFetch(loopback)
let servers: PageServers
let origin: string
let otherOrigin: string
let seen: PageServers['seen']
let serve: PageServers['serve']
let answer: PageServers['answer']
let folder: string

before(async () => {
  servers = await startPageServers()
  ;({ origin, otherOrigin, seen, serve, answer } = servers)
  folder = await mkdtemp(join(tmpdir(), 'rookery-fetch-'))
})

after(async () => {
  await gate.close()
  servers.close()
  await rm(folder, { recursive: true })
})

test('a response has its status, headers and body', async () => {
  const url = answer('/hello', 200, { 'Content-Type': 'text/plain', 'X-Twice': 'a' }, 'hello')
  const response = await gate.request(`${url}#part`)
  assert.equal(response.status, 200)
  assert.equal(response.headers['x-twice'], 'a')
  assert.equal(response.body.toString(), 'hello')
  assert.equal(response.url, url)
  assert.equal(seen.at(-1)?.headers['user-agent'], 'rookery-test')
})

test('request() returns error responses, and json() rejects them', async () => {
  const response = await gate.request(`${origin}/missing`)
  assert.equal(response.status, 404)
  assert.equal(response.body.toString(), 'nothing here')
  await assert.rejects(gate.json(`${origin}/missing`), { reason: 'status', status: 404 })
})

test('the domain policy is checked at every hop, with the port', async () => {
  const asked: string[] = []
  const guarded = createFetch({ ...loopback, isDomainAllowed: (host) => (asked.push(host), !host.includes('blocked')) })
  const location = 'http://sub.blocked.test.:8080/'
  await failsWith(guarded.request(answer('/away', 302, { location })), 'domain')
  const { host } = new URL(origin)
  assert.deepEqual(asked, [host, 'sub.blocked.test:8080'])
  await guarded.close()
})

test('errors of the domain policy and of the signer are passed on as they are', async () => {
  const url = answer('/hello', 200, {}, 'hello')
  const broken = createFetch({ ...loopback, isDomainAllowed: () => Promise.reject(new TypeError('no database')) })
  await assert.rejects(broken.request(url), /no database/)
  await broken.close()
  await assert.rejects(gate.request(url, { sign: () => Promise.reject(new TypeError('no key')) }), /no key/)
})

test('a HEAD response has no body, whatever length it announces', async () => {
  const response = await gate.request(answer('/large', 200, { 'content-length': '5000000' }), {
    method: 'HEAD',
    maxBytes: 10,
  })
  assert.deepEqual([response.status, response.headers['content-length'], response.body.length], [200, '5000000', 0])
})

test('redirects are followed up to the limit', async () => {
  answer('/c', 200, {}, 'end')
  answer('/b', 307, { location: '/c' })
  const url = answer('/a', 301, { location: '/b' })
  assert.equal((await gate.request(url)).url, `${origin}/c`)
  await failsWith(gate.request(url, { redirects: 1 }), 'redirects')
  await failsWith(gate.request(answer('/loop', 302, { location: '/loop' })), 'redirects')
})

test('credentials stay with their origin and every hop is signed anew', async () => {
  answer('/c', 200, {}, 'end')
  const url = answer('/a', 302, { location: `${otherOrigin}/c` })
  const signed: string[] = []
  await gate.request(url, {
    headers: { Authorization: 'Bearer secret', Cookie: 'a=b', Signature: 'old', 'X-Kept': 'yes' },
    sign: async ({ method, url: hop }) => (signed.push(`${method} ${hop.href}`), { 'x-signed-for': hop.host }),
  })
  const [first, second] = seen.slice(-2)
  assert.equal(first?.headers.authorization, 'Bearer secret')
  assert.equal(second?.headers.authorization, undefined)
  assert.equal(second?.headers.cookie, undefined)
  assert.equal(second?.headers['signature'], undefined)
  assert.equal(second?.headers['x-kept'], 'yes')
  assert.equal(second?.headers['x-signed-for'], new URL(otherOrigin).host)
  assert.deepEqual(signed, [`GET ${url}`, `GET ${otherOrigin}/c`])
})

test('a POST is repeated after a 308 on the same host, and follows no other redirect', async () => {
  answer('/inbox', 202, {})
  const call = { method: 'POST', body: '{"a":1}', headers: { 'content-type': 'application/activity+json' } } as const
  assert.equal((await gate.request(answer('/moved', 308, { location: '/inbox' }), call)).status, 202)
  assert.deepEqual([seen.at(-1)?.method, seen.at(-1)?.body], ['POST', '{"a":1}'])
  for (const status of [301, 302, 303])
    await failsWith(gate.request(answer('/moved', status, { location: '/inbox' }), call), 'redirects')
  const count = seen.length
  await failsWith(gate.request(answer('/moved', 307, { location: `${otherOrigin}/inbox` }), call), 'redirects')
  assert.equal(seen.length, count + 1)
})

test('an ActivityPub document must come with an ActivityPub content type', async () => {
  const body = JSON.stringify({ id: 'https://a.test/actor', type: 'Person' })
  for (const type of [
    'application/json',
    'text/html',
    'image/png',
    'application/ld+json',
    'text/plain; profile="https://www.w3.org/ns/activitystreams"',
  ]) {
    await failsWith(gate.json(answer('/upload.json', 200, { 'content-type': type }, body)), 'content-type')
  }
  await failsWith(gate.json(answer('/upload.json', 200, {}, body)), 'content-type')
  for (const type of [
    'application/activity+json',
    'application/ld+json; profile="https://www.w3.org/ns/activitystreams"',
  ]) {
    const { json } = await gate.json(answer('/actor', 200, { 'content-type': type }, body))
    assert.deepEqual(json, JSON.parse(body))
  }
  assert.match(seen.at(-1)?.headers.accept ?? '', /^application\/activity\+json/)
  await failsWith(
    gate.json(answer('/actor', 200, { 'content-type': 'application/activity+json' }, '{"broken')),
    'content-type',
  )
  await failsWith(
    gate.request(answer('/page', 200, { 'content-type': 'application/pdf' }), { expect: 'html' }),
    'content-type',
  )
})

test('the size limit holds for announced, streamed and decompressed bodies', async () => {
  const big = Buffer.alloc(100_000, 97)
  await failsWith(gate.request(answer('/big', 200, {}, big), { maxBytes: 99_999 }), 'too-large')
  serve('/stream', (_, response) => {
    const more = () => {
      while (!response.destroyed && response.write(big));
    }
    response.on('drain', more)
    more()
  })
  await failsWith(gate.request(`${origin}/stream`, { maxBytes: 250_000 }), 'too-large')
  const bomb = Buffer.alloc(5_000_000)
  await failsWith(
    gate.request(answer('/gzip', 200, { 'content-encoding': 'gzip' }, gzipSync(bomb)), { maxBytes: 100_000 }),
    'too-large',
  )
  await failsWith(
    gate.request(answer('/br', 200, { 'content-encoding': 'br' }, brotliCompressSync(bomb)), { maxBytes: 100_000 }),
    'too-large',
  )
  const packed = await gate.request(answer('/gzip', 200, { 'content-encoding': 'gzip' }, gzipSync(big)), {
    maxBytes: 100_000,
  })
  assert.equal(packed.body.length, 100_000)
  await failsWith(gate.request(answer('/odd', 200, { 'content-encoding': 'gzip, gzip' }, 'x')), 'content-type')
  await failsWith(gate.request(answer('/liar', 200, { 'content-encoding': 'gzip' }, 'not gzip')), 'network')
  assert.equal((await gate.request(answer('/error', 500, {}, big))).body.length, 16_384)
})

test('requests to silent, slow and dead servers time out', async () => {
  serve('/silent', () => {})
  await failsWith(gate.request(`${origin}/silent`, { timeoutMs: 60 }), 'timeout')
  serve('/trickle', (_, response) => {
    const timer = setInterval(() => response.write('.'), 10)
    response.on('close', () => clearInterval(timer))
  })
  await failsWith(gate.request(`${origin}/trickle`, { timeoutMs: 60 }), 'timeout')
  await failsWith(gate.request('http://127.0.0.1:1/'), 'network')
  const caller = new AbortController()
  const pending = gate.request(`${origin}/silent`, { signal: caller.signal })
  caller.abort(new Error('changed my mind'))
  await assert.rejects(pending, /changed my mind/)
})

test('a download goes to a new file, and leaves none behind when it fails', async () => {
  const path = join(folder, 'image')
  const big = Buffer.alloc(300_000, 7)
  const done = await gate.download(answer('/image', 200, { 'content-type': 'image/png' }, big), {
    maxBytes: 400_000,
    toFile: path,
  })
  assert.equal(done.bytes, 300_000)
  assert.ok((await readFile(path)).equals(big))
  const second = join(folder, 'second')
  await failsWith(gate.download(`${origin}/image`, { maxBytes: 200_000, toFile: second }), 'too-large')
  await failsWith(gate.download(`${origin}/missing`, { maxBytes: 10, toFile: second }), 'status')
  await assert.rejects(access(second))
  await writeFile(second, 'precious')
  await failsWith(gate.download(`${origin}/image`, { maxBytes: 400_000, toFile: second }), 'file')
  assert.equal(await readFile(second, 'utf8'), 'precious')
})
