// Collections of accounts: §20 of the API's rules.
import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { block, deleteAccount } from '../support/acts.ts'
import { sql, newId } from '../support/database.ts'
import { remoteAccount } from '../support/remote.ts'
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
  ada = await server.person(`ada${round}`)
  ;[bob, cleo] = await Promise.all([featurable('bob'), featurable('cleo')])
})

/** A discoverable account. */
async function featurable(name: string): Promise<Person> {
  const person = await server.person(`${name}${round}`)
  await person.send('PATCH', '/api/v1/accounts/update_credentials', { json: { discoverable: true } })
  return person
}

/** Inserts discoverable accounts directly; they have no tokens. */
async function crowd(count: number): Promise<{ id: string }[]> {
  const ids = Array.from({ length: count }, () => newId())
  await server.ctx.db.run(sql`
    insert into accounts (id, username, discoverable) select id, 'm' || id, true from unnest(${ids}::bigint[]) id`)
  await server.ctx.db.run(sql`
    insert into users (id, account_id, email, password_hash, confirmed_at) select id, id, id || '@localhost', '', now() from unnest(${ids}::bigint[]) id`)
  return ids.map((id) => ({ id }))
}

const make = async (who: Person, json: object = {}): Promise<any> =>
  (await who.post('/api/v1/collections', { name: 'Friends', ...json })).collection
const see = (who: Person, id: string): Promise<any> => who.get(`/api/v1/collections/${id}`)
const add = (who: Person, id: string, accountId: unknown): Promise<Answer> =>
  who.send('POST', `/api/v1/collections/${id}/items`, { json: { account_id: accountId } })
const members = async (who: Person, id: string): Promise<string[]> =>
  (await see(who, id)).collection.items.map((item: any) => item.account_id)
const of = async (viewer: Person, who: { id: string }, query = ''): Promise<string[]> =>
  (await viewer.get(`/api/v1/accounts/${who.id}/collections${query}`)).collections.map(({ id }: any) => id)
const notificationsOf = (who: Person, type: string): Promise<any[]> => who.get(`/api/v1/notifications?types[]=${type}`)

test('a collection can be created with accounts, read without a token, changed and deleted', async () => {
  const wanted = {
    description: 'Who <writes> well',
    language: 'en',
    tag_name: '#Writing',
    sensitive: true,
    discoverable: false,
  }
  const collection = await make(ada, { ...wanted, name: ' Writers ', account_ids: [bob.id, cleo.id, bob.id] })
  const { items, created_at, updated_at, ...rest } = collection
  assert.deepEqual(rest, {
    id: collection.id,
    account_id: ada.id,
    uri: `http://${server.domain}/users/${ada.username}/collections/${collection.id}`,
    url: `http://${server.domain}/collections/${collection.id}`,
    name: 'Writers',
    description: '<p>Who &lt;writes&gt; well</p>',
    language: 'en',
    local: true,
    sensitive: true,
    discoverable: false,
    tag: { name: 'Writing', url: `http://${server.domain}/tags/writing` },
    item_count: 2,
  })
  assert.equal(created_at, updated_at)
  assert.deepEqual(
    items.map(({ account_id, state }: any) => [account_id, state]),
    [
      [bob.id, 'accepted'],
      [cleo.id, 'accepted'],
    ],
  )
  const anonymous = await server.send('GET', `/api/v1/collections/${collection.id}`)
  assert.deepEqual(anonymous.json.collection, collection)
  assert.deepEqual(
    anonymous.json.accounts.map(({ id }: any) => id),
    [ada.id, bob.id, cleo.id],
  )
  const changed = await ada.send('PATCH', `/api/v1/collections/${collection.id}`, {
    json: { name: 'Authors', tag_name: null, language: '', description: '' },
  })
  assert.deepEqual(
    [
      changed.json.collection.name,
      changed.json.collection.tag,
      changed.json.collection.language,
      changed.json.collection.description,
    ],
    ['Authors', null, null, ''],
  )
  assert.equal(changed.json.collection.sensitive, true, 'omitted members keep their value')
  const put = await ada.put(`/api/v1/collections/${collection.id}`, { discoverable: true })
  assert.deepEqual([put.collection.name, put.collection.discoverable], ['Authors', true])
  assert.deepEqual(await ada.delete(`/api/v1/collections/${collection.id}`), {})
  assert.equal((await ada.send('GET', `/api/v1/collections/${collection.id}`)).status, 404)
  assert.equal((await ada.send('DELETE', `/api/v1/collections/${collection.id}`)).status, 404)
  const plain = await make(ada)
  assert.deepEqual(
    [plain.sensitive, plain.discoverable, plain.language, plain.tag, plain.items],
    [false, true, null, null, []],
  )
})

test('an invalid collection is refused with errors per field', async () => {
  const { id } = await make(ada)
  for (const [wrong, field, code] of [
    [{ name: ' ' }, 'name', 'ERR_BLANK'],
    [{ name: 'x'.repeat(41) }, 'name', 'ERR_TOO_LONG'],
    [{ description: 'x'.repeat(101) }, 'description', 'ERR_TOO_LONG'],
    [{ language: 'no language' }, 'language', 'ERR_INVALID'],
    [{ tag_name: '12 3' }, 'tag_name', 'ERR_INVALID'],
  ] as const) {
    for (const [method, path] of [
      ['POST', '/api/v1/collections'],
      ['PATCH', `/api/v1/collections/${id}`],
    ] as const) {
      const answer = await ada.send(method, path, { json: { name: 'Fine', ...wrong } })
      assert.equal(answer.status, 422, JSON.stringify(wrong))
      assert.equal(answer.json.error.details[field][0].error, code)
      assert.match(answer.json.error.error, /^Validation failed: /)
      assert.deepEqual(Object.keys(answer.json), ['error'])
    }
  }
  const both = await ada.send('POST', '/api/v1/collections', { json: { description: 'x'.repeat(101) } })
  assert.deepEqual(Object.keys(both.json.error.details).toSorted(), ['description', 'name'])
  for (const wrong of [{ name: { a: 1 } }, { sensitive: [] }, { account_ids: { a: 1 } }]) {
    const answer = await ada.send('POST', '/api/v1/collections', { json: { name: 'Fine', ...wrong } })
    assert.deepEqual([answer.status, typeof answer.json.error.error], [422, 'string'], JSON.stringify(wrong))
  }
  const largest = await make(ada, { name: '🦉'.repeat(40), description: 'é'.repeat(100) })
  assert.equal([...largest.name].length, 40)
})

test('an account has at most ten collections, or as many as its role allows, also under concurrent requests', async () => {
  for (let i = 0; i < 9; i++) await make(ada)
  const answers = await Promise.all(
    [1, 2, 3].map(() => ada.send('POST', '/api/v1/collections', { json: { name: 'Last' } })),
  )
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 422, 422])
  const refused = answers.find(({ status }) => status === 422)
  assert.match(refused?.json.error.error, /maximum number of collections/)
  const { role } = await ada.get('/api/v1/accounts/verify_credentials')
  assert.equal(role.collection_limit, 10)
  await server.database.raw(`insert into roles (id, name, collection_limit) values ($1, 'Curator', 11)`, [1000 + round])
  await server.database.raw('update users set role_id = $1 where id = $2', [1000 + round, ada.userId])
  assert.equal((await ada.get('/api/v1/accounts/verify_credentials')).role.collection_limit, 11)
  await make(ada)
  assert.equal((await ada.send('POST', '/api/v1/collections', { json: { name: 'Last' } })).status, 422)
  assert.equal((await of(bob, ada)).length, 11)
})

test('accounts can be added one by one; each once, at most 25, also under concurrent requests', async () => {
  const { id } = await make(ada)
  const { json } = await add(ada, id, bob.id)
  assert.deepEqual([json.collection_item.account_id, json.collection_item.state], [bob.id, 'accepted'])
  assert.equal((await add(ada, id, bob.id)).status, 422)
  const missing = await ada.send('POST', `/api/v1/collections/${id}/items`, { json: {} })
  assert.deepEqual([missing.status, missing.json.error], [422, '`account_id` parameter is missing'])
  const twice = await Promise.all([1, 2, 3].map(() => add(ada, id, cleo.id)))
  assert.deepEqual(twice.map(({ status }) => status).toSorted(), [200, 422, 422])
  const more = await crowd(25)
  const tooMany = await ada.send('POST', '/api/v1/collections', {
    json: { name: 'All', account_ids: [bob, ...more].map((m) => m.id) },
  })
  assert.equal(tooMany.status, 422)
  assert.deepEqual(await of(ada, ada), [id], 'the refused collection was not created')
  const full = await make(ada, { account_ids: more.slice(2).map((m) => m.id) })
  const last = await Promise.all([bob, cleo, more[0]!, more[1]!].map((who) => add(ada, full.id, who.id)))
  assert.deepEqual(last.map(({ status }) => status).toSorted(), [200, 200, 422, 422])
  assert.equal((await see(ada, full.id)).collection.item_count, 25)
})

test('only discoverable local accounts that do not block the owner can be added to a collection', async () => {
  const shy = await server.person(`shy${round}`)
  const { id } = await make(ada)
  assert.deepEqual((await ada.get(`/api/v1/accounts/${shy.id}`)).feature_approval, {
    automatic: [],
    manual: [],
    current_user: 'denied',
  })
  assert.deepEqual((await ada.get(`/api/v1/accounts/${bob.id}`)).feature_approval, {
    automatic: ['public'],
    manual: [],
    current_user: 'automatic',
  })
  assert.equal((await add(ada, id, shy.id)).status, 403)
  const mixed = await ada.send('POST', '/api/v1/collections', {
    json: { name: 'Mixed', account_ids: [bob.id, shy.id] },
  })
  assert.equal(mixed.status, 403)
  const far = await remoteAccount(server, `far${round}`, 'far.test', { discoverable: true })
  assert.equal((await ada.get(`/api/v1/accounts/${far}`)).feature_approval.current_user, 'missing')
  assert.equal((await add(ada, id, far)).status, 403)
  await block(server.ctx, { accountId: bob.id, targetAccountId: ada.id })
  assert.equal((await add(ada, id, bob.id)).status, 403)
  await server.database.raw('update accounts set suspended_at = now() where id = $1', [cleo.id])
  for (const unavailable of [cleo.id, '1', 'nonsense']) assert.equal((await add(ada, id, unavailable)).status, 404)
  assert.deepEqual(await of(ada, ada), [id])
  assert.deepEqual(await members(ada, id), [])
})

test('the owner can add a removed account again, but not an account that removed itself', async () => {
  const collection = await make(ada, { account_ids: [bob.id, cleo.id] })
  const [bobs, cleos] = collection.items
  const item = (who: Person, method: string, path: string): Promise<Answer> =>
    who.send(method, `/api/v1/collections/${collection.id}/items/${path}`)
  assert.equal((await item(cleo, 'POST', `${bobs.id}/revoke`)).status, 404)
  assert.equal((await item(ada, 'POST', `${bobs.id}/revoke`)).status, 404)
  assert.equal((await item(bob, 'DELETE', bobs.id)).status, 404)
  assert.deepEqual((await item(bob, 'POST', `${bobs.id}/revoke`)).json, {})
  assert.deepEqual((await item(bob, 'POST', `${bobs.id}/revoke`)).json, {}, 'revoking twice succeeds')
  assert.deepEqual(await members(ada, collection.id), [cleo.id])
  assert.equal((await see(ada, collection.id)).collection.item_count, 1)
  assert.equal((await item(ada, 'DELETE', bobs.id)).status, 404)
  assert.equal((await add(ada, collection.id, bob.id)).status, 403)
  assert.deepEqual((await item(ada, 'DELETE', cleos.id)).json, {})
  assert.equal((await item(ada, 'DELETE', cleos.id)).status, 404)
  assert.deepEqual(await members(ada, collection.id), [])
  assert.equal((await add(ada, collection.id, cleo.id)).status, 200, 'a removed account can be added again')
  const other = await make(ada)
  assert.equal((await ada.send('DELETE', `/api/v1/collections/${other.id}/items/${cleos.id}`)).status, 404)
})

test('the collections of an account are public, the list of collections that contain an account is for that account only', async () => {
  const open = await make(ada, { account_ids: [bob.id] })
  const hidden = await make(ada, { discoverable: false, account_ids: [bob.id] })
  const latest = await make(ada)
  assert.deepEqual(await of(ada, ada), [latest.id, hidden.id, open.id])
  assert.deepEqual(await of(bob, ada), [latest.id, open.id])
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
  assert.deepEqual(await of(bob, ada, '?offset=5'), [])
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
  const adas = await make(ada, { account_ids: [bob.id, cleo.id] })
  const bobs = await make(bob, { account_ids: [cleo.id] })
  await ada.send('PATCH', '/api/v1/accounts/update_credentials', { json: { discoverable: true } })
  await add(bob, bobs.id, ada.id)
  await block(server.ctx, { accountId: bob.id, targetAccountId: ada.id })
  assert.deepEqual(await members(cleo, adas.id), [cleo.id])
  assert.deepEqual(await members(cleo, bobs.id), [cleo.id])
  assert.equal((await ada.send('GET', `/api/v1/collections/${bobs.id}`)).status, 404)
  assert.deepEqual(await of(ada, bob), [])
  assert.equal((await bob.send('GET', `/api/v1/collections/${adas.id}`)).status, 200)
  await bob.post(`/api/v1/accounts/${ada.id}/unblock`)
  assert.equal((await add(ada, adas.id, bob.id)).status, 403, 'an account that blocked the owner cannot be added again')
  assert.equal((await add(bob, bobs.id, ada.id)).status, 200)
  const third = await make(ada)
  await Promise.all([add(ada, third.id, bob.id), block(server.ctx, { accountId: bob.id, targetAccountId: ada.id })])
  assert.deepEqual(await members(cleo, third.id), [], 'a concurrent block wins over adding the account')
})

test('collections hide accounts that the viewer blocks and suspended accounts', async () => {
  const { id } = await make(ada, { account_ids: [bob.id, cleo.id] })
  const dan = await server.person(`dan${round}`)
  await block(server.ctx, { accountId: dan.id, targetAccountId: bob.id })
  assert.deepEqual(await members(dan, id), [cleo.id])
  assert.deepEqual(
    (await see(dan, id)).accounts.map((account: any) => account.id),
    [ada.id, cleo.id],
  )
  await server.database.raw('update accounts set suspended_at = now() where id = $1', [cleo.id])
  assert.deepEqual(await members(ada, id), [bob.id])
  await server.database.raw('update accounts set suspended_at = now() where id = $1', [ada.id])
  assert.equal((await server.send('GET', `/api/v1/collections/${id}`)).status, 404)
  assert.deepEqual((await dan.get(`/api/v1/accounts/${ada.id}/collections`)).collections, [])
})

test('accounts are notified when they are added to a collection and when it is renamed', async () => {
  const { id } = await make(ada, { account_ids: [bob.id] })
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
  const [item] = (await see(ada, id)).collection.items
  await ada.delete(`/api/v1/collections/${id}/items/${item.id}`)
  assert.deepEqual(await notificationsOf(bob, 'added_to_collection'), [])
  await add(ada, id, cleo.id)
  assert.equal((await notificationsOf(cleo, 'added_to_collection')).length, 1)
  await ada.delete(`/api/v1/collections/${id}`)
  assert.deepEqual(await notificationsOf(cleo, 'added_to_collection'), [])
})

test('a post that links to a collection lists it in `tagged_collections`', async () => {
  const { id, url } = await make(ada, { account_ids: [bob.id] })
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
  const [home] = await ada.get(`/api/v1/accounts/${ada.id}/statuses?max_id=${plain.id}`)
  assert.equal(home.tagged_collections.length, 1)
  await ada.delete(`/api/v1/collections/${id}`)
  assert.deepEqual((await bob.get(`/api/v1/statuses/${post.id}`)).tagged_collections, [])
})

test('a collection has a web page', async () => {
  const { id, uri } = await make(ada, {
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

test('collections can be changed by their owner only and with the right scope', async () => {
  const collection = await make(ada, { account_ids: [bob.id] })
  const reading = await server.token({ userId: ada.userId, scopes: ['read:collections', 'write:lists'] })
  const writing = await server.token({ userId: ada.userId, scopes: ['write:collections', 'read:lists'] })
  for (const [method, path, json] of [
    ['POST', '', { name: 'Mine' }],
    ['PATCH', `/${collection.id}`, { name: 'Mine' }],
    ['DELETE', `/${collection.id}`, undefined],
    ['POST', `/${collection.id}/items`, { account_id: cleo.id }],
    ['DELETE', `/${collection.id}/items/${collection.items[0].id}`, undefined],
    ['POST', `/${collection.id}/items/${collection.items[0].id}/revoke`, {}],
  ] as const) {
    const address = `/api/v1/collections${path}`
    const body = json === undefined ? {} : { json }
    if (path !== '') assert.equal((await cleo.send(method, address, body)).status, 404, `${method} ${path}`)
    assert.equal((await server.send(method, address, body)).status, 401, `${method} ${path}`)
    assert.equal((await server.send(method, address, { ...body, token: reading })).status, 403, `${method} ${path}`)
  }
  for (const path of [
    `collections/${collection.id}`,
    `accounts/${ada.id}/collections`,
    `accounts/${ada.id}/in_collections`,
  ]) {
    assert.equal((await server.send('GET', `/api/v1/${path}`, { token: writing })).status, 403, path)
    assert.equal((await server.send('GET', `/api/v1/${path}`, { token: reading })).status, 200, path)
  }
  assert.equal((await server.send('GET', `/api/v1/accounts/${ada.id}/in_collections`)).status, 401)
  assert.equal((await see(ada, collection.id)).collection.name, 'Friends')
})

test('deleting an account deletes its collections and its entries in others', async () => {
  const adas = await make(ada, { account_ids: [bob.id] })
  const bobs = await make(bob)
  await deleteAccount(server.ctx, bob.id)
  assert.deepEqual(await members(ada, adas.id), [])
  assert.equal((await ada.send('GET', `/api/v1/collections/${bobs.id}`)).status, 404)
  const { n } = await server.ctx.db.one<{ n: number }>(sql`
    select (select count(*) from collections where account_id = ${bob.id})::int + (select count(*) from collection_items where account_id = ${bob.id})::int as n`)
  assert.equal(n, 0)
})

test('email subscriptions return 404 for every account', async () => {
  for (const who of [ada.id, '1']) {
    const answer = await server.send('POST', `/api/v1/accounts/${who}/email_subscriptions`, {
      json: { email: 'x@y.test' },
    })
    assert.equal(answer.status, 404)
  }
})
