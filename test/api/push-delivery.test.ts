import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import { notify } from '../support/acts.ts'
import { sql } from '../support/database.ts'
import { makeDevice, openVapid, parameter, startPushService, type Device, type PushService } from '../support/push.ts'
import { eventually, type Person } from '../support/server.ts'
import { stage } from '../support/stage.ts'
import { post } from '../support/timelines.ts'

let service: PushService
let device: Device
let ada: Person
let bob: Person
let round = 0

const AT = '/api/v1/push/subscription'

/** Subscribes Ada's device to these types of notifications. */
async function subscribe(
  types: string[],
  { standard = true, policy = 'all', endpoint = `${service.url}/ada?x=1` } = {},
): Promise<{ id: string; server_key: string }> {
  const alerts = Object.fromEntries(types.map((type) => [type, true]))
  return ada.post(AT, { subscription: { endpoint, keys: device.keys, standard }, data: { alerts, policy } })
}

/** The decrypted push messages so far: type and body of each. */
async function pushed(): Promise<string[]> {
  await server.drain()
  return service.received
    .map((push) => device.open(push))
    .map(({ notification_type, body }) => `${notification_type}: ${body}`)
}

const mention = (text: string, more: Record<string, unknown> = {}): Promise<string> =>
  post(bob, `@${ada.username} ${text}`, more)

const { server } = await stage()
afterEach(() => service.stop())
beforeEach(async () => {
  round++
  service = await startPushService()
  device = makeDevice()
  ada = await server.person(`ada${round}`)
  bob = await server.person(`bob${round}`)
})

for (const standard of [true, false]) {
  test(`a device can decrypt a push message ${standard ? 'in the standard encoding' : 'in the older encoding'}`, async () => {
    await server.ctx.db.run(
      sql`update accounts set display_name = 'Bob <b>', avatar_static_key = 'still.png' where id = ${bob.id}`,
    )
    await server.ctx.db.run(sql`update users set locale = 'de' where id = ${ada.userId}`)
    const { server_key: serverKey } = await subscribe(['mention'], { standard })
    await mention('hello <there> & everybody')
    const push = await service.at(0)
    const { headers } = push
    assert.deepEqual(
      [push.method, push.path, headers['ttl'], headers['urgency'], headers['content-type'], headers['content-length']],
      ['POST', '/ada?x=1', '172800', 'normal', 'application/octet-stream', String(push.body.length)],
    )
    const authorization = String(headers.authorization)
    const token = standard ? parameter(authorization, 't') : (/^WebPush (\S+)$/.exec(authorization)?.[1] ?? '')
    if (standard) {
      assert.match(authorization, /^vapid /)
      assert.deepEqual(
        [headers['content-encoding'], headers.encryption, headers['crypto-key']],
        ['aes128gcm', undefined, undefined],
      )
      assert.equal(parameter(authorization, 'k'), serverKey)
    } else {
      assert.equal(headers['content-encoding'], 'aesgcm')
      assert.equal(parameter(headers['crypto-key'], 'p256ecdsa'), serverKey)
    }
    const claims = openVapid(token, serverKey)
    assert.equal(claims.aud, service.url)
    assert.match(String(claims.sub), /^mailto:/)
    const seconds = Number(claims.exp) - Date.now() / 1000
    assert.ok(seconds > 0 && seconds <= 24 * 3600)

    const [notification] = await ada.get('/api/v1/notifications')
    const { notification_id: id, ...payload } = device.open(push)
    assert.deepEqual(payload, {
      access_token: ada.token,
      preferred_locale: 'de',
      notification_type: 'mention',
      icon: `${server.ctx.config.baseUrl}/files/still.png`,
      title: 'Bob <b> hat dich erwähnt',
      body: `@${ada.username} hello <there> & everybody`,
    })
    assert.equal(id, Number(notification.id))
  })
}

test('a push message has at most 140 characters of plain text, and only the content warning of posts that have one', async () => {
  await subscribe(['mention', 'follow'])
  await mention(`${'long '.repeat(60)}end`)
  await mention('the secret', { spoiler_text: 'A warning' })
  await server.ctx.db.run(
    sql`update accounts set note = '<p>I am <strong>Bob</strong></p><p>Hi</p>' where id = ${bob.id}`,
  )
  await bob.post(`/api/v1/accounts/${ada.id}/follow`)
  const bodies = (await pushed()).map((text) => text.replace(/^\w+: /, ''))
  const [long = ''] = bodies.filter((body) => body.includes('long'))
  assert.ok([...long].length <= 140 && long.endsWith('…'))
  assert.deepEqual(bodies.filter((body) => body !== long).toSorted(), ['A warning', 'I am Bob Hi'])
})

test('only the chosen types of notifications are pushed', async () => {
  await subscribe(['favourite', 'follow_request'])
  await ada.send('PATCH', '/api/v1/accounts/update_credentials', { json: { locked: true } })
  const own = await post(ada, 'mine', { visibility: 'public' })
  await mention('not chosen')
  await bob.post(`/api/v1/statuses/${own}/reblog`)
  await bob.post(`/api/v1/statuses/${own}/favourite`)
  await bob.post(`/api/v1/accounts/${ada.id}/follow`)
  assert.deepEqual((await pushed()).toSorted(), ['favourite: mine', 'follow_request: '])
  await ada.put(AT, { data: { alerts: { mention: true } } })
  await mention('chosen now')
  assert.equal((await pushed()).length, 3)
})

test('an act that is undone and repeated is pushed once an hour', async () => {
  await subscribe(['favourite', 'follow'])
  const own = await post(ada, 'mine', { visibility: 'public' })
  const repeat = async (): Promise<string[]> => {
    for (const path of [`statuses/${own}/unfavourite`, `statuses/${own}/favourite`]) await bob.post(`/api/v1/${path}`)
    for (const path of ['unfollow', 'follow']) await bob.post(`/api/v1/accounts/${ada.id}/${path}`)
    return (await pushed()).toSorted()
  }
  const once = ['favourite: mine', 'follow: ']
  assert.deepEqual(await repeat(), once)
  assert.deepEqual(await repeat(), once)
  assert.equal((await ada.get('/api/v1/notifications')).length, 2, 'both are listed')
  await server.ctx.db.run(sql`update rate_limits set expires_at = now()`)
  assert.deepEqual(await repeat(), [...once, ...once].toSorted())
})

test('the subscriptions of an account cause 300 requests to a server in two minutes', async () => {
  const subscription = { endpoint: `${service.url}/x`, keys: device.keys, standard: true }
  const others = ['read', 'write', 'follow', 'profile']
  for (let n = 0; n < 16; n++) {
    const scopes = ['push', ...others.filter((_, bit) => n & (1 << bit))]
    const token = await server.token({ userId: ada.userId, scopes })
    await server.send('POST', AT, { token, json: { subscription, data: { alerts: { favourite: true } } } })
  }
  for (let i = 0; i < 19; i++) {
    const id = await post(ada, `post ${i}`, { visibility: 'public' })
    await bob.post(`/api/v1/statuses/${id}/favourite`)
  }
  await server.drain()
  assert.equal(service.received.length, 300)
})

test('the policy of a subscription decides which accounts cause push messages', async () => {
  await subscribe(['mention'], { policy: 'followed' })
  await mention('one')
  assert.deepEqual(await pushed(), [])
  await ada.post(`/api/v1/accounts/${bob.id}/follow`)
  await mention('two')
  assert.equal((await pushed()).length, 1)
  await ada.put(AT, { policy: 'follower' })
  await mention('three')
  assert.equal((await pushed()).length, 1)
  await bob.post(`/api/v1/accounts/${ada.id}/follow`)
  await mention('four')
  assert.equal((await pushed()).length, 2)
  await ada.put(AT, { policy: 'none' })
  await mention('five')
  assert.equal((await pushed()).length, 2)
})

test('muted, blocked, filtered and dropped notifications are not pushed', async () => {
  await subscribe(['mention', 'favourite'])
  const own = await post(ada, 'mine')
  await ada.post(`/api/v1/statuses/${own}/mute`)
  await bob.post(`/api/v1/statuses/${own}/favourite`)
  for (const treatment of ['filter', 'drop']) {
    await ada.send('PATCH', '/api/v2/notifications/policy', { json: { for_not_following: treatment } })
    await mention(treatment)
  }
  await ada.send('PATCH', '/api/v2/notifications/policy', { json: { for_not_following: 'accept' } })
  for (const action of ['mute', 'block']) {
    await ada.post(`/api/v1/accounts/${bob.id}/${action}`)
    await bob.send('POST', '/api/v1/statuses', { json: { status: `@${ada.username} ${action}` } })
    await ada.post(`/api/v1/accounts/${bob.id}/un${action}`)
  }
  await mention('heard')
  assert.deepEqual(await pushed(), [`mention: @${ada.username} heard`])
})

test('every device of an account receives the push message with its own token, other accounts do not', async () => {
  await subscribe(['mention'])
  const second = makeDevice()
  const token = await server.token({ userId: ada.userId, scopes: ['push', 'read'] })
  await server.send('POST', AT, {
    token,
    json: {
      subscription: { endpoint: `${service.url}/second`, keys: second.keys },
      data: { alerts: { mention: true } },
    },
  })
  await bob.post(AT, {
    subscription: { endpoint: `${service.url}/bob`, keys: makeDevice().keys },
    data: { alerts: { mention: true } },
  })
  await mention('hello')
  await server.drain()
  assert.deepEqual(service.received.map(({ path }) => path).toSorted(), ['/ada?x=1', '/second'])
  const to = (path: string): any => service.received.find((push) => push.path === path)
  assert.equal(device.open(to('/ada?x=1')).access_token, ada.token)
  assert.equal(second.open(to('/second')).access_token, token)
})

test('a subscription that the push service no longer knows is deleted', async () => {
  for (const status of [400, 403, 404, 410]) {
    await subscribe(['mention'])
    service.answerWith(status)
    await mention(`answered ${status}`)
    await server.drain()
    assert.equal((await ada.send('GET', AT)).status, 404, String(status))
  }
  await mention('nobody listens')
  await server.drain()
  assert.equal(service.received.length, 4)
})

test('a temporary failure of the push service is retried and does not delete the subscription', async () => {
  const statuses = [408, 429, 500, 503, 302]
  const { id } = await subscribe(['mention'])
  for (const [i, status] of statuses.entries()) {
    service.answerWith(status, status === 302 ? { location: '/elsewhere' } : {})
    await mention(`answered ${status}`)
    await service.at(i)
  }
  const waiting = await eventually(async () => {
    const { rows } = await server.database.raw(
      `select from pgboss.job where name = 'push.send' and state = 'retry' and data ->> 'subscriptionId' = $1`,
      [id],
    )
    return rows.length >= statuses.length ? rows.length : undefined
  })
  assert.equal(waiting, statuses.length)
  assert.equal((await ada.get(AT)).id, id)
  assert.ok(
    service.received.every(({ path }) => path === '/ada?x=1'),
    'redirects are not followed',
  )
})

test('a push service that does not respond is left alone for a while, so that others do not wait', async () => {
  const { id } = await subscribe(['mention'])
  const retried = async (count: number): Promise<boolean> => {
    const { rows } = await server.database.raw(
      `select from pgboss.job where name = 'push.send' and state = 'retry' and data ->> 'subscriptionId' = $1`,
      [id],
    )
    return rows.length >= count
  }
  service.answerWith(0)
  for (let i = 1; i <= 8; i++) await mention(`without an answer ${i}`)
  await service.at(7)
  await eventually(() => retried(8))
  await mention('not sent yet')
  const [delay = 0] = await eventually(() => waits(id, 1))
  assert.ok(delay > 15 && delay <= 31, String(delay))
  assert.equal(service.received.length, 8)
})

/** The seconds until the messages are due that wait without having used up an attempt. */
async function waits(id: string, count: number): Promise<number[] | undefined> {
  const { rows } = await server.database.raw(
    `select extract(epoch from start_after - now())::float8 as seconds from pgboss.job
      where name = 'push.send' and state = 'created' and data ->> 'subscriptionId' = $1`,
    [id],
  )
  return rows.length >= count ? rows.map(({ seconds }) => Number(seconds)) : undefined
}

test('messages wait as long as the push service asks: one after a 429, all after a 503, and an hour at most', async () => {
  const { id } = await subscribe(['mention'])
  for (const [i, [status, seconds]] of (
    [
      [429, '120'],
      [503, '86400'],
      [201, ''],
    ] as const
  ).entries()) {
    service.answerWith(status, seconds === '' ? {} : { 'retry-after': seconds })
    await mention(`message ${i}`)
    await eventually(() => waits(id, i + 1))
  }
  assert.equal(service.received.length, 2)
  const delays = (await waits(id, 3))?.toSorted((a, b) => a - b).map((delay) => Math.round(delay / 60))
  assert.deepEqual(delays, [2, 60, 60])
})

test('dismissed, old, muted and unwanted notifications are not pushed, nor any to disabled users', async () => {
  const { id } = await subscribe(['mention'])
  const enqueue = async (change: (notificationId: string) => Promise<unknown>): Promise<void> => {
    await ada.put(AT, { policy: 'none' })
    await mention('held')
    const [{ id: notificationId }] = await ada.get('/api/v1/notifications')
    await ada.put(AT, { policy: 'all' })
    await change(notificationId)
    await server.ctx.enqueue('push.send', { subscriptionId: id, notificationId })
    await server.drain()
  }
  await enqueue((notificationId) => ada.post(`/api/v1/notifications/${notificationId}/dismiss`))
  await enqueue((notificationId) =>
    server.ctx.db.run(
      sql`update notifications set created_at = now() - interval '49 hours' where id = ${notificationId}`,
    ),
  )
  await enqueue(() =>
    server.ctx.db.run(sql`insert into mutes (account_id, target_account_id) values (${ada.id}, ${bob.id})`),
  )
  await server.ctx.db.run(sql`delete from mutes where account_id = ${ada.id}`)
  await enqueue(() => ada.put(AT, { policy: 'follower' }))
  await enqueue(() => ada.put(AT, { data: { alerts: { favourite: true } } }))
  await ada.put(AT, { data: { alerts: { mention: true } } })
  await enqueue(() => server.ctx.db.run(sql`update users set disabled = true where id = ${ada.userId}`))
  assert.deepEqual(service.received, [])
  assert.equal((await server.ctx.db.many(sql`select from push_subscriptions where id = ${id}`)).length, 1)
})

test('a notification takes one statement without subscriptions and two more with them', async () => {
  const statusId = await post(bob, 'news')
  const asked = (to: string[]): Promise<string[]> =>
    server.ctx.transaction(async (tx) => {
      const calls: string[] = []
      const noting = <T extends object>(object: T): T =>
        new Proxy(object, {
          get: (target, name) => {
            const member: unknown = Reflect.get(target, name)
            return typeof member === 'function'
              ? (...args: unknown[]) => (calls.push(String(name)), member(...args))
              : member
          },
        })
      await notify({ ...noting(tx), db: noting(tx.db) }, { type: 'mention', fromAccountId: bob.id, statusId, to })
      return calls.filter((call) => call !== 'publish')
    })
  const cleo = await server.person(`cleo${round}`)
  const dave = await server.person(`dave${round}`)
  assert.deepEqual(await asked([cleo.id]), ['many'])
  await subscribe(['mention'])
  assert.deepEqual(await asked([ada.id, dave.id]), ['many', 'many', 'enqueueMany'])
  assert.deepEqual(await pushed(), ['mention: news'])
})
