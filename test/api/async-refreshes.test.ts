// Requests for the thread of a remote post fetch missing replies in the background; clients poll an async refresh.
import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { fetchStatusOrNull } from '../support/acts.ts'
import { sql } from '../support/database.ts'
import { refreshIdFor } from '../support/internals.ts'

import { PUBLIC } from '../support/peer.ts'
import { type Answer, type Person } from '../support/server.ts'
import { stage } from '../support/stage.ts'

let round = 0
let count = 0
const { server, peer, ada, bob } = await stage({ accounts: ['ada', 'bob'], peers: ['peer'] })
const eve = await peer.actor('eve')
beforeEach(() => void round++)

/** Serves a note on the peer, with the address of its replies collection. */
function note(name: string, more: object = {}): any {
  const path = `/notes/r${round}-${name}`
  // Each note is a minute newer than the previous one.
  const published = new Date(Date.UTC(2024, 0, 1, 0, ++count))
  const { object } = peer.create(eve, {
    id: `${peer.url}${path}`,
    published,
    content: `<p>${name}</p>`,
    replies: `${peer.url}${path}/replies`,
    ...more,
  })
  peer.serve(path, object)
  return object
}

const collection = (path: string, more: object): void =>
  void peer.serve(path, { id: `${peer.url}${path}`, type: 'Collection', ...more })
const pathOf = (object: any): string => new URL(object.id).pathname

/** Fetches a note and returns the id of its status. */
async function fetchNote(object: any): Promise<string> {
  const id = await fetchStatusOrNull(server.ctx, object.id)
  await server.drain()
  assert.ok(id)
  return id
}

const thread = (id: string, who: Person = ada): Promise<Answer> => who.send('GET', `/api/v1/statuses/${id}/context`)
const texts = ({ json }: Answer): string[] =>
  json.descendants.map(({ content }: any) => content.replace(/<[^>]+>/g, ''))
const headerOf = ({ headers }: Answer): string => headers.get('mastodon-async-refresh') ?? ''
const idIn = (answer: Answer): string => /id="([^"]+)"/.exec(headerOf(answer))?.[1] ?? ''

test('a collection of replies may be embedded without an address of its own', async () => {
  const root = note('embedded')
  const answers = ['first', 'second', 'third'].map((name) => note(name, { inReplyTo: root.id, replies: undefined }))
  const [first, second, third] = answers.map(({ id }) => id)
  const next = `${peer.url}${pathOf(root)}/replies?page=2`
  const replies = { type: 'Collection', items: [first], first: { type: 'CollectionPage', items: [second], next } }
  peer.serve(pathOf(root), { ...root, replies })
  collection(`${pathOf(root)}/replies?page=2`, { type: 'CollectionPage', items: [third] })
  const id = await fetchNote(root)
  await thread(id)
  await server.drain()
  assert.deepEqual(texts(await thread(id)).toSorted(), ['first', 'second', 'third'])

  const other = note('elsewhere', {
    replies: { type: 'Collection', first: { type: 'CollectionPage', next: 'http://127.0.0.2/replies' } },
  })
  const elsewhere = await fetchNote(other)
  await thread(elsewhere)
  await server.drain()
  assert.deepEqual(texts(await thread(elsewhere)), [])
})

test('replies to a remote post are fetched page by page, with the replies to those', async () => {
  const root = note('root')
  const [a, b, c] = ['a', 'b', 'c'].map((name) => note(name, { inReplyTo: root.id }))
  const deeper = note('deeper', { inReplyTo: b.id })
  const path = pathOf(root)
  collection(`${path}/replies`, {
    first: { type: 'CollectionPage', items: [a.id], next: `${peer.url}${path}/replies?page=2` },
  })
  collection(`${path}/replies?page=2`, {
    type: 'CollectionPage',
    items: [b.id, c.id, b.id],
    next: `${peer.url}${path}/replies?page=2`,
  })
  collection(`${pathOf(b)}/replies`, { type: 'OrderedCollection', orderedItems: [deeper.id] })
  const id = await fetchNote(root)

  const first = await thread(id)
  assert.match(headerOf(first), /^id="[\w-]+", retry=\d+, result_count=0$/)
  await server.drain()
  const { async_refresh } = await ada.get(`/api/v1_alpha/async_refreshes/${idIn(first)}`)
  assert.deepEqual(async_refresh, { id: idIn(first), status: 'finished', result_count: 4 })
  const second = await thread(id)
  assert.deepEqual(texts(second), ['a', 'b', 'deeper', 'c'])
  assert.equal(headerOf(second), '', 'a thread that was just refreshed is not refreshed again')
  const { json } = await bob.send('GET', '/api/v1/notifications')
  assert.deepEqual(json, [], 'fetched replies create no notifications')
})

test('a thread is fetched by the collection of its posts, in any order, if its first post has no replies', async () => {
  const context = `${peer.url}/threads/${round}`
  const root = note('first', { replies: undefined, context })
  const known = note('known', { inReplyTo: root.id, replies: undefined, context })
  const a = note('a', { inReplyTo: known.id, replies: undefined, context })
  const b = note('b', { inReplyTo: a.id, context })
  const c = note('c', { inReplyTo: b.id })
  const stray = note('stray', { inReplyTo: `${peer.url}/notes/elsewhere` })
  collection(`/threads/${round}`, {
    type: 'OrderedCollection',
    orderedItems: [b.id, stray.id, a.id, known.id, root.id],
  })
  collection(`${pathOf(b)}/replies`, { items: [c.id] })
  const id = await fetchNote(root)
  await fetchNote(known)
  await thread(id)
  await server.drain()
  assert.deepEqual(texts(await thread(id)), ['known', 'a', 'b', 'c'])
})

test('a post that its server shows first as a reply to itself is stored once', async (t) => {
  const root = note('root')
  const reply = note('changing', { inReplyTo: root.id, replies: undefined })
  const [path, alias] = [pathOf(reply), `${pathOf(reply)}-alias`]
  peer.serve(alias, reply)
  peer.serve(path, { ...reply, inReplyTo: reply.id })
  collection(`${pathOf(root)}/replies`, { items: [reply.id, `${peer.url}${alias}`] })
  peer.refuses = () => {
    if (peer.requests.filter((line) => line === `GET ${path}`).length > 1) peer.serve(path, reply)
    return null
  }
  t.after(() => (peer.refuses = () => null))
  const id = await fetchNote(root)
  peer.requests.length = 0
  const refresh = idIn(await thread(id))
  await server.drain()
  assert.deepEqual(texts(await thread(id)), ['changing'])
  const { async_refresh } = await ada.get(`/api/v1_alpha/async_refreshes/${refresh}`)
  assert.ok(async_refresh.result_count <= 2, `${async_refresh.result_count} results`)
})

test('fetching replies skips deleted posts, posts outside the thread, invalid entries and pages on other servers', async () => {
  const root = note('root')
  const known = note('known', { inReplyTo: root.id })
  const answer = note('answer', { inReplyTo: known.id })
  const stray = note('stray', { inReplyTo: `${peer.url}/notes/elsewhere` })
  const alone = note('alone')
  const fine = note('fine', { inReplyTo: root.id })
  const mine = await ada.post('/api/v1/statuses', { status: 'mine' })
  collection(`${pathOf(root)}/replies`, {
    items: [known.id, answer.id, stray.id, alone.id, `${peer.url}/notes/gone`, mine.uri, 'not an address', 7, fine.id],
    next: 'http://127.0.0.1:1/secret',
  })
  const id = await fetchNote(root)
  await fetchNote(known)
  await thread(id)
  await server.drain()
  assert.deepEqual(texts(await thread(id)), ['known', 'answer', 'fine'])
  assert.equal(await server.ctx.db.maybe(sql`select id from statuses where uri = any(${[stray.id, alone.id]})`), null)
})

test('an endless replies collection is read up to 100 replies and a limited number of pages', async () => {
  const root = note('root')
  const path = `${pathOf(root)}/replies`
  const many = Array.from({ length: 130 }, (_, i) => note(`n${i}`, { inReplyTo: root.id, replies: undefined }).id)
  collection(path, { first: `${peer.url}${path}?page=1` })
  collection(`${path}?page=1`, { items: many.slice(0, 90), next: `${peer.url}${path}?page=2` })
  collection(`${path}?page=2`, { items: many.slice(90), next: `${peer.url}${path}?page=1` })
  const id = await fetchNote(root)
  await thread(id)
  await server.drain()
  assert.equal((await thread(id)).json.descendants.length, 100)
  assert.ok(peer.requests.filter((line) => line.includes(`${path}?page=`)).length <= 11)
})

test('concurrent viewers of a thread start one refresh, and each receives an id of their own', async () => {
  const root = note('root')
  const id = await fetchNote(root)
  await server.ctx.db.run(sql`insert into async_refreshes (key, result_count) values (${`context:${id}`}, 3)`)
  const [adas, bobs] = [await thread(id), await thread(id, bob)]
  assert.match(headerOf(adas), /result_count=3$/)
  assert.notEqual(idIn(adas), idIn(bobs))
  const { async_refresh } = await bob.get(`/api/v1_alpha/async_refreshes/${idIn(bobs)}`)
  assert.deepEqual([async_refresh.status, async_refresh.result_count], ['running', 3])
  assert.equal((await bob.send('GET', `/api/v1_alpha/async_refreshes/${idIn(adas)}`)).status, 404)
  await server.ctx.db.run(
    sql`update async_refreshes set started_at = now() - interval '20 minutes' where key = ${`context:${id}`}`,
  )
  const again = await Promise.all([1, 2, 3].map(() => thread(id)))
  const named = again.map(idIn).filter(Boolean)
  assert.ok(named.length > 0)
  const { rows } = await server.database.raw(
    `select 1 from pgboss.job where name = 'federation.replies' and data ->> 'statusId' = $1`,
    [id],
  )
  assert.equal(rows.length, 1)
  await server.drain()
  assert.equal((await ada.get(`/api/v1_alpha/async_refreshes/${named[0]}`)).async_refresh.status, 'finished')
})

test('no refresh starts for anonymous viewers, local posts or private posts', async () => {
  const open = await fetchNote(note('open'))
  assert.equal(headerOf(await server.send('GET', `/api/v1/statuses/${open}/context`)), '')
  const own = await ada.post('/api/v1/statuses', { status: 'here' })
  assert.equal(headerOf(await thread(own.id)), '')
  const secret = await fetchNote(
    note('secret', {
      to: [`http://${server.domain}/users/ada`],
      tag: [{ type: 'Mention', href: `http://${server.domain}/users/ada` }],
    }),
  )
  const answer = await thread(secret)
  assert.deepEqual([answer.status, headerOf(answer)], [200, ''])
  const { n } = await server.ctx.db.one<{ n: number }>(
    sql`select count(*)::int as n from async_refreshes where key = any(${[open, own.id, secret].map((id) => `context:${id}`)})`,
  )
  assert.equal(n, 0)
})

test('a refresh finishes when the remote server responds with an error', async () => {
  const root = note('root')
  const id = await fetchNote(root)
  peer.serve(pathOf(root), { status: 500, body: 'no' })
  const answer = await thread(id)
  await server.drain()
  const { async_refresh } = await ada.get(`/api/v1_alpha/async_refreshes/${idIn(answer)}`)
  assert.deepEqual([async_refresh.status, async_refresh.result_count], ['finished', 0])
})

test('a refresh id is valid only unchanged, for its viewer and with the scope', async () => {
  const id = await refreshIdFor(server.ctx, ada.id, 'context:0')
  assert.equal(
    (await ada.send('GET', `/api/v1_alpha/async_refreshes/${id}`)).status,
    404,
    'the refresh has not started',
  )
  await server.ctx.db.run(sql`insert into async_refreshes (key) values ('context:0')`)
  const path = `/api/v1_alpha/async_refreshes/${id}`
  assert.equal((await ada.send('GET', path)).json.async_refresh.status, 'running')
  assert.equal((await bob.send('GET', path)).status, 404)
  const forged = id.slice(0, -2) + (id.endsWith('AA') ? 'BB' : 'AA')
  assert.equal((await ada.send('GET', `/api/v1_alpha/async_refreshes/${forged}`)).status, 404)
  for (const nonsense of ['1', 'context:0', 'x'.repeat(1000)])
    assert.equal((await ada.send('GET', `/api/v1_alpha/async_refreshes/${nonsense}`)).status, 404)
  assert.equal((await server.send('GET', path)).status, 401)
  const narrow = await server.token({ userId: ada.userId, scopes: ['read:statuses', 'write'] })
  assert.equal((await server.send('GET', path, { token: narrow })).status, 403)
})

test('a thread that is read again shows edits and deletions that were not delivered', async () => {
  const root = note('root')
  const [edited, gone, missing, open] = ['edited', 'gone', 'missing', 'open'].map((name) =>
    note(name, { inReplyTo: root.id }),
  )
  const id = await fetchNote(root)
  for (const known of [edited, gone, missing, open]) await fetchNote(known)
  const change = (object: any, more: object): void => void peer.serve(pathOf(object), { ...object, ...more })
  change(root, { content: '<p>new</p>', updated: '2025-01-01T00:00:00Z', summary: 'warning', sensitive: true })
  change(edited, { content: '<p>better</p>', updated: '2025-01-01T00:00:00Z' })
  peer.serve(pathOf(gone), { status: 410, body: '' })
  peer.serve(pathOf(missing), { status: 404, body: '' })
  // Another rendering of the same version is no edit.
  change(open, { content: '<p>other</p>', interactionPolicy: { canQuote: { automaticApproval: [PUBLIC] } } })
  await thread(id)
  await server.drain()
  const read = await thread(id)
  assert.deepEqual(texts(read).toSorted(), ['better', 'missing', 'open'])
  const [first, reply] = [await ada.get(`/api/v1/statuses/${id}`), read.json.descendants.at(-1)]
  assert.deepEqual([first.content, first.spoiler_text, first.sensitive], ['<p>new</p>', 'warning', true])
  assert.deepEqual([first.edited_at, reply.edited_at], ['2025-01-01T00:00:00.000Z', null])
  assert.deepEqual(reply.quote_approval.automatic, ['public'])
  assert.equal((await ada.get(`/api/v1/statuses/${id}/history`)).length, 2)
})

test('a thread that is read again takes nothing from a document with another author or id', async () => {
  const mallory = await peer.actor('mallory')
  const root = note('root')
  const [robbed, replaced] = ['robbed', 'replaced'].map((name) => note(name, { inReplyTo: root.id }))
  const id = await fetchNote(root)
  for (const known of [robbed, replaced]) await fetchNote(known)
  const change = { content: '<p>forged</p>', updated: '2025-01-01T00:00:00Z' }
  peer.serve(pathOf(robbed), { ...robbed, ...change, attributedTo: mallory.uri })
  const elsewhere = note('elsewhere', { ...change, replies: undefined })
  peer.serve(pathOf(replaced), elsewhere)
  await thread(id)
  await server.drain()
  assert.deepEqual(texts(await thread(id)).toSorted(), ['replaced', 'robbed'])
  const asked = [robbed, replaced].map((known) => peer.requests.filter((line) => line.endsWith(pathOf(known))).length)
  assert.deepEqual(asked, [2, 2])
})

test('replies collections of stored replies are read too, each once per refresh', async () => {
  const root = note('root')
  const a = note('a', { inReplyTo: root.id })
  const b = note('b', { inReplyTo: a.id })
  const [fresh, deep] = [note('fresh', { inReplyTo: b.id }), note('deep', { inReplyTo: a.id })]
  collection(`${pathOf(root)}/replies`, { items: [a.id] })
  collection(`${pathOf(a)}/replies`, { items: [b.id, deep.id] })
  collection(`${pathOf(b)}/replies`, { items: [fresh.id, a.id, root.id] })
  const id = await fetchNote(root)
  for (const known of [a, b]) await fetchNote(known)
  // A stored reply that no collection lists.
  const unlisted = note('unlisted', { inReplyTo: root.id })
  const below = note('below', { inReplyTo: unlisted.id })
  collection(`${pathOf(unlisted)}/replies`, { items: [below.id] })
  await fetchNote(unlisted)
  peer.requests.length = 0
  await thread(id)
  await server.drain()
  assert.deepEqual(texts(await thread(id)).toSorted(), ['a', 'b', 'below', 'deep', 'fresh', 'unlisted'])
  const asked = peer.requests.filter((line) => line.includes(`r${round}-`))
  assert.deepEqual(asked.length, new Set(asked).size, 'no address is requested twice')
})
