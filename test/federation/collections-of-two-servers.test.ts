// Collections of accounts between two servers, in both directions (FEP-7aa9)
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { addAccount, createCollection, discoverablePerson, memberIds, readCollection } from '../support/collections.ts'
import { befriend, meet } from '../support/federated-people.ts'
import { startNetwork, type Network } from '../support/network.ts'
import type { Person } from '../support/server.ts'

let network: Network<'alpha' | 'beta'>
let ada: Person // of alpha
let bob: Person // of beta, follows ada
let adaOnBeta: string
let bobOnAlpha: string

before(async () => {
  network = await startNetwork(['alpha', 'beta'])
  ada = await discoverablePerson(network.alpha, 'ada')
  bob = await discoverablePerson(network.beta, 'bob')
  adaOnBeta = await befriend(network, [network.beta, bob], [network.alpha, ada])
  bobOnAlpha = await meet(network.alpha, ada, network.beta, bob)
})
after(() => network?.stop())

const copiesOn = async (viewer: Person, owner: string): Promise<any[]> => {
  await network.drain()
  return (await viewer.get(`/api/v1/accounts/${owner}/collections`)).collections
}
const inCollections = async (who: Person): Promise<any[]> => {
  await network.drain()
  return (await who.get(`/api/v1/accounts/${who.id}/in_collections`)).collections
}
const notified = (who: Person, type: string): Promise<any[]> => who.get(`/api/v1/notifications?types[]=${type}`)

test('an account of the other server is asked, consents, hears of changes, and can leave', async () => {
  const { id, uri } = await createCollection(ada, { name: 'Friends', account_ids: [bobOnAlpha, ada.id] })
  const [copy] = await inCollections(bob)
  assert.deepEqual([copy.uri, copy.name, copy.local, copy.account_id], [uri, 'Friends', false, adaOnBeta])
  assert.deepEqual(
    (await readCollection(ada, id)).collection.items.map(({ state }: any) => state),
    ['accepted', 'accepted'],
  )
  assert.deepEqual((await memberIds(bob, copy.id)).toSorted(), [adaOnBeta, bob.id].toSorted())
  const [added] = await notified(bob, 'added_to_collection')
  assert.equal(added.collection.id, copy.id)

  await ada.send('PATCH', `/api/v1/collections/${id}`, { json: { name: 'Best friends', tag_name: 'people' } })
  const [changed] = await copiesOn(bob, adaOnBeta)
  assert.deepEqual([changed.name, changed.tag.name], ['Best friends', 'people'])
  assert.equal((await notified(bob, 'collection_update')).length, 1)

  const bobs = changed.items.find(({ account_id }: any) => account_id === bob.id)
  await bob.post(`/api/v1/collections/${copy.id}/items/${bobs.id}/revoke`)
  assert.deepEqual(await inCollections(bob), [])
  assert.deepEqual(await memberIds(ada, id), [ada.id])
  assert.deepEqual(await memberIds(bob, copy.id), [adaOnBeta])
  assert.equal((await addAccount(ada, id, bobOnAlpha)).status, 403)

  await ada.send('DELETE', `/api/v1/collections/${id}`)
  assert.deepEqual(await copiesOn(bob, adaOnBeta), [])
})

test('an account that is not discoverable any more refuses', async () => {
  const cleo = await discoverablePerson(network.beta, 'cleo')
  const cleoOnAlpha = await meet(network.alpha, ada, network.beta, cleo)
  await cleo.send('PATCH', '/api/v1/accounts/update_credentials', { json: { discoverable: false } })
  const { id } = await createCollection(ada, { name: 'Late', account_ids: [cleoOnAlpha] })
  assert.deepEqual(await inCollections(cleo), [])
  assert.deepEqual(await memberIds(ada, id), [])
  assert.deepEqual(await notified(cleo, 'added_to_collection'), [])
})

test('a third account is verified with its own server, and accounts come and go', async () => {
  const dan = await discoverablePerson(network.alpha, 'dan')
  const { id, items } = await createCollection(ada, { name: 'Staff', account_ids: [dan.id] })
  const [copy] = await copiesOn(bob, adaOnBeta)
  const danOnBeta = await meet(network.beta, bob, network.alpha, dan)
  assert.deepEqual(await memberIds(bob, copy.id), [danOnBeta])
  await addAccount(ada, id, ada.id)
  await network.drain()
  assert.deepEqual(await memberIds(bob, copy.id), [danOnBeta, adaOnBeta])
  await ada.send('DELETE', `/api/v1/collections/${id}/items/${items[0].id}`)
  await network.drain()
  assert.deepEqual(await memberIds(bob, copy.id), [adaOnBeta])
})

test('the collections of an account that is looked up are read, and later those that changed or went meanwhile', async () => {
  const eve = await discoverablePerson(network.alpha, 'eve')
  const open = await createCollection(eve, { name: 'Open', account_ids: [eve.id] })
  await createCollection(eve, { name: 'Hidden', discoverable: false })
  const eveOnBeta = await meet(network.beta, bob, network.alpha, eve)
  const copies = await copiesOn(bob, eveOnBeta)
  assert.deepEqual(
    copies.map(({ uri, item_count }) => [uri, item_count]),
    [[open.uri, 1]],
  )
  // No account of beta follows her, so that beta is not told.
  const refresh = async (): Promise<void> => {
    await network.beta.ctx.enqueue('federation.refresh', { accountId: eveOnBeta, force: true })
    await network.drain()
  }
  const second = await createCollection(eve, { name: 'Second' })
  await refresh()
  await eve.send('DELETE', `/api/v1/collections/${open.id}`)
  await eve.send('PATCH', `/api/v1/collections/${second.id}`, { json: { discoverable: false } })
  const names = async () => (await copiesOn(bob, eveOnBeta)).map(({ name }) => name)
  assert.deepEqual((await names()).toSorted(), ['Open', 'Second'])
  await refresh()
  assert.deepEqual(await names(), [])
})
