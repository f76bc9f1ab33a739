// An external PostgreSQL fails in several ways under load: the server keeps running, and acknowledged writes survive.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { listen, type Listening } from '../streaming/listen.ts'
import { remoteAccount } from '../support/remote.ts'
import { eventually, type TestServer } from '../support/server.ts'
import { front, primary, standby, type Front, type Node } from './postgres-cluster.ts'
import { members, type Member } from './members.ts'
import { house, type House } from './server-process.ts'
import { startInbox, type RemoteInbox } from './remote-inbox.ts'
import { assertStoredOnce, underLoad, type Written } from './request-load.ts'
import type { Run } from './run-program.ts'

let here: House
let server: Run
let first: Node
let second: Node
let way: Front
let writers: Member[]
let stream: Listening
let remove: () => void
const written: Written[] = []
let inbox: RemoteInbox

before(async () => {
  let folder
  ;({ node: first, folder, remove } = await primary())
  second = await standby(first, folder)
  way = await front(first)
  here = await house({ DATABASE_URL: `postgresql://rookery@127.0.0.1:${way.port}/rookery` })
  server = await here.start()
  inbox = await startInbox()
  const backend = await here.open()
  writers = await members(backend, ['ada', 'bob'])
  const follower = await remoteAccount(backend as unknown as TestServer, 'zoe', 'far.test', { inbox_url: inbox.url })
  await backend.database.raw(
    'insert into follows (account_id, target_account_id) select $1, id from accounts where username = $2',
    [follower, 'ada'],
  )
  await backend.close()
  stream = await listen({ url: here.url }, { token: writers[0]?.token as string, streams: ['user'] })
})
after(async () => {
  stream?.end()
  server?.kill('SIGTERM')
  await server?.ended
  way?.close()
  await second?.stop()
  await first?.stop()
  inbox.close()
  here?.remove()
  remove?.()
})

test('with DATABASE_URL the server starts no embedded PostgreSQL', () => {
  assert.equal(existsSync(join(here.dataDir, 'postgres')), false)
})

/** Disturbs the database under load, and asserts that the acknowledged posts, the server and an open stream survive. */
async function survive(name: string, disturb: () => Promise<unknown>): Promise<void> {
  const acknowledged = await underLoad(here, writers, name, disturb)
  written.push(...acknowledged)
  await assertStoredOnce(here, acknowledged)
  const { json: status } = await here.call('POST', '/api/v1/statuses', writers[0]?.token, { status: `After: ${name}` })
  const { id } = status
  const update = await eventually(async () =>
    stream.frames.some(({ event, payload }) => event === 'update' && JSON.parse(payload ?? '{}').id === id),
  )
  assert.ok(update)
}

// durability.test.ts proves the same of crashes. A restart ends all connections with an error, as an administrator does with one.
test('the server survives an orderly restart of PostgreSQL', () =>
  survive('restart', async () => {
    const pid = first.pid()
    process.kill(pid, 'SIGINT')
    await eventually(async () => first.query('select 1').catch(() => null))
  }))

test('the server survives a failover: it reads from the standby, and writes once that is promoted', () =>
  survive('failover', async () => {
    await eventually(
      async () => (await first.query(`select 1 from pg_stat_replication where sync_state = 'sync'`)).length,
    )
    way.leadTo(second)
    process.kill(first.pid(), 'SIGKILL')
    const read = (path: string) => here.call('GET', path, writers[0]?.token)
    await eventually(async () => (await read(`/api/v1/accounts/${writers[0]?.id}/statuses`)).status === 200)
    const home = await read('/api/v1/timelines/home')
    assert.equal(home.status, 503, JSON.stringify(home.json))
    await second.query('select pg_promote()')
  }))

test('after all failures, messages of other processes arrive, and so do all deliveries', async () => {
  const set = await here.command(['settings', 'set', 'site_title', 'Told by another process'])
  assert.equal(set.status, 0, set.output)
  await eventually(async () => (await here.call('GET', '/api/v2/instance')).json.title === 'Told by another process')
  const uris = written
    .filter(({ writer }) => writer.username === 'ada')
    .map(({ id }) => `http://${here.domain}/users/ada/statuses/${id}/activity`)
  await eventually(async () => uris.every((uri) => inbox.delivered.has(uri)))
})
