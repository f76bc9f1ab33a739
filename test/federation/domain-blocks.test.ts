// Between servers: a domain block and its undo, relays, NodeInfo, deliveries that administrators stop, and a purge.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  addRelay,
  disableRelay,
  endDomainBlock,
  purgeDomain,
  purgeServer,
  refreshNodeInfo,
  removeRelay,
  retryServer,
  setDeliveryStopped,
} from '../support/acts.ts'
import { befriend } from '../support/federated-people.ts'
import { getServer, listServers } from '../support/internals.ts'
import { startNetwork, type Network } from '../support/network.ts'
import { PUBLIC, startPeer, type Peer, type PeerActor } from '../support/peer.ts'
import type { Person } from '../support/server.ts'
import { relationshipWith } from '../support/relationships.ts'

let network: Network<'alpha' | 'beta'>
let peer: Peer
let relay: PeerActor
let staff: Person
let ada: Person // of alpha
let bob: Person // of beta
let adaOnBeta: string
let bobOnAlpha: string

before(async () => {
  network = await startNetwork(['alpha', 'beta'])
  peer = await startPeer()
  relay = await peer.actor('relay', { type: 'Application' })
  ada = await network.alpha.person('ada')
  staff = await network.alpha.person('staff', { role: 'admin' })
  bob = await network.beta.person('bob')
  adaOnBeta = await befriend(network, [network.beta, bob], [network.alpha, ada])
  bobOnAlpha = await befriend(network, [network.alpha, ada], [network.beta, bob])
})
after(async () => {
  await network?.stop()
  await peer?.stop()
})

const home = async (who: Person): Promise<string[]> =>
  (await who.get('/api/v1/timelines/home')).map(({ content }: any) => content.replace(/<[^>]+>/g, ''))
const say = async (who: Person, status: string): Promise<void> => {
  await who.post('/api/v1/statuses', { status })
  await network.drain()
}

test('a domain block severs follows, and its undo brings them back', async () => {
  const { id } = await staff.post('/api/v1/admin/domain_blocks', {
    domain: network.beta.domain,
    severity: 'suspend',
  })
  await network.drain()
  const [event] = await ada.get('/api/v1/notifications?types[]=severed_relationships')
  assert.deepEqual(
    [event.event.target_name, event.event.followers_count, event.event.following_count],
    [network.beta.domain, 1, 1],
  )
  await say(bob, 'while blocked')
  await say(ada, 'not for beta')
  assert.equal((await home(ada)).includes('while blocked'), false)
  assert.equal((await home(bob)).includes('not for beta'), false)

  await endDomainBlock(network.alpha.ctx, staff.id, id, { restoreFollows: true })
  await network.drain()
  const restored = await relationshipWith(ada, bobOnAlpha)
  assert.deepEqual([restored.following, restored.followed_by, restored.requested], [true, true, false])
  assert.equal((await relationshipWith(bob, adaOnBeta)).following, true)
  await say(bob, 'after the undo')
  await say(ada, 'for beta again')
  assert.equal((await home(ada))[1], 'after the undo')
  assert.equal((await home(bob))[0], 'for beta again')
})

test('an administrator sees what is known of a server, stops deliveries and resumes them', async () => {
  await refreshNodeInfo(network.alpha.ctx, { domain: network.beta.domain })
  const { servers } = await listServers(network.alpha.ctx, { search: network.beta.domain }, { limit: 10, offset: 0 })
  const [known] = servers
  assert.deepEqual([known?.software, known?.accounts, known?.following, known?.followers], ['rookery', 1, 1, 1])
  assert.ok(known && known.delivered > 0 && known.received > 0)
  await setDeliveryStopped(network.alpha.ctx, staff.id, network.beta.domain, { stopped: true })
  await say(ada, 'held back')
  assert.equal((await home(bob)).includes('held back'), false)
  await setDeliveryStopped(network.alpha.ctx, staff.id, network.beta.domain, { stopped: false })
  await retryServer(network.alpha.ctx, staff.id, network.beta.domain)
  await say(ada, 'sent again')
  assert.equal((await home(bob))[0], 'sent again')
  await assert.rejects(setDeliveryStopped(network.alpha.ctx, staff.id, 'unknown.test', { stopped: true }))
})

test('a relay is followed, receives public posts, and passes posts on', async () => {
  const server = network.alpha
  const relayId = await addRelay(server.ctx, staff.id, relay.document.inbox)
  await network.drain()
  const follow = peer.received.find(({ type }) => type === 'Follow')
  assert.deepEqual([follow?.actor, follow?.object], [`http://${server.domain}/actor`, PUBLIC])
  const announced = async (content: string, sender = peer, by = relay): Promise<any> => {
    const author = await peer.actor('author')
    const note = peer.create(author, { content }).object
    peer.serve(new URL(note.id).pathname, note)
    const id = `${by.uri}/announces/${content}`
    await sender.send(server, by, { id, type: 'Announce', actor: by.uri, object: note.id, to: [PUBLIC] })
    await network.drain()
    return (await ada.get(`/api/v1/timelines/public?remote=true`)).find((status: any) =>
      status.content.includes(content),
    )
  }
  assert.equal(await announced('early'), undefined, 'before it accepted')
  const forged = await peer.actor('forger')
  const accept = (actor: PeerActor): object => ({
    id: `${actor.uri}#accept`,
    type: 'Accept',
    actor: actor.uri,
    object: follow?.id,
  })
  await peer.send(server, forged, JSON.stringify(accept(forged)))
  await network.drain()
  assert.equal(await announced('forged'), undefined, 'another account accepted')
  await peer.send(server, relay, JSON.stringify(accept(relay)))
  await network.drain()
  const shown = await announced('relayed')
  assert.equal(shown?.account.acct, `author@${peer.domain}`)
  assert.equal(shown.reblogs_count, 0)
  const elsewhere = await startPeer()
  const impostor = await elsewhere.actor('impostor', { type: 'Application', inbox: relay.document.inbox })
  assert.equal(
    await announced('smuggled', elsewhere, impostor),
    undefined,
    'it names the inbox of the relay as its own',
  )
  await elsewhere.stop()

  peer.received.length = 0
  await ada.post('/api/v1/statuses', { status: 'secret', visibility: 'unlisted' })
  await say(ada, 'for everyone')
  assert.deepEqual(
    peer.received.map(({ type, object }) => [type, object.content]),
    [['Create', '<p>for everyone</p>']],
  )
  await disableRelay(server.ctx, staff.id, relayId)
  await say(ada, 'no relay')
  assert.deepEqual(peer.received.map(({ type }) => type).slice(1), ['Undo'])
  await removeRelay(server.ctx, staff.id, relayId)
  for (const bad of ['', 'no address', 'ftp://x.test', `http://${server.domain}/inbox`])
    await assert.rejects(addRelay(server.ctx, staff.id, bad), /inbox_url|URL/i, bad)
})

test('a purge severs follows and deletes what is stored of a server', async () => {
  await purgeServer(network.alpha.ctx, staff.id, network.beta.domain)
  await network.drain()
  assert.equal((await relationshipWith(ada, bobOnAlpha)).following, false)
  await purgeDomain(network.alpha.ctx, { domain: network.beta.domain })
  assert.equal((await getServer(network.alpha.ctx, network.beta.domain)).accounts, 0)
  assert.equal((await ada.send('GET', `/api/v1/accounts/${bobOnAlpha}`)).status, 404)
})
