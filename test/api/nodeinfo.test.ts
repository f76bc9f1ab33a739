import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../support/database.ts'
import { NodeInfo } from '../support/node-info.ts'
import { startTestServer } from '../support/server.ts'
import { stage } from '../support/stage.ts'
import { post } from '../support/timelines.ts'

const { server } = await stage()

test('the well-known document links to NodeInfo 2.0 for any origin', async () => {
  const answer = await server.send('GET', '/.well-known/nodeinfo')
  assert.deepEqual(answer.json, {
    links: [
      { rel: 'http://nodeinfo.diaspora.software/ns/schema/2.0', href: `${server.ctx.config.baseUrl}/nodeinfo/2.0` },
    ],
  })
  assert.equal(answer.headers.get('access-control-allow-origin'), '*')
  for (const path of ['/.well-known/nodeinfo', '/nodeinfo/2.0'])
    assert.match((await server.send('GET', path)).headers.get('cache-control') ?? '', /^public, max-age=\d+/, path)
})

test('NodeInfo follows the published schema, and counts users and posts', async () => {
  const [here, away, longGone] = [await server.person('here'), await server.person('away'), await server.person('gone')]
  await server.person('waiting', { confirmed: false })
  await post(here, 'one')
  for (const [{ userId }, days] of [
    [here, 0],
    [here, 3],
    [away, 100],
    [longGone, 181],
  ] as const)
    await server.ctx.db.run(
      sql`insert into user_active_days (day, user_id) values ((now() at time zone 'utc')::date - ${days}::int, ${userId}) on conflict do nothing`,
    )
  server.ctx.publish({ type: 'settings.changed' })
  const { json, headers } = await server.send('GET', '/nodeinfo/2.0')
  assert.deepEqual([...NodeInfo.Errors(json)], [])
  assert.match(headers.get('content-type') ?? '', /^application\/json/)
  assert.equal(json.software.name, 'rookery')
  assert.deepEqual(json.protocols, ['activitypub'])
  assert.equal(json.metadata.upstream.name, 'mastodon')
  assert.equal(json.openRegistrations, true)
  assert.deepEqual(json.usage, { users: { total: 3, activeMonth: 1, activeHalfyear: 2 }, localPosts: 1 })
  assert.equal((await server.send('GET', '/api/v2/instance')).json.usage.users.active_month, 1)
})

test('NodeInfo reports closed registrations', async () => {
  const closedServer = await startTestServer({ REGISTRATIONS_MODE: 'none' })
  try {
    assert.equal((await closedServer.send('GET', '/nodeinfo/2.0')).json.openRegistrations, false)
  } finally {
    await closedServer.stop()
  }
})

test('NodeInfo names rookery as the software and its client API, and the instance version names a Mastodon release', async () => {
  const nodeInfo = (await server.send('GET', '/nodeinfo/2.0')).json
  assert.deepEqual([nodeInfo.software.name, nodeInfo.metadata.upstream], ['rookery', { name: 'mastodon' }])
  assert.deepEqual(nodeInfo.metadata.features, ['mastodon_api'])
  for (const path of ['/api/v1/instance', '/api/v2/instance']) {
    const { version } = (await server.send('GET', path)).json
    assert.match(version, /^4\.6\.\d+\+rookery\.\d+\.\d+\.\d+$/)
  }
  assert.ok((await server.send('GET', '/api/v2/instance')).json.api_versions.mastodon >= 11)
})
