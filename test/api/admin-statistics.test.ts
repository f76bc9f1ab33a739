// Measures, dimensions and retention agree with counts made directly from the tables.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../support/internals.ts'
import { remoteAccount } from '../support/remote.ts'
import type { Person } from '../support/server.ts'
import { stage } from '../support/stage.ts'
import { statementsOf } from '../support/statements.ts'
import { boost, post, remoteAuthor } from '../support/timelines.ts'

const { server, ada, bob } = await stage({ accounts: ['ada', 'bob'] })
const staff = await server.person('staff', { role: ['view_dashboard'] })
const raw = async (text: string, values: unknown[] = []) => (await server.database.raw(text, values)).rows

const DAY = 86_400_000
const today = Math.floor(Date.now() / DAY) * DAY
const dayAgo = (days: number): string => new Date(today - days * DAY).toISOString().slice(0, 10)
const at = (days: number): Date => new Date(today - days * DAY + 3_600_000)
const period = { start_at: dayAgo(6), end_at: dayAgo(0) }

/** Moves a row into the past; the id of a status tells its time. */
const moveStatus = async (id: string, days: number): Promise<string> => {
  const moved = newId(at(days))
  await raw(
    'begin; set local session_replication_role = replica; ' +
      `update statuses set id = ${moved}, created_at = '${at(days).toISOString()}' where id = ${id};` +
      ['status_tags', 'status_stats']
        .map((table) => `update ${table} set status_id = ${moved} where status_id = ${id};`)
        .join('') +
      'commit',
  )
  return moved
}

const ids: Record<string, string> = {}

test.before(async () => {
  const far = await remoteAuthor(server, 'far', 'far.test')
  const other = await remoteAccount(server, 'other', 'other.test')
  const tagged = await post(ada, 'about #numbers', { language: 'de' })
  await far.post('<p>#numbers</p>', { tags: ['numbers'], language: 'en' })
  await far.post('<p>#numbers again</p>', { tags: ['numbers'], language: 'en' })
  await moveStatus(await post(bob, 'earlier #numbers', { language: 'de' }), 3)
  await moveStatus(await post(bob, 'before the period #numbers'), 9)
  await post(bob, 'for few #numbers', { visibility: 'unlisted' })
  await boost(bob, tagged)
  await bob.post(`/api/v1/statuses/${tagged}/favourite`)
  await post(bob, '@ada yes', { in_reply_to_id: tagged })
  await post(ada, 'thread', { in_reply_to_id: tagged })
  await moveStatus(await post(ada, 'old answer', { in_reply_to_id: await post(bob, 'a question') }), 8)
  await far.boost(tagged)
  ids.tag = (await raw(`select id from tags where name = 'numbers'`))[0].id
  for (const [person, days] of [
    [ada, [0, 1, 8]],
    [bob, [0, 1, 5, 40]],
    [staff, [0]],
  ] as const)
    for (const day of days)
      await raw('insert into user_active_days (day, user_id) values ($1, $2) on conflict do nothing', [
        dayAgo(day),
        person.userId,
      ])
  await raw('update users set created_at = $1 where id = $2', [at(8), ada.userId])
  await raw(`update users set created_at = $1, locale = 'de' where id = $2`, [at(5), bob.userId])
  for (const [target, opened, resolved] of [
    [far.id, 0, 0],
    [far.id, 2, null],
    [other, 10, 4],
  ] as const)
    await raw(
      'insert into reports (account_id, target_account_id, created_at, action_taken_at) values ($1, $2, $3, $4)',
      [ada.id, target, at(opened), resolved === null ? null : at(resolved)],
    )
  await raw('insert into follows (account_id, target_account_id, created_at) values ($1, $2, $3), ($2, $4, now())', [
    ada.id,
    far.id,
    at(2),
    bob.id,
  ])
  await raw(
    `insert into media_attachments (id, account_id, type, file_key, file_size) values ($1, $2, 'image', 'x', 3000)`,
    [newId(), far.id],
  )
})

const ask = async (what: string, json: object, who: Person | null = staff) =>
  server.send('POST', `/api/v1/admin/${what}`, { json, token: who?.token ?? null })
const measure = async (key: string, more: object = {}): Promise<any> => {
  const answer = await ask('measures', { keys: [key], ...period, ...more })
  assert.equal(answer.status, 200, answer.text)
  return answer.json[0]
}

test('measures of a period count what happened in it, each day, and in the period before', async () => {
  const inPeriod = (column: string): string => `(${column})::date between '${dayAgo(6)}' and '${dayAgo(0)}'`
  const before = (column: string): string => `(${column})::date between '${dayAgo(13)}' and '${dayAgo(7)}'`
  const tagged = `from statuses s join accounts a on a.id = s.account_id join status_tags st on st.status_id = s.id
    where st.tag_id = ${ids.tag} and s.visibility = 'public' and `
  const interacted = (when: (column: string) => string): string => `
    (select count(*) from favourites f join accounts a on a.id = f.account_id where a.domain is null and ${when('f.created_at')})
    + (select count(*) from statuses s join accounts a on a.id = s.account_id where a.domain is null and ${when('s.created_at')}
      and (s.reblog_of_id is not null or s.in_reply_to_account_id <> s.account_id))`
  const counts: Record<string, (when: (column: string) => string) => string> = {
    active_users: (when) => `(select count(distinct user_id) from user_active_days where ${when('day')})`,
    new_users: (when) => `(select count(*) from users where ${when('created_at')})`,
    interactions: interacted,
    opened_reports: (when) => `(select count(*) from reports where ${when('created_at')})`,
    resolved_reports: (when) => `(select count(*) from reports where ${when('action_taken_at')})`,
    tag_accounts: (when) => `(select count(distinct s.account_id) ${tagged} ${when('s.created_at')})`,
    tag_uses: (when) => `(select count(*) ${tagged} ${when('s.created_at')})`,
    tag_servers: (when) => `(select count(distinct coalesce(a.domain, '')) ${tagged} ${when('s.created_at')})`,
  }
  for (const [key, count] of Object.entries(counts)) {
    const found = await measure(key, key.startsWith('tag_') ? { [key]: { id: ids.tag } } : {})
    const [{ now, then }] = await raw(`select (${count(inPeriod)})::text as now, (${count(before)})::text as then`)
    assert.deepEqual([found.key, found.unit, found.total, found.previous_total], [key, null, now, then], key)
    assert.notEqual(found.total, '0', key)
    assert.deepEqual([found.data.length, found.data[0].date], [7, `${dayAgo(6)}T00:00:00.000Z`])
    for (const [i, { value }] of found.data.entries()) {
      const [day] = await raw(`select (${count((column) => `(${column})::date = '${dayAgo(6 - i)}'`)})::text as n`)
      assert.equal(value, day.n, `${key} on day ${i}`)
    }
  }
})

test('measures of a server count all that is known of it, and what came on each day', async () => {
  const far = `join accounts a on a.id = x.account_id where a.domain = 'far.test'`
  for (const [key, count] of Object.entries({
    instance_accounts: `select count(*) from accounts where domain = 'far.test'`,
    instance_statuses: `select count(*) from statuses x ${far}`,
    instance_media_attachments: `select sum(file_size) from media_attachments x ${far}`,
    instance_reports: `select count(*) from reports r join accounts a on a.id = r.target_account_id where a.domain = 'far.test'`,
    instance_follows: `select count(*) from follows f join accounts a on a.id = f.target_account_id where a.domain = 'far.test'`,
    instance_followers: `select count(*) from follows x ${far}`,
  })) {
    const [{ n }] = await raw(`select (${count})::text as n`)
    const found = await measure(key, { [key]: { domain: 'Far.test' } })
    assert.deepEqual([found.total, found.previous_total], [n, undefined], key)
    assert.notEqual(n, '0')
    assert.equal(
      found.data.reduce((sum: number, { value }: any) => sum + Number(value), 0),
      Number(n),
      key,
    )
  }
  const media = await measure('instance_media_attachments', { instance_media_attachments: { domain: 'far.test' } })
  assert.deepEqual([media.unit, media.human_value], ['bytes', '2.93 KB'])
})

test('measures of a server include its subdomains on request', async () => {
  for (const domain of ['net.test', 'one.net.test', 'two.one.net.test', 'othernet.test']) {
    await raw('insert into peers (domain) values ($1)', [domain])
    const id = await remoteAccount(server, 'someone', domain)
    await raw('insert into follows (account_id, target_account_id) values ($1, $2), ($2, $1)', [ada.id, id])
  }
  for (const key of ['instance_accounts', 'instance_follows', 'instance_followers'])
    for (const [include_subdomains, expected] of [
      [undefined, '1'],
      [false, '1'],
      ['false', '1'],
      [true, '3'],
    ] as const) {
      const { total, data } = await measure(key, { [key]: { domain: 'Net.test', include_subdomains } })
      assert.deepEqual([total, data.at(-1).value], [expected, expected], `${key} ${include_subdomains}`)
    }
  const form = await server.send('POST', '/api/v1/admin/measures', {
    token: staff.token,
    form: {
      'keys[]': 'instance_accounts',
      ...period,
      'instance_accounts[domain]': 'net.test',
      'instance_accounts[include_subdomains]': 'true',
    },
  } as never)
  assert.equal(form.json[0].total, '3', form.text)
})

test('subdomains are listed once for all measures of a request', async () => {
  const keys = ['instance_accounts', 'instance_follows', 'instance_followers', 'instance_reports', 'instance_statuses']
  const statementsFor = (include_subdomains: boolean): Promise<number> => {
    const about = Object.fromEntries(keys.map((key) => [key, { domain: 'net.test', include_subdomains }]))
    return statementsOf(server, () => staff.post('/api/v1/admin/measures', { keys, ...period, ...about }))
  }
  assert.equal(await statementsFor(true), (await statementsFor(false)) + 1)
})

test('dimensions list the largest parts first', async () => {
  const keys = [
    'languages',
    'sources',
    'servers',
    'space_usage',
    'software_versions',
    'tag_servers',
    'tag_languages',
    'instance_accounts',
    'instance_languages',
    'nothing',
  ]
  const params = {
    tag_servers: { id: ids.tag },
    tag_languages: { id: ids.tag },
    instance_accounts: { domain: 'far.test' },
    instance_languages: { domain: 'far.test' },
  }
  const answer = await ask('dimensions', { keys, ...period, ...params })
  assert.equal(answer.status, 200, answer.text)
  const found = new Map<string, any[]>(answer.json.map(({ key, data }: any) => [key, data]))
  assert.equal(found.size, keys.length - 1)
  const short = (key: string) => found.get(key)?.map(({ key: name, value }: any) => `${name}=${value}`)
  const grouped = async (text: string) => (await raw(text)).map(({ key, value }: any) => `${key}=${value}`)
  assert.deepEqual(
    short('languages'),
    await grouped(`
    select locale as key, count(distinct u.id) as value from users u join user_active_days d on d.user_id = u.id
    where day >= '${period.start_at}' group by 1 order by 2 desc, 1`),
  )
  assert.deepEqual(
    short('sources'),
    await grouped(`select 'web' as key, count(*) as value from users where created_at >= '${period.start_at}'`),
  )
  assert.deepEqual(
    short('servers'),
    await grouped(`
    select coalesce(a.domain, '${server.domain}') as key, count(*) as value from statuses s join accounts a on a.id = s.account_id
    where s.created_at >= '${period.start_at}' group by 1 order by 2 desc, 1`),
  )
  assert.deepEqual(new Set(short('tag_servers')), new Set(['far.test=2', `${server.domain}=2`]))
  assert.deepEqual(short('tag_languages'), ['de=2', 'en=2'])
  assert.deepEqual(short('instance_accounts'), ['far=0'])
  assert.deepEqual(short('instance_languages'), ['en=2'])
  assert.deepEqual(
    found.get('software_versions')?.map(({ key }) => key),
    ['rookery', 'mastodon', 'node', 'postgresql'],
  )
  assert.ok(
    found.get('space_usage')?.every(({ unit, human_value }) => unit === 'bytes' && /([KMG]B|Bytes)$/.test(human_value)),
  )
  assert.equal((await ask('dimensions', { keys: ['servers'], limit: 1 })).json[0].data.length, 1)
})

test('retention counts who of each cohort was active later', async () => {
  const answer = await ask('retention', { start_at: dayAgo(8), end_at: dayAgo(0), frequency: 'day' })
  assert.equal(answer.status, 200, answer.text)
  assert.equal(answer.json.length, 9)
  const shares = (cohort: any) => cohort.data.map(({ value, rate }: any) => `${value}:${rate}`)
  assert.deepEqual(shares(answer.json[0]), ['1:1', '0:0', '0:0', '0:0', '0:0', '0:0', '0:0', '1:1', '1:1'])
  assert.deepEqual(
    [answer.json[3].period, shares(answer.json[3])],
    [`${dayAgo(5)}T00:00:00.000Z`, ['1:1', '0:0', '0:0', '0:0', '1:1', '1:1']],
  )
  assert.deepEqual(
    shares(answer.json[1]),
    Array.from({ length: 8 }, () => '0:0'),
  )
  const months = await ask('retention', { start_at: dayAgo(0), end_at: dayAgo(0), frequency: 'month' })
  const [{ n }] = await raw(
    `select count(*)::text as n from users where created_at >= date_trunc('month', now() at time zone 'utc')`,
  )
  assert.deepEqual([months.json.length, months.json[0].data[0].value, months.json[0].frequency], [1, n, 'month'])
})

test('statistics cover the last 30 days unless dates are given', async () => {
  const { json: measures } = await ask('measures', { keys: ['new_users'] })
  assert.deepEqual(
    [measures[0].data.length, measures[0].data[0].date.slice(0, 10), measures[0].data.at(-1).date.slice(0, 10)],
    [30, dayAgo(29), dayAgo(0)],
  )
  const { json: cohorts } = await ask('retention', {})
  assert.deepEqual([cohorts.length, cohorts[0].frequency, cohorts[0].period.slice(0, 10)], [30, 'day', dayAgo(29)])
})

test('statistics refuse what makes no sense', async () => {
  for (const [what, json] of Object.entries({
    measures: period,
    dimensions: {},
    retention: { ...period, frequency: 'day' },
  })) {
    const params = { keys: ['languages'], ...json }
    for (const [wrong, status] of [
      [{ start_at: 'yesterday' }, 422],
      [{ start_at: dayAgo(0), end_at: dayAgo(1) }, 422],
      [{ start_at: '1990-01-01' }, 422],
      [{ start_at: dayAgo(5000), end_at: dayAgo(0) }, 422],
    ] as const)
      assert.equal((await ask(what, { ...params, ...wrong })).status, status, `${what} ${JSON.stringify(wrong)}`)
  }
  for (const [what, json, status] of [
    ['measures', { keys: ['tag_uses'], ...period }, 400],
    ['measures', { keys: ['instance_accounts'], ...period }, 400],
    ['retention', { ...period, frequency: 'week' }, 422],
  ] as const)
    assert.equal((await ask(what, json)).status, status, `${what} ${JSON.stringify(json)}`)
  assert.deepEqual((await ask('measures', { keys: ['nothing', 'constructor'], ...period })).json, [])
  for (const what of ['measures', 'dimensions']) assert.deepEqual((await ask(what, {})).json, [], `${what} of no keys`)
  assert.deepEqual((await ask('measures', { keys: ['tag_uses'], ...period, tag_uses: { id: 'x' } })).json[0].total, '0')
})
