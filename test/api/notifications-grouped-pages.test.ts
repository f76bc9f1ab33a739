// Paging of grouped notifications.
import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { notify } from '../support/acts.ts'
import { type Person } from '../support/server.ts'
import { crowd } from '../support/remote.ts'
import { stage } from '../support/stage.ts'
import { statementsOf } from '../support/statements.ts'
import { links, post } from '../support/timelines.ts'

let ada: Person
let round = 0

type Group = {
  notifications_count: number
  most_recent_notification_id: string
  page_min_id?: string
  page_max_id?: string
  status_id?: string
}

const groups = async (query = ''): Promise<Group[]> =>
  (await ada.get(`/api/v2/notifications?${query}`)).notification_groups
const flat = async (): Promise<{ id: string }[]> => ada.get('/api/v1/notifications?limit=80')

const notifyAda = (type: 'favourite' | 'mention', fromAccountId: string, statusId: string): Promise<void> =>
  server.ctx.transaction((tx) => notify(tx, { type, fromAccountId, statusId, to: [ada.id] }))

const { server } = await stage()
beforeEach(async () => {
  round++
  ada = await server.person(`ada${round}`)
})

test('limit counts groups, and the members of a group can span several pages', async () => {
  const [one, two, three] = [await post(ada, 'one'), await post(ada, 'two'), await post(ada, 'three')]
  const people = await crowd(server, 6)
  const by = (n: number, status: string): Promise<void> => notifyAda('favourite', people[n] as string, status)
  await by(0, one)
  await by(0, two)
  await by(1, one)
  await by(0, three)
  await by(2, one)
  const all = (await flat()).map(({ id }) => id)
  const first = await ada.send('GET', '/api/v2/notifications?limit=2')
  const shape = (rows: Group[]): unknown[] =>
    rows.map((row) => [row.status_id, row.notifications_count, row.page_max_id, row.page_min_id])
  assert.deepEqual(shape(first.json.notification_groups), [
    [one, 3, all[0], all[0]],
    [three, 1, all[1], all[1]],
  ])
  const { next, prev } = links(first.headers)
  assert.match(next ?? '', new RegExp(`^http.*limit=2&max_id=${all[1]}$`))
  assert.match(prev ?? '', new RegExp(`min_id=${all[0]}$`))
  const second = await ada.send('GET', next as string)
  assert.deepEqual(shape(second.json.notification_groups), [
    [one, 2, all[2], all[2]],
    [two, 1, all[3], all[3]],
  ])
  const third = await ada.send('GET', links(second.headers).next as string)
  assert.deepEqual(shape(third.json.notification_groups), [[one, 1, all[4], all[4]]])
  const end = await ada.send('GET', links(third.headers).next as string)
  assert.deepEqual(end.json, { accounts: [], statuses: [], notification_groups: [] })
  assert.equal(end.headers.get('link'), null)
  // A page that is not full has all members of its groups.
  const rest = await ada.send('GET', `/api/v2/notifications?max_id=${all[0]}`)
  assert.deepEqual(shape(rest.json.notification_groups), [
    [three, 1, all[1], all[1]],
    [one, 2, all[2], all[4]],
    [two, 1, all[3], all[3]],
  ])
  assert.deepEqual((await ada.send('GET', links(rest.headers).next as string)).json.notification_groups, [])
})

test('min_id returns the groups directly after the cursor, and since_id the newest', async () => {
  const [one, two, three] = [await post(ada, 'one'), await post(ada, 'two'), await post(ada, 'three')]
  const [x, y] = (await crowd(server, 2)) as [string, string]
  for (const [who, what] of [
    [x, one],
    [x, two],
    [y, two],
    [x, three],
    [y, one],
  ] as const)
    await notifyAda('favourite', who, what)
  const all = (await flat()).map(({ id }) => id)
  const seen = (rows: Group[]): unknown[] => rows.map((row) => [row.status_id, row.most_recent_notification_id])
  assert.deepEqual(seen(await groups(`min_id=${all[4]}&limit=1`)), [[two, all[3]]])
  assert.deepEqual(seen(await groups(`min_id=${all[4]}&limit=2`)), [
    [three, all[1]],
    [two, all[2]],
  ])
  assert.deepEqual(seen(await groups(`min_id=${all[4]}`)), [
    [one, all[0]],
    [three, all[1]],
    [two, all[2]],
  ])
  assert.deepEqual(seen(await groups(`since_id=${all[4]}&limit=1`)), [[one, all[0]]])
  assert.deepEqual(seen(await groups(`max_id=${all[0]}&min_id=${all[4]}`)), [
    [three, all[1]],
    [two, all[2]],
  ])
  assert.deepEqual(await groups(`since_id=${all[0]}`), [])
  assert.equal(
    (await groups(`since_id=${all[4]}`))[0]?.page_min_id,
    all[0],
    'members before the cursor are not on this page',
  )
  assert.equal((await groups('max_id=nonsense&limit=nonsense')).length, 3)
})

test('groups are limited to 40 by default and 80 at most, with a constant number of queries', async () => {
  const statuses = await Promise.all(Array.from({ length: 3 }, (_, i) => post(ada, `post ${i}`)))
  const people = await crowd(server, 90)
  const statements = (query: string): Promise<number> => statementsOf(server, () => groups(query))
  for (const id of people.slice(0, 2)) await notifyAda('mention', id, statuses[0] as string)
  const few = await statements('limit=2')
  for (const id of people.slice(2)) await notifyAda('mention', id, statuses[1] as string)
  assert.equal((await groups()).length, 40)
  assert.equal((await groups('limit=999')).length, 80)
  assert.equal(await statements('limit=40'), few)
})
