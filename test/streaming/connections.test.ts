// Connections: pings, heartbeats, periodic checks, shutdown, and many at once.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { fastify } from 'fastify'
import { WebSocket } from 'ws'
import { sql } from '../support/database.ts'
import { parseQuery, registerStreaming } from '../support/internals.ts'

import { stage } from '../support/stage.ts'
import { listen } from './listen.ts'

const { server, ada } = await stage({ accounts: ['ada'] })

/** Starts only the streaming server, over the same database, with short intervals. */
async function startStreaming(times: {
  ping?: number
  heartbeat?: number
  inspect?: number
}): Promise<{ url: string; stop(): Promise<void> }> {
  const app = fastify({ forceCloseConnections: true, routerOptions: { querystringParser: parseQuery } })
  const streams = registerStreaming(app as never, server.ctx, {
    ping: 60_000,
    heartbeat: 60_000,
    inspect: 60_000,
    ...times,
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  return {
    url: `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`,
    async stop() {
      streams.close()
      await app.close()
    },
  }
}

test('clients that answer pings stay connected, others are disconnected', async () => {
  // Long enough for an answer of a process that has to wait for others.
  const streaming = await startStreaming({ ping: 1000 })
  const living = await listen(streaming, { token: ada.token })
  const dead = new WebSocket(`${streaming.url.replace('http', 'ws')}/api/v1/streaming?access_token=${ada.token}`, {
    autoPong: false,
  })
  await once(dead, 'close')
  await once(living.socket, 'ping')
  assert.equal(living.socket.readyState, WebSocket.OPEN)
  await streaming.stop()
})

test('server-sent events have heartbeats', async () => {
  const streaming = await startStreaming({ heartbeat: 30 })
  const response = await fetch(`${streaming.url}/api/v1/streaming/user`, {
    headers: { authorization: `Bearer ${ada.token}` },
  })
  let text = ''
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    text += Buffer.from(chunk).toString()
    if (text.split(':thump\n').length > 2) break
  }
  assert.match(text, /^:\)\n(:thump\n)+$/)
  await streaming.stop()
})

test('tokens and feeds are checked periodically, in case a message was lost', async () => {
  const streaming = await startStreaming({ inspect: 30 })
  const token = await server.token({ userId: ada.userId, scopes: ['read'] })
  const [valid, revoked] = await Promise.all([
    listen(streaming, { token: ada.token, streams: ['user'] }),
    listen(streaming, { token, streams: ['user'] }),
  ])
  await server.ctx.db.run(sql`delete from home_feeds where account_id = ${ada.id}`)
  await server.ctx.db.run(sql`delete from oauth_tokens where scopes = '{read}'`)
  assert.equal((await revoked.closes()).code, 1008)
  for (;;) {
    const feed = await server.ctx.db.maybe(sql`select 1 from home_feeds where account_id = ${ada.id}`)
    if (feed) break
    await valid.settled()
  }
  await streaming.stop()
})

test('stopping the server closes every connection, including those of unresponsive clients', async () => {
  const streaming = await startStreaming({})
  const client = await listen(streaming, { token: ada.token, streams: ['user'] })
  const unresponsive = await listen(streaming, { token: ada.token })
  unresponsive.socket.pause()
  const events = await fetch(`${streaming.url}/api/v1/streaming/user?access_token=${ada.token}`)
  const started = performance.now()
  await streaming.stop()
  assert.ok(performance.now() - started < 10_000)
  assert.deepEqual(await client.closes(), { code: 1001, reason: 'The server is stopping' })
  assert.equal(await events.text(), ':)\n')
})

test('two hundred clients receive a post with a constant number of statements', async () => {
  const people = await server.ctx.db.many<{ id: string; user_id: string }>(sql`
    with made as (insert into accounts (id, username) select 1000 + n, 'listener' || n from generate_series(1, 200) n returning id),
      members as (insert into users (id, account_id, email, password_hash, confirmed_at) select id, id, id || '@localhost', '', now() from made returning id)
    select made.id, made.id as user_id from made`)
  await server.ctx.db.run(
    sql`insert into follows (account_id, target_account_id) select id, ${ada.id} from accounts where id between 1001 and 1100`,
  )
  const clients = await Promise.all(
    people.map(async ({ user_id }) =>
      listen(server, { token: await server.token({ userId: user_id, scopes: ['read'] }), streams: ['user', 'public'] }),
    ),
  )
  const before = server.database.statements
  const post = await ada.post('/api/v1/statuses', { status: 'Good morning, everybody' })
  const received = await Promise.all(clients.map((client) => client.event('update', 'public')))
  assert.ok(received.every((status) => status.id === post.id && status.favourited === false))
  const followers = clients.filter((_, i) => BigInt((people[i] as { id: string }).id) <= 1100n)
  for (const status of await Promise.all(followers.map((client) => client.event('update', 'user'))))
    assert.equal(status.id, post.id)
  assert.ok(
    server.database.statements - before < 60,
    'the number of statements does not grow with the number of clients',
  )
  assert.equal(
    clients.flatMap(({ frames }) => frames.filter(({ stream }) => stream?.[0] === 'user')).length,
    followers.length,
  )
  for (const client of clients) client.end()
})
