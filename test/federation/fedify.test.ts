import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Accept, Create, Follow, Note, Undo } from '@fedify/fedify/vocab'
import { startFedify, type FedifyPeer } from '../support/fedify.ts'
import { eventually, startTestServer, type Person, type TestServer } from '../support/server.ts'

// Software of others: what both sides make of each other's documents and signatures.

let server: TestServer
let robin: FedifyPeer
let ada: Person
let adaUri: string
let robinId: string

before(async () => {
  ;[server, robin] = await Promise.all([startTestServer(), startFedify()])
  ada = await server.person('ada')
  adaUri = `http://${server.domain}/users/ada`
})
after(() => Promise.all([server?.stop(), robin?.stop()]))

test('an actor made by Fedify follows one of ours and is accepted', async () => {
  await robin.follow(adaUri)
  await server.drain()
  const followers = await ada.get(`/api/v1/accounts/${ada.id}/followers`)
  assert.deepEqual(
    followers.map(({ acct, display_name }: any) => [acct, display_name]),
    [[robin.handle, 'Robin of Fedify']],
  )
  const accept = robin.received.find((activity) => activity instanceof Accept)
  assert.equal(accept?.actorId?.href, adaUri)
})

test('it gets our posts, and we get its answers', async () => {
  const post = await ada.post('/api/v1/statuses', { status: 'Hello Robin #birds', spoiler_text: 'hi' })
  await server.drain()
  const create = robin.received.find((activity) => activity instanceof Create)
  const note = await create?.getObject()
  assert.ok(note instanceof Note)
  assert.equal(note.id?.href, post.uri)
  assert.equal(note.summary?.toString(), 'hi')
  assert.match(note.content?.toString() ?? '', /Hello Robin/)
  const answer = await robin.post('<p>Hello Ada</p>', { inReplyTo: post.uri, to: adaUri })
  await server.drain()
  const { descendants } = await ada.get(`/api/v1/statuses/${post.id}/context`)
  assert.deepEqual(
    descendants.map(({ uri, content }: any) => [uri, content]),
    [[answer, '<p>Hello Ada</p>']],
  )
})

test('ours follows it back, and its posts come home', async () => {
  const { accounts } = await ada.get(`/api/v2/search?q=${robin.handle}&resolve=true&type=accounts`)
  robinId = accounts[0].id
  await ada.post(`/api/v1/accounts/${robinId}/follow`)
  await server.drain()
  assert.ok(robin.received.some((activity) => activity instanceof Follow))
  const [relationship] = await ada.get(`/api/v1/accounts/relationships?id[]=${robinId}`)
  assert.deepEqual([relationship.following, relationship.followed_by], [true, true])
  const uri = await robin.post('<p>Good morning</p>')
  await server.drain()
  const home = await eventually(async () => {
    const statuses = await ada.get('/api/v1/timelines/home')
    return statuses[0].uri === uri ? statuses : null
  })
  assert.equal(home[0].content, '<p>Good morning</p>')
})

test('both sides take their follow back', async () => {
  await robin.unfollow()
  await ada.post(`/api/v1/accounts/${robinId}/unfollow`)
  await server.drain()
  assert.ok(robin.received.some((activity) => activity instanceof Undo))
  const [relationship] = await ada.get(`/api/v1/accounts/relationships?id[]=${robinId}`)
  assert.deepEqual([relationship.following, relationship.followed_by], [false, false])
})
