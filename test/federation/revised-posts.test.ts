import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PUBLIC, serveHandle } from '../support/peer.ts'
import { accountIdOf, deliverFrom, findStatus, followActor, reviserFor } from '../support/remote-people.ts'
import { stage } from '../support/stage.ts'
import { post } from '../support/timelines.ts'

// Remote posts and handles that change.

const { server, peer, ada } = await stage({ accounts: ['ada'], peers: ['peer'] })
const eve = await peer.actor('eve')
await followActor(server, ada, peer, eve)

/** Delivers an Update with these members of the note. */
const revise = reviserFor(peer, eve, server)
const image = (name: string, description: string): object => ({
  type: 'Document',
  mediaType: 'image/png',
  url: `${peer.url}/${name}.png`,
  name: description,
})

test('an edit adds, keeps and removes media; the revisions show what was there', async () => {
  const create = peer.create(eve, { content: '<p>one</p>', attachment: [image('one', 'first')] })
  await deliverFrom(peer, eve, server, create)
  const before = await findStatus(ada, create.object.id, false)
  await revise(create.object, {
    content: '<p>two</p>',
    attachment: [image('two', 'second'), image('one', 'first again')],
  })
  const after = await ada.get(`/api/v1/statuses/${before.id}`)
  assert.deepEqual(
    after.media_attachments.map(({ description }: any) => description),
    ['second', 'first again'],
  )
  assert.equal(after.media_attachments[1].id, before.media_attachments[0].id)
  await revise(create.object, { content: '<p>three</p>', attachment: [] })
  assert.deepEqual((await ada.get(`/api/v1/statuses/${before.id}`)).media_attachments, [])
  const history = await ada.get(`/api/v1/statuses/${before.id}/history`)
  assert.deepEqual(
    history.map(({ media_attachments }: any) => media_attachments.length),
    [1, 2, 0],
  )
})

test('of very many revisions, the first and the newest are there, and media of these alone', async () => {
  const { object } = peer.create(eve, { content: '<p>first</p>', attachment: [image('first', 'first')] })
  await deliverFrom(peer, eve, server, { id: `${object.id}#create`, type: 'Create', actor: eve.uri, object })
  const { id } = await findStatus(ada, object.id, false)
  await revise(object, { content: '<p>second</p>', attachment: [image('second', 'second')] })
  await revise(object, { content: '<p>third</p>', attachment: [image('third', 'third')] })
  await server.database.raw(
    `insert into status_edits (status_id, account_id, content, spoiler_text, sensitive, emojis, created_at)
     select s.id, s.account_id, '<p>more</p>', '', false, '[]', now() from statuses s, generate_series(1, 150) where s.id = $1`,
    [id],
  )
  await revise(object, { content: '<p>last</p>', attachment: [] })
  const history = await ada.get(`/api/v1/statuses/${id}/history`)
  assert.equal(history.length, 101)
  assert.deepEqual([history[0].content, history[1].content], ['<p>first</p>', '<p>more</p>'])
  assert.deepEqual(
    history.slice(-2).map(({ content }: any) => content),
    ['<p>third</p>', '<p>last</p>'],
  )
  const { rows } = await server.database.raw(
    'select description from media_attachments where status_id = $1 order by id',
    [id],
  )
  assert.deepEqual(
    rows.map(({ description }) => description),
    ['first', 'third'],
  )
})

test('an edit may quote another post, or none', async () => {
  const [first, second] = [await ada.post('/api/v1/statuses', { status: 'first' }), await post(ada, 'second')]
  const { uri } = await ada.get(`/api/v1/statuses/${second}`)
  const create = peer.create(eve, { content: '<p>look</p>', quote: first.uri })
  await deliverFrom(peer, eve, server, create)
  const { id, quote } = await findStatus(ada, create.object.id, false)
  assert.equal(quote.state, 'pending')
  await revise(create.object, { quote: uri })
  assert.equal((await ada.get(`/api/v1/statuses/${id}`)).quote.state, 'pending')
  const quoted = async (): Promise<string[]> => {
    const { rows } = await server.database.raw(`select quoted_uri from quotes where status_id = $1`, [id])
    return rows.map(({ quoted_uri }) => quoted_uri)
  }
  assert.deepEqual(await quoted(), [uri])
  await revise(create.object, { quote: undefined, content: '<p>nothing to see</p>' })
  assert.equal((await ada.get(`/api/v1/statuses/${id}`)).quote, null)
  assert.deepEqual(await quoted(), [])
})

test('a quoted post that its server cannot name, as it was deleted, is shown as deleted', async () => {
  const { uri } = await ada.post('/api/v1/statuses', { status: 'quoted' })
  const tombstone = { type: 'Tombstone' }
  const create = peer.create(eve, { content: '<p>look</p>', quote: tombstone })
  await deliverFrom(peer, eve, server, create)
  const shown = async (object: any): Promise<any> => (await findStatus(ada, object.id, false)).quote
  assert.deepEqual(await shown(create.object), { state: 'deleted', quoted_status: null })
  await revise(create.object, { quote: uri })
  assert.equal((await shown(create.object)).state, 'pending')
  await revise(create.object, { quote: tombstone })
  assert.equal((await shown(create.object)).state, 'deleted')
})

test('an edit may quote another post that is unknown here', async () => {
  const create = peer.create(eve, { content: '<p>look</p>', quote: `${peer.url}/notes/missing` })
  await deliverFrom(peer, eve, server, create)
  const { object: other } = peer.create(eve, { content: '<p>other</p>' })
  peer.serve(new URL(other.id).pathname, other)
  await revise(create.object, { quote: other.id })
  const { quote } = await findStatus(ada, create.object.id, false)
  assert.equal(quote.quoted_status?.uri, other.id)
})

test('a handle that passes from one actor to another is never shown twice', async () => {
  const [max, moritz] = [await peer.actor('max'), await peer.actor('moritz')]
  const [maxId, moritzId] = [await accountIdOf(ada, peer, max), await accountIdOf(ada, peer, moritz)]
  moritz.document.preferredUsername = 'max'
  peer.serve('/users/moritz', moritz.document)
  serveHandle(peer, 'max', moritz.uri)
  max.document.preferredUsername = 'maximilian'
  peer.serve('/users/max', max.document)
  serveHandle(peer, 'maximilian', max.uri)
  await deliverFrom(peer, moritz, server, {
    id: `${moritz.uri}#renamed`,
    type: 'Update',
    actor: moritz.uri,
    to: [PUBLIC],
    object: moritz.document,
  })
  assert.equal((await ada.get(`/api/v1/accounts/${moritzId}`)).acct, `max@${peer.domain}`)
  assert.equal((await ada.get(`/api/v1/accounts/${maxId}`)).acct, `maximilian@${peer.domain}`)
})

test('a post shows as many favourites and boosts as its server counts, and those of this server on top', async () => {
  const totals = (likes?: number, shares?: number): object => ({
    likes: { type: 'Collection', totalItems: likes },
    shares: { type: 'Collection', totalItems: shares },
  })
  const { object: note } = peer.create(eve, { content: '<p>popular</p>', ...totals(12, 3) })
  peer.serve(new URL(note.id).pathname, note)
  const { id } = await findStatus(ada, note.id, true)
  const counts = async (): Promise<number[]> => {
    const { favourites_count, reblogs_count } = await ada.get(`/api/v1/statuses/${id}`)
    return [favourites_count, reblogs_count]
  }
  assert.deepEqual(await counts(), [12, 3])
  const favourited = await ada.post(`/api/v1/statuses/${id}/favourite`)
  assert.equal(favourited.favourites_count, 13)
  await ada.post(`/api/v1/statuses/${id}/reblog`)
  assert.deepEqual(await counts(), [13, 4])

  // Her favourite is among the twenty.
  await revise(note, totals(20, 4))
  assert.deepEqual(await counts(), [20, 4])
  await revise(note, { content: '<p>edited</p>', likes: `${note.id}/likes`, shares: undefined })
  assert.deepEqual(await counts(), [20, 4])
  await ada.post(`/api/v1/statuses/${id}/unfavourite`)
  assert.deepEqual(await counts(), [19, 4])

  // Fewer than are known here, and more than anybody can have.
  await revise(note, totals(0, 2 ** 31 - 1))
  assert.deepEqual(await counts(), [0, 1_000_000_000])
  for (const invalid of [-1, 2 ** 31, 1.5]) await revise(note, totals(invalid, 7))
  assert.deepEqual(await counts(), [0, 7])

  // Read again for its thread.
  peer.serve(new URL(note.id).pathname, { ...note, ...totals(5, 8) })
  await ada.get(`/api/v1/statuses/${id}/context`)
  await server.drain()
  assert.deepEqual(await counts(), [5, 8])
})
