import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PUBLIC, signedHeaders } from '../support/peer.ts'
import { startTestServer } from '../support/server.ts'
import { stage } from '../support/stage.ts'

// Posts, collections and replies as other servers read them.

const AP = 'application/activity+json'
const LD = 'application/ld+json; profile="https://www.w3.org/ns/activitystreams"'

const { server, peer, ada } = await stage({ accounts: ['ada'], peers: ['peer'] })
const base = server.ctx.config.baseUrl
const uri = `${base}/users/ada`
const eve = await peer.actor('eve')

const ask = (path: string, accept = AP) => server.send('GET', path.replace(base, ''), { headers: { accept } })
const read = async (path: string): Promise<any> => JSON.parse((await ask(path)).text)

test('a note has the properties that strict servers require', async () => {
  const post = await ada.post('/api/v1/statuses', { status: 'hello #rooks', language: 'en' })
  const note = await read(post.uri)
  assert.deepEqual([note.id, note.attributedTo, note.url], [post.uri, uri, post.url])
  assert.ok(
    Array.isArray(note.to) && Array.isArray(note.cc) && Array.isArray(note.tag) && Array.isArray(note.attachment),
  )
  assert.deepEqual(note.contentMap, { en: note.content })
  // Pleroma refuses notes whose `likes` is a URL, but ignores embedded collections, whose totals Mastodon shows.
  assert.deepEqual(note.likes, { id: `${post.uri}/likes`, type: 'Collection', totalItems: 0 })
  assert.deepEqual(note.shares, { id: `${post.uri}/shares`, type: 'Collection', totalItems: 0 })
  // GoToSocial up to 0.20 reads missing members of a policy as a refusal.
  for (const name of ['canLike', 'canReply', 'canAnnounce'])
    assert.deepEqual(note.interactionPolicy[name], { automaticApproval: [PUBLIC], always: [PUBLIC] }, name)
  for (const address of [post.uri, post.url, `${post.uri}/`])
    assert.equal((await ask(address, LD)).status, 200, address)
  assert.equal((await ask(post.uri, 'text/html')).headers.get('location'), post.url)
  const create = await read(`${post.uri}/activity`)
  assert.deepEqual([create.type, create.object.id, create.to, create.cc], ['Create', post.uri, note.to, note.cc])
})

test('the policy of a followers-only post permits no boosts', async () => {
  const post = await ada.post('/api/v1/statuses', { status: 'for few', visibility: 'private' })
  await peer.send(server, eve, { id: `${peer.url}/f/1`, type: 'Follow', actor: eve.uri, object: uri })
  await server.drain()
  await ada.put(`/api/v1/statuses/${post.id}`, { status: 'for few, edited' })
  await server.drain()
  const update = peer.received.find(({ type, object }) => type === 'Update' && object.id === post.uri)
  assert.deepEqual(update?.object.interactionPolicy.canAnnounce, { automaticApproval: [uri], always: [uri] })
})

test('a note embeds its counters', async () => {
  const post = await ada.post('/api/v1/statuses', { status: 'popular' })
  await peer.send(server, eve, { id: `${peer.url}/l/1`, type: 'Like', actor: eve.uri, object: post.uri })
  await peer.send(server, eve, {
    id: `${peer.url}/a/1`,
    type: 'Announce',
    actor: eve.uri,
    object: post.uri,
    to: [PUBLIC],
  })
  await server.drain()
  const note = await read(post.uri)
  assert.deepEqual([note.likes.totalItems, note.shares.totalItems], [1, 1])
  assert.equal((await read(note.likes.id)).totalItems, 1)
})

test('the replies collection embeds its first page, as Mastodon expects', async () => {
  const post = await ada.post('/api/v1/statuses', { status: 'a question' })
  const answers: string[] = []
  for (let i = 0; i < 42; i++)
    answers.push((await ada.post('/api/v1/statuses', { status: `answer ${i}`, in_reply_to_id: post.id })).uri)
  await ada.post('/api/v1/statuses', { status: 'aside', in_reply_to_id: post.id, visibility: 'direct' })
  const { replies } = await read(post.uri)
  const collection = await read(replies.id)
  assert.deepEqual(
    [collection.type, collection.totalItems, collection.first.type],
    ['Collection', 42, 'CollectionPage'],
  )
  assert.equal(collection.first.partOf, collection.id)
  const found = [...collection.first.items]
  const second = await read(collection.first.next)
  assert.equal(second.type, 'CollectionPage')
  assert.equal(second.next, undefined)
  assert.deepEqual([...found, ...second.items], answers.toReversed())
})

test('a post embeds the first page of its replies, which leads to the others', async () => {
  const post = await ada.post('/api/v1/statuses', { status: 'who is there?' })
  const page = { type: 'CollectionPage', partOf: `${post.uri}/replies` }
  const empty = { id: page.partOf, type: 'Collection', first: { ...page, next: `${page.partOf}?page=true`, items: [] } }
  assert.deepEqual((await read(post.uri)).replies, empty)
  assert.deepEqual((await read(`${post.uri}/activity`)).object.replies, empty)
  const answers: string[] = []
  for (let i = 0; i < 7; i++)
    answers.unshift((await ada.post('/api/v1/statuses', { status: `${i}`, in_reply_to_id: post.id })).uri)
  await ada.post('/api/v1/statuses', { status: 'for few', in_reply_to_id: post.id, visibility: 'private' })
  const { first } = (await read(post.uri)).replies
  assert.deepEqual(first.items, answers.slice(0, 5))
  const rest = await read(first.next)
  assert.deepEqual([rest.type, rest.partOf, rest.items], ['CollectionPage', page.partOf, answers.slice(5)])
})

test('a thread has an id, which replies repeat, and can be fetched as a collection', async () => {
  const root = await ada.post('/api/v1/statuses', { status: 'the first' })
  const answer = await ada.post('/api/v1/statuses', { status: 'the second', in_reply_to_id: root.id })
  const hidden = { status: 'not for all', in_reply_to_id: root.id, visibility: 'private' }
  await ada.post('/api/v1/statuses', hidden)
  const documentOf = async ({ uri: address }: any): Promise<any> => JSON.parse((await ask(address)).text)
  const { context, conversation } = await documentOf(root)
  assert.deepEqual([conversation, context], [context, (await documentOf(answer)).context])
  const whole = JSON.parse((await ask(context)).text)
  assert.deepEqual([whole.id, whole.type, whole.totalItems], [context, 'Collection', 2])
  assert.deepEqual([whole.first.type, whole.first.items], ['CollectionPage', [answer.uri, root.uri]])
  assert.deepEqual(JSON.parse((await ask(whole.first.id)).text).items, whole.first.items)
  for (const address of [`${base}/contexts/1`, `${base}/contexts/x`]) assert.equal((await ask(address)).status, 404)
  // A reply to an unknown post, in the same thread.
  const stray = peer.create(eve, { cc: [uri], inReplyTo: `${peer.url}/notes/lost`, context, content: '<p>stray</p>' })
  assert.equal(await peer.send(server, eve, stray), 202)
  await server.drain()
  assert.equal(JSON.parse((await ask(context)).text).totalItems, 3)
})

test('the outbox can be paged from both ends', async () => {
  const outbox = await read(`${uri}/outbox`)
  assert.equal(outbox.type, 'OrderedCollection')
  const forwards: string[] = []
  for (let page = await read(outbox.first); ; page = await read(page.next)) {
    assert.equal(page.type, 'OrderedCollectionPage')
    forwards.push(...page.orderedItems.map(({ id }: any) => id))
    if (!page.next) break
  }
  const backwards: string[] = []
  for (let page = await read(outbox.last); page.orderedItems.length > 0; page = await read(page.prev))
    backwards.unshift(...page.orderedItems.map(({ id }: any) => id))
  assert.ok(forwards.length > 40)
  assert.deepEqual(backwards, forwards)
  assert.equal((await read(outbox.last)).next, undefined)
})

test('a deleted post is 410, an unknown one 404', async () => {
  const post = await ada.post('/api/v1/statuses', { status: 'soon gone' })
  await ada.delete(`/api/v1/statuses/${post.id}`)
  assert.equal((await ask(post.uri)).status, 410)
  assert.equal((await ask(post.url)).status, 410)
  assert.equal((await ask(`${uri}/statuses/1`)).status, 404)
  const bob = await server.person('bob')
  await server.ctx.db.raw('update accounts set suspended_at = now(), purged_at = now() where id = $1', [bob.id])
  for (const path of [
    '/users/bob',
    '/@bob',
    '/users/bob/outbox',
    `/.well-known/webfinger?resource=acct:bob@${server.domain}`,
  ])
    assert.equal((await ask(path)).status, 410, path)
})

test('a reply reaches the author of its parent without a mention, and other participants who are mentioned', async () => {
  const { object } = peer.create(eve, { cc: [uri] })
  const third = await peer.actor('third')
  await peer.send(server, eve, {
    id: `${peer.url}/c/9`,
    type: 'Create',
    actor: eve.uri,
    to: object.to,
    cc: object.cc,
    object,
  })
  await server.drain()
  const found = await ada.get(`/api/v2/search?q=${encodeURIComponent(object.id)}&type=statuses`)
  peer.received.length = 0
  peer.requests.length = 0
  await ada.post('/api/v1/statuses', {
    status: `no names but @third@${peer.domain}`,
    in_reply_to_id: found.statuses[0].id,
  })
  await server.drain()
  const inboxes = peer.requests.filter((line) => line.startsWith('POST')).toSorted()
  assert.deepEqual(inboxes, ['POST /users/eve/inbox', 'POST /users/third/inbox'])
  assert.equal(peer.received[0]?.object.inReplyTo, object.id)
  assert.ok(peer.received[0]?.cc.includes(third.uri))
})

test('responses in secure mode are not cacheable', async () => {
  const closed = await startTestServer({ AUTHORIZED_FETCH: 'true' })
  try {
    await closed.person('ada')
    for (const path of ['/users/ada', '/@ada', '/users/ada/outbox', '/users/ada/collections/tags']) {
      const address = `http://${closed.domain}${path}`
      const headers = { ...(await signedHeaders(address, eve)), accept: AP }
      const answer = await closed.send('GET', address, { headers })
      assert.deepEqual([answer.status, answer.headers.get('cache-control')], [200, 'private, no-store'], path)
      assert.equal((await closed.send('GET', path, { headers: { accept: AP } })).status, 401, path)
    }
  } finally {
    await closed.stop()
  }
})
