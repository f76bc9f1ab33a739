import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { sql } from '../support/database.ts'
import { stage } from '../support/stage.ts'
import { statementsOf } from '../support/statements.ts'
import { remoteAccount } from '../support/remote.ts'
import type { Person } from '../support/server.ts'

const { server, ada, bob, eve } = await stage({ accounts: ['ada', 'bob', 'eve'] })
const AT = '/api/v1/admin/reports'

let moderator: Person
let post: any
let rules: string[]

const report = (who: Person, form: object): Promise<any> => who.post('/api/v1/reports', form)
const refused = async (who: Person, form: object): Promise<[number, string]> => {
  const { status, json } = await who.send('POST', '/api/v1/reports', { json: form })
  return [status, json?.error]
}
const auditOf = (reportId: string): Promise<{ action: string; account_id: string; target_label: string }[]> =>
  server.ctx.db.many(sql`
    select action, account_id, target_label from audit_log where target_type = 'report' and target_id = ${reportId} order by id`)

before(async () => {
  moderator = await server.person('mod', { role: 'moderator' })
  post = await bob.post('/api/v1/statuses', { status: 'buy my pills' })
  const rows = await server.ctx.db.many<{ id: string }>(
    sql`insert into rules (text, hint) values ('Be kind', 'Really'), ('No ads', '') returning id`,
  )
  rules = rows.map(({ id }) => id)
})

test('a report names posts, collections and rules, and staff hear of it', async () => {
  const collection = await bob.post('/api/v1/collections', { name: 'Pharmacies' })
  const made = await report(ada, {
    account_id: bob.id,
    status_ids: [post.id, post.id],
    collection_ids: [collection.collection.id],
    rule_ids: [rules[1]],
    category: 'spam',
    comment: ' pills ',
    forward: true,
  })
  assert.equal(made.category, 'violation', 'rules make it a violation')
  assert.equal(made.comment, 'pills')
  assert.equal(made.forwarded, false, 'the account is local')
  assert.equal(made.action_taken, false)
  assert.deepEqual(made.status_ids, [post.id])
  assert.deepEqual(made.rule_ids, [rules[1]])
  assert.equal(made.collection_ids.length, 1)
  assert.equal(made.target_account.id, bob.id)
  const [notification] = await moderator.get('/api/v1/notifications?types[]=admin.report')
  assert.equal(notification.account.id, ada.id)
  assert.deepEqual(notification.report, made)
  const { notification_groups: groups } = await moderator.get('/api/v2/notifications?types[]=admin.report')
  assert.equal(groups[0].report.id, made.id)
  const mails = await server.ctx.db.many<{ data: { to: string; subject: string } }>(
    sql`select data from pgboss.job where name = 'mail.send' and data ->> 'to' = ${moderator.email}`,
  )
  assert.match(mails[0]?.data.subject ?? '', /^New report on/)
  assert.deepEqual(await eve.get('/api/v1/notifications?types[]=admin.report'), [])
  await server.ctx.db.run(sql`update users set role_id = -99 where id = ${moderator.userId}`)
  server.ctx.publish({ type: 'user.changed', userId: moderator.userId })
  assert.deepEqual(await moderator.get('/api/v1/notifications?types[]=admin.report'), [], 'former staff see none')
  await server.ctx.db.run(sql`update users set role_id = 1 where id = ${moderator.userId}`)
  server.ctx.publish({ type: 'user.changed', userId: moderator.userId })
})

test('a report is refused with a reason', async () => {
  const own = await ada.post('/api/v1/statuses', { status: 'mine' })
  const secret = await bob.post('/api/v1/statuses', { status: 'secret', visibility: 'private' })
  const form = { account_id: bob.id }
  const cases: [object, number, RegExp][] = [
    [{}, 400, /account_id/],
    [{ account_id: '999' }, 404, /not found/],
    [{ ...form, status_ids: [own.id] }, 404, /not found/],
    [{ ...form, status_ids: [secret.id] }, 404, /not found/],
    [{ ...form, status_ids: ['1'] }, 404, /not found/],
    [{ ...form, collection_ids: ['1'] }, 404, /not found/],
    [{ ...form, rule_ids: ['999'] }, 422, /^Validation failed: Rules does not reference valid rules$/],
    [{ ...form, category: 'boring' }, 422, /Category/i],
    [{ ...form, comment: 'x'.repeat(1001) }, 422, /Comment is too long \(maximum is 1,?000 characters\)/],
    [{ ...form, status_ids: Array.from({ length: 101 }, () => post.id) }, 422, /too many/],
  ]
  for (const [json, status, error] of cases) {
    const [got, text] = await refused(ada, json)
    assert.equal(got, status, JSON.stringify(json))
    assert.match(text, error)
  }
  assert.equal((await server.send('POST', '/api/v1/reports', { json: form })).status, 401)
  const token = await server.token({ userId: ada.userId, scopes: ['read', 'write:statuses'] })
  assert.equal((await server.send('POST', '/api/v1/reports', { token, json: form })).status, 403)
  // The author's followers may report what they can see.
  await eve.post(`/api/v1/accounts/${bob.id}/follow`)
  assert.deepEqual((await report(eve, { ...form, status_ids: [secret.id] })).status_ids, [secret.id])
})

test('reports are listed by state and account, page by page', async () => {
  const all = await moderator.get(AT)
  assert.deepEqual(
    all.map((each: any) => [each.account.id, each.target_account.id, each.statuses.length]),
    [
      [eve.id, bob.id, 1],
      [ada.id, bob.id, 1],
    ],
  )
  const [newest, oldest] = all
  assert.equal(newest.statuses[0].visibility, 'private')
  assert.deepEqual(
    oldest.rules.map(({ text }: any) => text),
    ['No ads'],
  )
  assert.equal(oldest.account.email, ada.email)
  assert.deepEqual(await moderator.get(`${AT}/${oldest.id}`), oldest)
  const first = await moderator.send('GET', `${AT}?limit=1`)
  assert.deepEqual(
    first.json.map(({ id }: any) => id),
    [newest.id],
  )
  const next = /<([^>]+)>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1] as string
  assert.deepEqual(
    (await moderator.get(new URL(next).pathname + new URL(next).search)).map(({ id }: any) => id),
    [oldest.id],
  )
  const idsOf = async (query: string): Promise<string[]> =>
    (await moderator.get(`${AT}?${query}`)).map(({ id }: any) => id)
  assert.deepEqual(await idsOf(`account_id=${ada.id}`), [oldest.id])
  assert.deepEqual(await idsOf(`target_account_id=${ada.id}`), [])
  assert.deepEqual(await idsOf('resolved=true'), [])
})

test('a report is assigned, changed, resolved and reopened, and each step is in the audit log', async () => {
  const { id } = await report(ada, { account_id: bob.id, category: 'violation', rule_ids: rules })
  const act = (path: string): Promise<any> => moderator.post(`${AT}/${id}/${path}`)
  assert.equal((await act('assign_to_self')).assigned_account.id, moderator.id)
  assert.equal((await act('unassign')).assigned_account, null)
  const changed = await moderator.put(`${AT}/${id}`, { rule_ids: [rules[0]] })
  assert.deepEqual(
    changed.rules.map((rule: any) => rule.id),
    [rules[0]],
  )
  const spam = await moderator.put(`${AT}/${id}`, { category: 'spam' })
  assert.deepEqual([spam.category, spam.rules], ['spam', []])
  const bad = await moderator.send('PUT', `${AT}/${id}`, { json: { category: 'spam', rule_ids: rules } })
  assert.deepEqual([bad.status, bad.json.error], [422, 'Validation failed: Rules must be blank'])
  const resolved = await act('resolve')
  assert.equal(resolved.action_taken, true)
  assert.equal(resolved.action_taken_by_account.id, moderator.id)
  await act('resolve')
  assert.deepEqual(
    (await moderator.get(`${AT}?resolved=true`)).map((each: any) => each.id),
    [id],
  )
  const [all, open] = await Promise.all([
    moderator.get(`${AT}?resolved=true&unresolved=true`),
    moderator.get(`${AT}?unresolved=true`),
  ])
  assert.deepEqual(
    all.filter((each: any) => each.id !== id),
    open,
  )
  assert.equal(all.length, open.length + 1)
  const reopened = await act('reopen')
  assert.deepEqual(
    [reopened.action_taken, reopened.action_taken_at, reopened.action_taken_by_account],
    [false, null, null],
  )
  const entries = await auditOf(id)
  assert.deepEqual(
    entries.map(({ action }) => action),
    ['assign', 'unassign', 'update', 'update', 'resolve', 'reopen'],
  )
  assert.ok(entries.every((entry) => entry.account_id === moderator.id && entry.target_label === '@bob'))
})

test('staff hear of a reported account once, and again when its reports are resolved', async () => {
  const [rude, staff] = [await server.person('rude'), await server.person('fresh', { role: 'moderator' })]
  const heard = async (): Promise<[string[], number]> => {
    const notified = await staff.get('/api/v1/notifications?types[]=admin.report')
    const mails = await server.ctx.db.many(
      sql`select from pgboss.job where name = 'mail.send' and data ->> 'to' = ${staff.email}`,
    )
    return [notified.map((each: any) => each.report.id), mails.length]
  }
  const [first, second] = [await report(ada, { account_id: rude.id }), await report(eve, { account_id: rude.id })]
  assert.deepEqual(await heard(), [[first.id], 1])
  for (const { id } of [first, second]) await staff.post(`${AT}/${id}/resolve`)
  const third = await report(ada, { account_id: rude.id })
  assert.deepEqual(await heard(), [[third.id, first.id], 2])
  await staff.post(`${AT}/${third.id}/resolve`)
})

test('addresses are for those who manage users', async () => {
  const { id } = await report(ada, { account_id: eve.id })
  const reportsOnly = await server.person('reports', { role: ['manage_reports'] })
  for (const [who, known] of [
    [reportsOnly, ['', null, 0]],
    [moderator, [eve.email, 'string', 1]],
  ] as const) {
    const { target_account: target } = await who.get(`${AT}/${id}`)
    const ip = target.ip === null ? null : typeof target.ip
    assert.deepEqual([target.email, ip, target.ips.length], known)
  }
})

test('unknown reports are not found', async () => {
  for (const [method, path] of [
    ['GET', ''],
    ['PUT', ''],
    ...['assign_to_self', 'unassign', 'resolve', 'reopen'].map((act) => ['POST', `/${act}`] as const),
  ] as const)
    assert.equal((await moderator.send(method, `${AT}/999999${path}`)).status, 404, path)
})

test('a report of a remote account is forwarded only where its user wants it', async () => {
  const far = await remoteAccount(server, 'far')
  const friend = await remoteAccount(server, 'friend', 'friend.test')
  const reply = await server.ctx.db.one<{ id: string }>(sql`
    insert into statuses (id, account_id, uri, url, content, visibility, local, reply, in_reply_to_account_id, conversation_id)
    select ${String(BigInt(post.id) + 1n)}, ${far}, 'https://far.test/1', 'https://far.test/1', 'x', 'public', false, true, ${friend}, conversation_id
    from statuses where id = ${post.id} returning id`)
  const flags = async (): Promise<unknown[]> =>
    server.ctx.db.many(
      sql`select from pgboss.job where name = 'federation.distribute' and data ->> 'activity' = 'flag'`,
    )
  const form = { account_id: far, status_ids: [reply.id] }
  assert.equal((await report(ada, form)).forwarded, false)
  assert.equal((await flags()).length, 0)
  const domains = async (more: object): Promise<string[]> => {
    const { id } = await report(ada, { ...form, forward: true, ...more })
    const row = await server.ctx.db.one<{ forwarded_to: string[] }>(
      sql`select forwarded_to from reports where id = ${id}`,
    )
    return row.forwarded_to
  }
  assert.deepEqual(await domains({}), ['far.test'])
  assert.deepEqual(await domains({ forward_to_domains: ['FAR.test', 'friend.test', 'other.test'] }), [
    'far.test',
    'friend.test',
  ])
  assert.deepEqual(await domains({ forward_to_domains: ['not a domain'] }), [])
  assert.equal((await flags()).length, 2)
})

test('a long list takes as many statements as a short one', async () => {
  const statements = (limit: number): Promise<number> =>
    statementsOf(server, async () => assert.equal((await moderator.get(`${AT}?limit=${limit}`)).length, limit))
  const [short, long] = [await statements(2), await statements(7)]
  assert.ok(long <= short + 2, `${short} statements for 2 reports, ${long} for 7`)
})
