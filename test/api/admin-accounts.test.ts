// Accounts as moderators list them, and what they do with accounts. Strikes and appeals: admin-warnings.test.ts.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listen } from '../streaming/listen.ts'
import { sql } from '../support/database.ts'
import { mailsTo } from '../support/mail.ts'
import { remoteAccount } from '../support/remote.ts'
import { type Person } from '../support/server.ts'
import { stage } from '../support/stage.ts'
import { links, post } from '../support/timelines.ts'

const { server, ada, bob } = await stage({ accounts: ['ada', 'bob'] })
const { db } = server.ctx
const admin = await server.person('root', { role: 'admin' })
const mod = await server.person('mod', { role: 'moderator' })
const far = await remoteAccount(server, 'far_away', 'far.test', { display_name: 'Far Away' })

const LIST = '/api/v2/admin/accounts'
const names = async (query: string, version = 'v2'): Promise<string[]> =>
  (await mod.get(`/api/${version}/admin/accounts?${query}`)).map((each: { username: string }) => each.username)

const pending = (name: string, options = {}): Promise<Person> =>
  server.person(name, { approved: false, reason: `I am ${name}`, ...options })

const act = (staff: Person, id: string, json: object) =>
  staff.send('POST', `/api/v1/admin/accounts/${id}/action`, { json })

const audit = async (id: string): Promise<string[]> =>
  (
    await db.many<{ action: string }>(
      sql`select action from audit_log where target_type = 'account' and target_id = ${id} order by id`,
    )
  ).map(({ action }) => action)

test('accounts are listed with each filter', async () => {
  const waiting = await pending('waiting', { email: 'waiting@spam.test', ip: '203.0.113.7' })
  const rare = await server.person('rare_bird', { role: ['manage_reports'] })
  await db.run(sql`update accounts set display_name = 'Äda 100%', sensitized_at = now() where id = ${ada.id}`)
  await db.run(sql`update accounts set silenced_at = now(), display_name = '日本語' where id = ${bob.id}`)
  await db.run(sql`
    with invite as (insert into invites (user_id, code) values (${ada.userId}, 'abc') returning id)
    update users set invite_id = (select id from invite) where id = ${waiting.userId}`)
  const { role_id } = await db.one<{ role_id: string }>(sql`select role_id from users where id = ${rare.userId}`)
  const cases: [query: string, expected: string[]][] = [
    ['origin=remote', ['far_away']],
    ['origin=local&username=r', ['rare_bird', 'root']],
    ['status=pending', ['waiting']],
    ['status=silenced', ['bob']],
    ['status=sensitized', ['ada']],
    ['status=suspended', []],
    ['status=disabled', []],
    ['status=active&origin=local', ['rare_bird', 'mod', 'root', 'bob', 'ada']],
    ['permissions=staff', ['rare_bird', 'mod', 'root']],
    [`role_ids[]=${role_id}&role_ids[]=2`, ['rare_bird', 'root']],
    ['invited_by=1', []],
    [`invited_by=${ada.id}`, ['waiting']],
    ['display_name=%C3%A4da', ['ada']],
    ['display_name=100%25', ['ada']],
    ['display_name=%E6%9C%AC', ['bob']],
    ['display_name=%E6%9C%AC%E8%AA%9E', ['bob']],
    ['display_name=bob', []],
    ['display_name=_', []],
    ['by_domain=FAR.test', ['far_away']],
    [`by_domain=${server.domain}&username=ada`, ['ada']],
    ['email=%40spam.test', ['waiting']],
    ['ip=203.0.113.7', ['waiting']],
    ['ip=203.0.113.0%2F24', ['waiting']],
    ['ip=203.0.114.0%2F24', []],
    ['username=%40far', ['far_away']],
  ]
  for (const [query, expected] of cases) assert.deepEqual(await names(query), expected, query)
  assert.deepEqual(await names('local=true&pending=true', 'v1'), ['waiting'])
  assert.deepEqual(await names('remote=true', 'v1'), ['far_away'])
  assert.deepEqual(await names('staff=true&silenced=false&username=m', 'v1'), ['mod'])
  assert.deepEqual(await names('sensitized=true', 'v1'), ['ada'])
  await db.run(sql`update accounts set suspended_at = now() where id in (${rare.id}, ${far})`)
  const local = ['waiting', 'mod', 'root', 'bob', 'ada']
  for (const query of ['', 'local=true', 'remote=false']) assert.deepEqual(await names(query, 'v1'), local, query)
  assert.deepEqual(await names('suspended=true', 'v1'), ['rare_bird'])
  assert.deepEqual(await names('remote=true', 'v1'), [])
  for (const query of ['remote=true&suspended=true', 'remote=true&by_domain=far.test', 'by_domain=far.test'])
    assert.deepEqual(await names(query, 'v1'), ['far_away'], query)
  assert.deepEqual(await names('origin=remote'), ['far_away'])
  await db.run(sql`update accounts set suspended_at = null where id in (${rare.id}, ${far})`)
  for (const bad of ['origin=moon', 'status=odd', 'permissions=all', 'ip=300.1.1.1', 'ip=10.0.0.0%2F99', 'ip=x'])
    assert.equal((await mod.send('GET', `${LIST}?${bad}`)).status, 422, bad)
  const [entity] = await mod.get(`${LIST}?username=waiting`)
  assert.deepEqual(
    [entity.id, entity.email, entity.ip, entity.ips.length, entity.invite_request, entity.confirmed, entity.approved],
    [waiting.id, 'waiting@spam.test', '203.0.113.7', 1, 'I am waiting', true, false],
  )
  assert.equal(entity.invited_by_account_id, ada.id)
  const remote = await mod.get(`/api/v1/admin/accounts/${far}`)
  assert.deepEqual([remote.domain, remote.email, remote.role.id, remote.ips], ['far.test', '', '-99', []])
  await db.run(sql`update accounts set silenced_at = null, sensitized_at = null`)
})

test('the list has pages', async () => {
  const first = await mod.send('GET', `${LIST}?origin=local&limit=2`)
  assert.equal(first.json.length, 2)
  const { next } = links(first.headers)
  const second = await mod.send('GET', next as string)
  assert.ok(BigInt(second.json[0].id) < BigInt(first.json[1].id))
  const back = await mod.send('GET', links(second.headers).prev as string)
  assert.deepEqual(
    back.json.map(({ id }: { id: string }) => id),
    first.json.map(({ id }: { id: string }) => id),
  )
})

test('unknown accounts are not found, and only some staff delete data', async () => {
  assert.equal((await mod.send('DELETE', `/api/v1/admin/accounts/${bob.id}`)).status, 403)
  assert.equal((await mod.send('GET', '/api/v1/admin/accounts/7')).status, 404)
  for (const path of ['approve', 'reject', 'enable', 'unsilence', 'unsensitive', 'unsuspend'])
    assert.equal((await mod.send('POST', `/api/v1/admin/accounts/7/${path}`)).status, 404, path)
})

test('a pending account is approved or rejected, once', async () => {
  const [one, two] = [await pending('one'), await pending('two')]
  const url = (id: string, verb: string): string => `/api/v1/admin/accounts/${id}/${verb}`
  assert.equal((await one.send('GET', '/api/v1/timelines/home')).status, 403)
  assert.equal((await mod.post(url(one.id, 'approve'))).approved, true)
  assert.equal((await one.send('GET', '/api/v1/timelines/home')).status, 200)
  assert.equal((await mod.send('POST', url(one.id, 'approve'))).status, 403)
  assert.equal((await mod.send('POST', url(one.id, 'reject'))).status, 403)
  assert.equal((await mod.send('POST', url(far, 'approve'))).status, 403)
  assert.equal((await mod.post(url(two.id, 'reject'))).username, 'two')
  assert.equal((await mod.send('POST', url(two.id, 'reject'))).status, 404)
  assert.equal((await two.send('GET', '/api/v1/accounts/verify_credentials')).status, 401)
  assert.match((await mailsTo(server, one.email)).at(-1)?.subject ?? '', /approved/)
  assert.match((await mailsTo(server, two.email)).at(-1)?.subject ?? '', /declined/)
  assert.deepEqual([await audit(one.id), await audit(two.id)], [['approve'], ['reject']])
  await server.person('two', { email: 'again@localhost' })
})

test('a disabled account cannot be used until it is enabled', async () => {
  const carl = await server.person('carl')
  const said = await post(carl, 'still here')
  const live = await listen(server, { token: carl.token, streams: ['user:notification'] })
  await live.settled()
  assert.equal((await act(mod, carl.id, { type: 'disable' })).status, 200)
  assert.equal((await live.closes()).code, 1008)
  const refused = await carl.send('GET', '/api/v1/accounts/verify_credentials')
  assert.equal(refused.status, 403)
  assert.equal((await server.send('GET', `/api/v1/statuses/${said}`)).status, 200)
  assert.equal((await mod.get(`/api/v1/admin/accounts/${carl.id}`)).disabled, true)
  assert.equal((await mod.post(`/api/v1/admin/accounts/${carl.id}/enable`)).disabled, false)
  assert.equal((await carl.send('GET', '/api/v1/accounts/verify_credentials')).status, 200)
  assert.deepEqual(await audit(carl.id), ['disable', 'enable'])
  assert.equal((await act(mod, far, { type: 'disable' })).status, 422)
})

test('a silenced account leaves the public feeds, and asks to follow', async () => {
  const dora = await server.person('dora')
  const said = await post(dora, 'loud')
  const inPublic = async (): Promise<boolean> =>
    (await ada.get('/api/v1/timelines/public')).some(({ id }: { id: string }) => id === said)
  assert.equal(await inPublic(), true)
  const live = await listen(server, { token: dora.token, streams: ['user:notification'] })
  await live.settled()
  await act(mod, dora.id, { type: 'silence', text: 'Not so loud.' })
  assert.equal((await live.event('notification')).moderation_warning.text, 'Not so loud.')
  live.end()
  assert.equal(await inPublic(), false)
  assert.equal((await dora.post(`/api/v1/accounts/${bob.id}/follow`)).requested, true)
  assert.equal((await ada.get(`/api/v1/accounts/${dora.id}`)).limited, true)
  assert.equal((await mod.post(`/api/v1/admin/accounts/${dora.id}/unsilence`)).silenced, false)
  assert.equal(await inPublic(), true)
})

test('all posts of a sensitized account are sensitive', async () => {
  const eve = await server.person('eve')
  const said = await post(eve, 'look')
  await act(mod, eve.id, { type: 'sensitive' })
  assert.equal((await ada.get(`/api/v1/statuses/${said}`)).sensitive, true)
  const accept = 'application/activity+json'
  const document = await server.send('GET', `/users/eve/statuses/${said}`, { headers: { accept } })
  assert.equal(document.json.sensitive, true)
  assert.equal((await mod.post(`/api/v1/admin/accounts/${eve.id}/unsensitive`)).sensitized, false)
  assert.equal((await ada.get(`/api/v1/statuses/${said}`)).sensitive, false)
})

test('staff act only on accounts of a lower rank', async () => {
  for (const [staff, target] of [
    [mod, admin],
    [mod, mod],
    [admin, admin],
  ] as const) {
    assert.equal((await act(staff, target.id, { type: 'silence' })).status, 403)
    assert.equal((await staff.send('POST', `/api/v1/admin/accounts/${target.id}/unsilence`)).status, 403)
  }
  assert.equal((await act(admin, mod.id, { type: 'none', text: 'Careful.' })).status, 200)
})

test('only a suspended account can be restored, and once; ending another state twice is no error', async () => {
  const url = (verb: string): string => `/api/v1/admin/accounts/${bob.id}/${verb}`
  assert.equal((await mod.send('POST', url('unsuspend'))).status, 403)
  assert.equal((await act(mod, bob.id, { type: 'suspend' })).status, 200)
  const answers = await Promise.all([1, 2].map(() => mod.send('POST', url('unsuspend'))))
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 403])
  assert.equal(answers.find(({ status }) => status === 200)?.json.suspended, false)
  for (const verb of ['enable', 'unsensitive', 'unsilence'])
    assert.equal((await mod.send('POST', url(verb))).status, 200, verb)
})

test('an action needs a known type, preset and report', async () => {
  const untyped = await act(mod, bob.id, {})
  assert.deepEqual([untyped.status, untyped.json.error], [422, "Validation failed: Type can't be blank"])
  assert.equal((await act(mod, bob.id, { type: '' })).status, 422)
  assert.equal((await act(mod, bob.id, { type: 'vanish' })).status, 422)
  assert.equal((await act(mod, '7', { type: 'none' })).status, 404)
  assert.equal((await act(mod, bob.id, { type: 'none', report_id: '7' })).status, 404)
  assert.equal((await act(mod, bob.id, { type: 'none', warning_preset_id: '7' })).status, 404)
  assert.equal((await act(mod, bob.id, { type: 'none', text: 'x'.repeat(5001) })).status, 422)
  const report = async (target: string): Promise<string> =>
    (
      await db.one<{ id: string }>(
        sql`insert into reports (account_id, target_account_id) values (${ada.id}, ${target}) returning id`,
      )
    ).id
  const other = await report(far)
  assert.equal((await act(mod, bob.id, { type: 'none', report_id: other })).status, 404)
  const own = await report(bob.id)
  await report(bob.id)
  const unresolved = async (): Promise<number> =>
    (await db.many(sql`select from reports where target_account_id = ${bob.id} and action_taken_at is null`)).length
  await act(mod, bob.id, { type: 'none', report_id: own })
  assert.equal(await unresolved(), 1, 'a warning answers one report')
  await act(mod, bob.id, { type: 'silence' })
  assert.equal(await unresolved(), 0, 'a new state of the account answers all')
  await mod.send('POST', `/api/v1/admin/accounts/${bob.id}/unsilence`)
})
