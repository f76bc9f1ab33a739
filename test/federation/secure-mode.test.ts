import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startNetwork, type Network } from '../support/network.ts'
import { befriend, copyOf } from '../support/federated-people.ts'
import type { Person } from '../support/server.ts'

// Two servers that both want every request for a document signed: each must be able to read the other's own actor.

let network: Network<'alpha' | 'beta'>
let ada: Person
let bob: Person

before(async () => {
  network = await startNetwork(['alpha', 'beta'], { AUTHORIZED_FETCH: 'true' })
  ada = await network.alpha.person('ada')
  bob = await network.beta.person('bob')
})
after(() => network?.stop())

test('servers in secure mode find, follow and reply to each other', async () => {
  await befriend(network, [network.beta, bob], [network.alpha, ada])
  const post = await ada.post('/api/v1/statuses', { status: 'hello' })
  await network.drain()
  const copy = await copyOf(bob, post.uri)
  assert.equal(copy.content, '<p>hello</p>')
  const reply = await bob.post('/api/v1/statuses', { status: 'hello yourself', in_reply_to_id: copy.id })
  await network.drain()
  assert.equal((await copyOf(ada, reply.uri)).in_reply_to_id, post.id)
  const old = await ada.post('/api/v1/statuses', { status: 'fetched, not delivered', visibility: 'unlisted' })
  const { statuses } = await bob.get(`/api/v2/search?q=${encodeURIComponent(old.uri)}&resolve=true`)
  assert.equal(statuses.length, 1)
})
