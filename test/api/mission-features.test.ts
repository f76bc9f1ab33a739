// The promises of this server to clients about single features; see mission.test.ts.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deviceOf } from '../support/device.ts'
import { pngOf } from '../support/images.ts'
import { NodeInfo } from '../support/node-info.ts'
import { makeDevice } from '../support/push.ts'
import { stage } from '../support/stage.ts'

const { server, ada, bob } = await stage({ accounts: ['ada', 'bob'] })

test('version 1 filters return and accept irreversible and whole_word', async () => {
  const made = await ada.send('POST', '/api/v1/filters', {
    form: { phrase: 'spoilers', 'context[]': 'home', irreversible: 'true', whole_word: 'false' },
  })
  assert.deepEqual([made.status, made.json.irreversible, made.json.whole_word], [200, true, false])
  const changed = await ada.put(`/api/v1/filters/${made.json.id}`, {
    phrase: 'spoilers',
    context: ['home'],
    irreversible: false,
    whole_word: true,
  })
  assert.deepEqual([changed.irreversible, changed.whole_word], [false, true])
  assert.deepEqual(await ada.get('/api/v1/filters'), [changed])
})

test('push subscriptions require the push scope and accept an alert for every notification type', async () => {
  const at = '/api/v1/push/subscription'
  const narrow = await server.token({ userId: ada.userId, scopes: ['read', 'write', 'follow'] })
  const subscription = { endpoint: 'https://push.test/x', keys: makeDevice().keys }
  for (const method of ['GET', 'POST', 'PUT', 'DELETE'])
    assert.equal(
      (await server.send(method, at, { token: narrow, ...(method === 'GET' ? {} : { json: { subscription } }) }))
        .status,
      403,
      method,
    )
  const { components } = (await server.send('GET', '/api/openapi.json')).json
  const types: string[] = components.schemas.Notification.properties.type.anyOf.map(
    (each: { const: string }) => each.const,
  )
  assert.ok(types.includes('follow_request'))
  const all = Object.fromEntries(types.map((type) => [type, true]))
  const made = await ada.post(at, { subscription, data: { alerts: all } })
  assert.deepEqual(made.alerts, all)
  assert.equal(
    (await ada.put(at, { data: { alerts: { ...all, follow_request: false } } })).alerts.follow_request,
    false,
  )
  assert.equal((await ada.get(at)).endpoint, subscription.endpoint)
  assert.deepEqual(await ada.delete(at), {})
  assert.equal((await ada.send('GET', at)).status, 404)
})

test('an account has at most fifty lists on one page, and unknown replies policies are refused', async () => {
  for (const replies_policy of ['everybody', '7', 'LIST'])
    assert.equal((await ada.send('POST', '/api/v1/lists', { json: { title: 'x', replies_policy } })).status, 422)
  await Promise.all(Array.from({ length: 50 }, (_, i) => ada.post('/api/v1/lists', { title: `list ${i}` })))
  assert.equal((await ada.send('POST', '/api/v1/lists', { json: { title: 'one more' } })).status, 422)
  const all = await ada.send('GET', '/api/v1/lists?limit=2')
  assert.deepEqual([all.json.length, all.headers.get('link')], [50, null])
  assert.equal(
    (await ada.send('PUT', `/api/v1/lists/${all.json[0].id}`, { json: { title: 'x', replies_policy: 'nope' } })).status,
    422,
  )
})

test('a poll is visible to the same viewers as its post', async () => {
  const poll = async (visibility: string): Promise<string> =>
    (
      await ada.post('/api/v1/statuses', {
        status: 'which?',
        visibility,
        poll: { options: ['this', 'that'], expires_in: 600 },
      })
    ).poll.id
  const [open, closed] = [await poll('public'), await poll('private')]
  const read = async (id: string, token: string | null): Promise<number> =>
    (await server.send('GET', `/api/v1/polls/${id}`, { token })).status
  assert.deepEqual([await read(open, null), await read(closed, null), await read(closed, ada.token)], [200, 404, 200])
})

test('the follow scope is included in read and write, and covers relationships only', async () => {
  const scoped = (...scopes: string[]): Promise<string> => server.token({ userId: ada.userId, scopes })
  const [both, follow, fine] = await Promise.all([scoped('read', 'write'), scoped('follow'), scoped('write:follows')])
  const act = async (token: string, method: string, path: string): Promise<number> =>
    (await server.send(method, path, { token })).status
  for (const token of [both, follow])
    for (const [method, path] of [
      ['POST', `/api/v1/accounts/${bob.id}/mute`],
      ['POST', `/api/v1/accounts/${bob.id}/unmute`],
      ['GET', '/api/v1/blocks'],
      ['GET', '/api/v1/follow_requests'],
    ] as const)
      assert.equal(await act(token, method, path), 200, path)
  assert.equal(await act(fine, 'POST', `/api/v1/accounts/${bob.id}/follow`), 200)
  assert.equal(await act(fine, 'POST', `/api/v1/accounts/${bob.id}/mute`), 403)
  assert.equal(await act(follow, 'GET', '/api/v1/timelines/home'), 403)
})

test('the operations for end-to-end encrypted messages count, query and claim keys, and deliver, list and clear messages', async () => {
  const [mine, theirs] = [await deviceOf(ada), await deviceOf(bob, 2)]
  assert.deepEqual(await bob.get('/api/v1/crypto/keys/count'), { one_time_keys: 2 })
  const query = await ada.post('/api/v1/crypto/keys/query', { id: [bob.id] })
  assert.deepEqual(
    query.map(({ account_id, devices }: any) => [account_id, devices.length]),
    [[bob.id, 1]],
  )
  const device = { account_id: bob.id, device_id: theirs.device.device_id }
  const [claimed] = await ada.post('/api/v1/crypto/keys/claim', { device: [device] })
  assert.equal(claimed.account_id, bob.id)
  assert.deepEqual(await bob.get('/api/v1/crypto/keys/count'), { one_time_keys: 1 })
  assert.deepEqual(
    await ada.post('/api/v1/crypto/deliveries', { device: [{ ...device, type: 0, body: 'YQ', hmac: 'Yg' }] }),
    {},
  )
  const [message] = await bob.get('/api/v1/crypto/encrypted_messages')
  assert.deepEqual([message.account_id, message.device_id, message.body], [ada.id, mine.device.device_id, 'YQ'])
  assert.deepEqual(await bob.post('/api/v1/crypto/encrypted_messages/clear', { up_to_id: message.id }), {})
  assert.deepEqual(await bob.get('/api/v1/crypto/encrypted_messages'), [])
})

test('media descriptions and focus points can be updated before and after posting', async () => {
  const png = await pngOf(40, 30, '#357')
  const form = new FormData()
  form.set('file', new Blob([png], { type: 'image/png' }), 'a.png')
  form.set('description', 'blue')
  form.set('focus', '0.5,-0.25')
  const { id, description, meta } = (await ada.send('POST', '/api/v2/media', { form })).json
  assert.deepEqual([description, meta.focus], ['blue', { x: 0.5, y: -0.25 }])
  const changed = await ada.send('PUT', `/api/v1/media/${id}`, { form: { description: 'deep blue', focus: '0,1' } })
  assert.deepEqual([changed.json.description, changed.json.meta.focus], ['deep blue', { x: 0, y: 1 }])
  const status = await ada.post('/api/v1/statuses', { status: 'sea', media_ids: [id] })
  const edited = await ada.put(`/api/v1/statuses/${status.id}`, {
    status: 'sea',
    media_ids: [id],
    media_attributes: [{ id, description: 'the sea', focus: '-1,0' }],
  })
  const [attachment] = edited.media_attachments
  assert.deepEqual([attachment.description, attachment.meta.focus], ['the sea', { x: -1, y: 0 }])
})

test('NodeInfo is valid and ignores tokens', async () => {
  const document = await server.send('GET', '/nodeinfo/2.0', { token: 'garbage' })
  assert.equal(document.status, 200)
  assert.equal(
    document.headers.get('content-type'),
    'application/json; profile="http://nodeinfo.diaspora.software/ns/schema/2.0#"; charset=utf-8',
  )
  assert.deepEqual([...NodeInfo.Errors(document.json)], [])
  const { links: found } = (await server.send('GET', '/.well-known/nodeinfo', { token: 'garbage' })).json
  assert.equal(new URL(found[0].href).pathname, '/nodeinfo/2.0')
  for (const required of ['version', 'software', 'protocols', 'services', 'openRegistrations', 'usage', 'metadata']) {
    const { [required]: _gone, ...rest } = document.json
    assert.equal(NodeInfo.Check(rest), false, required)
  }
  for (const wrong of [
    { version: '2.1' },
    { protocols: [] },
    { protocols: ['smtp'] },
    { more: 1 },
    { services: { inbound: ['carrier pigeon'], outbound: [] } },
  ])
    assert.equal(NodeInfo.Check({ ...document.json, ...wrong }), false, JSON.stringify(wrong))
})
