// Quotes between two servers (FEP-044f): policies, approval, revocation, edits and deletions
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startNetwork, type Network } from '../support/network.ts'
import { befriend, copyOf } from '../support/federated-people.ts'
import type { Person, TestServer } from '../support/server.ts'

let network: Network<'alpha' | 'beta'>
let alpha: TestServer
let ada: Person // of alpha
let bob: Person // of beta; they follow each other
before(async () => {
  network = await startNetwork(['alpha', 'beta'])
  alpha = network.alpha
  ada = await alpha.person('ada')
  bob = await network.beta.person('bob')
  await befriend(network, [network.beta, bob], [alpha, ada])
  await befriend(network, [alpha, ada], [network.beta, bob])
})
after(() => network.stop())

const documentOf = async (server: TestServer, uri: string): Promise<any> =>
  (await server.send('GET', new URL(uri).pathname, { headers: { accept: 'application/activity+json' } })).json
const adaUri = (): string => `${alpha.ctx.config.baseUrl}/users/ada`

/** Ada posts, and Bob quotes her copy on beta. */
async function quoted(): Promise<{ original: any; made: any }> {
  const original = await ada.post('/api/v1/statuses', { status: 'said' })
  await network.drain()
  const copy = await copyOf(bob, original.uri)
  const made = await bob.post('/api/v1/statuses', { status: 'quoting', quoted_status_id: copy.id })
  return { original, made }
}

test('a policy is sent with the post', async () => {
  for (const [policy, automatic, current] of [
    ['public', ['public'], 'automatic'],
    ['followers', ['followers'], 'automatic'],
    ['nobody', [], 'denied'],
  ] as const) {
    const post = await ada.post('/api/v1/statuses', { status: 'x', quote_approval_policy: policy })
    await network.drain()
    assert.deepEqual((await copyOf(bob, post.uri)).quote_approval, { automatic, manual: [], current_user: current })
    await ada.put(`/api/v1/statuses/${post.id}/interaction_policy`, { quote_approval_policy: 'public' })
    await network.drain()
    const after = await copyOf(bob, post.uri)
    assert.deepEqual([after.quote_approval.current_user, after.edited_at], ['automatic', null])
  }
  const { uri } = await ada.post('/api/v1/statuses', { status: 'x', quote_approval_policy: 'nobody' })
  assert.deepEqual((await documentOf(alpha, uri)).interactionPolicy.canQuote, { automaticApproval: [adaUri()] })
})

test('a quote is pending until the other server accepts it, which it does at once', async () => {
  const { original, made } = await quoted()
  assert.deepEqual(made.quote, { state: 'pending', quoted_status: null })
  await network.drain()
  const settled = await bob.get(`/api/v1/statuses/${made.id}`)
  assert.deepEqual(
    [settled.quote.state, settled.quote.quoted_status.uri, settled.edited_at],
    ['accepted', original.uri, null],
  )
  const here = await copyOf(ada, made.uri)
  assert.deepEqual([here.quote.state, here.quote.quoted_status.id], ['accepted', original.id])
  assert.equal((await ada.get(`/api/v1/statuses/${original.id}`)).quotes_count, 1)
  assert.deepEqual(
    (await ada.get(`/api/v1/statuses/${original.id}/quotes`)).map(({ uri }: any) => uri),
    [made.uri],
  )
  const [notification] = await ada.get('/api/v1/notifications?types[]=quote')
  assert.equal(notification.status.uri, made.uri)
  const note = await documentOf(network.beta, made.uri)
  assert.deepEqual(
    [note.quote, note.quoteUri, note.quoteUrl, note._misskey_quote],
    Array.from({ length: 4 }, () => original.uri),
  )
  const stamp = await documentOf(alpha, note.quoteAuthorization)
  const { '@context': _context, ...members } = stamp
  assert.deepEqual(members, {
    id: note.quoteAuthorization,
    type: 'QuoteAuthorization',
    attributedTo: adaUri(),
    interactingObject: made.uri,
    interactionTarget: original.uri,
  })
  assert.match(note.quoteAuthorization, new RegExp(`^${adaUri()}/quote_authorizations/\\d+$`))
})

test('a request is refused if the policy changed before it arrived', async () => {
  const original = await ada.post('/api/v1/statuses', { status: 'said' })
  await network.drain()
  const copy = await copyOf(bob, original.uri)
  await alpha.database.raw('update statuses set quote_policy = 0 where id = $1', [original.id])
  const made = await bob.post('/api/v1/statuses', { status: 'quoting', quoted_status_id: copy.id })
  await network.drain()
  assert.deepEqual((await bob.get(`/api/v1/statuses/${made.id}`)).quote, { state: 'rejected', quoted_status: null })
  assert.equal((await ada.get(`/api/v1/statuses/${original.id}`)).quotes_count, 0)
})

test('a revoked approval is revoked on all servers', async () => {
  const { original, made } = await quoted()
  await network.drain()
  const { quoteAuthorization: stamp } = await documentOf(network.beta, made.uri)
  const here = await copyOf(ada, made.uri)
  await ada.post(`/api/v1/statuses/${original.id}/quotes/${here.id}/revoke`)
  await network.drain()
  assert.deepEqual((await bob.get(`/api/v1/statuses/${made.id}`)).quote, { state: 'revoked', quoted_status: null })
  assert.equal((await documentOf(network.beta, made.uri)).quoteAuthorization, undefined)
  assert.equal((await alpha.send('GET', new URL(stamp).pathname)).status, 404)
  assert.equal((await copyOf(bob, original.uri)).quotes_count, 0)
})

test('deleting a quoted post leaves a deleted quote, and an edit notifies the quoting account', async () => {
  const { original, made } = await quoted()
  await network.drain()
  await ada.put(`/api/v1/statuses/${original.id}`, { status: 'said otherwise' })
  await network.drain()
  const [notification] = await bob.get('/api/v1/notifications?types[]=quoted_update')
  assert.equal(notification.status.id, made.id)
  assert.equal((await bob.get(`/api/v1/statuses/${made.id}`)).quote.quoted_status.content, '<p>said otherwise</p>')
  await ada.delete(`/api/v1/statuses/${original.id}`)
  await network.drain()
  assert.deepEqual((await bob.get(`/api/v1/statuses/${made.id}`)).quote, { state: 'deleted', quoted_status: null })
  const { quote, quoteUri } = await documentOf(network.beta, made.uri)
  assert.deepEqual([quote, quoteUri], [{ type: 'Tombstone' }, undefined])
})

test('a deleted quote no longer counts on the other server', async () => {
  const { original, made } = await quoted()
  await network.drain()
  await bob.delete(`/api/v1/statuses/${made.id}`)
  await network.drain()
  assert.equal((await ada.get(`/api/v1/statuses/${original.id}`)).quotes_count, 0)
})
