// The crypto API over federation: devices, claims of one-time keys, and encrypted messages from and to other servers.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, beforeEach, describe, test } from 'node:test'
import { signMessage } from '../../src/ap/signatures/rfc9421.ts'
import { signRequest } from '../../src/ap/signatures/draft-cavage.ts'
import { listen } from '../streaming/listen.ts'
import { block, blockDomain, cleanUp } from '../support/acts.ts'
import { base64, deviceOf, makeDevice, type TestDevice } from '../support/device.ts'
import { meet } from '../support/federated-people.ts'
import { logLines } from '../support/log-lines.ts'
import { type Network, startNetwork } from '../support/network.ts'
import { signedHeaders, type PeerActor } from '../support/peer.ts'
import { spend } from '../support/rate-limits.ts'
import { accountIdOf, deliverFrom } from '../support/remote-people.ts'
import { type Answer, type Person, startTestServer, type TestServer } from '../support/server.ts'
import { stage } from '../support/stage.ts'

const DIGEST = 'http://www.w3.org/2000/09/xmldsig#hmac-sha256'
const accept = 'application/activity+json'

const { server, peer, other } = await stage({ peers: ['peer', 'other'] })
const base = server.ctx.config.baseUrl
let round = 0
let ada: Person
let adas: TestDevice
let eve: PeerActor
beforeEach(async () => {
  round++
  ada = await server.person(`ada${round}`)
  adas = await deviceOf(ada, 2)
  eve = await peer.actor(`eve${round}`, { devices: `${peer.url}/users/eve${round}/collections/devices` })
})

const query = (who: Person, ...id: string[]): Promise<any[]> => who.post('/api/v1/crypto/keys/query', { id })
const claim = (who: Person, ...device: object[]): Promise<any[]> => who.post('/api/v1/crypto/keys/claim', { device })
const deliver = (who: Person, ...device: object[]): Promise<Answer> =>
  who.send('POST', '/api/v1/crypto/deliveries', { json: { device } })
const mailbox = (who: Person): Promise<any[]> => who.get('/api/v1/crypto/encrypted_messages?limit=160')
const count = async (who: Person): Promise<number> => (await who.get('/api/v1/crypto/keys/count')).one_time_keys

const devicesPath = (name: string): string => `/users/${name}/collections/devices`
const claimPath = ({ device }: TestDevice, who: Person): string =>
  `/users/${who.username}/claim?id=${encodeURIComponent(device.device_id)}`

/** Claims a key on `to` as a remote account, with a signed request without a body. */
async function claimAs(
  { keyId, keys }: PeerActor,
  path: string,
  {
    to = server,
    sign = signRequest,
    changed = {},
  }: { to?: TestServer; sign?: typeof signRequest; changed?: object } = {},
): Promise<Answer> {
  const url = `http://${to.domain}${path}`
  const signed = await sign({ method: 'POST', url, body: '', keyId, privateKeyPem: keys.privateKeyPem })
  const { host: _host, ...headers } = signed
  return to.send('POST', url, { headers: { ...headers, ...changed } })
}

describe('as seen by other servers', () => {
  test('the actor names its devices, a collection with the address where keys are claimed', async () => {
    const actor = await server.send('GET', `/users/${ada.username}`, { headers: { accept } })
    assert.equal(actor.json.devices, `${base}${devicesPath(ada.username)}`)
    assert.deepEqual(actor.json['@context'].at(-1).devices, { '@id': 'toot:devices', '@type': '@id' })
    const answer = await server.send('GET', devicesPath(ada.username), { headers: { accept } })
    assert.deepEqual([answer.status, answer.headers.get('content-type')?.split(';')[0]], [200, accept])
    const { '@context': context, ...collection } = answer.json
    assert.equal(context.at(-1).fingerprintKey['@id'], 'toot:fingerprintKey')
    const { device } = adas
    assert.deepEqual(collection, {
      id: actor.json.devices,
      type: 'Collection',
      totalItems: 1,
      items: [
        {
          type: 'Device',
          deviceId: device.device_id,
          name: device.name,
          claim: `${base}${claimPath(adas, ada)}`,
          fingerprintKey: { type: 'Ed25519Key', publicKeyBase64: device.fingerprint_key },
          identityKey: { type: 'Curve25519Key', publicKeyBase64: device.identity_key },
        },
      ],
    })
    const bob = await server.person(`bob${round}`)
    assert.deepEqual((await server.send('GET', devicesPath(bob.username), { headers: { accept } })).json.items, [])
    assert.equal((await server.send('GET', devicesPath('missing'), { headers: { accept } })).status, 404)
    await server.database.raw('update accounts set suspended_at = now() where id = $1', [bob.id])
    assert.equal((await server.send('GET', devicesPath(bob.username), { headers: { accept } })).status, 403)
  })

  test('each signed claim hands out another key, until none is left', async () => {
    const [first, second] = [
      await claimAs(eve, claimPath(adas, ada)),
      await claimAs(eve, claimPath(adas, ada), { sign: signMessage }),
    ]
    assert.deepEqual([first.status, second.status], [200, 200], first.text)
    assert.equal(first.headers.get('cache-control'), 'private, no-store')
    const { '@context': _context, keyId, publicKeyBase64, signature, ...rest } = first.json
    assert.deepEqual(rest, { type: 'Curve25519Key' })
    assert.deepEqual([signature.type, typeof signature.signatureValue], ['Ed25519Signature', 'string'])
    assert.equal(Buffer.from(publicKeyBase64, 'base64').length, 32)
    assert.notEqual(second.json.keyId, keyId)
    assert.equal(await count(ada), 0)
    assert.equal((await claimAs(eve, claimPath(adas, ada))).status, 404)
  })

  test('a claim is refused without a valid signature, and for unknown devices', async () => {
    const path = claimPath(adas, ada)
    assert.equal((await server.send('POST', path)).status, 401)
    assert.equal((await server.send('POST', path, { json: {}, token: ada.token })).status, 401, 'a token does not help')
    const mallory = await peer.actor(`mallory${round}`)
    assert.equal((await claimAs({ ...eve, keys: mallory.keys }, path)).status, 401, 'the key of another actor')
    assert.equal((await claimAs(eve, path, { changed: { digest: 'SHA-256=AAAA' } })).status, 401)
    assert.equal((await claimAs({ ...eve, keyId: `${peer.url}/none#key` }, path)).status, 401)
    for (const wrong of ['', '?id=', '?id=missing', '?id=a&id=b', '?id[x]=1'])
      assert.equal((await claimAs(eve, `/users/${ada.username}/claim${wrong}`)).status, 404, wrong)
    assert.equal((await claimAs(eve, '/users/missing/claim?id=x')).status, 404)
    assert.equal((await claimAs(eve, `/users/${ada.username}/claim?id=%00`)).status, 400)
    const get = await server.send('GET', path)
    assert.deepEqual([get.status, get.headers.get('allow')], [405, 'POST'])
    assert.equal(await count(ada), 2)
  })

  test('blocked and suspended signers get neither keys nor devices', async () => {
    const path = claimPath(adas, ada)
    const id = await accountIdOf(ada, peer, eve)
    await block(server.ctx, { accountId: ada.id, targetAccountId: id })
    assert.equal((await claimAs(eve, path)).status, 404)
    const url = `http://${server.domain}${devicesPath(ada.username)}`
    const listed = await server.send('GET', url, { headers: { accept, ...(await signedHeaders(url, eve)) } })
    assert.deepEqual(listed.json.items, [])
    const bob = await server.person(`bob${round}`)
    const bobs = await deviceOf(bob, 1)
    await blockDomain(server.ctx, bob.id, peer.domain)
    assert.equal((await claimAs(eve, claimPath(bobs, bob))).status, 404, 'a domain that the account blocks')
    const sue = await peer.actor(`sue${round}`)
    await server.database.raw('update accounts set suspended_at = now() where id = $1', [
      await accountIdOf(ada, peer, sue),
    ])
    assert.equal((await claimAs(sue, path)).status, 403)
    const far = await other.actor(`far${round}`)
    await server.ctx.db.raw(`insert into domain_blocks (domain, severity) values ($1, 'suspend')`, [other.domain])
    assert.equal((await claimAs(far, path)).status, 403)
    await server.ctx.db.raw('delete from domain_blocks')
    assert.equal(await count(ada), 2)
  })
})

test('an account, and a server, can claim only so many keys of an account within an hour', async () => {
  const limited = await startTestServer({ RATE_LIMITS: 'on' })
  try {
    const bob = await limited.person('bob')
    const bobs = await deviceOf(bob, 10)
    const claims = async (actor: PeerActor, times: number): Promise<number[]> => {
      const statuses: number[] = []
      for (let i = 0; i < times; i++)
        statuses.push((await claimAs(actor, claimPath(bobs, bob), { to: limited })).status)
      return statuses
    }
    assert.deepEqual(await claims(eve, 1), [200])
    const { rows } = await limited.database.raw('select id::text from accounts where uri = $1', [eve.uri])
    await spend(limited, 'key-claims', `${rows[0].id} ${bob.id}`, 27)
    assert.deepEqual(await claims(eve, 4), [200, 200, 429, 429])
    await spend(limited, 'key-claims-of-server', `localhost ${bob.id}`, 115)
    assert.deepEqual(await claims(await peer.actor('friend'), 4), [200, 200, 429, 429])
    assert.equal(await count(bob), 5)
    const cat = await limited.person('cat')
    const json = { device: [{ account_id: bob.id, device_id: bobs.device.device_id }] }
    await spend(limited, 'key-claims', `${cat.id} ${bob.id}`, 28)
    const local: number[] = []
    for (let i = 0; i < 4; i++) local.push((await cat.send('POST', '/api/v1/crypto/keys/claim', { json })).status)
    assert.deepEqual(local, [200, 200, 429, 429])
  } finally {
    await limited.stop()
  }
})

describe('devices of remote accounts', () => {
  /** Serves devices of an actor as Mastodon does. */
  const serveDevices = (actor: PeerActor, devices: TestDevice[]): void => {
    peer.serve(devicesPath(actor.name), {
      '@context': 'https://www.w3.org/ns/activitystreams',
      id: `${peer.url}${devicesPath(actor.name)}`,
      type: 'Collection',
      items: devices.map(({ device }) => ({
        type: 'Device',
        deviceId: device.device_id,
        name: device.name,
        claim: `${actor.uri}/claim?id=${device.device_id}`,
        fingerprintKey: { type: 'Ed25519Key', publicKeyBase64: device.fingerprint_key },
        identityKey: { type: 'Curve25519Key', publicKeyBase64: device.identity_key },
      })),
    })
  }
  const serveKey = (actor: PeerActor, { device }: TestDevice, key: object): string =>
    peer.serve(`/users/${actor.name}/claim?id=${device.device_id}`, key)
  const document = ({ key_id, key, signature }: ReturnType<TestDevice['keys']>[number]): Record<string, any> => ({
    type: 'Curve25519Key',
    keyId: key_id,
    publicKeyBase64: key,
    signature: { type: 'Ed25519Signature', signatureValue: signature },
  })

  test('a query reads the collection of the actor, once a minute', async () => {
    const phone = makeDevice('phone')
    serveDevices(eve, [phone])
    const id = await accountIdOf(ada, peer, eve)
    const bob = await server.person(`bob${round}`)
    const found = await query(ada, id, bob.id, id)
    assert.deepEqual(found, [
      { account_id: id, devices: [phone.device] },
      { account_id: bob.id, devices: [] },
    ])
    await Promise.all([query(ada, id), query(bob, id)])
    assert.equal(peer.requests.filter((line) => line === `GET ${devicesPath(eve.name)}`).length, 1)
    await block(server.ctx, { accountId: bob.id, targetAccountId: id })
    assert.deepEqual(await query(bob, id), [])
  })

  test('a query omits accounts whose devices cannot be read, and devices that are not usable', async () => {
    const good = makeDevice('good')
    const id = await accountIdOf(ada, peer, eve)
    peer.serve(devicesPath(eve.name), { status: 500, body: '' })
    assert.deepEqual(await query(ada, id), [])
    const names = ['note', 'html', 'away', 'plain', 'foreign', 'many'].map((name) => `${name}${round}`)
    const [note, html, away, plain, foreign, many] = (await Promise.all(
      names.map((name) =>
        peer.actor(name, name.startsWith('plain') ? {} : { devices: `${peer.url}${devicesPath(name)}` }),
      ),
    )) as [PeerActor, PeerActor, PeerActor, PeerActor, PeerActor, PeerActor]
    peer.serve(devicesPath(note.name), { type: 'Note', items: [] })
    peer.serve(devicesPath(html.name), { type: 'text/html', body: '<p>' })
    peer.serve(devicesPath(away.name), {
      status: 302,
      headers: { location: other.serve(`/devices${round}`, { type: 'Collection', items: [] }) },
      body: '',
    })
    other.serve(`/elsewhere${round}`, { type: 'Collection', items: [] })
    peer.serve(`/users/${foreign.name}`, { ...foreign.document, devices: `${other.url}/elsewhere${round}` })
    const valid = { deviceId: 'x', type: 'Device', name: 'x', claim: `${peer.url}/claim` }
    const keys = {
      fingerprintKey: { publicKeyBase64: good.device.fingerprint_key },
      identityKey: [{ publicKeyBase64: good.device.identity_key }],
    }
    peer.serve(devicesPath(many.name), {
      type: 'Collection',
      items: [
        null,
        'x',
        { ...valid },
        { ...valid, ...keys, type: 'Note' },
        { ...valid, ...keys, deviceId: ' ' },
        { ...valid, ...keys, deviceId: 'x'.repeat(300) },
        { ...valid, ...keys, claim: `${other.url}/claim` },
        { ...valid, ...keys, claim: 'javascript:1' },
        { ...valid, ...keys, identityKey: { publicKeyBase64: 'short' } },
        { ...valid, ...keys, fingerprintKey: { publicKeyBase64: base64(randomBytes(31)) } },
        { ...valid, ...keys },
        ...Array.from({ length: 100 }, (_, i) => ({ ...valid, ...keys, deviceId: `more${i}` })),
      ],
    })
    const ids: string[] = []
    for (const actor of [note, html, away, plain, foreign, many]) ids.push(await accountIdOf(ada, peer, actor))
    const found = await query(ada, ...ids)
    assert.deepEqual(
      found.map(({ account_id }) => account_id),
      [ids[5]],
    )
    assert.equal(found[0].devices[0].device_id, 'x')
    assert.ok(found[0].devices.length < 32)
  })

  test('a claim posts to the claim address of the device, signed by the account', async () => {
    const phone = makeDevice('phone')
    serveDevices(eve, [phone])
    const [key] = phone.keys(1)
    serveKey(eve, phone, document(key!))
    const id = await accountIdOf(ada, peer, eve)
    let signature = ''
    peer.refuses = (request) => {
      if (request.method === 'POST') signature = String(request.headers.signature)
      return null
    }
    const name = { account_id: id, device_id: phone.device.device_id }
    const own = { account_id: ada.id, device_id: adas.device.device_id }
    const claimed = await claim(ada, name, own, name, { ...name, device_id: 'missing' })
    assert.deepEqual(claimed[0], { ...name, ...key })
    assert.deepEqual(
      claimed.map(({ account_id }) => account_id),
      [id, ada.id],
    )
    assert.ok(signature.includes(`keyId="${base}/users/${ada.username}#main-key"`))
    const posts = peer.requests.filter((line) => line.startsWith(`POST /users/${eve.name}/claim`))
    assert.equal(posts.length, 1)
    peer.refuses = () => null
  })

  test('a claimed key that is malformed, wrongly signed or missing is left out', async () => {
    const phone = makeDevice('phone')
    serveDevices(eve, [phone])
    const [good, next] = phone.keys(2)
    const [forged] = makeDevice('other').keys(1)
    const id = await accountIdOf(ada, peer, eve)
    const name = { account_id: id, device_id: phone.device.device_id }
    const path = `/users/${eve.name}/claim?id=${phone.device.device_id}`
    const wrong = [
      { status: 404, body: '' },
      { status: 401, body: '' },
      { status: 302, headers: { location: other.serve('/claim', document(good!)) }, body: '' },
      { type: 'text/html', body: JSON.stringify(document(good!)) },
      { body: 'no JSON' },
      { body: '[]' },
      { body: JSON.stringify('x'.repeat(100_000)) },
      document(forged!),
      document({ ...good!, signature: next!.signature }),
      document({ ...good!, key: base64(randomBytes(16)) }),
      { ...document(good!), keyId: '' },
      { ...document(good!), keyId: 'x'.repeat(300) },
      { ...document(good!), publicKeyBase64: { a: 1 } },
      { ...document(good!), signature: 'x' },
    ]
    for (const answer of wrong) {
      peer.serve(path, answer)
      assert.deepEqual(await claim(ada, name), [], JSON.stringify(answer).slice(0, 200))
    }
    const { keyId, ...rest } = document(good!)
    peer.serve(path, { type: 'application/json', body: JSON.stringify({ ...rest, id: keyId }) })
    assert.deepEqual(await claim(ada, name), [{ ...name, ...good }], 'as Mastodon reads it')
  })

  test('a delivery is a Create for the inbox of the account, and is not logged', async () => {
    serveDevices(eve, [])
    const id = await accountIdOf(ada, peer, eve)
    const body = randomBytes(30).toString('base64')
    const lines = logLines(server)
    const to = { account_id: id, device_id: 'phone', type: 1, body, hmac: 'c2VhbA' }
    const own = { ...to, account_id: ada.id, device_id: adas.device.device_id }
    assert.deepEqual((await deliver(ada, to, own)).json, {})
    await server.drain()
    const [sent, ...others] = peer.received.filter(({ type, to: at }) => type === 'Create' && at === eve.uri)
    assert.equal(others.length, 0)
    const { '@context': context, id: activityId, published, object, ...activity } = sent!
    assert.equal(context.at(-1).cipherText, 'toot:cipherText')
    assert.deepEqual(activity, { type: 'Create', actor: `${base}/users/${ada.username}`, to: eve.uri })
    assert.ok(Date.parse(published) > Date.now() - 60_000)
    const { id: objectId, messageFranking, ...members } = object
    assert.equal(activityId, `${objectId}/activity`)
    assert.ok(messageFranking.length > 100)
    assert.deepEqual(members, {
      type: 'EncryptedMessage',
      attributedTo: { type: 'Device', deviceId: adas.device.device_id },
      to: { type: 'Device', deviceId: 'phone' },
      digest: { type: 'Digest', digestAlgorithm: DIGEST, digestValue: 'c2VhbA' },
      messageType: 1,
      cipherText: body,
    })
    assert.ok(peer.requests.includes(`POST /users/${eve.name}/inbox`))
    assert.equal((await mailbox(ada))[0].body, body)
    assert.ok(lines.every((line) => !line.includes(body)))
    const waiting = async (): Promise<number> =>
      (await server.database.raw('select from outgoing_encrypted_messages where from_account_id = $1', [ada.id])).rows
        .length
    await cleanUp(server.ctx)
    assert.equal(await waiting(), 1)
    await server.database.raw(`update outgoing_encrypted_messages set created_at = now() - interval '2 days'`)
    await cleanUp(server.ctx)
    assert.equal(await waiting(), 0)
  })

  test('a delivery to a remote device needs an account with devices, without a block, and valid content', async () => {
    const id = await accountIdOf(ada, peer, eve)
    const plain = await accountIdOf(ada, peer, await peer.actor(`plain${round}`))
    const to = { account_id: id, device_id: 'phone', type: 1, body: 'x', hmac: 'y' }
    assert.equal((await deliver(ada, { ...to, account_id: plain })).status, 404)
    for (const wrong of [{ body: '' }, { body: 'x'.repeat(70_000) }, { hmac: '' }, { type: 2 }])
      assert.equal((await deliver(ada, to, { ...to, ...wrong })).status, 422, JSON.stringify(wrong).slice(0, 50))
    for (const device_id of ['', ' ', 'x'.repeat(300)])
      assert.equal((await deliver(ada, to, { ...to, device_id })).status, 404)
    assert.equal((await deliver(ada, to, { ...to, account_id: ada.id, device_id: 'missing' })).status, 404)
    assert.equal((await deliver(ada, to)).status, 200)
    await server.database.raw(
      `insert into outgoing_encrypted_messages
        (id, from_account_id, from_device_id, to_account_id, to_device_id, type, body, digest, message_franking)
      select id + n, from_account_id, from_device_id, to_account_id, to_device_id, type, body, digest, message_franking
      from outgoing_encrypted_messages, generate_series(1, 998) n where to_account_id = $1`,
      [id],
    )
    assert.equal((await deliver(ada, to)).status, 200)
    assert.equal((await deliver(ada, to)).status, 422, 'more than a mailbox holds')
    const bob = await server.person(`bob${round}`)
    await deviceOf(bob)
    await block(server.ctx, { accountId: bob.id, targetAccountId: id })
    assert.equal((await deliver(bob, to)).status, 404)
    await server.database.raw('delete from outgoing_encrypted_messages')
    await server.drain()
    assert.ok(!peer.received.some(({ type, actor }) => type === 'Create' && actor === `${base}/users/${bob.username}`))
  })
})

describe('messages from other servers', () => {
  let serial = 0
  const messageFrom = (actor: PeerActor, object: object = {}, activity: object = {}): Record<string, any> => ({
    '@context': 'https://www.w3.org/ns/activitystreams',
    id: `${peer.url}/activities/encrypted${++serial}`,
    type: 'Create',
    actor: actor.uri,
    to: `${base}/users/${ada.username}`,
    object: {
      type: 'EncryptedMessage',
      attributedTo: { type: 'Device', deviceId: 'laptop' },
      to: { type: 'Device', deviceId: adas.device.device_id },
      digest: { type: 'Digest', digestAlgorithm: DIGEST, digestValue: 'c2VhbA' },
      messageType: 0,
      cipherText: 'c2VjcmV0',
      messageFranking: 'attested',
      ...object,
    },
    ...activity,
  })

  test('a message reaches the mailbox and the stream of its device, once', async () => {
    const client = await listen(server, { token: ada.token, streams: ['user'] })
    const id = await accountIdOf(ada, peer, eve)
    const activity = messageFrom(eve)
    await deliverFrom(peer, eve, server, activity)
    await deliverFrom(peer, eve, server, activity)
    const found = await mailbox(ada)
    assert.equal(found.length, 1)
    const { id: _id, created_at: _at, message_franking, ...members } = found[0]
    assert.deepEqual(members, { account_id: id, device_id: 'laptop', type: 0, body: 'c2VjcmV0', digest: 'c2VhbA' })
    assert.ok(message_franking.length > 100)
    assert.deepEqual(await client.event('encrypted_message', 'user'), found[0])
    // The digest of the activity has expired, and it arrives again.
    await server.database.raw('delete from inbox_activities')
    await deliverFrom(peer, eve, server, activity)
    assert.equal((await mailbox(ada)).length, 1)
    client.end()
    await deliverFrom(peer, eve, server, messageFrom(eve, { id: `${peer.url}/messages/1`, messageFranking: undefined }))
    assert.equal((await mailbox(ada)).length, 2)
  })

  test('malformed messages, and those for unknown devices, are ignored', async () => {
    const bob = await server.person(`bob${round}`)
    for (const object of [
      { to: { type: 'Device', deviceId: 'missing' } },
      { to: { type: 'Device' } },
      { to: 'x' },
      { attributedTo: eve.uri },
      { attributedTo: { type: 'Device', deviceId: '' } },
      { attributedTo: { type: 'Device', deviceId: 'x'.repeat(300) } },
      { digest: undefined },
      { digest: { type: 'Digest', digestAlgorithm: 'http://www.w3.org/2000/09/xmldsig#hmac-md5', digestValue: 'x' } },
      { digest: { type: 'Digest', digestAlgorithm: DIGEST } },
      { digest: { type: 'Digest', digestAlgorithm: DIGEST, digestValue: 'x'.repeat(300) } },
      { messageType: 2 },
      { messageType: 'x' },
      { cipherText: '' },
      { cipherText: { a: 1 } },
      { cipherText: 'x'.repeat(70_000) },
      { messageFranking: 'x'.repeat(5000) },
      { id: `${other.url}/messages/1` },
    ])
      assert.equal(await peer.send(server, eve, messageFrom(eve, object)), 202)
    for (const activity of [
      { to: `${base}/users/${bob.username}` },
      { to: `${base}/users/missing` },
      { to: [] },
      { to: 'https://www.w3.org/ns/activitystreams#Public' },
    ])
      assert.equal(await peer.send(server, eve, messageFrom(eve, {}, activity)), 202)
    await server.drain()
    assert.deepEqual(await mailbox(ada), [])
    const { rows } = await server.database.raw(`select from inbox_activities where body is not null`)
    assert.equal(rows.length, 0, 'none of them is retried')
  })

  test('a message needs the signature of its actor, who is not blocked or suspended', async () => {
    const mallory = await peer.actor(`mallory${round}`)
    assert.equal(await peer.send(server, { ...eve, keys: mallory.keys }, messageFrom(eve)), 401)
    assert.equal(await peer.send(server, mallory, messageFrom(eve, { id: `${peer.url}/messages/2` })), 202, 'forwarded')
    await server.drain()
    assert.deepEqual(await mailbox(ada), [])
    const id = await accountIdOf(ada, peer, eve)
    await block(server.ctx, { accountId: ada.id, targetAccountId: id })
    await deliverFrom(peer, eve, server, messageFrom(eve))
    await blockDomain(server.ctx, ada.id, peer.domain)
    await deliverFrom(peer, mallory, server, messageFrom(mallory))
    assert.deepEqual(await mailbox(ada), [])
  })

  test('the mailbox holds at most 1000 unread messages of one sender, and 5000 of a server', async () => {
    const id = await accountIdOf(ada, peer, eve)
    const fill = (sender: string, n: number): Promise<unknown> =>
      server.database.raw(
        `insert into encrypted_messages (id, device_id, from_account_id, from_device_id, type, body, digest, message_franking)
        select (extract(epoch from now()) * 1000)::bigint * 100000 + $3 + i, d.id, $1, 'laptop', 0, 'x', 'x', 'x'
        from devices d, generate_series(1, $2::int) i where d.device_id = $4`,
        [sender, n, ++serial * 10_000, adas.device.device_id],
      )
    const unread = async (): Promise<number> =>
      (
        await server.database.raw(
          'select m.id from encrypted_messages m join devices d on d.id = m.device_id where d.device_id = $1',
          [adas.device.device_id],
        )
      ).rows.length
    await fill(id, 999)
    await deliverFrom(peer, eve, server, messageFrom(eve))
    await deliverFrom(peer, eve, server, messageFrom(eve))
    assert.equal(await unread(), 1000)
    const mallory = await peer.actor(`mallory${round}`)
    await deliverFrom(peer, mallory, server, messageFrom(mallory))
    assert.equal(await unread(), 1001, 'other senders are not limited')
    const many = await accountIdOf(ada, peer, await peer.actor(`many${round}`))
    await fill(many, 3999)
    await deliverFrom(peer, mallory, server, messageFrom(mallory))
    assert.equal(await unread(), 5000)
    const far = await other.actor(`far${round}`)
    const sent = { ...messageFrom(far), id: `${other.url}/activities/${serial}` }
    assert.equal(await other.send(server, far, sent), 202)
    await server.drain()
    assert.equal(await unread(), 5001, 'other servers are not limited')
  })
})

describe('between two servers', () => {
  let network: Network<'alpha' | 'beta'>
  before(async () => {
    network = await startNetwork(['alpha', 'beta'])
  })
  after(() => network?.stop())

  test('two people exchange encrypted messages', async () => {
    const [amy, ben] = [await network.alpha.person('amy'), await network.beta.person('ben')]
    const [amys, bens] = [await deviceOf(amy, 1), await deviceOf(ben, 1)]
    const benOnAlpha = await meet(network.alpha, amy, network.beta, ben)
    const amyOnBeta = await meet(network.beta, ben, network.alpha, amy)
    assert.deepEqual(await query(amy, benOnAlpha), [{ account_id: benOnAlpha, devices: [bens.device] }])
    const name = { account_id: benOnAlpha, device_id: bens.device.device_id }
    const [key, ...more] = await claim(amy, name)
    assert.deepEqual([key.key_id, more.length, await count(ben)], ['key0', 0, 0])
    assert.deepEqual(await claim(amy, name), [], 'no key is left')

    const client = await listen(network.beta, { token: ben.token, streams: ['user'] })
    assert.equal((await deliver(amy, { ...name, type: 0, body: 'aGVsbG8', hmac: 'c2VhbA' })).status, 200)
    await network.drain()
    const [message, ...others] = await mailbox(ben)
    assert.equal(others.length, 0)
    assert.deepEqual(
      [message.account_id, message.device_id, message.type, message.body, message.digest],
      [amyOnBeta, amys.device.device_id, 0, 'aGVsbG8', 'c2VhbA'],
    )
    assert.deepEqual(await client.event('encrypted_message', 'user'), message)
    client.end()

    const back = { account_id: message.account_id, device_id: message.device_id, type: 1, body: 'aGk', hmac: 'eA' }
    assert.equal((await deliver(ben, back)).status, 200)
    await network.drain()
    assert.deepEqual(
      (await mailbox(amy)).map(({ account_id, device_id, body }) => [account_id, device_id, body]),
      [[benOnAlpha, bens.device.device_id, 'aGk']],
    )

    await ben.post(`/api/v1/accounts/${amyOnBeta}/block`)
    await network.drain()
    assert.equal((await deliver(amy, { ...name, body: 'aGVsbG8', hmac: 'c2VhbA' })).status, 404)
    assert.deepEqual(await query(amy, benOnAlpha), [])
  })
})
