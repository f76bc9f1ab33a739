import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from '../support/server.ts'
import { stage } from '../support/stage.ts'

const { server, ada } = await stage({ accounts: ['ada'] })

const both = '/api/v1/markers?timeline[]=home&timeline[]=notifications'

test('only requested markers that exist are returned, and each change increments the version', async () => {
  assert.deepEqual(await ada.get(both), {})
  const first = await ada.post('/api/v1/markers', { home: { last_read_id: '103194548672408537' } })
  assert.deepEqual(Object.keys(first), ['home'])
  assert.deepEqual([first.home.last_read_id, first.home.version], ['103194548672408537', 1])
  assert.match(first.home.updated_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  const form = new URLSearchParams({ 'home[last_read_id]': '103194548672408540', 'notifications[last_read_id]': '7' })
  const second = (await ada.send('POST', '/api/v1/markers', { form })).json
  assert.deepEqual(
    [second.home.last_read_id, second.home.version, second.notifications.version],
    ['103194548672408540', 2, 1],
  )
  assert.deepEqual(await ada.get(both), second)
  const again = await ada.post('/api/v1/markers', { home: { last_read_id: '103194548672408540' } })
  assert.deepEqual(again, { home: second.home }, 'the same position is no change')
  assert.deepEqual(await ada.get('/api/v1/markers?timeline[]=notifications'), { notifications: second.notifications })
  assert.deepEqual(await ada.get('/api/v1/markers?timeline[]=elsewhere'), {})
  assert.deepEqual(await ada.get('/api/v1/markers'), {})
  assert.deepEqual(await ada.post('/api/v1/markers', { elsewhere: { last_read_id: '1' } }), {})
  assert.deepEqual(await (await server.person('bob')).get(both), {})
})

test('a marker without last_read_id is refused', async () => {
  assert.equal((await ada.send('POST', '/api/v1/markers', { json: { home: {} } })).status, 400)
})

/** Saves markers while another request has moved the one of the home timeline to 20, and has not committed yet. */
async function saveDuringMove(positions: Record<string, string>): Promise<{ status: number; json: any }> {
  const rival = await server.database.dedicated()
  try {
    await rival.query('begin')
    await rival.query(
      `update markers set last_read_id = 20, version = version + 1 where account_id = $1 and timeline = 'home'`,
      [ada.id],
    )
    const json = Object.fromEntries(Object.entries(positions).map(([name, id]) => [name, { last_read_id: id }]))
    const saving = ada.send('POST', '/api/v1/markers', { json })
    await eventually(
      async () =>
        (
          await server.database.raw(
            `select from pg_stat_activity where wait_event_type = 'Lock' and query like '%insert into markers%'`,
          )
        ).rowCount === 1,
    )
    await rival.query('commit')
    return await saving
  } finally {
    await rival.end()
  }
}

test('a marker that another request moves on meanwhile is not moved back: 409, and nothing changes', async () => {
  await ada.post('/api/v1/markers', { home: { last_read_id: '10' } })
  const { status, json } = await saveDuringMove({ home: '15', notifications: '99' })
  assert.deepEqual([status, json], [409, { error: 'Conflict during update, please try again' }])
  const { home, notifications } = await ada.get(both)
  assert.equal(home.last_read_id, '20')
  assert.equal(notifications.last_read_id, '7')
  assert.equal((await ada.post('/api/v1/markers', { home: { last_read_id: '30' } })).home.last_read_id, '30')
})

test('requests that move a marker to the same position, or further on, do not conflict', async () => {
  for (const position of ['20', '25']) {
    const { version } = (await ada.post('/api/v1/markers', { home: { last_read_id: '10' } })).home
    const { status, json } = await saveDuringMove({ home: position })
    assert.deepEqual([status, json.home?.last_read_id], [200, position])
    assert.equal(json.home.version, version + (position === '20' ? 1 : 2))
  }
})

test('each of many concurrent writes is stored or refused, and the version counts the stored ones', async () => {
  const { version: before } = (await ada.post('/api/v1/markers', { home: { last_read_id: '100' } })).home
  const statuses = await Promise.all(
    Array.from(
      { length: 10 },
      async (_, i) =>
        (await ada.send('POST', '/api/v1/markers', { json: { home: { last_read_id: String(200 + i) } } })).status,
    ),
  )
  const written = statuses.filter((status) => status === 200).length
  assert.ok(written > 0 && statuses.every((status) => status === 200 || status === 409))
  assert.equal((await ada.get(both)).home.version, before + written)
})
