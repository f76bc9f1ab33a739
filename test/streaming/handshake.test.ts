import { revokeTokens, revokeTokensOf } from '../support/acts.ts'
import { sql } from '../support/database.ts'
import { findCaller } from '../support/internals.ts'
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { test } from 'node:test'
import { WebSocket } from 'ws'

import { stage } from '../support/stage.ts'
import { listen, refused } from './listen.ts'

const { server, ada } = await stage({ accounts: ['ada'] })

const invalid = { error: 'The access token is invalid' }

test('the token may be in the header, the query or the subprotocol, which is echoed', async () => {
  const ways = await Promise.all([
    listen(server, { token: ada.token }),
    listen(server, { query: `/?access_token=${ada.token}` }),
    listen(server, { protocols: [ada.token] }),
    listen(server, { query: '/?stream=user', protocols: [ada.token] }),
  ])
  assert.deepEqual(
    ways.map(({ socket }) => socket.protocol),
    ['', '', ada.token, ada.token],
  )
  for (const way of ways) way.end()
})

test('a missing, invalid or application token is refused with 401 at the handshake', async () => {
  assert.deepEqual(await refused(server, '/api/v1/streaming'), { status: 401, json: invalid })
  assert.deepEqual(await refused(server, '/api/v1/streaming?access_token=nope'), { status: 401, json: invalid })
  assert.deepEqual(await refused(server, '/api/v1/streaming', { headers: { authorization: 'Bearer nope' } }), {
    status: 401,
    json: invalid,
  })
  assert.deepEqual(await refused(server, '/api/v1/streaming', { protocols: ['nope'] }), { status: 401, json: invalid })
  const app = await refused(server, `/api/v1/streaming?access_token=${await server.token({ scopes: ['read'] })}`)
  assert.deepEqual([app.status, app.json.error], [401, 'This method requires an authenticated user'])
})

test('unconfirmed users and paths without a stream are refused at the handshake', async () => {
  const newcomer = await server.person('newcomer', { confirmed: false })
  assert.deepEqual(await refused(server, `/api/v1/streaming?access_token=${newcomer.token}`), {
    status: 403,
    json: { error: 'Your login is missing a confirmed e-mail address' },
  })
  assert.equal((await refused(server, `/api/v1/statuses?access_token=${ada.token}`)).status, 404)
})

test('the first stream may be in the query or the path', async () => {
  for (const query of ['?stream=user', '/?stream=user', '/user', '/user/?foo=bar']) {
    const client = await listen(server, { token: ada.token, query })
    await client.settled()
    server.ctx.publish({ type: 'filters.changed', accountId: ada.id })
    assert.deepEqual((await client.next(({ event }) => event === 'filters_changed')).stream, ['user'])
    client.end()
  }
})

test('plain requests and upgrades to other protocols are answered as plain HTTP', async () => {
  assert.equal((await ada.send('GET', '/api/v1/streaming')).status, 404)
  const offer = request(`${server.url}/api/v1/streaming/health`, {
    headers: { upgrade: 'h2c', connection: 'Upgrade' },
  }).end()
  const [answer] = (await once(offer, 'response')) as [IncomingMessage]
  assert.deepEqual([answer.statusCode, String(await answer.toArray())], [200, 'OK'])
})

test('unknown streams, missing tags and missing scopes are answered with an error frame; the socket stays open', async () => {
  const narrow = await server.token({ userId: ada.userId, scopes: ['write'] })
  const client = await listen(server, { token: narrow, query: '?stream=nonsense' })
  const error = async (): Promise<unknown> => client.next(({ error }) => error !== undefined)
  assert.deepEqual(await error(), { error: 'Unknown stream type', status: 400 })
  client.tell({ type: 'subscribe', stream: 'hashtag' })
  assert.deepEqual(await error(), { error: 'Missing tag name parameter', status: 400 })
  client.tell({ type: 'subscribe', stream: 'user' })
  assert.deepEqual(await error(), { error: 'Access token does not have the required scopes', status: 401 })
  for (const command of [{ stream: 'list', list: '1' }, { stream: 'direct' }]) {
    client.tell({ type: 'subscribe', ...command })
    assert.deepEqual(await error(), { error: 'Access token does not have the required scopes', status: 401 })
  }
  client.tell({ type: 'subscribe' })
  assert.deepEqual(await error(), { error: 'Unknown stream type', status: 400 })
  client.socket.send('not json')
  assert.deepEqual(await error(), { error: 'The message is not a JSON object', status: 400 })
  client.tell({ type: 'hello' })
  client.tell({ type: 'unsubscribe', stream: 'public' })
  client.tell({ type: 'subscribe', stream: 'public' })
  await client.settled()
  assert.equal(client.socket.readyState, WebSocket.OPEN)
  client.end()
})

test('a client with too many subscriptions is refused more', async () => {
  const client = await listen(server, { token: ada.token })
  for (let i = 0; i < 201; i++) client.tell({ type: 'subscribe', stream: 'hashtag', tag: `tag${i}` })
  assert.deepEqual(await client.next(({ error }) => error !== undefined), {
    error: 'Too many subscriptions',
    status: 429,
  })
  client.end()
})

test('a binary frame or a frame that is too large closes the connection', async () => {
  const binary = await listen(server, { token: ada.token })
  binary.socket.send(Buffer.from('{"type":"subscribe","stream":"user"}'))
  assert.equal((await binary.closes()).code, 1003)
  const large = await listen(server, { token: ada.token })
  large.tell({ type: 'subscribe', stream: 'x'.repeat(20_000) })
  assert.equal((await large.closes()).code, 1009)
})

test('a revoked token closes its connections and no others', async () => {
  const other = await server.token({ userId: ada.userId, scopes: ['read', 'write'] })
  const [mine, theirs] = await Promise.all([
    listen(server, { token: ada.token, streams: ['user'] }),
    listen(server, { token: other, streams: ['user'] }),
  ])
  const caller = await findCaller(server.ctx, other)
  await revokeTokens(server.ctx, [caller?.token.id as string])
  assert.deepEqual(await theirs.closes(), { code: 1008, reason: 'The access token was revoked' })
  assert.equal((await refused(server, `/api/v1/streaming?access_token=${other}`)).status, 401)
  await mine.settled()
  mine.end()
})

test('revoking the tokens of a user or disabling the user closes the connections', async () => {
  const bob = await server.person('bob')
  const first = await listen(server, { token: bob.token, streams: ['user'] })
  await revokeTokensOf(server.ctx, bob.userId)
  assert.equal((await first.closes()).code, 1008)

  const eve = await server.person('eve')
  const events = await fetch(`${server.url}/api/v1/streaming/public?access_token=${eve.token}`)
  const second = await listen(server, { token: eve.token, streams: ['user'] })
  server.ctx.publish({ type: 'user.changed', userId: eve.userId })
  await second.settled()
  await server.ctx.db.run(sql`update users set disabled = true where id = ${eve.userId}`)
  server.ctx.publish({ type: 'user.changed', userId: eve.userId })
  assert.equal((await second.closes()).code, 1008)
  // A heartbeat may fall into this time.
  assert.match(await events.text(), /^:\)\n(:thump\n)*$/)
  assert.equal((await refused(server, `/api/v1/streaming?access_token=${eve.token}`)).status, 403)
})
