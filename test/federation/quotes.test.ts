// Quotes between servers (FEP-044f): requests, stamps, policies, revocation
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startNetwork, type Network } from '../support/network.ts'
import { befriend, copyOf } from '../support/federated-people.ts'
import { PUBLIC, startPeer, type Peer, type PeerActor } from '../support/peer.ts'
import type { Person, TestServer } from '../support/server.ts'

let network: Network<'alpha' | 'beta'>
let alpha: TestServer
let ada: Person // of alpha
let bob: Person // of beta; they follow each other
let peer: Peer
let eve: PeerActor
before(async () => {
  network = await startNetwork(['alpha', 'beta'])
  alpha = network.alpha
  ada = await alpha.person('ada')
  bob = await network.beta.person('bob')
  await befriend(network, [network.beta, bob], [alpha, ada])
  await befriend(network, [alpha, ada], [network.beta, bob])
  peer = await startPeer()
  eve = await peer.actor('eve')
  const { accounts } = await ada.get(`/api/v2/search?q=${encodeURIComponent(`@eve@${peer.domain}`)}&resolve=true`)
  await ada.post(`/api/v1/accounts/${accounts[0].id}/follow`)
  await network.drain()
  const follow = peer.received.find(({ type }) => type === 'Follow')
  await peer.send(alpha, eve, { id: `${peer.url}/accepts/1`, type: 'Accept', actor: eve.uri, object: follow })
  await network.drain()
})
after(async () => {
  await peer.stop()
  await network.stop()
})

const documentOf = async (server: TestServer, uri: string): Promise<any> =>
  (await server.send('GET', new URL(uri).pathname, { headers: { accept: 'application/activity+json' } })).json
const adaUri = (): string => `${alpha.ctx.config.baseUrl}/users/ada`

/** Ada posts, and Bob quotes her copy on beta. */
async function quoted(json: object = {}): Promise<{ original: any; made: any }> {
  const original = await ada.post('/api/v1/statuses', { status: 'said', ...json })
  await network.drain()
  const copy = await copyOf(bob, original.uri)
  const made = await bob.post('/api/v1/statuses', { status: 'quoting', quoted_status_id: copy.id })
  return { original, made }
}

test('a policy is sent with the post', async () => {
  for (const [policy, automatic, current] of [
    ['public', ['public'], 'automatic'],
    ['followers', ['followers'], 'automatic'],
    ['nobody', [], 'denied'],
  ] as const) {
    const post = await ada.post('/api/v1/statuses', { status: 'x', quote_approval_policy: policy })
    await network.drain()
    assert.deepEqual((await copyOf(bob, post.uri)).quote_approval, { automatic, manual: [], current_user: current })
    await ada.put(`/api/v1/statuses/${post.id}/interaction_policy`, { quote_approval_policy: 'public' })
    await network.drain()
    const after = await copyOf(bob, post.uri)
    assert.deepEqual([after.quote_approval.current_user, after.edited_at], ['automatic', null])
  }
  const { uri } = await ada.post('/api/v1/statuses', { status: 'x', quote_approval_policy: 'nobody' })
  assert.deepEqual((await documentOf(alpha, uri)).interactionPolicy.canQuote, { automaticApproval: [adaUri()] })
})

test('a quote is pending until the other server accepts it, which it does at once', async () => {
  const { original, made } = await quoted()
  assert.deepEqual(made.quote, { state: 'pending', quoted_status: null })
  await network.drain()
  const settled = await bob.get(`/api/v1/statuses/${made.id}`)
  assert.deepEqual(
    [settled.quote.state, settled.quote.quoted_status.uri, settled.edited_at],
    ['accepted', original.uri, null],
  )
  const here = await copyOf(ada, made.uri)
  assert.deepEqual([here.quote.state, here.quote.quoted_status.id], ['accepted', original.id])
  assert.equal((await ada.get(`/api/v1/statuses/${original.id}`)).quotes_count, 1)
  assert.deepEqual(
    (await ada.get(`/api/v1/statuses/${original.id}/quotes`)).map(({ uri }: any) => uri),
    [made.uri],
  )
  const [notification] = await ada.get('/api/v1/notifications?types[]=quote')
  assert.equal(notification.status.uri, made.uri)
  const note = await documentOf(network.beta, made.uri)
  assert.deepEqual(
    [note.quote, note.quoteUri, note.quoteUrl, note._misskey_quote],
    Array.from({ length: 4 }, () => original.uri),
  )
  const stamp = await documentOf(alpha, note.quoteAuthorization)
  const { '@context': _context, ...members } = stamp
  assert.deepEqual(members, {
    id: note.quoteAuthorization,
    type: 'QuoteAuthorization',
    attributedTo: adaUri(),
    interactingObject: made.uri,
    interactionTarget: original.uri,
  })
  assert.match(note.quoteAuthorization, new RegExp(`^${adaUri()}/quote_authorizations/\\d+$`))
})

test('a request is refused if the policy changed before it arrived', async () => {
  const original = await ada.post('/api/v1/statuses', { status: 'said' })
  await network.drain()
  const copy = await copyOf(bob, original.uri)
  await alpha.database.raw('update statuses set quote_policy = 0 where id = $1', [original.id])
  const made = await bob.post('/api/v1/statuses', { status: 'quoting', quoted_status_id: copy.id })
  await network.drain()
  assert.deepEqual((await bob.get(`/api/v1/statuses/${made.id}`)).quote, { state: 'rejected', quoted_status: null })
  assert.equal((await ada.get(`/api/v1/statuses/${original.id}`)).quotes_count, 0)
})

test('a revoked approval is revoked on all servers', async () => {
  const { original, made } = await quoted()
  await network.drain()
  const { quoteAuthorization: stamp } = await documentOf(network.beta, made.uri)
  const here = await copyOf(ada, made.uri)
  await ada.post(`/api/v1/statuses/${original.id}/quotes/${here.id}/revoke`)
  await network.drain()
  assert.deepEqual((await bob.get(`/api/v1/statuses/${made.id}`)).quote, { state: 'revoked', quoted_status: null })
  assert.equal((await documentOf(network.beta, made.uri)).quoteAuthorization, undefined)
  assert.equal((await alpha.send('GET', new URL(stamp).pathname)).status, 404)
  assert.equal((await copyOf(bob, original.uri)).quotes_count, 0)
})

test('deleting a quoted post leaves a deleted quote, and an edit notifies the quoting account', async () => {
  const { original, made } = await quoted()
  await network.drain()
  await ada.put(`/api/v1/statuses/${original.id}`, { status: 'said otherwise' })
  await network.drain()
  const [notification] = await bob.get('/api/v1/notifications?types[]=quoted_update')
  assert.equal(notification.status.id, made.id)
  assert.equal((await bob.get(`/api/v1/statuses/${made.id}`)).quote.quoted_status.content, '<p>said otherwise</p>')
  await ada.delete(`/api/v1/statuses/${original.id}`)
  await network.drain()
  assert.deepEqual((await bob.get(`/api/v1/statuses/${made.id}`)).quote, { state: 'deleted', quoted_status: null })
})

test('a deleted quote no longer counts on the other server', async () => {
  const { original, made } = await quoted()
  await network.drain()
  await bob.delete(`/api/v1/statuses/${made.id}`)
  await network.drain()
  assert.equal((await ada.get(`/api/v1/statuses/${original.id}`)).quotes_count, 0)
})

// Quotes by a simulated peer -------------------------------------------------------------------------------------------

let count = 0
const target = (): { id: string; [name: string]: unknown } => {
  const id = `${peer.url}/targets/${++count}`
  const note = {
    id,
    type: 'Note',
    attributedTo: eve.uri,
    content: '<p>target</p>',
    to: [PUBLIC],
    published: new Date().toISOString(),
  }
  peer.serve(new URL(id).pathname, note)
  return note
}

/** Delivers a quote by an actor of the peer, and returns it as Ada sees it. */
async function receiveQuote(actor: PeerActor, note: Record<string, any>): Promise<any> {
  const activity = peer.create(actor, { content: '<p>look</p>', ...note })
  peer.serve(new URL(activity.object.id).pathname, activity.object)
  assert.equal(await peer.send(alpha, actor, activity), 202)
  await network.drain()
  return copyOf(ada, activity.object.id)
}

const serveStamp = (quoting: string, quotedUri: string, extra: object = {}): string => {
  const id = `${eve.uri}/stamps/${++count}`
  const stamp = {
    id,
    type: 'QuoteAuthorization',
    attributedTo: eve.uri,
    interactingObject: quoting,
    interactionTarget: quotedUri,
    ...extra,
  }
  return peer.serve(new URL(id).pathname, stamp)
}

test('quotes without an authorization are pending in every form; self-quotes need none', async () => {
  const mal = await peer.actor('mal')
  const mentions = { to: [PUBLIC, adaUri()], tag: [{ type: 'Mention', href: adaUri(), name: '@ada' }] }
  for (const name of ['quote', 'quoteUrl', '_misskey_quote', 'quoteUri']) {
    const copy = await receiveQuote(mal, { [name]: target().id, ...mentions })
    assert.deepEqual(copy.quote, { state: 'pending', quoted_status: null }, name)
  }
  const own = target()
  const copy = await receiveQuote(eve, { quote: own.id })
  assert.deepEqual([copy.quote.state, copy.quote.quoted_status?.uri], ['accepted', own.id])
})

test('an authorization counts if the quoted author made it for these two posts', async () => {
  const mal = await peer.actor('mal2')
  const far = await startPeer()
  try {
    const outsider = await far.actor('stranger')
    const mentions = { to: [PUBLIC, adaUri()], tag: [{ type: 'Mention', href: adaUri(), name: '@ada' }] }
    const receive = async (stampFor: (quoting: string, quotedUri: string) => string): Promise<string> => {
      const [quotedUri, id] = [target().id, `${far.url}/quotes/${++count}`]
      const copy = await (async () => {
        const note = {
          id,
          type: 'Note',
          attributedTo: outsider.uri,
          content: '<p>look</p>',
          ...mentions,
          quote: quotedUri,
          quoteAuthorization: stampFor(id, quotedUri),
        }
        far.serve(new URL(id).pathname, note)
        await far.send(alpha, outsider, {
          id: `${id}/create`,
          type: 'Create',
          actor: outsider.uri,
          to: note.to,
          object: note,
        })
        await network.drain()
        return copyOf(ada, id)
      })()
      return copy.quote.state
    }
    assert.equal(await receive(serveStamp), 'accepted')
    assert.equal(await receive((_quoting, quotedUri) => serveStamp(`${far.url}/other`, quotedUri)), 'pending')
    assert.equal(await receive((quoting) => serveStamp(quoting, `${peer.url}/other`)), 'pending')
    assert.equal(
      await receive((quoting, quotedUri) => serveStamp(quoting, quotedUri, { attributedTo: mal.uri })),
      'pending',
    )
    assert.equal(await receive((quoting, quotedUri) => serveStamp(quoting, quotedUri, { type: 'Note' })), 'pending')
    assert.equal(await receive(() => `${peer.url}/nowhere`), 'pending')
    const own = (quoting: string, quotedUri: string): string =>
      far.serve(`/stamps/${++count}`, {
        id: `${far.url}/stamps/${count}`,
        type: 'QuoteAuthorization',
        attributedTo: eve.uri,
        interactingObject: quoting,
        interactionTarget: quotedUri,
      })
    assert.equal(await receive(own), 'pending')
  } finally {
    await far.stop()
  }
})

test('a later approval arrives with an Update', async () => {
  const mal = await peer.actor('mal4')
  const quotedUri = target().id
  const mentions = { to: [PUBLIC, adaUri()], tag: [{ type: 'Mention', href: adaUri(), name: '@ada' }] }
  const activity = peer.create(mal, { content: '<p>look</p>', quote: quotedUri, ...mentions })
  await peer.send(alpha, mal, activity)
  await network.drain()
  assert.equal((await copyOf(ada, activity.object.id)).quote.state, 'pending')
  const object = { ...activity.object, quoteAuthorization: serveStamp(activity.object.id, quotedUri) }
  await peer.send(alpha, mal, { id: `${peer.url}/updates/${++count}`, type: 'Update', actor: mal.uri, object })
  await network.drain()
  const copy = await copyOf(ada, activity.object.id)
  assert.deepEqual([copy.quote.state, copy.quote.quoted_status.uri, copy.edited_at], ['accepted', quotedUri, null])
})

/** Ada quotes a post of Eve, which by default everyone may quote. */
async function adaQuotes(
  policy: object = { canQuote: { automaticApproval: [PUBLIC] } },
): Promise<{ made: any; request: any; object: any }> {
  const object = { ...target(), interactionPolicy: policy }
  peer.serve(new URL(object.id).pathname, object)
  const { statuses } = await ada.get(`/api/v2/search?q=${encodeURIComponent(object.id)}&resolve=true&type=statuses`)
  const made = await ada.post('/api/v1/statuses', { status: 'quoting', quoted_status_id: statuses[0].id })
  await network.drain()
  const request = peer.received.findLast(({ type }) => type === 'QuoteRequest')
  return { made, request, object }
}
const stateOf = async (made: any): Promise<string> => (await ada.get(`/api/v1/statuses/${made.id}`)).quote.state
let answers = 0
const answer = async (from: PeerActor, members: Record<string, unknown>): Promise<void> => {
  assert.equal(
    await peer.send(alpha, from, { id: `${peer.url}/answers/${++answers}`, actor: from.uri, ...members }),
    202,
  )
  await network.drain()
}

test('a quote request names both posts; its answer may be accepted, rejected and revoked', async () => {
  const { made, request, object } = await adaQuotes()
  assert.deepEqual(
    [request.actor, request.object, request.instrument.id, request.instrument.quote],
    [adaUri(), object.id, made.uri, object.id],
  )
  assert.equal(await stateOf(made), 'pending')
  const stamp = serveStamp(made.uri, object.id)
  const mal = await peer.actor('mal3')
  await answer(mal, { type: 'Accept', object: request, result: stamp })
  assert.equal(await stateOf(made), 'pending')
  await answer(eve, { type: 'Accept', object: request.id, result: 'https://elsewhere.test/stamp' })
  assert.equal(await stateOf(made), 'pending')
  await answer(eve, { type: 'Accept', object: request.id, result: stamp })
  assert.equal(await stateOf(made), 'accepted')
  assert.equal((await documentOf(alpha, made.uri)).quoteAuthorization, stamp)
  await answer(mal, { type: 'Delete', object: stamp })
  assert.equal(await stateOf(made), 'accepted')
  await answer(eve, { type: 'Delete', object: { id: stamp, type: 'QuoteAuthorization' } })
  assert.equal(await stateOf(made), 'revoked')
  assert.equal((await documentOf(alpha, made.uri)).quoteAuthorization, undefined)
  const refused = await adaQuotes({ canQuote: { manualApproval: [PUBLIC] } })
  await answer(eve, { type: 'Reject', object: refused.request })
  assert.equal(await stateOf(refused.made), 'rejected')
})

test('remote policies are shown in the terms of the API, and stored', async () => {
  const approvals: [object | undefined, object, number][] = [
    [undefined, { automatic: [], manual: [], current_user: 'denied' }, 404],
    [{ canQuote: { automaticApproval: [eve.uri] } }, { automatic: [], manual: [], current_user: 'denied' }, 404],
    [{ canQuote: { manualApproval: 'as:Public' } }, { automatic: [], manual: ['public'], current_user: 'manual' }, 200],
    [
      { canQuote: { automaticApproval: [`${eve.uri}/followers`] } },
      { automatic: ['followers'], manual: [], current_user: 'automatic' },
      200,
    ],
    [
      { canQuote: { automaticApproval: ['https://elsewhere.test/circle'] } },
      { automatic: ['unsupported_policy'], manual: [], current_user: 'unknown' },
      404,
    ],
  ]
  for (const [interactionPolicy, approval, status] of approvals) {
    const object = { ...target(), interactionPolicy }
    peer.serve(new URL(object.id).pathname, object)
    const { statuses } = await ada.get(`/api/v2/search?q=${encodeURIComponent(object.id)}&resolve=true&type=statuses`)
    assert.deepEqual(statuses[0].quote_approval, approval)
    const answered = await ada.send('POST', '/api/v1/statuses', {
      json: { status: 'x', quoted_status_id: statuses[0].id },
    })
    assert.equal(answered.status, status, JSON.stringify(interactionPolicy))
  }
})

test("a remote request is answered as the author's policy says", async () => {
  const ask = async (statusUri: string, actor = eve): Promise<any> => {
    const instrument = {
      id: `${peer.url}/asking/${++count}`,
      type: 'Note',
      attributedTo: actor.uri,
      content: '<p>q</p>',
      to: [PUBLIC],
      quote: statusUri,
    }
    peer.serve(new URL(instrument.id).pathname, instrument)
    const id = `${instrument.id}/request`
    await answer(actor, { id, type: 'QuoteRequest', object: statusUri, instrument })
    return peer.received.find((activity) => activity['object']?.id === id)
  }
  const open = await ada.post('/api/v1/statuses', { status: 'open' })
  const accepted = await ask(open.uri)
  assert.equal(accepted.type, 'Accept')
  const stamp = await documentOf(alpha, accepted.result)
  assert.deepEqual([stamp.interactionTarget, stamp.interactingObject], [open.uri, accepted.object.instrument])
  assert.equal((await ada.get(`/api/v1/statuses/${open.id}`)).quotes_count, 1)
  const closed = await ada.post('/api/v1/statuses', { status: 'closed', quote_approval_policy: 'nobody' })
  const rejected = await ask(closed.uri)
  assert.deepEqual([rejected.type, rejected.result], ['Reject', undefined])
  const few = await ada.post('/api/v1/statuses', { status: 'few', visibility: 'direct' })
  assert.equal(await ask(few.uri), undefined)
  const foe = await peer.actor('foe')
  await ask(open.uri, foe)
  const { accounts } = await ada.get(`/api/v2/search?q=${encodeURIComponent(`@foe@${peer.domain}`)}&resolve=true`)
  await ada.post(`/api/v1/accounts/${accounts[0].id}/block`)
  assert.equal(await ask(open.uri, foe), undefined)
})
