import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { notify } from '../support/acts.ts'
import { sql, newId } from '../support/database.ts'
import { deleteEmptyRequests } from '../support/internals.ts'
import { listen } from '../streaming/listen.ts'
import { beforeCommit } from '../support/races.ts'
import { eventually, type Person } from '../support/server.ts'
import { stage } from '../support/stage.ts'
import { statementsOf } from '../support/statements.ts'
import { links, post, remoteAuthor } from '../support/timelines.ts'

let ada: Person
let bob: Person
let cleo: Person
let round = 0

type Request = {
  id: string
  account: { id: string }
  notifications_count: string
  last_status?: { id: string }
  created_at: string
  updated_at: string
}
const AT = '/api/v1/notifications/requests'
const requests = (query = ''): Promise<Request[]> => ada.get(`${AT}?${query}`)
const kinds = async (query = ''): Promise<string[]> =>
  ((await ada.get(`/api/v1/notifications?${query}`)) as { type: string; account: { id: string } }[]).map(
    ({ type, account }) => `${type} ${account.id === bob.id ? 'bob' : 'cleo'}`,
  )
const mention = (by: Person): Promise<string> => post(by, `@${ada.username} hello`)
const merged = (): Promise<true | undefined> =>
  eventually(async () => ((await ada.get(`${AT}/merged`)).merged ? true : undefined))

const { server } = await stage()
beforeEach(async () => {
  round++
  const named = (name: string): Promise<Person> => server.person(`${name}${round}`)
  ;[ada, bob, cleo] = await Promise.all([named('ada'), named('bob'), named('cleo')])
  await ada.send('PATCH', '/api/v2/notifications/policy', { json: { for_not_following: 'filter' } })
})

test('a notification request has the number of notifications by one sender and the last post', async () => {
  const own = await post(ada, 'mine')
  await mention(bob)
  const last = await mention(bob)
  await bob.post(`/api/v1/accounts/${ada.id}/follow`)
  await cleo.post(`/api/v1/accounts/${ada.id}/follow`)
  const rows = await requests()
  assert.deepEqual(
    rows.map((row) => [row.account.id, row.notifications_count, row.last_status?.id]),
    [
      [cleo.id, '1', undefined],
      [bob.id, '3', last],
    ],
  )
  const one: Request = await ada.get(`${AT}/${rows[1]?.id}`)
  assert.deepEqual(one, rows[1])
  await cleo.post(`/api/v1/statuses/${own}/favourite`)
  assert.deepEqual(
    (await requests()).map(({ notifications_count, last_status }) => [notifications_count, last_status?.id])[0],
    ['2', own],
  )
  await bob.delete(`/api/v1/statuses/${last}`)
  const [, after] = await requests()
  assert.deepEqual([after?.id, after?.notifications_count], [rows[1]?.id, '2'])
})

test('accepting a request merges its notifications, accepts later ones and streams notifications_merged', async () => {
  const own = await post(ada, 'mine')
  await mention(bob)
  await bob.post(`/api/v1/statuses/${own}/favourite`)
  await mention(cleo)
  const [, request] = await requests()
  const socket = await listen(server, { token: ada.token, streams: ['user', 'user:notification'] })
  const unauthorised = await listen(server, {
    token: await server.token({ userId: ada.userId, scopes: ['read:statuses'] }),
    streams: ['user'],
  })
  assert.deepEqual(await ada.post(`${AT}/${request?.id}/accept`), {})
  for (const stream of ['user', 'user:notification'])
    assert.equal(
      (await socket.next((frame) => frame.event === 'notifications_merged' && frame.stream?.[0] === stream)).payload,
      '1',
    )
  await merged()
  assert.deepEqual(await kinds(), ['favourite bob', 'mention bob'])
  assert.deepEqual(
    (await requests()).map(({ account }) => account.id),
    [cleo.id],
  )
  const { notification_groups: groups } = await ada.get('/api/v2/notifications')
  assert.match(groups[0].group_key, new RegExp(`^favourite-${own}-\\d+$`))
  await mention(bob)
  assert.deepEqual(await kinds(), ['mention bob', 'favourite bob', 'mention bob'])
  await socket.event('notification', 'user')
  await unauthorised.settled()
  assert.deepEqual(
    unauthorised.frames.filter(({ event }) => event !== undefined),
    [],
  )
  socket.end()
  unauthorised.end()
  assert.equal((await ada.send('POST', `${AT}/${request?.id}/accept`)).status, 404)
})

test('filtered notifications are not streamed', async () => {
  const socket = await listen(server, { token: ada.token, streams: ['user:notification'] })
  await mention(bob)
  await ada.post(`/api/v1/accounts/${cleo.id}/follow`)
  const accepted = await mention(cleo)
  assert.equal((await socket.event('notification')).status.id, accepted)
  socket.end()
})

test('dismissing a request deletes its notifications, and later ones are filtered again', async () => {
  await mention(bob)
  const [request] = await requests()
  assert.deepEqual(await ada.post(`${AT}/${request?.id}/dismiss`), {})
  assert.deepEqual([await requests(), await kinds('include_filtered=true')], [[], []])
  assert.equal((await ada.send('POST', `${AT}/${request?.id}/dismiss`)).status, 404)
  await mention(bob)
  const [again] = await requests()
  assert.equal(again?.notifications_count, '1')
  assert.notEqual(again?.id, request?.id)
  await beforeCommit(
    server,
    (tx) => notify(tx, { type: 'follow', fromAccountId: bob.id, to: [ada.id] }),
    () => ada.post(`${AT}/${again?.id}/dismiss`),
  )
  assert.deepEqual(await kinds('include_filtered=true'), [], 'also one that arrives at the same moment')
})

test('several requests can be accepted or dismissed at once, and foreign and invalid ids are ignored', async () => {
  const dave = await server.person(`dave${round}`)
  for (const person of [bob, cleo, dave]) await mention(person)
  await dave.send('PATCH', '/api/v2/notifications/policy', { json: { for_not_following: 'filter' } })
  await post(bob, `@${dave.username} hello`)
  const [theirs] = (await dave.get(AT)) as [Request]
  const [third, second, first] = (await requests()) as [Request, Request, Request]
  assert.deepEqual(await ada.post(`${AT}/accept`, { id: [first.id, second.id, theirs.id, '0', 'nonsense'] }), {})
  await merged()
  assert.deepEqual(await kinds(), ['mention cleo', 'mention bob'])
  assert.deepEqual((await ada.send('POST', `${AT}/dismiss`, { form: { 'id[]': third.id } })).json, {})
  assert.deepEqual(await requests(), [])
  assert.equal((await dave.get(AT)).length, 1)
  await mention(bob)
  await ada.post('/api/v1/notifications/clear')
  const eve = await server.person(`eve${round}`)
  await mention(eve)
  const before = await requests()
  assert.equal(before.length, 1)
  for (const path of ['accept', 'dismiss'])
    for (const json of [undefined, {}, { id: [] }, { id: '' }])
      assert.deepEqual((await ada.send('POST', `${AT}/${path}`, { json })).json, {})
  assert.deepEqual(await requests(), before)
})

test('concurrent accepts merge a request once', async () => {
  await mention(bob)
  const [request] = await requests()
  const answers = await Promise.all([1, 2, 3].map(() => ada.send('POST', `${AT}/${request?.id}/accept`)))
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 404, 404])
  await merged()
  assert.deepEqual(await kinds(), ['mention bob'])
})

test('merged is false while a merge is pending', async () => {
  assert.deepEqual(await ada.get(`${AT}/merged`), { merged: true })
  await server.ctx.db.run(
    sql`insert into notification_merges (account_id, from_account_id) values (${ada.id}, ${bob.id})`,
  )
  assert.deepEqual(await ada.get(`${AT}/merged`), { merged: false })
})

test('blocks and mutes delete requests and their acceptance, and requests by suspended and blocking senders are hidden', async () => {
  await mention(bob)
  await mention(cleo)
  const dora = await server.person(`dora${round}`)
  await mention(dora)
  await dora.post(`/api/v1/accounts/${ada.id}/block`)
  await server.ctx.db.run(sql`update accounts set suspended_at = now() where id = ${cleo.id}`)
  assert.deepEqual(
    (await requests()).map(({ account }) => account.id),
    [bob.id],
  )
  const { summary } = await ada.get('/api/v2/notifications/policy')
  assert.deepEqual(summary, { pending_requests_count: 1, pending_notifications_count: 1 })
  const [request] = await requests()
  await ada.post(`${AT}/${request?.id}/accept`)
  await merged()
  await ada.post(`/api/v1/accounts/${bob.id}/block`)
  await ada.post(`/api/v1/accounts/${bob.id}/unblock`)
  assert.deepEqual(await kinds(), [])
  await mention(bob)
  assert.equal((await requests()).length, 1, 'the block has revoked the acceptance')
  await ada.post(`/api/v1/accounts/${bob.id}/mute`)
  assert.deepEqual(await requests(), [])
})

test('a request counts only notifications about posts that its recipient may see', async () => {
  const quoted_status_id = await post(ada, 'mine')
  await mention(bob)
  await post(bob, 'for followers', { quoted_status_id, visibility: 'private' })
  await post(cleo, 'for followers', { quoted_status_id, visibility: 'private' })
  assert.deepEqual(
    (await requests()).map(({ account, notifications_count }) => [account.id, notifications_count]),
    [[bob.id, '1']],
  )
  const { summary } = await ada.get('/api/v2/notifications/policy')
  assert.deepEqual(summary, { pending_requests_count: 1, pending_notifications_count: 1 })
})

test('a domain block revokes the acceptance of requests by accounts of the domain', async () => {
  const domain = `away${round}.test`
  const eve = await remoteAuthor(server, 'eve', domain)
  await eve.post('<p>hello</p>', { mentionIds: [ada.id] })
  const [request] = await requests()
  await ada.post(`${AT}/${request?.id}/accept`)
  await merged()
  for (const method of ['POST', 'DELETE']) await ada.send(method, '/api/v1/domain_blocks', { json: { domain } })
  await eve.post('<p>again</p>', { mentionIds: [ada.id] })
  assert.equal((await requests()).length, 1)
})

test('a request without notifications is hidden, and deleted by the clean-up', async () => {
  const id = await mention(bob)
  const [request] = await requests()
  await bob.delete(`/api/v1/statuses/${id}`)
  assert.deepEqual(await requests(), [])
  assert.equal((await ada.send('GET', `${AT}/${request?.id}`)).status, 404)
  await server.ctx.db.run(sql`update notification_requests set updated_at = now() - interval '2 hours'`)
  await mention(cleo)
  await deleteEmptyRequests(server.ctx)
  const left = await server.ctx.db.many<{ from_account_id: string }>(
    sql`select from_account_id from notification_requests where account_id = ${ada.id}`,
  )
  assert.deepEqual(
    left.map((row) => row.from_account_id),
    [cleo.id],
  )
})

test('requests are paged in both directions, 40 by default and 80 at most, with a constant number of queries', async () => {
  const people = Array.from({ length: 85 }, () => newId())
  await server.ctx.db.run(sql`
    insert into accounts (id, username, domain, uri) select id, 'p' || id, 'crowd.test', 'https://crowd.test/' || id from unnest(${people}::bigint[]) id`)
  const status = await post(bob, 'seen by all')
  for (const fromAccountId of people)
    await server.ctx.transaction((tx) => notify(tx, { type: 'mention', fromAccountId, statusId: status, to: [ada.id] }))
  assert.equal((await requests()).length, 40)
  assert.equal((await requests('limit=500')).length, 80)
  const first = await ada.send('GET', `${AT}?limit=2`)
  assert.deepEqual(
    first.json.map(({ account }: Request) => account.id),
    [people[84], people[83]],
  )
  const second = await ada.send('GET', links(first.headers).next as string)
  assert.deepEqual(
    second.json.map(({ account }: Request) => account.id),
    [people[82], people[81]],
  )
  assert.deepEqual((await ada.send('GET', links(second.headers).prev as string)).json, first.json)
  const rest = await ada.send('GET', `${AT}?max_id=${(await requests('limit=80')).at(-1)?.id}`)
  assert.deepEqual([rest.json.length, links(rest.headers).next], [5, undefined])
  const statements = (limit: number): Promise<number> => statementsOf(server, () => requests(`limit=${limit}`))
  assert.equal(await statements(40), await statements(2))
})

test('requests are accessible only to their recipient', async () => {
  await mention(bob)
  const [request] = await requests()
  assert.equal((await bob.send('GET', `${AT}/${request?.id}`)).status, 404)
  for (const action of ['accept', 'dismiss']) {
    assert.equal((await bob.send('POST', `${AT}/${request?.id}/${action}`)).status, 404)
    assert.equal((await ada.send('POST', `${AT}/nonsense/${action}`)).status, 404)
    assert.deepEqual(await bob.post(`${AT}/${action}`, { id: [request?.id] }), {})
  }
  assert.equal((await requests()).length, 1)
})
