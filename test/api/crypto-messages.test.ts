// Encrypted messages between local devices: delivery, mailbox, message franking, streaming event.
import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { block } from '../support/acts.ts'
import { sql, timeOfId } from '../support/database.ts'
import { rotateSystemKeys, unseal } from '../support/internals.ts'
import { listen } from '../streaming/listen.ts'
import { deviceOf, type TestDevice } from '../support/device.ts'
import { type Answer, type Person } from '../support/server.ts'
import { stage } from '../support/stage.ts'
import { links } from '../support/timelines.ts'

let ada: Person
let bob: Person
let adas: TestDevice
let bobs: TestDevice
let round = 0
const { server } = await stage()
beforeEach(async () => {
  round++
  ;[ada, bob] = await Promise.all([server.person(`ada${round}`), server.person(`bob${round}`)])
  ;[adas, bobs] = await Promise.all([deviceOf(ada), deviceOf(bob)])
})

const to = (who: Person, { device }: TestDevice, more: object = {}): object => ({
  account_id: who.id,
  device_id: device.device_id,
  type: 1,
  body: 'c2VjcmV0',
  hmac: 'c2VhbA',
  ...more,
})
const deliver = (who: Person, ...device: object[]): Promise<Answer> =>
  who.send('POST', '/api/v1/crypto/deliveries', { json: { device } })
const mailbox = (who: Person, search = ''): Promise<any[]> => who.get(`/api/v1/crypto/encrypted_messages${search}`)

/** What the server attested; null for a seal that none of its keys opens. */
async function readFranking(sealed: string): Promise<Record<string, string | null> | null> {
  const keys = await server.ctx.db.many<{ key: Buffer }>(sql`select key from system_keys`)
  for (const { key } of keys) {
    try {
      return JSON.parse(unseal(key, Buffer.from(sealed, 'base64')))
    } catch {
      // It was made with another key.
    }
  }
  return null
}

test('a message reaches the mailbox of its device, with message franking that only this server can read', async () => {
  assert.deepEqual((await deliver(ada, to(bob, bobs, { type: 0 }))).json, {})
  const [message, ...rest] = await mailbox(bob)
  assert.equal(rest.length, 0)
  const { id, created_at, message_franking, ...members } = message
  assert.deepEqual(members, {
    account_id: ada.id,
    device_id: adas.device.device_id,
    type: 0,
    body: 'c2VjcmV0',
    digest: 'c2VhbA',
  })
  assert.ok(Math.abs(timeOfId(id).getTime() - new Date(created_at).getTime()) < 60_000)
  assert.doesNotMatch(message_franking, /c2VhbA/)
  const attested = await readFranking(message_franking)
  assert.ok(Date.parse(attested?.timestamp ?? '') > Date.now() - 60_000)
  assert.deepEqual(
    { ...attested, timestamp: '' },
    { hmac: 'c2VhbA', source_account_id: ada.id, target_account_id: bob.id, timestamp: '', original_franking: null },
  )
  const forged = Buffer.from(message_franking, 'base64')
  forged[40] = (forged[40] ?? 0) ^ 1
  assert.equal(await readFranking(forged.toString('base64')), null)
  assert.equal(await readFranking('short'), null)
  assert.deepEqual(await mailbox(ada), [])
})

test('a sender has at most 1000 unread messages in a mailbox', async () => {
  const many = Array.from({ length: 100 }, () => to(bob, bobs))
  for (let i = 0; i < 10; i++) assert.equal((await deliver(ada, ...many)).status, 200)
  assert.equal((await deliver(ada, to(bob, bobs))).status, 422)
  const cat = await server.person(`cat${round}`)
  await deviceOf(cat)
  assert.equal((await deliver(cat, to(bob, bobs))).status, 200, 'other senders are not limited')
  const [newest] = await mailbox(bob, '?limit=1')
  await bob.post('/api/v1/crypto/encrypted_messages/clear', { up_to_id: newest.id })
  assert.equal((await deliver(ada, to(bob, bobs))).status, 200, 'clearing the mailbox lifts the limit')
})

test('a delivery reaches all of its devices or none', async () => {
  const second = { ...bob, token: await server.token({ userId: bob.userId, scopes: ['crypto'] }) }
  const tablet = await server.send('POST', '/api/v1/crypto/keys/upload', {
    token: second.token,
    json: { device: { ...bobs.device, device_id: 'tablet' } },
  })
  assert.equal(tablet.status, 200)
  const toTablet = { account_id: bob.id, device_id: 'tablet', body: 'x', hmac: 'y' }
  for (const missing of [
    { ...toTablet, device_id: 'no such' },
    { ...toTablet, account_id: '12' },
    { ...toTablet, account_id: 'nonsense' },
    to(ada, bobs),
  ])
    assert.equal((await deliver(ada, to(bob, bobs), missing)).status, 404)
  for (const wrong of [
    { ...toTablet, type: 2 },
    { ...toTablet, body: '' },
    { ...toTablet, hmac: undefined },
    { ...toTablet, body: 'x'.repeat(70_000) },
  ])
    assert.equal((await deliver(ada, to(bob, bobs), wrong)).status, 422)
  for (const json of [{}, { device: [] }, { device: [{ device_id: 'tablet' }] }])
    assert.equal((await ada.send('POST', '/api/v1/crypto/deliveries', { json })).status, 400)
  assert.deepEqual(await mailbox(bob), [])
  assert.equal((await deliver(ada, to(bob, bobs), toTablet, toTablet)).status, 200)
  assert.equal((await mailbox(bob)).length, 1)
  const onTablet = await server.send('GET', '/api/v1/crypto/encrypted_messages', { token: second.token })
  assert.deepEqual(
    onTablet.json.map(({ type, body }: any) => [type, body]),
    [
      [0, 'x'],
      [0, 'x'],
    ],
  )
})

test('sending, reading and clearing need a device, and a block prevents messages in both directions', async () => {
  const cleo = await server.person(`cleo${round}`)
  assert.equal((await deliver(cleo, to(bob, bobs))).status, 404)
  assert.equal((await cleo.send('GET', '/api/v1/crypto/encrypted_messages')).status, 404)
  assert.equal(
    (await cleo.send('POST', '/api/v1/crypto/encrypted_messages/clear', { json: { up_to_id: '1' } })).status,
    404,
  )
  await block(server.ctx, { accountId: bob.id, targetAccountId: ada.id })
  assert.equal((await deliver(ada, to(bob, bobs))).status, 404)
  assert.equal((await deliver(bob, to(ada, adas))).status, 404)
  assert.deepEqual(await mailbox(bob), [])
})

test('the mailbox is paginated and can be cleared up to a message', async () => {
  await deliver(ada, ...Array.from({ length: 5 }, (_, i) => to(bob, bobs, { body: `m${i}` })))
  const bodies = (rows: any[]): string[] => rows.map(({ body }) => body)
  const first = await bob.send('GET', '/api/v1/crypto/encrypted_messages?limit=2')
  assert.deepEqual(bodies(first.json), ['m4', 'm3'])
  const { next, prev } = links(first.headers)
  assert.match(prev ?? '', /limit=2&min_id=/)
  const second = await bob.send('GET', next as string)
  assert.deepEqual(bodies(second.json), ['m2', 'm1'])
  const third = await bob.send('GET', links(second.headers).next as string)
  assert.deepEqual([bodies(third.json), links(third.headers).next], [['m0'], undefined])
  assert.deepEqual(bodies((await bob.send('GET', links(third.headers).prev as string)).json), ['m2', 'm1'])
  const [oldest, middle] = [third.json[0].id, second.json[0].id]
  assert.deepEqual(bodies(await mailbox(bob, `?since_id=${oldest}`)), ['m4', 'm3', 'm2', 'm1'])
  assert.deepEqual(bodies(await mailbox(bob, `?min_id=${oldest}&max_id=${middle}`)), ['m1'])
  const clear = (who: Person, json: object): Promise<Answer> =>
    who.send('POST', '/api/v1/crypto/encrypted_messages/clear', { json })
  assert.equal((await clear(bob, {})).status, 400)
  assert.deepEqual((await clear(ada, { up_to_id: middle })).json, {})
  assert.equal((await mailbox(bob)).length, 5, 'a mailbox can be cleared by its owner only')
  assert.deepEqual((await clear(bob, { up_to_id: middle })).json, {})
  assert.deepEqual(bodies(await mailbox(bob)), ['m4', 'm3'])
  assert.equal((await bob.send('GET', '/api/v1/crypto/encrypted_messages?max_id=1')).headers.get('link'), null)
})

test('a message is streamed to its device only', async () => {
  const blind = await server.token({ userId: bob.userId, scopes: ['read'] })
  const other = await server.token({ userId: bob.userId, scopes: ['read', 'crypto'] })
  const clients = await Promise.all(
    [bob.token, blind, other, ada.token].map((token) => listen(server, { token, streams: ['user'] })),
  )
  await deliver(ada, to(bob, bobs))
  const [message] = await mailbox(bob)
  assert.deepEqual(await clients[0]!.event('encrypted_message', 'user'), message)
  const { id } = await bob.post('/api/v1/statuses', { status: `@${ada.username} there` })
  for (const client of clients) {
    await client.next(
      ({ event, payload }) => event !== 'encrypted_message' && payload?.includes(`"id":"${id}"`) === true,
    )
    if (client !== clients[0]) assert.ok(client.frames.every(({ event }) => event !== 'encrypted_message'))
    client.end()
  }
})

test('the key for message franking rotates weekly and is deleted after three weeks', async () => {
  const keys = async (): Promise<string[]> =>
    (await server.ctx.db.many<{ id: string }>(sql`select id from system_keys order by id`)).map(({ id }) => id)
  const age = (days: number): Promise<number> =>
    server.ctx.db.run(sql`update system_keys set created_at = created_at - make_interval(days => ${days}::int)`)
  await server.ctx.db.run(sql`delete from system_keys`)
  await Promise.all([1, 2, 3].map(() => deliver(ada, to(bob, bobs))))
  const [{ message_franking: old }] = (await mailbox(bob)) as [any]
  const first = await keys()
  assert.equal(first.length, 1, 'concurrent deliveries create one key')
  await rotateSystemKeys(server.ctx)
  assert.deepEqual(await keys(), first)
  await age(8)
  await Promise.all([rotateSystemKeys(server.ctx), rotateSystemKeys(server.ctx)])
  assert.equal((await keys()).length, 2)
  assert.notEqual(await readFranking(old), null)
  await age(14)
  await rotateSystemKeys(server.ctx)
  assert.ok(!(await keys()).includes(first[0] as string))
  assert.equal(await readFranking(old), null)
})
