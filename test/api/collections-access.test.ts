// Collections: who sees them, notifications, pages and scopes (§20 of the API's rules).
import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { block, deleteAccount } from '../support/acts.ts'
import {
  addAccount,
  collectionIds,
  createCollection,
  discoverablePerson,
  memberIds,
  readCollection,
} from '../support/collections.ts'
import { sql } from '../support/database.ts'
import { signedIn } from '../support/forms.ts'
import { type Answer, type Person } from '../support/server.ts'
import { stage } from '../support/stage.ts'
import { links } from '../support/timelines.ts'

let ada: Person
let bob: Person
let cleo: Person
let round = 0
const { server } = await stage()
beforeEach(async () => {
  round++
  const discoverable = (name: string): Promise<Person> => discoverablePerson(server, `${name}${round}`)
  ada = await server.person(`ada${round}`)
  ;[bob, cleo] = await Promise.all([discoverable('bob'), discoverable('cleo')])
})

const notificationsOf = (who: Person, type: string): Promise<any[]> => who.get(`/api/v1/notifications?types[]=${type}`)

test('the collections of an account are public, the list of collections that contain an account is for that account only', async () => {
  const open = await createCollection(ada, { account_ids: [bob.id] })
  const hidden = await createCollection(ada, { discoverable: false, account_ids: [bob.id] })
  const latest = await createCollection(ada)
  assert.deepEqual(await collectionIds(ada, ada), [latest.id, hidden.id, open.id])
  assert.deepEqual(await collectionIds(bob, ada), [latest.id, open.id])
  const page = await server.send('GET', `/api/v1/accounts/${ada.id}/collections?limit=1`)
  assert.deepEqual(
    page.json.collections.map(({ id }: any) => id),
    [latest.id],
  )
  assert.match(links(page.headers).next ?? '', /limit=1&offset=1$/)
  const second = await server.send('GET', links(page.headers).next as string)
  assert.deepEqual(
    second.json.collections.map(({ id }: any) => id),
    [open.id],
  )
  assert.match(links(second.headers).prev ?? '', /offset=0$/)
  assert.deepEqual(await collectionIds(bob, ada, '?offset=5'), [])
  const inCollections = (who: Person, id: string, query = ''): Promise<Answer> =>
    who.send('GET', `/api/v1/accounts/${id}/in_collections${query}`)
  const mine = await inCollections(bob, bob.id)
  assert.deepEqual(
    mine.json.collections.map(({ id }: any) => id),
    [hidden.id, open.id],
  )
  assert.match((await inCollections(bob, bob.id, '?limit=1')).headers.get('link') ?? '', /offset=1>; rel="next"/)
  assert.equal((await inCollections(ada, bob.id)).status, 403)
  assert.equal((await inCollections(ada, '1')).status, 404)
  assert.equal((await ada.send('GET', '/api/v1/accounts/1/collections')).status, 404)
  const alpha = await bob.send('GET', `/api/v1_alpha/accounts/${bob.id}/in_collections`)
  assert.deepEqual([alpha.json, alpha.headers.get('deprecation')], [mine.json, '@1781049600'])
  assert.equal((await server.send('GET', `/api/v1_alpha/accounts/${ada.id}/collections`)).json.collections.length, 2)
})

test('a block removes each account from the collections of the other and hides those of the blocker', async () => {
  const adas = await createCollection(ada, { account_ids: [bob.id, cleo.id] })
  const bobs = await createCollection(bob, { account_ids: [cleo.id] })
  await ada.send('PATCH', '/api/v1/accounts/update_credentials', { json: { discoverable: true } })
  await addAccount(bob, bobs.id, ada.id)
  await block(server.ctx, { accountId: bob.id, targetAccountId: ada.id })
  assert.deepEqual(await memberIds(cleo, adas.id), [cleo.id])
  assert.deepEqual(await memberIds(cleo, bobs.id), [cleo.id])
  assert.equal((await ada.send('GET', `/api/v1/collections/${bobs.id}`)).status, 404)
  const tab = await signedIn(server, ada)
  await tab.get('/?client=off')
  assert.equal((await tab.get(`/collections/${bobs.id}`)).status, 404)
  assert.deepEqual(await collectionIds(ada, bob), [])
  assert.equal((await bob.send('GET', `/api/v1/collections/${adas.id}`)).status, 200)
  await bob.post(`/api/v1/accounts/${ada.id}/unblock`)
  assert.equal(
    (await addAccount(ada, adas.id, bob.id)).status,
    403,
    'an account that blocked the owner cannot be added again',
  )
  assert.equal((await addAccount(bob, bobs.id, ada.id)).status, 200)
  const third = await createCollection(ada)
  await Promise.all([
    addAccount(ada, third.id, bob.id),
    block(server.ctx, { accountId: bob.id, targetAccountId: ada.id }),
  ])
  assert.deepEqual(await memberIds(cleo, third.id), [], 'a concurrent block wins over adding the account')
})

test('an account that the owner blocks gets a 404 when it changes a collection', async () => {
  const { id, items } = await createCollection(ada, { account_ids: [bob.id] })
  const item = `${id}/items/${items[0].id}`
  await block(server.ctx, { accountId: ada.id, targetAccountId: cleo.id })
  for (const [method, path, json] of [
    ['PATCH', id, { name: 'Mine' }],
    ['DELETE', id, {}],
    ['POST', `${id}/items`, { account_id: cleo.id }],
    ['DELETE', item, {}],
    ['POST', `${item}/revoke`, {}],
  ] as const)
    assert.equal((await cleo.send(method, `/api/v1/collections/${path}`, { json })).status, 404, `${method} ${path}`)
  assert.deepEqual(await memberIds(ada, id), [bob.id])
})

test('an account cannot learn who is hidden from it in a collection by revoking their items', async () => {
  const { id, items } = await createCollection(ada, { account_ids: [bob.id] })
  await block(server.ctx, { accountId: bob.id, targetAccountId: cleo.id })
  assert.equal((await cleo.send('POST', `/api/v1/collections/${id}/items/${items[0].id}/revoke`)).status, 404)
})

test('collections hide accounts that the viewer blocks and suspended accounts', async () => {
  const { id } = await createCollection(ada, { account_ids: [bob.id, cleo.id] })
  const dan = await server.person(`dan${round}`)
  await block(server.ctx, { accountId: dan.id, targetAccountId: bob.id })
  assert.deepEqual(await memberIds(dan, id), [cleo.id])
  assert.deepEqual(
    (await readCollection(dan, id)).accounts.map((account: any) => account.id),
    [ada.id, cleo.id],
  )
  await server.database.raw('update accounts set suspended_at = now() where id = $1', [cleo.id])
  assert.deepEqual(await memberIds(ada, id), [bob.id])
  await server.database.raw('update accounts set suspended_at = now() where id = $1', [ada.id])
  assert.equal((await server.send('GET', `/api/v1/collections/${id}`)).status, 404)
  assert.deepEqual((await dan.get(`/api/v1/accounts/${ada.id}/collections`)).collections, [])
})

test('accounts are notified when they are added to a collection and when it is renamed', async () => {
  const { id } = await createCollection(ada, { account_ids: [bob.id] })
  const [added] = await notificationsOf(bob, 'added_to_collection')
  assert.equal(added.account.id, ada.id)
  assert.deepEqual([added.collection.id, added.collection.name], [id, 'Friends'])
  const rename = (name: string): Promise<unknown> => ada.put(`/api/v1/collections/${id}`, { name })
  await ada.put(`/api/v1/collections/${id}`, { discoverable: false, name: 'Friends' })
  assert.deepEqual(await notificationsOf(bob, 'collection_update'), [])
  await rename('Dear friends')
  await rename('Best friends')
  const updates = await notificationsOf(bob, 'collection_update')
  assert.deepEqual(
    updates.map(({ collection }) => collection.name),
    ['Best friends'],
  )
  const grouped = await bob.get('/api/v2/notifications?types[]=added_to_collection')
  assert.equal(grouped.notification_groups[0].collection.id, id)
  assert.deepEqual(await notificationsOf(ada, 'added_to_collection'), [])
  const [item] = (await readCollection(ada, id)).collection.items
  await ada.delete(`/api/v1/collections/${id}/items/${item.id}`)
  assert.deepEqual(await notificationsOf(bob, 'added_to_collection'), [])
  await addAccount(ada, id, cleo.id)
  assert.equal((await notificationsOf(cleo, 'added_to_collection')).length, 1)
  await ada.delete(`/api/v1/collections/${id}`)
  assert.deepEqual(await notificationsOf(cleo, 'added_to_collection'), [])
})

test('a post that links to a collection lists it in `tagged_collections`', async () => {
  const { id, url } = await createCollection(ada, { account_ids: [bob.id] })
  const post = await ada.post('/api/v1/statuses', {
    status: `Look: ${url} and http://elsewhere.test/collections/${id}`,
  })
  assert.deepEqual(
    post.tagged_collections.map((each: any) => [each.id, each.name, each.item_count]),
    [[id, 'Friends', 1]],
  )
  await ada.put(`/api/v1/collections/${id}`, { name: 'Renamed' })
  const boost = await bob.post(`/api/v1/statuses/${post.id}/reblog`)
  assert.equal(boost.reblog.tagged_collections[0].name, 'Renamed', 'the current name')
  const plain = await ada.post('/api/v1/statuses', { status: 'http://elsewhere.test/collections/1' })
  assert.deepEqual(plain.tagged_collections, [])
  const [listed] = await ada.get(`/api/v1/accounts/${ada.id}/statuses?max_id=${plain.id}`)
  assert.equal(listed.tagged_collections.length, 1)
  await ada.delete(`/api/v1/collections/${id}`)
  assert.deepEqual((await bob.get(`/api/v1/statuses/${post.id}`)).tagged_collections, [])
})

test('a collection has a web page', async () => {
  const { id, uri } = await createCollection(ada, {
    name: 'Birds <3',
    description: 'Fly',
    tag_name: 'birds',
    account_ids: [bob.id],
  })
  const page = await server.send('GET', `/collections/${id}`, { headers: { accept: 'text/html' } })
  assert.equal(page.status, 200)
  assert.match(page.text, /<h1><bdi>Birds &lt;3<\/bdi><\/h1>/)
  assert.match(page.text, new RegExp(`@${bob.username}@`))
  assert.match(page.text, /<p>Fly<\/p>/)
  const other = await server.send('GET', new URL(uri).pathname, { headers: { accept: 'text/html' } })
  assert.deepEqual([other.status, new URL(other.headers.get('location') ?? '').pathname], [302, `/collections/${id}`])
  for (const path of ['/collections/1', '/collections/nonsense', `/users/${ada.username}/collections/1`])
    assert.equal((await server.send('GET', path, { headers: { accept: 'text/html' } })).status, 404)
})

test('collections can be changed by their owner only', async () => {
  const collection = await createCollection(ada, { account_ids: [bob.id] })
  for (const [method, path, json] of [
    ['PATCH', '', { name: 'Mine' }],
    ['DELETE', '', undefined],
    ['POST', '/items', { account_id: cleo.id }],
    ['DELETE', `/items/${collection.items[0].id}`, undefined],
    ['POST', `/items/${collection.items[0].id}/revoke`, {}],
  ] as const) {
    const address = `/api/v1/collections/${collection.id}${path}`
    const body = json === undefined ? {} : { json }
    assert.equal((await cleo.send(method, address, body)).status, 403, `${method} ${path}`)
  }
  assert.equal((await readCollection(ada, collection.id)).collection.name, 'Friends')
})

test('deleting an account deletes its collections and its entries in others', async () => {
  const adas = await createCollection(ada, { account_ids: [bob.id] })
  const bobs = await createCollection(bob)
  await deleteAccount(server.ctx, bob.id)
  assert.deepEqual(await memberIds(ada, adas.id), [])
  assert.equal((await ada.send('GET', `/api/v1/collections/${bobs.id}`)).status, 404)
  const { n } = await server.ctx.db.one<{ n: number }>(sql`
    select (select count(*) from collections where account_id = ${bob.id})::int + (select count(*) from collection_items where account_id = ${bob.id})::int as n`)
  assert.equal(n, 0)
})
