// Filters API v1: each keyword of a v2 filter is one v1 filter.
import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
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

const FILTERS = '/api/v1/filters'

test('a v1 filter can be created, read, listed, changed and deleted, with a deprecation header', async () => {
  const made = await ada.post(FILTERS, {
    phrase: 'football',
    context: ['home', 'public'],
    whole_word: 'f',
    expires_in: '600',
  })
  assert.deepEqual(made, {
    id: made.id,
    phrase: 'football',
    context: ['home', 'public'],
    expires_at: made.expires_at,
    irreversible: false,
    whole_word: false,
  })
  assert.ok(new Date(made.expires_at) > new Date())
  const answer = await ada.send('GET', `${FILTERS}/${made.id}`)
  assert.deepEqual(answer.json, made)
  assert.equal(answer.headers.get('deprecation'), '@1668384000')
  assert.deepEqual(await ada.get(FILTERS), [made])
  const json = { phrase: 'Soccer', context: ['notifications'], irreversible: true, whole_word: true, expires_in: '' }
  const changed = await ada.put(`${FILTERS}/${made.id}`, json)
  assert.deepEqual(changed, {
    id: made.id,
    phrase: 'Soccer',
    context: ['notifications'],
    expires_at: null,
    irreversible: true,
    whole_word: true,
  })
  const [whole] = await ada.get('/api/v2/filters')
  assert.deepEqual([whole.title, whole.filter_action, whole.context], ['Soccer', 'hide', ['notifications']])
  assert.deepEqual(await ada.put(`${FILTERS}/${made.id}`, { whole_word: false }), { ...changed, whole_word: false })
  assert.deepEqual(await ada.delete(`${FILTERS}/${made.id}`), {})
  assert.deepEqual([await ada.get(FILTERS), await ada.get('/api/v2/filters')], [[], []])
})

test('each keyword of a v2 filter appears as a v1 filter', async () => {
  const whole = await ada.post('/api/v2/filters', {
    title: 'Games',
    context: ['home'],
    filter_action: 'hide',
    keywords_attributes: [{ keyword: 'chess' }, { keyword: 'go', whole_word: false }],
  })
  const both = await ada.get(FILTERS)
  assert.deepEqual(
    both.map(({ id, phrase, irreversible, whole_word }: any) => [id, phrase, irreversible, whole_word]),
    whole.keywords.map(({ id, keyword, whole_word }: any) => [id, keyword, true, whole_word]),
  )
  const [chess, go] = both
  for (const json of [
    { phrase: 'chess', context: ['home', 'public'] },
    { phrase: 'chess', context: ['home'], irreversible: false },
    { phrase: 'chess', context: ['home'], expires_in: 60 },
  ]) {
    const refused = await ada.send('PUT', `${FILTERS}/${chess.id}`, { json })
    assert.equal(refused.status, 422, JSON.stringify(json))
    assert.match(refused.json.error, /more than one filter keyword/)
  }
  const changed = await ada.put(`${FILTERS}/${chess.id}`, { phrase: 'checkers', context: ['home'], irreversible: true })
  assert.equal(changed.phrase, 'checkers')
  assert.equal(
    (await ada.get(`/api/v2/filters/${whole.id}`)).title,
    'Games',
    'the title stays while the filter has several keywords',
  )
  await ada.delete(`${FILTERS}/${chess.id}`)
  assert.deepEqual(
    (await ada.get(`/api/v2/filters/${whole.id}`)).keywords.map(({ id }: any) => id),
    [go.id],
  )
  await ada.put(`${FILTERS}/${go.id}`, { phrase: 'go', context: ['public'] })
  assert.deepEqual(
    (await ada.get(`/api/v2/filters/${whole.id}`)).context,
    ['public'],
    'the only keyword may change the whole filter',
  )
  await ada.delete(`${FILTERS}/${go.id}`)
  assert.equal((await ada.send('GET', `/api/v2/filters/${whole.id}`)).status, 404)
})

test('a filter with posts stays when its last keyword is deleted', async () => {
  const { id } = await ada.post(FILTERS, { phrase: 'football', context: ['home'] })
  const [whole] = await ada.get('/api/v2/filters')
  await ada.post(`/api/v2/filters/${whole.id}/statuses`, { status_id: await post(bob, 'tiresome') })
  await ada.delete(`${FILTERS}/${id}`)
  const left = await ada.get(`/api/v2/filters/${whole.id}`)
  assert.deepEqual([left.keywords.length, left.statuses.length], [0, 1])
})

test('changing a `blur` filter through v1 keeps its action', async () => {
  const whole = await ada.post('/api/v2/filters', {
    title: 'Spiders',
    context: ['home'],
    filter_action: 'blur',
    keywords_attributes: [{ keyword: 'spider' }],
  })
  const [{ id, irreversible }] = await ada.get(FILTERS)
  assert.equal(irreversible, false)
  await ada.put(`${FILTERS}/${id}`, { phrase: 'spiders', context: ['home'], irreversible: false })
  assert.equal((await ada.get(`/api/v2/filters/${whole.id}`)).filter_action, 'blur')
})

test('invalid v1 filters are refused', async () => {
  const { id } = await ada.post(FILTERS, { phrase: 'kept', context: ['home'] })
  for (const json of [
    { phrase: '' },
    { phrase: ' ' },
    { phrase: 'x'.repeat(513) },
    { context: [] },
    { context: ['nowhere'] },
    { expires_in: -5 },
    { expires_in: 'soon' },
  ]) {
    const given = { phrase: 'fine', context: ['home'], ...json }
    assert.equal((await ada.send('POST', FILTERS, { json: given })).status, 422, JSON.stringify(json))
    assert.equal((await ada.send('PUT', `${FILTERS}/${id}`, { json: given })).status, 422, JSON.stringify(json))
  }
  for (const json of [{}, { phrase: 'x' }, { context: ['home'] }])
    assert.equal((await ada.send('POST', FILTERS, { json })).status, 422)
  assert.deepEqual(
    (await ada.get(FILTERS)).map(({ phrase }: any) => phrase),
    ['kept'],
  )
})

test('a phrase longer than a title is accepted', async () => {
  const phrase = 'x'.repeat(512)
  assert.equal((await ada.post(FILTERS, { phrase, context: ['home'] })).phrase, phrase)
})

test('v1 filters of other accounts return 404', async () => {
  const { id } = await ada.post(FILTERS, { phrase: 'mine', context: ['home'] })
  for (const [method, json] of [['GET'], ['PUT', { phrase: 'x', context: ['home'] }], ['DELETE']] as const)
    assert.equal((await bob.send(method, `${FILTERS}/${id}`, json ? { json } : {})).status, 404, method)
  assert.deepEqual(await bob.get(FILTERS), [])
})
