// Streaming with two servers over one database.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'
import { issueToken } from '../support/internals.ts'
import { logLines } from '../support/log-lines.ts'
import { startTestServer, type Person, type TestServer } from '../support/server.ts'
import { listen } from './listen.ts'

let one: TestServer
let other: TestServer
let ada: Person
before(async () => {
  one = await startTestServer()
  const { databaseUrl, localDomain } = one.ctx.config
  other = await startTestServer({ DATABASE_URL: databaseUrl ?? '', LOCAL_DOMAIN: localDomain, LOG_LEVEL: 'warn' })
  ada = await one.person('ada')
})
after(async () => {
  await other.stop()
  await one.stop()
})

test('posts, edits, deletions and notifications reach clients of the other server', async () => {
  const bob = await one.person('bob')
  const client = await listen(other, { token: ada.token, streams: ['user', 'public'] })
  const status = await ada.post('/api/v1/statuses', { status: 'Hello' })
  assert.equal((await client.event('update', 'user')).id, status.id)
  assert.equal((await client.event('update', 'public')).id, status.id)
  await ada.put(`/api/v1/statuses/${status.id}`, { status: 'Hello again' })
  assert.equal((await client.event('status.update', 'user')).content, '<p>Hello again</p>')
  await bob.post(`/api/v1/statuses/${status.id}/favourite`)
  assert.equal((await client.event('notification')).account.id, bob.id)
  await ada.delete(`/api/v1/statuses/${status.id}`)
  assert.equal((await client.next(({ event }) => event === 'delete')).payload, status.id)
  client.end()
})

test('a server whose connection was lost learns what others published meanwhile, once', async () => {
  const client = await listen(other, { token: ada.token, streams: ['user'] })
  // Of the server that started last.
  const listening = sql`
    select pid from pg_stat_activity where datname = current_database() and query ~ '^(listen rookery|select pg_notify.*payload)'
    order by backend_start desc limit 1`
  const { pid } = await one.ctx.db.one<{ pid: number }>(listening)
  await one.ctx.db.run(sql`select pg_terminate_backend(${pid}::int)`)
  await eventually(async () => !(await one.ctx.db.maybe(sql`select from pg_stat_activity where pid = ${pid}::int`)))
  const { id } = await ada.post('/api/v1/statuses', { status: 'Is anyone there?' })
  assert.equal((await client.event('update', 'user')).id, id)
  await eventually(async () => (await one.ctx.db.one<{ pid: number }>(listening)).pid !== pid)
  const { id: next } = await ada.post('/api/v1/statuses', { status: 'Yes' })
  await client.next(({ event, payload }) => event === 'update' && JSON.parse(payload ?? '{}').id === next)
  const updates = client.frames
    .filter(({ event }) => event === 'update')
    .map(({ payload }) => JSON.parse(payload ?? '{}').id)
  assert.deepEqual(updates, [id, next])
  client.end()
})

test('malformed messages on the channel between servers are logged and ignored', async () => {
  const lines = logLines(other)
  const client = await listen(other, { token: ada.token, streams: ['user'] })
  for (const payload of ['', '{}', '[]', 'null', '["me", 7]', '["me", [null]]', '{'])
    await one.ctx.db.run(sql`select pg_notify('rookery', ${payload})`)
  await ada.post('/api/v1/statuses', { status: 'Unmoved' })
  assert.match((await client.event('update', 'user')).content, /Unmoved/)
  assert.deepEqual(new Set(lines.map((line) => JSON.parse(line).msg)), new Set(['bus.failed']))
  client.end()
})

test('revoking a token on one server closes its connections on the other', async () => {
  const app = (
    await one.send('POST', '/api/v1/apps', {
      json: { client_name: 'Reader', redirect_uris: 'urn:ietf:wg:oauth:2.0:oob', scopes: 'read' },
    })
  ).json
  const { token } = await issueToken(one.ctx, { appId: app.id, userId: ada.userId, scopes: ['read'] })
  const client = await listen(other, { token, streams: ['user'] })
  const revoked = await one.send('POST', '/oauth/revoke', {
    form: { client_id: app.client_id, client_secret: app.client_secret, token },
  })
  assert.equal(revoked.status, 200)
  assert.equal((await client.closes()).code, 1008)
})

test('a stopping server closes its connections with code 1001; clients of other servers stay connected', async () => {
  const client = await listen(other, { token: ada.token, streams: ['user'] })
  const third = await startTestServer({
    DATABASE_URL: one.ctx.config.databaseUrl ?? '',
    LOCAL_DOMAIN: one.ctx.config.localDomain,
  })
  const leaving = await listen(third, { token: ada.token, streams: ['user'] })
  await third.stop()
  assert.equal((await leaving.closes()).code, 1001)
  await ada.post('/api/v1/statuses', { status: 'Still here' })
  assert.match((await client.event('update', 'user')).content, /Still here/)
  client.end()
})
