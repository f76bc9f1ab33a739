// /api/v1/scheduled_statuses: changes, pages, limits and access
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { publishScheduled } from '../support/acts.ts'
import { type Answer, type Person } from '../support/server.ts'
import { stage } from '../support/stage.ts'

const { server, ada, bob } = await stage({ accounts: ['ada', 'bob'] })

const MINUTE = 60_000
const ahead = (ms: number): string => new Date(Date.now() + ms).toISOString()
const send = (who: Person, json: object): Promise<Answer> => who.send('POST', '/api/v1/statuses', { json })
const schedule = async (who: Person, json: object = {}): Promise<any> => {
  const answer = await send(who, { status: 'later', scheduled_at: ahead(60 * MINUTE), ...json })
  assert.equal(answer.status, 200, answer.text)
  return answer.json
}

test('a scheduled post can be moved to any valid date', async () => {
  const { id } = await schedule(ada)
  const at = '3000-05-05T05:05:05.005Z'
  assert.equal((await ada.put(`/api/v1/scheduled_statuses/${id}`, { scheduled_at: at })).scheduled_at, at)
  for (const scheduled_at of [ahead(MINUTE), '2001-01-01T00:00:00Z', 'x'])
    assert.equal((await ada.send('PUT', `/api/v1/scheduled_statuses/${id}`, { json: { scheduled_at } })).status, 422)
  assert.equal((await ada.put(`/api/v1/scheduled_statuses/${id}`)).scheduled_at, at)
  // The job of the former date does nothing.
  await publishScheduled(server.ctx, { scheduledId: id })
  await ada.delete(`/api/v1/scheduled_statuses/${id}`)
})

test('scheduled posts are listed in pages, newest first', async () => {
  const ids: string[] = []
  for (let i = 0; i < 5; i++) ids.unshift((await schedule(bob, { scheduled_at: ahead((60 - i) * MINUTE) })).id)
  const page = async (query: string): Promise<[string[], string | null]> => {
    const answer = await bob.send('GET', `/api/v1/scheduled_statuses?${query}`)
    return [answer.json.map(({ id }: any) => id), answer.headers.get('link')]
  }
  assert.deepEqual((await page(''))[0], ids)
  const [first, link] = await page('limit=2')
  assert.deepEqual(first, ids.slice(0, 2))
  assert.match(link ?? '', new RegExp(`max_id=${ids[1]}>; rel="next".*min_id=${ids[0]}>; rel="prev"`))
  assert.deepEqual((await page(`limit=2&max_id=${ids[1]}`))[0], ids.slice(2, 4))
  assert.deepEqual((await page(`limit=2&min_id=${ids[4]}`))[0], ids.slice(2, 4))
  assert.deepEqual((await page(`limit=2&since_id=${ids[4]}`))[0], ids.slice(0, 2))
  assert.deepEqual(await page(`max_id=${ids[4]}`), [[], null])
})

test('an account may schedule 25 posts for a day and 300 in total', async () => {
  const eve = await server.person('eve')
  const fill = (day: string, n: number): Promise<unknown> =>
    server.database.raw(
      `insert into scheduled_statuses (account_id, scheduled_at, params)
       select $1, $2::timestamptz, '{"text":"x","visibility":"public","idempotency":null}' from generate_series(1, $3)`,
      [eve.id, day, n],
    )
  await fill('3001-01-01T10:00:00Z', 24)
  const at = '3001-01-01T23:59:59Z'
  const answers = await Promise.all(Array.from({ length: 3 }, () => send(eve, { status: 'x', scheduled_at: at })))
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 422, 422])
  const { id } = await schedule(eve, { scheduled_at: '3001-01-02T00:00:00Z' })
  assert.equal((await eve.send('PUT', `/api/v1/scheduled_statuses/${id}`, { json: { scheduled_at: at } })).status, 422)
  for (let day = 3; day <= 13; day++) await fill(`3001-01-${String(day).padStart(2, '0')}T10:00:00Z`, 25)
  assert.equal((await send(eve, { status: 'x', scheduled_at: '3002-01-01' })).status, 422)
  await eve.delete(`/api/v1/scheduled_statuses/${id}`)
})

test('scheduled posts are private to their author', async () => {
  const { id } = await schedule(ada)
  for (const method of ['GET', 'PUT', 'DELETE'])
    assert.equal((await bob.send(method, `/api/v1/scheduled_statuses/${id}`)).status, 404)
  assert.equal((await ada.send('GET', '/api/v1/scheduled_statuses/99999999999')).status, 404)
  await ada.delete(`/api/v1/scheduled_statuses/${id}`)
  assert.equal((await ada.send('DELETE', `/api/v1/scheduled_statuses/${id}`)).status, 404)
})
