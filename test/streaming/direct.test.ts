// The stream of direct posts.
import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { type Person } from '../support/server.ts'
import { stage } from '../support/stage.ts'
import { post } from '../support/timelines.ts'
import { listen, refused, type Listening } from './listen.ts'

let ada: Person
let bob: Person
let round = 0
const { server } = await stage()
beforeEach(async () => {
  round++
  ;[ada, bob] = await Promise.all([server.person(`ada${round}`), server.person(`bob${round}`)])
})

const direct = (from: Person, to: Person, more: object = {}): Promise<string> =>
  post(from, `@${to.username} psst`, { visibility: 'direct', ...more })
const listenTo = (who: Person, streams = ['direct']): Promise<Listening> =>
  listen(server, { token: who.token, streams })

test('author and recipient receive a conversation event for a direct post, each with their own view', async () => {
  const [hers, his] = await Promise.all([listenTo(ada), listenTo(bob)])
  const id = await direct(ada, bob)
  const [mine, theirs] = await Promise.all([hers.event('conversation', 'direct'), his.event('conversation', 'direct')])
  assert.deepEqual([mine.last_status.id, mine.unread, mine.accounts[0].id], [id, false, bob.id])
  assert.deepEqual([theirs.last_status.id, theirs.unread, theirs.accounts[0].id], [id, true, ada.id])
  assert.deepEqual(theirs, (await bob.get('/api/v1/conversations'))[0])
  const answer = await direct(bob, ada, { in_reply_to_id: id })
  const next = await hers.event('conversation')
  assert.deepEqual([next.id, next.last_status.id, next.unread], [mine.id, answer, true])
  hers.end()
  his.end()
})

test('other accounts and other streams receive no conversation events, nor do public posts cause them', async () => {
  const cleo = await server.person(`cleo${round}`)
  const [hers, other] = await Promise.all([listenTo(bob, ['direct', 'user', 'public']), listenTo(cleo)])
  await post(ada, `@${bob.username} for all`)
  const id = await direct(ada, bob)
  assert.equal((await hers.event('conversation', 'direct')).last_status.id, id)
  await Promise.all([hers.settled(), other.settled()])
  assert.deepEqual(
    hers.frames.filter(({ event }) => event === 'conversation').map(({ stream }) => stream),
    [['direct']],
  )
  assert.deepEqual(
    other.frames.filter(({ event }) => event !== undefined),
    [],
  )
  hers.end()
  other.end()
})

test('reading a conversation and deleting its last post are streamed; removing a conversation is not', async () => {
  const first = await direct(ada, bob)
  const second = await direct(ada, bob, { in_reply_to_id: first })
  const [{ id }] = await bob.get('/api/v1/conversations')
  const client = await listenTo(bob)
  await bob.post(`/api/v1/conversations/${id}/read`)
  assert.equal((await client.event('conversation')).unread, false)
  await ada.delete(`/api/v1/statuses/${second}`)
  assert.equal((await client.event('conversation')).last_status.id, first)
  await bob.post(`/api/v1/conversations/${id}/read`)
  await ada.delete(`/api/v1/statuses/${first}`)
  const last = await direct(ada, bob)
  assert.equal((await client.event('conversation')).last_status.id, last)
  assert.equal(client.frames.filter(({ event }) => event === 'conversation').length, 3)
  client.end()
})

test('direct posts of blocked accounts are not streamed', async () => {
  await bob.post(`/api/v1/accounts/${ada.id}/block`)
  const client = await listenTo(bob)
  await direct(ada, bob)
  const note = await post(bob, 'a note', { visibility: 'direct' })
  assert.equal((await client.event('conversation')).last_status.id, note)
  client.end()
})

test('conversations are streamed as server-sent events, with the right scope only', async () => {
  const end = new AbortController()
  const response = await fetch(`${server.url}/api/v1/streaming/direct`, {
    headers: { authorization: `Bearer ${bob.token}` },
    signal: end.signal,
  })
  assert.equal(response.headers.get('content-type'), 'text/event-stream')
  const id = await direct(ada, bob)
  // Comments come before it.
  const first = /event: (\w+)\ndata: (.+)\n\n/
  let text = ''
  for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
    text += Buffer.from(chunk).toString()
    if (first.test(text)) break
  }
  end.abort()
  const [, event, payload] = first.exec(text) ?? []
  assert.equal(event, 'conversation')
  assert.equal(JSON.parse(payload as string).last_status.id, id)
  const token = await server.token({ userId: bob.userId, scopes: ['read:notifications'] })
  assert.equal((await server.send('GET', '/api/v1/streaming/direct', { token })).status, 401)
  assert.equal((await server.send('GET', '/api/v1/streaming/direct')).status, 401)
  assert.equal((await refused(server, '/api/v1/streaming?stream=direct')).status, 401)
})
