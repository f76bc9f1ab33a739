import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  failsWith,
  gateWithDns,
  loopback,
  startPageServers,
  type PageServers,
} from '../../test/support/page-servers.ts'
import { createFetch } from './gate.ts'

const gate = createFetch(loopback)
let servers: PageServers
let origin: string
let answer: PageServers['answer']

before(async () => {
  servers = await startPageServers()
  ;({ origin, answer } = servers)
})

after(async () => {
  await gate.close()
  servers.close()
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
    await failsWith(strict.request(`http://${host}:${new URL(origin).port}/hello`), 'address')
    await failsWith(strict.request(`https://${host}/`), 'address')
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
    await failsWith(strict.request('http://inner.test/'), 'address')
    await failsWith(strict.request('https://inner.test/'), 'address')
    assert.deepEqual(asked, ['inner.test', 'inner.test'])
    await strict.close()
  }
})

test('localhost is refused unless its address is opened', async () => {
  const strict = createFetch({ ...loopback, allowedPrivateAddresses: [], allowHttp: true })
  await failsWith(strict.request(`http://localhost:${new URL(origin).port}/hello`), 'address')
  await failsWith(strict.request(`http://LOCALHOST.:${new URL(origin).port}/hello`), 'address')
  await strict.close()
})

test('only the permitted addresses of a mixed DNS response are used', async () => {
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
    await failsWith(gate.request(answer('/away', 302, { location })), reason)
  }
  const { gate: named } = gateWithDns(['127.0.0.1'], { allowedPrivateAddresses: ['127.0.0.0/8'] })
  await failsWith(
    named.request(answer('/away', 301, { location: 'http://169.254.169.254/latest/meta-data' })),
    'address',
  )
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
    await failsWith(gate.request(url), 'scheme')
  }
  await failsWith(gate.request('http://8.8.8.8/'), 'scheme')
  const { gate: outside } = gateWithDns(['93.184.216.34'])
  await failsWith(outside.request('http://public.test/'), 'scheme')
  await outside.close()
  const { gate: httpsOnly, asked } = gateWithDns(['93.184.216.34'], { allowedPrivateAddresses: [] })
  await failsWith(httpsOnly.request('http://public.test/'), 'scheme')
  assert.deepEqual(asked, [], 'a refused request resolves no name')
  await httpsOnly.close()
})
