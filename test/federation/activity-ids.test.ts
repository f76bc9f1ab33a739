import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { distribute } from '../../src/federation/outgoing/distribute.ts'
import { stage } from '../support/stage.ts'

// Ids and addressing of the activities that the server sends.

const { server, peer, ada } = await stage({ accounts: ['ada'], peers: ['peer'] })
const adaUri = `http://${server.domain}/users/ada`
const eve = await peer.actor('eve')
await peer.send(server, eve, { id: `${peer.url}/f/1`, type: 'Follow', actor: eve.uri, object: adaUri })
await server.drain()
const { accounts } = await ada.get(`/api/v2/search?q=eve@${peer.domain}&type=accounts`)
const eveId = accounts[0].id
afterEach(async () => {
  await server.drain()
  peer.received.length = 0
})

/** The activities that `act` sends to a peer, from jobs that run twice. */
async function runTwice(act: () => Promise<unknown>): Promise<{ type: string; id: string }[]> {
  const jobs = async (): Promise<{ id: string; data: any }[]> =>
    (
      await server.database.raw(
        `select id, data from pgboss.job where name = 'federation.distribute' order by created_on`,
      )
    ).rows
  await server.drain()
  const before = new Set((await jobs()).map(({ id }) => id))
  peer.received.length = 0
  await act()
  await server.drain()
  const first = peer.received.splice(0).map(({ type, id }) => ({ type, id }))
  await server.ctx.changes.catchUp()
  for (const { id, data } of await jobs())
    if (!before.has(id)) await distribute(server.ctx, data, { jobId: id, isLastAttempt: false })
  await server.drain()
  const known = new Set(first.map(({ id }) => id))
  assert.deepEqual(
    peer.received.filter(({ id }) => !known.has(id)),
    [],
  )
  assert.notEqual(peer.received.length, 0)
  return [...new Map(first.map((activity) => [activity.id, activity])).values()]
}

test('a job that runs again sends the same id, and every event has an id of its own', async () => {
  const bob = await server.person('bob')
  const accept = async (): Promise<void> => {
    const follow = peer.received.findLast(({ type }) => type === 'Follow')
    await peer.send(server, eve, { id: `${eve.uri}#accept`, type: 'Accept', actor: eve.uri, object: follow })
  }
  const account = `/api/v1/accounts/${eveId}`
  const seen = new Set<string>()
  const check = async (expected: string[], act: () => Promise<unknown>): Promise<void> => {
    const sent = await runTwice(act)
    assert.deepEqual(sent.map(({ type }) => type).toSorted(), expected.toSorted())
    for (const { id } of sent) {
      assert.ok(!seen.has(id), `${id} names two events`)
      seen.add(id)
    }
  }
  const again = async (expected: string, undone: string, act: () => Promise<unknown>, undo: () => Promise<unknown>) => {
    for (let i = 0; i < 2; i++) {
      await check([expected], act)
      await check([undone], undo)
    }
  }
  await again(
    'Follow',
    'Undo',
    () => ada.post(`${account}/follow`),
    () => ada.post(`${account}/unfollow`),
  )
  await ada.post(`${account}/follow`)
  await server.drain()
  await accept()
  await server.drain()
  const poll = { type: 'Question', oneOf: ['a', 'b'].map((name) => ({ type: 'Note', name })) }
  const end = new Date(Date.now() + 3_600_000).toISOString()
  const theirs = peer.create(eve, { ...poll, endTime: end })
  assert.equal(await peer.send(server, eve, theirs), 202)
  await server.drain()
  const { statuses } = await ada.get(`/api/v2/search?q=${encodeURIComponent(theirs.object.id)}&type=statuses`)
  const copy = statuses[0]
  const on =
    (what: string, id = copy.id) =>
    () =>
      ada.post(`/api/v1/statuses/${id}/${what}`)
  await again('Like', 'Undo', on('favourite'), on('unfavourite'))
  await again('Announce', 'Undo', on('reblog'), on('unreblog'))
  await check(['Create'], () => ada.post(`/api/v1/polls/${copy.poll.id}/votes`, { choices: [0] }))
  let post: any
  await check(['Create'], async () => {
    post = await ada.post('/api/v1/statuses', { status: 'told twice' })
  })
  for (const status of ['edited', 'edited again'])
    await check(['Update'], () => ada.put(`/api/v1/statuses/${post.id}`, { status }))
  const policy = (who: string) => () =>
    ada.put(`/api/v1/statuses/${post.id}/interaction_policy`, { quote_approval_policy: who })
  for (const who of ['nobody', 'followers']) await check(['Update'], policy(who))
  await again('Add', 'Remove', on('pin', post.id), on('unpin', post.id))
  await check(['Delete'], () => ada.delete(`/api/v1/statuses/${post.id}`))
  let tag: any
  await again(
    'Add',
    'Remove',
    async () => {
      tag = await ada.post('/api/v1/featured_tags', { name: 'rooks' })
    },
    () => ada.delete(`/api/v1/featured_tags/${tag.id}`),
  )
  for (const display_name of ['Ada', 'Ada L.'])
    await check(['Update'], () => ada.send('PATCH', '/api/v1/accounts/update_credentials', { json: { display_name } }))
  const follow = (id: string): Promise<number> =>
    peer.send(server, eve, {
      id: `${peer.url}/f/${id}`,
      type: 'Follow',
      actor: eve.uri,
      object: `http://${server.domain}/users/bob`,
    })
  for (const id of ['bob', 'bob again']) {
    await check(['Accept'], () => follow(encodeURIComponent(id)))
    await check(['Reject'], () => bob.post(`/api/v1/accounts/${eveId}/remove_from_followers`))
  }
  await again(
    'Block',
    'Undo',
    () => bob.post(`${account}/block`),
    () => bob.post(`${account}/unblock`),
  )
})

test('a boost of the own followers-only post embeds the post, and a receiver reads it from there', async () => {
  const own = await ada.post('/api/v1/statuses', { status: 'For new followers', visibility: 'private' })
  await server.drain()
  peer.received.length = 0
  await ada.post(`/api/v1/statuses/${own.id}/reblog`)
  await server.drain()
  const announce = peer.received.find(({ type }) => type === 'Announce')
  assert.deepEqual([announce?.object.id, announce?.object.type], [own.uri, 'Note'])
  assert.match(announce?.object.content, /For new followers/)

  const reader = await server.person('reader')
  await reader.post(`/api/v1/accounts/${eveId}/follow`)
  await server.drain()
  const follow = peer.received.findLast(({ type }) => type === 'Follow')
  await peer.send(server, eve, { id: `${eve.uri}#accept-reader`, type: 'Accept', actor: eve.uri, object: follow })
  const { object } = peer.create(eve, { to: [`${eve.uri}/followers`], content: '<p>unreachable</p>' })
  const boost = (more: object) => ({
    id: `${peer.url}/boosts/${Math.random()}`,
    type: 'Announce',
    actor: eve.uri,
    published: new Date().toISOString(),
    to: [`${eve.uri}/followers`],
    object,
    ...more,
  })
  const mallory = await peer.actor('mallory')
  await peer.send(
    server,
    eve,
    boost({ object: { ...object, id: `${peer.url}/notes/forged`, attributedTo: mallory.uri } }),
  )
  await server.drain()
  const contents = async (): Promise<string[]> => {
    const { statuses } = await reader.get(`/api/v2/search?q=${encodeURIComponent(object.id)}`)
    return statuses.map(({ content }: { content: string }) => content)
  }
  assert.deepEqual(await contents(), [])
  await peer.send(server, eve, boost({}))
  await server.drain()
  assert.deepEqual(await contents(), ['<p>unreachable</p>'])
  const [latest] = await reader.get(`/api/v1/accounts/${eveId}/statuses`)
  assert.deepEqual([latest?.reblog?.content, latest?.reblog?.visibility], ['<p>unreachable</p>', 'private'])
})

test('the document of a boost and its Undo address the author like the delivered Announce', async () => {
  const dan = await server.person('dan')
  const local = await dan.post('/api/v1/statuses', { status: 'boost me' })
  const theirs = peer.create(eve, { cc: [adaUri] })
  await peer.send(server, eve, theirs)
  await server.drain()
  const search = await ada.get(`/api/v2/search?q=${encodeURIComponent(theirs.object.id)}&type=statuses`)
  for (const { id } of [local, search.statuses[0]]) {
    peer.received.length = 0
    await ada.post(`/api/v1/statuses/${id}/reblog`)
    await server.drain()
    const delivered = peer.received.find(({ type }) => type === 'Announce')
    const read = await server.send('GET', new URL(delivered?.id).pathname, {
      headers: { accept: 'application/activity+json' },
    })
    assert.deepEqual(read.json, delivered)
    assert.equal(delivered?.cc.length, 2)
    await ada.post(`/api/v1/statuses/${id}/unreblog`)
    await server.drain()
    const undo = peer.received.find(({ type }) => type === 'Undo')
    assert.deepEqual([undo?.to, undo?.cc], [delivered?.to, delivered?.cc])
    assert.deepEqual(undo?.object.cc, delivered?.cc)
  }
})
