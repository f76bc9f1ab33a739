// Quotes by and of a simulated peer (FEP-044f): authorizations, requests, policies, revocation
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { acceptQuote } from '../../src/actions/statuses/quote.ts'
import { sql } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'
import { copyOf } from '../support/federated-people.ts'
import { PUBLIC, startPeer, type PeerActor } from '../support/peer.ts'
import { followActor } from '../support/remote-people.ts'
import { stage } from '../support/stage.ts'

const { server, peer, ada } = await stage({ accounts: ['ada'], peers: ['peer'] })
const eve = await peer.actor('eve')
await followActor(server, ada, peer, eve)

const documentOf = async (uri: string): Promise<any> =>
  (await server.send('GET', new URL(uri).pathname, { headers: { accept: 'application/activity+json' } })).json
const adaUri = (): string => `${server.ctx.config.baseUrl}/users/ada`

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
  assert.equal(await peer.send(server, actor, activity), 202)
  await server.drain()
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
  // The quoted post arrives later, and cannot be fetched.
  const late = peer.create(eve, { to: [`${eve.uri}/followers`] })
  const early = await receiveQuote(eve, { quote: late.object.id })
  assert.equal(early.quote.state, 'pending')
  assert.equal(await peer.send(server, eve, late), 202)
  await server.drain()
  assert.equal((await copyOf(ada, early.uri)).quote.state, 'accepted')
})

test('a quote of a boost by its own author does not show the boosted post', async () => {
  const { uri } = await ada.post('/api/v1/statuses', { status: 'not to be quoted', quote_approval_policy: 'nobody' })
  const id = `${eve.uri}/boosts/1`
  const boost = { id, type: 'Announce', actor: eve.uri, object: uri, to: [PUBLIC], published: new Date().toISOString() }
  peer.serve(new URL(id).pathname, boost)
  assert.equal(await peer.send(server, eve, { '@context': 'https://www.w3.org/ns/activitystreams', ...boost }), 202)
  await server.drain()
  assert.equal((await copyOf(ada, uri)).reblogs_count, 1)
  assert.deepEqual((await receiveQuote(eve, { quote: id })).quote, { state: 'pending', quoted_status: null })
})

test('an authorization counts if the quoted author made it for these two posts', async () => {
  const mal = await peer.actor('mal2')
  const far = await startPeer()
  try {
    const outsider = await far.actor('stranger')
    const mentions = { to: [PUBLIC, adaUri()], tag: [{ type: 'Mention', href: adaUri(), name: '@ada' }] }
    const receive = async (stampFor: (quoting: string, quotedUri: string) => string): Promise<string> => {
      const [quotedUri, id] = [target().id, `${far.url}/quotes/${++count}`]
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
      await far.send(server, outsider, {
        id: `${id}/create`,
        type: 'Create',
        actor: outsider.uri,
        to: note.to,
        object: note,
      })
      await server.drain()
      return (await copyOf(ada, id)).quote.state
    }
    assert.equal(await receive(serveStamp), 'accepted')
    assert.equal(await receive((_quoting, quotedUri) => serveStamp(`${far.url}/other`, quotedUri)), 'pending')
    assert.equal(await receive((quoting) => serveStamp(quoting, `${peer.url}/other`)), 'pending')
    assert.equal(
      await receive((quoting, quotedUri) => serveStamp(quoting, quotedUri, { attributedTo: mal.uri })),
      'pending',
    )
    assert.equal(await receive((quoting, quotedUri) => serveStamp(quoting, quotedUri, { type: 'Note' })), 'pending')
    assert.equal(await receive(() => `${peer.url}/nowhere`), 'rejected')
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
  await peer.send(server, mal, activity)
  await server.drain()
  assert.equal((await copyOf(ada, activity.object.id)).quote.state, 'pending')
  const object = { ...activity.object, quoteAuthorization: serveStamp(activity.object.id, quotedUri) }
  await peer.send(server, mal, { id: `${peer.url}/updates/${++count}`, type: 'Update', actor: mal.uri, object })
  await server.drain()
  const copy = await copyOf(ada, activity.object.id)
  assert.deepEqual([copy.quote.state, copy.quote.quoted_status.uri, copy.edited_at], ['accepted', quotedUri, null])
})

/** Ada quotes a post of Eve, which by default everyone may quote. */
async function adaQuotes(
  policy: object = { canQuote: { automaticApproval: [PUBLIC] } },
  visibility = 'public',
): Promise<{ made: any; request: any; object: any }> {
  const object = { ...target(), interactionPolicy: policy }
  peer.serve(new URL(object.id).pathname, object)
  const { statuses } = await ada.get(`/api/v2/search?q=${encodeURIComponent(object.id)}&resolve=true&type=statuses`)
  const made = await ada.post('/api/v1/statuses', { status: 'quoting', quoted_status_id: statuses[0].id, visibility })
  await server.drain()
  const request = peer.received.findLast(({ type }) => type === 'QuoteRequest')
  return { made, request, object }
}
const stateOf = async (made: any): Promise<string> => (await ada.get(`/api/v1/statuses/${made.id}`)).quote.state
let answers = 0
const answer = async (from: PeerActor, members: Record<string, unknown>): Promise<void> => {
  assert.equal(
    await peer.send(server, from, { id: `${peer.url}/answers/${++answers}`, actor: from.uri, ...members }),
    202,
  )
  await server.drain()
}

test('a quote that is accepted while an edit takes it out does not stay counted', async () => {
  const nan = await peer.actor('nan')
  const { id, uri } = await ada.post('/api/v1/statuses', { status: 'to quote' })
  const quoting = await receiveQuote(nan, { quote: uri, to: [PUBLIC, adaUri()] })
  const { quote_id: quoteId } = await server.database.one<{ quote_id: string }>(
    sql`select quote_id from statuses where id = ${quoting.id}`,
  )
  const object = {
    ...(await (await fetch(quoting.uri)).json()),
    content: '<p>look elsewhere</p>',
    quote: undefined,
    updated: new Date().toISOString(),
  }
  await server.ctx.transaction(async (tx) => {
    await acceptQuote(tx, quoteId, `${adaUri()}/stamps/1`)
    await peer.send(server, nan, { id: `${peer.url}/updates/${++count}`, type: 'Update', actor: nan.uri, object })
    await eventually(async () => {
      const { rows } = await server.database.raw(
        `select 1 from pg_stat_activity where wait_event_type = 'Lock' and query ~ 'quotes' and datname = current_database()`,
      )
      return rows.length > 0
    })
  })
  await server.drain()
  assert.equal((await ada.get(`/api/v1/statuses/${id}`)).quotes_count, 0)
})

test('a quote request names both posts; it may be accepted or rejected, and an acceptance revoked', async () => {
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
  assert.equal((await documentOf(made.uri)).quoteAuthorization, stamp)
  await answer(mal, { type: 'Delete', object: stamp })
  assert.equal(await stateOf(made), 'accepted')
  await answer(eve, { type: 'Delete', object: { id: stamp, type: 'QuoteAuthorization' } })
  assert.equal(await stateOf(made), 'revoked')
  assert.equal((await documentOf(made.uri)).quoteAuthorization, undefined)

  const early = await adaQuotes()
  const withdrawn = serveStamp(early.made.uri, early.object.id)
  await answer(eve, { type: 'Delete', object: { id: withdrawn, type: 'QuoteAuthorization' } })
  await answer(eve, { type: 'Accept', object: early.request, result: withdrawn })
  assert.equal(await stateOf(early.made), 'revoked', 'the Delete arrived before the Accept')

  const restricted = await adaQuotes(undefined, 'private')
  assert.deepEqual(restricted.request.instrument.to, [`${adaUri()}/followers`])
  assert.match(restricted.request.instrument.content, /quoting/)

  const silent = await adaQuotes()
  const lost = serveStamp(silent.made.uri, silent.object.id)
  await answer(eve, { type: 'Accept', object: silent.request, result: lost })
  const quoting = peer.create(eve, {})
  const theirs = target().id
  const stamped = await receiveQuote(await peer.actor('mal5'), {
    id: quoting.object.id,
    to: [PUBLIC, adaUri()],
    quote: theirs,
    quoteAuthorization: serveStamp(quoting.object.id, theirs),
  })
  const open = async (status: any): Promise<string> => {
    await ada.get(`/api/v1/statuses/${status.id}/context`)
    await server.drain()
    return stateOf(status)
  }
  await server.database.raw(`update quotes set checked_at = now() - interval '8 days'`)
  peer.serve(new URL(lost).pathname, { status: 404, body: '' })
  assert.equal(await stateOf(silent.made), 'accepted')
  assert.equal(await open(silent.made), 'revoked', 'without a Delete, when it is opened after a week')
  assert.equal(await open(stamped), 'accepted')
  const refused = await adaQuotes({ canQuote: { manualApproval: [PUBLIC] } })
  await answer(eve, { type: 'Reject', object: refused.request })
  assert.equal(await stateOf(refused.made), 'rejected')
})

test('remote policies are shown in the terms of the API, and obeyed', async () => {
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
  const stamp = await documentOf(accepted.result)
  assert.deepEqual([stamp.interactionTarget, stamp.interactingObject], [open.uri, accepted.object.instrument])
  await server.person('bob')
  const path = new URL(accepted.result).pathname.replace('/ada/', '/bob/')
  const headers = { accept: 'application/activity+json' }
  assert.equal((await server.send('GET', path, { headers })).status, 404, 'bob has authorized nothing')
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

test('a remote request is rejected for a quote by another account or of another post, which stays pending', async () => {
  const mal = await peer.actor('mal3')
  const [open, other] = [await ada.post('/api/v1/statuses', { status: 'open' }), target()]
  const mentions = { to: [PUBLIC, adaUri()], tag: [{ type: 'Mention', href: adaUri(), name: '@ada' }] }
  const quote = async (actor: PeerActor, uri: string): Promise<string> =>
    (await receiveQuote(actor, { quote: uri, ...mentions })).uri
  const elsewhere = `${peer.url}/quotes/elsewhere`
  const ofEve = await quote(eve, open.uri)
  peer.serve('/quotes/elsewhere', { ...target(), id: `${elsewhere}/again`, attributedTo: mal.uri, quote: open.uri })
  peer.serve('/quotes/elsewhere/again', {
    ...target(),
    id: `${elsewhere}/again`,
    attributedTo: mal.uri,
    quote: open.uri,
  })
  for (const instrument of [ofEve, await quote(mal, other.id), elsewhere]) {
    const id = `${instrument}/request`
    await answer(mal, { id, type: 'QuoteRequest', object: open.uri, instrument })
    assert.equal(peer.received.find((activity) => activity['object']?.id === id)?.['type'], 'Reject', instrument)
  }
  assert.equal((await copyOf(ada, ofEve)).quote.state, 'pending')
  assert.equal((await ada.get(`/api/v1/statuses/${open.id}`)).quotes_count, 0)
})
