import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, test } from 'node:test'
import { sql } from '../../src/db/sql.ts'
import { recordFailure } from '../../src/domain/peers/circuit-breaker.ts'
import { signatureScheme } from '../../src/domain/peers/signed-request.ts'
import { deleteAccount } from '../support/acts.ts'
import { clearFailures, retryDeliveries } from '../support/jobs.ts'
import { logLines } from '../support/log-lines.ts'
import { beforeStatement } from '../support/races.ts'
import { eventually } from '../support/server.ts'
import { stage } from '../support/stage.ts'

// Deliveries: responses of other servers, retries, and duplicates.

const { server, peer, other, ada } = await stage({ accounts: ['ada'], peers: ['peer', 'other'] })
const adaUri = `http://${server.domain}/users/ada`
const eve = await peer.actor('eve')
await peer.send(server, eve, { id: `${peer.url}/f/1`, type: 'Follow', actor: eve.uri, object: adaUri })
await server.drain()
const { accounts } = await ada.get(`/api/v2/search?q=eve@${peer.domain}&type=accounts`)
const eveId = accounts[0].id
afterEach(async () => {
  peer.refuses = () => null
  await clearFailures(server)
  await server.drain()
  peer.received.length = 0
})

const types = (): string[] => peer.received.map(({ type }) => type)
const isMessageSigned = (request: { headers: object }): boolean => 'signature-input' in request.headers

const tryAgain = (): Promise<void> => retryDeliveries(server)

test('any 2xx ends a delivery', async () => {
  for (const status of [200, 201, 202, 204]) {
    let asked = 0
    peer.refuses = ({ method }) => (method === 'POST' ? (asked++, status) : null)
    await ada.post('/api/v1/statuses', { status: `answered with ${status}` })
    await server.drain()
    await tryAgain()
    assert.equal(asked, 1, String(status))
  }
})

test('the log says in a short line why a delivery failed', async () => {
  const { log } = server.ctx
  const level = log.level
  log.level = 'warn'
  const lines = logLines(server)
  peer.refuses = ({ method }) => (method === 'POST' ? 503 : null)
  await ada.post('/api/v1/statuses', { status: 'not now' })
  await server.drain()
  log.level = level
  const [line, more] = lines.filter((each) => each.includes('job.failed'))
  assert.ok(line && !more, lines.join(''))
  const { error, reason, status, job } = JSON.parse(line)
  assert.deepEqual([job, reason, status], ['federation.deliver', 'status', 503])
  assert.match(error, new RegExp(peer.domain))
  assert.ok(line.length < 1000, line)
  peer.refuses = () => null
  await tryAgain()
  assert.deepEqual(types(), ['Create'])
})

test('a server that needs the other signature scheme gets it from then on', async () => {
  let refused = 0
  peer.refuses = (request) => (request.method === 'POST' && !isMessageSigned(request) ? (refused++, 401) : null)
  await ada.post('/api/v1/statuses', { status: 'one' })
  await server.drain()
  assert.deepEqual([types(), refused], [['Create'], 1])
  await ada.post('/api/v1/statuses', { status: 'two' })
  await server.drain()
  assert.deepEqual([types(), refused], [['Create', 'Create'], 1])
  assert.equal(await signatureScheme(server.ctx, peer.domain), 'rfc9421')
  // It changed its mind, or its software.
  peer.refuses = (request) => (isMessageSigned(request) ? 401 : null)
  await ada.post('/api/v1/statuses', { status: 'three' })
  // The scheme is recorded after the response.
  await server.drain()
  assert.equal(peer.received.length, 3)
  assert.equal(await signatureScheme(server.ctx, peer.domain), 'draft-cavage')
})

test('fetches retry with the other signature scheme too', async () => {
  const note = peer.create(eve, { content: '<p>only for those who sign like this</p>' }).object
  peer.serve(new URL(note.id).pathname, note)
  peer.refuses = (request) => (isMessageSigned(request) ? null : 401)
  const found = await ada.get(`/api/v2/search?q=${encodeURIComponent(note.id)}&resolve=true&type=statuses`)
  assert.equal(found.statuses[0]?.content, '<p>only for those who sign like this</p>')
  await server.ctx.db.run(sql`update peers set signature = null`)
})

test('a 401 to both schemes is retried later, a final refusal is not', async () => {
  let asked = 0
  peer.refuses = ({ method }) => (method === 'POST' ? (asked++, 401) : null)
  await ada.post('/api/v1/statuses', { status: 'not now' })
  await server.drain()
  assert.equal(asked, 2)
  peer.refuses = () => null
  await tryAgain()
  assert.deepEqual(types(), ['Create'])
  asked = 0
  for (const status of [400, 403, 404, 405, 410, 422, 501]) {
    peer.refuses = ({ method }) => (method === 'POST' ? (asked++, status) : null)
    await ada.post('/api/v1/statuses', { status: `refused with ${status}` })
    await server.drain()
  }
  peer.refuses = () => null
  await tryAgain()
  assert.deepEqual([asked, types()], [7, ['Create']])
})

test('a missing inbox causes its account to be refreshed: it has moved, or is deleted', async () => {
  const [fay, gil] = [await peer.actor('fay'), await peer.actor('gil')]
  for (const { uri } of [fay, gil])
    await peer.send(server, uri === fay.uri ? fay : gil, { id: `${uri}#f`, type: 'Follow', actor: uri, object: adaUri })
  await server.drain()
  const missing = new Map([
    [`${new URL(fay.uri).pathname}/inbox`, 404],
    [`${new URL(gil.uri).pathname}/inbox`, 410],
  ])
  peer.refuses = ({ method, url }) => (method === 'POST' ? (missing.get(url ?? '') ?? null) : null)
  peer.serve('/users/fay', { ...fay.document, inbox: `${peer.url}/fays/new/inbox` })
  peer.serve('/users/gil', { status: 410, body: '' })
  peer.requests.length = 0
  await server.ctx.db.run(sql`update accounts set fetched_at = now() - interval '2 days' where domain is not null`)
  for (const status of ['are you there?', 'and now?']) {
    await ada.post('/api/v1/statuses', { status })
    await server.drain()
  }
  assert.ok(peer.requests.includes('POST /fays/new/inbox'))
  const names = (await ada.get(`/api/v1/accounts/${ada.id}/followers`)).map(({ username }: any) => username)
  assert.deepEqual([names.includes('fay'), names.includes('gil')], [true, false])
  assert.equal(peer.requests.filter((request) => request === 'GET /users/gil').length, 1)
  await peer.send(server, fay, { id: `${fay.uri}#undo`, type: 'Undo', actor: fay.uri, object: `${fay.uri}#f` })
})

test('a post deleted before its delivery is not sent', async () => {
  peer.refuses = ({ method }) => (method === 'POST' ? 503 : null)
  const post = await ada.post('/api/v1/statuses', { status: 'short-lived' })
  await server.drain()
  await ada.delete(`/api/v1/statuses/${post.id}`)
  await server.drain()
  peer.refuses = () => null
  await tryAgain()
  assert.deepEqual(types(), ['Delete'])
})

test('a post edited before its delivery is sent in its current form', async () => {
  peer.refuses = ({ method }) => (method === 'POST' ? 503 : null)
  const post = await ada.post('/api/v1/statuses', { status: 'with a tpyo' })
  await server.drain()
  await ada.put(`/api/v1/statuses/${post.id}`, { status: 'without a typo' })
  await server.drain()
  peer.refuses = () => null
  await tryAgain()
  assert.deepEqual(types().toSorted(), ['Create', 'Update'])
  for (const { type, object } of peer.received) assert.equal(object.content, '<p>without a typo</p>', type)
})

const isStored = async (text: string): Promise<boolean> =>
  (await server.database.raw(`select from outbox_activities where body like $1`, [`%${text}%`])).rows.length > 0

test('of two changes at the same time, the later one is sent', async () => {
  peer.refuses = ({ method }) => (method === 'POST' ? 503 : null)
  const rename = (display_name: string) =>
    ada.send('PATCH', '/api/v1/accounts/update_credentials', { json: { display_name } })
  const both = await beforeStatement(server, 'as inbox from accounts', async () => {
    await rename('Ada the second')
    await eventually(() => isStored('Ada the second'))
  })
  await rename('Ada the first')
  await both()
  await server.drain()
  peer.refuses = () => null
  await tryAgain()
  assert.deepEqual(
    peer.received.map(({ object }) => object.name),
    ['Ada the second'],
  )
})

test('an act whose job runs after that of its opposite is not sent', async () => {
  const bob = await server.person('bob')
  const bobUri = `http://${server.domain}/users/bob`
  const follow = { id: `${peer.url}/f/bob`, type: 'Follow', actor: eve.uri, object: bobUri }
  const { id } = await bob.post('/api/v1/statuses', { status: 'pinned' })
  const rename = () => bob.send('PATCH', '/api/v1/accounts/update_credentials', { json: { display_name: 'Bob' } })
  const cases: [string, () => Promise<unknown>, () => Promise<unknown>][] = [
    ['Reject', () => peer.send(server, eve, follow), () => bob.post(`/api/v1/accounts/${eveId}/remove_from_followers`)],
    ['Remove', () => bob.post(`/api/v1/statuses/${id}/pin`), () => bob.post(`/api/v1/statuses/${id}/unpin`)],
    ['Remove', () => bob.post('/api/v1/tags/rain/feature'), () => bob.post('/api/v1/tags/rain/unfeature')],
    ['Delete', rename, () => deleteAccount(server.ctx, bob.id)],
  ]
  for (const [sent, act, opposite] of cases) {
    peer.received.length = 0
    peer.refuses = ({ method }) => (method === 'POST' ? 503 : null)
    const both = await beforeStatement(server, `hashtextextended('act '`, async () => {
      await opposite()
      await eventually(() => isStored(`"type":"${sent}","actor":"${bobUri}"`))
    })
    await act()
    await both()
    await server.drain()
    peer.refuses = () => null
    await tryAgain()
    // Several inboxes receive the Delete.
    assert.deepEqual([...new Set(types())], [sent])
    if (sent === 'Reject') await peer.send(server, eve, { ...follow, id: `${follow.id}/2` })
    await server.drain()
  }
})

test('a delayed follow, favourite or boost is not delivered after its Undo', async () => {
  const note = peer.create(eve, { to: ['https://www.w3.org/ns/activitystreams#Public'], cc: [adaUri] })
  await peer.send(server, eve, note)
  await server.drain()
  const found = await ada.get(`/api/v2/search?q=${encodeURIComponent(note.object.id)}&type=statuses`)
  const { id } = found.statuses[0]
  peer.refuses = ({ method }) => (method === 'POST' ? 503 : null)
  for (const path of [`accounts/${eveId}/follow`, `statuses/${id}/favourite`, `statuses/${id}/reblog`]) {
    await ada.post(`/api/v1/${path}`)
    await server.drain()
  }
  for (const path of [`accounts/${eveId}/unfollow`, `statuses/${id}/unfavourite`, `statuses/${id}/unreblog`]) {
    await ada.post(`/api/v1/${path}`)
    await server.drain()
  }
  peer.refuses = () => null
  await tryAgain()
  assert.deepEqual(peer.received.map(({ type, object }) => [type, object.type]).toSorted(), [
    ['Undo', 'Announce'],
    ['Undo', 'Follow'],
    ['Undo', 'Like'],
  ])
})

test('a follow, unfollow and follow before any delivery send only the last follow', async () => {
  peer.refuses = ({ method }) => (method === 'POST' ? 503 : null)
  for (const action of ['follow', 'unfollow', 'follow']) {
    await ada.post(`/api/v1/accounts/${eveId}/${action}`)
    await server.drain()
  }
  peer.refuses = () => null
  await tryAgain()
  assert.deepEqual(types(), ['Follow'])
  await ada.post(`/api/v1/accounts/${eveId}/unfollow`)
})

test('an inbox that an account of another server names does not open the circuit breaker of its host when it fails', async () => {
  const mallory = await other.actor('mallory', { inbox: `${peer.url}/errors` })
  const follow = { id: `${other.url}/f/1`, type: 'Follow', actor: mallory.uri, object: adaUri }
  assert.equal(await other.send(server, mallory, follow), 202)
  peer.refuses = ({ url }) => (url === '/errors' ? 503 : null)
  await server.drain()
  await ada.post('/api/v1/statuses', { status: `@mallory@${other.domain} hello`, visibility: 'direct' })
  await server.drain()
  assert.ok(peer.requests.includes('POST /errors'))
  await ada.post('/api/v1/statuses', { status: 'for all followers' })
  await server.drain()
  assert.deepEqual(types(), ['Create'])
  const undo = { id: `${other.url}/f/1#undo`, type: 'Undo', actor: mallory.uri, object: follow }
  assert.equal(await other.send(server, mallory, undo), 202)
  peer.refuses = () => null
  await tryAgain()
})

test('ten failures in a row open the circuit breaker of a server that answered before, and fewer do not', async () => {
  let asked = 0
  const failWith = (status: number) => (peer.refuses = ({ method }) => (method === 'POST' ? (asked++, status) : null))
  const post = async (): Promise<number> => {
    asked = 0
    await ada.post('/api/v1/statuses', { status: 'hello' })
    await server.drain()
    return asked
  }
  for (const failures of [9, 10]) {
    for (let n = 0; n < failures - 2; n++) await recordFailure(server.ctx, peer.domain)
    failWith(500)
    assert.deepEqual([await post(), await post()], [1, 1], 'the last two failures')
    peer.refuses = () => null
    await post()
    assert.deepEqual(types(), failures < 10 ? ['Create'] : [])
    peer.received.length = 0
  }
  await tryAgain()
  failWith(429)
  assert.deepEqual([await post(), await post()], [1, 0], 'a server that wants fewer requests gets none at once')
  peer.refuses = () => null
  await tryAgain()
})

async function failForAWeek(): Promise<void> {
  await recordFailure(server.ctx, peer.domain, { atOnce: true })
  await server.ctx.db.run(
    sql`update peers set failing_since = now() - interval '8 days', retry_at = now() + interval '1 hour' where domain = ${peer.domain}`,
  )
}

test('a server that failed for a week gets no deliveries until it sends an activity', async () => {
  await failForAWeek()
  await ada.post('/api/v1/statuses', { status: 'into the void' })
  await server.drain()
  const { rows } = await server.ctx.db.raw(
    `select from pgboss.job where name = 'federation.deliver' and state in ('created', 'retry')`,
  )
  assert.deepEqual([types(), rows.length], [[], 0])
  const like = { id: `${peer.url}/likes/1`, type: 'Like', actor: eve.uri, object: `${adaUri}/statuses/1` }
  assert.equal(await peer.send(server, eve, like), 202)
  await ada.post('/api/v1/statuses', { status: 'are you back?' })
  await server.drain()
  assert.deepEqual(types(), ['Create'])
})

test('a follow is delivered at once to a server that failed for a week, and so are later activities', async () => {
  await failForAWeek()
  await ada.post(`/api/v1/accounts/${eveId}/follow`)
  await server.drain()
  await ada.post('/api/v1/statuses', { status: 'you are back' })
  await server.drain()
  assert.deepEqual(types(), ['Follow', 'Create'])
})

test('an inbox receives an activity once, regardless of how many recipients it has', async () => {
  const shared = `${peer.url}/inbox`
  const names = ['ann', 'ben', 'cat']
  for (const name of names) {
    const actor = await peer.actor(name, { endpoints: { sharedInbox: shared } })
    await peer.send(server, actor, { id: `${peer.url}/f/${name}`, type: 'Follow', actor: actor.uri, object: adaUri })
  }
  await server.drain()
  peer.received.length = 0
  await ada.post('/api/v1/statuses', { status: `hello ${names.map((name) => `@${name}@${peer.domain}`).join(' ')}` })
  await server.drain()
  // Once for them, once for eve, who has an inbox of her own.
  assert.deepEqual(types(), ['Create', 'Create'])
})

test('an activity about one account arrives in the inbox of that account, where Libervia expects it', async () => {
  const dan = await peer.actor('dan', { endpoints: { sharedInbox: `${peer.url}/inbox` } })
  const inboxOf = async (act: () => Promise<unknown>): Promise<string[]> => {
    peer.requests.length = 0
    await act()
    await server.drain()
    // Eve follows ada.
    const own = `POST ${new URL(eve.uri).pathname}/inbox`
    return peer.requests.filter((request) => request.startsWith('POST') && request !== own)
  }
  const shared = ['POST /inbox']
  const own = [`POST ${new URL(dan.uri).pathname}/inbox`]
  const follow = { id: `${dan.uri}#f`, type: 'Follow', actor: dan.uri, object: adaUri }
  assert.deepEqual(await inboxOf(() => peer.send(server, dan, follow)), own, 'Accept')
  const question = peer.create(dan, {
    type: 'Question',
    oneOf: ['a', 'b'].map((name) => ({ type: 'Note', name, replies: { type: 'Collection', totalItems: 0 } })),
  })
  const { accounts: found } = await ada.get(`/api/v2/search?q=dan@${peer.domain}&type=accounts`)
  const account = `/api/v1/accounts/${found[0].id}`
  assert.deepEqual(await inboxOf(() => ada.post(`${account}/follow`)), own, 'Follow')
  await peer.send(server, dan, {
    id: `${dan.uri}#a`,
    type: 'Accept',
    actor: dan.uri,
    object: { type: 'Follow', actor: adaUri, object: dan.uri },
  })
  await server.drain()
  await peer.send(server, dan, question)
  await server.drain()
  const [{ id, poll }] = await ada.get('/api/v1/timelines/home')
  assert.deepEqual(await inboxOf(() => ada.post(`/api/v1/statuses/${id}/favourite`)), own, 'Like')
  assert.deepEqual(await inboxOf(() => ada.post(`/api/v1/statuses/${id}/unfavourite`)), own, 'Undo')
  assert.deepEqual(await inboxOf(() => ada.post(`/api/v1/polls/${poll.id}/votes`, { choices: [0] })), own, 'vote')
  assert.deepEqual(await inboxOf(() => ada.post(`/api/v1/statuses/${id}/reblog`)), shared, 'Announce')
  const status = `hello @dan@${peer.domain}`
  assert.deepEqual(
    await inboxOf(() => ada.post('/api/v1/statuses', { status, visibility: 'direct' })),
    shared,
    'Create',
  )
  const ended = await inboxOf(() => ada.post(`${account}/block`))
  assert.deepEqual(new Set(ended), new Set(own), 'Block, and what it ends')
})

test('an own inbox that is missing causes its account to be refreshed, although the shared inbox is not', async () => {
  const sharedInbox = `${peer.url}/inbox`
  const acts: Record<string, (ids: { account: string; status: string; poll: string }) => Promise<unknown>> = {
    unblock: ({ account }) => ada.post(`/api/v1/accounts/${account}/unblock`),
    like: ({ status }) => ada.post(`/api/v1/statuses/${status}/favourite`),
    vote: ({ poll }) => ada.post(`/api/v1/polls/${poll}/votes`, { choices: [0] }),
  }
  for (const [name, act] of Object.entries(acts)) {
    const actor = await peer.actor(`lost${name}`, { endpoints: { sharedInbox } })
    const oneOf = ['yes', 'no'].map((option) => ({ type: 'Note', name: option }))
    const create = peer.create(actor, { type: 'Question', oneOf, cc: [adaUri] })
    assert.equal(await peer.send(server, actor, create), 202)
    await server.drain()
    const [status] = (await ada.get(`/api/v2/search?q=${encodeURIComponent(create.object.id)}&resolve=true`)).statuses
    const ids = { account: status.account.id, status: status.id, poll: status.poll.id }
    if (name === 'unblock') await ada.post(`/api/v1/accounts/${ids.account}/block`)
    await server.drain()
    peer.serve(new URL(actor.uri).pathname, { status: 410, body: '' })
    peer.refuses = ({ method, url }) => (method === 'POST' && url !== '/inbox' ? 410 : null)
    await server.database.raw(`update accounts set fetched_at = now() - interval '2 days' where id = $1`, [ids.account])
    await act(ids)
    await server.drain()
    assert.equal((await ada.send('GET', `/api/v1/accounts/${ids.account}`)).status, 404, name)
    peer.refuses = () => null
  }
})

test('a post by a limited account is addressed only to mentioned accounts that follow it, or asked to', async () => {
  const fay = await peer.actor('fay')
  await ada.get(`/api/v2/search?q=fay@${peer.domain}&resolve=true`)
  const limit = (since: string): Promise<unknown> =>
    server.database.raw(`update accounts set silenced_at = ${since} where id = $1`, [ada.id])
  const addressed = async (visibility: string): Promise<string[]> => {
    const status = `hello @eve@${peer.domain} and @fay@${peer.domain}, in ${visibility}`
    const { uri } = await ada.post('/api/v1/statuses', { status, visibility })
    await server.drain()
    const { to, cc } = peer.received.findLast(({ object }) => object?.id === uri)?.['object'] ?? {}
    return [...to, ...cc].filter((each) => each.startsWith(peer.url))
  }
  await limit('now()')
  assert.deepEqual([await addressed('public'), await addressed('direct')], [[eve.uri], [eve.uri]])
  await limit('null')
  assert.deepEqual(await addressed('public'), [eve.uri, fay.uri])
})

test('a profile update reaches an account that was followed, or asked, within two days', async () => {
  const bea = await server.person('bea')
  const update = async (displayName: string): Promise<number> => {
    peer.received.length = 0
    await bea.send('PATCH', '/api/v1/accounts/update_credentials', { json: { display_name: displayName } })
    await server.drain()
    return peer.received.filter(({ type, actor }) => type === 'Update' && String(actor).endsWith('/bea')).length
  }
  assert.equal(await update('Bea to nobody'), 0)
  await bea.post(`/api/v1/accounts/${eveId}/follow`)
  assert.equal((await bea.get(`/api/v1/accounts/relationships?id[]=${eveId}`))[0].requested, true)
  assert.equal(await update('Bea asks'), 1)
  await server.database.raw(`update follow_requests set created_at = now() - interval '3 days' where account_id = $1`, [
    bea.id,
  ])
  assert.equal(await update('Bea waits'), 0)
  await server.database.raw('insert into follows (account_id, target_account_id) values ($1, $2)', [bea.id, eveId])
  assert.equal(await update('Bea follows'), 1)
})

test('slow servers delay neither the activities from other servers nor those to them', async () => {
  const gate = Promise.withResolvers<void>()
  const waiting: string[] = []
  let closed = 0
  const slow = createServer((request, response) => {
    waiting.push(`${request.method} ${request.url}`)
    response.once('close', () => closed++)
    void gate.promise.then(() => response.writeHead(404).end())
  })
  await new Promise<void>((resolve) => slow.listen(0, '127.0.0.1', resolve))
  const url = `http://localhost:${(slow.address() as AddressInfo).port}`
  try {
    // Enough of them to keep all workers busy that there are at first.
    for (const who of ['a', 'b']) {
      const tag = [{ type: 'Mention', href: `${url}/users/${who}`, name: `@${who}` }]
      assert.equal(await peer.send(server, eve, peer.create(eve, { cc: [adaUri], tag })), 202)
      await eventually(async () => waiting.includes(`GET /users/${who}`))
    }
    const note = peer.create(eve, { cc: [adaUri], content: '<p>in time</p>' })
    assert.equal(await peer.send(server, eve, note), 202)
    await eventually(async () => {
      const found = await ada.get(`/api/v2/search?q=${encodeURIComponent(note.object.id)}&type=statuses`)
      return found.statuses.length > 0
    })
    assert.equal(closed, 0, 'they are still waited for')
  } finally {
    gate.resolve()
    await server.drain()
    slow.close()
    slow.closeAllConnections()
  }
})
