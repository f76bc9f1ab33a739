// Hashtags on profiles and blocked domains, between two servers.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startNetwork, type Network } from '../support/network.ts'
import { befriend, meet } from '../support/people.ts'
import { eventually, type Person } from '../support/server.ts'

let network: Network<'alpha' | 'beta'>
let ada: Person
let bob: Person
before(async () => {
  network = await startNetwork(['alpha', 'beta'])
  ;[ada, bob] = await Promise.all([network.alpha.person('ada'), network.beta.person('bob')])
})
after(() => network.stop())

const tagsAt = async (id: string): Promise<string[]> =>
  (await bob.get(`/api/v1/accounts/${id}/featured_tags`)).map(({ name }: any) => name)

test('the hashtags on a profile are known to the other server, and so is every change for those who follow', async () => {
  await ada.post('/api/v1/featured_tags', { name: 'Engines' })
  const id = await meet(network.beta, bob, network.alpha, ada)
  await network.drain()
  assert.deepEqual(await tagsAt(id), ['Engines'])
  await befriend(network, [network.beta, bob], [network.alpha, ada])
  await ada.post('/api/v1/tags/looms/feature')
  await network.drain()
  assert.deepEqual((await tagsAt(id)).toSorted(), ['Engines', 'looms'])
  await ada.post('/api/v1/tags/engines/unfeature')
  await network.drain()
  assert.deepEqual(await tagsAt(id), ['looms'])
})

test('who blocks a domain neither follows anybody of it any longer nor is followed from there, on both servers', async () => {
  const bobAtAlpha = await befriend(network, [network.alpha, ada], [network.beta, bob])
  const adaAtBeta = await befriend(network, [network.beta, bob], [network.alpha, ada])
  const relation = async (who: Person, id: string): Promise<any> =>
    (await who.get(`/api/v1/accounts/relationships?id=${id}`))[0]
  assert.deepEqual(
    [(await relation(ada, bobAtAlpha)).following, (await relation(bob, adaAtBeta)).following],
    [true, true],
  )
  await ada.post('/api/v1/domain_blocks', { domain: network.beta.domain })
  await network.drain()
  const mine = await relation(ada, bobAtAlpha)
  assert.deepEqual([mine.following, mine.followed_by, mine.domain_blocking], [false, false, true])
  await eventually(async () => {
    const theirs = await relation(bob, adaAtBeta)
    return !theirs.following && !theirs.followed_by
  })
})
