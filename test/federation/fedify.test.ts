import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { Accept, Application, Create, Follow, Note, Undo } from '@fedify/fedify/vocab'
import { startFedify } from '../support/fedify.ts'
import { eventually } from '../support/server.ts'
import { stage } from '../support/stage.ts'

// Fedify is independent software: both sides read each other's documents and verify each other's signatures.

let robinId: string

const { server, ada } = await stage({ accounts: ['ada'] })
const robin = await startFedify()
const adaUri = `http://${server.domain}/users/ada`
after(() => robin.stop())

test('a Fedify actor follows a local account and is accepted', async () => {
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

test('Fedify receives local posts, and its replies arrive', async () => {
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

test('a local account follows back, and the posts of Fedify reach its home timeline', async () => {
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

test('both sides undo their follow', async () => {
  await robin.unfollow()
  await ada.post(`/api/v1/accounts/${robinId}/unfollow`)
  await server.drain()
  assert.ok(robin.received.some((activity) => activity instanceof Undo))
  const [relationship] = await ada.get(`/api/v1/accounts/relationships?id[]=${robinId}`)
  assert.deepEqual([relationship.following, relationship.followed_by], [false, false])
})

test('Fedify reads the embedded first page of replies, and the pages after it', async () => {
  const post = await ada.post('/api/v1/statuses', { status: 'Which bird was that?' })
  const replies: string[] = []
  for (const answer of ['A wren', 'A robin', 'A tit', 'A finch', 'A crow', 'A rook', 'A jay'])
    replies.push((await ada.post('/api/v1/statuses', { status: answer, in_reply_to_id: post.id })).uri)
  const note = await robin.lookUp(post.uri)
  assert.ok(note instanceof Note)
  const { documentLoader } = robin
  // A loader that fails proves that the first page is embedded.
  const collection = await note.getReplies({
    documentLoader: () => Promise.reject(new Error('the collection is not embedded')),
  })
  let page = await collection?.getFirst({
    documentLoader: () => Promise.reject(new Error('the first page is not embedded')),
  })
  const first = page?.itemIds.map(({ href }) => href) ?? []
  assert.equal(first.length, 5)
  const found = [...first]
  for (let pages = 0; page && pages < 10; pages++) {
    page = await page.getNext({ documentLoader })
    found.push(...(page?.itemIds.map(({ href }) => href) ?? []))
  }
  assert.deepEqual(found.toSorted(), replies.toSorted())
})

test('a post without replies has an empty first page for Fedify', async () => {
  const post = await ada.post('/api/v1/statuses', { status: 'Nothing to answer' })
  const note = await robin.lookUp(post.uri)
  assert.ok(note instanceof Note)
  const page = await (await note.getReplies(robin))?.getFirst(robin)
  assert.deepEqual(page?.itemIds, [])
})

test('Fedify looks up the instance actor, an Application whose name has no port', async () => {
  const actor = await robin.lookUp(`http://${server.domain}/actor`)
  assert.ok(actor instanceof Application)
  assert.equal(actor.preferredUsername, server.domain.replace(/:\d+$/, ''))
  assert.equal(actor.inboxId?.href, `http://${server.domain}/actor/inbox`)
  const key = await actor.getPublicKey(robin)
  assert.equal(key?.ownerId?.href, actor.id?.href)
})
