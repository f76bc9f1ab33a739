import assert from 'node:assert/strict'
import { test } from 'node:test'
import { signRequest } from '../../src/ap/signatures.ts'
import { PUBLIC } from '../support/peer.ts'
import { startTestServer } from '../support/server.ts'
import { stage } from '../support/stage.ts'

// What other servers' software reads of us, and needs to find there.

const AP = 'application/activity+json'
const LD = 'application/ld+json; profile="https://www.w3.org/ns/activitystreams"'

const { server, peer, ada } = await stage({ accounts: ['ada'], peers: ['peer'] })
const base = server.ctx.config.baseUrl
const uri = `${base}/users/ada`
const eve = await peer.actor('eve')

const ask = (path: string, accept = AP, method = 'GET') =>
  server.send(method, path.replace(base, ''), { headers: { accept }, redirect: 'manual' })
const read = async (path: string): Promise<any> => JSON.parse((await ask(path)).text)

test('an actor is the same document at every address and for every Accept header', async () => {
  const actor = await read(uri)
  assert.equal(actor.id, uri)
  const spellings = ['/users/ada', '/users/ADA', '/users/ada/', '/@ada', '/@Ada', '/@ada/', '/users/ada#main-key']
  for (const path of spellings)
    for (const accept of [
      AP,
      LD,
      `${AP}, ${LD}`,
      `${LD}, ${AP};q=0.9, */*;q=0.1`,
      'application/activity+json,application/ld+json',
    ]) {
      const answer = await ask(path, accept)
      assert.equal(answer.status, 200, `${path} ${accept}`)
      assert.equal(answer.headers.get('content-type'), 'application/activity+json; charset=utf-8')
      assert.match(answer.headers.get('vary') ?? '', /\bAccept\b/)
      assert.deepEqual(JSON.parse(answer.text), actor)
    }
})

test('HEAD responds like GET, without a body', async () => {
  for (const path of [
    '/users/ada',
    '/@ada',
    '/users/ada/outbox',
    '/actor',
    `/.well-known/webfinger?resource=acct:ada@${server.domain}`,
  ]) {
    const [head, get] = [await ask(path, AP, 'HEAD'), await ask(path)]
    assert.equal(head.status, 200, path)
    assert.equal(head.headers.get('content-type'), get.headers.get('content-type'), path)
    assert.equal(head.text, '')
  }
})

test('browsers get pages, and unknown or malformed Accept headers cause no error', async () => {
  assert.equal((await ask('/@ada', 'text/html')).headers.get('content-type'), 'text/html; charset=utf-8')
  assert.equal((await ask('/users/ada', 'text/html, */*')).headers.get('location'), `${base}/@ada`)
  for (const accept of ['', '*/*', 'application/json+activity', ';;;', 'x'.repeat(5000)])
    assert.ok((await ask('/users/ada', accept)).status < 400, accept.slice(0, 30))
  assert.equal((await ask('/users/nobody')).status, 404)
  assert.equal((await ask('/@nobody')).status, 404)
})

test('an actor has all properties that other servers read', async () => {
  const actor = await read(uri)
  assert.equal(actor.type, 'Person')
  assert.equal(actor.preferredUsername, 'ada')
  assert.equal(actor.url, `${base}/@ada`)
  assert.deepEqual(actor.publicKey.id.split('#'), [uri, 'main-key'])
  assert.equal(actor.publicKey.owner, uri)
  assert.match(actor.publicKey.publicKeyPem, /^-----BEGIN PUBLIC KEY-----\n/)
  assert.equal(actor.endpoints.sharedInbox, `${base}/inbox`)
  for (const name of ['inbox', 'outbox', 'followers', 'following', 'featured', 'featuredTags'])
    assert.ok(actor[name].startsWith(`${uri}/`), name)
  for (const name of ['attachment', 'tag']) assert.ok(Array.isArray(actor[name]), name)
  assert.match(actor.published, /^\d{4}-\d\d-\d\dT/)
})

test('the instance actor has a name without a port, and WebFinger finds it with and without', async () => {
  const actor = await read('/actor')
  const name = server.domain.replace(/:\d+$/, '')
  assert.deepEqual([actor.id, actor.type, actor.preferredUsername], [`${base}/actor`, 'Application', name])
  for (const handle of [
    `${name}@${server.domain}`,
    `${server.domain}@${server.domain}`,
    `${name}@${name}`,
    `${name.toUpperCase()}@${server.domain}`,
  ]) {
    const answer = await ask(`/.well-known/webfinger?resource=${encodeURIComponent(`acct:${handle}`)}`, '*/*')
    assert.equal(answer.status, 200, handle)
    const jrd = JSON.parse(answer.text)
    assert.equal(jrd.subject, `acct:${name}@${server.domain}`)
    assert.equal(jrd.links.find(({ rel }: any) => rel === 'self').href, actor.id)
  }
})

test('WebFinger responds with 404 to an unknown resource and with 400 to a malformed one', async () => {
  const statusOf = async (resource: string): Promise<number> =>
    (await ask(`/.well-known/webfinger?resource=${encodeURIComponent(resource)}`)).status
  for (const resource of [
    `mailto:ada@${server.domain}`,
    'did:web:localhost',
    'ftp://localhost/ada',
    `acct:nobody@${server.domain}`,
    'acct:ada@localhost',
    'acct:ada@far.test',
    'acct:far.test@far.test',
    'https://far.test/@ada',
  ])
    assert.equal(await statusOf(resource), 404, resource)
  for (const resource of [
    '',
    'ada',
    `ada@${server.domain}`,
    '@ada',
    'acct:',
    'acct:ada',
    'acct:@localhost',
    'acct:ada@',
    ' :',
  ])
    assert.equal(await statusOf(resource), 400, resource)
  assert.equal((await ask('/.well-known/webfinger')).status, 400)
})

test('WebFinger and host-meta have the usual formats', async () => {
  for (const resource of [
    `acct:ada@${server.domain}`,
    `acct:ADA@${server.domain}`,
    `acct:@ada@${server.domain}`,
    uri,
    `${base}/@ada`,
  ]) {
    const answer = await ask(`/.well-known/webfinger?resource=${encodeURIComponent(resource)}`, 'application/jrd+json')
    assert.equal(answer.headers.get('content-type'), 'application/jrd+json; charset=utf-8', resource)
    assert.equal(answer.headers.get('access-control-allow-origin'), '*')
    const jrd = JSON.parse(answer.text)
    assert.equal(jrd.subject, `acct:ada@${server.domain}`)
    assert.deepEqual(jrd.aliases, [`${base}/@ada`, uri])
    assert.deepEqual(
      jrd.links.find(({ rel }: any) => rel === 'self'),
      { rel: 'self', type: AP, href: uri },
    )
  }
  assert.equal((await ask(`/.well-known/webfinger?resource=ada@${server.domain}`)).status, 400)
  assert.match((await ask('/.well-known/host-meta', '*/*')).text, /rel="lrdd" template="[^"]*\{uri\}"/)
  const links = JSON.parse((await ask('/.well-known/nodeinfo', '*/*')).text).links
  assert.ok(links.some(({ rel }: any) => rel === 'http://nodeinfo.diaspora.software/ns/schema/2.0'))
})

test('a note has the properties that strict servers require', async () => {
  const post = await ada.post('/api/v1/statuses', { status: 'hello #rooks', language: 'en' })
  const note = await read(post.uri)
  assert.deepEqual([note.id, note.attributedTo, note.url], [post.uri, uri, post.url])
  assert.ok(
    Array.isArray(note.to) && Array.isArray(note.cc) && Array.isArray(note.tag) && Array.isArray(note.attachment),
  )
  assert.deepEqual(note.contentMap, { en: note.content })
  // A plain address makes Pleroma refuse the note; collections with their totals it leaves out, and Mastodon shows them.
  assert.deepEqual(note.likes, { id: `${post.uri}/likes`, type: 'Collection', totalItems: 0 })
  assert.deepEqual(note.shares, { id: `${post.uri}/shares`, type: 'Collection', totalItems: 0 })
  // GoToSocial up to 0.20 takes what a policy does not say for a refusal.
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
  assert.deepEqual([whole.id, whole.type, whole.totalItems], [context, 'OrderedCollection', 2])
  const page = JSON.parse((await ask(whole.first)).text)
  assert.deepEqual(page.orderedItems, [answer.uri, root.uri])
  for (const address of [`${base}/contexts/1`, `${base}/contexts/x`]) assert.equal((await ask(address)).status, 404)
  // An answer to something that is not known here, yet in this thread.
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
  await server.ctx.db.raw('update accounts set suspended_at = now() where id = $1', [bob.id])
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
      const signed = await signRequest({
        method: 'GET',
        url: address,
        keyId: eve.keyId,
        privateKeyPem: eve.keys.privateKeyPem,
      })
      const { host: _, ...headers } = signed
      const answer = await closed.send('GET', address, { headers: { ...headers, accept: AP } })
      assert.deepEqual([answer.status, answer.headers.get('cache-control')], [200, 'private, no-store'], path)
      assert.equal((await closed.send('GET', path, { headers: { accept: AP } })).status, 401, path)
    }
  } finally {
    await closed.stop()
  }
})
