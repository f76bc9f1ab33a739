import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { handleOf, startNetwork, type Network } from '../support/network.ts'
import type { Person } from '../support/server.ts'

let net: Network<'here' | 'there'>
let ada: Person
let ben: Person
before(async () => {
  net = await startNetwork(['here', 'there'])
  ada = await net.here.person('ada')
  ben = await net.there.person('ben')
})
after(() => net.stop())

const search = (q: string, more = '&resolve=true') => ada.get(`/api/v2/search?q=${encodeURIComponent(q)}${more}`)

test('a full handle is resolved at its server when resolve is set', async () => {
  const handle = handleOf(net.there, ben)
  assert.deepEqual((await search(handle, '')).accounts, [])
  assert.equal((await ada.send('GET', `/api/v1/accounts/lookup?acct=${handle}`)).status, 404)
  const [found] = (await search(`@${handle}`)).accounts
  assert.equal(found.acct, handle)
  assert.deepEqual((await search(`nobody@${net.there.domain}`)).accounts, [])
  assert.equal((await ada.get(`/api/v1/accounts/lookup?acct=${handle}`)).id, found.id)
  const [again] = await ada.get(`/api/v1/accounts/search?resolve=true&q=${handle}`)
  assert.equal(again.id, found.id)
})

test('URLs of profiles and posts resolve', async () => {
  const [open, secret] = [
    await ben.post('/api/v1/statuses', { status: 'hello' }),
    await ben.post('/api/v1/statuses', { status: 'hidden', visibility: 'private' }),
  ]
  assert.deepEqual((await search(open.url, '')).statuses, [])
  const { statuses, accounts } = await search(open.url)
  assert.deepEqual([statuses[0].uri, accounts], [open.uri, []])
  assert.equal((await search(open.uri, '')).statuses[0].id, statuses[0].id)
  assert.deepEqual((await search(secret.url)).statuses, [])
  assert.equal((await search(`${net.there.ctx.config.baseUrl}/@ben`)).accounts[0].username, 'ben')
})

test('POST /api/v1/follows resolves and follows a remote account', async () => {
  const account = await ada.post('/api/v1/follows', { uri: handleOf(net.there, ben) })
  await net.drain()
  assert.equal((await ada.get(`/api/v1/accounts/relationships?id=${account.id}`))[0].following, true)
  assert.equal((await ben.get(`/api/v1/accounts/${ben.id}`)).followers_count, 1)
  assert.equal((await ada.send('POST', '/api/v1/follows', { json: { uri: `nobody@${net.there.domain}` } })).status, 404)
})
