import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { PUBLIC, type Peer, type PeerActor } from '../support/peer.ts'
import { accountIdOf, deliverFrom, findStatus, followActor } from '../support/remote-people.ts'
import { stage } from '../support/stage.ts'

// Activities of a remote server about objects of others.

const { server, peer, other, ada } = await stage({ accounts: ['ada'], peers: ['peer', 'other'] })
const adaUri = `http://${server.domain}/users/ada`
/** Followed by Ada. */
const eve = await peer.actor('eve')
const mallory = await peer.actor('mallory')
const zed = await other.actor('zed')
await followActor(server, ada, peer, eve)
beforeEach(() => server.drain())

const idOf = (on: Peer, actor: PeerActor): Promise<string> => accountIdOf(ada, on, actor)
const deliver = (on: Peer, actor: PeerActor, activity: any): Promise<void> => deliverFrom(on, actor, server, activity)
const find = (uri: string, resolve = false): Promise<any> => findStatus(ada, uri, resolve)

test('only the followed account can accept a follow', async () => {
  const [relationship] = await ada.get(`/api/v1/accounts/relationships?id[]=${await idOf(peer, eve)}`)
  assert.equal(relationship.following, true)
  const id = await idOf(other, zed)
  await ada.post(`/api/v1/accounts/${id}/follow`)
  await server.drain()
  await deliver(peer, mallory, {
    id: `${mallory.uri}#a`,
    type: 'Accept',
    actor: mallory.uri,
    object: { type: 'Follow', actor: adaUri, object: zed.uri },
  })
  assert.equal((await ada.get(`/api/v1/accounts/relationships?id[]=${id}`))[0].following, false)
})

test('an object of another host is fetched from it', async () => {
  const uri = `${other.url}/notes/foreign`
  const create = (content: string) => ({
    ...peer.create(eve, { content }),
    object: { id: uri, type: 'Note', attributedTo: eve.uri, content, to: [PUBLIC] },
  })
  await deliver(peer, eve, create('forged'))
  assert.equal(await find(uri), undefined)
  other.serve('/notes/foreign', {
    id: uri,
    type: 'Note',
    attributedTo: zed.uri,
    content: '<p>what zed said</p>',
    to: [PUBLIC],
  })
  await deliver(peer, eve, create('forged again'))
  const status = await find(uri)
  assert.equal(status.content, '<p>what zed said</p>')
  assert.equal(status.account.username, 'zed')
})

test('no other account, on the same server or another, can create a post for its author', async () => {
  const forged = peer.create(mallory, { attributedTo: eve.uri, content: 'eve never said this', cc: [adaUri] })
  await deliver(peer, mallory, forged)
  assert.equal(await find(forged.object.id), undefined)
  const abroad = other.serve('/notes/abroad', {
    id: `${other.url}/notes/abroad`,
    type: 'Note',
    attributedTo: eve.uri,
    content: 'nor this',
    to: [PUBLIC],
  })
  assert.equal(await find(abroad, true), undefined)
})

test('only its author can change or delete a post', async () => {
  const create = peer.create(eve, { content: '<p>mine</p>' })
  const { id } = create.object
  await deliver(peer, eve, create)
  const update = {
    type: 'Update',
    object: { ...create.object, content: '<p>not mine</p>', updated: new Date(Date.now() + 1000).toISOString() },
  }
  await deliver(peer, mallory, {
    ...update,
    id: `${peer.url}/u/1`,
    actor: mallory.uri,
    object: { ...update.object, attributedTo: mallory.uri },
  })
  await deliver(peer, mallory, { ...update, id: `${peer.url}/u/2`, actor: mallory.uri })
  await deliver(other, zed, { ...update, id: `${other.url}/u/1`, actor: zed.uri })
  await deliver(peer, mallory, { id: `${peer.url}/d/1`, type: 'Delete', actor: mallory.uri, object: id })
  await deliver(other, zed, {
    id: `${other.url}/d/1`,
    type: 'Delete',
    actor: zed.uri,
    object: { id, type: 'Tombstone' },
  })
  assert.equal((await find(id)).content, '<p>mine</p>')
  // Nor does a forged deletion keep it from coming.
  const next = peer.create(eve, { content: '<p>still here</p>' })
  await deliver(other, zed, { id: `${other.url}/d/2`, type: 'Delete', actor: zed.uri, object: next.object.id })
  await deliver(peer, eve, next)
  assert.equal((await find(next.object.id)).content, '<p>still here</p>')
})

test('a post that is read again takes nothing from a document with another author or id', async () => {
  const create = peer.create(eve, { content: '<p>as it was</p>' })
  const { object } = create
  const path = new URL(object.id).pathname
  await deliver(peer, eve, create)
  const forged = { ...object, content: '<p>forged</p>', updated: new Date(Date.now() + 1000).toISOString() }
  const elsewhere = { ...forged, id: `${peer.url}/notes/elsewhere` }
  peer.serve('/notes/elsewhere', elsewhere)
  for (const [i, shown] of [{ ...forged, attributedTo: mallory.uri }, elsewhere].entries()) {
    peer.serve(path, shown)
    peer.requests.length = 0
    await deliver(other, zed, { id: `${peer.url}/u/again${i}`, type: 'Update', actor: eve.uri, object: object.id })
    assert.ok(peer.requests.includes(`GET ${path}`))
    assert.equal((await find(object.id)).content, '<p>as it was</p>')
  }
})

test('a post of another host that an account pins is not requested', async () => {
  const [account] = (await ada.get(`/api/v2/search?q=${encodeURIComponent(eve.uri)}&resolve=true`)).accounts
  assert.equal(account.username, 'eve')
  const featured = eve.document['featured'] ?? `${eve.uri}/featured`
  eve.document['featured'] = featured
  peer.serve(new URL(eve.uri).pathname, eve.document)
  peer.serve(new URL(featured).pathname, { id: featured, type: 'OrderedCollection', orderedItems: [] })
  await deliver(peer, eve, { id: `${peer.url}/u/pins`, type: 'Update', actor: eve.uri, object: eve.document })
  const pin = async (on: Peer, uri: string): Promise<boolean> => {
    const add = { type: 'Add', actor: eve.uri, object: uri, target: featured }
    await deliver(peer, eve, { id: `${peer.url}/add/${encodeURIComponent(uri)}`, ...add })
    return on.requests.includes(`GET ${new URL(uri).pathname}`)
  }
  const own = peer.create(eve, { content: 'pinned' }).object
  assert.equal(await pin(peer, peer.serve(new URL(own.id).pathname, own)), true)
  const foreign = other.create(zed, { content: 'not hers' }).object
  assert.equal(await pin(other, other.serve(new URL(foreign.id).pathname, foreign)), false)
})

test('an account whose inbox is on this server is not stored', async () => {
  for (const [i, path] of ['/inbox', '/users/ada/inbox', '/somewhere'].entries()) {
    const { uri } = await peer.actor(`inside${i}`, { inbox: `http://${server.domain}${path}` })
    const { accounts } = await ada.get(`/api/v2/search?q=${encodeURIComponent(uri)}&resolve=true`)
    assert.deepEqual(accounts, [], path)
  }
})

test('an account whose shared inbox is that of this server gets its posts in its own', async () => {
  const loop = await peer.actor('loop', { endpoints: { sharedInbox: `http://${server.domain}/inbox` } })
  const follow = { id: `${loop.uri}#follow`, type: 'Follow', actor: loop.uri, object: adaUri }
  await deliver(peer, loop, follow)
  peer.received.length = 0
  await ada.post('/api/v1/statuses', { status: 'round and round' })
  await server.drain()
  assert.deepEqual(
    peer.received.map(({ type }) => type),
    ['Create'],
  )
  await deliver(peer, loop, { id: `${loop.uri}#undo`, type: 'Undo', actor: loop.uri, object: follow })
})

test('an account cannot delete or change another one', async () => {
  const id = await idOf(peer, eve)
  await deliver(peer, mallory, { id: `${peer.url}/d/eve`, type: 'Delete', actor: mallory.uri, object: eve.uri })
  await deliver(peer, mallory, {
    id: `${peer.url}/u/eve`,
    type: 'Update',
    actor: mallory.uri,
    object: { ...eve.document, name: 'Mallory was here' },
  })
  const account = await ada.get(`/api/v1/accounts/${id}`)
  assert.equal(account.display_name, 'eve')
})

test('an account cannot undo the activities of another one', async () => {
  const post = await ada.post('/api/v1/statuses', { status: 'like me' })
  const like = { id: `${peer.url}/likes/1`, type: 'Like', actor: eve.uri, object: post.uri }
  await deliver(peer, eve, like)
  await deliver(peer, mallory, { id: `${peer.url}/undo/1`, type: 'Undo', actor: mallory.uri, object: like })
  await deliver(other, zed, { id: `${other.url}/undo/1`, type: 'Undo', actor: zed.uri, object: like.id })
  assert.equal((await ada.get(`/api/v1/statuses/${post.id}`)).favourites_count, 1)
})

test('a forwarded reply to a known post is fetched from its origin', async () => {
  const post = await ada.post('/api/v1/statuses', { status: 'a question' })
  const note = {
    id: `${other.url}/notes/reply`,
    type: 'Note',
    attributedTo: zed.uri,
    content: '<p>an answer</p>',
    inReplyTo: post.uri,
    to: [PUBLIC],
  }
  const create = {
    id: `${other.url}/c/reply`,
    type: 'Create',
    actor: zed.uri,
    object: { ...note, content: 'forged' },
    signature: { type: 'RsaSignature2017', signatureValue: 'x' },
  }
  await deliver(peer, eve, create)
  assert.equal(await find(note.id), undefined)
  other.serve('/notes/reply', note)
  await deliver(peer, eve, { ...create, id: `${other.url}/c/reply2` })
  assert.equal((await find(note.id)).content, '<p>an answer</p>')
  // The same for its deletion.
  const gone = { id: `${other.url}/d/reply`, type: 'Delete', actor: zed.uri, object: note.id }
  await deliver(peer, eve, gone)
  assert.ok(await find(note.id))
  other.serve('/notes/reply', { status: 410, body: '' })
  await deliver(peer, eve, { ...gone, id: `${other.url}/d/reply2` })
  assert.equal(await find(note.id), undefined)
})

test('a deletion that another server reports removes no private post that its own server shows to followers alone', async () => {
  const create = peer.create(eve, { content: '<p>for followers</p>', to: [`${eve.uri}/followers`], cc: [] })
  const { id } = create.object
  await deliver(peer, eve, create)
  peer.serve(new URL(id).pathname, create.object)
  // As Mastodon answers everyone who may not read the post.
  peer.refuses = ({ url, headers }) =>
    `${peer.url}${url}` === id && !String(headers.signature).includes(`${adaUri}#`) ? 404 : null
  const gone = { id: `${peer.url}/d/private`, type: 'Delete', actor: eve.uri, object: id }
  await deliver(other, zed, gone)
  assert.ok(await find(id))
  peer.serve(new URL(id).pathname, { status: 404, body: '' })
  await deliver(other, zed, { ...gone, id: `${peer.url}/d/private2` })
  assert.equal(await find(id), undefined)
  peer.refuses = () => null
})

test('remote replies to local posts, and changes of posts that local accounts boosted, are forwarded to followers', async () => {
  const ivy = await peer.actor('ivy')
  const follow = { id: `${peer.url}/f/ivy`, type: 'Follow', actor: ivy.uri, object: adaUri }
  await deliver(peer, ivy, follow)
  const signature = {
    type: 'RsaSignature2017',
    creator: zed.keyId,
    created: '2026-11-22T00:00:00Z',
    signatureValue: 'c2lnbmVk',
  }
  const post = await ada.post('/api/v1/statuses', { status: 'who has an answer?' })
  await server.drain()
  const say = async (activity: any): Promise<any[]> => {
    peer.received.length = 0
    other.received.length = 0
    await deliver(other, zed, activity)
    assert.deepEqual(other.received, [])
    return peer.received
  }
  const create: any = { ...other.create(zed, { inReplyTo: post.uri, content: '<p>me</p>' }), signature }
  assert.deepEqual(await say(create), [create])
  const update = { ...create, id: `${create.id}/u`, type: 'Update', object: { ...create.object, content: '<p>I</p>' } }
  assert.deepEqual(await say(update), [update])
  const gone = { id: `${create.id}/d`, type: 'Delete', actor: zed.uri, object: create.object.id, signature }
  assert.deepEqual(await say(gone), [gone])
  // A limit keeps a post that is sent again and again from going to many servers each time.
  const again = other.create(zed, { inReplyTo: post.uri, content: '<p>again</p>' })
  await deliver(other, zed, again)
  for (const [type, object] of [
    ['Create', () => again.object],
    [['Update'], (i: number) => [`${other.url}/unknown/${i}`, again.object]],
  ] as const) {
    peer.received.length = 0
    const one = (i: number) => ({ ...again, id: `${again.id}/${type}/${i}`, type, object: object(i), signature })
    await Promise.all(Array.from({ length: 12 }, (_, i) => deliver(other, zed, one(i))))
    assert.equal(peer.received.length, 10, String(type))
  }
  // Not forwarded: activities without a verifiable signature, oversized or private ones, and replies to other posts.
  const answer = (more: object) => other.create(zed, { inReplyTo: post.uri, cc: [adaUri], ...more })
  assert.deepEqual(await say(answer({})), [])
  let nested: unknown = 'x'
  for (let depth = 0; depth < 40; depth++) nested = [nested]
  const malformed = [
    { signatureValue: nested },
    { signatureValue: 'A'.repeat(200_000) },
    { signatureValue: 'not base64!' },
    { creator: eve.keyId },
    { created: undefined },
    { type: 'Something' },
    { more: 'x'.repeat(10_000) },
  ]
  for (const member of malformed)
    assert.deepEqual(
      await say({ ...answer({}), signature: { ...signature, ...member } }),
      [],
      JSON.stringify(member).slice(0, 80),
    )
  assert.deepEqual(await say({ ...answer({ content: 'x'.repeat(70_000) }), signature }), [], 'too large')
  assert.deepEqual(await say({ ...answer({ to: [`${zed.uri}/followers`] }), signature }), [])
  assert.deepEqual(await say({ ...answer({ bcc: [adaUri] }), signature }), [], 'its hidden recipients would be shown')
  assert.deepEqual(await say({ ...answer({}), bto: adaUri, signature }), [])
  const plain: any = { ...answer({ inReplyTo: null, content: '<p>boost me</p>' }), signature }
  assert.deepEqual(await say(plain), [])
  const { id } = await find(plain.object.id)
  await ada.post(`/api/v1/statuses/${id}/reblog`)
  await server.drain()
  const end = { id: `${plain.id}/d`, type: 'Delete', actor: zed.uri, object: plain.object.id, signature }
  assert.deepEqual(
    (await say(end)).filter(({ actor }) => actor === zed.uri),
    [end],
  )
  const proof = {
    type: 'DataIntegrityProof',
    cryptosuite: 'eddsa-jcs-2022',
    created: '2026-11-22T00:00:00Z',
    verificationMethod: `${zed.uri}#ed25519`,
    proofPurpose: 'assertionMethod',
    proofValue: 'z3sXaxjKs4M3BRicwWA9peyNPJvJqxtGsDmpt1jjoHCjgeUf71TRFz56osPSfDErszyLp5Ks1EhYSgpDaNM977Rg2',
  }
  const proven: any = { ...answer({}), proof }
  assert.deepEqual(await say(proven), [proven])
  for (const member of [{ verificationMethod: eve.keyId }, { proofValue: 'A'.repeat(9999) }, { proofPurpose: nested }])
    assert.deepEqual(await say({ ...answer({}), proof: { ...proof, ...member } }), [])
})

test('an edit or deletion without its own signature is forwarded as a hint, up to a limit', async () => {
  const post: any = other.create(zed, { cc: [adaUri], content: '<p>boost me too</p>' })
  await deliver(other, zed, post)
  const { id } = await find(post.object.id)
  await ada.post(`/api/v1/statuses/${id}/reblog`)
  await server.drain()
  const forwarded = async (activity: any): Promise<any[]> => {
    peer.received.length = 0
    await deliver(other, zed, activity)
    return peer.received.filter(({ actor }) => actor === zed.uri)
  }
  const hint = ({ id: name, type }: any): object => ({
    '@context': 'https://www.w3.org/ns/activitystreams',
    id: name,
    type,
    actor: zed.uri,
    to: [PUBLIC],
    object: post.object.id,
  })
  let edits = 0
  for (let i = 0; i < 12; i++) {
    const object = { ...post.object, content: `<p>${i}</p>`, updated: new Date().toISOString() }
    const update = { id: `${post.id}/u/${i}`, type: 'Update', actor: zed.uri, object, signature: { made: 'up' } }
    const received = await forwarded(update)
    edits += received.length
    if (i === 0) assert.deepEqual(received, [hint(update)])
  }
  assert.equal(edits, 10)
  const gone = { id: `${post.id}/d`, type: 'Delete', actor: zed.uri, object: { id: post.object.id, type: 'Tombstone' } }
  const several = [`${other.url}/unknown`, gone.object]
  assert.deepEqual(await forwarded({ ...gone, object: several }), [hint(gone)], 'one of several objects')
  assert.ok(peer.received.some(({ type, actor }) => type === 'Undo' && actor === adaUri))
  assert.deepEqual(await forwarded({ ...gone, id: `${post.id}/d2` }), [])
})
