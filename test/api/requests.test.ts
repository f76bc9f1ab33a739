import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent, request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import { test } from 'node:test'
import { type Answer } from '../support/server.ts'
import { stage } from '../support/stage.ts'

const { server, ada, bob } = await stage({ accounts: ['ada', 'bob'] })

/** Sends a request with a body, which fetch refuses for GET. */
async function sendBody(
  method: string,
  path: string,
  { body, type, token, agent }: { body: string; type?: string; token?: string; agent?: Agent },
): Promise<{ status: number; headers: Record<string, unknown>; json: any }> {
  const headers = {
    ...(type === undefined ? {} : { 'content-type': type }),
    'content-length': Buffer.byteLength(body),
    ...(token ? { authorization: `Bearer ${token}` } : {}),
  }
  const request = httpRequest(server.url + path, { method, headers, agent, signal: AbortSignal.timeout(30_000) })
  request.end(body)
  const [response] = await once(request, 'response')
  let text = ''
  for await (const chunk of response) text += String(chunk)
  return { status: response.statusCode, headers: response.headers, json: text === '' ? null : JSON.parse(text) }
}

/** Sends raw bytes and parses the response. */
async function sendBytes(bytes: string): Promise<{ status: number; headers: Headers; json: any }> {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
  socket.setEncoding('utf8')
  socket.on('error', () => {})
  socket.write(bytes)
  let text = ''
  socket.on('data', (chunk) => (text += String(chunk)))
  await once(socket, 'close')
  const [head = '', body = ''] = text.split('\r\n\r\n')
  const [first = '', ...lines] = head.split('\r\n')
  const pairs = lines.map((line): [string, string] => [
    line.slice(0, line.indexOf(':')),
    line.slice(line.indexOf(':') + 1),
  ])
  return { status: Number(first.split(' ')[1]), headers: new Headers(pairs), json: JSON.parse(body) }
}

test('a GET request accepts parameters in its body, as JSON and as a form', async () => {
  const ids = [ada.id, bob.id]
  const json = { body: JSON.stringify({ id: ids }), type: 'application/json', token: ada.token }
  const asJson = await sendBody('GET', '/api/v1/accounts', json)
  assert.deepEqual(asJson.json.map(({ id }: { id: string }) => id).toSorted(), ids.toSorted())
  const form = { body: `id[]=${bob.id}`, type: 'application/x-www-form-urlencoded; charset=utf-8', token: ada.token }
  const asForm = await sendBody('GET', '/api/v1/accounts/relationships', form)
  assert.deepEqual(
    asForm.json.map(({ id }: { id: string }) => id),
    [bob.id],
  )
  assert.equal((await sendBody('HEAD', '/api/v1/accounts', json)).status, 200)
  const token = { body: JSON.stringify({ access_token: ada.token }), type: 'application/json' }
  assert.equal((await sendBody('GET', '/api/v1/accounts/verify_credentials', token)).json.id, ada.id)
  const list = await ada.post('/api/v1/lists', { title: 'Friends' })
  await ada.post(`/api/v1/accounts/${bob.id}/follow`)
  await ada.post(`/api/v1/lists/${list.id}/accounts`, { account_ids: [bob.id] })
  const members = { ...json, body: JSON.stringify({ account_ids: [bob.id] }) }
  assert.equal((await sendBody('DELETE', `/api/v1/lists/${list.id}/accounts`, members)).status, 200)
  assert.deepEqual(await ada.get(`/api/v1/lists/${list.id}/accounts`), [])
})

test('the body of a GET request has a maximum size, must be valid, and is ignored if it has another type', async () => {
  const path = '/api/v1/accounts'
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const long = { body: JSON.stringify({ id: 'x'.repeat(500_000) }), type: 'application/json', agent }
  assert.equal((await sendBody('GET', path, long)).status, 413)
  // The next request on the same connection.
  assert.equal((await sendBody('GET', path, { body: '', agent })).status, 200)
  agent.destroy()
  assert.equal((await sendBody('GET', path, { body: '{"id":', type: 'application/json' })).status, 400)
  assert.deepEqual((await sendBody('GET', path, { body: 'hello', type: 'text/plain' })).json, [])
  assert.deepEqual((await sendBody('GET', path, { body: '', type: 'json' })).json, [])
})

test('a POST without a type is a form, and only a POST', async () => {
  const body =
    'title=Two words&context[]=home&keywords_attributes[][keyword]=foo&keywords_attributes[][whole_word]=true'
  const { status, json } = await sendBody('POST', '/api/v2/filters', { body, token: ada.token })
  assert.equal(status, 200, JSON.stringify(json))
  assert.equal(json.title, 'Two words')
  assert.deepEqual(
    json.keywords.map(({ keyword, whole_word }: { keyword: string; whole_word: boolean }) => [keyword, whole_word]),
    [['foo', true]],
  )
  const path = `/api/v2/filters/${json.id}`
  assert.equal((await sendBody('PUT', path, { body: 'title=Other', token: ada.token })).status, 400)
  assert.equal((await sendBody('POST', '/api/v2/filters', { body, type: 'text/plain', token: ada.token })).status, 400)
})

test('an act without parameters needs no body, whatever type the client names', async () => {
  const { id } = await ada.post('/api/v1/statuses', { status: 'Nothing more to say' })
  for (const type of ['multipart/form-data', 'multipart/form-data; boundary=x', 'application/json', 'text/plain']) {
    const options = { body: '', type, token: ada.token }
    assert.equal((await sendBody('POST', `/api/v1/statuses/${id}/favourite`, options)).status, 200, type)
  }
})

test('an empty JSON list stands for an empty object, as PHP sends it', async () => {
  const { id } = await ada.post('/api/v1/statuses', { status: 'Sent by Laravel' })
  assert.equal((await ada.post(`/api/v1/statuses/${id}/favourite`, [])).favourited, true)
  assert.equal((await ada.post('/api/v1/statuses', { status: 'Without a poll', poll: [] })).poll, null)
  for (const json of [[id], { status: 'With half a poll', poll: [id] }])
    assert.match((await ada.send('POST', '/api/v1/statuses', { json })).text, /must be an object|Poll is invalid/)
})

test('a content type that is named twice counts once', async () => {
  for (const [type, body] of [
    ['application/json', JSON.stringify({ status: 'Named twice in JSON' })],
    ['application/x-www-form-urlencoded', 'status=Named twice in a form'],
  ] as const) {
    const options = { body, type: `${type}, ${type}`, token: ada.token }
    const { status, json } = await sendBody('POST', '/api/v1/statuses', options)
    assert.equal(status, 200, type)
    assert.match(json.content, /Named twice in/)
  }
})

test('401 responses and missing scopes are explained in WWW-Authenticate', async () => {
  const challenge = 'Bearer realm="Doorkeeper", error="invalid_token", error_description="The access token is invalid"'
  for (const token of [null, 'wrong']) {
    const { status, headers } = await server.send('GET', '/api/v1/timelines/home', { token })
    assert.equal(status, 401)
    assert.equal(headers.get('www-authenticate'), challenge)
  }
  const token = await server.token({ userId: ada.userId, scopes: ['profile'] })
  const scoped = await server.send('GET', '/api/v1/timelines/home', { token })
  assert.equal(scoped.status, 403)
  assert.equal(
    scoped.headers.get('www-authenticate'),
    'Bearer realm="Doorkeeper", error="insufficient_scope", error_description="This action is outside the authorized scopes", scope="read:statuses"',
  )
  const hidden = await server.send('GET', '/api/v1/statuses/1')
  assert.equal(hidden.headers.get('www-authenticate'), null)
})

/** Asserts that a response has the format of API errors, with CORS headers. */
function assertApiError(
  { status, headers, json }: Pick<Answer, 'status' | 'headers' | 'json'>,
  expected: number,
): void {
  assert.equal(status, expected)
  assert.match(headers.get('content-type') ?? '', /^application\/json/)
  assert.equal(headers.get('access-control-allow-origin'), '*')
  assert.ok(headers.get('x-request-id'))
  assert.deepEqual(Object.keys(json), ['error'])
  assert.equal(typeof json.error, 'string')
}

test('errors of the framework have the format of API errors', async () => {
  assertApiError(await server.send('GET', '/api/v1/accounts/%ff'), 400)
  assertApiError(await server.send('GET', `/api/v1/accounts/${'1'.repeat(3000)}`), 414)
  assertApiError(await server.send('PROPFIND', '/api/v1/instance'), 404)
  assertApiError(await server.send('DELETE', '/api/v1/instance'), 404)
  assertApiError(await server.send('POST', '/api/v1/statuses', { headers: { 'content-type': 'nonsense' } }), 415)
  const large = { client_name: 'x'.repeat(2 ** 20) }
  assertApiError(await server.send('POST', '/api/v1/apps', { json: large }), 413)
})

test('errors of the HTTP parser have the format of API errors', async () => {
  assertApiError(
    await sendBytes(`GET /api/v1/instance HTTP/1.1\r\nHost: a\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`),
    431,
  )
  assertApiError(await sendBytes('GET /api/v1/instance HTTP/9.9\r\n\r\n'), 400)
  assertApiError(await sendBytes('\0\0\0\0\r\n\r\n'), 400)
})

test('a response has an ETag, and a matching If-None-Match is answered with 304', async () => {
  const path = '/api/v1/accounts/verify_credentials'
  const first = await ada.send('GET', path)
  const etag = first.headers.get('etag') ?? ''
  assert.match(etag, /^W\/"[\w-]+"$/)
  assert.equal(first.headers.get('cache-control'), 'private, no-store')
  for (const known of [etag, etag.slice(2), `"other", ${etag}`, '*']) {
    const again = await ada.send('GET', path, { headers: { 'if-none-match': known } })
    assert.deepEqual([again.status, again.text, again.headers.get('etag')], [304, '', etag])
  }
  const other = await ada.send('GET', path, { headers: { 'if-none-match': 'W/"other"' } })
  assert.equal(other.status, 200)
  await ada.send('PATCH', '/api/v1/accounts/update_credentials', { json: { display_name: 'Ada' } })
  const changed = await ada.send('GET', path, { headers: { 'if-none-match': etag } })
  assert.deepEqual([changed.status, changed.json.display_name], [200, 'Ada'])
  const missing = await ada.send('GET', '/api/v1/statuses/1', { headers: { 'if-none-match': '*' } })
  assert.equal(missing.status, 404)
})

test('anonymous responses may be shared by caches; responses to a token, a cookie or a body may not', async () => {
  const { id, poll } = await ada.post('/api/v1/statuses', {
    status: 'Hello',
    poll: { options: ['Good day', 'Hi'], expires_in: 600 },
  })
  for (const path of [
    '/api/v1/instance',
    '/api/v2/instance',
    '/api/v1/custom_emojis',
    '/api/v1/directory',
    '/api/v1/timelines/public',
    `/api/v1/statuses/${id}`,
    `/api/v1/polls/${poll.id}`,
  ]) {
    const anonymous = await server.send('GET', path)
    assert.match(
      anonymous.headers.get('cache-control') ?? '',
      /^public, max-age=\d\d, s-maxage=\d\d, stale-while/,
      path,
    )
    assert.match(anonymous.headers.get('vary') ?? '', /Authorization/)
    const cookie = await server.send('GET', path, { headers: { cookie: 'rookery_session=x' } })
    for (const { headers } of [await ada.send('GET', path), cookie])
      assert.equal(headers.get('cache-control'), 'private, no-store', path)
    const inAddress = await server.send('GET', `${path}?access_token=${ada.token}`)
    assert.equal(inAddress.headers.get('cache-control'), 'private, no-store')
    const body = await sendBody('GET', path, { body: '{"limit":1}', type: 'application/json' })
    assert.equal(body.headers['cache-control'], 'private, no-store')
  }
  const lookup = '/api/v1/accounts/lookup?acct=ada'
  assert.match((await server.send('GET', lookup)).headers.get('cache-control') ?? '', /^public/)
  assert.equal((await ada.send('GET', lookup)).headers.get('cache-control'), 'private, no-store')
  const hidden = await ada.post('/api/v1/statuses', { status: 'Hello', visibility: 'private' })
  const refused = await server.send('GET', `/api/v1/statuses/${hidden.id}`)
  assert.deepEqual([refused.status, refused.headers.get('cache-control')], [404, 'no-store'])
})

test('JSON responses and errors have a Content-Security-Policy', async () => {
  for (const path of ['/api/v2/instance', '/api/v1/statuses/1', '/api/v1/timelines/home'])
    assert.equal(
      (await server.send('GET', path)).headers.get('content-security-policy'),
      "default-src 'none'; frame-ancestors 'none'; form-action 'none'",
    )
})

test('the deprecated paths of collections still answer, with a Deprecation header', async () => {
  const made = await ada.send('POST', '/api/v1_alpha/collections', { json: { name: 'Birds' } })
  assert.equal(made.status, 200)
  const { id } = made.json.collection
  const base = `/api/v1_alpha/collections/${id}`
  const answers = [
    made,
    await server.send('GET', base),
    await ada.send('PATCH', base, { json: { description: 'Good ones' } }),
    await ada.send('GET', `/api/v1_alpha/accounts/${ada.id}/collections`),
    await ada.send('DELETE', base),
  ]
  for (const { status, headers } of answers) {
    assert.equal(status, 200)
    assert.equal(headers.get('deprecation'), '@1781049600')
  }
  const gone = [
    await ada.send('POST', `${base}/items`, { json: { account_id: bob.id } }),
    await ada.send('DELETE', `${base}/items/1`),
    await ada.send('POST', `${base}/items/1/revoke`),
  ]
  assert.deepEqual(
    gone.map(({ status, json }) => [status, json]),
    gone.map(() => [404, { error: 'Record not found' }]),
  )
  assert.equal((await server.send('DELETE', base)).status, 401)
})

test('addresses that end in .json or .rss are answered in that format', async () => {
  const { id } = await ada.post('/api/v1/statuses', { status: 'Larks & <owls> #feathers' })
  const documents = {
    '/@ada.json': 'Person',
    '/users/ada.json': 'Person',
    [`/@ada/${id}.json`]: 'Note',
    [`/users/ada/statuses/${id}.json`]: 'Note',
    '/tags/feathers.json': 'OrderedCollection',
    '/actor.json': 'Application',
  }
  for (const [path, type] of Object.entries(documents)) {
    const { status, headers, json } = await server.send('GET', path)
    assert.deepEqual([status, json?.type], [200, type], path)
    assert.match(headers.get('content-type') ?? '', /^application\/activity\+json/)
  }
  const url = encodeURIComponent(`${server.ctx.config.baseUrl}/@ada/${id}`)
  assert.equal((await server.send('GET', `/api/oembed.json?url=${url}`)).json.type, 'rich')
  assert.equal((await server.send('GET', '/api/v1/instance.json')).json.uri, server.domain)
  assert.equal((await server.send('GET', '/api/v1/instance/')).json.uri, server.domain)
  assert.equal((await server.send('GET', '/api/openapi.json')).json.openapi, '3.1.0')
  await ada.post('/api/v1/statuses', { status: 'For followers #feathers', visibility: 'private' })
  for (const path of ['/@ada.rss', '/users/ada.rss', '/tags/feathers.rss']) {
    const { status, headers, text } = await server.send('GET', path)
    assert.equal(status, 200, path)
    assert.match(headers.get('content-type') ?? '', /^application\/rss\+xml/)
    assert.match(text, /<title>Larks &amp; &lt;owls&gt; #feathers<\/title>/)
    assert.match(text, new RegExp(`<guid isPermaLink="true">[^<]*/@ada/${id}</guid>`))
    assert.doesNotMatch(text, /For followers/)
  }
  for (const path of ['/@nobody.rss', '/@nobody.json', '/tags/unheard.rss', '/tags/unheard.json', '/@ada/1.json'])
    assert.equal((await server.send('GET', path)).status, 404, path)
})

test('slashes that are repeated in a path count once', async () => {
  await ada.post('/api/v1/statuses', { status: 'one' })
  await ada.post('/api/v1/statuses', { status: 'two' })
  const path = `/api/v1/accounts/${ada.id}/statuses?limit=1&tagged=`
  const usual = await server.send('GET', path)
  const doubled = await server.send('GET', path.replace('/accounts', '//accounts'))
  assert.deepEqual([doubled.status, doubled.json], [200, usual.json])
  assert.equal(doubled.headers.get('link'), usual.headers.get('link'))
  assert.equal(doubled.headers.get('access-control-allow-origin'), '*')
  const statuses = ['//api///v1//instance//', '//@ada//?to=https://elsewhere.test//', '//elsewhere.test/'].map(
    async (each) => (await fetch(`${server.url}${each}`)).status,
  )
  assert.deepEqual(await Promise.all(statuses), [200, 200, 404])
})

test('the target of a request may be a whole address', async () => {
  const statusOf = (path: string): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      const sent = httpRequest(server.url, { path, agent: false }, (response) => resolve(response.resume().statusCode))
      sent.on('error', reject).end()
    })
  for (const path of ['/nodeinfo/2.0', '/api/v1/instance?x=1', '/@ada', '', '?x=1', '//@ada'])
    assert.equal(await statusOf(`${server.url}${path}`), 200, path)
  for (const path of [`${server.url}/missing`, 'ftp://elsewhere.test/@ada'])
    assert.equal(await statusOf(path), 404, path)
})

test('the @ of a profile or a post may be encoded', async () => {
  const { id, url } = await ada.post('/api/v1/statuses', { status: 'Encoded' })
  const accept = 'application/activity+json'
  for (const [path, type] of Object.entries({ '/%40ada': 'Person', [`/%40ada/${id}`]: 'Note' })) {
    assert.equal((await server.send('GET', path, { headers: { accept: 'text/html' } })).status, 200, path)
    assert.equal((await server.send('GET', path, { headers: { accept } })).json.type, type, path)
  }
  assert.equal((await server.send('GET', '/%40ada.rss')).status, 200)
  const encoded = encodeURIComponent(url.replace('@', '%40'))
  assert.equal((await bob.get(`/api/v2/search?q=${encoded}&resolve=true`)).statuses[0].id, id)
  assert.equal((await server.send('GET', `/api/oembed?url=${encoded}`)).status, 200)
})

test('limit=0 asks for an empty page, which has no links', async () => {
  const { id } = await ada.post('/api/v1/statuses', { status: '@bob counting to #nought' })
  for (const action of ['favourite', 'bookmark', 'reblog']) await bob.post(`/api/v1/statuses/${id}/${action}`)
  await bob.post(`/api/v1/accounts/${ada.id}/follow`)
  await bob.post('/api/v1/tags/nought/follow')
  const list = await bob.post('/api/v1/lists', { title: 'Ada' })
  await bob.post(`/api/v1/lists/${list.id}/accounts`, { account_ids: [ada.id] })
  const listed = async (path: string): Promise<[unknown[], string | null]> => {
    const { status, json, headers, text } = await bob.send('GET', path)
    assert.equal(status, 200, `${path} ${text}`)
    return [Array.isArray(json) ? json : (json.notification_groups ?? Object.values(json).flat()), headers.get('link')]
  }
  await server.drain()
  for (const path of [
    'v1/timelines/home',
    'v1/timelines/public',
    'v1/timelines/tag/nought',
    `v1/timelines/list/${list.id}`,
    `v1/accounts/${ada.id}/statuses`,
    `v1/accounts/${ada.id}/followers`,
    'v1/favourites',
    'v1/bookmarks',
    'v1/followed_tags',
    `v1/statuses/${id}/favourited_by`,
    `v1/statuses/${id}/reblogged_by`,
    'v1/notifications',
    'v2/notifications',
    'v2/search?q=nought',
    'v1/accounts/search?q=ada',
  ]) {
    const sign = path.includes('?') ? '&' : '?'
    assert.notEqual((await listed(`/api/${path}`))[0].length, 0, path)
    assert.deepEqual(await listed(`/api/${path}${sign}limit=0`), [[], null], path)
  }
  for (const path of [
    'v1/conversations',
    'v1/directory',
    'v1/trends/tags',
    'v1/trends/tags?offset=2',
    'v2/suggestions',
  ])
    assert.deepEqual(await listed(`/api/${path}${path.includes('?') ? '&' : '?'}limit=0`), [[], null], path)
  assert.equal((await bob.get('/api/v1/notifications/unread_count?limit=0')).count, 0)
  assert.equal((await bob.get(`/api/v1/lists/${list.id}/accounts?limit=0`)).length, 1)
})
