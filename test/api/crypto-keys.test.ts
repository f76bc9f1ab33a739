// Devices for end-to-end encryption and their keys (§21 of the API's rules).
import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { block } from '../support/acts.ts'
import { base64, deviceOf, makeDevice } from '../support/device.ts'
import { remoteAccount } from '../support/remote.ts'
import { type Answer, type Person } from '../support/server.ts'
import { stage } from '../support/stage.ts'

let ada: Person
let bob: Person
let round = 0
const { server } = await stage()
beforeEach(async () => {
  round++
  ;[ada, bob] = await Promise.all([server.person(`ada${round}`), server.person(`bob${round}`)])
})

const upload = (who: Person, json: unknown): Promise<Answer> => who.send('POST', '/api/v1/crypto/keys/upload', { json })
const count = async (who: Person): Promise<number> => (await who.get('/api/v1/crypto/keys/count')).one_time_keys
const query = (who: Person, ...id: string[]): Promise<any[]> => who.post('/api/v1/crypto/keys/query', { id })
const claim = (who: Person, ...device: object[]): Promise<any[]> => who.post('/api/v1/crypto/keys/claim', { device })

test('uploading a device stores its one-time keys, and further uploads add keys', async () => {
  const { device, keys } = makeDevice('phone')
  assert.equal((await ada.send('GET', '/api/v1/crypto/keys/count')).status, 404)
  const answer = await upload(ada, { device, one_time_keys: keys(3) })
  assert.deepEqual([answer.status, answer.json], [200, device])
  assert.equal(await count(ada), 3)
  const more = keys(2)
  assert.equal((await upload(ada, { device, one_time_keys: more })).status, 200)
  assert.equal(await count(ada), 5)
  assert.equal((await upload(ada, { device, one_time_keys: more })).status, 200, 'a retried upload succeeds')
  assert.equal(await count(ada), 5)
  assert.equal((await upload(ada, { device: { name: 'Old phone' } })).json.name, 'Old phone')
  assert.equal(await count(ada), 5, 'renaming the device keeps its keys')
})

test('a device can be uploaded as a form', async () => {
  const { device, keys } = makeDevice('phone')
  const [key] = keys(1)
  const form = new URLSearchParams()
  for (const [name, value] of Object.entries(device)) form.append(`device[${name}]`, value)
  for (const [name, value] of Object.entries(key!)) form.append(`one_time_keys[][${name}]`, value)
  assert.equal((await ada.send('POST', '/api/v1/crypto/keys/upload', { form })).status, 200)
  assert.equal(await count(ada), 1)
})

test('an upload with missing, invalid or wrongly signed keys is refused as a whole', async () => {
  const made = makeDevice('phone')
  const { device } = made
  const [good] = made.keys(1)
  const [foreign] = makeDevice('other').keys(1)
  assert.equal((await upload(ada, {})).status, 400)
  assert.equal((await upload(ada, { device: 'phone' })).status, 400, 'a scalar counts as absent')
  for (const wrong of [
    { device: {} },
    { device: { ...device, name: ' ' } },
    { device: { ...device, name: undefined } },
    { device: { ...device, device_id: '' } },
    { device: { ...device, device_id: 'x'.repeat(300) } },
    { device: { ...device, fingerprint_key: undefined } },
    { device: { ...device, identity_key: undefined } },
    { device: { ...device, identity_key: base64(Buffer.alloc(31)) } },
    { device: { ...device, identity_key: base64(Buffer.alloc(33)) } },
    { device: { ...device, fingerprint_key: 'not base64!' } },
    { device: { ...device, fingerprint_key: { a: 1 } } },
    { device, one_time_keys: [good, { ...good, key_id: 'b', signature: foreign!.signature }] },
    { device, one_time_keys: [good, foreign] },
    { device, one_time_keys: [{ ...good, signature: '' }] },
    { device, one_time_keys: [{ ...good, key: base64(Buffer.alloc(16)) }] },
    { device, one_time_keys: [{ ...good, key_id: '' }] },
    { device, one_time_keys: [good, good] },
    { device, one_time_keys: made.keys(501) },
  ]) {
    const answer = await upload(ada, wrong)
    assert.equal(answer.status, 422, `${JSON.stringify(wrong).slice(0, 300)} ${answer.text}`)
    assert.equal(typeof answer.json.error, 'string')
  }
  assert.equal((await upload(ada, { device, one_time_keys: [{ key: good!.key }] })).status, 400)
  assert.equal((await ada.send('GET', '/api/v1/crypto/keys/count')).status, 404, 'nothing was stored')
  assert.equal((await upload(ada, { device, one_time_keys: [good] })).status, 200)
  const [other] = made.keys(1)
  assert.equal((await upload(ada, { device, one_time_keys: [{ ...other, key_id: good!.key_id }] })).status, 422)
  assert.equal(await count(ada), 1)
})

test('a device holds at most 500 one-time keys', async () => {
  const { device, keys } = makeDevice('phone')
  assert.equal((await upload(ada, { device, one_time_keys: keys(500) })).status, 200)
  assert.equal((await upload(ada, { device, one_time_keys: keys(1) })).status, 422)
  assert.equal(await count(ada), 500)
})

test('changing the id or keys of a device deletes its one-time keys and messages', async () => {
  const sender = await deviceOf(bob)
  for (const change of ['device_id', 'fingerprint_key', 'identity_key'] as const) {
    const made = makeDevice('phone')
    await upload(ada, { device: made.device, one_time_keys: made.keys(2) })
    const target = { account_id: ada.id, device_id: made.device.device_id }
    await bob.post('/api/v1/crypto/deliveries', { device: [{ ...target, type: 0, body: 'secret', hmac: 'seal' }] })
    assert.equal((await ada.get('/api/v1/crypto/encrypted_messages')).length, 1)
    const device = { ...made.device, [change]: makeDevice('new').device[change] }
    assert.equal((await upload(ada, { device })).status, 200)
    assert.equal(await count(ada), 0)
    assert.deepEqual(await ada.get('/api/v1/crypto/encrypted_messages'), [])
  }
  assert.equal((await query(ada, bob.id))[0].devices[0].device_id, sender.device.device_id)
})

test('each token has its own device with a unique id, and revoking the token deletes the device', async () => {
  const { device } = await deviceOf(ada, 1)
  const second = await server.token({ userId: ada.userId, scopes: ['crypto'] })
  const taken = await server.send('POST', '/api/v1/crypto/keys/upload', {
    token: second,
    json: { device: { ...makeDevice('tablet').device, device_id: device.device_id } },
  })
  assert.equal(taken.status, 422)
  const tablet = makeDevice('tablet').device
  await server.send('POST', '/api/v1/crypto/keys/upload', { token: second, json: { device: tablet } })
  assert.deepEqual(await query(bob, ada.id), [{ account_id: ada.id, devices: [device, tablet] }])
  const left = await server.send('GET', '/api/v1/crypto/keys/count', { token: second })
  assert.deepEqual(left.json, { one_time_keys: 0 })
  await server.database.raw('delete from oauth_tokens where id = (select token_id from devices where device_id = $1)', [
    tablet.device_id,
  ])
  assert.deepEqual(await query(bob, ada.id), [{ account_id: ada.id, devices: [device] }])
})

test('a query returns devices by account and omits blocked, blocking, suspended and unknown accounts, and remote ones without devices', async () => {
  await Promise.all([deviceOf(ada), deviceOf(bob)])
  const [cleo, dan] = await Promise.all([server.person(`cleo${round}`), server.person(`dan${round}`)])
  const far = await remoteAccount(server, `far${round}`)
  const found = await query(ada, cleo.id, bob.id, far, '1', 'nonsense', bob.id)
  assert.deepEqual(
    found.map(({ account_id, devices }) => [account_id, devices.length]),
    [
      [cleo.id, 0],
      [bob.id, 1],
    ],
  )
  await deviceOf(dan, 1)
  await block(server.ctx, { accountId: dan.id, targetAccountId: ada.id })
  await block(server.ctx, { accountId: ada.id, targetAccountId: bob.id })
  assert.deepEqual(await query(ada, dan.id, bob.id), [])
  await server.database.raw('update accounts set suspended_at = now() where id = $1', [dan.id])
  assert.deepEqual(await query(bob, dan.id, ada.id), [])
  const scalar = await cleo.send('POST', '/api/v1/crypto/keys/query', { form: { id: bob.id } })
  assert.equal(scalar.json[0].account_id, bob.id)
  assert.equal((await cleo.send('POST', '/api/v1/crypto/keys/query', { json: {} })).status, 400)
})

test('each one-time key is claimed once, also under concurrent claims', async () => {
  const made = makeDevice('phone')
  const keys = made.keys(12)
  await upload(ada, { device: made.device, one_time_keys: keys })
  const wanted = { account_id: ada.id, device_id: made.device.device_id }
  const claimed = (await Promise.all(Array.from({ length: 20 }, () => claim(bob, wanted)))).flat()
  assert.equal(new Set(claimed.map(({ key_id }) => key_id)).size, claimed.length)
  // A claim that finds only keys locked by other claims returns none, so some keys remain.
  const rest = await count(ada)
  assert.equal(claimed.length + rest, 12)
  for (let i = 0; i < rest; i++) claimed.push(...(await claim(bob, wanted)))
  const byId = (a: { key_id: string }, b: { key_id: string }): number => a.key_id.localeCompare(b.key_id)
  assert.deepEqual(claimed.toSorted(byId), keys.map((key) => ({ ...wanted, ...key })).toSorted(byId))
  assert.deepEqual(await claim(bob, wanted), [])
  assert.equal(await count(ada), 0)
})

test('one claim covers several devices and omits unknown, empty and blocked ones', async () => {
  const [first, second] = [await deviceOf(ada, 1), await deviceOf(bob, 2)]
  const cleo = await server.person(`cleo${round}`)
  const of = (who: Person, { device }: { device: { device_id: string } }): object => ({
    account_id: who.id,
    device_id: device.device_id,
  })
  const claimed = await claim(
    cleo,
    of(bob, second),
    of(ada, second),
    of(ada, first),
    { account_id: '7', device_id: 'x' },
    of(bob, second),
  )
  assert.deepEqual(
    claimed.map(({ account_id }) => account_id),
    [bob.id, ada.id],
  )
  await block(server.ctx, { accountId: bob.id, targetAccountId: cleo.id })
  assert.deepEqual(await claim(cleo, of(bob, second)), [])
  assert.equal(await count(bob), 1)
  for (const json of [{}, { device: [] }, { device: [{ account_id: ada.id }] }])
    assert.equal((await cleo.send('POST', '/api/v1/crypto/keys/claim', { json })).status, 400)
})
