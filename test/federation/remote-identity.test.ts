import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { fetchActor } from '../../src/actions/remote/resolve-account.ts'
import { eventually } from '../support/eventually.ts'
import { PUBLIC, serveHandle, type Peer, type PeerActor } from '../support/peer.ts'
import { accountIdOf, deliverFrom, findStatus, followActor } from '../support/remote-people.ts'
import { stage } from '../support/stage.ts'

// Ids, handles and keys of remote accounts, and what the server refreshes or removes when they change.

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

test('a document must be ActivityPub and have the URL that its id says', async () => {
  const note = (path: string) => ({
    id: `${peer.url}${path}`,
    type: 'Note',
    attributedTo: eve.uri,
    content: '<p>x</p>',
    to: [PUBLIC],
  })
  for (const type of ['text/html', 'application/json', 'application/ld+json', 'image/png']) {
    const uri = peer.serve(`/upload/${type.replace('/', '-')}`, {
      type,
      body: JSON.stringify(note(`/upload/${type.replace('/', '-')}`)),
    })
    assert.equal(await find(uri, true), undefined, type)
  }
  const elsewhere = peer.serve('/copy', note('/original'))
  assert.equal(await find(elsewhere, true), undefined, 'there is no original')
  peer.serve('/original', note('/another'))
  assert.equal(await find(elsewhere, true), undefined, 'the original is another')
  peer.serve('/original', { ...note('/original'), content: '<p>original</p>' })
  assert.equal((await find(elsewhere, true)).content, '<p>original</p>')
  const large = peer.serve('/large', { ...note('/large'), content: 'x'.repeat(1_100_000) })
  assert.equal(await find(large, true), undefined, 'too large')
})

test('a handle is verified with its host', async () => {
  const search = async (handle: string) =>
    (await ada.get(`/api/v2/search?q=${handle}&resolve=true&type=accounts`)).accounts
  /** The results for a handle that are not zed under his own handle. */
  const wrongResults = async (handle: string) =>
    (await search(handle)).filter(
      ({ uri, acct }: { uri: string; acct: string }) => uri !== zed.uri || acct !== `zed@${other.domain}`,
    )
  // Claims to be zed, which zed's host does not confirm.
  const liar = await peer.actor('liar')
  serveHandle(peer, 'liar', liar.uri, `zed@${other.domain}`)
  assert.deepEqual(await wrongResults(`liar@${peer.domain}`), [])
  // Names an actor of another host as its own.
  serveHandle(peer, 'borrowed', zed.uri)
  assert.deepEqual(await wrongResults(`borrowed@${peer.domain}`), [])
  assert.equal((await search(`zed@${other.domain}`))[0].uri, zed.uri)
  // An actor whose name belongs to another actor on its host.
  const double = { ...mallory, uri: `${peer.url}/users/double`, keyId: `${peer.url}/users/double#main-key` }
  peer.serve('/users/double', {
    ...mallory.document,
    id: double.uri,
    preferredUsername: 'eve',
    publicKey: { id: double.keyId, owner: double.uri, publicKeyPem: double.keys.publicKeyPem },
  })
  assert.equal(await peer.send(server, double, peer.create(double, { cc: [adaUri] })), 401)
  // Claims to be of this server.
  const insider = await peer.actor('insider', { webfinger: `ada@${server.domain}` })
  assert.equal(await peer.send(server, insider, peer.create(insider, {})), 401)
})

test('handles may use another domain than the server', async () => {
  const uri = `${other.url}/users/sue`
  const sue = await other.actor('sue')
  // web: other, handles: peer. Both confirm.
  serveHandle(other, 'sue', uri, `sue@${peer.domain}`)
  serveHandle(peer, 'sue', uri)
  await deliver(other, sue, other.create(sue, { cc: [adaUri], tag: { type: 'Mention', href: adaUri } }))
  const { accounts } = await ada.get(`/api/v2/search?q=sue&type=accounts`)
  assert.deepEqual(
    accounts.map(({ acct }: any) => acct),
    [`sue@${peer.domain}`],
  )
  const found = await ada.get(`/api/v2/search?q=sue@${other.domain}&resolve=true&type=accounts`)
  assert.deepEqual(
    found.accounts.map(({ acct }: any) => acct),
    [`sue@${peer.domain}`],
  )
})

test('an account whose username has letters of any script can be mentioned', async () => {
  const yuki = await peer.actor('yuki')
  yuki.document.preferredUsername = '雪'
  peer.serve('/users/yuki', yuki.document)
  serveHandle(peer, '雪', yuki.uri)
  const status = await ada.post('/api/v1/statuses', { status: `Hello @雪@${peer.domain}!` })
  assert.deepEqual([status.mentions.length, status.mentions[0]?.acct], [1, `雪@${peer.domain}`])
  assert.match(status.content, /class="u-url mention">@<span>雪<\/span>/)
})

test('a reinstalled server has the same accounts and followers here', async () => {
  const before = await peer.actor('nora')
  const id = await idOf(peer, before)
  await followActor(server, ada, peer, before)
  const keys = (await peer.actor('nora2')).keys
  const uri = `${peer.url}/ap/users/1`
  peer.serve('/ap/users/1', {
    ...before.document,
    id: uri,
    inbox: `${uri}/inbox`,
    publicKey: { id: `${uri}#main-key`, owner: uri, publicKeyPem: keys.publicKeyPem },
  })
  serveHandle(peer, 'nora', uri)
  const after = { ...before, uri, keyId: `${uri}#main-key`, keys }
  peer.received.length = 0
  const create = peer.create(after, { content: '<p>I am back</p>' })
  await deliver(peer, after, create)
  const status = await find(create.object.id)
  assert.equal(status.account.id, id)
  assert.deepEqual(
    peer.received.map(({ type, object }) => [type, object]),
    [['Follow', uri]],
  )
  assert.equal(await peer.send(server, before, peer.create(before, {})), 401, 'the old key is void')
})

test('the deletion of an account removes everything of it', async () => {
  const gone = await peer.actor('gone')
  await followActor(server, ada, peer, gone)
  const create = peer.create(gone, { content: '<p>bye</p>' })
  await deliver(peer, gone, create)
  const following = async () => (await ada.get('/api/v1/accounts/verify_credentials')).following_count
  const count = await following()
  const id = await idOf(peer, gone)
  peer.serve('/users/gone', { status: 410, body: '' })
  await deliver(peer, gone, {
    id: `${gone.uri}#delete`,
    type: 'Delete',
    actor: gone.uri,
    object: gone.uri,
    to: [PUBLIC],
  })
  assert.equal(await find(create.object.id), undefined)
  assert.equal((await ada.send('GET', `/api/v1/accounts/${id}`)).status, 404)
  assert.equal(await following(), count - 1)
  assert.equal(await peer.send(server, gone, peer.create(gone, { cc: [adaUri] })), 401)
})

test('a stale account is refreshed on activity, with the counters of its server', async () => {
  const olga = await peer.actor('olga', {
    outbox: `${peer.url}/users/olga/outbox`,
    featured: `${peer.url}/users/olga/featured`,
  })
  const id = await idOf(peer, olga)
  await server.drain()
  const pinned = {
    id: `${peer.url}/notes/pinned`,
    type: 'Note',
    attributedTo: olga.uri,
    content: '<p>pinned</p>',
    to: [PUBLIC],
  }
  peer.serve('/notes/pinned', pinned)
  peer.serve('/users/olga', { ...olga.document, name: 'Olga the Great' })
  peer.serve('/users/olga/outbox', { id: `${olga.uri}/outbox`, type: 'OrderedCollection', totalItems: 1234 })
  peer.serve('/users/olga/followers', { id: `${olga.uri}/followers`, type: 'OrderedCollection', totalItems: 99 })
  peer.serve('/users/olga/featured', {
    id: `${olga.uri}/featured`,
    type: 'OrderedCollection',
    orderedItems: [pinned, eve.uri, { id: `${other.url}/x` }],
  })
  await server.ctx.db.raw(`update accounts set fetched_at = now() - interval '25 hours' where id = $1`, [id])
  await deliver(peer, olga, {
    id: `${peer.url}/likes/olga`,
    type: 'Like',
    actor: olga.uri,
    object: `${peer.url}/notes/pinned`,
  })
  const account = await ada.get(`/api/v1/accounts/${id}`)
  assert.deepEqual(
    [account.display_name, account.statuses_count, account.followers_count],
    ['Olga the Great', 1234, 99],
  )
  assert.deepEqual(
    (await ada.get(`/api/v1/accounts/${id}/statuses?pinned=true`)).map(({ content }: any) => content),
    ['<p>pinned</p>'],
  )
})

const ACTIVE = `select from pgboss.job where name = 'federation.receive' and state = 'active'`

test('a changed profile is stored though its older document is still being fetched', async () => {
  const iris = await peer.actor('iris')
  const id = await idOf(peer, iris)
  await server.drain()
  // `alone`: as a fetch of another process, with which the Update shares nothing.
  for (const alone of [false, true]) {
    const older = { ...iris.document, name: `older ${alone}` }
    const newer = { ...iris.document, name: `newer ${alone}` }
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    peer.serve('/users/iris', newer)
    peer.refuses = async ({ url }) => {
      if (url !== '/users/iris') return null
      peer.refuses = () => null
      await released
      peer.serve('/users/iris', older)
      setImmediate(() => peer.serve('/users/iris', newer))
      return null
    }
    const asked = peer.requests.length
    const fetched = fetchActor(server.ctx, iris.uri, { alone })
    await eventually(() => peer.requests.length > asked)
    const update = { id: `${iris.uri}#update-${alone}`, type: 'Update', actor: iris.uri, object: iris.uri }
    assert.equal(await peer.send(server, iris, update), 202)
    if (alone) await server.drain()
    else await eventually(async () => (await server.database.raw(ACTIVE)).rows.length > 0)
    release()
    await fetched
    await server.drain()
    assert.equal((await ada.get(`/api/v1/accounts/${id}`)).display_name, newer.name)
  }
})

test('an account with a new name that its server does not confirm stays, and is not asked for again', async () => {
  const oleg = await peer.actor('oleg')
  const id = await idOf(peer, oleg)
  await server.drain()
  peer.serve('/users/oleg', { ...oleg.document, preferredUsername: 'olegs_new_name' })
  await server.ctx.db.raw(`update accounts set fetched_at = now() - interval '25 hours' where id = $1`, [id])
  await deliver(peer, oleg, { id: `${peer.url}/likes/oleg`, type: 'Like', actor: oleg.uri, object: `${peer.url}/x` })
  assert.ok(peer.requests.some((request) => request.includes('olegs_new_name')))
  assert.equal((await ada.get(`/api/v1/accounts/${id}`)).username, 'oleg')
  const { rows } = await server.ctx.db.raw(
    `select fetched_at > now() - interval '1 hour' as fresh from accounts where id = $1`,
    [id],
  )
  assert.deepEqual(rows, [{ fresh: true }])
})

test('enormous counters of an account prevent neither its posts nor its follows', async () => {
  const names = ['outbox', 'followers', 'following']
  const vast = await peer.actor('vast', Object.fromEntries(names.map((name) => [name, `${peer.url}/vast/${name}`])))
  for (const name of names)
    peer.serve(`/vast/${name}`, { id: `${peer.url}/vast/${name}`, type: 'OrderedCollection', totalItems: 2 ** 31 - 1 })
  await followActor(server, ada, peer, vast)
  await deliver(peer, vast, { id: `${peer.url}/vast/follow`, type: 'Follow', actor: vast.uri, object: adaUri })
  const activity = peer.create(vast, {})
  await deliver(peer, vast, activity)
  const { account } = await find(activity['object'].id)
  const counts = [account.statuses_count, account.followers_count, account.following_count]
  assert.deepEqual(counts, [1_000_000_001, 1_000_000_000, 1_000_000_001])
})

test('an account that redirects shows where to, though the other account does not name it', async () => {
  const signpost = await peer.actor('signpost', { movedTo: zed.uri })
  const circle = await peer.actor('circle', { movedTo: `${peer.url}/users/circle` })
  const zedId = await idOf(other, zed)
  const id = await idOf(peer, signpost)
  assert.equal((await ada.get(`/api/v1/accounts/${id}`)).moved?.id, zedId)
  assert.equal((await ada.send('POST', `/api/v1/accounts/${id}/follow`)).status, 403)
  assert.equal((await ada.get(`/api/v1/accounts/${await idOf(peer, circle)}`)).moved ?? null, null)

  // An account that is unknown here is fetched, but not the one after it.
  const third = await peer.actor('third')
  const second = await peer.actor('second', { movedTo: third.uri })
  const first = await idOf(peer, await peer.actor('first', { movedTo: second.uri }))
  await server.drain()
  assert.equal((await ada.get(`/api/v1/accounts/${first}`)).moved?.uri, second.uri)
  assert.ok(!peer.requests.includes('GET /users/third'))
})

test('a Move counts when the new account has many other aliases', async () => {
  const mover = await peer.actor('settler')
  await followActor(server, ada, peer, mover)
  const others = Array.from({ length: 99 }, (_, i) => `${peer.url}/users/former${i}`)
  const next = await peer.actor('settled', { alsoKnownAs: [...others, mover.uri] })
  peer.serve('/users/settler', { ...mover.document, movedTo: next.uri })
  const move = { id: `${mover.uri}#move`, type: 'Move', actor: mover.uri, object: mover.uri, target: next.uri }
  assert.equal(await peer.send(server, mover, move), 202)
  await server.drain()
  const [{ requested }] = await ada.get(`/api/v1/accounts/relationships?id[]=${await idOf(peer, next)}`)
  assert.equal(requested, true)
})

test('a Move counts though an Update that arrived with it is still being processed', async () => {
  const mover = await peer.actor('mover')
  await followActor(server, ada, peer, mover)
  const next = await peer.actor('next', { alsoKnownAs: [mover.uri] })
  peer.serve('/users/mover', { ...mover.document, movedTo: next.uri })
  const send = async (activity: object): Promise<unknown> => peer.send(server, mover, { actor: mover.uri, ...activity })
  // The Update stores the actor, and stops at its key.
  const connection = await server.database.dedicated()
  await connection.query('begin')
  await connection.query('select from account_keys where key_id = $1 for update', [mover.keyId])
  await send({ id: `${mover.uri}#update`, type: 'Update', object: mover.uri })
  const waiting = 'select from pg_locks where not granted'
  await eventually(async () => (await server.database.raw(waiting)).rows.length > 0)
  await send({ id: `${mover.uri}#move`, type: 'Move', object: mover.uri, target: next.uri })
  const stored = `select from accounts where uri = '${next.uri}'`
  await eventually(async () => (await server.database.raw(stored)).rows.length > 0)
  await delay(200)
  await connection.query('rollback')
  await connection.end()
  await server.drain()
  const [{ requested }] = await ada.get(`/api/v1/accounts/relationships?id[]=${await idOf(peer, next)}`)
  assert.equal(requested, true)
})
