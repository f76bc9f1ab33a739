// Auxiliary service providers (FASP): registration, the page of administrators, and what providers and this server ask of each other.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { generateEd25519Key } from '../../src/ap/keys.ts'
import { announceToProviders, cleanUp } from '../support/acts.ts'
import { startProvider, type Provider } from '../support/fasp.ts'
import { browser, type Page, signedIn } from '../support/forms.ts'
import { PUBLIC } from '../support/peer.ts'
import { startTestServer, type Person } from '../support/server.ts'
import { stage } from '../support/stage.ts'
import { remoteAuthor } from '../support/timelines.ts'

const { server, peer } = await stage({ peers: ['peer'], env: { EXPERIMENTAL_FEATURES: 'other,fasp' } })
const admin = await server.person('admin', { role: 'admin' })
const provider = await startProvider()
after(() => provider.stop())
const tab = await signedIn(server, admin)

const LIST = '/admin/fasp/providers'
const pageOf = async (): Promise<string> => `${LIST}/${/providers\/(\d+)"/.exec((await tab.get(LIST)).text)?.[1]}`
const press = async (act: string, fields: Record<string, string> = {}, path?: string): Promise<Page> => {
  const page = await tab.get(path ?? (await pageOf()))
  return tab.submit(page, fields, { action: `${page.location}/${act}` })
}
const CALLBACK = '/debug/v0/callback/responses'
const asked = (): string[] => provider.received.splice(0).map(({ what }) => what)
const logged = async (): Promise<string[]> =>
  (
    await server.database.raw(
      `select action || ' ' || details::text as entry from audit_log where target_type = 'fasp_provider' order by id`,
    )
  ).rows.map(({ entry }) => entry)

/** Registers the provider and confirms it. */
async function connect(which: Provider, ...capabilities: string[]): Promise<void> {
  await which.register(server)
  assert.match((await press('confirm')).text, /The provider is confirmed/)
  for (const id of capabilities) which.on(`POST /fasp/capabilities/${id}/0/activation`, () => ({ status: 204 }))
  assert.match(
    (await tab.post(`${await pageOf()}/capabilities`, await chosen(capabilities))).text,
    /selection is saved/,
  )
}

/** What the form sends when these boxes are checked. */
async function chosen(capabilities: readonly string[]): Promise<any> {
  const { forms } = await tab.get(await pageOf())
  const form = forms.find(({ action }) => action.endsWith('/capabilities'))
  const fields = new URLSearchParams({ csrf_token: form?.fields.csrf_token ?? '' })
  for (const id of capabilities) fields.append('capabilities[]', id)
  return fields
}

test('a provider finds where to register, and waits for an administrator who compares its key', async () => {
  const { metadata } = (await server.send('GET', '/nodeinfo/2.0')).json
  assert.equal(metadata.faspBaseUrl, `${server.ctx.config.baseUrl}/api/fasp`)
  const answer = await provider.register(server)
  assert.equal(answer.status, 200)
  assert.equal(Buffer.from(answer.json.publicKey, 'base64').length, 32)
  assert.equal(new URL(answer.json.registrationCompletionUri).pathname, await pageOf())
  const list = await tab.get(LIST)
  assert.match(list.text, /Test services[\s\S]*Waits for you/)
  assert.match(list.text, /count-badge/, 'the menu says that something waits')
  const page = await tab.get(await pageOf())
  assert.ok(page.text.includes(provider.fingerprint), 'the fingerprint of the key')
  assert.equal((await provider.call('POST', CALLBACK)).status, 401, 'nothing is accepted before')
  assert.deepEqual(asked(), [], 'nothing is sent before')
  const { rows } = await server.database.raw(`select encode(private_key, 'escape') as key from fasp_providers`)
  assert.doesNotMatch(rows[0]?.key, /PRIVATE/, 'the key is sealed')

  assert.match((await press('delete')).text, /registration is rejected/)
  assert.deepEqual(await logged(), ['reject {}'])
  assert.equal((await provider.call('POST', CALLBACK)).status, 401)
})

test('a registration with wrong values is refused, and so are too many; old ones expire', async () => {
  const refused = async (change: object): Promise<void> => {
    const answer = await provider.register(server, change)
    assert.equal(answer.status, 422, JSON.stringify(change))
  }
  await refused({ name: ' \0' })
  await refused({ name: 'x'.repeat(201) })
  await refused({ name: 5 })
  await refused({ serverId: 'ünusual' })
  await refused({ serverId: undefined })
  for (const baseUrl of [
    'ftp://a.test',
    'no address',
    'https://me:secret@a.test',
    'https://a.test/?x=1',
    server.url.replace('127.0.0.1', 'localhost'),
  ])
    await refused({ baseUrl })
  for (const publicKey of ['', 'AA==', `${provider.publicKey} `.repeat(2), Buffer.alloc(33).toString('base64')])
    await refused({ publicKey })
  for (const body of ['[]', '{', '']) {
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(`${server.url}/api/fasp/registration`, { method: 'POST', body, headers })
    assert.equal(answer.status, 400, body)
  }
  for (let i = 0; i < 20; i++) assert.equal((await provider.register(server, { name: 'Nul\0 \ud800' })).status, 200)
  await refused({})
  await server.database.raw(`update fasp_providers set created_at = now() - interval '8 days'`)
  await cleanUp(server.ctx)
  assert.match((await tab.get(LIST)).text, /No auxiliary service/)
})

test('a confirmed provider shows what it offers, and is told what is selected', async () => {
  provider.signsWith(generateEd25519Key())
  await provider.register(server)
  const failed = await press('confirm')
  assert.equal(failed.status, 422)
  assert.match(failed.text, /did not sign its response/)
  assert.match((await tab.get(LIST)).text, /Waits for you/)
  provider.signsWith(provider.privateKey)
  const info = {
    contactEmail: 'help@\0provider.test',
    privacyPolicy: [
      { url: `${provider.url}/privacy`, language: `en ${'x'.repeat(316)}😀` },
      { url: 'x', language: '\ud800' },
    ],
    capabilities: [
      { id: 'callback', version: '0.1' },
      { id: 'callback', version: '1.0' },
      { id: 'brewing', version: '0.1' },
      { id: 'data_sharing', version: '1.0' },
    ],
  }
  provider.on('GET /fasp/provider_info', () => ({ json: info }))

  const confirmed = await press('confirm')
  assert.match(confirmed.text, /help@provider\.test[\s\S]*\/privacy"/)
  assert.match(
    confirmed.text,
    /brewing 0\.1<\/code>[\s\S]*This server cannot use it[\s\S]*data_sharing 1\.0<\/code>[\s\S]*This server cannot use it/,
  )
  const activation = '/fasp/capabilities/callback/0/activation'
  asked()
  const refused = await tab.post(`${await pageOf()}/capabilities`, await chosen(['callback']))
  assert.equal(refused.status, 422)
  assert.match(refused.text, /returned status 404/)
  assert.equal((await provider.call('POST', CALLBACK)).status, 404, 'what the provider refused is not in use')
  provider.on(`POST ${activation}`, () => ({ status: 204 }))
  provider.on(`DELETE ${activation}`, () => ({ status: 204 }))
  await tab.post(`${await pageOf()}/capabilities`, await chosen(['callback', 'brewing', 'data_sharing']))
  await tab.post(`${await pageOf()}/capabilities`, await chosen(['callback']))
  await tab.post(`${await pageOf()}/capabilities`, await chosen([]))
  assert.deepEqual(asked(), [`POST ${activation}`, `POST ${activation}`, `DELETE ${activation}`])
  assert.match((await press('refresh')).text, /The provider has answered/)
  assert.deepEqual((await logged()).slice(1), [
    `confirm {"base_url": "${provider.url}"}`,
    ...[true, false, true, false].map((isOn) => `update {"callback": ${isOn}}`),
  ])
  await press('delete', { confirmed: '1' })
})

test('a debug call is answered by a call of the provider, which the page shows', async () => {
  await connect(provider, 'callback')
  const calls: Promise<{ status: number }>[] = []
  provider.on('POST /fasp/debug/v0/callback/logs', ({ json }) => {
    calls.push(provider.call('POST', CALLBACK, { ...json, note: '<b>hello</b>' }))
    return { status: 201 }
  })
  assert.match((await press('debug')).text, /The provider was called/)
  assert.deepEqual(
    (await Promise.all(calls)).map(({ status }) => status),
    [201],
  )
  assert.match((await tab.get(await pageOf())).text, /127\.0\.0\.1[\s\S]*&lt;b&gt;hello/)
  for (let i = 0; i < 25; i++) await provider.call('POST', CALLBACK, { i, long: 'x'.repeat(5000) })
  const { rows } = await server.database.raw(
    'select count(*)::int as count, max(length(body)) as length from fasp_debug_callbacks',
  )
  assert.deepEqual(rows, [{ count: 20, length: 4096 }])
})

test('requests without a valid, new signature of a confirmed provider get 401', async () => {
  const status = async (options: Parameters<Provider['call']>[3], json: unknown = {}): Promise<number> =>
    (await provider.call('POST', CALLBACK, json, options)).status
  assert.equal(await status({}), 201)
  assert.equal(await status({ now: new Date(Date.now() - 240_000) }), 201, 'clocks differ')
  assert.equal(await status({ now: new Date(Date.now() - 660_000) }), 401, 'an old request, sent again')
  assert.equal(await status({ now: new Date(Date.now() + 360_000) }), 401, 'from the future')
  assert.equal(await status({ privateKey: generateEd25519Key() }), 401)
  for (const keyId of ['999', 'server-1', '0', '99999999999999999999'])
    assert.equal(await status({ keyId }), 401, keyId)
  for (const header of ['signature', 'signature-input', 'content-digest'])
    assert.equal(await status({ headers: { [header]: null } }), 401, header)
  assert.equal(await status({ headers: { 'content-digest': 'sha-256=:AA==:' } }), 401)
  assert.equal((await server.send('POST', `/api/fasp${CALLBACK}`, { json: {} })).status, 401)
  const json = { name: 'Other', baseUrl: provider.url, serverId: 'server-2', publicKey: provider.publicKey }
  const waiting = await server.send('POST', '/api/fasp/registration', { json })
  assert.equal(await status({ keyId: waiting.json.faspId }), 401, 'not confirmed')
  await press('delete')
})

test('a provider that redirects, refuses or is on a private address is not followed', async () => {
  provider.on('GET /fasp/provider_info', () => ({ status: 302, headers: { location: 'http://10.0.0.1/' } }))
  assert.match((await press('refresh')).text, /redirects too often/)
  provider.on('GET /fasp/provider_info', () => ({ status: 503, headers: { 'retry-after': '1800' } }))
  assert.match((await press('refresh')).text, /returned status 503/)
  assert.match((await tab.get(LIST)).text, /Does not answer/)
  const { rows } = await server.database.raw(
    `select extract(epoch from retry_at - now())::int > 1700 as later from fasp_providers where retry_at is not null`,
  )
  assert.deepEqual(rows, [{ later: true }], 'as long as the provider asks for')
  await provider.register(server, { baseUrl: 'https://192.168.0.1/fasp' })
  assert.match((await press('confirm')).text, /not on the public internet/)
})

const SUBSCRIPTIONS = '/data_sharing/v0/event_subscriptions'
const BACKFILLS = '/data_sharing/v0/backfill_requests'
const announcements: any[] = []
let announcing = 204
/** The provider continues a backfill at once. */
let hasHurry = false

/** What was announced to the provider: the type of each event, and the URIs. */
async function announced(): Promise<string[]> {
  for (let due = true; due;) {
    await announceToProviders(server.ctx, {})
    await server.drain()
    due = (await server.database.raw('select from fasp_events limit 1')).rows.length > 0 && announcing < 400
  }
  return announcements.splice(0).map(({ eventType, objectUris }) => `${eventType} ${objectUris.join(' ')}`)
}

test('data is shared with the consent of authors alone', async () => {
  await server.database.raw('delete from fasp_providers')
  provider.on('GET /fasp/provider_info', () => ({
    json: { name: 'x', privacyPolicy: [], capabilities: [{ id: 'data_sharing', version: '0.1' }] },
  }))
  await provider.register(server)
  await press('confirm')
  const wanted = { category: 'content', subscriptionType: 'lifecycle' }
  assert.equal((await provider.call('POST', SUBSCRIPTIONS, wanted)).status, 404, 'not selected')
  provider.on('POST /fasp/capabilities/data_sharing/0/activation', () => ({ status: 204 }))
  provider.on('POST /fasp/data_sharing/v0/announcements', async ({ json }) => {
    announcements.push(json)
    if (hasHurry && json.moreObjectsAvailable)
      await provider.call('POST', `${BACKFILLS}/${json.source.backfillRequest.id}/continuation`)
    return { status: announcing }
  })
  await tab.post(`${await pageOf()}/capabilities`, await chosen(['data_sharing']))

  const { status, json } = await provider.call('POST', SUBSCRIPTIONS, wanted)
  assert.equal(status, 201)
  assert.deepEqual((await provider.call('POST', SUBSCRIPTIONS, wanted)).json, json, 'the same one again')
  await provider.call('POST', SUBSCRIPTIONS, { category: 'account', subscriptionType: 'lifecycle', maxBatchSize: 1 })
  const [ada, shy, loud] = [await server.person('ada'), await server.person('shy'), await server.person('loud')]
  const uri = (who: Person, id?: string): string =>
    `${server.ctx.config.baseUrl}/users/${who.username}${id ? `/statuses/${id}` : ''}`
  const consent = (who: Person, json: object) => who.send('PATCH', '/api/v1/profile', { json })
  await consent(ada, { discoverable: true, indexable: true })
  await consent(loud, { discoverable: true, indexable: true })
  assert.deepEqual(await announced(), [`new ${uri(ada)}`, `new ${uri(loud)}`], 'as many at once as the provider takes')

  const ids: string[] = []
  for (const visibility of ['public', 'unlisted', 'private', 'direct'])
    ids.push((await ada.post('/api/v1/statuses', { status: `a ${visibility} post`, visibility })).id)
  await shy.post('/api/v1/statuses', { status: 'not to be found' })
  await shy.post(`/api/v1/statuses/${ids[0]}/reblog`)
  const second = (await ada.post('/api/v1/statuses', { status: 'another' })).id
  const [first = ''] = ids
  assert.deepEqual(await announced(), [`new ${uri(ada, first)} ${uri(ada, second)}`])
  await ada.put(`/api/v1/statuses/${first}`, { status: 'edited' })
  await ada.delete(`/api/v1/statuses/${second}`)
  await ada.delete(`/api/v1/statuses/${ids[1]}`)
  await consent(ada, { display_name: 'Ada' })
  await consent(shy, { display_name: 'Shy' })
  assert.deepEqual(await announced(), [`update ${uri(ada, first)}`, `delete ${uri(ada, second)}`, `update ${uri(ada)}`])

  await loud.post('/api/v1/statuses', { status: 'Waits' })
  await admin.post(`/api/v1/admin/accounts/${loud.id}/action`, { type: 'silence' })
  assert.deepEqual(await announced(), [`delete ${uri(loud)}`], 'what may not be named any more is left out')
  await consent(ada, { discoverable: false })
  assert.deepEqual(await announced(), [`delete ${uri(ada)}`])
  await consent(ada, { discoverable: true })
  await announced()

  assert.equal((await provider.call('DELETE', `${SUBSCRIPTIONS}/${json.subscription.id}`)).status, 204)
  assert.equal((await provider.call('DELETE', `${SUBSCRIPTIONS}/${json.subscription.id}`)).status, 404)
  await ada.post('/api/v1/statuses', { status: 'Unheard' })
  assert.deepEqual(await announced(), [])
})

test('posts of other servers are shared, too, and trends by the threshold', async () => {
  const eve = await remoteAuthor(server, 'eve', 'far.test')
  await server.database.raw('update accounts set indexable = true where id = $1', [eve.id])
  const threshold = { likes: 2, shares: 5 }
  const lifecycle = await provider.call('POST', SUBSCRIPTIONS, { category: 'content', subscriptionType: 'lifecycle' })
  const trends = { category: 'content', subscriptionType: 'trends', threshold }
  await provider.call('POST', SUBSCRIPTIONS, trends)
  const id = await eve.post('Hello from afar')
  const { uri } = await server.person('reader').then((reader) => reader.get(`/api/v1/statuses/${id}`))
  assert.deepEqual(await announced(), [`new ${uri}`])
  const likes = async (name: string): Promise<void> => {
    const fan = await server.person(name)
    await fan.post(`/api/v1/statuses/${id}/favourite`)
  }
  await likes('fan1')
  assert.deepEqual(await announced(), [])
  await likes('fan2')
  assert.deepEqual(await announced(), [`trending ${uri}`])
  await provider.call('DELETE', `${SUBSCRIPTIONS}/${lifecycle.json.subscription.id}`)

  const mallory = await peer.actor('mallory', { discoverable: true })
  const note = peer.create(mallory, { content: 'Bye', to: [PUBLIC] })
  assert.equal(await peer.send(server, mallory, note), 202)
  assert.deepEqual(await announced(), [`new ${mallory.uri}`])
  const deletion = {
    id: `${mallory.uri}#delete`,
    type: 'Delete',
    actor: mallory.uri,
    object: mallory.uri,
    to: [PUBLIC],
  }
  assert.equal(await peer.send(server, mallory, deletion), 202)
  assert.deepEqual(await announced(), [`delete ${mallory.uri}`])
})

test('a backfill names what may be found, part by part', async () => {
  const request = await provider.call('POST', BACKFILLS, { category: 'content', maxCount: 2 })
  assert.equal(request.status, 201)
  const { id } = request.json.backfillRequest
  const next = async (): Promise<[number, boolean]> => {
    await server.drain()
    const [about, ...others] = announcements.splice(0)
    assert.deepEqual(others, [])
    assert.deepEqual([about.source, about.category], [{ backfillRequest: { id } }, 'content'])
    assert.equal(about.eventType, undefined)
    return [about.objectUris.length, about.moreObjectsAvailable]
  }
  assert.deepEqual(await next(), [2, true])
  const path = `${BACKFILLS}/${id}/continuation`
  assert.equal((await provider.call('POST', path)).status, 204)
  assert.deepEqual(await next(), [1, false], 'posts of Ada and Eve, but not of accounts that are limited or opted out')
  assert.equal((await provider.call('POST', path)).status, 404, 'nothing is left')
  hasHurry = true
  await provider.call('POST', BACKFILLS, { category: 'content', maxCount: 1 })
  await server.drain()
  assert.equal(announcements.splice(0).length, 3, 'also for a provider that asks for more before it has answered')
  hasHurry = false
  await provider.call('POST', BACKFILLS, { category: 'account', maxCount: 100 })
  await server.drain()
  assert.deepEqual(
    announcements.splice(0).map(({ objectUris }) => objectUris.length),
    [1],
  )
})

test('what a provider asks for is checked and limited, and its own', async () => {
  const refused = async (path: string, json: unknown, expected = 422): Promise<void> =>
    assert.equal((await provider.call('POST', path, json)).status, expected, JSON.stringify(json))
  const good = { category: 'content', subscriptionType: 'trends' }
  for (const change of [
    { category: 'posts' },
    { subscriptionType: 'all' },
    { category: 'account' },
    { maxBatchSize: 0 },
    { maxBatchSize: '10' },
    { threshold: 5 },
    { threshold: { timeframe: 100_000 } },
    { threshold: { likes: -1 } },
  ])
    await refused(SUBSCRIPTIONS, { ...good, ...change })
  await refused(SUBSCRIPTIONS, [], 400)
  for (const change of [{ category: 'posts' }, { maxCount: 0 }, { maxCount: undefined }, { maxCount: 1.5 }])
    await refused(BACKFILLS, { category: 'content', maxCount: 10, ...change })
  for (const path of [`${BACKFILLS}/x/continuation`, `${BACKFILLS}/999999/continuation`])
    await refused(path, undefined, 404)
  const statuses = new Set<number>()
  for (let i = 1; i <= 17; i++)
    statuses.add((await provider.call('POST', SUBSCRIPTIONS, { ...good, maxBatchSize: i })).status)
  assert.deepEqual([...statuses], [201, 422])

  const own = (await provider.call('POST', BACKFILLS, { category: 'content', maxCount: 1 })).json.backfillRequest.id
  await server.drain()
  const { rows } = await server.database.raw('select id from fasp_subscriptions limit 1')
  const other = await startProvider('Other services')
  after(() => other.stop())
  await connect(other, 'data_sharing')
  assert.equal((await other.call('POST', `${BACKFILLS}/${own}/continuation`)).status, 404)
  assert.equal((await other.call('DELETE', `${SUBSCRIPTIONS}/${rows[0]?.id}`)).status, 404)
  await press('delete', { confirmed: '1' })
  assert.equal((await other.call('POST', BACKFILLS, { category: 'content', maxCount: 1 })).status, 401, 'deleted')
})

test('a provider that does not answer is told later', async () => {
  await server.database.raw('delete from fasp_subscriptions')
  announcements.length = 0
  await provider.call('POST', SUBSCRIPTIONS, { category: 'content', subscriptionType: 'lifecycle' })
  announcing = 503
  const author = await server.person('author')
  await author.send('PATCH', '/api/v1/profile', { json: { discoverable: true, indexable: true } })
  await author.post('/api/v1/statuses', { status: 'Told later' })
  assert.equal((await announced()).length, 1)
  assert.equal((await announced()).length, 0, 'it has a pause')
  const again = async (): Promise<number> => {
    await server.database.raw('update fasp_providers set retry_at = now()')
    return (await announced()).length
  }
  announcing = 204
  assert.equal(await again(), 1)
  assert.doesNotMatch((await tab.get(LIST)).text, /Does not answer/)
  await author.post('/api/v1/statuses', { status: 'To a provider that knows this server no more' })
  announcing = 401
  assert.equal(await again(), 1)
  assert.equal((await announced()).length, 0, 'it has a pause')
  assert.match((await tab.get(LIST)).text, /Does not answer/, 'for administrators to see')
  announcing = 204
  assert.equal(await again(), 1)
})

test('a slow provider is told once', async () => {
  announcements.length = 0
  const begun = Promise.withResolvers<void>()
  const slow = Promise.withResolvers<void>()
  provider.on('POST /fasp/data_sharing/v0/announcements', async ({ json }) => {
    announcements.push(json)
    begun.resolve()
    await slow.promise
    return { status: 204 }
  })
  const author = await server.person('slowly')
  await author.send('PATCH', '/api/v1/profile', { json: { discoverable: true, indexable: true } })
  await author.post('/api/v1/statuses', { status: 'Told slowly' })
  await announceToProviders(server.ctx, {})
  await begun.promise
  // By then, another worker has started, and takes what waits.
  await announceToProviders(server.ctx, {})
  await sleep(2500)
  slow.resolve()
  await server.drain()
  assert.equal(announcements.splice(0).length, 1)
})

/** Selects a capability of the provider again, after it has offered it. */
async function select(capability: string): Promise<void> {
  provider.on('GET /fasp/provider_info', () => ({
    json: { name: 'x', privacyPolicy: [], capabilities: [{ id: capability, version: '0.1' }] },
  }))
  provider.on(`POST /fasp/capabilities/${capability}/0/activation`, () => ({ status: 204 }))
  await press('refresh')
  assert.match(
    (await tab.post(`${await pageOf()}/capabilities`, await chosen([capability]))).text,
    /selection is saved/,
  )
}

const refreshOf = ({ headers }: { headers: Headers }): string | undefined =>
  /id="([^"]+)"/.exec(headers.get('mastodon-async-refresh') ?? '')?.[1]

test('a search also finds accounts that a provider knows', async () => {
  await select('account_search')
  const grace = await peer.actor('grace', { name: 'Grace Teapot', discoverable: true })
  const asks: string[] = []
  provider.on('GET /fasp/account_search/v0/search', ({ query }) => {
    asks.push(`${query.get('term')} ${query.get('limit')}`)
    const hostile = ['http://10.0.0.1/x', 'file:///etc/passwd', 5, `https://blocked.test/x`, 'x'.repeat(3000)]
    return { json: [...hostile, `${server.ctx.config.baseUrl}/users/ada`, grace.uri] }
  })
  await admin.post('/api/v1/admin/domain_blocks', { domain: 'blocked.test', severity: 'suspend' })
  const user = await server.person('searcher')
  const search = (q: string) => user.send('GET', `/api/v2/search?q=${encodeURIComponent(q)}&type=accounts`)
  for (const q of ['#teapot', '@grace@far.test', 'grace@far.test', 'https://far.test/x', 'x'])
    assert.equal(refreshOf(await search(q)), undefined)
  const first = await search('Teapot')
  assert.deepEqual(first.json.accounts, [])
  const id = refreshOf(first)
  await server.drain()
  const { async_refresh: refresh } = await user.get(`/api/v1_alpha/async_refreshes/${id}`)
  assert.deepEqual([refresh.status, refresh.result_count], ['finished', 1])
  const second = await search('Teapot')
  assert.deepEqual(
    second.json.accounts.map(({ display_name }: any) => display_name),
    ['Grace Teapot'],
  )
  assert.equal(refreshOf(second), undefined, 'not asked again at once')
  assert.equal(refreshOf(await server.send('GET', '/api/v2/search?q=kettle')), undefined, 'not for visitors')
  assert.deepEqual(asks, ['Teapot 10'])
  provider.on('GET /fasp/account_search/v0/search', () => ({ json: { not: 'a list' } }))
  await search('kettle')
  await server.drain()
})

test('a provider recommends accounts to those who are discoverable', async () => {
  await select('follow_recommendation')
  const [alan, hidden] = [await server.person('alan'), await server.person('hidden')]
  await alan.send('PATCH', '/api/v1/profile', { json: { discoverable: true } })
  const linus = await peer.actor('linus', { discoverable: true })
  const private_ = await peer.actor('recluse', { discoverable: false })
  const asks: (string | null)[] = []
  provider.on('GET /fasp/follow_recommendation/v0/accounts', ({ query }) => {
    asks.push(query.get('accountUri'))
    return { json: [private_.uri, linus.uri, 'http://10.0.0.1/x'] }
  })
  const suggest = (who: Person) => who.send('GET', '/api/v2/suggestions')
  const isSuggested = async (): Promise<string[]> =>
    (await suggest(alan)).json
      .filter(({ account }: any) => account.acct.startsWith('linus@') || account.acct.startsWith('recluse@'))
      .map(({ account }: any) => account.username)
  assert.equal(refreshOf(await suggest(hidden)), undefined)
  assert.ok(refreshOf(await suggest(alan)))
  await server.drain()
  assert.deepEqual(await isSuggested(), ['linus'])
  assert.equal(refreshOf(await suggest(alan)), undefined, 'asked once a day')
  assert.deepEqual(asks, [`${server.ctx.config.baseUrl}/users/alan`])
  const { rows } = await server.database.raw(`select id from accounts where username = 'linus'`)
  await alan.post(`/api/v1/accounts/${rows[0]?.id}/block`)
  assert.deepEqual(await isSuggested(), [])
})

test('without the feature, neither the API nor the page exists', async () => {
  const plain = await startTestServer()
  after(() => plain.stop())
  const owner = await plain.person('owner', { role: 'owner' })
  const other = browser(plain)
  await other.signIn(owner.email, owner.password)
  assert.equal((await other.get(LIST)).status, 404)
  assert.doesNotMatch((await other.get('/admin/menu')).text, /fasp/)
  assert.equal((await plain.send('POST', '/api/fasp/registration', { json: {} })).status, 404)
  assert.equal((await plain.send('GET', '/nodeinfo/2.0')).json.metadata.faspBaseUrl, undefined)
})
