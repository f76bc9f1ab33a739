// Lists: creating them, their members, and what happens to members when follows end.
import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { block, deleteAccount, rejectFollow } from '../support/acts.ts'
import { type Person } from '../support/server.ts'
import { stage } from '../support/stage.ts'
import { follow, links, remoteAuthor } from '../support/timelines.ts'

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

const make = async (who: Person, options: object = {}): Promise<any> =>
  who.post('/api/v1/lists', { title: 'Friends', ...options })
const add = (who: Person, list: { id: string }, ...ids: string[]) =>
  who.send('POST', `/api/v1/lists/${list.id}/accounts`, { json: { account_ids: ids } })
const members = async (who: Person, list: { id: string }, query = ''): Promise<string[]> =>
  (await who.get(`/api/v1/lists/${list.id}/accounts${query}`)).map(({ id }: any) => id)

test('a list is created, read, updated and deleted', async () => {
  const list = await ada.client.v1.lists.create({ title: 'Friends' })
  assert.deepEqual({ ...list }, { id: list.id, title: 'Friends', repliesPolicy: 'list', exclusive: false })
  const second = await make(ada, { title: ' Work ', replies_policy: 'none', exclusive: true })
  assert.deepEqual(second, { id: second.id, title: 'Work', replies_policy: 'none', exclusive: true })
  assert.deepEqual(
    (await ada.get('/api/v1/lists')).map(({ id }: any) => id),
    [list.id, second.id],
  )
  assert.deepEqual(await ada.get(`/api/v1/lists/${second.id}`), second)
  const changed = await ada.put(`/api/v1/lists/${second.id}`, { title: 'Colleagues', replies_policy: 'followed' })
  assert.deepEqual(changed, { id: second.id, title: 'Colleagues', replies_policy: 'followed', exclusive: true })
  assert.equal(
    (await ada.send('PATCH', `/api/v1/lists/${second.id}`, { form: { exclusive: 'false', title: 'C' } })).json
      .exclusive,
    false,
  )
  assert.deepEqual(await ada.delete(`/api/v1/lists/${second.id}`), {})
  assert.equal((await ada.send('GET', `/api/v1/lists/${second.id}`)).status, 404)
  assert.equal((await ada.send('DELETE', `/api/v1/lists/${second.id}`)).status, 404)
})

test('an invalid title or replies policy of a list is refused with 422', async () => {
  const { id } = await make(ada)
  for (const wrong of [
    { replies_policy: 'everybody' },
    { replies_policy: { a: 1 } },
    { title: '  ' },
    { title: 'x'.repeat(257) },
  ]) {
    for (const [method, path] of [
      ['POST', '/api/v1/lists'],
      ['PUT', `/api/v1/lists/${id}`],
    ] as const) {
      const answer = await ada.send(method, path, { json: { title: 'Fine', ...wrong } })
      assert.equal(answer.status, 422, JSON.stringify(wrong))
      assert.equal(typeof answer.json.error, 'string')
    }
  }
  assert.equal((await ada.send('POST', '/api/v1/lists', { json: {} })).status, 422)
  assert.deepEqual(await ada.get(`/api/v1/lists/${id}`), {
    id,
    title: 'Friends',
    replies_policy: 'list',
    exclusive: false,
  })
})

test('an account has at most fifty lists, also with concurrent requests', async () => {
  for (let i = 0; i < 49; i++) await make(ada)
  const answers = await Promise.all([1, 2, 3].map(() => ada.send('POST', '/api/v1/lists', { json: { title: 'Last' } })))
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 422, 422])
  const answer = await ada.send('GET', '/api/v1/lists?limit=2')
  assert.equal(answer.json.length, 50)
  assert.equal(answer.headers.get('link'), null)
})

test('a list is accessible only to its owner', async () => {
  await follow(server, bob, cleo)
  const list = await make(ada)
  for (const [method, path, json] of [
    ['GET', '', undefined],
    ['PUT', '', { title: 'Mine' }],
    ['DELETE', '', undefined],
    ['GET', '/accounts', undefined],
    ['POST', '/accounts', { account_ids: [cleo.id] }],
    ['DELETE', '/accounts', { account_ids: [cleo.id] }],
    ['DELETE', '/accounts', {}],
  ] as const) {
    const body = json === undefined ? {} : { json }
    assert.equal((await bob.send(method, `/api/v1/lists/${list.id}${path}`, body)).status, 404, `${method} ${path}`)
  }
  assert.equal((await bob.send('GET', `/api/v1/timelines/list/${list.id}`)).status, 404)
  assert.equal((await ada.send('GET', '/api/v1/timelines/list/nonsense')).status, 404)
  assert.deepEqual(await bob.get('/api/v1/lists'), [])
})

test('followed accounts, requested accounts and the owner can be added to a list, all or none', async () => {
  await follow(server, ada, bob)
  const list = await make(ada)
  assert.equal((await add(ada, list, bob.id, cleo.id)).status, 404)
  assert.deepEqual(await members(ada, list), [])
  await cleo.send('PATCH', '/api/v1/accounts/update_credentials', { json: { locked: true } })
  await follow(server, ada, cleo)
  assert.deepEqual((await add(ada, list, bob.id, cleo.id)).json, {})
  assert.equal((await add(ada, list, ada.id)).status, 200)
  assert.deepEqual(await members(ada, list), [ada.id, bob.id, cleo.id])
  const again = await add(ada, list, cleo.id)
  assert.deepEqual([again.status, again.json.error], [422, 'Validation failed: Account has already been taken'])
  assert.equal((await add(ada, list, '0')).status, 404)
  assert.equal((await add(ada, list, 'nonsense')).status, 404)
  assert.equal(
    (await ada.send('POST', `/api/v1/lists/${list.id}/accounts`, { json: { account_ids: { a: 1 } } })).status,
    422,
  )
  assert.equal((await ada.send('POST', `/api/v1/lists/${list.id}/accounts`, { json: {} })).status, 400)
  assert.deepEqual(
    (await ada.get(`/api/v1/accounts/${bob.id}/lists`)).map(({ id }: any) => id),
    [list.id],
  )
  assert.deepEqual(await bob.get(`/api/v1/accounts/${bob.id}/lists`), [])
  assert.equal((await ada.send('GET', '/api/v1/accounts/1/lists')).status, 404)
  const gone = await ada.send('DELETE', `/api/v1/lists/${list.id}/accounts`, {
    form: new URLSearchParams([
      ['account_ids[]', bob.id],
      ['account_ids[]', '1'],
    ]),
  })
  assert.deepEqual([gone.status, gone.json], [200, {}])
  assert.deepEqual(await ada.delete(`/api/v1/lists/${list.id}/accounts`), {})
  assert.deepEqual(await members(ada, list), [ada.id, cleo.id])
  assert.deepEqual(await ada.get(`/api/v1/accounts/${bob.id}/lists`), [])
})

test('concurrent requests add the same account to a list once', async () => {
  await follow(server, ada, bob)
  const list = await make(ada)
  const answers = await Promise.all([1, 2, 3].map(() => add(ada, list, bob.id)))
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 422, 422])
  assert.deepEqual(await members(ada, list), [bob.id])
})

test('list members are paged newest first, or returned all at once with limit=0', async () => {
  const others = await Promise.all([1, 2, 3, 4, 5].map((n) => server.person(`m${n}of${round}`)))
  const list = await make(ada)
  for (const other of others) {
    await ada.post(`/api/v1/accounts/${other.id}/follow`)
    await add(ada, list, other.id)
  }
  const newest = others.map(({ id }) => id).toReversed()
  const first = await ada.send('GET', `/api/v1/lists/${list.id}/accounts?limit=2`)
  assert.deepEqual(
    first.json.map(({ id }: any) => id),
    newest.slice(0, 2),
  )
  const { next, prev } = links(first.headers)
  assert.match(prev ?? '', /limit=2&since_id=/)
  const second = await ada.send('GET', next as string)
  assert.deepEqual(
    second.json.map(({ id }: any) => id),
    newest.slice(2, 4),
  )
  const third = await ada.send('GET', links(second.headers).next as string)
  assert.deepEqual(
    third.json.map(({ id }: any) => id),
    newest.slice(4),
  )
  assert.equal(links(third.headers).next, undefined)
  const back = links(third.headers).prev?.replace('since_id', 'min_id') as string
  assert.deepEqual(
    (await ada.send('GET', back)).json.map(({ id }: any) => id),
    newest.slice(2, 4),
  )
  const all = await ada.send('GET', `/api/v1/lists/${list.id}/accounts?limit=0`)
  assert.deepEqual(
    all.json.map(({ id }: any) => id),
    newest,
  )
  assert.equal(all.headers.get('link'), null)
})

test('an unfollow, a block in either direction, a rejected follow and a suspension remove an account from lists', async () => {
  const dan = await server.person(`dan${round}`)
  const eve = await remoteAuthor(server, 'eve', `lists${round}.test`)
  const list = await make(ada)
  const all = [bob.id, cleo.id, dan.id, eve.id]
  for (const id of all) await ada.post(`/api/v1/accounts/${id}/follow`)
  assert.equal((await add(ada, list, ...all)).status, 200)
  await ada.post(`/api/v1/accounts/${bob.id}/unfollow`)
  assert.deepEqual(await members(ada, list), [cleo.id, dan.id, eve.id])
  await ada.post(`/api/v1/accounts/${cleo.id}/block`)
  assert.deepEqual(await members(ada, list), [dan.id, eve.id])
  await block(server.ctx, { accountId: dan.id, targetAccountId: ada.id })
  assert.deepEqual(await members(ada, list), [eve.id])
  await rejectFollow(server.ctx, { accountId: eve.id, followerId: ada.id })
  assert.deepEqual(await members(ada, list), [])
  await follow(server, ada, bob)
  assert.deepEqual(await members(ada, list), [], 'following again does not restore list members')
  await add(ada, list, bob.id)
  await server.database.raw('update accounts set suspended_at = now() where id = $1', [bob.id])
  assert.deepEqual(await members(ada, list), [])
  assert.deepEqual(await members(ada, list, '?limit=0'), [])
})

test('an unfollow during an addition to a list never leaves an unfollowed member', async () => {
  const list = await make(ada)
  for (let i = 0; i < 8; i++) {
    await ada.post(`/api/v1/accounts/${bob.id}/follow`)
    await Promise.all([add(ada, list, bob.id), ada.post(`/api/v1/accounts/${bob.id}/unfollow`)])
    assert.deepEqual(await members(ada, list), [])
  }
})

test('deleting an account removes its lists, endorsements, hashtags, domain blocks and dismissed suggestions', async () => {
  const list = await make(ada)
  await follow(server, ada, bob)
  await follow(server, bob, ada)
  await add(ada, list, bob.id)
  await ada.post(`/api/v1/accounts/${bob.id}/endorse`)
  const own = await make(bob)
  await add(bob, own, ada.id)
  await bob.post(`/api/v1/accounts/${ada.id}/endorse`)
  await bob.post('/api/v1/tags/cats/follow')
  await bob.post('/api/v1/tags/cats/feature')
  await bob.post('/api/v1/domain_blocks', { domain: 'far.test' })
  await bob.delete(`/api/v1/suggestions/${cleo.id}`)
  await deleteAccount(server.ctx, bob.id)
  assert.deepEqual(await members(ada, list, '?limit=0'), [])
  assert.deepEqual(await ada.get('/api/v1/endorsements'), [])
  for (const table of [
    'lists',
    'list_accounts',
    'endorsements',
    'followed_tags',
    'featured_tags',
    'account_domain_blocks',
    'suggestion_dismissals',
  ]) {
    const { rows } = await server.database.raw(`select from ${table} where account_id = $1`, [bob.id])
    assert.deepEqual(rows, [], table)
  }
})
