// Which addresses the server sends push messages to.
import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import { sql } from '../support/database.ts'
import { makeDevice, startPushService, type Device, type PushService } from '../support/push.ts'
import { startTestServer } from '../support/server.ts'
import { post } from '../support/timelines.ts'

let service: PushService
let device: Device

const AT = '/api/v1/push/subscription'

afterEach(() => service.stop())
beforeEach(async () => {
  service = await startPushService()
  device = makeDevice()
})

test('private addresses are never requested, even if the database holds them', async () => {
  const closed = await startTestServer({ ALLOWED_PRIVATE_ADDRESSES: '' })
  try {
    const [eve, mallory] = [await closed.person('eve'), await closed.person('mallory')]
    const keys = makeDevice().keys
    for (const endpoint of [
      service.url,
      service.url.replace('http:', 'https:'),
      'https://localhost/',
      'https://[::1]/',
      'https://[::ffff:127.0.0.1]/',
      'https://127.1/',
      'https://sub.localhost/',
    ])
      assert.equal((await eve.send('POST', AT, { json: { subscription: { endpoint, keys } } })).status, 422, endpoint)
    for (const protocol of ['http:', 'https:']) {
      await eve.post(AT, {
        subscription: { endpoint: 'https://push.test/', keys },
        data: { alerts: { mention: true } },
      })
      await closed.ctx.db.run(sql`update push_subscriptions set endpoint = ${service.url.replace('http:', protocol)}`)
      await post(mallory, '@eve hello')
      await closed.drain()
      assert.equal((await eve.send('GET', AT)).status, 404)
    }
    assert.deepEqual(service.received, [])
  } finally {
    await closed.stop()
  }
})

test('limited federation does not restrict push services', async () => {
  const limited = await startTestServer({ LIMITED_FEDERATION_MODE: 'true' })
  try {
    const [eve, friend] = [await limited.person('eve'), await limited.person('friend')]
    await eve.post(AT, {
      subscription: { endpoint: service.url, keys: device.keys },
      data: { alerts: { mention: true } },
    })
    await post(friend, '@eve hello')
    assert.equal(device.open(await service.at(0)).body, '@eve hello')
  } finally {
    await limited.stop()
  }
})
