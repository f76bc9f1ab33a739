// Public streams and hashtags.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { publishStatus, reblog, saveSettings } from '../support/acts.ts'
import { sql } from '../support/database.ts'
import { pngOf } from '../support/images.ts'
import { createUser } from '../support/internals.ts'
import { type Person } from '../support/server.ts'
import { stage } from '../support/stage.ts'
import { listen, type Frame, type Listening } from './listen.ts'

const { server, ada, bob } = await stage({ accounts: ['ada', 'bob'] })
await bob.post(`/api/v1/accounts/${ada.id}/follow`)
await bob.get('/api/v1/timelines/home')

const post = (who: Person, status: string, more: object = {}): Promise<any> =>
  who.post('/api/v1/statuses', { status, ...more })

/** All frames that the client received so far: waits for the post that `mark` creates, which comes last. */
async function framesUntil(client: Listening, stream: string, mark: () => Promise<{ id: string }>): Promise<Frame[]> {
  const { id } = await mark()
  await client.next(
    ({ event, payload, stream: at }) =>
      event === 'update' && at?.join(':') === stream && JSON.parse(payload as string).id === id,
  )
  return client.frames.filter(({ payload }) => !payload?.includes(`"id":"${id}"`))
}

test('blocked, blocking and muted accounts and blocked domains are left out of public streams', async () => {
  const [reader, blocked, blocking, muted] = (await Promise.all(
    ['reader', 'blocked', 'blocking', 'muted'].map((name) => server.person(name)),
  )) as [Person, Person, Person, Person]
  const { accountId: far } = await createUser(server.ctx, {
    username: 'far',
    email: 'far@localhost',
    password: 'correct horse battery',
  })
  await server.ctx.db.run(
    sql`update accounts set domain = 'far.test', uri = 'https://far.test/far', url = 'https://far.test/@far' where id = ${far}`,
  )
  await reader.post(`/api/v1/accounts/${blocked.id}/block`)
  await blocking.post(`/api/v1/accounts/${reader.id}/block`)
  await reader.post(`/api/v1/accounts/${muted.id}/mute`)
  const client = await listen(server, { token: reader.token, streams: ['public', { stream: 'hashtag', tag: 'birds' }] })
  const remote = (content: string): Promise<unknown> =>
    publishStatus(server.ctx, {
      accountId: far,
      local: false,
      uri: `https://far.test/${content}`,
      url: null,
      content,
      visibility: 'public',
    })
  await remote('before')
  assert.equal((await client.event('update', 'public')).content, 'before')
  await server.ctx.db.run(sql`insert into account_domain_blocks (account_id, domain) values (${reader.id}, 'far.test')`)
  for (const person of [blocked, blocking, muted]) await post(person, 'look at the #birds')
  await remote('after')
  const frames = await framesUntil(client, 'public', () => post(ada, 'the end'))
  assert.equal(frames.filter(({ event }) => event === 'update').length, 1)
  client.end()
})

test('public streams have the languages that the viewer chose, hashtags all of them', async () => {
  const reader = await server.person('polyglot')
  await server.ctx.db.run(
    sql`update users set settings = settings || '{"chosen_languages": ["de"]}' where id = ${reader.userId}`,
  )
  const client = await listen(server, { token: reader.token, streams: ['public', { stream: 'hashtag', tag: 'birds' }] })
  await post(ada, 'English #birds', { language: 'en' })
  const german = await post(ada, 'Deutsche #birds', { language: 'de' })
  assert.equal((await client.event('update', 'public')).id, german.id)
  assert.match((await client.event('update', 'hashtag:birds')).content, /English/)
  client.end()
})

test('public streams have local, remote or media posts, without replies, boosts and silenced accounts', async () => {
  const { accountId: far } = await createUser(server.ctx, {
    username: 'farther',
    email: 'farther@localhost',
    password: 'correct horse battery',
  })
  await server.ctx.db.run(
    sql`update accounts set domain = 'far.test', uri = 'https://far.test/farther' where id = ${far}`,
  )
  const limited = await server.person('limited')
  await server.ctx.db.run(sql`update accounts set silenced_at = now() where id = ${limited.id}`)
  const streams = [
    'public',
    'public:media',
    'public:local',
    'public:local:media',
    'public:remote',
    'public:remote:media',
  ]
  const client = await listen(server, { token: bob.token, streams })
  const form = new FormData()
  form.append('file', new Blob([await pngOf(8, 8, 'red')]))
  const medium = (await ada.send('POST', '/api/v2/media', { form })).json
  const image = await post(ada, 'a picture', { media_ids: [medium.id] })
  const plain = await post(ada, 'no picture')
  await post(ada, 'a reply', { in_reply_to_id: plain.id })
  await post(ada, 'unlisted', { visibility: 'unlisted' })
  await post(limited, 'limited')
  const remote = await publishStatus(server.ctx, {
    accountId: far,
    local: false,
    uri: 'https://far.test/remote',
    url: null,
    content: 'remote',
    visibility: 'public',
  })
  await reblog(server.ctx, { accountId: far, statusId: plain.id, uri: 'https://far.test/boost' })
  await ada.delete(`/api/v1/statuses/${image.id}`)
  const frames = await framesUntil(client, 'public', () => post(ada, 'the end'))
  const on = (stream: string): string[] =>
    frames
      .filter((frame) => frame.stream?.[0] === stream)
      .map(({ event, payload }) => `${event} ${event === 'delete' ? payload : JSON.parse(payload as string).id}`)
  const [withImage, without, fromAfar, gone] = [
    `update ${image.id}`,
    `update ${plain.id}`,
    `update ${remote.id}`,
    `delete ${image.id}`,
  ]
  assert.deepEqual(Object.fromEntries(streams.map((stream) => [stream, on(stream)])), {
    public: [withImage, without, fromAfar, gone],
    'public:media': [withImage, gone],
    'public:local': [withImage, without, gone],
    'public:local:media': [withImage, gone],
    'public:remote': [fromAfar],
    'public:remote:media': [],
  })
  client.end()
})

test('hashtags are named as subscribed and include replies; each subscription needs its own unsubscription', async () => {
  const client = await listen(server, {
    token: bob.token,
    streams: [
      { stream: 'hashtag', tag: 'CatS' },
      { stream: 'hashtag', tag: 'CatS' },
      { stream: 'hashtag:local', tag: 'cats' },
      'public',
    ],
  })
  const first = await post(ada, 'Some #cats')
  assert.equal((await client.event('update', 'hashtag:CatS')).id, first.id)
  assert.equal((await client.event('update', 'hashtag:local:cats')).id, first.id)
  await post(ada, 'More #Cats', { in_reply_to_id: first.id })
  assert.match((await client.event('update', 'hashtag:CatS')).content, /More/)
  client.tell({ type: 'unsubscribe', stream: 'hashtag', tag: 'CatS' })
  client.tell({ type: 'unsubscribe', stream: 'hashtag:local', tag: 'CATS' })
  await client.settled()
  await post(ada, 'Third of the #cats')
  assert.match((await client.event('update', 'hashtag:CatS')).content, /Third/)
  client.tell({ type: 'unsubscribe', stream: 'hashtag', tag: 'CatS' })
  await client.settled()
  await post(ada, 'Fourth of the #cats')
  const frames = await framesUntil(client, 'public', () => post(ada, 'the end'))
  assert.deepEqual(
    frames.filter(({ stream, payload }) => stream?.[0]?.startsWith('hashtag') && payload?.includes('Fourth')),
    [],
  )
  assert.equal(frames.filter(({ stream }) => stream?.[0] === 'hashtag:local').length, 2)
  client.end()
})

test('feeds closed by administrators are streamed only to roles with access', async () => {
  const owner = await server.person('owner', { role: 'owner' })
  const [client, privileged] = (await Promise.all(
    [bob, owner].map(({ token }) =>
      listen(server, { token, streams: ['public', { stream: 'hashtag', tag: 'news' }, 'user'] }),
    ),
  )) as [Listening, Listening]
  await saveSettings(server.ctx, { local_live_feed_access: 'disabled', local_topic_feed_access: 'disabled' })
  const status = await post(ada, 'all the #news')
  assert.equal((await privileged.event('update', 'public')).id, status.id)
  assert.equal((await privileged.event('update', 'hashtag:news')).id, status.id)
  const frames = await framesUntil(client, 'user', () => post(ada, 'the end'))
  assert.deepEqual(
    frames.flatMap(({ stream }) => stream ?? []),
    ['user'],
  )
  await saveSettings(server.ctx, { local_live_feed_access: 'authenticated', local_topic_feed_access: 'authenticated' })
  const narrow = await server.token({ userId: owner.userId, scopes: ['profile', 'read:notifications'] })
  const unscoped = await listen(server, { token: narrow, streams: ['public', { stream: 'hashtag', tag: 'news' }] })
  const next = await post(ada, 'open again #news')
  assert.equal((await client.event('update', 'public')).id, next.id)
  await saveSettings(server.ctx, { local_live_feed_access: 'public', local_topic_feed_access: 'public' })
  const last = await post(ada, 'everyone may read the #news')
  assert.equal((await unscoped.event('update', 'public')).id, last.id, 'only with read:statuses unless everyone may')
  assert.equal((await unscoped.event('update', 'hashtag:news')).id, last.id)
  for (const stream of [client, privileged, unscoped]) stream.end()
})
