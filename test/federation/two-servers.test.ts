import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startNetwork, type Network } from '../support/network.ts'
import { befriend, copyOf, meet } from '../support/federated-people.ts'
import { startPeer } from '../support/peer.ts'
import type { Person } from '../support/server.ts'

let network: Network<'alpha' | 'beta'>
let ada: Person // of alpha
let bob: Person // of beta
let cleo: Person // of beta, follows no account
let adaOnBeta: string
let bobOnAlpha: string

before(async () => {
  network = await startNetwork(['alpha', 'beta'])
  ada = await network.alpha.person('ada')
  bob = await network.beta.person('bob')
  cleo = await network.beta.person('cleo')
  adaOnBeta = await befriend(network, [network.beta, bob], [network.alpha, ada])
  bobOnAlpha = await befriend(network, [network.alpha, ada], [network.beta, bob])
})
after(() => network?.stop())

const home = (person: Person): Promise<any[]> => person.get('/api/v1/timelines/home')
const notifications = (person: Person, type: string): Promise<any[]> =>
  person.get(`/api/v1/notifications?types[]=${type}`)

test('a follow is accepted at once on both servers', async () => {
  const [relationship] = await bob.get(`/api/v1/accounts/relationships?id[]=${adaOnBeta}`)
  assert.equal(relationship.following, true)
  assert.equal(relationship.followed_by, true)
  assert.equal(relationship.requested, false)
  const followers = await ada.get(`/api/v1/accounts/${ada.id}/followers`)
  assert.deepEqual(
    followers.map((account: any) => account.acct),
    [`bob@${network.beta.domain}`],
  )
  const [notification] = await notifications(ada, 'follow')
  assert.equal(notification.account.acct, `bob@${network.beta.domain}`)
})

test('a post arrives with all its properties', async () => {
  const post = await ada.post('/api/v1/statuses', {
    status: 'Hello #Federation & <b>all</b>',
    spoiler_text: 'greeting',
    language: 'en',
  })
  await network.drain()
  const [copy] = await home(bob)
  assert.equal(copy.uri, post.uri)
  assert.equal(copy.url, post.url)
  assert.equal(copy.account.acct, `ada@${network.alpha.domain}`)
  assert.match(copy.content, /&amp; &lt;b&gt;all&lt;\/b&gt;/)
  assert.equal(copy.spoiler_text, 'greeting')
  assert.equal(copy.sensitive, true)
  assert.equal(copy.language, 'en')
  assert.equal(copy.visibility, 'public')
  assert.deepEqual(
    copy.tags.map(({ name }: any) => name),
    ['federation'],
  )
  assert.equal(copy.created_at, post.created_at)
})

test('a reply without a mention reaches the author and joins the thread', async () => {
  const post = await ada.post('/api/v1/statuses', { status: 'Who is there?' })
  await network.drain()
  const copy = await copyOf(cleo, post.uri)
  const reply = await cleo.post('/api/v1/statuses', { status: 'It is me', in_reply_to_id: copy.id })
  await network.drain()
  const { descendants } = await ada.get(`/api/v1/statuses/${post.id}/context`)
  assert.deepEqual(
    descendants.map(({ uri }: any) => uri),
    [reply.uri],
  )
  assert.equal(descendants[0].in_reply_to_id, post.id)
  assert.equal((await ada.get(`/api/v1/statuses/${post.id}`)).replies_count, 1)
})

test('a mention is delivered to an account without follows', async () => {
  const post = await ada.post('/api/v1/statuses', { status: `Hello @cleo@${network.beta.domain}` })
  await network.drain()
  const [notification] = await notifications(cleo, 'mention')
  assert.equal(notification.status.uri, post.uri)
  assert.deepEqual(
    notification.status.mentions.map(({ acct }: any) => acct),
    ['cleo'],
  )
})

test('a favourite and its Undo arrive', async () => {
  const post = await ada.post('/api/v1/statuses', { status: 'Like this' })
  await network.drain()
  const copy = await copyOf(bob, post.uri)
  await bob.post(`/api/v1/statuses/${copy.id}/favourite`)
  await network.drain()
  assert.equal((await ada.get(`/api/v1/statuses/${post.id}`)).favourites_count, 1)
  assert.equal((await notifications(ada, 'favourite'))[0].status.id, post.id)
  await bob.post(`/api/v1/statuses/${copy.id}/unfavourite`)
  await network.drain()
  assert.equal((await ada.get(`/api/v1/statuses/${post.id}`)).favourites_count, 0)
  assert.deepEqual(await notifications(ada, 'favourite'), [])
})

test('a boost and its Undo arrive', async () => {
  const post = await ada.post('/api/v1/statuses', { status: 'Pass this on' })
  await network.drain()
  const copy = await copyOf(bob, post.uri)
  await bob.post(`/api/v1/statuses/${copy.id}/reblog`)
  await network.drain()
  assert.equal((await ada.get(`/api/v1/statuses/${post.id}`)).reblogs_count, 1)
  const [notification] = await notifications(ada, 'reblog')
  assert.equal(notification.account.acct, `bob@${network.beta.domain}`)
  assert.equal(notification.status.id, post.id)
  await bob.post(`/api/v1/statuses/${copy.id}/unreblog`)
  await network.drain()
  assert.equal((await ada.get(`/api/v1/statuses/${post.id}`)).reblogs_count, 0)
  assert.deepEqual(await ada.get(`/api/v1/statuses/${post.id}/reblogged_by`), [])
  assert.deepEqual(await notifications(ada, 'reblog'), [])
})

test('a boost of an unknown post fetches it', async () => {
  const post = await cleo.post('/api/v1/statuses', { status: 'Nobody of alpha follows me' })
  await bob.post(`/api/v1/statuses/${post.id}/reblog`)
  await network.drain()
  const [first] = await home(ada)
  assert.equal(first.reblog.uri, post.uri)
  assert.equal(first.reblog.account.acct, `cleo@${network.beta.domain}`)
  // The post came with a count that includes the boost.
  assert.equal(first.reblog.reblogs_count, 1)
})

test('an edit arrives with its history', async () => {
  const post = await ada.post('/api/v1/statuses', { status: 'Frist' })
  await network.drain()
  await ada.put(`/api/v1/statuses/${post.id}`, { status: 'First' })
  await network.drain()
  const copy = await copyOf(bob, post.uri)
  assert.equal(copy.content, '<p>First</p>')
  assert.notEqual(copy.edited_at, null)
  const history = await bob.get(`/api/v1/statuses/${copy.id}/history`)
  assert.deepEqual(
    history.map(({ content }: any) => content),
    ['<p>Frist</p>', '<p>First</p>'],
  )
})

test('a deleted post is removed on both servers and does not return', async () => {
  const post = await ada.post('/api/v1/statuses', { status: 'Gone soon' })
  await network.drain()
  const copy = await copyOf(bob, post.uri)
  await ada.delete(`/api/v1/statuses/${post.id}`)
  await network.drain()
  assert.equal((await bob.send('GET', `/api/v1/statuses/${copy.id}`)).status, 404)
  const { statuses } = await bob.get(`/api/v2/search?q=${encodeURIComponent(post.uri)}&resolve=true`)
  assert.deepEqual(statuses, [])
})

test('unlisted, private and direct posts reach only their audience', async () => {
  const make = (visibility: string, status: string) => ada.post('/api/v1/statuses', { status, visibility })
  const [unlisted, priv, direct] = [
    await make('unlisted', 'quiet'),
    await make('private', 'for followers'),
    await make('direct', `for @cleo@${network.beta.domain}`),
  ]
  await network.drain()
  assert.equal((await copyOf(bob, unlisted.uri)).visibility, 'unlisted')
  assert.equal((await copyOf(bob, priv.uri)).visibility, 'private')
  assert.equal((await copyOf(cleo, direct.uri)).visibility, 'direct')
  assert.equal(await copyOf(cleo, priv.uri), undefined)
  assert.equal(await copyOf(bob, direct.uri), undefined)
  assert.equal((await network.beta.send('GET', `/api/v1/statuses/${(await copyOf(bob, priv.uri)).id}`)).status, 404)
  const publicOnBeta = await bob.get('/api/v1/timelines/public?limit=40')
  assert.ok(!publicOnBeta.some(({ uri }: any) => uri === unlisted.uri || uri === priv.uri))
})

test('a reply to a private post stays private', async () => {
  const post = await ada.post('/api/v1/statuses', { status: 'among us', visibility: 'private' })
  await network.drain()
  const copy = await copyOf(bob, post.uri)
  const reply = await bob.post('/api/v1/statuses', {
    status: `@ada@${network.alpha.domain} yes`,
    visibility: 'private',
    in_reply_to_id: copy.id,
  })
  await network.drain()
  const onAlpha = await copyOf(ada, reply.uri)
  assert.equal(onAlpha.visibility, 'private')
  assert.equal(onAlpha.in_reply_to_id, post.id)
  assert.equal((await network.alpha.send('GET', `/api/v1/statuses/${onAlpha.id}`)).status, 404)
})

test('a profile update arrives', async () => {
  await ada.send('PATCH', '/api/v1/accounts/update_credentials', { json: { display_name: 'Ada L.', note: 'Counts' } })
  await network.drain()
  const account = await bob.get(`/api/v1/accounts/${adaOnBeta}`)
  assert.equal(account.display_name, 'Ada L.')
  assert.match(account.note, /Counts/)
  const tabs = async (show: boolean): Promise<unknown[]> => {
    const json = { show_media: show, show_media_replies: show, show_featured: show }
    await ada.send('PATCH', '/api/v1/profile', { json })
    await network.drain()
    const copy = await bob.get(`/api/v1/accounts/${adaOnBeta}`)
    return [copy.show_media, copy.show_media_replies, copy.show_featured]
  }
  assert.deepEqual([await tabs(false), await tabs(true)], [Array(3).fill(false), Array(3).fill(true)])
})

test('a locked account approves or rejects followers', async () => {
  const dora = await network.alpha.person('dora')
  await dora.send('PATCH', '/api/v1/accounts/update_credentials', { json: { locked: true } })
  const doraOnBeta = await meet(network.beta, cleo, network.alpha, dora)
  await cleo.post(`/api/v1/accounts/${doraOnBeta}/follow`)
  await network.drain()
  const state = async () => (await cleo.get(`/api/v1/accounts/relationships?id[]=${doraOnBeta}`))[0]
  assert.equal((await state()).requested, true)
  const [asking] = await dora.get('/api/v1/follow_requests')
  assert.equal(asking.acct, `cleo@${network.beta.domain}`)
  await dora.post(`/api/v1/follow_requests/${asking.id}/reject`)
  await network.drain()
  assert.equal((await state()).requested, false)
  await cleo.post(`/api/v1/accounts/${doraOnBeta}/follow`)
  await network.drain()
  await dora.post(`/api/v1/follow_requests/${asking.id}/authorize`)
  await network.drain()
  assert.equal((await state()).following, true)
  await dora.post(`/api/v1/accounts/${asking.id}/remove_from_followers`)
  await network.drain()
  assert.equal((await state()).following, false)
})

test('an unfollow arrives', async () => {
  await cleo.post(`/api/v1/accounts/${adaOnBeta}/follow`)
  await network.drain()
  const count = async () => (await ada.get(`/api/v1/accounts/${ada.id}/followers`)).length
  assert.equal(await count(), 2)
  await cleo.post(`/api/v1/accounts/${adaOnBeta}/unfollow`)
  await network.drain()
  assert.equal(await count(), 1)
})

test('pinned posts are shown on the other server', async () => {
  const post = await ada.post('/api/v1/statuses', { status: 'Read this first' })
  await network.drain()
  await ada.post(`/api/v1/statuses/${post.id}/pin`)
  await network.drain()
  const pinned = () => bob.get(`/api/v1/accounts/${adaOnBeta}/statuses?pinned=true`)
  assert.deepEqual(
    (await pinned()).map(({ uri }: any) => uri),
    [post.uri],
  )
  await ada.post(`/api/v1/statuses/${post.id}/unpin`)
  await network.drain()
  assert.deepEqual(await pinned(), [])
})

test('a block ends follows in both directions and stops posts', async () => {
  await ada.post(`/api/v1/accounts/${bobOnAlpha}/block`)
  await network.drain()
  const [relationship] = await bob.get(`/api/v1/accounts/relationships?id[]=${adaOnBeta}`)
  assert.equal(relationship.blocked_by, true)
  assert.equal(relationship.following, false)
  assert.equal(relationship.followed_by, false)
  assert.equal((await bob.send('POST', `/api/v1/accounts/${adaOnBeta}/follow`)).status, 403)
  const post = await ada.post('/api/v1/statuses', { status: `@bob@${network.beta.domain} goodbye` })
  await network.drain()
  await ada.post(`/api/v1/accounts/${bobOnAlpha}/unblock`)
  await network.drain()
  assert.equal(await copyOf(bob, post.uri), undefined)
  assert.equal((await bob.get(`/api/v1/accounts/relationships?id[]=${adaOnBeta}`))[0].blocked_by, false)
})

test('the ancestors of a post are fetched', async () => {
  const root = await ada.post('/api/v1/statuses', { status: 'root' })
  const middle = await ada.post('/api/v1/statuses', { status: 'middle', in_reply_to_id: root.id })
  const leaf = await ada.post('/api/v1/statuses', { status: 'leaf', in_reply_to_id: middle.id })
  await network.drain()
  await bob.get(`/api/v2/search?q=${encodeURIComponent(leaf.uri)}&resolve=true`)
  await network.drain()
  const copy = await copyOf(bob, leaf.uri)
  const { ancestors } = await bob.get(`/api/v1/statuses/${copy.id}/context`)
  assert.deepEqual(
    ancestors.map(({ uri }: any) => uri),
    [root.uri, middle.uri],
  )
  assert.equal((await copyOf(bob, root.uri)).replies_count, 1)
})

test('a third server that knows a post through a boost learns of its edit and deletion, and fetches the origin', async () => {
  const peer = await startPeer()
  try {
    const [eve, ana, ben] = [
      await peer.actor('eve'),
      await network.alpha.person('ana'),
      await network.beta.person('ben'),
    ]
    await befriend(network, [network.beta, ben], [network.alpha, ana])
    const note = peer.create(eve, { content: '<p>first</p>', cc: [`http://${network.alpha.domain}/users/ana`] })
    const path = new URL(note.object.id).pathname
    peer.serve(path, note.object)
    await peer.send(network.alpha, eve, note)
    await network.drain()
    const { statuses } = await ana.get(`/api/v2/search?q=${encodeURIComponent(note.object.id)}&resolve=true`)
    await ana.post(`/api/v1/statuses/${statuses[0].id}/reblog`)
    await network.drain()
    const { id } = await copyOf(ben, note.object.id)
    const edited = { ...note.object, content: '<p>second</p>', updated: new Date().toISOString() }
    const update = { id: `${note.id}/u`, type: 'Update', actor: eve.uri, object: edited }
    const gone = { id: `${note.id}/d`, type: 'Delete', actor: eve.uri, object: note.object.id }
    // What its own server does not confirm is not believed.
    await peer.send(network.alpha, eve, update)
    await network.drain()
    assert.equal((await ben.get(`/api/v1/statuses/${id}`)).content, '<p>first</p>')
    peer.serve(path, edited)
    await peer.send(network.alpha, eve, { ...update, id: `${update.id}2` })
    await network.drain()
    assert.equal((await ben.get(`/api/v1/statuses/${id}`)).content, '<p>second</p>')
    peer.serve(path, { status: 410, body: '' })
    await peer.send(network.alpha, eve, gone)
    await network.drain()
    assert.equal((await ben.send('GET', `/api/v1/statuses/${id}`)).status, 404)
  } finally {
    await peer.stop()
  }
})
