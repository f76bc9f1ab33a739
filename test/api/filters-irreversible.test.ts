// Irreversible filters of API v1: the server removes what they match.
import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { type Person } from '../support/server.ts'
import { stage } from '../support/stage.ts'
import { boost, follow, home, post } from '../support/timelines.ts'

let ada: Person
let bob: Person
let cleo: Person
let round = 0
const { server } = await stage()
beforeEach(async () => {
  round++
  const named = (name: string): Promise<Person> => server.person(`${name}${round}`)
  ;[ada, bob, cleo] = await Promise.all([named('ada'), named('bob'), named('cleo')])
})

const read = (id: string): Promise<any> => ada.get(`/api/v1/statuses/${id}`)

test('irreversible v1 filters remove posts from home and list timelines only', async () => {
  await follow(server, ada, bob)
  const list = await ada.post('/api/v1/lists', { title: 'People' })
  await ada.post(`/api/v1/lists/${list.id}/accounts`, { account_ids: [bob.id] })
  const [hidden, shown] = [await post(bob, 'football'), await post(bob, 'chess')]
  const boosted = await boost(bob, await post(cleo, 'more football'))
  assert.deepEqual(await home(ada), [boosted, shown, hidden])
  const v1 = await ada.post('/api/v1/filters', { phrase: 'football', context: ['home', 'public'], irreversible: true })
  assert.deepEqual(await home(ada), [shown])
  const listed = await ada.get(`/api/v1/timelines/list/${list.id}`)
  assert.deepEqual(
    listed.map(({ id }: { id: string }) => id).filter((id: string) => id !== shown),
    [],
  )
  assert.equal((await read(hidden)).filtered[0].filter.filter_action, 'hide')
  const publicly = await ada.get('/api/v1/timelines/public')
  assert.ok(publicly.some(({ id }: { id: string }) => id === hidden))
  const first = await ada.send('GET', '/api/v1/timelines/home?limit=1')
  assert.deepEqual(first.json, [])
  assert.match(first.headers.get('link') ?? '', new RegExp(`max_id=${boosted}>; rel="next"`), 'pagination continues')
  const { filter: whole } = (await read(hidden)).filtered[0]
  await ada.put(`/api/v2/filters/${whole.id}`, { filter_action: 'warn' })
  assert.deepEqual(await home(ada), [boosted, shown, hidden])
  await ada.put(`/api/v2/filters/${whole.id}`, { filter_action: 'hide' })
  assert.deepEqual(await home(ada), [boosted, shown, hidden], '`hide` set through v2 leaves hiding to the client')
  await ada.put(`/api/v1/filters/${v1.id}`, { phrase: 'football', context: ['home'], irreversible: true })
  assert.deepEqual(await home(ada), [shown])
})

test('irreversible filters prevent notifications', async () => {
  const made = await ada.post('/api/v1/filters', { phrase: 'football', context: ['notifications'], irreversible: true })
  await post(bob, `football @${ada.username}`)
  const hello = await post(bob, `hello @${ada.username}`)
  const types = async (): Promise<string[]> =>
    (await ada.get('/api/v1/notifications')).map((one: any) => `${one.type} ${one.status?.id}`)
  assert.deepEqual(await types(), [`mention ${hello}`])
  assert.equal((await ada.get('/api/v1/notifications/unread_count')).count, 1)
  const mine = await post(ada, 'my football')
  await bob.post(`/api/v1/statuses/${mine}/favourite`)
  assert.deepEqual(await types(), [`favourite ${mine}`, `mention ${hello}`], 'own posts are not filtered')
  await ada.put(`/api/v1/filters/${made.id}`, { phrase: 'football', context: ['notifications'], expires_in: 0 })
  const later = await post(bob, `football again @${ada.username}`)
  assert.equal((await types())[0], `mention ${later}`)
})
