// The events of streams and their audience.
import { sql } from '../support/database.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createStreamingAPIClient } from 'masto'
import { type Person } from '../support/server.ts'
import { stage } from '../support/stage.ts'
import { listen, type Frame, type Listening } from './listen.ts'

const { server, ada, bob } = await stage({ accounts: ['ada', 'bob'] })
await bob.post(`/api/v1/accounts/${ada.id}/follow`)

const post = (who: Person, status: string, more: object = {}): Promise<any> =>
  who.post('/api/v1/statuses', { status, ...more })

/** All frames that the client received so far: waits for the post that `mark` creates, which comes last. */
async function framesUntil(client: Listening, mark: () => Promise<{ id: string }>): Promise<Frame[]> {
  const { id } = await mark()
  await client.next(
    ({ event, payload, stream }) =>
      event === 'update' && stream?.join(':') === 'user' && JSON.parse(payload as string).id === id,
  )
  return client.frames.filter(({ payload }) => !payload?.includes(`"id":"${id}"`))
}

test('the masto client receives posts, edits and deletions', async () => {
  const streaming = createStreamingAPIClient({
    streamingApiUrl: server.url.replace('http', 'ws'),
    accessToken: bob.token,
  })
  const subscription = streaming.user.subscribe()
  const events = subscription.values()[Symbol.asyncIterator]()
  const first = events.next()
  await until(() => post(ada, 'Are you there?'), first)
  const status = await post(ada, 'Hello')
  const seen: unknown[] = []
  const next = async (): Promise<any> => (await events.next()).value
  for (let event = await next(); ; event = await next()) {
    if (event.event !== 'update' || event.payload.id !== status.id) continue
    seen.push([event.stream, event.event, event.payload.content])
    break
  }
  await ada.put(`/api/v1/statuses/${status.id}`, { status: 'Hello again' })
  const edited = await next()
  assert.deepEqual(
    [edited.event, edited.payload.content, edited.payload.editedAt !== null],
    ['status.update', '<p>Hello again</p>', true],
  )
  await ada.delete(`/api/v1/statuses/${status.id}`)
  assert.deepEqual(await next(), { stream: ['user'], event: 'delete', payload: status.id })
  assert.deepEqual(seen, [[['user'], 'update', '<p>Hello</p>']])
  subscription.unsubscribe()
  streaming.close()
})

/** Repeats `act` until `done` is resolved. */
async function until(act: () => Promise<unknown>, done: Promise<unknown>): Promise<void> {
  let isDone = false
  void done.then(() => (isDone = true))
  while (!isDone) await act()
}

test('a post is streamed to its author and followers; private and direct posts only to their audience', async () => {
  const eve = await server.person('eve')
  const [forAda, forBob, forEve] = await Promise.all(
    [ada, bob, eve].map(({ token }) => listen(server, { token, streams: ['user', 'public'] })),
  )
  const open = await post(ada, 'open')
  const closed = await post(ada, 'followers only', { visibility: 'private' })
  const whispered = await post(ada, 'only me', { visibility: 'direct' })
  const ids = (client: Listening | undefined, stream: string): string[] =>
    (client as Listening).frames
      .filter((frame) => frame.event === 'update' && frame.stream?.[0] === stream)
      .map(({ payload }) => JSON.parse(payload as string).id as string)
  const last = await post(eve, 'the end')
  for (const client of [forAda, forBob, forEve])
    await (client as Listening).next(
      ({ payload, stream }) => stream?.[0] === 'public' && payload?.includes(`"id":"${last.id}"`) === true,
    )
  assert.deepEqual(ids(forAda, 'user'), [open.id, closed.id, whispered.id])
  assert.deepEqual(ids(forBob, 'user'), [open.id, closed.id])
  assert.deepEqual(ids(forEve, 'user'), [last.id])
  for (const client of [forAda, forBob, forEve]) {
    assert.deepEqual(ids(client, 'public'), [open.id, last.id])
    client?.end()
  }
})

test('events include the flags of the viewer and the original post of a boost', async () => {
  const client = await listen(server, { token: bob.token, streams: ['user', 'public:local'] })
  const eve = await server.person('evelyn')
  const original = await post(eve, 'worth repeating')
  await client.event('update', 'public:local')
  await bob.post(`/api/v1/statuses/${original.id}/favourite`)
  const boost = await ada.post(`/api/v1/statuses/${original.id}/reblog`)
  const update = await client.event('update', 'user')
  assert.deepEqual(
    [update.id, update.reblog.id, update.reblog.favourited, update.favourited],
    [boost.id, original.id, true, true],
  )
  await eve.put(`/api/v1/statuses/${original.id}`, { status: 'worth editing' })
  const [home, everywhere] = await Promise.all([
    client.event('status.update', 'user'),
    client.event('status.update', 'public:local'),
  ])
  assert.deepEqual([home.id, home.favourited, everywhere.content], [original.id, true, '<p>worth editing</p>'])
  await eve.delete(`/api/v1/statuses/${original.id}`)
  const gone = await client.next(({ event, stream }) => event === 'delete' && stream?.[0] === 'user')
  assert.equal(gone.payload, boost.id)
  assert.equal(
    (await client.next(({ event, stream }) => event === 'delete' && stream?.[0] === 'public:local')).payload,
    original.id,
  )
  client.end()
})

test('notifications are streamed on user and user:notification, with the right scope only', async () => {
  const narrow = await server.token({ userId: ada.userId, scopes: ['read:statuses'] })
  const [wide, only] = await Promise.all([
    listen(server, { token: ada.token, streams: ['user', 'user:notification'] }),
    listen(server, { token: narrow, streams: ['user'] }),
  ])
  const status = await post(ada, 'like me')
  await bob.post(`/api/v1/statuses/${status.id}/favourite`)
  const [one, other] = [await wide.event('notification', 'user'), await wide.event('notification', 'user:notification')]
  assert.deepEqual(
    [one.type, one.account.id, one.status.id, one.status.favourites_count],
    ['favourite', bob.id, status.id, 1],
  )
  assert.deepEqual(other, one)
  const frames = await framesUntil(only, () => post(ada, 'mark'))
  assert.deepEqual(
    frames.filter(({ event }) => event === 'notification'),
    [],
  )
  only.tell({ type: 'subscribe', stream: 'user:notification' })
  assert.equal((await only.next(({ error }) => error !== undefined)).status, 401)
  wide.end()
  only.end()
})

test('unsubscribing from an unknown stream or a deleted list is not an error', async () => {
  const list = await ada.post('/api/v1/lists', { title: 'Short-lived' })
  const client = await listen(server, { token: ada.token, streams: [{ stream: 'list', list: list.id }] })
  await ada.delete(`/api/v1/lists/${list.id}`)
  for (const stream of [{ stream: 'list', list: list.id }, { stream: 'list', list: '1' }, { stream: 'direct' }])
    client.tell({ type: 'unsubscribe', ...stream })
  client.tell({ type: 'subscribe', stream: 'nonsense' })
  assert.deepEqual(await client.next(({ error }) => error !== undefined), { error: 'Unknown stream type', status: 400 })
  client.end()
})

test('followers served by a job receive the post once, and the others not again', async () => {
  const late = await server.person('late')
  const [client, latecomer] = (await Promise.all(
    [bob, late].map(({ token }) => listen(server, { token, streams: ['user', 'public'] })),
  )) as [Listening, Listening]
  const status = await post(ada, 'for thousands')
  await client.event('update', 'user')
  await server.ctx.db.run(sql`insert into follows (account_id, target_account_id) values (${late.id}, ${ada.id})`)
  await server.ctx.enqueue('fanout.home', { statusId: status.id })
  assert.equal((await latecomer.event('update', 'user')).id, status.id)
  const [one, other] = [await framesUntil(client, () => post(ada, 'the end')), latecomer.frames]
  const times = (frames: Frame[], stream: string): number =>
    frames.filter((frame) => frame.stream?.[0] === stream && frame.payload?.includes(`"id":"${status.id}"`)).length
  assert.deepEqual(
    [times(one, 'user'), times(one, 'public'), times(other, 'user'), times(other, 'public')],
    [1, 1, 1, 1],
  )
  client.end()
  latecomer.end()
})

test('a mentioned account receives the deletion of the post', async () => {
  const guest = await server.person('guest')
  const client = await listen(server, { token: guest.token, streams: ['user'] })
  const status = await post(ada, '@guest come in', { visibility: 'direct' })
  assert.equal((await client.event('notification')).status.id, status.id)
  await ada.delete(`/api/v1/statuses/${status.id}`)
  assert.equal((await client.next(({ event }) => event === 'delete')).payload, status.id)
  client.end()
})

test('an account to which a post was streamed receives its deletion also after it has unfollowed the author', async () => {
  const reader = await server.person('reader')
  await reader.post(`/api/v1/accounts/${ada.id}/follow`)
  await reader.get('/api/v1/timelines/home')
  const client = await listen(server, { token: reader.token, streams: ['user'] })
  const status = await post(ada, 'for now')
  assert.equal((await client.event('update')).id, status.id)
  await reader.post(`/api/v1/accounts/${ada.id}/unfollow`)
  await ada.delete(`/api/v1/statuses/${status.id}`)
  assert.equal((await client.next(({ event }) => event === 'delete')).payload, status.id)
  client.end()
})

test('an own boost of a muted account is neither at home nor streamed', async () => {
  const muter = await server.person('muter')
  await muter.post(`/api/v1/accounts/${ada.id}/mute`)
  const client = await listen(server, { token: muter.token, streams: ['user'] })
  const status = await post(ada, 'boosted in spite of that')
  const boosted = await muter.post(`/api/v1/statuses/${status.id}/reblog`)
  const frames = await framesUntil(client, () => post(muter, 'the end'))
  assert.ok(!frames.some(({ event }) => event === 'update'))
  assert.ok(!(await muter.get('/api/v1/timelines/home')).some(({ id }: any) => id === boosted.id))
  client.end()
})

test('a change of filters is an event without a payload', async () => {
  const client = await listen(server, { token: bob.token, streams: ['user'] })
  server.ctx.publish({ type: 'filters.changed', accountId: bob.id })
  const frame = await client.next(({ event }) => event === 'filters_changed')
  assert.deepEqual(frame, { stream: ['user'], event: 'filters_changed' })
  client.end()
})

test('the deletion of a short-lived post comes after the post, if that is sent at all', async () => {
  const client = await listen(server, { token: bob.token, streams: ['user'] })
  const statuses = await Promise.all(Array.from({ length: 10 }, (_, i) => post(ada, `short-lived ${i}`)))
  await Promise.all(statuses.map(({ id }) => ada.delete(`/api/v1/statuses/${id}`)))
  const frames = await framesUntil(client, () => post(ada, 'the end'))
  for (const { id } of statuses) {
    const events = frames
      .filter(({ event, payload }) => (event === 'delete' ? payload === id : payload?.includes(`"id":"${id}"`)))
      .map(({ event }) => event)
    assert.equal(events.at(-1), 'delete')
    assert.ok(events.length <= 2)
  }
  client.end()
})

test('an account that an edit stops mentioning receives the new text or the deletion', async () => {
  const cleo = await server.person('cleo')
  const client = await listen(server, { token: cleo.token, streams: ['user'] })
  const open = await post(ada, '@cleo hello')
  await ada.put(`/api/v1/statuses/${open.id}`, { status: 'hello nobody' })
  const shown = await client.event('status.update', 'user')
  assert.deepEqual([shown.id, shown.content, shown.mentions], [open.id, '<p>hello nobody</p>', []])
  const direct = await post(ada, '@cleo between us', { visibility: 'direct' })
  await ada.put(`/api/v1/statuses/${direct.id}`, { status: 'to myself' })
  await client.next(({ event, payload }) => event === 'delete' && payload === direct.id)
  assert.ok(!client.frames.some(({ payload }) => payload?.includes('to myself')))
  client.end()
})
