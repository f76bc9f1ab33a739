import assert from 'node:assert/strict'
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { finished } from 'node:stream/promises'
import { test } from 'node:test'
import { insertApp } from '../../src/domain/auth/apps.ts'
import { issueToken } from '../../src/domain/auth/tokens.ts'
import { refused } from '../streaming/listen.ts'

import { saveSettings } from '../support/acts.ts'
import { signedIn } from '../support/forms.ts'
import { accountIdOf, deliverFrom } from '../support/remote-people.ts'
import { spend } from '../support/rate-limits.ts'
import { remoteAccount } from '../support/remote.ts'
import { eventually, type Answer, type TestServer } from '../support/server.ts'
import { stage } from '../support/stage.ts'

// Rate limits, with and without a token.

const { server, peer, other, ada } = await stage({
  accounts: ['ada'],
  peers: ['peer', 'other'],
  env: { RATE_LIMITS: 'on' },
})

/**
 * Sends requests from a new IP address, named as a proxy on this machine would: the last address in x-forwarded-for counts. The
 * client claims another one before it in each request.
 */
let addresses = 0
const fromNewAddress = () => {
  const address = `192.0.2.${++addresses}`
  let claims = 0
  return (method: string, path: string, options: Parameters<TestServer['send']>[2] = {}): Promise<Answer> => {
    const headers = { 'x-forwarded-for': `203.0.113.${++claims % 250}, ${address}` }
    return server.send(method, path, { ...options, headers: { ...headers, ...options.headers } })
  }
}

/** The number of responses by HTTP status. */
async function tally(times: number, ask: (i: number) => Promise<{ status: number }>): Promise<Record<number, number>> {
  const counts: Record<number, number> = {}
  for (let i = 0; i < times; i += 20) {
    const some = await Promise.all(Array.from({ length: Math.min(20, times - i) }, (_, j) => ask(i + j)))
    for (const { status } of some) counts[status] = (counts[status] ?? 0) + 1
  }
  return counts
}

test('requests and uploads with an invalid token share the limit of their IP address', async () => {
  const from = fromNewAddress()
  const read = (i: number) => from('GET', '/api/v1/timelines/home', { token: `guess-${i}` })
  const upload = (i: number) => from('POST', '/api/v2/media', { token: `guess-${i}`, form: { file: 'x' } })
  await spend(server, 'per address', `192.0.2.${addresses}`, 290)
  assert.deepEqual(await tally(5, read), { 401: 5 })
  assert.deepEqual(await tally(7, upload), { 401: 5, 429: 2 })
  const refused = await read(0)
  assert.equal(refused.status, 429)
  const seconds = Number(refused.headers.get('retry-after'))
  assert.ok(seconds > 0 && seconds <= 300, 'retry-after gives the seconds until the limit ends')
  assert.equal((await ada.send('GET', '/api/v1/timelines/home')).status, 200, 'others notice nothing')
})

test('uploads are limited per account', async () => {
  const nina = await server.person('nina')
  const uploads = await tally(35, () => nina.send('POST', '/api/v2/media', { form: { description: 'no file' } }))
  assert.deepEqual(uploads, { 422: 30, 429: 5 })
})

test('a page is short after 10,000 entries that its reader may not see', async () => {
  const [pia, quinn, rosa] = [await server.person('pia'), await server.person('quinn'), await server.person('rosa')]
  const bookmark = (from: number, to: number, author: string): Promise<unknown> =>
    server.database.raw(
      `with status as (
        insert into statuses (id, account_id, text, content, visibility, local, conversation_id)
        select n << 16, $1, 'a', '<p>a</p>', 'public', true, (select id from conversations limit 1)
        from generate_series($3::bigint, $4::bigint) n returning id
      )
      insert into bookmarks (account_id, status_id) select $2, id from status order by id`,
      [author, pia.id, from, to],
    )
  await quinn.post('/api/v1/statuses', { status: 'makes a conversation' })
  await bookmark(1, 1, quinn.id)
  await bookmark(2, 12_001, rosa.id)
  await bookmark(12_002, 12_002, quinn.id)
  await rosa.post(`/api/v1/accounts/${pia.id}/block`)
  assert.deepEqual(
    (await pia.get('/api/v1/bookmarks')).map(({ id }: { id: string }) => id),
    [String(12_002n << 16n)],
  )
})

test('mutes that end by themselves are limited per account, and others are not', async () => {
  const uma = await server.person('uma')
  const mute = (json: object) => uma.send('POST', `/api/v1/accounts/${ada.id}/mute`, { json })
  await spend(server, 'timed-mutes', uma.userId, 98)
  assert.deepEqual(await tally(4, () => mute({ duration: 600 })), { 200: 2, 429: 2 })
  assert.equal((await mute({})).status, 200)
})

test('changes of a profile are limited per account', async () => {
  const olga = await server.person('olga')
  const ways = ['PATCH /api/v1/accounts/update_credentials', 'PATCH /api/v1/profile', 'DELETE /api/v1/profile/avatar']
  await spend(server, 'profile', olga.userId, 100 - ways.length)
  const change = (i: number): Promise<Answer> => {
    const [method = '', path = ''] = (ways[i] ?? '').split(' ')
    return olga.send(method, path, method === 'PATCH' ? { json: { indexable: true } } : {})
  }
  assert.deepEqual(await tally(ways.length, change), { 200: ways.length })
  assert.deepEqual(await tally(ways.length, change), { 429: ways.length })
})

test('changes that go to the servers of all followers, or have the home timeline built again, are limited per account', async () => {
  const changes = {
    featured: [
      'POST statuses/1/pin',
      'POST statuses/1/unpin',
      'POST tags/a/unfeature',
      'POST featured_tags',
      'DELETE featured_tags/1',
      'PATCH collections/1',
      'DELETE collections/1/items/1',
    ],
    home: ['POST tags/a/follow', 'POST tags/a/unfollow', 'PUT lists/1', 'DELETE domain_blocks'],
    statuses: ['PUT statuses/1/interaction_policy'],
  }
  for (const [family, ways] of Object.entries(changes) as [keyof typeof changes, string[]][]) {
    const user = await server.person(`user_${family}`)
    await spend(server, family, user.userId, 300 - ways.length)
    const change = (i: number): Promise<Answer> => {
      const [method = '', path] = (ways[i] ?? '').split(' ')
      return user.send(method, `/api/v1/${path}`, { json: {} })
    }
    assert.equal((await tally(ways.length, change))[429], undefined, family)
    assert.deepEqual(await tally(ways.length, change), { 429: ways.length }, family)
  }
})

test('a long thread counts as several requests', async () => {
  const reader = await server.person('reader')
  const { id } = await reader.post('/api/v1/statuses', { status: 'root' })
  const left = async (): Promise<number> => {
    const { status, json, headers } = await reader.send('GET', '/api/v1/accounts/verify_credentials')
    assert.equal(status, 200, JSON.stringify(json))
    return Number(headers.get('x-ratelimit-remaining'))
  }
  const costOfThread = async (length: number): Promise<number> => {
    const before = await left()
    const { descendants } = await reader.get(`/api/v1/statuses/${id}/context`)
    assert.equal(descendants.length, length)
    return before - (await left()) - 1
  }
  assert.equal(await costOfThread(0), 1)
  await server.database.raw(
    `insert into statuses (id, account_id, visibility, local, reply, in_reply_to_id)
    select $1::bigint + n, $2, 'public', true, true, $1 from generate_series(1, 500) n`,
    [id, reader.id],
  )
  assert.equal(await costOfThread(500), 3)
})

test('the threads that are fetched for a reader are limited, and others shown as they are stored', async () => {
  const zed = await remoteAccount(server, 'zed', peer.domain)
  const reader = await server.person('eager')
  const { rows } = await server.database.raw(
    `insert into statuses (id, account_id, visibility, local, uri)
    select (20000 + n) << 16, $1, 'public', false, $2 || '/threads/' || n from generate_series(1, 4) n returning id::text`,
    [zed, peer.url],
  )
  await spend(server, 'thread-fetches', reader.userId, 198)
  const fetched = { true: 0, false: 0 }
  for (const { id } of rows) {
    const { status, headers } = await reader.send('GET', `/api/v1/statuses/${id}/context`)
    assert.equal(status, 200)
    fetched[`${headers.has('mastodon-async-refresh')}`]++
  }
  assert.deepEqual(fetched, { true: 2, false: 2 })
  await server.drain()
})

test('app tokens from one IP address share its limit, and registering applications has a limit', async () => {
  const from = fromNewAddress()
  const tokens = await Promise.all(
    [1, 2].map(async (i) => {
      const app = await insertApp(server.ctx, {
        name: `App ${i}`,
        website: null,
        redirectUris: ['urn:x'],
        scopes: ['read'],
      })
      return (await issueToken(server.ctx, { appId: app.id, userId: null, scopes: ['read'] })).token
    }),
  )
  await spend(server, 'per address', `192.0.2.${addresses}`, 294)
  const counts = await tally(10, (i) => from('GET', '/api/v1/custom_emojis', { token: tokens[i % 2] as string }))
  assert.deepEqual(counts, { 200: 6, 429: 4 })
  const json = { client_name: 'Mine', redirect_uris: 'urn:ietf:wg:oauth:2.0:oob' }
  const another = fromNewAddress()
  assert.deepEqual(await tally(22, () => another('POST', '/api/v1/apps', { json })), { 200: 20, 429: 2 })
})

test('anonymous requests for further pages of lists share one limit per IP address, with refused WebSocket handshakes', async () => {
  const from = fromNewAddress()
  const headers = { 'x-forwarded-for': `192.0.2.${addresses}` }
  const shake = (from = headers) => refused(server, '/api/v1/streaming?max_id=9', { headers: from })
  const paths = [
    '/api/v1/timelines/public?max_id=9',
    '/@ada?max_id=9',
    '/users/ada/outbox?page=true',
    '/users/ada/followers?page=true',
  ]
  await spend(server, 'paging', `192.0.2.${addresses}`, 284)
  for (const path of paths) assert.deepEqual(await tally(3, () => from('GET', path)), { 200: 3 }, path)
  assert.deepEqual(await tally(6, () => shake()), { 401: 4, 429: 2 })
  assert.deepEqual(await shake(), { status: 429, json: { error: 'Too many requests' } })
  for (const path of paths) assert.equal((await from('GET', path)).status, 429, path)
  assert.equal((await from('GET', '/@ada')).status, 200, 'the first page is still served')
  assert.equal((await shake({ 'x-forwarded-for': `192.0.2.${++addresses}` })).status, 401, 'others notice nothing')
})

test('activities with bad signatures are limited by IP address, and so are the key requests that they cause', async () => {
  const eve = await peer.actor('eve')
  const headers = { 'x-forwarded-for': `192.0.2.${++addresses}` }
  const activity = { id: `${peer.url}/1`, type: 'Like', actor: eve.uri, object: `${peer.url}/2` }
  const deliver = async (keyId: string): Promise<{ status: number }> => ({
    status: await peer.send(server, eve, activity, { keyId, headers }),
  })
  const before = peer.requests.length
  await spend(server, 'signatures', `192.0.2.${addresses}`, 290)
  const counts = await tally(20, (i) => deliver(`${peer.url}/users/missing-${i}#main-key`))
  assert.deepEqual(counts, { 401: 10, 429: 10 })
  assert.ok(peer.requests.length - before <= 20)
  assert.equal(await peer.send(server, eve, activity), 202, 'activities from other IP addresses are accepted')
})

test('validly signed activities are not rate limited', async () => {
  const gwen = await peer.actor('gwen')
  const like = { type: 'Like', actor: gwen.uri, object: `${peer.url}/2` }
  const address = `192.0.2.${++addresses}`
  const headers = { 'x-forwarded-for': address }
  await spend(server, 'per address', address, 300)
  // One is left, which each activity takes until its signature is verified.
  await spend(server, 'signatures', address, 299)
  for (let i = 0; i < 3; i++)
    assert.equal(await peer.send(server, gwen, { id: `${peer.url}/l/${i}`, ...like }, { headers }), 202)
})

test('of a remote account, a limited number of replies is forwarded to the followers of a local one', async () => {
  const [ivy, hugo] = [await peer.actor('ivy'), await other.actor('hugo')]
  const adaUri = `http://${server.domain}/users/ada`
  await deliverFrom(peer, ivy, server, { id: `${ivy.uri}#f`, type: 'Follow', actor: ivy.uri, object: adaUri })
  const post = await ada.post('/api/v1/statuses', { status: 'answer me' })
  const id = await accountIdOf(ada, other, hugo)
  await spend(server, 'forwards', id, 298)
  const signature = {
    type: 'RsaSignature2017',
    creator: hugo.keyId,
    created: '2026-11-22T00:00:00Z',
    signatureValue: 'c2ln',
  }
  const reply = (): object => ({ ...other.create(hugo, { inReplyTo: post.uri }), signature })
  await Promise.all([1, 2, 3, 4].map(() => deliverFrom(other, hugo, server, reply())))
  assert.equal(peer.received.filter(({ actor }) => actor === hugo.uri).length, 2)
  assert.equal((await ada.get(`/api/v1/statuses/${post.id}`)).replies_count, 4, 'all are stored')
})

test('an account may have 100 streams open at once', async () => {
  const answers: IncomingMessage[] = []
  const connect = (): Promise<number> =>
    new Promise((resolve, reject) => {
      const headers = { authorization: `Bearer ${ada.token}`, host: server.domain }
      const sent = get(`${server.url}/api/v1/streaming/public`, { headers, agent: false }, (answer) => {
        answers.push(answer.resume())
        resolve(answer.statusCode ?? 0)
      })
      sent.on('error', reject)
    })
  const leave = (): void => answers.splice(0).forEach((answer) => answer.destroy())
  const statuses = await Promise.all(Array.from({ length: 102 }, connect))
  assert.equal(statuses.filter((status) => status === 200).length, 100)
  assert.equal(statuses.filter((status) => status === 429).length, 2)
  leave()
  await eventually(async () => (await connect()) === 200)
  leave()
})

test('a connection whose client does not read its response is closed', async () => {
  await server.ctx.files.put('media/large', Buffer.alloc(32 * 1024 * 1024), 'video/mp4')
  const http = server.app.server
  const timeout = http.timeout
  http.timeout = timeout / 400
  const connected = once(http, 'connection')
  const [answer] = (await once(get(`${server.url}/files/media/large`, { agent: false }), 'response')) as [
    IncomingMessage,
  ]
  const [socket] = await connected
  http.timeout = timeout
  if (!socket.closed) await once(socket, 'close')
  await assert.rejects(finished(answer.resume()))
})

test('large hostile inputs are answered within the time limit', { timeout: 300_000 }, async () => {
  await server.ctx.files.put('media/long', Buffer.from('0123456789'), 'video/mp4')
  const range = `bytes=${'\t'.repeat(3000)}-${'\t'.repeat(3000)}-`
  assert.equal((await server.send('GET', '/files/media/long', { headers: { range } })).status, 200)
  const bob = await server.person('bob')
  const muted = await ada.send('POST', `/api/v1/accounts/${bob.id}/mute`, {
    json: { duration: `${'0'.repeat(400_000)}x` },
  })
  assert.equal(muted.status, 200, 'nonsense counts as absent')
  const votes = await ada.send('POST', '/api/v1/statuses', {
    json: { status: 'which?', poll: { options: ['a', 'b'], expires_in: `${'0'.repeat(400_000)}x` } },
  })
  assert.equal(votes.status, 422)
  for (const bit of ['#a·', '@a@b.example ', 'https://a.example/(']) {
    const long = await ada.send('POST', '/api/v1/statuses', {
      json: { status: bit.repeat(900_000 / Buffer.byteLength(bit)) },
    })
    assert.equal(long.status, 422, bit)
  }
  assert.equal((await ada.send('GET', `/api/v2/search?q=${'@'.repeat(12_000)}`)).status, 200)
  // A remote post whose language has to be detected.
  const zoe = await peer.actor('zoe')
  const object = {
    id: `${peer.url}/dots`,
    type: 'Note',
    attributedTo: zoe.uri,
    to: ['https://www.w3.org/ns/activitystreams#Public', `http://${server.domain}/users/ada`],
    content: `<p>${'a.'.repeat(60_000)}</p>`,
  }
  const create = { id: `${peer.url}/dots/create`, type: 'Create', actor: zoe.uri, to: object.to, object }
  assert.equal(await peer.send(server, zoe, create), 202)
  await server.drain()
})

test('mails to new addresses that a user chooses are limited per account', async () => {
  const tab = await signedIn(server, await server.person('rita'))
  const page = await tab.get('/auth/edit')
  const counts = await tally(7, (i) =>
    tab.submit(
      page,
      { 'user[email]': `victim${i}@a.test`, 'email[current_password]': 'correct horse battery' },
      { action: '/auth/edit/email' },
    ),
  )
  assert.deepEqual(counts, { 200: 5, 429: 2 })
})

test('requests for subscriptions by mail are limited per IP address, per account and per address of the mail', async () => {
  await saveSettings(server.ctx, { email_subscriptions: true })
  const orla = await server.person('orla', { role: ['manage_email_subscriptions'] })
  const { userId } = orla
  await server.database.raw(`update users set settings = settings || '{"email_subscriptions": true}' where id = $1`, [
    userId,
  ])
  const path = `/api/v1/accounts/${orla.id}/email_subscriptions`
  const one = fromNewAddress()
  const perIp = await tally(12, (i) => one('POST', path, { json: { email: `one${i}@a.test` } }))
  assert.deepEqual(perIp, { 200: 10, 429: 2 })
  const spellings = (i: number) => fromNewAddress()('POST', path, { json: { email: `V.ictim+${i}@a.test` } })
  assert.deepEqual(await tally(7, spellings), { 200: 5, 429: 2 })
  await spend(server, 'subscriptions-of-account', orla.id, 80)
  const more = await tally(6, (i) => fromNewAddress()('POST', path, { json: { email: `more${i}@a.test` } }))
  assert.deepEqual(more, { 200: 3, 429: 3 }, 'those of the same account')
})
