import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { notify } from '../support/acts.ts'
import { sql } from '../support/database.ts'
import { type Person } from '../support/server.ts'
import { crowd } from '../support/remote.ts'
import { stage } from '../support/stage.ts'
import { boost, links, post } from '../support/timelines.ts'

let ada: Person
let bob: Person
let cleo: Person
let round = 0

type Group = {
  group_key: string
  type: string
  notifications_count: number
  most_recent_notification_id: string
  page_min_id?: string
  page_max_id?: string
  latest_page_notification_at?: string
  sample_account_ids: string[]
  status_id?: string
}
type Named = { id: string }
type Results = { accounts: Named[]; partial_accounts?: Named[]; statuses: Named[]; notification_groups: Group[] }

const list = (query = ''): Promise<Results> => ada.get(`/api/v2/notifications?${query}`)
const groups = async (query = ''): Promise<Group[]> => (await list(query)).notification_groups
/** "type count" of each group, newest first. */
const kinds = async (query = ''): Promise<string[]> =>
  (await groups(query)).map((group) => `${group.type} ${group.notifications_count}`)
const flat = async (): Promise<{ id: string; group_key: string; account: Named }[]> =>
  ada.get('/api/v1/notifications?limit=80')
const idsOf = (rows: readonly Named[]): string[] => rows.map(({ id }) => id).toSorted()

const notifyAda = (type: 'favourite' | 'reblog' | 'mention', fromAccountId: string, statusId: string): Promise<void> =>
  server.ctx.transaction((tx) => notify(tx, { type, fromAccountId, statusId, to: [ada.id] }))

const { server } = await stage()
beforeEach(async () => {
  round++
  const named = (name: string): Promise<Person> => server.person(`${name}${round}`)
  ;[ada, bob, cleo] = await Promise.all([named('ada'), named('bob'), named('cleo')])
})

test('notifications of the same type and post form one group, with each account and status once', async () => {
  const own = await post(ada, 'mine')
  const other = await post(ada, 'mine too')
  await bob.post(`/api/v1/statuses/${own}/favourite`)
  await cleo.post(`/api/v1/statuses/${own}/favourite`)
  await cleo.post(`/api/v1/statuses/${other}/favourite`)
  const reply = await post(bob, `@${ada.username} well`, { in_reply_to_id: own })
  await boost(bob, own)
  for (const person of [bob, cleo]) await person.post(`/api/v1/accounts/${ada.id}/follow`)
  const { notification_groups: rows, accounts, statuses, partial_accounts } = await list()
  assert.deepEqual(
    rows.map(({ type, notifications_count, sample_account_ids, status_id }) => [
      type,
      notifications_count,
      sample_account_ids,
      status_id,
    ]),
    [
      ['follow', 2, [cleo.id, bob.id], undefined],
      ['reblog', 1, [bob.id], own],
      ['mention', 1, [bob.id], reply],
      ['favourite', 1, [cleo.id], other],
      ['favourite', 2, [cleo.id, bob.id], own],
    ],
  )
  assert.deepEqual(idsOf(accounts), [bob.id, cleo.id].toSorted())
  assert.deepEqual(idsOf(statuses), [own, other, reply].toSorted())
  assert.equal(partial_accounts, undefined)
  const single = await flat()
  for (const row of rows) {
    const members = single.filter(({ group_key }) => group_key === row.group_key)
    assert.deepEqual(
      [row.page_max_id, row.most_recent_notification_id, row.page_min_id, row.notifications_count],
      [members[0]?.id, members[0]?.id, members.at(-1)?.id, members.length],
    )
    assert.ok(row.latest_page_notification_at)
  }
})

test('with partial_avatars only the first account of a group is complete', async () => {
  const own = await post(ada, 'mine')
  await notifyAda('mention', cleo.id, await post(cleo, 'elsewhere'))
  for (const person of [cleo, bob]) await person.post(`/api/v1/statuses/${own}/favourite`)
  const dave = await server.person(`dave${round}`)
  await dave.post(`/api/v1/statuses/${own}/favourite`)
  const partial = await list('expand_accounts=partial_avatars')
  assert.deepEqual(
    idsOf(partial.accounts),
    [dave.id, cleo.id].toSorted(),
    'the first account of the favourites and of the mention',
  )
  assert.deepEqual(idsOf(partial.partial_accounts ?? []), [bob.id])
  assert.deepEqual(Object.keys(partial.partial_accounts?.[0] ?? {}).toSorted(), [
    'acct',
    'avatar',
    'avatar_description',
    'avatar_static',
    'bot',
    'id',
    'locked',
    'url',
  ])
  assert.equal((await list('expand_accounts=full')).accounts.length, 3)
  for (const wrong of ['none', 'FULL', 'partial'])
    assert.equal((await ada.send('GET', `/api/v2/notifications?expand_accounts=${wrong}`)).status, 400)
})

test('grouped_types, types, exclude_types and account_id select notifications and groups', async () => {
  const own = await post(ada, 'mine')
  for (const person of [bob, cleo]) {
    await person.post(`/api/v1/statuses/${own}/favourite`)
    await boost(person, own)
  }
  assert.deepEqual(await kinds(), ['reblog 2', 'favourite 2'])
  assert.deepEqual(await kinds('grouped_types[]=favourite'), ['reblog 1', 'favourite 2', 'reblog 1'])
  const [first] = await groups('grouped_types[]=favourite')
  assert.equal(first?.group_key, `ungrouped-${first?.most_recent_notification_id}`)
  assert.deepEqual(await kinds('grouped_types[]=mention'), ['reblog 1', 'favourite 1', 'reblog 1', 'favourite 1'])
  assert.deepEqual(await kinds('types[]=favourite'), ['favourite 2'])
  assert.deepEqual(await kinds('exclude_types[]=favourite&exclude_types[]=mention'), ['reblog 2'])
  assert.deepEqual(await kinds(`account_id=${bob.id}`), ['reblog 1', 'favourite 1'])
  assert.deepEqual(await kinds('types[]=unheard_of'), [])
})

test('a group samples the eight newest accounts, without muted and suspended ones', async () => {
  const own = await post(ada, 'mine')
  const people = await crowd(server, 12)
  for (const id of people) await notifyAda('favourite', id, own)
  const { notification_groups: rows, accounts } = await list()
  assert.equal(rows[0]?.notifications_count, 12)
  assert.deepEqual(rows[0]?.sample_account_ids, people.toReversed().slice(0, 8))
  assert.equal(accounts.length, 8)
  await server.ctx.db.run(sql`insert into mutes (account_id, target_account_id) values (${ada.id}, ${people[11]})`)
  await server.ctx.db.run(sql`update accounts set suspended_at = now() where id = ${people[10]}`)
  const [hidden] = await groups()
  assert.deepEqual(hidden?.sample_account_ids, people.toReversed().slice(2, 10))
  assert.equal(hidden?.notifications_count, 10)
})

test('a group can be fetched and dismissed, and its accounts are paged', async () => {
  const own = await post(ada, 'mine')
  const people = await crowd(server, 5)
  for (const id of people) await notifyAda('favourite', id, own)
  await notifyAda('reblog', people[0] as string, own)
  const [reblog, favourites] = (await groups()) as [Group, Group]
  const shown: Results = await ada.get(`/api/v2/notifications/${favourites.group_key}`)
  assert.deepEqual(shown.notification_groups, [
    {
      group_key: favourites.group_key,
      notifications_count: 5,
      type: 'favourite',
      most_recent_notification_id: favourites.most_recent_notification_id,
      sample_account_ids: people.toReversed(),
      status_id: own,
    },
  ])
  assert.deepEqual(idsOf(shown.accounts), people.toSorted())
  assert.deepEqual(idsOf(shown.statuses), [own])
  for (const [agent, type] of [
    ['Mastodon/144 CFNetwork/1498.700.2 Darwin/23.6.0', 'number'],
    ['Dart/3.9 (dart:io)', 'number'],
    ['Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML) Mobile/15E148', 'string'],
  ] as const)
    for (const path of ['?limit=2', `/${favourites.group_key}`]) {
      const { json } = await ada.send('GET', `/api/v2/notifications${path}`, { headers: { 'user-agent': agent } })
      const { most_recent_notification_id: id } = json.notification_groups.at(-1)
      assert.deepEqual([typeof id, String(id)], [type, favourites.most_recent_notification_id])
    }

  const accounts = `/api/v2/notifications/${favourites.group_key}/accounts`
  const first = await ada.send('GET', `${accounts}?limit=3`)
  assert.deepEqual(
    first.json.map(({ id }: Named) => id),
    people.toReversed().slice(0, 3),
  )
  const second = await ada.send('GET', links(first.headers).next as string)
  assert.deepEqual(
    second.json.map(({ id }: Named) => id),
    people.toReversed().slice(3),
  )
  assert.equal(links(second.headers).next, undefined)
  const back = await ada.send('GET', links(second.headers).prev as string)
  assert.deepEqual(back.json, first.json)
  assert.deepEqual((await ada.send('GET', links(first.headers).prev as string)).json, [])

  const single = `ungrouped-${reblog.most_recent_notification_id}`
  const one: Results = await ada.get(`/api/v2/notifications/${single}`)
  assert.deepEqual([one.notification_groups[0]?.type, one.notification_groups[0]?.group_key], ['reblog', single])
  assert.equal((await ada.get(`/api/v2/notifications/${single}/accounts`)).length, 1)

  const dismissals = await Promise.all(
    [1, 2].map(() => ada.send('POST', `/api/v2/notifications/${favourites.group_key}/dismiss`)),
  )
  assert.deepEqual(dismissals.map(({ status }) => status).toSorted(), [200, 404])
  assert.deepEqual(await kinds(), ['reblog 1'])
  assert.deepEqual(await ada.post(`/api/v2/notifications/${single}/dismiss`), {})
  assert.deepEqual(await flat(), [])
})

test('groups of other accounts and invalid group keys are not found', async () => {
  const own = await post(ada, 'mine')
  await bob.post(`/api/v1/statuses/${own}/favourite`)
  const [group] = (await groups()) as [Group]
  for (const key of [group.group_key, `ungrouped-${group.most_recent_notification_id}`])
    for (const [method, path] of [
      ['GET', ''],
      ['GET', '/accounts'],
      ['POST', '/dismiss'],
    ] as const)
      assert.equal((await bob.send(method, `/api/v2/notifications/${key}${path}`)).status, 404)
  for (const key of [
    'favourite-1-1',
    'ungrouped-',
    'ungrouped-x',
    'ungrouped-99999999999999999999',
    'a%20b',
    '%F0%9F%90%A6',
  ])
    for (const [method, path] of [
      ['GET', ''],
      ['GET', '/accounts'],
      ['POST', '/dismiss'],
    ] as const)
      assert.equal((await ada.send(method, `/api/v2/notifications/${key}${path}`)).status, 404, key)
  assert.equal((await ada.send('GET', '/api/v2/notifications/%00')).status, 400)
  assert.equal((await groups()).length, 1)
})

test('unread groups are counted, and clearing deletes all notifications', async () => {
  const [own, other] = [await post(ada, 'mine'), await post(ada, 'too')]
  const people = await crowd(server, 3)
  for (const id of people) await notifyAda('favourite', id, own)
  await notifyAda('favourite', people[0] as string, other)
  await notifyAda('mention', people[0] as string, own)
  const count = async (query = ''): Promise<number> =>
    (await ada.get(`/api/v2/notifications/unread_count?${query}`)).count
  assert.deepEqual(
    [
      await count(),
      await count('limit=2'),
      await count('types[]=favourite'),
      await count('grouped_types[]=mention'),
      await count(`account_id=${people[1]}`),
    ],
    [3, 2, 2, 5, 1],
  )
  const all = await flat()
  await ada.post('/api/v1/markers', { notifications: { last_read_id: all[3]?.id } })
  assert.equal(await count(), 3)
  await ada.post('/api/v1/markers', { notifications: { last_read_id: all[1]?.id } })
  assert.equal(await count(), 1)
  assert.deepEqual(await ada.post('/api/v2/notifications/clear'), {})
  assert.deepEqual([await count(), await flat()], [0, []])
})
