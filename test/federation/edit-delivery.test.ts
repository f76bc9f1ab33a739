import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { bringForward, clearFailures, retryDeliveries } from '../support/jobs.ts'
import { startPeer } from '../support/peer.ts'
import { stage } from '../support/stage.ts'

// Delivery of edits and deletions to the current and former audience of a post.

const { server, peer, ada } = await stage({ accounts: ['ada'], peers: ['peer'] })
const adaUri = `http://${server.domain}/users/ada`
/** Follows Ada. */
const eve = await peer.actor('eve')
await peer.send(server, eve, { id: `${peer.url}/f/1`, type: 'Follow', actor: eve.uri, object: adaUri })
await server.drain()
afterEach(async () => {
  peer.refuses = () => null
  await clearFailures(server)
  await server.drain()
  peer.received.length = 0
})

const tryAgain = (): Promise<void> => retryDeliveries(server)

/** The activities delivered to the inboxes of some actors of the peer, as `type inbox`. */
async function heardBy(names: string[], act: () => Promise<unknown>): Promise<string[]> {
  await server.drain()
  peer.received.length = 0
  peer.requests.length = 0
  await act()
  await server.drain()
  const inboxes = peer.requests.filter((line) => line.startsWith('POST '))
  return inboxes
    .flatMap((line, i) => {
      const name = line.split('/')[2] ?? ''
      return names.includes(name) ? [`${peer.received[i]?.type} ${name}`] : []
    })
    .toSorted()
}

test('a private mention does not reach an account that its author blocks', async () => {
  const foe = await peer.actor('foe')
  await peer.actor('pal')
  const [{ id }] = (await ada.get(`/api/v2/search?q=@foe@${peer.domain}&resolve=true`)).accounts
  await ada.post(`/api/v1/accounts/${id}/block`)
  const status = `@foe@${peer.domain} @pal@${peer.domain} hello`
  const post = (): Promise<unknown> => ada.post('/api/v1/statuses', { status, visibility: 'direct' })
  assert.deepEqual(await heardBy(['foe', 'pal'], post), ['Create pal'])
  assert.ok(!JSON.stringify(peer.received[0]).includes(foe.uri))
  await ada.post(`/api/v1/accounts/${id}/unblock`)
  assert.deepEqual(await heardBy(['foe', 'pal'], post), ['Create foe', 'Create pal'])
})

test('mentions of a server that cannot be reached are tried again, and then delivered', async () => {
  await peer.actor('late')
  const failing = (): void => {
    peer.refuses = ({ url = '' }) => (url.startsWith('/.well-known/webfinger') ? 503 : null)
  }
  const again = async (): Promise<void> => {
    await bringForward(server, 'statuses.mentions')
    await server.drain()
  }
  failing()
  const { id } = await ada.post('/api/v1/statuses', {
    status: `@late@${peer.domain} @none@${peer.domain} are you there?`,
    visibility: 'direct',
  })
  const read = async (): Promise<any> => ada.get(`/api/v1/statuses/${id}`)
  await again()
  assert.deepEqual((await read()).mentions, [])
  peer.refuses = () => null
  assert.deepEqual(await heardBy(['late', 'eve'], again), ['Create late'])
  const status = await read()
  assert.deepEqual(
    status.mentions.map(({ username }: any) => username),
    ['late'],
  )
  assert.match(status.content, /<a href="[^"]+\/users\/late" class="u-url mention">@<span>late<\/span>/)
  assert.equal(status.edited_at, null)
  const conversations = (await ada.get('/api/v1/conversations')).filter((each: any) => each.last_status.id === id)
  assert.deepEqual(
    conversations.map(({ accounts }: any) => accounts.map(({ username }: any) => username)),
    [['late']],
  )
  // The other handle is no account: after the third attempt the server gives up.
  await again()
  const { rows } = await server.database.raw(
    `select 1 from pgboss.job where name = 'statuses.mentions' and state in ('created', 'retry')`,
  )
  assert.deepEqual(rows, [])
})

test('an account that an edit no longer mentions receives this and later edits, and the deletion', async () => {
  await peer.actor('gus')
  const post = await ada.post('/api/v1/statuses', { status: `@gus@${peer.domain} hello` })
  const edit = (status: string) => () => ada.put(`/api/v1/statuses/${post.id}`, { status })
  assert.deepEqual(await heardBy(['gus'], edit('hello nobody')), ['Update gus'])
  assert.equal(peer.received[0]?.object.content, '<p>hello nobody</p>')
  assert.ok(!peer.received[0]?.object.cc.some((uri: string) => uri.endsWith('/gus')))
  assert.deepEqual(await heardBy(['gus'], edit('hello again')), ['Update gus'])
  assert.deepEqual(await heardBy(['gus'], () => ada.delete(`/api/v1/statuses/${post.id}`)), ['Delete gus'])
})

test('a server that an edit leaves without recipients receives a Delete and not the new text', async () => {
  const far = await startPeer()
  try {
    await Promise.all([far.actor('hal'), peer.actor('ira')])
    for (const visibility of ['direct', 'private']) {
      const status = `@hal@${far.domain} @gus@${peer.domain} @ira@${peer.domain} between us`
      const post = await ada.post('/api/v1/statuses', { status, visibility })
      await server.drain()
      far.received.length = 0
      const sent = await heardBy(['gus', 'ira'], () =>
        ada.put(`/api/v1/statuses/${post.id}`, { status: `@ira@${peer.domain} a secret` }),
      )
      assert.deepEqual(sent, ['Update ira'], visibility)
      assert.deepEqual(
        far.received.map(({ type, object }) => [type, object.id]),
        [['Delete', post.uri]],
      )
    }
  } finally {
    await far.stop()
  }
})

test('a server that was down while an edit dropped it from a private post never gets the new text', async () => {
  const far = await startPeer()
  try {
    await far.actor('hal')
    await ada.get(`/api/v2/search?q=hal@${far.domain}&resolve=true&type=accounts`)
    for (const visibility of ['direct', 'private']) {
      far.received.length = 0
      far.refuses = peer.refuses = ({ method }) => (method === 'POST' ? 503 : null)
      const status = `@hal@${far.domain} @gus@${peer.domain} @ira@${peer.domain} between us`
      const post = await ada.post('/api/v1/statuses', { status, visibility })
      await server.drain()
      await ada.put(`/api/v1/statuses/${post.id}`, { status: `@ira@${peer.domain} a secret` })
      await server.drain()
      far.refuses = peer.refuses = () => null
      assert.deepEqual((await heardBy(['gus', 'ira'], tryAgain)).toSorted(), ['Create ira', 'Update ira'], visibility)
      assert.deepEqual(
        far.received.map(({ type, object }) => [type, object.id]),
        [['Delete', post.uri]],
      )
      for (const { object } of peer.received) assert.match(object.content, /a secret/)
    }
  } finally {
    await far.stop()
  }
})

test('followers of local accounts that boosted or replied to a post receive its edits and deletion', async () => {
  const jo = await server.person('jo')
  const kay = await peer.actor('kay')
  await peer.send(server, kay, {
    id: `${peer.url}/f/kay`,
    type: 'Follow',
    actor: kay.uri,
    object: `http://${server.domain}/users/jo`,
  })
  await server.drain()
  const share = [
    (id: string) => jo.post(`/api/v1/statuses/${id}/reblog`),
    (id: string) => jo.post('/api/v1/statuses', { status: 'indeed', in_reply_to_id: id }),
  ]
  for (const by of share) {
    const post = await ada.post('/api/v1/statuses', { status: 'worth sharing' })
    await by(post.id)
    const edit = (): Promise<unknown> => ada.put(`/api/v1/statuses/${post.id}`, { status: 'worth it' })
    assert.deepEqual(await heardBy(['kay'], edit), ['Update kay'])
    assert.deepEqual(await heardBy(['kay'], () => ada.delete(`/api/v1/statuses/${post.id}`)), ['Delete kay'])
  }
  // Edits and deletions of direct posts are not sent to followers of the mentioned account.
  const post = await ada.post('/api/v1/statuses', { status: '@jo between us', visibility: 'direct' })
  await jo.post('/api/v1/statuses', { status: '@ada yes', in_reply_to_id: post.id, visibility: 'direct' })
  assert.deepEqual(await heardBy(['kay'], () => ada.delete(`/api/v1/statuses/${post.id}`)), [])
})
