// Annual reports (Wrapstodon).
import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { publishStatus } from '../support/acts.ts'
import { sql } from '../support/database.ts'
import { archetypeOf, campaignYear, type StatusDraft } from '../support/internals.ts'
import { type Answer, type Person } from '../support/server.ts'
import { stage } from '../support/stage.ts'

const YEAR = 2023

let ada: Person
let round = 0
const { server } = await stage()
beforeEach(async () => void (ada = await server.person(`ada${++round}`)))

/** Publishes a post with a date in the past and returns its id. */
async function past(who: Person, day: string, draft: Partial<StatusDraft> = {}): Promise<string> {
  const createdAt = new Date(`${day}T12:00:00Z`)
  const status = {
    accountId: who.id,
    local: true,
    visibility: 'public' as const,
    content: '<p>then</p>',
    createdAt,
    silent: true,
    ...draft,
  }
  return (await publishStatus(server.ctx, status)).id
}

const generate = (who: Person, year: number | string = YEAR): Promise<Answer> =>
  who.send('POST', `/api/v1/annual_reports/${year}/generate`)
const state = async (who: Person, year: number | string = YEAR): Promise<string> =>
  (await who.get(`/api/v1/annual_reports/${year}/state`)).state

test('an annual report is generated once, in the background, and leaves the list once it is read', async () => {
  await past(ada, '2022-12-31')
  assert.equal(await state(ada), 'ineligible')
  const nothing = await generate(ada)
  assert.deepEqual([nothing.status, nothing.json, nothing.headers.get('mastodon-async-refresh')], [200, {}, null])
  assert.equal((await ada.send('GET', `/api/v1/annual_reports/${YEAR}`)).status, 404)
  const own = await past(ada, '2023-05-05')
  assert.equal(await state(ada), 'eligible')
  assert.equal((await ada.send('GET', `/api/v1/annual_reports/${YEAR}`)).status, 404)
  assert.equal((await ada.send('POST', `/api/v1/annual_reports/${YEAR}/read`)).status, 404)

  const answers = await Promise.all([generate(ada), generate(ada), generate(ada)])
  for (const answer of answers) assert.ok([200, 202].includes(answer.status))
  const accepted = answers.find(({ status }) => status === 202)
  const header = /^id="([^"]+)", retry=\d+$/.exec(accepted?.headers.get('mastodon-async-refresh') ?? '')
  assert.ok(header?.[1])
  const { rows } = await server.database.raw(
    `select 1 from pgboss.job where name = 'accounts.annual-report' and data ->> 'accountId' = $1`,
    [ada.id],
  )
  assert.equal(rows.length, 1)
  await server.drain()
  const { async_refresh } = await ada.get(`/api/v1_alpha/async_refreshes/${header[1]}`)
  assert.deepEqual(async_refresh, { id: header[1], status: 'finished', result_count: null })

  assert.equal(await state(ada), 'available')
  const again = await generate(ada)
  assert.deepEqual([again.status, again.json, again.headers.get('mastodon-async-refresh')], [200, {}, null])
  const one = await ada.get(`/api/v1/annual_reports/${YEAR}`)
  assert.deepEqual(await ada.get('/api/v1/annual_reports'), one)
  const [report] = one.annual_reports
  assert.deepEqual([report.year, report.schema_version, report.account_id, report.share_url], [YEAR, 2, ada.id, null])
  assert.deepEqual(report.data.top_statuses, { by_reblogs: own, by_favourites: null, by_replies: null })
  assert.deepEqual([one.accounts.map(({ id }: any) => id), one.statuses.map(({ id }: any) => id)], [[ada.id], [own]])
  assert.deepEqual(await ada.post(`/api/v1/annual_reports/${YEAR}/read`), {})
  assert.deepEqual(await ada.post(`/api/v1/annual_reports/${YEAR}/read`), {})
  assert.deepEqual(await ada.get('/api/v1/annual_reports'), { annual_reports: [], accounts: [], statuses: [] })
  assert.equal((await ada.get(`/api/v1/annual_reports/${YEAR}`)).annual_reports.length, 1)
})

test('the state is `generating` while a report is generated, until the job is an hour old', async () => {
  await past(ada, '2023-05-05')
  await server.ctx.db.run(sql`insert into async_refreshes (key) values (${`annual-report:${ada.id}:${YEAR}`})`)
  const answer = await ada.send('GET', `/api/v1/annual_reports/${YEAR}/state`)
  assert.deepEqual(answer.json, { state: 'generating' })
  assert.match(answer.headers.get('mastodon-async-refresh') ?? '', /^id="[^"]+", retry=\d+$/)
  assert.equal((await generate(ada)).status, 202)
  await server.ctx.db.run(
    sql`update async_refreshes set started_at = now() - interval '1 hour' where key like 'annual-report:%'`,
  )
  assert.equal(await state(ada), 'eligible', 'a report whose generation never finished can be generated again')
  assert.equal((await generate(ada)).status, 202)
  await server.drain()
  assert.equal(await state(ada), 'available')
})

test('a report covers months, hashtags and the most boosted public post of its year only', async () => {
  const bob = await server.person(`bob${round}`)
  for (const day of ['2023-01-01', '2023-01-31', '2023-12-31'])
    await past(ada, day, { tags: ['Birds', 'Once'.concat(day.slice(5, 7))] })
  const many = Array.from({ length: 6 }, (_, i) => `Many${i}`)
  const favourite = await past(ada, '2023-06-01', { tags: many })
  const hidden = await past(ada, '2023-06-02', { visibility: 'private', tags: many })
  const late = await past(ada, '2024-01-01', { tags: ['Birds'] })
  await past(bob, '2023-03-03', { tags: ['Birds'] })
  await bob.post(`/api/v1/statuses/${favourite}/reblog`)
  await bob.post(`/api/v1/statuses/${late}/reblog`)
  await server.database.raw('insert into status_stats (status_id, reblogs_count) values ($1, 99)', [hidden])
  const insertFollow = (from: Person, to: Person, at: string): Promise<number> =>
    server.ctx.db.run(
      sql`insert into follows (account_id, target_account_id, created_at) values (${from.id}, ${to.id}, ${at}::timestamptz)`,
    )
  await insertFollow(ada, bob, '2023-02-10')
  await insertFollow(bob, ada, '2024-02-10')
  await generate(ada)
  await server.drain()
  const [{ data }] = (await ada.get(`/api/v1/annual_reports/${YEAR}`)).annual_reports
  assert.equal(data.archetype, 'lurker')
  assert.equal(data.top_statuses.by_reblogs, favourite)
  assert.equal(data.top_hashtags.length, 5)
  assert.deepEqual(data.top_hashtags[0], { name: 'Birds', count: 3 })
  assert.equal(data.top_hashtags[1].count, 2)
  assert.equal(data.time_series.length, 12)
  assert.deepEqual(
    data.time_series.filter(({ statuses, following, followers }: any) => statuses + following + followers > 0),
    [
      { month: 1, statuses: 2, following: 0, followers: 0 },
      { month: 2, statuses: 0, following: 1, followers: 0 },
      { month: 6, statuses: 2, following: 0, followers: 0 },
      { month: 12, statuses: 1, following: 0, followers: 0 },
    ],
  )
  await ada.delete(`/api/v1/statuses/${favourite}`)
  assert.deepEqual((await ada.get(`/api/v1/annual_reports/${YEAR}`)).statuses, [])
})

test('the posts of a thread are no replies, those to others are', async () => {
  const bob = await server.person(`bob${round}`)
  // On two days, as the ids of their replies follow theirs.
  const ids = [await past(ada, '2023-05-05'), await past(bob, '2023-05-06')]
  for (const id of ids)
    await server.database.raw(
      `insert into statuses (account_id, created_at, id, content, local, reply, in_reply_to_id, in_reply_to_account_id, visibility)
       select account_id, created_at, id + n, 'more', true, true, id, $2, visibility from statuses, generate_series(1, 120) n where id = $1`,
      [id, ada.id],
    )
  for (const who of [ada, bob]) await generate(who)
  await server.drain()
  const [own, others] = await Promise.all([ada, bob].map((who) => who.get(`/api/v1/annual_reports/${YEAR}`)))
  assert.equal(own.annual_reports[0].data.archetype, 'oracle')
  assert.equal(others.annual_reports[0].data.archetype, 'replier')
})

test('invalid years have no report', async () => {
  for (const year of ['2999', '1969', '0', 'last', '20230'])
    for (const [method, path] of [
      ['GET', year],
      ['POST', `${year}/read`],
    ] as const)
      assert.equal((await ada.send(method, `/api/v1/annual_reports/${path}`)).status, 404, `${method} ${path}`)
  assert.equal(await state(ada, 2999), 'ineligible')
  assert.deepEqual([(await generate(ada, 2999)).status, (await generate(ada, 'last')).status], [200, 404])
  assert.equal((await ada.send('GET', '/api/v1/annual_reports/soon/state')).status, 404)
})

test('the instance returns the year of the current campaign as `wrapstodon`', async () => {
  const { json } = await server.send('GET', '/api/v2/instance')
  assert.equal(json.wrapstodon, campaignYear(new Date())?.toString() ?? null)
})

describe('without a server', () => {
  test('the campaign lasts from 10 to 31 December', () => {
    assert.equal(campaignYear(new Date('2025-12-09T23:59:59Z')), null)
    assert.equal(campaignYear(new Date('2025-12-10T00:00:00Z')), 2025)
    assert.equal(campaignYear(new Date('2025-12-31T23:59:59Z')), 2025)
    assert.equal(campaignYear(new Date('2026-01-01T00:00:00Z')), null)
  })

  test('the archetype follows from the most frequent kind of post', () => {
    const kind = (standalone: number, replies: number, reblogs: number, polls = 0): string =>
      archetypeOf({ standalone, replies, reblogs, polls })
    assert.equal(kind(50, 50, 12), 'lurker')
    assert.equal(kind(50, 0, 101), 'booster')
    assert.equal(kind(100, 0, 20, 11), 'pollster')
    assert.equal(kind(50, 101, 0), 'replier')
    assert.equal(kind(100, 100, 100, 10), 'oracle')
  })
})
