import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FetchError } from '../../net/fetch-error.ts'
import type { FetchGate } from '../../net/gate.ts'
import { normaliseDomain, parseHandle } from '../../ap/handle.ts'
import { lookUpHandle } from './webfinger.ts'

type Page = { status?: number; type?: string; body?: unknown; fails?: FetchError }

/** A gate that serves only these pages, and the addresses that it was asked for. */
function pages(known: Record<string, Page>, knowsHttp = false) {
  const asked: string[] = []
  const request = async (address: string | URL) => {
    const url = String(address)
    asked.push(url)
    const page = known[url] ?? { status: 404, type: 'text/html', body: 'not found' }
    if (page.fails) throw page.fails
    const body = Buffer.from(typeof page.body === 'string' ? page.body : JSON.stringify(page.body ?? ''))
    return {
      status: page.status ?? 200,
      headers: { 'content-type': page.type ?? 'application/jrd+json; charset=utf-8' },
      url,
      body,
    }
  }
  const unused = () => Promise.reject(new Error('not part of this test'))
  const gate: FetchGate = { request, json: unused, download: unused, pass: unused, knowsHttp, close: async () => {} }
  return { gate, asked }
}

const finger = (handle: string, scheme = 'https') =>
  `${scheme}://${handle.split('@')[1]}/.well-known/webfinger?resource=${encodeURIComponent(`acct:${handle}`)}`
const jrd = (handle: string, href: string) => ({
  subject: `acct:${handle}`,
  links: [
    { rel: 'http://webfinger.net/rel/profile-page', type: 'text/html', href: 'https://a.test/@ada' },
    { rel: 'self', type: 'application/activity+json', href },
  ],
})
const actor = 'https://a.test/users/ada'

test('a handle leads to its actor', async () => {
  const { gate } = pages({ [finger('ada@a.test')]: { body: jrd('ada@a.test', actor) } })
  assert.deepEqual(await lookUpHandle(gate, '@ada@A.test'), {
    username: 'ada',
    domain: 'a.test',
    actorUri: actor,
  })
})

test("the spelling of the username is the host's", async () => {
  const { gate, asked } = pages({
    [finger('ada@a.test')]: { body: jrd('Ada@a.test', actor), type: 'application/json' },
  })
  assert.equal((await lookUpHandle(gate, 'ada@a.test')).username, 'Ada')
  assert.equal(asked.length, 1)
})

test('a canonical handle on another host is confirmed there', async () => {
  const { gate, asked } = pages({
    [finger('ada@www.a.test')]: { body: jrd('ada@a.test', actor) },
    [finger('ada@a.test')]: { body: jrd('ada@a.test', actor) },
  })
  assert.equal((await lookUpHandle(gate, 'ada@www.a.test')).domain, 'a.test')
  assert.equal(asked.length, 2)
})

test('a subject on a foreign host that does not confirm it is refused', async () => {
  const evil = { [finger('eve@evil.test')]: { body: jrd('ada@a.test', 'https://evil.test/users/eve') } }
  const answers: Page[] = [
    { body: jrd('ada@a.test', actor) },
    { body: jrd('other@a.test', 'https://evil.test/users/eve') },
    { body: jrd('ada@b.test', 'https://evil.test/users/eve') },
  ]
  for (const answer of answers) {
    const { gate } = pages({ ...evil, [finger('ada@a.test')]: answer })
    await assert.rejects(lookUpHandle(gate, 'eve@evil.test'), { name: 'WebfingerError', reason: 'mismatch' })
  }
  await assert.rejects(lookUpHandle(pages(evil).gate, 'eve@evil.test'), { reason: 'not-found' })
  const own = pages({
    [finger('eve@evil.test')]: { body: jrd('ada@evil.test', actor) },
    [finger('ada@evil.test')]: { body: jrd('ada@evil.test', 'https://evil.test/x') },
  })
  await assert.rejects(lookUpHandle(own.gate, 'eve@evil.test'), { reason: 'mismatch' })
})

test('host-meta is used if the well-known address is missing', async () => {
  const xrd =
    '<?xml version="1.0"?><XRD><Link rel="other" template="https://x.test/{uri}"/><Link rel="lrdd" template="https://fed.a.test/wf?a=1&amp;resource={uri}"/></XRD>'
  const { gate } = pages({
    'https://a.test/.well-known/host-meta': { body: xrd, type: 'application/xrd+xml' },
    [`https://fed.a.test/wf?a=1&resource=${encodeURIComponent('acct:ada@a.test')}`]: { body: jrd('ada@a.test', actor) },
  })
  assert.equal((await lookUpHandle(gate, 'ada@a.test')).actorUri, actor)
  const hostile = pages({ 'https://a.test/.well-known/host-meta': { body: '<Link'.repeat(12_000), type: 'text/xml' } })
  await assert.rejects(lookUpHandle(hostile.gate, 'ada@a.test'), { reason: 'not-found' })
})

test('the type of the response does not matter', async () => {
  for (const type of ['application/octet-stream', 'text/plain', 'application/activity+json']) {
    const { gate } = pages({ [finger('ada@a.test')]: { body: jrd('ada@a.test', actor), type } })
    assert.equal((await lookUpHandle(gate, 'ada@a.test')).actorUri, actor, type)
  }
})

test('missing, gone and malformed responses give different errors', async () => {
  const cases: [Page, string][] = [
    [{ status: 404 }, 'not-found'],
    [{ status: 410 }, 'gone'],
    [{ body: '<!doctype html><p>Hello', type: 'text/html' }, 'not-found'],
    [{ body: { subject: 'acct:ada@a.test' }, type: 'application/octet-stream' }, 'not-found'],
    [{ body: '{"broken' }, 'invalid'],
    [{ body: [] }, 'invalid'],
    [{ body: 'null' }, 'invalid'],
    [{ body: { subject: 'acct:ada@a.test' } }, 'invalid'],
    [{ body: { subject: 7, links: 'many' } }, 'invalid'],
    [{ body: jrd('', actor) }, 'invalid'],
    [{ body: jrd('ada@a.test', 'javascript:alert(1)') }, 'invalid'],
    [
      { body: { subject: 'acct:ada@a.test', links: [null, { rel: 'self', type: 'text/html', href: actor }] } },
      'invalid',
    ],
  ]
  for (const [page, reason] of cases) {
    const { gate } = pages({ [finger('ada@a.test')]: page })
    await assert.rejects(lookUpHandle(gate, 'ada@a.test'), { name: 'WebfingerError', reason }, JSON.stringify(page))
  }
  await assert.rejects(lookUpHandle(pages({}).gate, 'ada'), { reason: 'invalid' })
  const broken = pages({ [finger('ada@a.test')]: { status: 503 } })
  await assert.rejects(lookUpHandle(broken.gate, 'ada@a.test'), { name: 'FetchError', reason: 'status', status: 503 })
})

test('plain http is tried only if the gate knows http hosts', async () => {
  const known = {
    [finger('ada@127.0.0.1:8080')]: { fails: new FetchError('network', 'no TLS here') },
    [finger('ada@127.0.0.1:8080', 'http')]: { body: jrd('ada@127.0.0.1:8080', actor) },
  }
  assert.equal((await lookUpHandle(pages(known, true).gate, 'ada@127.0.0.1:8080')).domain, '127.0.0.1:8080')
  const strict = pages(known)
  await assert.rejects(lookUpHandle(strict.gate, 'ada@127.0.0.1:8080'), { name: 'FetchError', reason: 'network' })
  assert.equal(strict.asked.length, 1)
  const slow = pages({ [finger('ada@a.test')]: { fails: new FetchError('timeout', 'slow') } }, true)
  await assert.rejects(lookUpHandle(slow.gate, 'ada@a.test'), { reason: 'timeout' })
})

test('the handle of a server itself is its domain, port included', () => {
  assert.deepEqual(parseHandle('acct:a.test:8080@A.test:8080'), { username: 'a.test:8080', domain: 'a.test:8080' })
  assert.equal(parseHandle('b.test:8080@a.test:8080'), null)
})

test('handles are read in all their spellings', () => {
  const cases: [string, string, string | null][] = [
    ['ada@a.test', 'ada', 'a.test'],
    ['@ada@a.test', 'ada', 'a.test'],
    ['acct:ada@a.test', 'ada', 'a.test'],
    ['ACCT:Ada@A.TEST', 'Ada', 'a.test'],
    ['  @ada ', 'ada', null],
    ['ada@a.test:8080', 'ada', 'a.test:8080'],
    ['ada@a.test:443', 'ada', 'a.test'],
    ['ada@a.test.', 'ada', 'a.test'],
    ['ada@bücher.test', 'ada', 'xn--bcher-kva.test'],
    ['a.b-c_d@a.test', 'a.b-c_d', 'a.test'],
    ['ada@[::1]:3000', 'ada', '[::1]:3000'],
    ['ada@127.0.0.1:3000', 'ada', '127.0.0.1:3000'],
  ]
  for (const [text, username, domain] of cases) assert.deepEqual(parseHandle(text), { username, domain }, text)
  for (const text of [
    '',
    '@',
    'ada@',
    '@@a.test',
    'a da@a.test',
    'ada@a.test/path',
    'ada@a.test?x',
    'ada@a@b.test',
    'ada@x:y',
    'ada@.test',
    'ada@a..test',
    '.ada@a.test',
    'ada.@a.test',
    'ada@user:pw@a.test',
    'ada@a.test#x',
    'ada@a.test\\x',
    'ada@%61.test',
    'a'.repeat(600),
    `ada@${'a.'.repeat(1e5)}test`,
  ]) {
    assert.equal(parseHandle(text), null, text.slice(0, 40))
  }
  assert.equal(normaliseDomain('MÜNCHEN.test'), 'xn--mnchen-3ya.test')
})
