// The promises of this server to clients, one test each: no change may break them. The other half is in mission-features.test.ts.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../support/database.ts'
import { remoteAccount } from '../support/remote.ts'
import { startTestServer, type Person } from '../support/server.ts'
import { stage } from '../support/stage.ts'
import { idsOf, links, post } from '../support/timelines.ts'

const { server, ada, bob } = await stage({ accounts: ['ada', 'bob'], env: { REGISTRATIONS_MODE: 'approved' } })

/** The areas of the client API; administration is not included. */
const AREAS =
  `accounts apps blocks bookmarks conversations crypto custom_emojis directory domain_blocks emails endorsements
  favourites featured_tags filters follow_requests followed_tags follows instance lists markers media mutes notifications polls
  preferences push scheduled_statuses search statuses streaming suggestions tags timelines`.split(/\s+/)

test('the API document has operations in every area', async () => {
  const { paths } = (await server.send('GET', '/api/openapi.json')).json
  const areas = new Set(Object.keys(paths).map((path) => /^\/api\/v[12]\/(\w+)/.exec(path)?.[1]))
  assert.deepEqual(
    AREAS.filter((area) => !areas.has(area)),
    [],
  )
  assert.ok(paths['/api/v2/instance'])
})

test('a suspended account responds with 410, and is blanked in lists of accounts', async () => {
  const id = await remoteAccount(server, 'outcast', 'far.test', {
    display_name: 'Out',
    note: '<p>cast</p>',
    suspended_at: new Date(),
  })
  assert.equal((await server.send('GET', `/api/v1/accounts/${id}`)).status, 410)
  assert.equal((await ada.send('GET', `/api/v1/accounts/${id}`)).status, 410)
  const [embedded] = await ada.get(`/api/v1/accounts?id[]=${id}`)
  assert.deepEqual([embedded.suspended, embedded.display_name, embedded.note], [true, '', ''])
})

test('a registration stores its reason, and the confirmation mail can be sent again', async () => {
  const token = await server.token({ scopes: ['read', 'write'] })
  const form = {
    username: 'newcomer',
    email: 'newcomer@mail.test',
    password: 'correct horse battery',
    agreement: 'true',
    locale: 'en',
  }
  const made = await server.send('POST', '/api/v1/accounts', { token, form: { ...form, reason: 'I like rooks' } })
  assert.equal(made.status, 200, made.text)
  const user = await server.ctx.db.one(
    sql`select sign_up_reason as reason, confirmed_at from users where email = ${form.email}`,
  )
  assert.deepEqual(user, { reason: 'I like rooks', confirmed_at: null })
  const again = await server.send('POST', '/api/v1/emails/confirmations', {
    token: made.json.access_token,
    form: { email: 'better@mail.test' },
  })
  assert.deepEqual([again.status, again.json], [200, {}])
})

test('a profile is updated by PUT and by PATCH', async () => {
  for (const method of ['PUT', 'PATCH']) {
    const form = {
      note: `by ${method}`,
      hide_collections: 'true',
      'fields_attributes[0][name]': 'How',
      'fields_attributes[0][value]': method,
    }
    const { status, json } = await ada.send(method, '/api/v1/accounts/update_credentials', { form })
    assert.equal(status, 200)
    assert.deepEqual(
      [json.note, json.source.note, json.source.hide_collections],
      [`<p>by ${method}</p>`, `by ${method}`, true],
    )
    assert.deepEqual(json.source.fields, [{ name: 'How', value: method, verified_at: null }])
  }
  await ada.send('PATCH', '/api/v1/accounts/update_credentials', { json: { hide_collections: false } })
})

test('an application verifies its credentials and gets the VAPID key', async () => {
  const form = { client_name: 'Client', redirect_uris: 'urn:ietf:wg:oauth:2.0:oob', website: 'https://client.test' }
  const app = (await server.send('POST', '/api/v1/apps', { form })).json
  const { vapid } = (await server.send('GET', '/api/v2/instance')).json.configuration
  assert.match(vapid.public_key, /^[\w-]{87}$/)
  const grant = { grant_type: 'client_credentials', client_id: app.client_id, client_secret: app.client_secret }
  const { access_token: token } = (await server.send('POST', '/oauth/token', { form: grant })).json
  const verified = await server.send('GET', '/api/v1/apps/verify_credentials', { token })
  assert.deepEqual([verified.status, verified.json.name, verified.json.website], [200, 'Client', 'https://client.test'])
  assert.deepEqual([app.vapid_key, verified.json.vapid_key], [vapid.public_key, vapid.public_key])
})

test('POST /api/v1/follows follows by handle, also repeatedly', async () => {
  for (const uri of [`bob@${server.domain}`, `@bob@${server.domain}`, `bob@${server.domain}`]) {
    const { status, json } = await ada.send('POST', '/api/v1/follows', { form: { uri } })
    assert.deepEqual([status, json.id], [200, bob.id])
  }
  assert.deepEqual(await idsOf(ada, `/api/v1/accounts/${ada.id}/following`), [bob.id])
  assert.equal((await ada.send('POST', '/api/v1/follows', { form: { uri: `nobody@${server.domain}` } })).status, 404)
})

test('instance and NodeInfo are public in limited federation mode', async () => {
  const closed = await startTestServer({ LIMITED_FEDERATION_MODE: 'true' })
  try {
    for (const path of ['/api/v1/instance', '/api/v2/instance', '/nodeinfo/2.0', '/.well-known/nodeinfo'])
      assert.equal((await closed.send('GET', path)).status, 200, path)
    assert.equal((await closed.send('GET', '/api/v1/timelines/public')).status, 401)
  } finally {
    await closed.stop()
  }
})

test('notifications are filtered by account, forty per page by default', async () => {
  const [one, other] = await Promise.all(['one', 'other'].map((name) => remoteAccount(server, name)))
  for (const [from, n] of [
    [one, 1],
    [other, 45],
  ] as [string, number][])
    await notifyOf(bob, from, n)
  assert.equal((await bob.get('/api/v1/notifications')).length, 40)
  assert.equal((await bob.get('/api/v1/notifications?limit=60')).length, 47)
  const ofOne = await bob.get(`/api/v1/notifications?account_id=${one}`)
  assert.deepEqual(
    ofOne.map(({ account }: any) => account.id),
    [one],
  )
})

/** Stores notifications of `n` favourites by the account `from`. */
async function notifyOf(person: Person, from: string, n: number): Promise<void> {
  await server.ctx.db.run(sql`
    with s as (
      insert into statuses (id, account_id, visibility, local, content)
      select ((extract(epoch from now()) * 1000)::bigint << 16) + i + ${from}::bigint % 60000, ${person.id}, 'public', true, '' from generate_series(1, ${n}::int) i returning id
    )
    insert into notifications (id, account_id, from_account_id, type, status_id) select s.id, ${person.id}, ${from}, 'favourite', s.id from s`)
}

test('min_id returns the page directly above it on all paged endpoints', async () => {
  const reader = await server.person('reader')
  for (let i = 0; i < 5; i++) {
    const id = await post(bob, `number ${i} #pages @reader`)
    await post(bob, `@reader psst ${i}`, { visibility: 'direct' })
    const other = await remoteAccount(server, `other${i}`)
    for (const action of ['favourite', 'bookmark']) await reader.post(`/api/v1/statuses/${id}/${action}`)
    for (const action of ['block', 'mute'])
      await reader.post(`/api/v1/accounts/${await remoteAccount(server, `${action}ed${i}`)}/${action}`)
    await server.ctx.db.run(
      sql`insert into follows (account_id, target_account_id) values (${other}, ${reader.id}), (${reader.id}, ${other})`,
    )
    await server.ctx.db.run(
      sql`insert into follow_requests (account_id, target_account_id) values (${await remoteAccount(server, `asking${i}`)}, ${reader.id})`,
    )
  }
  await reader.post(`/api/v1/accounts/${bob.id}/follow`)
  await server.drain()
  const paths = [
    'bookmarks',
    'favourites',
    'blocks',
    'mutes',
    'follow_requests',
    'notifications',
    'conversations',
    ...['home', 'public', 'tag/pages', 'direct'].map((timeline) => `timelines/${timeline}`),
    ...['followers', 'following'].map((side) => `accounts/${reader.id}/${side}`),
    `accounts/${bob.id}/statuses`,
  ]
  for (const path of paths) {
    const at = `/api/v1/${path}`
    const ids = await idsOf(reader, `${at}?limit=40`)
    assert.ok(ids.length >= 5, path)
    const upTo = await reader.send('GET', `${at}?limit=${ids.length - 3}`)
    const older = await reader.send(
      'GET',
      links(upTo.headers).next ?? assert.fail(`${path}: ${upTo.headers.get('link')}`),
    )
    assert.deepEqual(older.json.map(({ id }: any) => id).slice(0, 3), ids.slice(-3).slice(0, ids.length - 3), path)
    const cursor = new URL(links(older.headers).prev ?? assert.fail(path)).searchParams
    const minId = cursor.get('min_id') ?? cursor.get('since_id')
    assert.deepEqual(await idsOf(reader, `${at}?limit=1&min_id=${minId}`), ids.slice(-4, -3), path)
  }
})
