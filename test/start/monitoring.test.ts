// Health checks, figures for Prometheus, and ids of requests.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import fs from 'node:fs/promises'
import { get, type IncomingMessage } from 'node:http'
import { syncBuiltinESMExports } from 'node:module'
import { mock, test } from 'node:test'
import { invalidateAllCaches } from '../../src/db/changes.ts'
import { sql } from '../../src/db/sql.ts'
import { logLines } from '../support/log-lines.ts'
import { freePort } from '../support/server-pool.ts'
import { eventually } from '../support/server.ts'
import { stage } from '../support/stage.ts'

const port = await freePort()
const { server, ada, peer } = await stage({
  accounts: ['ada'],
  peers: ['peer'],
  fresh: true,
  env: {
    MASTODON_PROMETHEUS_EXPORTER_ENABLED: 'true',
    MASTODON_PROMETHEUS_EXPORTER_PORT: String(port),
    TRUSTED_PROXY_IP: '127.0.0.1',
  },
})

const scrape = async (): Promise<string> => (await fetch(`http://localhost:${port}/metrics`)).text()

/** The value of a figure with these labels, in any order. */
function valueOf(text: string, name: string, labels: Record<string, string> = {}): number | undefined {
  const line = text
    .split('\n')
    .find(
      (each) =>
        (each.startsWith(`${name}{`) || each.startsWith(`${name} `)) &&
        Object.entries(labels).every(([key, value]) => each.includes(`${key}="${value}"`)),
    )
  return line === undefined ? undefined : Number(line.split(' ').at(-1))
}

test('figures count requests, jobs, federation, feeds and streams, on a port of their own', async () => {
  const mona = await peer.actor('mona')
  const follow = {
    type: 'Follow',
    id: `${peer.url}/f1`,
    actor: mona.uri,
    object: `${server.ctx.config.baseUrl}/users/ada`,
  }
  assert.equal(await peer.send(server, mona, follow), 202)
  await ada.get('/api/v1/timelines/home')
  const { id } = await ada.post('/api/v1/statuses', { status: 'counted' })
  await ada.get(`/api/v1/statuses/${id}`)
  await server.send('GET', '/no/such/path')
  await server.drain()
  const text = await eventually(async () => {
    const figures = await scrape()
    return valueOf(figures, 'rookery_federation_deliveries_total', { outcome: 'delivered' }) === undefined
      ? null
      : figures
  })
  const expected: [string, Record<string, string>, number][] = [
    ['rookery_http_requests_total', { method: 'GET', route: '/api/v1/statuses/:id', status: '2xx' }, 1],
    ['rookery_http_requests_total', { route: 'unknown', status: '4xx' }, 1],
    ['rookery_http_request_duration_seconds_count', { route: '/api/v1/statuses/:id' }, 1],
    ['rookery_jobs_total', { kind: 'federation.receive', outcome: 'completed' }, 1],
    ['rookery_federation_received_total', { type: 'Follow', outcome: 'processed' }, 1],
    ['rookery_feed_build_duration_seconds_count', {}, 1],
    ['rookery_stream_connections', {}, 0],
    ['rookery_database_waiting', { kind: 'transactions' }, 0],
  ]
  for (const [name, labels, value] of expected)
    assert.equal(valueOf(text, name, labels), value, `${name} ${JSON.stringify(labels)}`)
  for (const name of [
    'nodejs_eventloop_lag_p99_seconds',
    'process_resident_memory_bytes',
    'rookery_database_statements',
  ])
    assert.ok(valueOf(text, name) !== undefined, name)
  assert.ok(!text.includes(peer.domain) && !text.includes('ada'), 'no hosts and no people')
  assert.equal((await fetch(`http://localhost:${port}/`)).status, 404)
  assert.equal((await server.send('GET', '/metrics')).status, 404)

  const dashboard = readFileSync('docs/grafana-dashboard.json', 'utf8')
  const exported = new Set(text.matchAll(/^# TYPE (\w+)/gm).map(([, name]) => name))
  for (const [, name = ''] of dashboard.matchAll(/\b((?:rookery|nodejs|process)_[a-z0-9_]+)/g))
    assert.ok(exported.has(name) || exported.has(name.replace(/_(bucket|count)$/, '')), name)
})

test('/health answers while the process lives; /health/ready names what is missing', async () => {
  const ready = (): ReturnType<typeof server.send> => server.send('GET', '/health/ready')
  assert.deepEqual([(await server.send('GET', '/health')).text, (await ready()).text], ['OK', 'OK'])
  await server.database.raw(`update schema_migrations set id = 'x' || id where id like '0001%'`)
  // A clock that is put back leaves no outdated answer.
  mock.timers.enable({ apis: ['Date'], now: Date.now() - 3_600_000 })
  const missing = await eventually(async () => {
    const answer = await ready()
    // A slow answer of the database is shown as `database`.
    return answer.text === 'migrations' && answer
  }).finally(() => mock.timers.reset())
  assert.deepEqual([missing.status, missing.headers.get('retry-after')], [503, '5'])
  await server.database.raw(`alter table schema_migrations rename to gone`)
  await eventually(async () => (await ready()).text === 'database')
  await server.database.raw(
    `alter table gone rename to schema_migrations; update schema_migrations set id = substr(id, 2) where id like 'x%'`,
  )
  await eventually(async () => (await ready()).text === 'OK')
  // A newer Rookery has migrated the database.
  await server.database.raw(`insert into schema_migrations (id, checksum) values ('9999_next', '')`)
  await eventually(async () => (await ready()).text === 'migrations')
  await server.database.raw(`delete from schema_migrations where id = '9999_next'`)
  await eventually(async () => (await ready()).text === 'OK')
  // Blocks of addresses have to be read again, which takes for ever.
  await invalidateAllCaches(server.database)
  await server.ctx.changes.catchUp()
  await server.database.transaction(async (tx) => {
    await tx.raw('lock table ip_blocks')
    assert.equal((await fetch(`${server.url}/health`, { signal: AbortSignal.timeout(5000) })).status, 200)
  })
})

test('/health/ready says what a server lacks that only reads, and leaves it in service', async (t) => {
  const says = (word: string): Promise<unknown> =>
    eventually(async () => {
      const { status, text } = await server.send('GET', '/health/ready')
      return status === 200 && text === word
    })
  const setReadOnly = (value: 'on' | 'off'): Promise<unknown> =>
    server.ctx.db.one(sql`select set_config('default_transaction_read_only', ${value}, false)`)
  await setReadOnly('on')
  await says('read-only')
  await setReadOnly('off')
  await says('OK')
  t.mock.method(fs, 'statfs', async () => ({ bsize: 4096, blocks: 1_000_000, bavail: 10 }))
  syncBuiltinESMExports()
  t.after(() => {
    t.mock.restoreAll()
    syncBuiltinESMExports()
  })
  await says('disk')
})

test('request ids from a trusted proxy are kept, others are replaced', async () => {
  /** `from`: the address of the proxy. */
  const idOf = async (id: string, from = '127.0.0.1'): Promise<string> => {
    const options = { port: server.ctx.config.port, path: '/health', headers: { 'x-request-id': id } }
    const request = get({ ...options, host: '127.0.0.1', localAddress: from })
    const [response] = (await once(request, 'response')) as [IncomingMessage]
    response.resume()
    return String(response.headers['x-request-id'])
  }
  assert.equal(await idOf('proxy-7f.3:a'), 'proxy-7f.3:a')
  for (const bad of ['a b', '"x"', 'x'.repeat(129)]) assert.match(await idOf(bad), /^[0-9a-f-]{36}$/)
  assert.match(await idOf('mine', '127.0.0.2'), /^[0-9a-f-]{36}$/)
})

test('what another server sends neither controls a terminal that shows the log, nor fills it', async () => {
  const lines = logLines(server)
  const { level } = server.ctx.log
  server.ctx.log.level = 'debug'
  const paul = await peer.actor('paul')
  const types = ['Wave\u001b[2J\u009b2J\u2028{"level":60}', 'x'.repeat(200_000)]
  for (const [n, type] of types.entries())
    assert.equal(await peer.send(server, paul, { id: `${peer.url}/waves/${n}`, type, actor: paul.uri }), 202)
  await server.drain()
  server.ctx.log.level = level
  const ignored = lines.filter((line) => line.includes('activity.ignored'))
  for (const line of ignored) assert.match(line, /^[^\p{Cc}\u2028]+\n$/u)
  assert.deepEqual(
    ignored.map((line) => JSON.parse(line).type),
    [types[0], `${'x'.repeat(1000)}…`],
  )
})

test('an error of the database is logged without the row that caused it', async () => {
  const lines = logLines(server)
  server.expectErrors(/request.failed.*status_is_refused/)
  await server.database.raw(`alter table statuses add constraint status_is_refused check (false) not valid`)
  const post = { status: 'For no other eyes', visibility: 'private' }
  assert.equal((await ada.send('POST', '/api/v1/statuses', { json: post })).status, 500)
  await server.database.raw('alter table statuses drop constraint status_is_refused')
  const failed = lines.filter((line) => line.includes('request.failed'))
  assert.match(failed.join(), /violates check constraint/)
  assert.doesNotMatch(failed.join(), /no other eyes/)
})
