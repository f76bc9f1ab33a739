import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { nextPriority } from '../../src/federation/incoming/fair-share.ts'
import { signMessage } from '../../src/ap/signatures/rfc9421.ts'
import { PUBLIC, startPeer, type Peer, type PeerActor } from '../support/peer.ts'
import { startTestServer } from '../support/server.ts'
import { stage } from '../support/stage.ts'

const { server, peer, other, ada } = await stage({ accounts: ['ada'], peers: ['peer', 'other'] })
const adaUri = `http://${server.domain}/users/ada`
const eve = await peer.actor('eve')

/** A mention of ada: what passes the gate is seen by her. */
const mention = (actor: PeerActor, content: string, from = peer) =>
  from.create(actor, { content, to: [PUBLIC, adaUri], tag: [{ type: 'Mention', href: adaUri, name: '@ada' }] })

async function heard(): Promise<string[]> {
  await server.drain()
  const notifications = await ada.get('/api/v1/notifications?types[]=mention&limit=80')
  return notifications.map(({ status }: any) => status.content)
}

test('a signed activity is accepted in the shared inbox and in the inbox of an account', async () => {
  assert.equal(await peer.send(server, eve, mention(eve, 'shared')), 202)
  assert.equal(await peer.send(server, eve, mention(eve, 'own'), { path: '/users/ada/inbox' }), 202)
  assert.equal(
    await peer.send(server, eve, mention(eve, 'as ld'), {
      contentType: 'application/ld+json; profile="https://www.w3.org/ns/activitystreams"',
    }),
    202,
  )
  assert.equal(
    await peer.send(server, eve, mention(eve, 'as json'), { contentType: 'application/json; charset=utf-8' }),
    202,
  )
  assert.deepEqual((await heard()).toSorted(), ['as json', 'as ld', 'own', 'shared'])
  assert.equal(await peer.send(server, eve, mention(eve, 'nobody'), { path: '/users/nobody/inbox' }), 404)
})

test('the inbox of an account stays open while it is suspended, until its data is deleted', async () => {
  const sue = await server.person('sue')
  const send = (content: string) => peer.send(server, eve, mention(eve, content), { path: '/users/sue/inbox' })
  await server.database.raw('update accounts set suspended_at = now() where id = $1', [sue.id])
  assert.equal(await send('to a suspended account'), 202)
  await server.database.raw('update accounts set purged_at = now() where id = $1', [sue.id])
  assert.equal(await send('to a deleted account'), 410)
  assert.ok(!(await heard()).includes('to a deleted account'))
})

test('a server that floods the inbox is refused while the queue is long, and accepted afterwards', async () => {
  const send = (content: string) => peer.send(server, eve, mention(eve, content))
  // As if it had used an hour's share, by a few long activities.
  for (let sent = 0; sent < 600; sent += 1) nextPriority(server.ctx, peer.domain, 1_000_000)
  assert.equal(await send('sent to a short queue'), 202)
  await server.database.raw(`
    insert into pgboss.job (name, data, start_after, policy)
    select 'federation.receive', '{"batch": []}', now() + interval '1 hour', 'standard' from generate_series(1, 10001)`)
  await delay(1100)
  assert.equal(await send('sent to a long queue'), 429)
  await server.database.raw(`delete from pgboss.job where name = 'federation.receive' and start_after > now()`)
  await delay(1100)
  assert.equal(await send('sent again'), 202)
  const contents = await heard()
  assert.ok(contents.includes('sent again') && !contents.includes('sent to a long queue'))
})

test('an activity that is signed by RFC 9421 is accepted', async () => {
  const body = JSON.stringify(mention(eve, 'rfc 9421'))
  const headers = await signMessage({
    method: 'POST',
    url: `http://${server.domain}/inbox`,
    body,
    keyId: eve.keyId,
    privateKeyPem: eve.keys.privateKeyPem,
  })
  const sent = await fetch(`http://${server.domain}/inbox`, {
    method: 'POST',
    body,
    headers: { ...headers, 'content-type': 'application/activity+json' },
  })
  assert.equal(sent.status, 202, await sent.text())
  assert.ok((await heard()).includes('rfc 9421'))
})

test('an unsigned or wrongly signed activity gets a 401', async () => {
  const before = await heard()
  const send = (options: Parameters<Peer['send']>[3]) => peer.send(server, eve, mention(eve, 'forged'), options)
  assert.equal(await send({ headers: { signature: null } }), 401, 'no signature')
  for (const path of ['/inbox', '/users/ada/inbox'])
    assert.equal((await server.send('POST', path, { json: {} })).status, 401, `no signature, and no activity: ${path}`)
  assert.equal(await send({ headers: { digest: null } }), 401, 'no digest')
  assert.equal(await send({ headers: { signature: 'nonsense' } }), 401, 'malformed')
  assert.equal(await send({ body: JSON.stringify(mention(eve, 'changed')) }), 401, 'another body')
  assert.equal(await send({ host: 'elsewhere.test' }), 401, 'meant for another host')
  assert.equal(await send({ host: 'elsewhere.test', headers: { host: server.domain } }), 401, 'the host was changed')
  assert.equal(await send({ now: new Date(Date.now() - 13 * 3600_000) }), 401, 'too old')
  assert.equal(await send({ now: new Date(Date.now() + 2 * 3600_000) }), 401, 'from the future')
  const impostor = { ...eve, keys: (await peer.actor('impostor')).keys }
  assert.equal(await peer.send(server, impostor, mention(eve, 'forged')), 401, 'another key')
  assert.equal(await send({ keyId: `${peer.url}/users/missing#main-key` }), 401, 'no such key')
  assert.equal(await send({ keyId: 'not a url' }), 401, 'no key id')
  assert.equal(await send({ keyId: `${adaUri}#main-key` }), 401, 'a key of a local account')
  assert.deepEqual(await heard(), before)
})

test('an inbox takes only POST and an outbox only GET: other methods get a 405 that names them', async () => {
  const refused = async (method: string, path: string, allow: string) => {
    const { status, headers, json } = await server.send(method, path, {
      headers: { accept: 'application/activity+json' },
      ...(method === 'POST' || method === 'PUT' ? { form: new URLSearchParams({ type: 'Create' }) } : {}),
    })
    assert.deepEqual([status, headers.get('allow')], [405, allow], `${method} ${path}`)
    if (method !== 'HEAD') assert.equal(json.error, 'The method is not allowed')
  }
  for (const path of ['/inbox', '/users/ada/inbox', '/actor/inbox'])
    for (const method of ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE']) await refused(method, path, 'POST')
  for (const path of ['/users/ada/outbox', '/actor/outbox'])
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) await refused(method, path, 'GET, HEAD')
  const activity = { type: 'Create', object: { type: 'Note', content: 'from a client' } }
  const posted = await server.send('POST', '/users/ada/outbox', {
    token: ada.token,
    json: activity,
    headers: { 'content-type': 'application/activity+json' },
  })
  assert.equal(posted.status, 405, 'nor with a token')
  assert.equal((await server.send('GET', '/users/ada/outbox')).status, 200)
})

test('malformed or too deeply nested JSON gets a 400, and brackets in text do not count', async () => {
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
  const body = (more: string) => JSON.stringify(mention(eve, 'nested')).replace(/}$/, `,"x":${more}}`)
  assert.equal(await peer.send(server, eve, body(nested(100_000))), 400)
  assert.equal(await peer.send(server, eve, body(nested(64))), 400)
  assert.equal(await peer.send(server, eve, body('{"a":'.repeat(64) + '1' + '}'.repeat(64))), 400)
  assert.equal(await peer.send(server, eve, body('[')), 400)
  assert.ok(!(await heard()).includes('nested'))
  assert.equal(await peer.send(server, eve, body(JSON.stringify(`"\\${'['.repeat(200)}`))), 202)
  assert.ok((await heard()).includes('nested'))
})

test('an actor cannot send activities of another actor', async () => {
  const before = await heard()
  const mallory = await peer.actor('mallory')
  const foreign = await other.actor('eve')
  assert.equal(
    await peer.send(server, mallory, { ...mention(eve, 'x'), type: 'Like', object: adaUri }),
    401,
    'same host',
  )
  assert.equal(
    await other.send(server, foreign, { ...mention(eve, 'x'), type: 'Follow', object: adaUri }),
    401,
    'other host',
  )
  assert.equal(
    await peer.send(server, mallory, { ...mention(mallory, 'x'), id: `${other.url}/activities/1` }),
    401,
    'a foreign activity id',
  )
  // A forwarded Create is only a hint, and its origin has no object.
  assert.equal(await peer.send(server, mallory, mention(eve, 'words in her mouth')), 202)
  assert.deepEqual(await heard(), before)
})

test('a key belongs to the actor whose document names it', async () => {
  const victim = await other.actor('victim')
  const thief = await peer.actor('thief')
  // The thief's document names a key that is said to be the victim's, and the other way round.
  peer.serve('/users/thief', {
    ...thief.document,
    publicKey: [
      thief.document.publicKey,
      { id: `${other.url}/users/victim#main-key`, owner: thief.uri, publicKeyPem: thief.keys.publicKeyPem },
    ],
  })
  assert.equal(await other.send(server, { ...thief, keyId: victim.keyId }, mention(victim, 'stolen', other)), 401)
  const stray = peer.serve('/keys/1', {
    id: `${peer.url}/keys/1`,
    type: 'Key',
    owner: victim.uri,
    publicKeyPem: thief.keys.publicKeyPem,
  })
  assert.equal(await peer.send(server, { ...thief, keyId: stray }, mention(victim, 'stolen', other)), 401)
  // Another account of the host claims the id of a key before its owner is known here.
  const neighbour = await peer.actor('neighbour')
  const late = await peer.actor('late')
  peer.serve('/users/neighbour', {
    ...neighbour.document,
    publicKey: [
      neighbour.document.publicKey,
      { id: late.keyId, owner: neighbour.uri, publicKeyPem: neighbour.keys.publicKeyPem },
    ],
  })
  assert.equal(await peer.send(server, neighbour, mention(neighbour, 'I live here')), 202)
  assert.equal(await peer.send(server, { ...neighbour, keyId: late.keyId }, mention(late, 'stolen')), 401)
  assert.equal(await peer.send(server, late, mention(late, 'mine')), 202)
  const all = await heard()
  assert.ok(all.includes('mine') && !all.includes('stolen'))
})

test('a key with a document of its own counts if its owner names it', async () => {
  const owner = await peer.actor('owner')
  const keyId = `${peer.url}/keys/owner`
  const publicKey = { id: keyId, owner: owner.uri, publicKeyPem: owner.keys.publicKeyPem }
  peer.serve('/keys/owner', { ...publicKey, type: 'Key' })
  assert.equal(await peer.send(server, { ...owner, keyId }, mention(owner, 'not named yet')), 401)
  const named = await peer.actor('named')
  const namedKey = `${peer.url}/keys/named`
  const key = { id: namedKey, owner: named.uri, publicKeyPem: named.keys.publicKeyPem }
  peer.serve('/keys/named', { ...key, type: 'Key' })
  peer.serve('/users/named', { ...named.document, publicKey: key })
  assert.equal(await peer.send(server, { ...named, keyId: namedKey }, mention(named, 'a key apart')), 202)
})

test('an owner may name a key by its id alone, of a document that names the owner', async () => {
  const owner = await peer.actor('brief')
  const keyId = `${peer.url}/keys/brief`
  peer.serve('/users/brief', { ...owner.document, publicKey: keyId })
  const key = { id: keyId, owner: owner.uri, publicKeyPem: owner.keys.publicKeyPem }
  peer.serve('/keys/brief', key)
  assert.equal(await peer.send(server, { ...owner, keyId }, mention(owner, 'a key by its id')), 202)

  const robbed = await peer.actor('robbed')
  const thief = await peer.actor('key-thief')
  const stolenId = `${peer.url}/keys/stolen`
  peer.serve('/users/robbed', { ...robbed.document, publicKey: `${peer.url}/keys/another` })
  peer.serve('/keys/stolen', { id: stolenId, owner: robbed.uri, publicKeyPem: thief.keys.publicKeyPem })
  assert.equal(await peer.send(server, { ...thief, keyId: stolenId }, mention(robbed, 'not named')), 401)
})

test('the id of an actor with one key, with any fragment or none, stands for its key', async () => {
  const one = await peer.actor('one-key')
  for (const keyId of [one.uri, `${one.uri}#another`])
    assert.equal(await peer.send(server, one, mention(one, `signed as ${keyId}`), { keyId }), 202, keyId)
  assert.equal(await peer.send(server, one, mention(one, 'by the name of the key')), 202)
  const impostor = { ...(await peer.actor('impostor')), keyId: one.uri }
  assert.equal(await peer.send(server, impostor, mention(one, 'with another key')), 401)

  const several = await peer.actor('several-keys')
  const second = { id: `${several.uri}#second`, owner: several.uri, publicKeyPem: one.keys.publicKeyPem }
  peer.serve('/users/several-keys', { ...several.document, publicKey: [several.document['publicKey'], second] })
  assert.equal(await peer.send(server, several, mention(several, 'which key?'), { keyId: several.uri }), 401)
  assert.equal(await peer.send(server, several, mention(several, 'this key')), 202)
})

test('a key with the id of its owner is fetched once', async () => {
  const plain = await peer.actor('plain')
  const { publicKey } = plain.document
  peer.serve('/users/plain', { ...plain.document, publicKey: { ...publicKey, id: plain.uri } })
  peer.requests.length = 0
  for (const text of ['by name', 'by name again'])
    assert.equal(await peer.send(server, plain, mention(plain, text), { keyId: plain.uri }), 202)
  const said = await heard()
  assert.ok(said.includes('by name') && said.includes('by name again'))
  assert.equal(peer.requests.filter((request) => request === 'GET /users/plain').length, 1)
})

test('a post given by id is fetched if it addresses a local account', async () => {
  const { object, ...create } = mention(eve, 'only named')
  peer.serve(new URL(object.id).pathname, object)
  assert.equal(await peer.send(server, eve, { ...create, object: object.id }), 202)
  assert.ok((await heard()).includes('only named'))
})

test('a changed key is fetched again', async () => {
  const rita = await peer.actor('rita')
  assert.equal(await peer.send(server, rita, mention(rita, 'old key')), 202)
  const { keys } = await peer.actor('new-rita')
  peer.serve('/users/rita', {
    ...rita.document,
    publicKey: { ...rita.document.publicKey, publicKeyPem: keys.publicKeyPem },
  })
  assert.equal(await peer.send(server, { ...rita, keys }, mention(rita, 'new key')), 202)
  assert.equal(await peer.send(server, rita, mention(rita, 'old key again')), 401)
})

test('a key that another process has replaced or deleted counts no more', async () => {
  for (const change of ['set public_key = $2', 'set account_id = (select id from accounts where uri = $2)', null]) {
    const remy = await peer.actor(`remy-${change?.split(' ')[1] ?? 'deleted'}`)
    const other = await peer.actor(`other-${remy.document.preferredUsername}`)
    for (const text of ['a first time', 'from the cache'])
      assert.equal(await peer.send(server, remy, mention(remy, text)), 202)
    assert.equal(await peer.send(server, other, mention(other, 'known')), 202)
    peer.serve(new URL(remy.uri).pathname, { ...remy.document, publicKey: undefined })
    const value = change?.includes('uri') ? other.uri : other.document.publicKey.publicKeyPem
    if (change) await server.database.raw(`update account_keys ${change} where key_id = $1`, [remy.keyId, value])
    else await server.database.raw('delete from account_keys where key_id = $1', [remy.keyId])
    const like = { id: `${remy.uri}/like`, type: 'Like', actor: remy.uri, object: adaUri }
    assert.equal(await peer.send(server, remy, like), 401, change ?? 'deleted')
  }
})

test('an activity that is sent twice is processed once', async () => {
  const activity = mention(eve, 'once')
  const anonymous = { ...mention(eve, 'without an id'), id: undefined }
  for (let i = 0; i < 3; i++) {
    assert.equal(await peer.send(server, eve, activity), 202)
    assert.equal(await peer.send(server, eve, anonymous), 202)
  }
  const all = await heard()
  assert.equal(all.filter((content) => content === 'once').length, 1)
  assert.equal(all.filter((content) => content === 'without an id').length, 1)
  const { rows } = await server.database.raw('select count(*)::int as n from inbox_activities where body is not null')
  assert.equal((rows[0] as { n: number }).n, 0, 'processed activities are deleted')
})

test('another actor cannot use up the id of an activity', async () => {
  const mallory = await peer.actor('mallory2')
  const activity = mention(eve, 'first to come')
  assert.equal(
    await peer.send(server, mallory, { id: activity.id, type: 'Like', actor: mallory.uri, object: adaUri }),
    202,
  )
  assert.equal(await peer.send(server, eve, activity), 202)
  assert.ok((await heard()).includes('first to come'))
})

test('bodies that are not activities are refused', async () => {
  assert.equal(await peer.send(server, eve, 'not json'), 400)
  assert.equal(await peer.send(server, eve, '[]'), 400)
  assert.equal(await peer.send(server, eve, '{"type":"Create"}'), 400)
  assert.equal(await peer.send(server, eve, mention(eve, 'x'), { contentType: 'text/plain' }), 415)
  assert.equal(await peer.send(server, eve, mention(eve, 'x'), { contentType: 'multipart/form-data; boundary=x' }), 415)
  assert.equal(await peer.send(server, eve, mention(eve, 'x'.repeat(1024 * 1024))), 413)
})

test('NUL characters and lone surrogates do no harm', async () => {
  const body = JSON.stringify(mention(eve, 'a\0b \ud83d c')).replace('Note', 'No\\u0074e')
  assert.equal(await peer.send(server, eve, body), 202)
  assert.ok((await heard()).includes('ab \ufffd c'))
})

test('a blocked domain gets a 403 before anything is fetched from it', async () => {
  const blocked = await startPeer()
  try {
    const actor = await blocked.actor('zed')
    await server.ctx.db.raw(`insert into domain_blocks (domain, severity) values ($1, 'suspend')`, [blocked.domain])
    assert.equal(await blocked.send(server, actor, mention(actor, 'x', blocked)), 403)
    assert.deepEqual(blocked.requests, [])
  } finally {
    await blocked.stop()
  }
})

test('a Delete or an Update of an unknown actor fetches nothing', async () => {
  const ghost = { ...eve, keyId: `${other.url}/users/ghost#main-key` }
  const uri = `${other.url}/users/ghost`
  for (const type of ['Delete', 'Update'])
    assert.equal(await other.send(server, ghost, { id: `${uri}#${type}`, type, actor: uri, object: uri }), 202)
  await server.drain()
  assert.ok(!other.requests.some((line) => line.includes('ghost')))
})

test('limited federation mode accepts activities of allowed servers only', async () => {
  const closed = await startTestServer({ LIMITED_FEDERATION_MODE: 'true' })
  try {
    const follow = {
      id: `${peer.url}/follows/1`,
      type: 'Follow',
      actor: eve.uri,
      object: `http://${closed.domain}/users/ada`,
    }
    await closed.person('ada')
    assert.equal(await peer.send(closed, eve, follow), 403)
    await closed.ctx.db.raw('insert into domain_allows (domain) values ($1)', [other.domain])
    const friend = await other.actor('friend')
    assert.equal(await other.send(closed, friend, { ...follow, actor: friend.uri, id: `${other.url}/follows/1` }), 202)
    await closed.drain()
    assert.equal(other.received.at(-1)?.['type'], 'Accept')
  } finally {
    await closed.stop()
  }
})
