// Collections of remote accounts (FEP-7aa9): stored, verified with the servers of their accounts, and shown
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { discoverablePerson } from '../support/collections.ts'
import { type Peer, type PeerActor, PUBLIC, startPeer } from '../support/peer.ts'
import { stage } from '../support/stage.ts'

const { server, peer, ada } = await stage({ accounts: ['ada'], peers: ['peer'] })
const far = await startPeer()
after(() => far.stop())
const base = server.ctx.config.baseUrl
let count = 0

type Owner = PeerActor & { id: string; list: string }

/** A remote account that ada follows. */
async function owner(name: string): Promise<Owner> {
  const list = `${peer.url}/ap/users/${name}/featured_collections`
  const actor = await peer.actor(name, { featuredCollections: list })
  const { accounts } = await ada.get(`/api/v2/search?q=${encodeURIComponent(actor.uri)}&resolve=true`)
  await ada.post(`/api/v1/accounts/${accounts[0].id}/follow`)
  await server.drain()
  const follow = peer.received.findLast(({ type, object }) => type === 'Follow' && object === actor.uri)
  const made = { ...actor, id: accounts[0].id, list }
  await send(made, 'Accept', { object: follow })
  return made
}

/** Mastodon sends Add and Remove without an id. */
async function send(actor: PeerActor, type: string, members: object): Promise<void> {
  const sent = { type, actor: actor.uri, published: new Date(Date.now() + ++count).toISOString(), ...members }
  assert.equal(await peer.send(server, actor, sent), 202)
  await server.drain()
}

async function authorize(host: Peer, member: PeerActor, collection: string, extra: object = {}): Promise<string> {
  const id = `${member.uri}/feature_authorizations/${++count}`
  const stamp = { id, type: 'FeatureAuthorization', interactingObject: collection, interactionTarget: member.uri }
  return host.serve(new URL(id).pathname, { ...stamp, ...extra })
}

const itemOf = (member: string, stamp: string): any => ({
  id: `${peer.url}/ap/collection_items/${++count}`,
  type: 'FeaturedItem',
  featuredObject: member,
  featuredObjectType: 'Person',
  featureAuthorization: stamp,
  published: '2026-03-09T15:19:25Z',
})

const newUri = ({ name }: PeerActor): string => `${peer.url}/ap/users/${name}/collections/${++count}`
const collectionOf = (by: PeerActor, uri: string, items: object[] = [], extra: object = {}): any => ({
  id: uri,
  type: 'FeaturedCollection',
  attributedTo: by.uri,
  name: 'Good people',
  summary: '<p>Follow them</p>',
  url: `${uri}/page`,
  sensitive: false,
  discoverable: true,
  topic: { type: 'Hashtag', name: '#people' },
  published: '2026-03-09T15:19:25Z',
  updated: '2026-03-09T15:19:25Z',
  totalItems: items.length,
  orderedItems: items,
  ...extra,
})

const shown = async (who: Owner): Promise<any[]> =>
  (await ada.get(`/api/v1/accounts/${who.id}/collections`)).collections
const membersOf = async (collection: any): Promise<string[]> => {
  const { accounts } = await ada.get(`/api/v1/collections/${collection.id}`)
  return accounts.map(({ uri }: any) => uri).filter((uri: string) => uri !== accounts[0].uri)
}

test('a collection that its owner adds is shown with the accounts that authorized it', async () => {
  const eve = await owner('eve')
  const [fay, gil, hal] = await Promise.all(['fay', 'gil', 'hal'].map((name) => far.actor(name)))
  assert.ok(fay && gil && hal)
  const uri = newUri(eve)
  const items = [
    itemOf(fay.uri, await authorize(far, fay, uri)),
    itemOf(gil.uri, await authorize(far, gil, `${uri}0`)),
    itemOf(hal.uri, await authorize(far, hal, uri, { interactionTarget: fay.uri })),
    itemOf(hal.uri, `${hal.uri}/nowhere`),
    itemOf(hal.uri, await authorize(far, hal, uri, { type: 'QuoteAuthorization' })),
    itemOf(hal.uri, peer.serve('/stamps/hal', { id: `${peer.url}/stamps/hal`, type: 'FeatureAuthorization' })),
    itemOf(fay.uri, await authorize(far, fay, uri)),
    itemOf(`${base}/users/ada`, `${base}/users/ada/feature_authorizations/1`),
  ]
  // Either item of fay may be verified first.
  const dated = items.map((item) => ({ ...item, published: '2026-04-16T01:00:00Z' }))
  await send(eve, 'Add', { target: eve.list, object: collectionOf(eve, uri, dated) })
  const [collection] = await shown(eve)
  assert.deepEqual(
    [collection.uri, collection.url, collection.local, collection.name, collection.description, collection.tag.name],
    [uri, `${uri}/page`, false, 'Good people', '<p>Follow them</p>', 'people'],
  )
  assert.deepEqual([collection.created_at, collection.item_count], ['2026-03-09T15:19:25.000Z', 1])
  assert.deepEqual(await membersOf(collection), [fay.uri])
  assert.equal(collection.items[0].created_at, '2026-04-16T01:00:00.000Z')
  assert.equal((await ada.send('DELETE', `/api/v1/collections/${collection.id}`)).status, 403)
  assert.equal(
    (await ada.send('PATCH', `/api/v1/collections/${collection.id}`, { json: { name: 'Mine' } })).status,
    403,
  )
  const found = await ada.get(`/api/v2/search?q=${encodeURIComponent(uri)}`)
  assert.deepEqual(
    found.collections.map(({ id }: any) => id),
    [collection.id],
  )
})

test('the owner changes its collection; older versions and other accounts do not', async () => {
  const [ned, mal] = [await owner('ned'), await owner('mal')]
  const [fay, ivy] = [await far.actor('fay'), await far.actor('ivy')]
  const uri = newUri(ned)
  const first = itemOf(fay.uri, await authorize(far, fay, uri))
  await send(ned, 'Add', { target: ned.list, object: collectionOf(ned, uri, [first]) })
  const later = { name: 'Better people', discoverable: false, updated: '2026-03-10T00:00:00Z' }
  await send(ned, 'Update', { object: collectionOf(ned, uri, [first], later) })
  await send(ned, 'Update', { object: collectionOf(ned, uri, [], { name: 'Old' }) })
  await send(mal, 'Update', { object: collectionOf(mal, uri, [], { name: 'Forged', updated: '2026-03-11T00:00:00Z' }) })
  await send(mal, 'Update', { object: collectionOf(ned, uri, [], { name: 'Forged', updated: '2026-03-11T00:00:00Z' }) })
  await send(mal, 'Remove', { target: ned.list, object: uri })
  await send(mal, 'Remove', { target: uri, object: first.id })
  await send(mal, 'Delete', { object: uri })
  const second = itemOf(ivy.uri, await authorize(far, ivy, uri))
  await send(mal, 'Add', { target: uri, object: second })
  assert.deepEqual([await shown(ned), await shown(mal)], [[], []], 'what is not discoverable is not listed')
  const search = async (): Promise<any[]> => (await ada.get(`/api/v2/search?q=${encodeURIComponent(uri)}`)).collections
  const [collection] = await search()
  assert.equal(collection.name, 'Better people')
  assert.deepEqual(await membersOf(collection), [fay.uri])

  await send(ned, 'Add', { target: uri, object: second })
  await send(ned, 'Add', { target: uri, object: second })
  assert.deepEqual(await membersOf(collection), [fay.uri, ivy.uri])
  const ordered = { ...later, updated: '2026-03-12T00:00:00Z' }
  await send(ned, 'Update', { object: collectionOf(ned, uri, [second, first], ordered) })
  assert.deepEqual(await membersOf(collection), [ivy.uri, fay.uri], 'in the order of the owner')
  await send(ned, 'Remove', { target: uri, object: first.id })
  assert.deepEqual(await membersOf(collection), [ivy.uri])
  await send(ned, 'Add', { target: uri, object: first })
  assert.deepEqual(await membersOf(collection), [ivy.uri], 'an Add that arrives after its Remove')
  await send(ned, 'Remove', { target: ned.list, object: uri })
  assert.equal((await ada.send('GET', `/api/v1/collections/${collection.id}`)).status, 404)
  await send(ned, 'Add', { target: ned.list, object: collectionOf(ned, uri, []) })
  assert.deepEqual(await search(), [])
})

test('an account that withdraws its authorization leaves the collection for good', async () => {
  const zoe = await owner('zoe')
  const [kim, lea] = [await far.actor('kim'), await far.actor('lea')]
  const uri = newUri(zoe)
  const stamp = await authorize(far, kim, uri)
  const item = itemOf(kim.uri, stamp)
  await send(zoe, 'Add', { target: zoe.list, object: collectionOf(zoe, uri, [item]) })
  const [collection] = await shown(zoe)
  const withdraw = async (actor: PeerActor): Promise<void> => {
    await far.send(server, actor, { id: `${stamp}#delete`, type: 'Delete', actor: actor.uri, object: stamp })
    await server.drain()
  }
  await withdraw(lea)
  assert.deepEqual(await membersOf(collection), [kim.uri])
  await withdraw(kim)
  assert.deepEqual(await membersOf(collection), [])
  await send(zoe, 'Update', { object: collectionOf(zoe, uri, [item]) })
  assert.deepEqual(await membersOf(collection), [])
  const again = { ...item, id: `${item.id}/again` }
  await send(zoe, 'Update', { object: collectionOf(zoe, uri, [again]) })
  assert.deepEqual(await membersOf(collection), [], 'the authorization is deleted')
})

test('an authorization that begins or ends without an activity is noticed after a week', async () => {
  const val = await owner('val')
  const [kay, lou] = [await far.actor('kay'), await far.actor('lou')]
  const uri = newUri(val)
  const stamps = [await authorize(far, kay, uri), await authorize(far, lou, uri)]
  const document = collectionOf(val, uri, [itemOf(kay.uri, stamps[0]!), itemOf(lou.uri, stamps[1]!)])
  await send(val, 'Add', { target: val.list, object: document })
  const [collection] = await shown(val)
  far.serve(new URL(stamps[0]!).pathname, { status: 404, body: '' })
  await send(val, 'Update', { object: document })
  assert.deepEqual(await membersOf(collection), [kay.uri, lou.uri])
  const aWeekLater = async (): Promise<string[]> => {
    await server.database.raw(`update collection_items set verified_at = now() - interval '8 days'`)
    await send(val, 'Update', { object: document })
    return membersOf(collection)
  }
  assert.deepEqual(await aWeekLater(), [lou.uri])
  far.serve(new URL(stamps[0]!).pathname, {
    id: stamps[0],
    type: 'FeatureAuthorization',
    interactingObject: uri,
    interactionTarget: kay.uri,
  })
  assert.deepEqual(await aWeekLater(), [kay.uri, lou.uri])
})

test('a server that is not reachable is asked again', async () => {
  const una = await owner('una')
  const max = await far.actor('max')
  const uri = newUri(una)
  const item = itemOf(max.uri, await authorize(far, max, uri))
  far.refuses = () => 503
  await send(una, 'Add', { target: una.list, object: collectionOf(una, uri, [item]) })
  const [collection] = await shown(una)
  assert.deepEqual(await membersOf(collection), [])
  far.refuses = () => null
  await server.database.raw(
    `update pgboss.job set start_after = now() where name = 'federation.collection' and state = 'retry'`,
  )
  await server.drain()
  assert.deepEqual(await membersOf(collection), [max.uri])
})

test('an owner who removes posts of other servers from a collection does not keep them from being stored', async () => {
  const ivy = await owner('ivy')
  const jo = await far.actor('jo')
  const uri = newUri(ivy)
  await send(ivy, 'Add', { target: ivy.list, object: collectionOf(ivy, uri) })
  const object = `${far.url}/notes/unseen`
  await send(ivy, 'Remove', { target: uri, object })
  far.serve('/notes/unseen', { id: object, type: 'Note', attributedTo: jo.uri, to: [PUBLIC], content: '<p>unseen</p>' })
  const { statuses } = await ada.get(`/api/v2/search?q=${encodeURIComponent(object)}&resolve=true`)
  assert.deepEqual(
    statuses.map((status: any) => status.uri),
    [object],
  )
})

test('a local account is notified of changes of a remote collection, and loses the notifications when it is removed from it', async () => {
  const pia = await owner('pia')
  const bob = await discoverablePerson(server, 'bob')
  const uri = newUri(pia)
  peer.serve(new URL(uri).pathname, collectionOf(pia, uri))
  await send(pia, 'FeatureRequest', { id: `${pia.uri}/requests/1`, instrument: uri, object: `${base}/users/bob` })
  const { result } = peer.received.findLast(({ type }) => type === 'Accept') as any
  const bobs = async (type: string): Promise<any[]> => bob.get(`/api/v1/notifications?types[]=${type}`)
  const member = async (): Promise<any[]> => (await bob.get(`/api/v1/accounts/${bob.id}/in_collections`)).collections
  await send(pia, 'Update', { object: collectionOf(pia, uri) })
  assert.equal((await member()).length, 1, 'the owner has not listed the account yet')
  const item = itemOf(`${base}/users/bob`, result)
  await send(pia, 'Add', { target: uri, object: item })
  await send(pia, 'Update', { object: collectionOf(pia, uri) })
  assert.equal((await member()).length, 1, 'an Update that is older than the item and arrives after it')
  await send(pia, 'Update', {
    object: collectionOf(pia, uri, [item], { name: 'Best', updated: '2026-03-12T00:00:00Z' }),
  })
  const [update] = await bobs('collection_update')
  assert.deepEqual([update.collection.name, update.account.id], ['Best', pia.id])
  await send(pia, 'Remove', { target: uri, object: item.id })
  assert.deepEqual([await member(), await bobs('collection_update'), await bobs('added_to_collection')], [[], [], []])
})

test('the collections of an account are read when it is viewed', async () => {
  const ray = await peer.actor('ray', { featuredCollections: `${peer.url}/ray/collections` })
  const [listed, named, foreign, forged] = [newUri(ray), newUri(ray), newUri(ray), newUri(ray)]
  peer.serve('/ray/collections', {
    id: `${peer.url}/ray/collections`,
    type: 'Collection',
    totalItems: 4,
    first: `${peer.url}/ray/collections?page=1`,
  })
  peer.serve('/ray/collections?page=1', {
    id: `${peer.url}/ray/collections?page=1`,
    type: 'CollectionPage',
    next: `${peer.url}/ray/collections?page=2`,
    items: [collectionOf(ray, listed), collectionOf(ray, foreign, [], { attributedTo: `${peer.url}/users/other` })],
  })
  peer.serve('/ray/collections?page=2', {
    type: 'CollectionPage',
    items: [
      peer.serve(new URL(named).pathname, collectionOf(ray, named, [], { name: 'Second' })),
      collectionOf(ray, forged, [], { id: `${far.url}/collections/1` }),
      `${far.url}/collections/2`,
      `${peer.url}/missing`,
    ],
    next: `${far.url}/collections/list`,
  })
  const { accounts } = await ada.get(`/api/v2/search?q=${encodeURIComponent(ray.uri)}&resolve=true`)
  await server.drain()
  const { collections } = await ada.get(`/api/v1/accounts/${accounts[0].id}/collections`)
  assert.deepEqual(collections.map(({ uri }: any) => uri).toSorted(), [listed, named].toSorted())
  const seen = await server.send('GET', `/api/v1/accounts/${accounts[0].id}/collections`)
  assert.equal(seen.json.collections.length, 2)
})

test('a collection is looked up by its address or its page', async () => {
  const una = await peer.actor('una2')
  const [kim, uri] = [await far.actor('kim2'), newUri(una)]
  const item = itemOf(kim.uri, await authorize(far, kim, uri))
  const document = collectionOf(una, uri, [item], { discoverable: false })
  const lookUp = async (address: string, resolve = true): Promise<any[]> => {
    const query = `q=${encodeURIComponent(address)}&resolve=${resolve}`
    const { collections } = await ada.get(`/api/v2/search?${query}`)
    await server.drain()
    return collections
  }
  assert.deepEqual(await lookUp(uri), [], 'it is missing')
  peer.serve(new URL(uri).pathname, document)
  peer.serve(`${new URL(uri).pathname}/page`, document)
  assert.deepEqual(await lookUp(uri, false), [])
  const [found] = await lookUp(`${uri}/page`)
  assert.equal(found.uri, uri)
  assert.deepEqual(await membersOf(found), [kim.uri])
  assert.equal((await lookUp(uri, false))[0].id, found.id)
  const forged = newUri(una)
  peer.serve(new URL(forged).pathname, collectionOf(una, forged, [], { attributedTo: kim.uri }))
  assert.deepEqual(await lookUp(forged), [])
})

test('collections of accounts without local followers are not stored, unless they are known', async () => {
  const tom = await peer.actor('tom', { featuredCollections: `${peer.url}/tom/collections` })
  const uri = newUri(tom)
  await send(tom, 'Add', { target: `${peer.url}/tom/collections`, object: collectionOf(tom, uri) })
  await send(tom, 'Update', { object: collectionOf(tom, uri) })
  await send(tom, 'Remove', { target: uri, object: `${peer.url}/items/1` })
  const { rows } = await server.database.raw('select count(*)::int as n from collections where uri = $1', [uri])
  assert.deepEqual(rows, [{ n: 0 }])
})

test('a collection does not grow beyond 150 accounts', async () => {
  const big = await owner('big')
  const uri = newUri(big)
  const items = Array.from({ length: 150 }, () => itemOf(`${far.url}/users/nobody`, `${far.url}/stamps/none`))
  await send(big, 'Add', { target: big.list, object: collectionOf(big, uri, items) })
  const vic = await far.actor('vic')
  const more = itemOf(vic.uri, await authorize(far, vic, uri))
  await send(big, 'Add', { target: uri, object: more })
  const [collection] = await shown(big)
  assert.deepEqual(await membersOf(collection), [])
  await send(big, 'Remove', { target: uri, object: items[0].id })
  await send(big, 'Add', { target: uri, object: { ...more, id: `${more.id}/2` } })
  assert.deepEqual(await membersOf(collection), [vic.uri])
})
