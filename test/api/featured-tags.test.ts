// Featured hashtags of profiles.
import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { newId } from '../support/internals.ts'
import { remoteAccount } from '../support/remote.ts'
import { type Person } from '../support/server.ts'
import { stage } from '../support/stage.ts'
import { post } from '../support/timelines.ts'

let ada: Person
let bob: Person
let round = 0

const { server } = await stage()
beforeEach(async () => {
  round++
  ;[ada, bob] = await Promise.all([server.person(`ada${round}`), server.person(`bob${round}`)])
})

const feature = (who: Person, name: string) => who.send('POST', '/api/v1/featured_tags', { json: { name } })
const names = async (who: Person): Promise<string[]> =>
  (await who.get('/api/v1/featured_tags')).map(({ name }: any) => name)

test('a featured hashtag counts the author’s public and unlisted posts and can be removed', async () => {
  await post(ada, `one #Cats${round}`)
  await post(ada, `two #cats${round}`, { visibility: 'unlisted' })
  await post(ada, `for followers #cats${round}`, { visibility: 'private' })
  await post(bob, `of somebody else #cats${round}`)
  const featured = await ada.client.v1.featuredTags.create({ name: `#CATS${round}` })
  const today = new Date().toISOString().slice(0, 10)
  assert.deepEqual(
    { ...featured },
    {
      id: featured.id,
      name: `CATS${round}`,
      url: `http://${server.domain}/@${ada.username}/tagged/cats${round}`,
      statusesCount: '2',
      lastStatusAt: today,
    },
  )
  await feature(ada, `unused${round}`)
  const list = await ada.get('/api/v1/featured_tags')
  assert.deepEqual(
    list.map((item: any) => [item.name, item.statuses_count, item.last_status_at]),
    [
      [`CATS${round}`, '2', today],
      [`unused${round}`, '0', null],
    ],
  )
  assert.deepEqual((await server.send('GET', `/api/v1/accounts/${ada.id}/featured_tags`)).json, list)
  assert.equal((await server.send('GET', '/api/v1/accounts/1/featured_tags')).status, 404)
  assert.equal((await ada.get(`/api/v1/tags/cats${round}`)).featuring, true)
  assert.equal((await bob.get(`/api/v1/tags/cats${round}`)).featuring, false)
  assert.equal((await bob.send('DELETE', `/api/v1/featured_tags/${featured.id}`)).status, 404)
  assert.deepEqual(await ada.delete(`/api/v1/featured_tags/${featured.id}`), {})
  assert.equal((await ada.send('DELETE', `/api/v1/featured_tags/${featured.id}`)).status, 404)
  assert.deepEqual(await names(ada), [`unused${round}`])
})

test('at most ten hashtags are featured, also under concurrent requests; repeating one is not an error', async () => {
  for (let i = 0; i < 9; i++) await feature(ada, `tag${i}`)
  assert.equal((await feature(ada, 'TAG0')).json.name, 'tag0')
  const answers = await Promise.all(['x', 'y', 'z'].map((name) => feature(ada, name)))
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 422, 422])
  assert.equal((await names(ada)).length, 10)
  assert.equal((await feature(ada, 'tag1')).status, 200)
  assert.equal((await ada.send('POST', '/api/v1/tags/another/feature')).status, 422)
})

test('invalid hashtags are refused', async () => {
  for (const name of ['two words', '42', 'a-b', '#']) assert.equal((await feature(ada, name)).status, 422, name)
  assert.equal((await feature(ada, '')).status, 400)
  assert.equal((await ada.send('POST', '/api/v1/featured_tags', { json: {} })).status, 400)
})

test('a hashtag can be featured and unfeatured by name', async () => {
  const featured = (await ada.send('POST', `/api/v1/tags/Dogs${round}/feature`)).json
  assert.deepEqual([featured.name, featured.featuring], [`Dogs${round}`, true])
  assert.deepEqual(await names(ada), [`Dogs${round}`])
  assert.equal((await ada.send('POST', `/api/v1/tags/dogs${round}/unfeature`)).json.featuring, false)
  assert.equal((await ada.send('POST', `/api/v1/tags/dogs${round}/unfeature`)).status, 200)
  assert.deepEqual(await names(ada), [])
})

test('suggestions are up to ten hashtags of the last year that are not featured, the most used first', async () => {
  const t = round
  for (let i = 0; i < 11; i++) await post(ada, `#often${t} #n${i}of${t}`)
  for (let i = 0; i < 10; i++) await post(ada, `#often${t} #n${i}of${t} #shown${t}`)
  await feature(ada, `shown${t}`)
  const id = await post(bob, `#old${t}`)
  await post(bob, `#once${t}`)
  const longAgo = newId(new Date(Date.now() - 400 * 86_400_000))
  await server.database.raw(
    `begin; set local session_replication_role = replica; update statuses set id = ${longAgo} where id = ${id};
    update status_tags set status_id = ${longAgo} where status_id = ${id}; commit`,
  )
  const suggestedToBob = await bob.get('/api/v1/featured_tags/suggestions')
  assert.deepEqual(
    suggestedToBob.map(({ name }: any) => name),
    [`once${t}`],
  )
  const suggested = await ada.get('/api/v1/featured_tags/suggestions')
  assert.deepEqual(
    suggested.map(({ name }: any) => name),
    [`often${t}`, ...[9, 8, 7, 6, 5, 4, 3, 2, 1].map((i) => `n${i}of${t}`)],
  )
  assert.equal(suggested[0].history.length, 7)
})

test('featured hashtags federate as a collection of the actor, and changes are delivered', async () => {
  await post(ada, `#Cats${round}`)
  await feature(ada, `Cats${round}`)
  const headers = { accept: 'application/activity+json' }
  const actor = (await server.send('GET', `/users/${ada.username}`, { headers })).json
  assert.equal(actor.featuredTags, `${actor.id}/collections/tags`)
  const collection = (await server.send('GET', actor.featuredTags, { headers })).json
  assert.deepEqual([collection.id, collection.type, collection.totalItems], [actor.featuredTags, 'Collection', 1])
  assert.deepEqual(collection.items, [
    { type: 'Hashtag', href: `http://${server.domain}/@${ada.username}/tagged/cats${round}`, name: `#Cats${round}` },
  ])
  const page = await server.send('GET', new URL(collection.items[0].href).pathname)
  assert.equal(page.status, 200)
  assert.match(page.text, new RegExp(`Posts with #cats${round}`))
  assert.equal((await server.send('GET', '/users/nobody/collections/tags', { headers })).status, 404)

  const follower = await remoteAccount(server, `fan${round}`)
  await server.database.raw('insert into follows (account_id, target_account_id) values ($1, $2)', [follower, ada.id])
  const [featured] = await ada.get('/api/v1/featured_tags')
  await ada.delete(`/api/v1/featured_tags/${featured.id}`)
  await server.drain()
  const { rows } = await server.database.raw(
    'select body::jsonb as body from outbox_activities where account_id = $1 order by id desc limit 1',
    [ada.id],
  )
  const { type, object, target } = rows[0].body
  assert.deepEqual(
    [type, object.type, object.name, target],
    ['Remove', 'Hashtag', `#Cats${round}`, `${actor.id}/collections/featured`],
  )
})

test('a suspended account shows no featured hashtags', async () => {
  await feature(ada, 'cats')
  await server.database.raw('update accounts set suspended_at = now() where id = $1', [ada.id])
  assert.deepEqual((await server.send('GET', `/api/v1/accounts/${ada.id}/featured_tags`)).json, [])
})
