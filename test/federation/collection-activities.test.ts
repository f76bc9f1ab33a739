// What other servers receive about local collections (FEP-7aa9), and how remote accounts get into them
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cleanUp } from '../../src/worker/clean-up.ts'
import { addAccount, createCollection, discoverablePerson, readCollection } from '../support/collections.ts'
import { type PeerActor, PUBLIC, startPeer } from '../support/peer.ts'
import type { Answer } from '../support/server.ts'
import { stage } from '../support/stage.ts'

const { server, peer, ada } = await stage({ accounts: ['ada'], peers: ['peer'] })
const base = server.ctx.config.baseUrl
const adaUri = `${base}/users/ada`
const bob = await discoverablePerson(server, 'bob')
let count = 0

type Member = PeerActor & { id: string }

/** A remote account that ada's server knows. */
async function member(name: string, canFeature: object | null = { automaticApproval: [PUBLIC] }): Promise<Member> {
  const actor = await peer.actor(name, canFeature === null ? {} : { interactionPolicy: { canFeature } })
  const { accounts } = await ada.get(`/api/v2/search?q=${encodeURIComponent(actor.uri)}&resolve=true`)
  return { ...actor, id: accounts[0].id }
}

async function send(actor: PeerActor, type: string, members: object): Promise<void> {
  const id = `${actor.uri}#activities/${++count}`
  assert.equal(await peer.send(server, actor, { id, type, actor: actor.uri, ...members }), 202)
  await server.drain()
}

/** What the peer has received since the last call, once for all of its inboxes. */
let seen = 0
async function received(): Promise<any[]> {
  await server.drain()
  const news = peer.received.slice(seen)
  seen = peer.received.length
  return [...new Map(news.map((activity) => [activity['id'], activity])).values()]
}

const statesOf = async (id: string): Promise<string[]> =>
  (await readCollection(ada, id)).collection.items.map(({ state }: any) => state)

const fan = await member('fan')
await send(fan, 'Follow', { object: adaUri })

test('followers receive a collection, its changes, its accounts and its end', async () => {
  await received()
  const { id, uri } = await createCollection(ada, { name: 'Birds', account_ids: [bob.id] })
  const [add, ...rest] = await received()
  assert.deepEqual(rest, [], 'one activity, which contains the accounts')
  assert.deepEqual(
    [add.type, add.actor, add.target, add.object.id, add.object.type, add.object.name, add.object.totalItems],
    ['Add', adaUri, `${adaUri}/featured_collections`, uri, 'FeaturedCollection', 'Birds', 1],
  )
  const [first] = add.object.orderedItems
  assert.equal(first.featuredObject, `${base}/users/bob`)

  await ada.send('PATCH', `/api/v1/collections/${id}`, { json: { name: 'Owls' } })
  const [update] = await received()
  assert.deepEqual([update.type, update.to, update.object.id, update.object.name], ['Update', [PUBLIC], uri, 'Owls'])

  const cleo = await discoverablePerson(server, 'cleo')
  const { json } = await addAccount(ada, id, cleo.id)
  const [added] = await received()
  assert.deepEqual(
    [added.type, added.actor, added.target, added.object.type, added.object.featuredObject],
    ['Add', adaUri, uri, 'FeaturedItem', `${base}/users/cleo`],
  )
  await ada.send('DELETE', `/api/v1/collections/${id}/items/${json.collection_item.id}`)
  const [removed] = await received()
  assert.deepEqual([removed.type, removed.target, removed.object], ['Remove', uri, added.object.id])

  const [item] = (await readCollection(ada, id)).collection.items
  await bob.post(`/api/v1/collections/${id}/items/${item.id}/revoke`)
  const [left] = await received()
  assert.deepEqual([left.type, left.actor, left.target, left.object], ['Remove', adaUri, uri, first.id])

  await ada.send('DELETE', `/api/v1/collections/${id}`)
  const [end] = await received()
  assert.deepEqual([end.type, end.target, end.object], ['Remove', `${adaUri}/featured_collections`, uri])
})

test('a remote account is in a collection once its server has authorized it', async () => {
  const eve = await member('eve')
  const { id, uri } = await createCollection(ada, { name: 'Far', account_ids: [eve.id] })
  const request = (await received()).find(({ type }) => type === 'FeatureRequest')
  assert.deepEqual([request.actor, request.object, request.instrument], [adaUri, eve.uri, uri])
  assert.deepEqual(await statesOf(id), ['pending'])
  assert.equal((await readCollection(bob, id)).collection.item_count, 0, 'others do not see that she was asked')
  const document = async (): Promise<any> =>
    (await server.send('GET', new URL(uri).pathname, { headers: { accept: 'application/activity+json' } })).json
  assert.equal((await document()).totalItems, 0)

  const mal = await member('mal')
  const stamp = `${eve.uri}/feature_authorizations/1`
  await send(mal, 'Accept', { object: request.id, result: `${mal.uri}/feature_authorizations/1` })
  await send(eve, 'Accept', { object: request.id, result: 'https://elsewhere.test/stamps/1' })
  await send(eve, 'Accept', { object: request.id })
  assert.deepEqual(await statesOf(id), ['pending'], 'neither another account nor another host authorizes it')

  await received()
  await send(eve, 'Accept', { to: adaUri, object: request.id, result: stamp })
  await send(eve, 'Accept', { to: adaUri, object: request.id, result: stamp })
  assert.deepEqual(await statesOf(id), ['accepted'])
  const adds = await received()
  assert.equal(adds.length, 1)
  assert.deepEqual(
    [adds[0].type, adds[0].target, adds[0].object.featuredObject, adds[0].object.featureAuthorization],
    ['Add', uri, eve.uri, stamp],
  )
  assert.deepEqual((await document()).orderedItems, [adds[0].object])
  assert.equal((await readCollection(bob, id)).accounts.length, 2)

  await send(mal, 'Delete', { object: stamp })
  assert.deepEqual(await statesOf(id), ['accepted'])
  await send(eve, 'Delete', { object: { id: stamp, type: 'FeatureAuthorization', interactingObject: uri } })
  assert.deepEqual(await statesOf(id), [])
  const [removed] = await received()
  assert.deepEqual([removed.type, removed.target, removed.object], ['Remove', uri, adds[0].object.id])
  await send(eve, 'Accept', { object: request.id, result: stamp })
  assert.deepEqual(await statesOf(id), [], 'what was withdrawn is not accepted again')
  assert.equal((await addAccount(ada, id, eve.id)).status, 403)
})

test('a remote account that withdraws its authorization before that arrives is in no collection', async () => {
  const amy = await member('amy')
  const { id } = await createCollection(ada, { account_ids: [amy.id] })
  const request = (await received()).find(({ type, object }) => type === 'FeatureRequest' && object === amy.uri)
  const stamp = `${amy.uri}/feature_authorizations/1`
  await send(amy, 'Delete', { object: { id: stamp, type: 'FeatureAuthorization' } })
  assert.deepEqual(await statesOf(id), ['pending'])
  await send(amy, 'Accept', { object: request.id, result: stamp })
  assert.deepEqual(await statesOf(id), [])
  assert.equal((await addAccount(ada, id, amy.id)).status, 403)
})

test('a remote account that refuses, or that was removed before it answered, is in no collection', async () => {
  const [ned, zoe] = [await member('ned'), await member('zoe')]
  const { id, items } = await createCollection(ada, { account_ids: [ned.id, zoe.id] })
  const requests = (await received()).filter(({ type }) => type === 'FeatureRequest')
  const [toNed, toZoe] = [ned, zoe].map(({ uri }) => requests.find(({ object }) => object === uri).id)
  await send(ned, 'Reject', { object: toNed })
  const zoes = items.find(({ account_id }: any) => account_id === zoe.id)
  assert.equal((await ada.send('DELETE', `/api/v1/collections/${id}/items/${zoes.id}`)).status, 200)
  await send(zoe, 'Accept', { object: toZoe, result: `${zoe.uri}/feature_authorizations/1` })
  await send(ned, 'Accept', { object: toNed, result: `${ned.uri}/feature_authorizations/1` })
  assert.deepEqual(await statesOf(id), [])
  await cleanUp(server.ctx)
  assert.equal((await addAccount(ada, id, ned.id)).status, 403)
  await server.database.raw(
    `update collection_items set verified_at = verified_at - interval '25 hours' where account_id = $1`,
    [ned.id],
  )
  await cleanUp(server.ctx)
  assert.equal((await addAccount(ada, id, ned.id)).status, 200, 'a day later it can be asked again')
})

test('remote accounts are asked only as their policy permits', async () => {
  const { id } = await createCollection(ada)
  const approvalOf = async (who: Member): Promise<string> =>
    (await ada.get(`/api/v1/accounts/${who.id}`)).feature_approval.current_user
  const add = (who: Member): Promise<Answer> => addAccount(ada, id, who.id)
  const silent = await member('silent', null)
  const unwilling = await member('unwilling', { automaticApproval: [`${peer.url}/users/unwilling`] })
  const asked = await member('asked', { manualApproval: ['as:Public'] })
  const close = await member('close', { automaticApproval: [`${peer.url}/users/close/followers`] })
  assert.deepEqual(await Promise.all([silent, unwilling, asked, close].map(approvalOf)), [
    'missing',
    'missing',
    'manual',
    'unknown',
  ])
  assert.deepEqual(
    [(await add(silent)).status, (await add(unwilling)).status, (await add(asked)).status, (await add(close)).status],
    [403, 403, 200, 403],
  )
  await ada.post(`/api/v1/accounts/${close.id}/follow`)
  await send(close, 'Accept', { object: { type: 'Follow', actor: adaUri, object: close.uri } })
  assert.equal((await add(close)).status, 200)
  await send(asked, 'Block', { object: adaUri })
  assert.equal((await add(asked)).status, 403)
})

test('a block between an account and the owner ends its place in the collection on other servers', async () => {
  const [gil, hal] = [await member('gil'), await member('hal')]
  await received()
  const { uri } = await createCollection(ada, { account_ids: [gil.id, hal.id] })
  for (const request of (await received()).filter(({ type }) => type === 'FeatureRequest')) {
    const actor = [gil, hal].find((each) => each.uri === request.object) as Member
    await send(actor, 'Accept', { object: request.id, result: `${actor.uri}/feature_authorizations/1` })
  }
  assert.deepEqual(
    (await received()).map(({ type }) => type),
    ['Add', 'Add'],
  )
  await ada.post(`/api/v1/accounts/${gil.id}/block`)
  await send(hal, 'Block', { object: adaUri })
  const removals = (await received()).filter(({ type }) => type === 'Remove')
  assert.deepEqual(
    removals.map(({ target }) => target),
    [uri, uri],
  )
})

test('the server of an account in a collection receives its changes without following the owner', async () => {
  const far = await startPeer()
  try {
    const policy = { interactionPolicy: { canFeature: { automaticApproval: [PUBLIC] } } }
    const ivy = await far.actor('ivy', policy)
    const { accounts } = await bob.get(`/api/v2/search?q=${encodeURIComponent(ivy.uri)}&resolve=true`)
    const { id, uri } = await createCollection(bob, { account_ids: [accounts[0].id] })
    await server.drain()
    const request = far.received.find(({ type }) => type === 'FeatureRequest')
    await far.send(server, ivy, {
      id: `${ivy.uri}#accepts/1`,
      type: 'Accept',
      actor: ivy.uri,
      object: request?.['id'],
      result: `${ivy.uri}/feature_authorizations/1`,
    })
    await server.drain()
    await bob.send('PATCH', `/api/v1/collections/${id}`, { json: { description: 'New' } })
    await server.drain()
    await bob.send('DELETE', `/api/v1/collections/${id}`)
    await server.drain()
    const about = (subject: string): string[] =>
      far.received.flatMap(({ type, object, target }) => ([object, object.id, target].includes(subject) ? [type] : []))
    assert.deepEqual(about(uri).toSorted(), ['Add', 'Add', 'Remove', 'Update'])
    assert.deepEqual(about(ivy.uri), ['FeatureRequest'])
  } finally {
    await far.stop()
  }
})
