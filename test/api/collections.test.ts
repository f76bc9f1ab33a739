// Collections: creation, limits and members (§20 of the API's rules).
import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { block } from '../support/acts.ts'
import {
  addAccount,
  collectionIds,
  createCollection,
  discoverablePerson,
  memberIds,
  readCollection,
} from '../support/collections.ts'
import { newId, sql } from '../support/database.ts'
import { remoteAccount } from '../support/remote.ts'
import { type Answer, type Person } from '../support/server.ts'
import { stage } from '../support/stage.ts'

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

/** Inserts discoverable accounts directly; they have no tokens. */
async function crowd(count: number): Promise<{ id: string }[]> {
  const ids = Array.from({ length: count }, () => newId())
  await server.ctx.db.run(sql`
    insert into accounts (id, username, discoverable) select id, 'm' || id, true from unnest(${ids}::bigint[]) id`)
  await server.ctx.db.run(sql`
    insert into users (id, account_id, email, password_hash, confirmed_at) select id, id, id || '@localhost', '', now() from unnest(${ids}::bigint[]) id`)
  return ids.map((id) => ({ id }))
}

test('a collection can be created with accounts, read without a token, changed and deleted', async () => {
  const wanted = {
    description: 'Who <writes> well',
    language: 'en',
    tag_name: '#Writing',
    sensitive: true,
    discoverable: false,
  }
  const collection = await createCollection(ada, {
    ...wanted,
    name: ' Writers ',
    account_ids: [bob.id, cleo.id, bob.id],
  })
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
  const plain = await createCollection(ada)
  assert.deepEqual(
    [plain.sensitive, plain.discoverable, plain.language, plain.tag, plain.items],
    [false, true, null, null, []],
  )
})

test('an invalid collection is refused with errors per field', async () => {
  const { id } = await createCollection(ada)
  await server.ctx.db.run(sql`insert into tags (name, display_name, usable) values ('barred', 'barred', false)`)
  for (const [wrong, field, code] of [
    [{ name: ' ' }, 'name', 'ERR_BLANK'],
    [{ name: 'x'.repeat(41) }, 'name', 'ERR_TOO_LONG'],
    [{ name: 'Fine', description: 'x'.repeat(101) }, 'description', 'ERR_TOO_LONG'],
    [{ name: 'Fine', language: 'no language' }, 'language', 'ERR_INVALID'],
    [{ name: 'Fine', tag_name: '12 3' }, 'tag_name', 'ERR_INVALID'],
    [{ name: 'Fine', tag_name: '#Barred' }, 'tag_name', 'ERR_INVALID'],
  ] as const) {
    for (const [method, path] of [
      ['POST', '/api/v1/collections'],
      ['PATCH', `/api/v1/collections/${id}`],
    ] as const) {
      const answer = await ada.send(method, path, { json: wrong })
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
  const largest = await createCollection(ada, { name: '🦉'.repeat(40), description: 'é'.repeat(100) })
  assert.equal([...largest.name].length, 40)
})

test('an account has at most ten collections, or as many as its role allows, also under concurrent requests', async () => {
  for (let i = 0; i < 9; i++) await createCollection(ada)
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
  await createCollection(ada)
  assert.equal((await ada.send('POST', '/api/v1/collections', { json: { name: 'Last' } })).status, 422)
  assert.equal((await collectionIds(bob, ada)).length, 11)
})

test('accounts can be added one by one; each once, at most 25, also under concurrent requests', async () => {
  const { id } = await createCollection(ada)
  const { json } = await addAccount(ada, id, bob.id)
  assert.deepEqual([json.collection_item.account_id, json.collection_item.state], [bob.id, 'accepted'])
  assert.equal((await addAccount(ada, id, bob.id)).status, 422)
  const missing = await ada.send('POST', `/api/v1/collections/${id}/items`, { json: {} })
  assert.deepEqual([missing.status, missing.json.error], [422, '`account_id` parameter is missing'])
  const twice = await Promise.all([1, 2, 3].map(() => addAccount(ada, id, cleo.id)))
  assert.deepEqual(twice.map(({ status }) => status).toSorted(), [200, 422, 422])
  const more = await crowd(25)
  const tooMany = await ada.send('POST', '/api/v1/collections', {
    json: { name: 'All', account_ids: [bob, ...more].map((m) => m.id) },
  })
  assert.equal(tooMany.status, 422)
  assert.deepEqual(await collectionIds(ada, ada), [id], 'the refused collection was not created')
  const full = await createCollection(ada, { account_ids: more.slice(2).map((m) => m.id) })
  const last = await Promise.all([bob, cleo, more[0]!, more[1]!].map((who) => addAccount(ada, full.id, who.id)))
  assert.deepEqual(last.map(({ status }) => status).toSorted(), [200, 200, 422, 422])
  assert.equal((await readCollection(ada, full.id)).collection.item_count, 25)
})

test('only discoverable local accounts that do not block the owner can be added to a collection', async () => {
  const shy = await server.person(`shy${round}`)
  const { id } = await createCollection(ada)
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
  assert.equal((await addAccount(ada, id, shy.id)).status, 403)
  const mixed = await ada.send('POST', '/api/v1/collections', {
    json: { name: 'Mixed', account_ids: [bob.id, shy.id] },
  })
  assert.equal(mixed.status, 403)
  const far = await remoteAccount(server, `far${round}`, 'far.test', { discoverable: true })
  assert.equal((await ada.get(`/api/v1/accounts/${far}`)).feature_approval.current_user, 'missing')
  assert.equal((await addAccount(ada, id, far)).status, 403)
  await block(server.ctx, { accountId: bob.id, targetAccountId: ada.id })
  assert.equal((await addAccount(ada, id, bob.id)).status, 403)
  await server.database.raw('update accounts set suspended_at = now() where id = $1', [cleo.id])
  for (const unavailable of [cleo.id, '1', 'nonsense'])
    assert.equal((await addAccount(ada, id, unavailable)).status, 404)
  assert.deepEqual(await collectionIds(ada, ada), [id])
  assert.deepEqual(await memberIds(ada, id), [])
})

test('a locked account can be added to collections by its followers and by itself', async () => {
  const locked = await discoverablePerson(server, `locked${round}`)
  await locked.send('PATCH', '/api/v1/accounts/update_credentials', { json: { locked: true } })
  assert.deepEqual((await ada.get(`/api/v1/accounts/${locked.id}`)).feature_approval, {
    automatic: ['followers'],
    manual: [],
    current_user: 'unknown',
  })
  const { id } = await createCollection(ada)
  assert.equal((await addAccount(ada, id, locked.id)).status, 403)
  await ada.post(`/api/v1/accounts/${locked.id}/follow`)
  assert.equal((await addAccount(ada, id, locked.id)).status, 403)
  await locked.post(`/api/v1/follow_requests/${ada.id}/authorize`)
  assert.equal((await addAccount(ada, id, locked.id)).status, 200)
  assert.equal((await createCollection(locked, { account_ids: [locked.id] })).item_count, 1)
})

test('the owner can add a removed account again, but not an account that removed itself', async () => {
  const collection = await createCollection(ada, { account_ids: [bob.id, cleo.id] })
  const [bobs, cleos] = collection.items
  const item = (who: Person, method: string, path: string): Promise<Answer> =>
    who.send(method, `/api/v1/collections/${collection.id}/items/${path}`)
  assert.equal((await item(cleo, 'POST', `${bobs.id}/revoke`)).status, 403)
  assert.equal((await item(ada, 'POST', `${bobs.id}/revoke`)).status, 403)
  assert.equal((await item(cleo, 'POST', '1/revoke')).status, 404)
  assert.equal((await item(bob, 'DELETE', bobs.id)).status, 403)
  assert.deepEqual((await item(bob, 'POST', `${bobs.id}/revoke`)).json, {})
  assert.deepEqual((await item(bob, 'POST', `${bobs.id}/revoke`)).json, {}, 'revoking twice succeeds')
  assert.deepEqual(await memberIds(ada, collection.id), [cleo.id])
  assert.equal((await readCollection(ada, collection.id)).collection.item_count, 1)
  assert.equal((await item(ada, 'DELETE', bobs.id)).status, 404)
  assert.equal((await addAccount(ada, collection.id, bob.id)).status, 403)
  assert.deepEqual((await item(ada, 'DELETE', cleos.id)).json, {})
  assert.equal((await item(ada, 'DELETE', cleos.id)).status, 404)
  assert.deepEqual(await memberIds(ada, collection.id), [])
  assert.equal((await addAccount(ada, collection.id, cleo.id)).status, 200, 'a removed account can be added again')
  const other = await createCollection(ada)
  assert.equal((await ada.send('DELETE', `/api/v1/collections/${other.id}/items/${cleos.id}`)).status, 404)
})
