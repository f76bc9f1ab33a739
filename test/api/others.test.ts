// Private resources of other accounts: the API answers as if they did not exist.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../support/database.ts'
import { deviceOf } from '../support/device.ts'
import { uploadImage } from '../support/images.ts'
import { makeDevice } from '../support/push.ts'
import { remoteAccount } from '../support/remote.ts'
import { stage } from '../support/stage.ts'
import { post } from '../support/timelines.ts'

const { server, ada } = await stage({ accounts: ['ada'] })

/** Creates one private resource of each kind for Ada, and returns their ids. */
async function createResources(): Promise<Record<string, string>> {
  const bob = await server.person('bob')
  await ada.post(`/api/v1/accounts/${bob.id}/follow`)
  const { id: list } = await ada.post('/api/v1/lists', { title: 'mine' })
  const { id: filter } = await ada.post('/api/v2/filters', {
    title: 'mine',
    context: ['home'],
    keywords_attributes: [{ keyword: 'no' }],
  })
  const { id: keyword } = (await ada.get(`/api/v2/filters/${filter}/keywords`))[0]
  const status = await post(ada, 'mine')
  const { id: filterStatus } = await ada.post(`/api/v2/filters/${filter}/statuses`, { status_id: status })
  const { id: scheduled } = await ada.post('/api/v1/statuses', {
    status: 'later',
    scheduled_at: new Date(Date.now() + 3_600_000).toISOString(),
  })
  const { id: secret, poll } = await ada.post('/api/v1/statuses', {
    status: 'only me',
    visibility: 'direct',
    poll: { options: ['a', 'b'], expires_in: 600 },
  })
  await post(bob, '@ada psst', { visibility: 'direct' })
  const { id: conversation } = (await ada.get('/api/v1/conversations')).find((each: any) => each.accounts.length > 0)
  const { id: notification } = (await ada.get('/api/v1/notifications'))[0]
  const group = (await ada.get('/api/v2/notifications')).notification_groups[0].group_key
  await ada.send('PATCH', '/api/v2/notifications/policy', { json: { for_not_following: 'filter' } })
  await post(await server.person('cat'), '@ada may I?')
  const { id: request } = (await ada.get('/api/v1/notifications/requests'))[0]
  const { id: tag } = await ada.post('/api/v1/featured_tags', { name: 'mine' })
  const { collection } = await ada.post('/api/v1/collections', { name: 'mine', discoverable: false })
  return {
    list,
    filter,
    keyword,
    status,
    filterStatus,
    scheduled,
    secret,
    poll: poll.id,
    conversation,
    notification,
    group,
    request,
    tag,
    collection: collection.id,
    media: await uploadImage(ada),
    bob: bob.id,
  }
}

const OTHERS = `
  GET /api/v1/lists/{list}
  PUT /api/v1/lists/{list} {"title":"yours"}
  DELETE /api/v1/lists/{list}
  GET /api/v1/lists/{list}/accounts
  POST /api/v1/lists/{list}/accounts {"account_ids":["{bob}"]}
  DELETE /api/v1/lists/{list}/accounts {"account_ids":["{bob}"]}
  GET /api/v1/timelines/list/{list}
  GET /api/v1/filters/{keyword}
  PUT /api/v1/filters/{keyword} {"phrase":"yours","context":["home"]}
  DELETE /api/v1/filters/{keyword}
  GET /api/v2/filters/{filter}
  PUT /api/v2/filters/{filter} {"title":"yours"}
  DELETE /api/v2/filters/{filter}
  GET /api/v2/filters/{filter}/keywords
  POST /api/v2/filters/{filter}/keywords {"keyword":"yours"}
  GET /api/v2/filters/{filter}/statuses
  POST /api/v2/filters/{filter}/statuses {"status_id":"{status}"}
  GET /api/v2/filters/keywords/{keyword}
  PUT /api/v2/filters/keywords/{keyword} {"keyword":"yours"}
  DELETE /api/v2/filters/keywords/{keyword}
  GET /api/v2/filters/statuses/{filterStatus}
  DELETE /api/v2/filters/statuses/{filterStatus}
  GET /api/v1/media/{media}
  PUT /api/v1/media/{media} {"description":"yours"}
  DELETE /api/v1/media/{media}
  GET /api/v1/scheduled_statuses/{scheduled}
  PUT /api/v1/scheduled_statuses/{scheduled} {"scheduled_at":"2100-01-01T00:00:00Z"}
  DELETE /api/v1/scheduled_statuses/{scheduled}
  POST /api/v1/conversations/{conversation}/read
  POST /api/v1/conversations/{conversation}/unread
  DELETE /api/v1/conversations/{conversation}
  GET /api/v1/notifications/{notification}
  DELETE /api/v1/notifications/{notification}
  POST /api/v1/notifications/{notification}/dismiss
  GET /api/v2/notifications/{group}
  GET /api/v2/notifications/{group}/accounts
  GET /api/v1/notifications/requests/{request}
  POST /api/v1/notifications/requests/{request}/accept
  POST /api/v1/notifications/requests/{request}/dismiss
  DELETE /api/v1/featured_tags/{tag}
  PUT /api/v1/statuses/{status} {"status":"yours"}
  DELETE /api/v1/statuses/{status}
  GET /api/v1/statuses/{secret}
  GET /api/v1/statuses/{secret}/context
  GET /api/v1/statuses/{secret}/history
  GET /api/v1/statuses/{secret}/source
  GET /api/v1/statuses/{secret}/quotes
  GET /api/v1/statuses/{secret}/favourited_by
  GET /api/v1/statuses/{secret}/reblogged_by
  PUT /api/v1/statuses/{secret} {"status":"yours"}
  PUT /api/v1/statuses/{secret}/interaction_policy {"quote_approval_policy":"nobody"}
  DELETE /api/v1/statuses/{secret}
  POST /api/v1/statuses/{secret}/favourite
  POST /api/v1/statuses/{secret}/unfavourite
  POST /api/v1/statuses/{secret}/bookmark
  POST /api/v1/statuses/{secret}/unbookmark
  POST /api/v1/statuses/{secret}/reblog
  POST /api/v1/statuses/{secret}/unreblog
  POST /api/v1/statuses/{secret}/mute
  POST /api/v1/statuses/{secret}/unmute
  POST /api/v1/statuses/{secret}/pin
  POST /api/v1/statuses/{secret}/unpin
  POST /api/v1/statuses/{secret}/translate
  POST /api/v1/statuses {"status":"so","in_reply_to_id":"{secret}"}
  POST /api/v1/statuses {"status":"so","quoted_status_id":"{secret}"}
  GET /api/v1/polls/{poll}
  POST /api/v1/polls/{poll}/votes {"choices":[0]}
  POST /api/v2/filters/{mine}/statuses {"status_id":"{secret}"}
`

test('private resources of another account answer 404 and stay unchanged', async () => {
  const things = await createResources()
  const eve = await server.person('nosy')
  things.mine = (await eve.post('/api/v2/filters', { title: 'eve', context: ['home'] })).id
  const resourcesOfAda = async (): Promise<string> => {
    const paths = [
      'lists',
      `lists/${things.list}/accounts`,
      'filters',
      'scheduled_statuses',
      'conversations',
      'notifications',
      'notifications/requests',
      'featured_tags',
      `media/${things.media}`,
      `statuses/${things.status}`,
      `statuses/${things.secret}`,
    ]
    const seen = await Promise.all([
      ...paths.map((path) => ada.get(`/api/v1/${path}`)),
      ada.get('/api/v2/filters'),
      ada.get(`/api/v1/collections/${things.collection}`),
    ])
    return JSON.stringify(seen)
  }
  const before = await resourcesOfAda()
  const problems: string[] = []
  for (const line of OTHERS.trim().split('\n')) {
    const [method, path, json] = line
      .trim()
      .replaceAll(/\{(\w+)\}/g, (_all, thing: string) => encodeURIComponent(things[thing] ?? assert.fail(thing)))
      .split(/ (?=[/{])/) as [string, string, string | undefined]
    const answer = await eve.send(method, path, json === undefined ? {} : { json: JSON.parse(json) })
    if (answer.status !== 404) problems.push(`${line.trim()}: ${answer.status} ${answer.text.slice(0, 100)}`)
  }
  assert.deepEqual(problems, [])
  // Bulk requests ignore the ids of other accounts.
  await eve.send('DELETE', '/api/v1/notifications/destroy_multiple', { json: { ids: [things.notification] } })
  for (const action of ['accept', 'dismiss'])
    await eve.send('POST', `/api/v1/notifications/requests/${action}`, { json: { id: [things.request] } })
  await eve.send('POST', `/api/v2/notifications/${things.group}/dismiss`)
  for (const path of ['/api/v1/notifications/clear', '/api/v2/notifications/clear']) await eve.post(path)
  // Only the owner may change public resources.
  for (const [method, path, json] of [
    ['PATCH', `/api/v1/collections/${things.collection}`, { name: 'yours' }],
    ['DELETE', `/api/v1/collections/${things.collection}`],
    ['POST', `/api/v1/collections/${things.collection}/items`, { account_id: things.bob }],
  ] as [string, string, object?][])
    assert.ok([403, 404].includes((await eve.send(method, path, { json: json ?? {} })).status), path)
  assert.equal(
    (
      await eve.send('PUT', `/api/v1/statuses/${things.status}/interaction_policy`, {
        json: { quote_approval_policy: 'nobody' },
      })
    ).status,
    403,
  )
  assert.equal(
    (await eve.send('POST', '/api/v1/statuses', { json: { status: 'x', media_ids: [things.media] } })).status,
    422,
  )
  assert.equal(await resourcesOfAda(), before)
})

test('push subscriptions, devices and encrypted messages belong to one token', async () => {
  const subscription = { endpoint: 'https://push.test/a', keys: makeDevice().keys }
  await ada.post('/api/v1/push/subscription', { subscription })
  const device = await deviceOf(ada, 2)
  const other = await server.token({ userId: ada.userId, scopes: ['push', 'crypto'] })
  const eve = await server.person('snoop')
  await deviceOf(eve)
  await eve.post('/api/v1/crypto/deliveries', {
    device: [{ account_id: ada.id, device_id: device.device.device_id, type: 0, body: 'YQ', hmac: 'YQ' }],
  })
  const [message] = await ada.get('/api/v1/crypto/encrypted_messages')
  assert.ok(message)
  for (const token of [other, eve.token]) {
    assert.equal((await server.send('GET', '/api/v1/push/subscription', { token })).status, 404)
    assert.equal(
      (await server.send('PUT', '/api/v1/push/subscription', { token, json: { data: { alerts: { mention: true } } } }))
        .status,
      404,
    )
    assert.equal((await server.send('DELETE', '/api/v1/push/subscription', { token })).status, 200)
  }
  assert.equal((await ada.get('/api/v1/push/subscription')).endpoint, 'https://push.test/a')
  for (const path of ['keys/count', 'encrypted_messages'])
    assert.equal((await server.send('GET', `/api/v1/crypto/${path}`, { token: other })).status, 404, path)
  assert.equal(
    (
      await server.send('POST', '/api/v1/crypto/encrypted_messages/clear', {
        token: other,
        json: { up_to_id: message.id },
      })
    ).status,
    404,
  )
  await eve.post('/api/v1/crypto/encrypted_messages/clear', { up_to_id: message.id })
  assert.deepEqual(await eve.get('/api/v1/crypto/encrypted_messages'), [])
  assert.equal((await eve.get('/api/v1/crypto/keys/count')).one_time_keys, 0)
  assert.deepEqual(await ada.get('/api/v1/crypto/encrypted_messages'), [message])
  assert.equal((await ada.get('/api/v1/crypto/keys/count')).one_time_keys, 2)
})

test('an account cannot see or answer the follow requests of another account', async () => {
  const [locked, eve] = await Promise.all([server.person('locked'), server.person('prying')])
  const far = await remoteAccount(server, 'far')
  await server.ctx.db.run(
    sql`insert into follow_requests (account_id, target_account_id) values (${far}, ${locked.id})`,
  )
  for (const decision of ['authorize', 'reject'])
    assert.equal((await eve.send('POST', `/api/v1/follow_requests/${far}/${decision}`)).status, 404)
  assert.deepEqual(await eve.get('/api/v1/follow_requests'), [])
  assert.equal((await locked.get('/api/v1/follow_requests')).length, 1)
})
