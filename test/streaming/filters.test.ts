// Filters in streams.
import assert from 'node:assert/strict'
import { test } from 'node:test'

import { stage } from '../support/stage.ts'
import { follow, post } from '../support/timelines.ts'
import { listen } from './listen.ts'

const { server, bob } = await stage({ accounts: ['bob'] })

test('every change of filters is streamed to their owner, without a payload', async () => {
  const ada = await server.person('ada')
  const client = await listen(server, { token: ada.token, streams: ['user', 'public'] })
  const other = await listen(server, { token: bob.token, streams: ['user'] })
  let changes = 0
  const changed = async (what: Promise<any>): Promise<any> => {
    const answer = await what
    const frame = await client.next(({ event }) => event === 'filters_changed')
    assert.deepEqual(frame, { stream: ['user'], event: 'filters_changed' })
    changes++
    return answer
  }
  const { id } = await changed(ada.post('/api/v2/filters', { title: 'x', context: ['home'] }))
  const keyword = await changed(ada.post(`/api/v2/filters/${id}/keywords`, { keyword: 'x' }))
  await changed(ada.put(`/api/v2/filters/keywords/${keyword.id}`, { keyword: 'y' }))
  await changed(ada.delete(`/api/v2/filters/keywords/${keyword.id}`))
  const status_id = await post(bob, 'a post')
  const entry = await changed(ada.post(`/api/v2/filters/${id}/statuses`, { status_id }))
  await changed(ada.delete(`/api/v2/filters/statuses/${entry.id}`))
  await changed(ada.put(`/api/v2/filters/${id}`, { title: 'y' }))
  await changed(ada.delete(`/api/v2/filters/${id}`))
  const v1 = await changed(ada.post('/api/v1/filters', { phrase: 'x', context: ['home'] }))
  await changed(ada.put(`/api/v1/filters/${v1.id}`, { phrase: 'y', context: ['home'] }))
  await changed(ada.delete(`/api/v1/filters/${v1.id}`))
  assert.equal((await ada.send('POST', '/api/v2/filters', { json: { title: 'x' } })).status, 422)
  await client.settled()
  assert.equal(
    client.frames.filter(({ event }) => event === 'filters_changed').length,
    changes,
    'a refused filter is not streamed',
  )
  await other.settled()
  assert.deepEqual(
    other.frames.filter(({ event }) => event === 'filters_changed'),
    [],
  )
  client.end()
  other.end()
})

test('streamed posts and notifications include the filter results of each viewer', async () => {
  const [cleo, dan] = [await server.person('cleo'), await server.person('dan')]
  for (const who of [cleo, dan]) await follow(server, who, bob)
  await cleo.post('/api/v2/filters', {
    title: 'Sports',
    context: ['public'],
    filter_action: 'hide',
    keywords_attributes: [{ keyword: 'football' }],
  })
  const [hers, his] = await Promise.all([
    listen(server, { token: cleo.token, streams: ['user', 'public'] }),
    listen(server, { token: dan.token, streams: ['user', 'public'] }),
  ])
  const id = await post(bob, 'football @cleo')
  for (const stream of ['user', 'public']) {
    const [filtered, plain] = await Promise.all([hers.event('update', stream), his.event('update', stream)])
    assert.deepEqual([filtered.id, plain.id], [id, id])
    assert.deepEqual(filtered.filtered[0].keyword_matches, ['football'])
    assert.equal(filtered.filtered[0].filter.title, 'Sports')
    assert.deepEqual(plain.filtered, [])
  }
  const notification = await hers.event('notification', 'user')
  assert.equal(notification.status.filtered.length, 1)
  await bob.put(`/api/v1/statuses/${id}`, { status: 'chess' })
  assert.deepEqual((await hers.event('status.update', 'user')).filtered, [])
  hers.end()
  his.end()
})

test('a changed filter applies to the next streamed post', async () => {
  const eve = await server.person('eve')
  await follow(server, eve, bob)
  const client = await listen(server, { token: eve.token, streams: ['user'] })
  const filtersOfNext = async (): Promise<number> => {
    await post(bob, 'football')
    return (await client.event('update')).filtered.length
  }
  assert.equal(await filtersOfNext(), 0)
  const { id } = await eve.post('/api/v1/filters', { phrase: 'football', context: ['home'] })
  assert.equal(await filtersOfNext(), 1)
  await eve.put(`/api/v1/filters/${id}`, { phrase: 'football', context: ['home'], expires_in: 0 })
  assert.equal(await filtersOfNext(), 0)
})

test('irreversible filters hide posts from home, lists and notifications, not from public streams', async () => {
  const fay = await server.person('fay')
  await follow(server, fay, bob)
  const list = await fay.post('/api/v1/lists', { title: 'People' })
  await fay.post(`/api/v1/lists/${list.id}/accounts`, { account_ids: [bob.id] })
  const context = ['home', 'notifications']
  await fay.post('/api/v1/filters', { phrase: 'football', context, irreversible: true })
  const client = await listen(server, {
    token: fay.token,
    streams: ['user', 'public', { stream: 'list', list: list.id }, 'user:notification'],
  })
  const hidden = await post(bob, 'football @fay')
  const shown = await post(bob, 'chess @fay')
  await client.next(({ event, stream }) => event === 'notification' && stream?.[0] === 'user')
  for (const stream of ['user', `list:${list.id}`]) assert.equal((await client.event('update', stream)).id, shown)
  assert.equal((await client.event('update', 'public')).id, hidden)
  await client.settled()
  const notified = client.frames.filter(({ event }) => event === 'notification')
  assert.deepEqual(
    notified.map(({ payload }) => JSON.parse(payload as string).status.id),
    [shown, shown],
  )
  client.end()
})
