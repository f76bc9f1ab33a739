// Interaction policies of GoToSocial: https://docs.gotosocial.org/en/latest/federation/interaction_controls/
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listen } from '../streaming/listen.ts'
import { deleteAccount } from '../support/acts.ts'
import { copyOf } from '../support/federated-people.ts'
import { PUBLIC, type Peer, type PeerActor } from '../support/peer.ts'
import { eventually, type Person } from '../support/server.ts'
import { stage } from '../support/stage.ts'

// `home` is the server of the author whose policies count, `far` a third one.
const { server, home, far, ada, cal } = await stage({ accounts: ['ada', 'cal'], peers: ['home', 'far'] })
let count = 0
const eve = await home.actor('eve')
// Of the same server.
const mal = await home.actor('mal')
// Of the third server; Ada follows her.
const zoe = await far.actor('zoe')
await befriend(zoe, far)

async function befriend(actor: PeerActor, peer: Peer): Promise<void> {
  const { accounts } = await ada.get(`/api/v2/search?q=${encodeURIComponent(actor.uri)}&resolve=true`)
  await ada.post(`/api/v1/accounts/${accounts[0].id}/follow`)
  await server.drain()
  const object = peer.received.findLast(({ type }) => type === 'Follow')
  await tell(peer, actor, { type: 'Accept', object })
}

const adaUri = (): string => `${server.ctx.config.baseUrl}/users/ada`
async function tell(peer: Peer, actor: PeerActor, activity: Record<string, unknown>): Promise<void> {
  const id = `${peer.url}/activities/x${++count}`
  assert.equal(await peer.send(server, actor, { id, actor: actor.uri, ...activity }), 202)
  await server.drain()
}
const get = (path: string): Promise<any> =>
  server.send('GET', path, { headers: { accept: 'application/activity+json' } })
const read = (person: Person, id: string): Promise<any> => person.get(`/api/v1/statuses/${id}`)
const statusOf = async (person: Person, id: string): Promise<number> =>
  (await person.send('GET', `/api/v1/statuses/${id}`)).status
const repliesTo = async (person: Person, id: string): Promise<string[]> =>
  (await person.get(`/api/v1/statuses/${id}/context`)).descendants.map(({ uri }: any) => uri)

/** A post of Eve's with a policy, as server knows it. */
async function post(interactionPolicy: object | undefined, members: object = {}): Promise<any> {
  const id = `${home.url}/posts/${++count}`
  const note = { id, type: 'Note', attributedTo: eve.uri, content: '<p>said</p>', to: [PUBLIC] }
  home.serve(`/posts/${count}`, { ...note, published: new Date().toISOString(), interactionPolicy, ...members })
  const { statuses } = await ada.get(`/api/v2/search?q=${encodeURIComponent(id)}&resolve=true&type=statuses`)
  return statuses[0]
}
const MANUAL = { automaticApproval: [], manualApproval: [PUBLIC] }
const ASKED = { canLike: MANUAL, canReply: MANUAL, canAnnounce: MANUAL }
const onlyAuthor = (): object => ({ automaticApproval: [eve.uri], always: eve.uri })

type Kind = 'Like' | 'Reply' | 'Announce'
/** Eve's server authorizes an interaction; `extra` and `at` make it a false authorization. */
function authorize(
  kind: Kind,
  interactingObject: string,
  interactionTarget: string,
  extra: object = {},
  at = home,
): string {
  const path = `/authorizations/${++count}`
  const id = `${at.url}${path}`
  const authorization = {
    id,
    type: `${kind}Authorization`,
    attributedTo: eve.uri,
    interactingObject,
    interactionTarget,
  }
  return at.serve(path, { ...authorization, ...extra })
}
const requestOf = (kind: Kind, target: string): any =>
  home.received.findLast(({ type, object }) => type === `${kind}Request` && object === target)
/** The Delete of Eve's authorization arrives before its Accept. */
async function withdrawEarly(kind: Kind, target: string): Promise<void> {
  const request = requestOf(kind, target)
  const authorization = authorize(kind, request.instrument.id, target)
  await tell(home, eve, { type: 'Delete', object: authorization })
  await tell(home, eve, { type: 'Accept', object: request, result: authorization })
}
const deliveredTo = (peer: Peer, type: string, id: string): any =>
  peer.received.findLast(
    (activity) => activity['type'] === type && (activity['object']?.id ?? activity['object']) === id,
  )

test('an interaction that the policy denies is refused, and nothing is sent', async () => {
  const denied = await post({ canLike: onlyAuthor(), canReply: onlyAuthor(), canAnnounce: onlyAuthor() })
  assert.deepEqual(denied.interaction_policy.can_reply, {
    automatic_approval: [eve.uri],
    manual_approval: [],
    always: [eve.uri],
    with_approval: [],
  })
  const sent = home.received.length
  for (const [path, json] of [
    [`/api/v1/statuses/${denied.id}/favourite`, {}],
    [`/api/v1/statuses/${denied.id}/reblog`, {}],
    ['/api/v1/statuses', { status: 'but', in_reply_to_id: denied.id }],
  ] as const) {
    const refused = await ada.send('POST', path, { json })
    assert.deepEqual([refused.status, refused.json], [403, { error: 'This action is not allowed' }], path)
  }
  await server.drain()
  assert.equal(home.received.length, sent)
  const mention = { type: 'Mention', href: adaUri(), name: '@ada' }
  const addressed = await post({ canReply: onlyAuthor() }, { tag: [mention], cc: [adaUri()] })
  const reply = await ada.post('/api/v1/statuses', { status: 'thanks', in_reply_to_id: addressed.id })
  assert.equal(reply.approval, undefined, 'the mentioned may always reply')
  for (const open of [
    undefined,
    {},
    { canReply: {} },
    { canReply: { automaticApproval: PUBLIC } },
    { canReply: null },
  ]) {
    const { id, interaction_policy } = await post(open)
    assert.equal(interaction_policy, undefined, JSON.stringify(open))
    assert.equal((await ada.post('/api/v1/statuses', { status: 'x', in_reply_to_id: id })).approval, undefined)
  }
})

test('a reply and a boost without approval are in the home timeline of their author alone, once', async () => {
  await cal.post(`/api/v1/accounts/${ada.id}/follow`)
  const inHome = async (who: Person, id: string): Promise<number> =>
    (await who.get('/api/v1/timelines/home')).filter((status: any) => status.id === id).length
  await Promise.all([inHome(ada, ''), inHome(cal, '')])
  const parent = await post(ASKED)
  const client = await listen(server, { token: ada.token, streams: ['user'] })
  const reply = await ada.post('/api/v1/statuses', { status: 'is it there', in_reply_to_id: parent.id })
  const boost = await ada.post(`/api/v1/statuses/${parent.id}/reblog`)
  assert.deepEqual([reply.approval, await inHome(ada, reply.id), await inHome(cal, reply.id)], ['pending', 1, 0])
  assert.deepEqual([await inHome(ada, boost.id), await inHome(cal, boost.id)], [1, 0])
  assert.equal((await client.event('update')).id, reply.id)
  await server.drain()
  const authorization = authorize('Reply', reply.uri, parent.uri)
  await tell(home, eve, { type: 'Accept', object: requestOf('Reply', parent.uri).id, result: authorization })
  assert.deepEqual([(await read(cal, reply.id)).id, await inHome(ada, reply.id)], [reply.id, 1])
  await tell(home, eve, { type: 'Delete', object: { id: authorization, type: 'ReplyAuthorization' } })
  assert.deepEqual([await statusOf(cal, reply.id), await inHome(ada, reply.id)], [404, 1])
  const last = await ada.post('/api/v1/statuses', { status: 'the last one' })
  await client.next(({ event, payload }) => event === 'update' && payload?.includes(`"id":"${last.id}"`) === true)
  assert.ok(!client.frames.some(({ event }) => event === 'delete'))
  client.end()
})

test('only its author sees a reply without approval, before it is accepted and after it is revoked', async () => {
  const parent = await post(ASKED)
  const reply = await ada.post('/api/v1/statuses', { status: 'may I #asked', in_reply_to_id: parent.id })
  assert.equal(reply.approval, 'pending')
  await server.drain()
  const request = requestOf('Reply', parent.uri)
  assert.deepEqual(
    [request.actor, request.to, request.instrument.id, request.instrument.inReplyTo],
    [adaUri(), eve.uri, reply.uri, parent.uri],
  )
  const isHidden = async (): Promise<void> => {
    assert.equal(await statusOf(cal, reply.id), 404)
    assert.equal((await get(new URL(reply.uri).pathname)).status, 404)
    assert.deepEqual([await repliesTo(cal, parent.id), await repliesTo(ada, parent.id)], [[], [reply.uri]])
    assert.equal((await read(cal, parent.id)).replies_count, 0)
  }
  const findTag = async (): Promise<any[]> =>
    (await cal.get('/api/v2/search?q=asked&type=hashtags')).hashtags.map(({ name, history }: any) => [
      name,
      history[0].uses,
    ])
  await isHidden()
  assert.deepEqual(await findTag(), [])
  assert.equal(deliveredTo(far, 'Create', reply.uri), undefined)
  assert.equal((await ada.send('POST', `/api/v1/statuses/${reply.id}/reblog`)).status, 403)
  const authorization = authorize('Reply', reply.uri, parent.uri)
  await tell(home, mal, { type: 'Accept', object: request, result: authorization })
  await tell(home, eve, { type: 'Accept', object: request.id, result: 'https://elsewhere.test/authorization' })
  await isHidden()
  const object = { id: request.id, type: 'ReplyRequest', actor: adaUri(), object: parent.uri, instrument: reply.uri }
  await tell(home, eve, { type: 'Accept', object, result: authorization })
  assert.deepEqual(await repliesTo(cal, parent.id), [reply.uri])
  assert.deepEqual(await findTag(), [['asked', '1']])
  const shown = await read(cal, parent.id)
  assert.deepEqual([shown.replies_count, (await read(ada, reply.id)).approval], [1, undefined])
  const { json: document } = await get(new URL(reply.uri).pathname)
  assert.deepEqual([document.replyAuthorization, document.approvedBy], [authorization, authorization])
  assert.equal(deliveredTo(home, 'Create', reply.uri).object.replyAuthorization, authorization)
  await tell(home, mal, { type: 'Delete', object: authorization })
  assert.deepEqual(await repliesTo(cal, parent.id), [reply.uri])
  await tell(home, eve, { type: 'Delete', object: { id: authorization, type: 'ReplyAuthorization' } })
  await isHidden()
  assert.equal((await read(ada, reply.id)).approval, 'revoked')
})

test('a reply whose authorization was withdrawn before it arrived stays hidden', async () => {
  const parent = await post(ASKED)
  const reply = await ada.post('/api/v1/statuses', { status: 'may I', in_reply_to_id: parent.id })
  await server.drain()
  await withdrawEarly('Reply', parent.uri)
  assert.deepEqual([(await read(ada, reply.id)).approval, await statusOf(cal, reply.id)], ['revoked', 404])
})

test('only its author sees a rejected reply, with or without a policy', async () => {
  for (const policy of [ASKED, undefined]) {
    const parent = await post(policy)
    const reply = await ada.post('/api/v1/statuses', { status: 'may I', in_reply_to_id: parent.id })
    await server.drain()
    await tell(home, mal, { type: 'Reject', object: reply.uri })
    assert.equal((await read(ada, reply.id)).approval, policy ? 'pending' : undefined)
    await tell(home, eve, { type: 'Reject', object: policy ? requestOf('Reply', parent.uri) : reply.uri })
    assert.deepEqual([(await read(ada, reply.id)).approval, await statusOf(cal, reply.id)], ['rejected', 404])
    assert.deepEqual([await repliesTo(cal, parent.id), (await read(cal, parent.id)).replies_count], [[], 0])
    await ada.delete(`/api/v1/statuses/${reply.id}`)
    assert.equal((await read(cal, parent.id)).replies_count, 0)
  }
})

test('favourites and boosts count once they are accepted, and are undone when they are rejected', async () => {
  for (const [kind, verb, counter, flag] of [
    ['Like', 'favourite', 'favourites_count', 'favourited'],
    ['Announce', 'reblog', 'reblogs_count', 'reblogged'],
  ] as const) {
    const accepted = await post(ASKED)
    assert.equal((await ada.post(`/api/v1/statuses/${accepted.id}/${verb}`))[flag], true)
    await server.drain()
    const request = requestOf(kind, accepted.uri)
    assert.deepEqual([request.instrument.type, request.instrument.object], [kind, accepted.uri])
    const seen = async (): Promise<unknown> => [
      (await read(cal, accepted.id))[counter],
      (await cal.get(`/api/v1/statuses/${accepted.id}/${verb}${verb === 'reblog' ? 'ged' : 'd'}_by`)).length,
    ]
    assert.deepEqual(await seen(), [0, 0])
    assert.equal(deliveredTo(home, kind, accepted.uri), undefined)
    const authorization = authorize(kind, request.instrument.id, accepted.uri)
    await tell(home, mal, { type: 'Accept', object: request, result: authorization })
    assert.deepEqual(await seen(), [0, 0])
    await tell(home, eve, { type: 'Accept', object: request, result: authorization })
    await tell(home, eve, { type: 'Accept', object: request, result: authorization })
    assert.deepEqual(await seen(), [1, 1])
    const property = kind === 'Like' ? 'likeAuthorization' : 'announceAuthorization'
    assert.equal(deliveredTo(home, kind, accepted.uri)[property], authorization)
    await tell(home, eve, { type: 'Delete', object: authorization })
    assert.deepEqual([await seen(), (await read(ada, accepted.id))[flag]], [[0, 0], false])
    const rejected = await post(ASKED)
    await ada.post(`/api/v1/statuses/${rejected.id}/${verb}`)
    await server.drain()
    await tell(home, eve, { type: 'Reject', object: requestOf(kind, rejected.uri).id })
    const withdrawn = await post(ASKED)
    await ada.post(`/api/v1/statuses/${withdrawn.id}/${verb}`)
    await server.drain()
    await withdrawEarly(kind, withdrawn.uri)
    for (const { id } of [rejected, withdrawn]) {
      const after = await read(ada, id)
      assert.deepEqual([after[counter], after[flag]], [0, false])
    }
  }
})

test('servers with the older policies receive the reply itself, and their Accept is the proof', async () => {
  const parent = await post({ canReply: { always: eve.uri, approvalRequired: PUBLIC } })
  const reply = await ada.post('/api/v1/statuses', { status: 'may I', in_reply_to_id: parent.id })
  await server.drain()
  assert.equal(requestOf('Reply', parent.uri), undefined)
  assert.equal(deliveredTo(home, 'Create', reply.uri).object.approvedBy, undefined)
  assert.equal(await statusOf(cal, reply.id), 404)
  const id = `${home.url}/accepts/${++count}`
  await tell(home, eve, { id, type: 'Accept', object: { id: reply.uri, type: 'Note' } })
  assert.equal(await statusOf(cal, reply.id), 200)
  assert.equal((await get(new URL(reply.uri).pathname)).json.approvedBy, id)
})

/** Zoe, of a third server, replies; gives the address of the reply. */
async function zoeReplies(parent: string, extra: (id: string) => object = () => ({})): Promise<any> {
  const activity = far.create(zoe, { inReplyTo: parent })
  Object.assign(activity.object, extra(activity.object.id))
  await far.send(server, zoe, activity)
  await server.drain()
  return activity.object
}

test('a reply from a third server is shown when the author of its parent authorized it', async () => {
  const parent = await post(ASKED)
  const forgeries: [string, (id: string) => string][] = [
    ['on another host', (id) => authorize('Reply', id, parent.uri, {}, far)],
    ['of another reply', () => authorize('Reply', `${far.url}/other`, parent.uri)],
    ['about another post', (id) => authorize('Reply', id, `${home.url}/other`)],
    ['by another actor', (id) => authorize('Reply', id, parent.uri, { attributedTo: mal.uri })],
    ['of another kind', (id) => authorize('Like', id, parent.uri)],
    ['by another name', (id) => authorize('Reply', id, parent.uri, { id: `${home.url}/authorizations/other` })],
    ['that is missing', () => `${home.url}/nowhere`],
  ]
  const hidden = [await zoeReplies(parent.uri)]
  for (const [, make] of forgeries)
    hidden.push(await zoeReplies(parent.uri, (id) => ({ replyAuthorization: make(id) })))
  hidden.push(await zoeReplies(hidden[0].id))
  for (const [i, { id }] of hidden.entries())
    assert.equal(await copyOf(ada, id), undefined, forgeries[i - 1]?.[0] ?? 'without an authorization')
  const isIn = async (id: string): Promise<boolean> =>
    (await ada.get('/api/v1/timelines/home')).some(({ uri }: any) => uri === id)
  assert.deepEqual(await repliesTo(ada, parent.id), [])
  assert.equal((await read(ada, parent.id)).replies_count, 0)
  const authorization = { uri: '' }
  const { id } = await zoeReplies(parent.uri, (reply) => {
    authorization.uri = authorize('Reply', reply, parent.uri)
    return { replyAuthorization: authorization.uri }
  })
  const old = await zoeReplies(parent.uri, (reply) => ({
    approvedBy: authorize('Reply', reply, parent.uri, { type: 'ReplyApproval' }),
  }))
  assert.deepEqual((await repliesTo(ada, parent.id)).toSorted(), [id, old.id].toSorted())
  assert.equal((await read(ada, parent.id)).replies_count, 2)
  await tell(home, eve, { type: 'Delete', object: authorization.uri })
  assert.deepEqual(await repliesTo(ada, parent.id), [old.id])
  assert.equal(await isIn(id), false)
  const late = { ...hidden[0], replyAuthorization: authorize('Reply', hidden[0].id, parent.uri) }
  await tell(far, zoe, { type: 'Update', object: late })
  assert.ok((await repliesTo(ada, parent.id)).includes(late.id), 'an Update brings the authorization')
  await tell(home, eve, { type: 'Reject', object: old.id, target: parent.uri })
  assert.equal(await copyOf(ada, old.id), undefined)
})

test('a reply that comes before its parent waits as well', async () => {
  const path = `/posts/${++count}`
  const parent = { id: `${home.url}${path}`, type: 'Note', attributedTo: eve.uri, content: '<p>late</p>', to: [PUBLIC] }
  home.serve(path, { ...parent, interactionPolicy: ASKED })
  const bare = await zoeReplies(parent.id)
  const proven = await zoeReplies(parent.id, (id) => ({ replyAuthorization: authorize('Reply', id, parent.id) }))
  const { id } = await copyOf(ada, parent.id)
  assert.deepEqual(await repliesTo(ada, id), [proven.id])
  assert.equal(await copyOf(ada, bare.id), undefined)
  assert.equal((await read(ada, id)).replies_count, 1)
})

test('favourites and boosts from a third server count with an authorization', async () => {
  const target = await post(ASKED)
  const act = async (type: 'Like' | 'Announce', make?: (id: string) => string): Promise<void> => {
    const id = `${far.url}/acts/${++count}`
    const property = type === 'Like' ? 'likeAuthorization' : 'announceAuthorization'
    const claim = make ? { [property]: make(id) } : {}
    await tell(far, zoe, { id, type, object: target.uri, to: [PUBLIC], ...claim })
  }
  const counts = async (): Promise<number[]> => {
    const { favourites_count, reblogs_count } = await read(ada, target.id)
    return [favourites_count, reblogs_count]
  }
  for (const type of ['Like', 'Announce'] as const) {
    await act(type)
    await act(type, (id) => authorize(type, id, target.uri, {}, far))
    await act(type, () => authorize(type, `${far.url}/other`, target.uri))
  }
  assert.deepEqual(await counts(), [0, 0])
  // Eve withdraws it while this server reads it.
  for (const type of ['Like', 'Announce'] as const) {
    let withdrawn = ''
    home.refuses = async ({ url = '' }) => {
      if (withdrawn === '' || home.url + url !== withdrawn) return null
      const object = withdrawn
      withdrawn = ''
      await home.send(server, eve, { id: `${object}/delete`, actor: eve.uri, type: 'Delete', object })
      const tombstone = 'select from tombstones where uri = $1'
      await eventually(async () => (await server.database.raw(tombstone, [object])).rows.length > 0)
      return null
    }
    await act(type, (id) => (withdrawn = authorize(type, id, target.uri)))
    assert.equal(withdrawn, '')
  }
  home.refuses = () => null
  assert.deepEqual(await counts(), [0, 0])
  for (const type of ['Like', 'Announce'] as const) await act(type, (id) => authorize(type, id, target.uri))
  assert.deepEqual(await counts(), [1, 1])
})

test('a request about a local post is accepted with an authorization if its author permits it', async () => {
  const ask = async (kind: Kind, target: string, members: object = {}): Promise<any> => {
    const id = `${far.url}/asked/${++count}`
    const about =
      kind === 'Reply' ? { type: 'Note', attributedTo: zoe.uri, inReplyTo: target, content: '<p>x</p>' } : {}
    const instrument = { id, type: kind, actor: zoe.uri, object: target, to: [PUBLIC], ...about, ...members }
    await tell(far, zoe, { id: `${id}/request`, type: `${kind}Request`, object: target, instrument })
    return far.received.find((activity) => activity['object']?.id === `${id}/request`)
  }
  const open = await ada.post('/api/v1/statuses', { status: 'open' })
  for (const kind of ['Like', 'Reply', 'Announce'] as const) {
    const answer = await ask(kind, open.uri)
    assert.equal(answer.type, 'Accept', kind)
    const { json } = await get(new URL(answer.result).pathname)
    assert.deepEqual(
      [json.id, json.type, json.attributedTo, json.interactingObject, json.interactionTarget],
      [answer.result, `${kind}Authorization`, adaUri(), answer.object.instrument, open.uri],
    )
  }
  const { favourites_count, reblogs_count, replies_count } = await read(ada, open.id)
  assert.deepEqual([favourites_count, reblogs_count, replies_count], [1, 1, 1])
  const other = await ada.post('/api/v1/statuses', { status: 'other' })
  for (const kind of ['Like', 'Announce'] as const)
    for (const wrong of [{ actor: mal.uri }, { object: open.uri }, { type: 'Flag' }, { id: `${home.url}/acts/1` }])
      assert.notEqual((await ask(kind, other.uri, wrong))?.type, 'Accept', `${kind} ${JSON.stringify(wrong)}`)
  assert.notEqual((await ask('Reply', other.uri, { inReplyTo: open.uri }))?.type, 'Accept')
  assert.notEqual((await ask('Reply', other.uri, { attributedTo: mal.uri }))?.type, 'Accept')
  const direct = await ada.post('/api/v1/statuses', { status: 'few', visibility: 'direct' })
  assert.equal(await ask('Like', direct.uri), undefined, 'a hidden post is not there')
})

test('oversized policies are truncated, but public permissions stay', async () => {
  const many = Array.from({ length: 900 }, (_, i) => `https://far.test/users/${i}`)
  const long = `https://far.test/${'x'.repeat(1500)}`
  const { id, interaction_policy: policy } = await post({
    canReply: { automaticApproval: [long, ...many, PUBLIC], manualApproval: many },
    canLike: { automaticApproval: many },
  })
  assert.deepEqual(
    [policy.can_reply.always.length, policy.can_reply.always[0], policy.can_reply.with_approval.length],
    [50, 'public', 50],
  )
  assert.ok(!JSON.stringify(policy).includes(long))
  assert.equal((await ada.post('/api/v1/statuses', { status: 'x', in_reply_to_id: id })).approval, undefined)
  assert.equal((await ada.send('POST', `/api/v1/statuses/${id}/favourite`)).status, 403)
})

test('followers request approval, which proves to other servers that they may interact', async () => {
  await befriend(eve, home)
  const followers = { automaticApproval: [eve.uri, `${eve.uri}/followers`] }
  const { id, uri } = await post({ canReply: followers })
  assert.equal((await cal.send('POST', '/api/v1/statuses', { json: { status: 'x', in_reply_to_id: id } })).status, 403)
  const reply = await ada.post('/api/v1/statuses', { status: 'x', in_reply_to_id: id })
  await server.drain()
  assert.deepEqual([reply.approval, requestOf('Reply', uri).instrument.id], ['pending', reply.uri])
  assert.equal((await cal.send('POST', `/api/v1/statuses/${id}/favourite`)).status, 200)
})

test('an interaction that was never approved is not subtracted when its account is deleted', async () => {
  const { id } = await post({ canLike: MANUAL, canReply: MANUAL, canAnnounce: MANUAL })
  const object = `${home.url}/posts/${count}`
  await tell(home, eve, { type: 'Like', object })
  await tell(home, eve, { type: 'Announce', object, to: [PUBLIC] })
  const answer = { id: `${home.url}/answers/${count}`, type: 'Note', attributedTo: eve.uri, inReplyTo: object }
  await tell(home, eve, { type: 'Create', object: { ...answer, content: 'yes', to: [PUBLIC] } })
  const leaving = await server.person('leaving')
  await leaving.post(`/api/v1/statuses/${id}/favourite`)
  await leaving.post(`/api/v1/statuses/${id}/reblog`)
  await leaving.post('/api/v1/statuses', { status: 'may I', in_reply_to_id: id })
  const counts = async (): Promise<number[]> => {
    const { favourites_count, reblogs_count, replies_count } = await read(ada, id)
    return [favourites_count, reblogs_count, replies_count]
  }
  assert.deepEqual(await counts(), [1, 1, 1])
  await deleteAccount(server.ctx, leaving.id)
  assert.deepEqual(await counts(), [1, 1, 1])
})
