import assert from 'node:assert/strict'
import { access, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo, LookupFunction } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { FetchError } from './fetch-error.ts'
import type { FetchFailure } from './fetch-error.ts'
import { createFetch } from './gate.ts'
import type { FetchGateOptions } from './gate.ts'

type Handler = (request: IncomingMessage, response: ServerResponse) => void

const pages = new Map<string, Handler>()
const seen: {
  method: string | undefined
  url: string | undefined
  headers: IncomingMessage['headers']
  body: string
}[] = []
let server: Server
let other: Server
let origin: string
let otherOrigin: string
let folder: string

const loopback: FetchGateOptions = {
  userAgent: 'rookery-test',
  allowedPrivateAddresses: ['127.0.0.0/8'],
  allowHttp: false,
}
const gate = createFetch(loopback)

before(async () => {
  const serve: Handler = async (request, response) => {
    let body = ''
    for await (const chunk of request) body += String(chunk)
    seen.push({ method: request.method, url: request.url, headers: request.headers, body })
    const page = pages.get(request.url ?? '')
    if (page) page(request, response)
    else response.writeHead(404).end('nothing here')
  }
  server = createServer(serve).listen(0, '127.0.0.1')
  other = createServer(serve).listen(0, '127.0.0.1')
  await Promise.all([server, other].map((each) => new Promise((resolve) => each.once('listening', resolve))))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  otherOrigin = `http://127.0.0.1:${(other.address() as AddressInfo).port}`
  folder = await mkdtemp(join(tmpdir(), 'rookery-fetch-'))
})

after(async () => {
  await gate.close()
  for (const each of [server, other]) {
    each.closeAllConnections()
    each.close()
  }
  await rm(folder, { recursive: true })
})

function answer(path: string, status: number, headers: Record<string, string>, body: string | Buffer = ''): string {
  pages.set(path, (_, response) => response.writeHead(status, headers).end(body))
  return origin + path
}

function fails(promise: Promise<unknown>, reason: FetchFailure): Promise<void> {
  return assert.rejects(promise, (error: unknown) => {
    assert.ok(error instanceof FetchError, String(error))
    assert.equal(error.reason, reason, `${error.reason}: ${error.message}`)
    return true
  })
}

/** A gate whose resolver answers with these addresses, and a note of every name asked. */
function gateWithDns(addresses: string[], options: Partial<FetchGateOptions> = {}) {
  const asked: string[] = []
  const lookup: LookupFunction = (name, _, callback) => {
    asked.push(name)
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    )
  }
  return { gate: createFetch({ ...loopback, lookup, ...options }), asked }
}

test('a plain answer comes back with status, headers and body', async () => {
  const url = answer('/hello', 200, { 'Content-Type': 'text/plain', 'X-Twice': 'a' }, 'hello')
  const response = await gate.request(`${url}#part`)
  assert.equal(response.status, 200)
  assert.equal(response.headers['x-twice'], 'a')
  assert.equal(response.body.toString(), 'hello')
  assert.equal(response.url, url)
  assert.equal(seen.at(-1)?.headers['user-agent'], 'rookery-test')
})

test('other statuses are answers; json() refuses them', async () => {
  const response = await gate.request(`${origin}/missing`)
  assert.equal(response.status, 404)
  assert.equal(response.body.toString(), 'nothing here')
  await assert.rejects(gate.json(`${origin}/missing`), { reason: 'status', status: 404 })
})

test('address literals of private networks are refused in every spelling', async () => {
  const strict = createFetch({ ...loopback, allowedPrivateAddresses: [], allowHttp: true })
  for (const host of [
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f000001',
    '017700000001',
    '0177.0.0.1',
    '127.0.0.1.',
    '①②⑦.⓪.⓪.①',
    '[::1]',
    '[::]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::7f00:1]',
    '[64:ff9b::7f00:1]',
    '[2002:7f00:1::]',
    '[2001::1]',
    '[fe80::1]',
    '[fd00::1]',
    '10.0.0.1',
    '169.254.169.254',
    '0.0.0.0',
    '0',
    '192.168.0.1',
    '100.64.0.1',
    '224.0.0.1',
  ]) {
    await fails(strict.request(`http://${host}:${new URL(origin).port}/hello`), 'address')
    await fails(strict.request(`https://${host}/`), 'address')
  }
  await strict.close()
})

test('names that resolve to private addresses are refused', async () => {
  for (const addresses of [
    ['127.0.0.1'],
    ['10.0.0.1', '192.168.0.1'],
    ['::1'],
    ['::ffff:127.0.0.1'],
    ['64:ff9b::a9fe:a9fe'],
  ]) {
    const { gate: strict, asked } = gateWithDns(addresses, { allowedPrivateAddresses: [], allowHttp: true })
    await fails(strict.request('http://inner.test/'), 'address')
    await fails(strict.request('https://inner.test/'), 'address')
    assert.deepEqual(asked, ['inner.test', 'inner.test'])
    await strict.close()
  }
})

test('localhost is refused unless its address is opened', async () => {
  const strict = createFetch({ ...loopback, allowedPrivateAddresses: [], allowHttp: true })
  await fails(strict.request(`http://localhost:${new URL(origin).port}/hello`), 'address')
  await fails(strict.request(`http://LOCALHOST.:${new URL(origin).port}/hello`), 'address')
  await strict.close()
})

test('of a mixed DNS answer only the permitted addresses are used', async () => {
  answer('/hello', 200, {}, 'hello')
  const { gate: mixed } = gateWithDns(['10.0.0.1', '127.0.0.1'])
  const response = await mixed.request(`http://peer.test:${new URL(origin).port}/hello`)
  assert.equal(response.body.toString(), 'hello')
  await mixed.close()
})

test('a redirect to a private address, a name for one, or a foreign scheme is refused', async () => {
  for (const [location, reason] of [
    ['http://10.0.0.1/', 'address'],
    ['http://[::ffff:a00:1]/', 'address'],
    ['http://2852039166/', 'address'],
    ['file:///etc/passwd', 'scheme'],
    ['ftp://peer.test/', 'scheme'],
    ['http://user:secret@127.0.0.1/', 'scheme'],
    ['http://', 'redirects'],
  ] as const) {
    await fails(gate.request(answer('/away', 302, { location })), reason)
  }
  const { gate: named } = gateWithDns(['127.0.0.1'], { allowedPrivateAddresses: ['127.0.0.0/8'] })
  await fails(named.request(answer('/away', 301, { location: 'http://169.254.169.254/latest/meta-data' })), 'address')
  await named.close()
})

test('only http and https without credentials; http only to opened addresses unless allowed', async () => {
  for (const url of [
    'ftp://a.test/',
    'file:///etc/hosts',
    'data:text/plain,a',
    'gopher://a.test',
    'not a url',
    'https://user@a.test/',
    'https://:x@a.test/',
  ]) {
    await fails(gate.request(url), 'scheme')
  }
  await fails(gate.request('http://8.8.8.8/'), 'scheme')
  const { gate: outside } = gateWithDns(['93.184.216.34'])
  await fails(outside.request('http://public.test/'), 'scheme')
  await outside.close()
  const { gate: httpsOnly, asked } = gateWithDns(['93.184.216.34'], { allowedPrivateAddresses: [] })
  await fails(httpsOnly.request('http://public.test/'), 'scheme')
  assert.deepEqual(asked, [], 'no name is looked up for a request that cannot be made')
  await httpsOnly.close()
})

test('the domain policy is asked at every hop, with the port', async () => {
  const asked: string[] = []
  const guarded = createFetch({ ...loopback, isDomainAllowed: (host) => (asked.push(host), !host.includes('blocked')) })
  const location = 'http://sub.blocked.test.:8080/'
  await fails(guarded.request(answer('/away', 302, { location })), 'domain')
  const { host } = new URL(origin)
  assert.deepEqual(asked, [host, 'sub.blocked.test:8080'])
  await guarded.close()
})

test("errors of our own policy and signer are not taken for the network's", async () => {
  const url = answer('/hello', 200, {}, 'hello')
  const broken = createFetch({ ...loopback, isDomainAllowed: () => Promise.reject(new TypeError('no database')) })
  await assert.rejects(broken.request(url), /no database/)
  await broken.close()
  await assert.rejects(gate.request(url, { sign: () => Promise.reject(new TypeError('no key')) }), /no key/)
})

test('a HEAD has no body, whatever length it announces', async () => {
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
  await fails(gate.request(url, { redirects: 1 }), 'redirects')
  await fails(gate.request(answer('/loop', 302, { location: '/loop' })), 'redirects')
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

test('a POST is repeated as it is on the same host, otherwise not redirected at all', async () => {
  answer('/inbox', 202, {})
  const call = { method: 'POST', body: '{"a":1}', headers: { 'content-type': 'application/activity+json' } } as const
  assert.equal((await gate.request(answer('/moved', 308, { location: '/inbox' }), call)).status, 202)
  assert.deepEqual([seen.at(-1)?.method, seen.at(-1)?.body], ['POST', '{"a":1}'])
  for (const status of [301, 302, 303])
    await fails(gate.request(answer('/moved', status, { location: '/inbox' }), call), 'redirects')
  const count = seen.length
  await fails(gate.request(answer('/moved', 307, { location: `${otherOrigin}/inbox` }), call), 'redirects')
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
    await fails(gate.json(answer('/upload.json', 200, { 'content-type': type }, body)), 'content-type')
  }
  await fails(gate.json(answer('/upload.json', 200, {}, body)), 'content-type')
  for (const type of [
    'application/activity+json',
    'application/ld+json; profile="https://www.w3.org/ns/activitystreams"',
  ]) {
    const { json } = await gate.json(answer('/actor', 200, { 'content-type': type }, body))
    assert.deepEqual(json, JSON.parse(body))
  }
  assert.match(seen.at(-1)?.headers.accept ?? '', /^application\/activity\+json/)
  await fails(
    gate.json(answer('/actor', 200, { 'content-type': 'application/activity+json' }, '{"broken')),
    'content-type',
  )
  await fails(
    gate.request(answer('/page', 200, { 'content-type': 'application/pdf' }), { expect: 'html' }),
    'content-type',
  )
})

test('bodies are capped: announced, streamed, and unpacked', async () => {
  const big = Buffer.alloc(100_000, 97)
  await fails(gate.request(answer('/big', 200, {}, big), { maxBytes: 99_999 }), 'too-large')
  pages.set('/stream', (_, response) => {
    const more = () => {
      while (!response.destroyed && response.write(big));
    }
    response.on('drain', more)
    more()
  })
  await fails(gate.request(`${origin}/stream`, { maxBytes: 250_000 }), 'too-large')
  const bomb = Buffer.alloc(5_000_000)
  await fails(
    gate.request(answer('/gzip', 200, { 'content-encoding': 'gzip' }, gzipSync(bomb)), { maxBytes: 100_000 }),
    'too-large',
  )
  await fails(
    gate.request(answer('/br', 200, { 'content-encoding': 'br' }, brotliCompressSync(bomb)), { maxBytes: 100_000 }),
    'too-large',
  )
  const packed = await gate.request(answer('/gzip', 200, { 'content-encoding': 'gzip' }, gzipSync(big)), {
    maxBytes: 100_000,
  })
  assert.equal(packed.body.length, 100_000)
  await fails(gate.request(answer('/odd', 200, { 'content-encoding': 'gzip, gzip' }, 'x')), 'content-type')
  await fails(gate.request(answer('/liar', 200, { 'content-encoding': 'gzip' }, 'not gzip')), 'network')
  assert.equal((await gate.request(answer('/error', 500, {}, big))).body.length, 16_384)
})

test('silent, slow and dead peers end in time', async () => {
  pages.set('/silent', () => {})
  await fails(gate.request(`${origin}/silent`, { timeoutMs: 60 }), 'timeout')
  pages.set('/trickle', (_, response) => {
    const timer = setInterval(() => response.write('.'), 10)
    response.on('close', () => clearInterval(timer))
  })
  await fails(gate.request(`${origin}/trickle`, { timeoutMs: 60 }), 'timeout')
  await fails(gate.request('http://127.0.0.1:1/'), 'network')
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
  await fails(gate.download(`${origin}/image`, { maxBytes: 200_000, toFile: second }), 'too-large')
  await fails(gate.download(`${origin}/missing`, { maxBytes: 10, toFile: second }), 'status')
  await assert.rejects(access(second))
  await writeFile(second, 'precious')
  await fails(gate.download(`${origin}/image`, { maxBytes: 400_000, toFile: second }), 'file')
  assert.equal(await readFile(second, 'utf8'), 'precious')
})
