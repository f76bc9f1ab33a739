import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { beforeEach, test } from 'node:test'
import { sql } from '../support/database.ts'
import { makeDevice } from '../support/push.ts'
import { type Person } from '../support/server.ts'
import { stage } from '../support/stage.ts'

let ada: Person
let round = 0

const AT = '/api/v1/push/subscription'
const TYPES = [
  'mention',
  'status',
  'reblog',
  'follow',
  'follow_request',
  'favourite',
  'poll',
  'update',
  'admin.sign_up',
  'admin.report',
  'severed_relationships',
  'moderation_warning',
  'quote',
  'quoted_update',
  'added_to_collection',
  'collection_update',
]
const alerts = (...on: string[]): Record<string, boolean> =>
  Object.fromEntries(TYPES.map((type) => [type, on.includes(type)]))
const subscription = (more: Record<string, unknown> = {}): Record<string, unknown> => ({
  endpoint: 'https://push.test/abc?d=1',
  keys: makeDevice().keys,
  ...more,
})

const { server } = await stage()
beforeEach(async () => {
  ada = await server.person(`ada${++round}`)
})

test('without a subscription, GET and PUT answer 404 and DELETE succeeds', async () => {
  assert.equal((await ada.send('GET', AT)).status, 404)
  assert.equal((await ada.send('PUT', AT, { json: { data: { alerts: { mention: true } } } })).status, 404)
  assert.deepEqual(await ada.delete(AT), {})
})

test('an account has 50 subscriptions at most: a further one replaces the oldest', async () => {
  const made = await ada.post(AT, { subscription: subscription() })
  await server.database.run(sql`
    with token as (
      insert into oauth_tokens (digest, sealed, app_id, user_id, scopes)
      select sha256(('token ' || n)::bytea), '', app_id, user_id, '{push}' from oauth_tokens, generate_series(1, 49) n
      where user_id = ${ada.userId} and session_id is null returning id
    )
    insert into push_subscriptions (token_id, account_id, endpoint, p256dh, auth, standard, alerts, policy)
    select token.id, ps.account_id, ps.endpoint, ps.p256dh, ps.auth, ps.standard, ps.alerts, ps.policy
    from token, push_subscriptions ps where ps.id = ${made.id}`)
  const ids = async (): Promise<number[]> => {
    const rows = await server.database.many<{ id: string }>(
      sql`select id from push_subscriptions where account_id = ${ada.id} order by id`,
    )
    return rows.map(({ id }) => Number(id))
  }
  const before = await ids()
  assert.deepEqual([before.length, before[0]], [50, made.id])
  const another = await server.token({ userId: ada.userId, scopes: ['push', 'read'] })
  assert.equal((await server.send('POST', AT, { token: another, json: { subscription: subscription() } })).status, 200)
  const after = await ids()
  assert.deepEqual(after.slice(0, -1), before.slice(1))
  assert.equal((await ada.send('GET', AT)).status, 404)
})

test('a subscription defaults to no alerts, policy all and the older encoding', async () => {
  const made = await ada.post(AT, { subscription: subscription() })
  const { vapid } = (await server.send('GET', '/api/v2/instance')).json.configuration
  assert.ok(Number.isSafeInteger(made.id))
  assert.deepEqual(made, {
    id: made.id,
    endpoint: 'https://push.test/abc?d=1',
    standard: false,
    alerts: alerts(),
    policy: 'all',
    server_key: vapid.public_key,
  })
  assert.deepEqual(await ada.get(AT), made)
})

test('every type of notification can be chosen, as JSON and as a form; unknown types are ignored', async () => {
  const everything = { ...alerts(...TYPES), unheard_of: true }
  const made = await ada.post(AT, {
    subscription: subscription({ standard: true }),
    data: { alerts: everything, policy: 'followed' },
  })
  assert.deepEqual([made.alerts, made.policy, made.standard], [alerts(...TYPES), 'followed', true])
  const { keys } = makeDevice()
  const form = {
    'subscription[endpoint]': 'https://push.test/other',
    'subscription[keys][p256dh]': keys.p256dh,
    'subscription[keys][auth]': keys.auth,
    'data[alerts][follow_request]': 'true',
    'data[alerts][admin.sign_up]': '1',
    'data[alerts][mention]': 'false',
    'data[policy]': 'follower',
  }
  const replaced = (await ada.send('POST', AT, { form })).json
  assert.deepEqual(
    [replaced.endpoint, replaced.alerts, replaced.policy, replaced.standard],
    ['https://push.test/other', alerts('follow_request', 'admin.sign_up'), 'follower', false],
  )
  assert.notEqual(replaced.id, made.id)
  assert.deepEqual(await ada.get(AT), replaced)
})

test('PUT changes only alerts and policy; the policy may be beside or within data', async () => {
  const made = await ada.post(AT, { subscription: subscription(), data: { alerts: { mention: true, follow: true } } })
  assert.deepEqual(await ada.put(AT, { policy: 'none' }), { ...made, policy: 'none' })
  assert.deepEqual(await ada.put(AT, { data: { policy: 'followed' } }), { ...made, policy: 'followed' })
  assert.deepEqual(await ada.put(AT, { data: { alerts: { poll: true } } }), {
    ...made,
    policy: 'followed',
    alerts: alerts('poll'),
  })
  assert.deepEqual(await ada.put(AT, { subscription: subscription({ endpoint: 'https://push.test/new' }) }), {
    ...made,
    policy: 'followed',
    alerts: alerts('poll'),
  })
  assert.equal((await ada.send('PUT', AT, { json: { policy: 'some' } })).status, 422)
  assert.equal((await ada.send('PUT', AT, { json: { data: { policy: 'some' } } })).status, 422)
  assert.equal((await ada.send('PUT', AT, { json: { data: { alerts: { mention: { a: 1 } } } } })).status, 422)
})

test('invalid endpoints and keys are refused', async () => {
  const { keys } = makeDevice()
  const endpoints = [
    '',
    'nonsense',
    '/path',
    'ftp://push.test/',
    'http://push.test/plain',
    'https://user:secret@push.test/',
    'https://10.0.0.1/',
    'https://169.254.169.254/latest',
    'https://[fd00::1]/',
    'https://0x0a000001/',
    'https://intranet/',
    `https://push.test/${'x'.repeat(3000)}`,
  ]
  for (const endpoint of endpoints) {
    const { status, json } = await ada.send('POST', AT, { json: { subscription: subscription({ endpoint }) } })
    assert.deepEqual(
      [status, String(json.error).startsWith('Validation failed: Endpoint ')],
      [422, true],
      endpoint.slice(0, 50),
    )
  }
  const offCurve = Buffer.concat([Buffer.from([4]), randomBytes(64)]).toString('base64url')
  const wrong = [
    { ...keys, p256dh: 'nonsense' },
    { ...keys, p256dh: offCurve },
    { ...keys, p256dh: '*'.repeat(87) },
    { ...keys, p256dh: keys.p256dh.slice(0, 40) },
    { ...keys, auth: randomBytes(15).toString('base64url') },
    { ...keys, auth: '' },
    { p256dh: keys.p256dh },
    { auth: keys.auth },
    {},
  ]
  for (const bad of wrong)
    assert.equal(
      (await ada.send('POST', AT, { json: { subscription: subscription({ keys: bad }) } })).status,
      422,
      JSON.stringify(bad),
    )
  for (const json of [
    {},
    { subscription: {} },
    { subscription: 'x' },
    { subscription: { endpoint: 'https://push.test/' } },
    { subscription: subscription({ endpoint: ['https://push.test/'] }) },
  ])
    assert.equal((await ada.send('POST', AT, { json })).status, 422, JSON.stringify(json))
  assert.equal(
    (await ada.send('POST', AT, { json: { subscription: subscription(), data: { policy: 'most' } } })).status,
    422,
  )
  assert.equal((await ada.send('GET', AT)).status, 404, 'nothing was stored')
})

test('keys in base64 with padding are accepted and stored as base64url', async () => {
  const { keys } = makeDevice()
  const loose = (key: string): string => Buffer.from(key, 'base64url').toString('base64')
  await ada.post(AT, { subscription: subscription({ keys: { p256dh: loose(keys.p256dh), auth: loose(keys.auth) } }) })
  const stored = await server.ctx.db.one<{ p256dh: string; auth: string }>(
    sql`select p256dh, auth from push_subscriptions where account_id = ${ada.id}`,
  )
  assert.deepEqual(stored, keys)
})

test('a subscription belongs to one token and is deleted with it', async () => {
  const other = await server.token({ userId: ada.userId, scopes: ['push'] })
  await ada.post(AT, { subscription: subscription() })
  assert.equal((await server.send('GET', AT, { token: other })).status, 404)
  const mine = (
    await server.send('POST', AT, {
      token: other,
      json: { subscription: subscription({ endpoint: 'https://push.test/2' }) },
    })
  ).json
  assert.equal((await ada.get(AT)).endpoint, 'https://push.test/abc?d=1')
  assert.deepEqual(await ada.delete(AT), {})
  assert.equal((await ada.send('GET', AT)).status, 404)
  assert.deepEqual((await server.send('GET', AT, { token: other })).json, mine)
  await server.ctx.db.run(sql`delete from oauth_tokens where user_id = ${ada.userId}`)
  assert.deepEqual(await server.ctx.db.many(sql`select from push_subscriptions where account_id = ${ada.id}`), [])
})

test('concurrent requests create one subscription', async () => {
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, i) =>
      ada.send('POST', AT, { json: { subscription: subscription({ endpoint: `https://push.test/${i}` }) } }),
    ),
  )
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200])
  const rows = await server.ctx.db.many(sql`select from push_subscriptions where account_id = ${ada.id}`)
  assert.equal(rows.length, 1)
})
