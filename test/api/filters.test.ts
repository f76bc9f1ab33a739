// Filters API v2: filters, their keywords and statuses, and validation.
import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { sql } from '../support/database.ts'
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

const FILTERS = '/api/v2/filters'
const make = (who: Person, more: object = {}): Promise<any> =>
  who.post(FILTERS, { title: 'Noise', context: ['home'], ...more })
const words = (filter: any): string[] => filter.keywords.map(({ keyword }: { keyword: string }) => keyword)

test('a filter can be created with keywords, read, listed and deleted', async () => {
  const made = await make(ada, {
    context: ['home', 'thread', 'home'],
    filter_action: 'hide',
    keywords_attributes: [{ keyword: ' football ' }, { keyword: 'cup', whole_word: false }],
  })
  assert.equal(made.title, 'Noise')
  assert.deepEqual(made.context, ['home', 'thread'])
  assert.equal(made.filter_action, 'hide')
  assert.equal(made.expires_at, null)
  assert.deepEqual(
    made.keywords.map(({ keyword, whole_word }: any) => [keyword, whole_word]),
    [
      ['football', true],
      ['cup', false],
    ],
  )
  assert.deepEqual(made.statuses, [])
  assert.deepEqual(await ada.get(`${FILTERS}/${made.id}`), made)
  const second = await make(ada)
  assert.equal(second.filter_action, 'warn')
  assert.deepEqual(await ada.get(FILTERS), [made, second])
  assert.deepEqual(await ada.delete(`${FILTERS}/${made.id}`), {})
  assert.deepEqual(await ada.get(FILTERS), [second])
  assert.equal((await ada.send('GET', `${FILTERS}/${made.id}`)).status, 404)
})

test('the client library can create and change filters', async () => {
  const made = await ada.client.v2.filters.create({
    title: 'Games',
    context: ['public'],
    filterAction: 'blur' as never,
    expiresIn: 600,
    keywordsAttributes: [{ keyword: 'chess', wholeWord: true } as never],
  })
  assert.equal(made.keywords[0]?.keyword, 'chess')
  const changed = await ada.client.v2.filters
    .$select(made.id)
    .update({ title: 'All games', context: ['home', 'public'] })
  assert.deepEqual([changed.title, changed.context, changed.filterAction], ['All games', ['home', 'public'], 'blur'])
  assert.equal(changed.expiresAt, made.expiresAt, 'omitted members keep their value')
})

test('filters accept forms, and objects in place of arrays', async () => {
  const form = new URLSearchParams([
    ['title', 'Form'],
    ['context[]', 'home'],
    ['context[]', 'account'],
    ['expires_in', '60'],
    ['keywords_attributes[][keyword]', 'one'],
    ['keywords_attributes[][whole_word]', 'false'],
    ['keywords_attributes[][keyword]', 'two'],
    ['keywords_attributes[][whole_word]', '1'],
    ['keywords_attributes[][keyword]', ''],
  ])
  const answer = await ada.send('POST', FILTERS, { form })
  assert.equal(answer.status, 200, answer.text)
  assert.deepEqual(
    answer.json.keywords.map(({ keyword, whole_word }: any) => [keyword, whole_word]),
    [
      ['one', false],
      ['two', true],
    ],
  )
  const [one, two] = answer.json.keywords
  const numbered = new URLSearchParams([
    ['keywords_attributes[0][id]', one.id],
    ['keywords_attributes[0][_destroy]', 'true'],
    ['keywords_attributes[1][id]', two.id],
    ['keywords_attributes[1][keyword]', 'zwei'],
    ['keywords_attributes[2][keyword]', 'drei'],
  ])
  const changed = await ada.send('PUT', `${FILTERS}/${answer.json.id}`, { form: numbered })
  assert.deepEqual(words(changed.json), ['zwei', 'drei'])
  assert.equal(changed.json.keywords[0].id, two.id)
  assert.equal(changed.json.keywords[0].whole_word, true, 'omitted members keep their value')
  const json = { keywords_attributes: { '0': { keyword: 'vier' } }, context: 'public' }
  const again = await ada.send('PATCH', `${FILTERS}/${answer.json.id}`, { json })
  assert.deepEqual([words(again.json), again.json.context], [['zwei', 'drei', 'vier'], ['public']])
})

test('a filter expires after the given seconds, or never', async () => {
  const start = Date.now()
  const made = await make(ada, { expires_in: 3600 })
  const lasts = new Date(made.expires_at).getTime() - start
  assert.ok(lasts >= 3_600_000 && lasts < 3_660_000, made.expires_at)
  assert.equal((await ada.put(`${FILTERS}/${made.id}`, { expires_in: null })).expires_at, null)
  const until = (await ada.put(`${FILTERS}/${made.id}`, { expires_in: '120' })).expires_at
  assert.equal((await ada.put(`${FILTERS}/${made.id}`, { title: 'x' })).expires_at, until)
  const fraction = Date.parse((await ada.put(`${FILTERS}/${made.id}`, { expires_in: 86400.9 })).expires_at)
  assert.ok(Math.abs(fraction - Date.now() - 86_400_000) < 60_000, 'some clients send a fraction')
  assert.equal((await ada.send('PUT', `${FILTERS}/${made.id}`, { form: { expires_in: '' } })).json.expires_at, null)
})

test('keywords can be added, read, changed and deleted one by one', async () => {
  const { id } = await make(ada)
  const keyword = await ada.post(`${FILTERS}/${id}/keywords`, { keyword: 'ball' })
  assert.deepEqual(keyword, { id: keyword.id, keyword: 'ball', whole_word: true })
  assert.deepEqual(await ada.get(`${FILTERS}/${id}/keywords`), [keyword])
  assert.deepEqual(await ada.get(`${FILTERS}/keywords/${keyword.id}`), keyword)
  const changed = await ada.put(`${FILTERS}/keywords/${keyword.id}`, { keyword: 'balls', whole_word: 'off' })
  assert.deepEqual(changed, { id: keyword.id, keyword: 'balls', whole_word: false })
  assert.deepEqual(await ada.delete(`${FILTERS}/keywords/${keyword.id}`), {})
  assert.deepEqual(await ada.get(`${FILTERS}/${id}/keywords`), [])
  assert.deepEqual((await ada.get(`${FILTERS}/${id}`)).keywords, [])
})

test('posts can be added and removed one by one, but not those hidden from the viewer', async () => {
  const { id } = await make(ada)
  const [seen, hidden] = [await post(bob, 'seen'), await post(bob, 'hidden', { visibility: 'private' })]
  const entry = await ada.post(`${FILTERS}/${id}/statuses`, { status_id: seen })
  assert.deepEqual(entry, { id: entry.id, status_id: seen })
  assert.deepEqual(await ada.get(`${FILTERS}/${id}/statuses`), [entry])
  assert.deepEqual(await ada.get(`${FILTERS}/statuses/${entry.id}`), entry)
  assert.deepEqual((await ada.get(`${FILTERS}/${id}`)).statuses, [entry])
  const add = (status_id?: unknown) => ada.send('POST', `${FILTERS}/${id}/statuses`, { json: { status_id } })
  assert.equal((await add(seen)).status, 422, 'the post was already added')
  assert.equal((await add(hidden)).status, 404, 'the viewer may not read the post')
  assert.equal((await add('1')).status, 404, 'the post does not exist')
  assert.equal((await add()).status, 422, 'the id is missing')
  assert.deepEqual(await ada.delete(`${FILTERS}/statuses/${entry.id}`), entry)
  assert.deepEqual(await ada.get(`${FILTERS}/${id}/statuses`), [])
  await add(seen)
  await bob.delete(`/api/v1/statuses/${seen}`)
  assert.deepEqual(await ada.get(`${FILTERS}/${id}/statuses`), [], 'deleting a post removes it from filters')
})

test('invalid filters are refused and change nothing', async () => {
  const filter = await make(ada, { keywords_attributes: [{ keyword: 'kept' }] })
  const refused: [object, RegExp][] = [
    [{ title: '  ' }, /Title can't be blank/],
    [{ title: 'x'.repeat(257) }, /Title is too long/],
    [{ context: [] }, /Context can't be blank/],
    [{ context: ['home', 'elsewhere'] }, /Context is not included/],
    [{ filter_action: 'explode' }, /Filter action is not included/],
    [{ expires_in: -1 }, /Expires in must be/],
    [{ expires_in: 'soon' }, /Expires in/],
    [{ expires_in: 1e15 }, /Expires in/],
    [{ keywords_attributes: [{ keyword: ' ', whole_word: true }] }, /Keywords keyword can't be blank/],
    [{ keywords_attributes: [{ keyword: 'x'.repeat(513) }] }, /Keywords keyword is too long/],
    [{ keywords_attributes: Array.from({ length: 1001 }, () => ({ keyword: 'x' })) }, /too many/],
  ]
  for (const [json, text] of refused) {
    const changed = await ada.send('PUT', `${FILTERS}/${filter.id}`, { json: { ...json } })
    assert.equal(changed.status, 422, JSON.stringify(json))
    assert.match(changed.json.error, text)
    const made = await ada.send('POST', FILTERS, { json: { title: 'New', context: ['home'], ...json } })
    assert.equal(made.status, 422, JSON.stringify(json))
  }
  for (const json of [{}, { title: 'No context' }, { context: ['home'] }])
    assert.equal((await ada.send('POST', FILTERS, { json })).status, 422)
  for (const json of [{}, { keyword: ' ' }, { keyword: 'x'.repeat(513) }])
    assert.equal((await ada.send('POST', `${FILTERS}/${filter.id}/keywords`, { json })).status, 422)
  const more = Array.from({ length: 1000 }, () => ({ keyword: 'x' }))
  const many = await ada.send('PUT', `${FILTERS}/${filter.id}`, { json: { keywords_attributes: more } })
  assert.match(many.json.error, /too many keywords/)
  const scalar = await ada.send('PUT', `${FILTERS}/${filter.id}`, { json: { keywords_attributes: 'kept' } })
  assert.equal(scalar.status, 200, 'a scalar counts as absent')
  assert.deepEqual(await ada.get(FILTERS), [filter])
})

test('all keywords of an account together have at most 20,000 characters', async () => {
  const words = (n: number, length = 500): object[] =>
    Array.from({ length: n }, () => ({ keyword: '𐐀'.repeat(length), whole_word: true }))
  const filter = await make(ada, { keywords_attributes: words(39) })
  await ada.post(`${FILTERS}/${filter.id}/keywords`, { keyword: 'x'.repeat(499) })
  const refused = /^Validation failed: Keywords of all filters together have too many characters \(maximum is 20000\)$/
  const attempts: [string, string, object][] = [
    ['POST', FILTERS, { title: 'x', context: ['home'], keywords_attributes: words(1, 2) }],
    ['PUT', `${FILTERS}/${filter.id}`, { keywords_attributes: words(100) }],
    ['POST', `${FILTERS}/${filter.id}/keywords`, { keyword: 'xx' }],
    ['PUT', `${FILTERS}/keywords/${filter.keywords[0].id}`, { keyword: 'x'.repeat(502) }],
    ['POST', '/api/v1/filters', { phrase: 'xx', context: ['home'] }],
    ['PUT', `/api/v1/filters/${filter.keywords[0].id}`, { phrase: 'x'.repeat(502), context: ['home'] }],
  ]
  for (const [method, path, json] of attempts) {
    const answer = await ada.send(method, path, { json })
    assert.equal(answer.status, 422, `${method} ${path}`)
    assert.match(answer.json.error, /too many/)
  }
  const { json } = await ada.send('POST', `${FILTERS}/${filter.id}/keywords`, { json: { keyword: 'xx' } })
  assert.match(json.error, refused)
  await ada.post(`${FILTERS}/${filter.id}/keywords`, { keyword: 'x' })
  // Above the limit, changes that do not add characters are still accepted.
  await server.ctx.db.run(
    sql`insert into filter_keywords (filter_id, keyword) values (${filter.id}, ${'x'.repeat(500)})`,
  )
  await ada.delete(`${FILTERS}/keywords/${filter.keywords[0].id}`)
  await ada.put(`${FILTERS}/${filter.id}`, { title: 'Another title' })
})

test('an account has at most 200 filters, also under concurrent requests', async () => {
  await server.ctx.db.run(sql`
    insert into filters (account_id, title, context) select ${ada.id}, 'x', '{home}' from generate_series(1, 198)`)
  const answers = await Promise.all(
    Array.from({ length: 4 }, () => ada.send('POST', FILTERS, { json: { title: 'x', context: ['home'] } })),
  )
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 200, 422, 422])
  assert.equal((await ada.get(FILTERS)).length, 200)
})

test('filters, keywords and statuses of other accounts return 404', async () => {
  const status_id = await post(bob, 'a post')
  const filter = await make(ada, { keywords_attributes: [{ keyword: 'mine' }] })
  const entry = await ada.post(`${FILTERS}/${filter.id}/statuses`, { status_id })
  const other = await make(bob)
  const keyword = filter.keywords[0]
  const requests: [string, string, object?][] = [
    ['GET', `${FILTERS}/${filter.id}`],
    ['PUT', `${FILTERS}/${filter.id}`, { title: 'taken' }],
    ['DELETE', `${FILTERS}/${filter.id}`],
    ['GET', `${FILTERS}/${filter.id}/keywords`],
    ['POST', `${FILTERS}/${filter.id}/keywords`, { keyword: 'foreign' }],
    ['GET', `${FILTERS}/keywords/${keyword.id}`],
    ['PUT', `${FILTERS}/keywords/${keyword.id}`, { keyword: 'foreign' }],
    ['DELETE', `${FILTERS}/keywords/${keyword.id}`],
    ['GET', `${FILTERS}/${filter.id}/statuses`],
    ['POST', `${FILTERS}/${filter.id}/statuses`, { status_id }],
    ['GET', `${FILTERS}/statuses/${entry.id}`],
    ['DELETE', `${FILTERS}/statuses/${entry.id}`],
    ['PUT', `${FILTERS}/${other.id}`, { keywords_attributes: [{ id: keyword.id, keyword: 'foreign' }] }],
    ['PUT', `${FILTERS}/${other.id}`, { keywords_attributes: [{ id: keyword.id, _destroy: true }] }],
    ['GET', `${FILTERS}/99999999999999999999`],
    ['GET', `${FILTERS}/keywords/nonsense`],
  ]
  for (const [method, path, json] of requests)
    assert.equal((await bob.send(method, path, json ? { json } : {})).status, 404, `${method} ${path}`)
  assert.deepEqual(await ada.get(`${FILTERS}/${filter.id}`), { ...filter, statuses: [entry] })
})
