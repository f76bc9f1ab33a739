// Other servers show posts that are not public only to accounts that may read them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PUBLIC } from '../support/peer.ts'
import type { Person } from '../support/server.ts'
import { followActor } from '../support/remote-people.ts'
import { copyOf } from '../support/federated-people.ts'
import { stage } from '../support/stage.ts'
import { bringForward } from '../support/jobs.ts'

const { server, peer, other, ada } = await stage({ accounts: ['ada'], peers: ['peer', 'other'] })
const adaUri = `http://${server.domain}/users/ada`
const eve = await peer.actor('eve')
await followActor(server, ada, peer, eve)

/** Who signed the requests for a document. */
const signers = new Map<string, string[]>()
peer.refuses = ({ method, url = '', headers }) => {
  if (method !== 'GET' || !url.startsWith('/notes/')) return null
  const keyId = /keyId="([^"]*)"/.exec(String(headers.signature))?.[1] ?? ''
  signers.set(url, [...(signers.get(url) ?? []), keyId])
  return url.startsWith('/notes/private') && keyId !== `${adaUri}#main-key` ? 404 : null
}

async function send(activity: Record<string, any>): Promise<void> {
  assert.equal(await peer.send(server, eve, { actor: eve.uri, ...activity }), 202)
  await server.drain()
}

function write(name: string, note: Record<string, any>): Record<string, any> {
  const path = `/notes/${name}`
  const object = {
    id: `${peer.url}${path}`,
    type: 'Note',
    attributedTo: eve.uri,
    cc: [],
    content: `<p>${name}</p>`,
    ...note,
  }
  peer.serve(path, object)
  return object
}

const find = (uri: string): Promise<any> => copyOf(ada, uri)

test('a reader signs the request for a post that is not public, and the server itself for others', async () => {
  const followers = [`${eve.uri}/followers`]
  for (const [name, to] of [
    ['private-direct', [adaUri]],
    ['private-followers', followers],
    ['public', [PUBLIC]],
  ] as const) {
    const { id } = write(name, { to })
    await send({ id: `${id}/create`, type: 'Create', to, object: id })
    assert.equal((await find(id))?.content, `<p>${name}</p>`, name)
  }
  const { id } = write('private-boosted', { to: followers })
  await send({ id: `${id}/boost`, type: 'Announce', to: followers, object: id })
  assert.equal((await find(id))?.visibility, 'private')
  const instance = `http://${server.domain}/actor#main-key`
  assert.deepEqual(new Set(signers.get('/notes/public')), new Set([instance]))
  assert.deepEqual(
    new Set([...signers].flatMap(([url, by]) => (url === '/notes/public' ? [] : by))),
    new Set([`${adaUri}#main-key`]),
  )
})

test('the results of a poll for followers are fetched', async () => {
  const option = (name: string, totalItems: number) => ({
    type: 'Note',
    name,
    replies: { type: 'Collection', totalItems },
  })
  const question = (yes: number) => ({
    type: 'Question',
    to: [`${eve.uri}/followers`],
    oneOf: [option('yes', yes), option('no', 0)],
    endTime: new Date(Date.now() + 3_600_000).toISOString(),
  })
  const object = write('private-poll', question(0))
  await send({ id: `${object.id}/create`, type: 'Create', to: object.to, object })
  const { id, poll } = await find(object.id)
  await ada.post(`/api/v1/polls/${poll.id}/votes`, { choices: [0] })
  write('private-poll', { ...question(7), closed: new Date().toISOString() })
  await server.database.raw(`update polls set expires_at = now() - interval '1 second' where status_id = $1`, [id])
  await bringForward(server, 'polls.close')
  await server.drain()
  assert.equal((await ada.get(`/api/v1/polls/${poll.id}`)).options[0].votes_count, 7)
})

test('pinned posts for followers are fetched and shown to them', async () => {
  const featured = `${peer.url}/users/fay/featured`
  const fay = await peer.actor('fay', { featured })
  const bySigner = { actor: fay.uri, attributedTo: fay.uri, to: [`${fay.uri}/followers`] }
  const [first, second] = ['private-pinned', 'private-added'].map((name) => write(name, bySigner).id)
  peer.serve('/users/fay/featured', { id: featured, type: 'OrderedCollection', orderedItems: [first] })
  const [{ id }] = (await ada.get(`/api/v2/search?q=fay@${peer.domain}&resolve=true&type=accounts`)).accounts
  await ada.post(`/api/v1/accounts/${id}/follow`)
  const say = async (activity: object): Promise<void> => {
    assert.equal(await peer.send(server, fay, { actor: fay.uri, ...activity }), 202)
    await server.drain()
  }
  await say({ type: 'Accept', object: { type: 'Follow', actor: adaUri, object: fay.uri } })
  const pinned = async (reader: Person): Promise<string[]> =>
    (await reader.get(`/api/v1/accounts/${id}/statuses?pinned=true`)).map(({ uri }: any) => uri)
  assert.deepEqual(await pinned(ada), [first])
  await say({ type: 'Add', object: second, target: featured })
  assert.deepEqual(await pinned(ada), [second, first])
  assert.deepEqual(await pinned(await server.person('cay')), [])
})

test('a post that is not public is found by its address, for those who may read it', async () => {
  const { id } = write('private-searched', { to: [`${eve.uri}/followers`] })
  const search = async (person: Person): Promise<string[]> =>
    (await person.get(`/api/v2/search?q=${encodeURIComponent(id)}&resolve=true&type=statuses`)).statuses.map(
      ({ uri }: any) => uri,
    )
  const bob = await server.person('bob')
  assert.deepEqual(await search(bob), [])
  assert.deepEqual(await search(ada), [id])
  assert.deepEqual(await search(bob), [])
  const byPublic = write('searched', { to: [PUBLIC] })
  await ada.get(`/api/v2/search?q=${encodeURIComponent(byPublic.id)}&resolve=true&type=statuses`)
  assert.ok(signers.get('/notes/searched')?.every((keyId) => keyId.endsWith('/actor#main-key')))
})

test('no account signs a request to a server on which it follows no account', async () => {
  const seen: string[] = []
  other.refuses = ({ headers }) => {
    seen.push(String(headers.signature))
    return 401
  }
  const bait = `${other.url}/notes/bait`
  await ada.get(`/api/v2/search?q=${encodeURIComponent(bait)}&resolve=true`)
  assert.ok(seen.length > 0)
  // Addresses on a server where she follows an account may lead there.
  peer.serve('/notes/private-redirect', { status: 302, headers: { location: bait }, body: '' })
  peer.serve('/notes/private-other-id', { id: bait, type: 'Note', attributedTo: eve.uri })
  write('private-create', { type: 'Create', actor: eve.uri, object: bait })
  for (const name of ['redirect', 'other-id', 'create']) {
    await ada.get(`/api/v2/search?q=${encodeURIComponent(`${peer.url}/notes/private-${name}`)}&resolve=true`)
    assert.ok(signers.get(`/notes/private-${name}`)?.includes(`${adaUri}#main-key`), name)
    assert.ok(!seen.join().includes(adaUri), name)
  }
})

test('no account signs a request to the server of a post that another one pins', async () => {
  const featured = `${peer.url}/users/gil/featured`
  const gil = await peer.actor('gil', { featured })
  await followActor(server, ada, peer, gil)
  const { id } = write('pinned-create', { type: 'Create', actor: gil.uri, object: `${other.url}/notes/pinned` })
  peer.serve('/users/gil/featured', { id: featured, type: 'OrderedCollection', orderedItems: [id] })
  const seen: string[] = []
  other.refuses = ({ headers }) => {
    seen.push(String(headers.signature))
    return 401
  }
  assert.equal(await peer.send(server, gil, { type: 'Add', actor: gil.uri, object: id, target: featured }), 202)
  await server.drain()
  assert.ok(signers.get('/notes/pinned-create')?.includes(`${adaUri}#main-key`))
  assert.ok(seen.length > 0)
  assert.ok(!seen.join().includes(adaUri))
})
