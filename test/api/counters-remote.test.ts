// Counters of posts and accounts match the rows they count after repeated activities of remote accounts.
import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { purgeRemoteAccount, reblog } from '../support/acts.ts'
import { assertCountersMatch, counts, NONE, profile } from '../support/counters.ts'
import { PUBLIC, type PeerActor } from '../support/peer.ts'
import { beforeCommit } from '../support/races.ts'
import { stage } from '../support/stage.ts'
import { boost, post } from '../support/timelines.ts'

let round = 0

const { server, peer, ada } = await stage({ accounts: ['ada'], peers: ['peer'] })
afterEach(() => assertCountersMatch(server))

const uriOf = (id: string): string => `http://${server.domain}/users/ada/statuses/${id}`

let sent = 0
async function deliver(actor: PeerActor, ...activities: Record<string, unknown>[]): Promise<void> {
  const named = activities.map((activity) => ({
    id: `${actor.uri}/activities/${++sent}`,
    actor: actor.uri,
    ...activity,
  }))
  for (const status of await Promise.all(named.map((activity) => peer.send(server, actor, activity))))
    assert.equal(status, 202)
  await server.drain()
}

async function resolveAccount(actor: PeerActor): Promise<string> {
  const { accounts } = await ada.get(`/api/v2/search?q=${actor.name}@${peer.domain}&resolve=true&type=accounts`)
  return accounts[0].id
}

test('repeated remote likes, boosts and replies count once, also under different activity ids', async () => {
  const far = await peer.actor(`far${++round}`)
  const id = await post(ada, 'heard far away')
  const object = uriOf(id)
  const like = (n: number): Record<string, unknown> => ({ id: `${far.uri}/likes/${n}`, type: 'Like', object })
  const announce = (n: number): Record<string, unknown> => ({
    id: `${far.uri}/boosts/${n}`,
    type: 'Announce',
    object,
    to: [PUBLIC],
    published: new Date().toISOString(),
  })
  await deliver(far, ...Array.from({ length: 10 }, (_, i) => [like(i % 5), announce(i % 5)]).flat())
  assert.deepEqual(await counts(ada, id), { ...NONE, favourites: 1, reblogs: 1 })
  const answer = peer.create(far, { inReplyTo: object })
  await deliver(far, ...Array.from({ length: 5 }, (_, i) => ({ ...answer, id: `${far.uri}/creates/${i}` })))
  assert.deepEqual(await counts(ada, id), { favourites: 1, reblogs: 1, replies: 1, quotes: 0 })

  const { id: uri } = answer.object as { id: string }
  const undo = (type: string): Record<string, unknown> => ({ type: 'Undo', object: { type, actor: far.uri, object } })
  const deletion = { type: 'Delete', object: { type: 'Tombstone', id: uri } }
  await deliver(far, undo('Like'), undo('Like'), undo('Announce'), undo('Announce'), deletion, deletion)
  assert.deepEqual(await counts(ada, id), NONE)
})

test('repeated remote follows, accepts, undos and rejects change the follow counts once', async () => {
  const far = await peer.actor(`far${++round}`)
  const [farId, [, followers, following]] = [
    await resolveAccount(far),
    (await profile(ada, ada.id)) as [number, number, number],
  ]
  const object = `http://${server.domain}/users/ada`
  const follow = { type: 'Follow', object }
  await deliver(far, ...Array.from({ length: 5 }, () => follow), { ...follow, id: `${far.uri}#follow` })
  await ada.post(`/api/v1/accounts/${farId}/follow`)
  const accept = { type: 'Accept', object: { type: 'Follow', actor: object, object: far.uri } }
  await deliver(far, accept, accept, accept)
  assert.deepEqual((await profile(ada, ada.id)).slice(1), [followers + 1, following + 1])
  await deliver(
    far,
    { type: 'Undo', object: { ...follow, actor: far.uri } },
    { type: 'Undo', object: { ...follow, actor: far.uri } },
  )
  const reject = { type: 'Reject', object: accept.object }
  await deliver(far, reject, reject)
  assert.deepEqual((await profile(ada, ada.id)).slice(1), [followers, following])
})

test('purging a remote account decrements every counter it contributed to', async () => {
  const far = await peer.actor(`far${++round}`)
  const [farId, id, before] = [await resolveAccount(far), await post(ada, 'heard far away'), await profile(ada, ada.id)]
  const object = uriOf(id)
  const toAda = {
    cc: [`http://${server.domain}/users/ada`],
    tag: [{ type: 'Mention', href: `http://${server.domain}/users/ada` }],
  }
  const theirs = ['from far', 'the last'].map((text) => peer.create(far, { content: `<p>${text}</p>`, ...toAda }))
  await deliver(
    far,
    { type: 'Follow', object: `http://${server.domain}/users/ada` },
    { type: 'Like', object },
    { type: 'Announce', object, to: [PUBLIC] },
    peer.create(far, { inReplyTo: object }),
    ...theirs,
  )
  assert.deepEqual(await counts(ada, id), { favourites: 1, reblogs: 1, replies: 1, quotes: 0 })
  const stored = theirs.map(async ({ object: note }) => {
    const uri = encodeURIComponent((note as { id: string }).id)
    return (await ada.get(`/api/v2/search?q=${uri}&type=statuses`)).statuses[0].id as string
  })
  const [boosted = '', last = ''] = await Promise.all(stored)
  await boost(ada, boosted)
  const eve = await server.person('eve')
  await beforeCommit(
    server,
    (tx) => reblog(tx, { accountId: eve.id, statusId: last }),
    () => purgeRemoteAccount(server.ctx, farId),
  )
  assert.deepEqual(await counts(ada, id), NONE)
  assert.deepEqual(await profile(ada, ada.id), before)
  assert.deepEqual(await profile(ada, eve.id), [0, 0, 0])
})
