// Polls between servers: Question documents, votes, results and ends
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startNetwork, type Network } from '../support/network.ts'
import { bringForward, retryDeliveries } from '../support/jobs.ts'
import { befriend, copyOf, meet } from '../support/federated-people.ts'
import { PUBLIC, startPeer, type Peer, type PeerActor } from '../support/peer.ts'
import { followActor } from '../support/remote-people.ts'
import { eventually, type Person } from '../support/server.ts'

let network: Network<'alpha' | 'beta'>
let ada: Person // of alpha
let bob: Person // of beta, follows ada
let peer: Peer
let eve: PeerActor // of the peer, followed by ada
before(async () => {
  network = await startNetwork(['alpha', 'beta'])
  ada = await network.alpha.person('ada')
  bob = await network.beta.person('bob')
  await befriend(network, [network.beta, bob], [network.alpha, ada])
  peer = await startPeer()
  eve = await peer.actor('eve')
  await followActor(network.alpha, ada, peer, eve)
})
after(async () => {
  await peer.stop()
  await network.stop()
})

const ask = (poll: object = {}, more: object = {}): Promise<any> =>
  ada.post('/api/v1/statuses', {
    status: 'Which?',
    poll: { options: ['tea', 'coffee'], expires_in: 600, ...poll },
    ...more,
  })
const documentOf = async (uri: string): Promise<any> =>
  (await network.alpha.send('GET', new URL(uri).pathname, { headers: { accept: 'application/activity+json' } })).json
const counts = (poll: any): unknown[] => poll.options.map((option: any) => option.votes_count)

/** Waits for all jobs, those included that send tallies after a delay. */
async function settle(): Promise<void> {
  await network.drain()
  await bringForward(network.alpha, 'polls.tell')
  await network.drain()
}

async function end(statusId: string, pollId: string): Promise<void> {
  for (const server of [network.alpha, network.beta]) {
    await server.database.raw(
      `update polls set expires_at = now() - interval '1 second' where id = $1 or status_id = $2`,
      [pollId, statusId],
    )
    await bringForward(server, 'polls.close')
  }
  await network.drain()
}

test('a poll is a Question', async () => {
  const { uri, poll } = await ask({ multiple: true })
  const question = await documentOf(uri)
  assert.equal(question.type, 'Question')
  assert.deepEqual(
    question.anyOf,
    ['tea', 'coffee'].map((name) => ({ type: 'Note', name, replies: { type: 'Collection', totalItems: 0 } })),
  )
  assert.deepEqual(
    [question.oneOf, question.endTime, question.closed, question.votersCount],
    [undefined, poll.expires_at, undefined, 0],
  )
  const single = await ask()
  assert.equal((await documentOf(single.uri)).oneOf.length, 2)
})

test('a poll arrives, votes are sent to its author only, and results return', async () => {
  const { id, uri, poll } = await ask()
  await network.drain()
  const copy = await copyOf(bob, uri)
  assert.deepEqual(copy.poll.options, poll.options)
  assert.deepEqual(
    [copy.poll.expires_at, copy.poll.multiple, copy.poll.voted, copy.poll.own_votes],
    [poll.expires_at, false, false, []],
  )
  const voted = await bob.post(`/api/v1/polls/${copy.poll.id}/votes`, { choices: [1] })
  assert.deepEqual([voted.votes_count, voted.own_votes, counts(voted)], [1, [1], [0, 1]])
  await network.drain()
  const here = await ada.get(`/api/v1/polls/${poll.id}`)
  assert.deepEqual([here.votes_count, here.voters_count, counts(here)], [1, 1, [0, 1]])
  // A vote is no post, and no answer.
  assert.equal((await ada.get(`/api/v1/statuses/${id}`)).replies_count, 0)
  assert.deepEqual((await ada.get(`/api/v1/statuses/${id}/context`)).descendants, [])
  const carl = await network.alpha.person('carl')
  await carl.post(`/api/v1/polls/${poll.id}/votes`, { choices: [0] })
  await settle()
  assert.deepEqual(counts((await copyOf(bob, uri)).poll), [1, 1])
  assert.equal((await copyOf(bob, uri)).edited_at, null)
})

test('several choices are several votes of one voter', async () => {
  const { uri, poll } = await ask({ options: ['a', 'b', 'c'], multiple: true })
  await network.drain()
  const copy = await copyOf(bob, uri)
  await bob.post(`/api/v1/polls/${copy.poll.id}/votes`, { choices: [0, 2] })
  await settle()
  const here = await ada.get(`/api/v1/polls/${poll.id}`)
  assert.deepEqual([here.votes_count, here.voters_count, counts(here)], [2, 1, [1, 0, 1]])
  assert.deepEqual(counts((await copyOf(bob, uri)).poll), [1, 0, 1])
  await bob.post(`/api/v1/polls/${copy.poll.id}/votes`, { choices: [1] })
  await settle()
  const later = await ada.get(`/api/v1/polls/${poll.id}`)
  assert.deepEqual([later.votes_count, later.voters_count, counts(later)], [3, 1, [1, 1, 1]])
})

test('totals are hidden on both servers until the end of a poll, of which accounts on both are notified', async () => {
  const { id, uri, poll } = await ask({ hide_totals: true })
  await network.drain()
  const copy = await copyOf(bob, uri)
  assert.deepEqual(
    [counts(poll), counts(copy.poll)],
    [
      [null, null],
      [null, null],
    ],
  )
  const voted = await bob.post(`/api/v1/polls/${copy.poll.id}/votes`, { choices: [1] })
  assert.deepEqual([voted.own_votes, counts(voted)], [[1], [null, null]])
  await network.drain()
  assert.equal('totalItems' in (await documentOf(uri)).oneOf[0].replies, false)
  await end(copy.id, poll.id)
  const question = await documentOf(uri)
  assert.deepEqual([question.closed, question.oneOf[1].replies.totalItems], [question.endTime, 1])
  const [mine] = await ada.get('/api/v1/notifications?types[]=poll')
  const [theirs] = await bob.get('/api/v1/notifications?types[]=poll')
  assert.deepEqual([mine.status.id, theirs.status.id], [id, copy.id])
  assert.deepEqual([theirs.status.poll.expired, counts(theirs.status.poll)], [true, [0, 1]])
})

test('an edit of the options removes votes on all servers', async () => {
  const { id, uri } = await ask()
  await network.drain()
  const copy = await copyOf(bob, uri)
  await bob.post(`/api/v1/polls/${copy.poll.id}/votes`, { choices: [1] })
  await network.drain()
  await ada.put(`/api/v1/statuses/${id}`, { poll: { options: ['tea', 'water'], expires_in: 600 } })
  await network.drain()
  const after = await copyOf(bob, uri)
  assert.deepEqual([after.poll.options[1].title, after.poll.voted, after.poll.votes_count], ['water', false, 0])
  assert.notEqual(after.edited_at, null)
  assert.equal((await ada.get(`/api/v1/statuses/${id}`)).poll.votes_count, 0)
})

const question = (extra: object = {}): Record<string, any> =>
  peer.create(eve, {
    type: 'Question',
    content: '<p>Which?</p>',
    oneOf: ['a', 'b'].map((name) => ({ type: 'Note', name, replies: { type: 'Collection', totalItems: 3 } })),
    endTime: new Date(Date.now() + 3_600_000).toISOString(),
    ...extra,
  })

async function receive(activity: Record<string, any>): Promise<any> {
  peer.serve(new URL(activity.object.id).pathname, activity.object)
  assert.equal(await peer.send(network.alpha, eve, activity), 202)
  await network.drain()
  return copyOf(ada, activity.object.id)
}

test('a vote is a note with a name, addressed to the author of the poll', async () => {
  const activity = question()
  const copy = await receive(activity)
  assert.deepEqual([copy.poll.votes_count, copy.poll.voters_count, counts(copy.poll)], [6, null, [3, 3]])
  await ada.post(`/api/v1/polls/${copy.poll.id}/votes`, { choices: [1] })
  await network.drain()
  const vote = peer.received.findLast(({ type }) => type === 'Create')
  const { id, ...object } = vote?.object ?? {}
  assert.equal(new URL(id).host, network.alpha.domain)
  const actor = `${network.alpha.ctx.config.baseUrl}/users/ada`
  assert.deepEqual(object, { type: 'Note', name: 'b', attributedTo: actor, inReplyTo: activity.object.id, to: eve.uri })
  assert.deepEqual([vote?.to, vote?.cc, vote?.actor], [eve.uri, undefined, actor])
})

test('several votes of one voter are delivered one after another, in order', async () => {
  const options = ['a', 'b', 'c'].map((name) => ({ type: 'Note', name }))
  const copy = await receive(question({ oneOf: undefined, anyOf: options }))
  peer.received.length = 0
  const gate = Promise.withResolvers<void>()
  let [under, most, asked] = [0, 0, 0]
  peer.refuses = async () => {
    most = Math.max(most, ++under)
    if (asked++ === 0) await gate.promise
    under--
    return null
  }
  try {
    await ada.post(`/api/v1/polls/${copy.poll.id}/votes`, { choices: [2, 0, 1] })
    await eventually(async () => asked > 0)
    await eventually(async () => {
      const { rows } = await network.alpha.database.raw(
        `select from pgboss.job where name in ('federation.distribute', 'federation.deliver') and state = 'created'`,
      )
      return rows.length === 0
    })
    gate.resolve()
    await network.drain()
  } finally {
    gate.resolve()
    peer.refuses = () => null
  }
  assert.equal(most, 1)
  assert.deepEqual(
    peer.received.map(({ object }) => object.name),
    ['c', 'a', 'b'],
  )
})

test('a failing vote delays the next one until it is delivered or given up', async () => {
  const options = ['a', 'b'].map((name) => ({ type: 'Note', name }))
  const vote = async (status: number): Promise<void> => {
    const copy = await receive(question({ oneOf: undefined, anyOf: options }))
    peer.received.length = 0
    let asked = 0
    peer.refuses = ({ method }) => (method === 'POST' && asked++ === 0 ? status : null)
    await ada.post(`/api/v1/polls/${copy.poll.id}/votes`, { choices: [0, 1] })
    await network.drain()
    peer.refuses = () => null
  }
  const names = (): string[] => peer.received.map(({ object }) => object.name)
  await vote(503)
  assert.deepEqual(names(), [])
  await retryDeliveries(network.alpha)
  await network.drain()
  assert.deepEqual(names(), ['a', 'b'])
  await vote(400)
  assert.deepEqual(names(), ['b'])
  await vote(503)
  await network.alpha.database.raw(
    `update pgboss.job set retry_limit = retry_count + 1, start_after = now() - interval '1 second'
     where name = 'federation.deliver' and state = 'retry'`,
  )
  peer.refuses = ({ method }) => (method === 'POST' ? 503 : null)
  await bringForward(network.alpha, 'federation.deliver')
  await network.drain()
  peer.refuses = () => null
  await retryDeliveries(network.alpha)
  await network.drain()
  assert.deepEqual(names(), ['b'])
})

test('results arrive with an Update, and are fetched when they are stale', async () => {
  const activity = question()
  const copy = await receive(activity)
  const now = (n: number): Record<string, any> => ({
    ...activity.object,
    votersCount: n,
    oneOf: ['a', 'b'].map((name) => ({ type: 'Note', name, replies: { type: 'Collection', totalItems: n } })),
  })
  await peer.send(network.alpha, eve, { id: `${peer.url}/updates/1`, type: 'Update', actor: eve.uri, object: now(5) })
  await network.drain()
  const updated = await ada.get(`/api/v1/polls/${copy.poll.id}`)
  assert.deepEqual([updated.voters_count, counts(updated)], [5, [5, 5]])
  peer.serve(new URL(activity.object.id).pathname, now(7))
  const asked = (): number =>
    peer.requests.filter((request) => request === `GET ${new URL(activity.object.id).pathname}`).length
  const before = asked()
  await ada.get(`/api/v1/polls/${copy.poll.id}`)
  await network.drain()
  assert.equal(asked(), before)
  await network.alpha.database.raw(`update polls set fetched_at = now() - interval '2 minutes' where id = $1`, [
    copy.poll.id,
  ])
  await Promise.all(Array.from({ length: 3 }, () => ada.get(`/api/v1/polls/${copy.poll.id}`)))
  await network.drain()
  assert.equal(asked(), before + 1)
  assert.deepEqual(counts(await ada.get(`/api/v1/polls/${copy.poll.id}`)), [7, 7])
  assert.equal((await ada.get(`/api/v1/statuses/${copy.id}`)).edited_at, null)
})

test('enormous remote tallies do not prevent votes', async () => {
  const many = 2 ** 31 - 1
  const oneOf = ['a', 'b'].map((name) => ({ type: 'Note', name, replies: { type: 'Collection', totalItems: many } }))
  const { poll } = await receive(question({ oneOf, votersCount: many }))
  const voted = await ada.post(`/api/v1/polls/${poll.id}/votes`, { choices: [0] })
  assert.deepEqual([counts(voted), voted.own_votes], [[1_000_000_001, 1_000_000_000], [0]])
  assert.equal(voted.voters_count, 1_000_000_001)
})

test('a vote leaves the number of voters unknown where the server of the poll does not tell it', async () => {
  const { poll } = await receive(question())
  const voted = await ada.post(`/api/v1/polls/${poll.id}/votes`, { choices: [0] })
  assert.deepEqual([poll.voters_count, voted.voters_count, counts(voted)], [null, null, [4, 3]])
})

test('a remote poll that hides its totals has as many votes as voters', async () => {
  const oneOf = ['a', 'b'].map((name) => ({ type: 'Note', name, replies: { type: 'Collection' } }))
  const { poll } = await receive(question({ oneOf, votersCount: 5 }))
  assert.deepEqual([poll.votes_count, poll.voters_count, counts(poll)], [5, 5, [null, null]])
})

test('closed polls and polls without an end are shown as such', async () => {
  const closed = await receive(question({ closed: '2020-01-01T00:00:00Z' }))
  assert.equal(closed.poll.expired, true)
  assert.equal(
    (await ada.send('POST', `/api/v1/polls/${closed.poll.id}/votes`, { json: { choices: [0] } })).status,
    422,
  )
  const endless = await receive(question({ endTime: undefined }))
  assert.deepEqual([endless.poll.expires_at, endless.poll.expired], [null, false])
})

test('a poll whose end is given as closed, as Pleroma and Akkoma do, is open until then', async () => {
  const { poll } = await receive(question({ endTime: undefined, closed: '2999-01-01T00:00:00.000Z' }))
  assert.deepEqual([poll.expires_at, poll.expired], ['2999-01-01T00:00:00.000Z', false])
  const voted = await ada.post(`/api/v1/polls/${poll.id}/votes`, { choices: [0] })
  assert.deepEqual([voted.voted, voted.own_votes], [true, [0]])
})

test('votes for several options may come in one activity, as GoToSocial sends them', async () => {
  const { uri, poll } = await ask({ options: ['a', 'b', 'c'], multiple: true })
  await network.drain()
  const vote = (name: string, place: number): Record<string, unknown> => ({
    id: `${eve.uri}#01HEN2R65468ZG657C4ZPHJ4EX/votes/${place}`,
    type: 'Note',
    attributedTo: eve.uri,
    inReplyTo: uri,
    to: uri.split('/statuses/')[0],
    name,
  })
  const activity = {
    id: `${eve.uri}/activity#vote/${uri}`,
    type: 'Create',
    actor: eve.uri,
    to: uri.split('/statuses/')[0],
    object: [vote('a', 1), vote('nothing', 2), null, vote('c', 3)],
  }
  assert.equal(await peer.send(network.alpha, eve, activity), 202)
  await network.drain()
  const after = await ada.get(`/api/v1/polls/${poll.id}`)
  assert.deepEqual([after.votes_count, after.voters_count, counts(after)], [2, 1, [1, 0, 1]])
})

test('remote votes count once, and invalid votes do not become posts', async () => {
  const { id, uri, poll } = await ask()
  await network.drain()
  const send = async (actor: PeerActor, note: Record<string, unknown>): Promise<void> => {
    const activity = peer.create(actor, {
      content: undefined,
      to: [uri.split('/statuses/')[0]],
      inReplyTo: uri,
      ...note,
    })
    assert.equal(await peer.send(network.alpha, actor, activity), 202)
    await network.drain()
  }
  const mal = await peer.actor('mal')
  await send(eve, { name: 'coffee' })
  await send(eve, { name: 'tea' })
  await send(eve, { name: 'coffee' })
  await send(mal, { name: 'milk' })
  const after = await ada.get(`/api/v1/polls/${poll.id}`)
  assert.deepEqual([after.votes_count, after.voters_count, counts(after)], [1, 1, [0, 1]])
  assert.deepEqual((await ada.get(`/api/v1/statuses/${id}/context`)).descendants, [])
  const few = await ask({}, { visibility: 'direct' })
  await send(mal, { name: 'tea', inReplyTo: few.uri, to: [PUBLIC] })
  assert.equal((await ada.get(`/api/v1/polls/${few.poll.id}`)).votes_count, 0)
})

test('a remote account that is known only through the poll can vote', async () => {
  const dora = await network.beta.person('dora')
  await meet(network.beta, dora, network.alpha, ada)
  const { uri, poll } = await ask()
  const { statuses } = await dora.get(`/api/v2/search?q=${encodeURIComponent(uri)}&resolve=true&type=statuses`)
  await dora.post(`/api/v1/polls/${statuses[0].poll.id}/votes`, { choices: [0] })
  await network.drain()
  assert.equal((await ada.get(`/api/v1/polls/${poll.id}`)).votes_count, 1)
})
