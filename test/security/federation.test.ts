import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { activityContentType } from '../../src/net/content-types.ts'
import { runDelayedJobs } from '../support/jobs.ts'
import { PUBLIC, type PeerActor, serveHandle } from '../support/peer.ts'
import { followActor } from '../support/remote-people.ts'
import { stage } from '../support/stage.ts'
import { startSite } from '../support/website.ts'
import { startWorld } from '../support/endless-hosts.ts'

// Attacks of other servers: forged posts, and work without end.

const { server, peer, ada } = await stage({ accounts: ['ada'], peers: ['peer'] })
const site = await startSite()
const eve = await peer.actor('eve')
after(() => site.stop())

const find = async (uri: string): Promise<any> =>
  (await ada.get(`/api/v2/search?q=${encodeURIComponent(uri)}&resolve=true&type=statuses`)).statuses[0]

test('of a profile that changes all the time, the first changes and the last one are read', async () => {
  const zoe = await peer.actor('zoe')
  await ada.get(`/api/v2/search?q=${encodeURIComponent(zoe.uri)}&resolve=true&type=accounts`)
  const reads = (): number => peer.requests.filter((each) => each === 'GET /users/zoe').length
  const before = reads()
  for (let i = 1; i <= 33; i++) {
    const object = { ...zoe.document, name: `Zoe ${i}` }
    peer.serve('/users/zoe', object)
    const update = { id: `${zoe.uri}#updates/${i}`, type: 'Update', actor: zoe.uri, object }
    assert.equal(await peer.send(server, zoe, update), 202)
    await server.drain()
  }
  assert.equal(reads() - before, 30)
  const names = async (): Promise<string[]> => {
    const { accounts } = await ada.get(`/api/v2/search?q=${encodeURIComponent(zoe.uri)}&type=accounts`)
    return accounts.map((account: { display_name: string }) => account.display_name)
  }
  assert.deepEqual(await names(), ['Zoe 30'])
  // As if time had passed.
  await server.database.raw(`update accounts set fetched_at = now() - interval '2 minutes' where uri = $1`, [zoe.uri])
  await runDelayedJobs(server)
  assert.deepEqual(await names(), ['Zoe 33'])
  assert.equal(reads() - before, 31)
})

test('an account that moves all the time takes its followers along a few times only', async () => {
  const yan = await peer.actor('yan')
  await ada.get(`/api/v2/search?q=${encodeURIComponent(yan.uri)}&resolve=true&type=accounts`)
  const shownMove = async (): Promise<string> => {
    const { accounts } = await ada.get(`/api/v2/search?q=${encodeURIComponent(yan.uri)}&type=accounts`)
    return accounts[0].moved?.username
  }
  const moves: string[] = []
  for (const name of ['yan1', 'yan2', 'yan3', 'yan4', 'yan5', 'yan6']) {
    const { uri: target } = await peer.actor(name, { alsoKnownAs: [yan.uri] })
    peer.serve('/users/yan', { ...yan.document, movedTo: target })
    const move = { id: `${yan.uri}#moves/${name}`, type: 'Move', actor: yan.uri, object: yan.uri, target }
    assert.equal(await peer.send(server, yan, move), 202)
    await server.drain()
    moves.push(await shownMove())
  }
  assert.deepEqual(moves, ['yan1', 'yan2', 'yan3', 'yan4', 'yan5', 'yan5'])
  assert.ok(!peer.requests.includes('GET /users/yan6'))
})

test('an account that gets ever new ids is followed again a few times only', async () => {
  const wes = await peer.actor('wes')
  await followActor(server, ada, peer, wes)
  peer.received.length = 0
  for (let i = 1; i <= 7; i++) {
    const uri = `${peer.url}/ids/${i}`
    const keyId = `${uri}#main-key`
    const publicKey = { id: keyId, owner: uri, publicKeyPem: wes.keys.publicKeyPem }
    peer.serve(`/ids/${i}`, { ...wes.document, id: uri, inbox: `${uri}/inbox`, publicKey })
    serveHandle(peer, 'wes', uri)
    const like = { id: `${uri}/like`, type: 'Like', actor: uri, object: `${peer.url}/1` }
    assert.equal(await peer.send(server, { ...wes, uri, keyId }, like), 202)
    await server.drain()
  }
  assert.equal(peer.received.filter(({ type }) => type === 'Follow').length, 5)
})

test('an open redirect on a host does not let another host forge posts of its accounts', async () => {
  const away = (to: string) => ({ status: 302, headers: { location: to }, body: '' })
  const victim = `${site.url}/users/victim`
  site.serve('/users/victim', {
    type: activityContentType,
    body: JSON.stringify({
      id: victim,
      type: 'Person',
      preferredUsername: 'victim',
      inbox: `${victim}/inbox`,
      publicKey: { id: `${victim}#main-key`, owner: victim, publicKeyPem: eve.keys.publicKeyPem },
    }),
  })
  site.serve(`/.well-known/webfinger?resource=${encodeURIComponent(`acct:victim@${site.domain}`)}`, {
    type: 'application/jrd+json',
    body: JSON.stringify({
      subject: `acct:victim@${site.domain}`,
      links: [{ rel: 'self', type: 'application/activity+json', href: victim }],
    }),
  })
  const said = { id: `${site.url}/said`, type: 'Note', attributedTo: victim, content: '<p>said</p>', to: [PUBLIC] }
  const truth = site.serve('/said', { type: activityContentType, body: JSON.stringify(said) })
  assert.equal((await find(truth)).content, '<p>said</p>')
  const forged = (path: string) => ({
    id: `${site.url}${path}`,
    type: 'Note',
    attributedTo: victim,
    content: '<p>never said</p>',
    to: [PUBLIC],
  })
  site.serve('/go?to=forged', away(peer.serve('/forged', forged('/go?to=forged'))))
  assert.equal(
    await find(`${site.url}/go?to=forged`),
    undefined,
    'the forged post is found by its URL on the redirecting host',
  )
  const pointer = peer.serve('/pointer', forged('/go?to=second'))
  site.serve('/go?to=second', away(peer.serve('/second', forged('/go?to=second'))))
  assert.equal(await find(pointer), undefined, 'the forged post is found by a URL on another host')
  const { rows } = await server.database.raw("select 1 from statuses where content like '%never said%'")
  assert.deepEqual(rows, [])
})

test('a post is found through a redirect from another host to its id', async () => {
  const note = {
    id: `${peer.url}/notes/moved`,
    type: 'Note',
    attributedTo: eve.uri,
    content: '<p>moved</p>',
    to: [PUBLIC],
  }
  peer.serve('/notes/moved', note)
  assert.equal(
    (await find(site.serve('/old', { status: 301, headers: { location: note.id }, body: '' }))).content,
    '<p>moved</p>',
  )
})

test('endless references to further actors and posts cause a bounded number of requests', async (t) => {
  const world = await startWorld()
  const adaUri = `http://${server.domain}/users/ada`
  const costOf = async (work: () => Promise<unknown>): Promise<number> => {
    world.requests.length = 0
    await work()
    await runDelayedJobs(server)
    return world.requests.length
  }
  /** At least one request, and no more than the budget of one cause. */
  const check = (cost: number): void => assert.ok(cost > 0 && cost <= 400, `${cost} requests`)
  const post = async (actor: PeerActor, activity: object): Promise<void> =>
    assert.equal(
      await peer.send(server, actor, { id: `${actor.uri}#${Date.now()}`, actor: actor.uri, ...activity }),
      202,
    )
  try {
    await t.test('a delivered Create', async () => {
      const actor = world.actor()
      const object = { ...world.note(actor.uri), to: [PUBLIC, adaUri] }
      check(await costOf(() => post(actor, { type: 'Create', to: object.to, object })))
      const { rows } = await server.database.raw(
        `select count(*)::int as n from accounts where domain like '127.0.9.%'`,
      )
      assert.ok(rows[0].n < 150, `${rows[0].n} accounts`)
    })
    await t.test('a delivered Update, Move, Like or Announce', async () => {
      const actor = world.actor()
      const object = `${actor.uri.replace('/users/', '/notes/')}.1`
      const update = { type: 'Update', object: actor.uri }
      // An Update of an unknown account is ignored: the Move makes it known.
      for (const activity of [{ type: 'Move', object: actor.uri, target: world.actor().uri }, update])
        check(await costOf(() => post(actor, activity)))
      await costOf(() => post(actor, { type: 'Like', object }))
      assert.ok((await costOf(() => post(actor, { type: 'Announce', object, to: [PUBLIC] }))) <= 400)
    })
    let note: any
    await t.test('a search for a URL', async () => {
      const { uri } = world.actor()
      check(await costOf(async () => (note = await find(`${uri.replace('/users/', '/notes/')}.1`))))
      check(await costOf(() => find(world.actor().uri)))
    })
    await t.test('opening a thread, and following an account', async () => {
      check(await costOf(() => ada.get(`/api/v1/statuses/${note.id}/context`)))
      // An account that has moved cannot be followed.
      await server.database.raw('update accounts set moved_to_id = null where id = $1', [note.account.id])
      check(await costOf(() => ada.post(`/api/v1/accounts/${note.account.id}/follow`)))
    })
  } finally {
    await world.stop()
  }
})

test('the pinned posts of a remote account are fetched when a signed-in viewer opens it, and only its own are stored', async () => {
  const featured = `${peer.url}/users/ivy/featured`
  const ivy = await peer.actor('ivy', { featured })
  const own = peer.create(ivy, { content: '<p>own</p>', tag: [{ type: 'Mention', href: `${peer.url}/users/unknown` }] })
  const [foreign, other] = [peer.create(eve, {}), peer.create(ivy, { id: `${site.url}/notes/1` })]
  for (const { object } of [own, foreign]) peer.serve(new URL(object.id).pathname, object)
  site.serve('/notes/1', { type: activityContentType, body: JSON.stringify(other.object) })
  const items = [own.object.id, foreign.object.id, other.object.id]
  peer.serve('/users/ivy/featured', { id: featured, type: 'OrderedCollection', orderedItems: items })
  peer.requests.length = 0
  const adaUri = `http://${server.domain}/users/ada`
  const mention = peer.create(ivy, { to: [PUBLIC, adaUri], tag: [{ type: 'Mention', href: adaUri, name: '@ada' }] })
  assert.equal(await peer.send(server, ivy, mention), 202)
  await server.drain()
  assert.deepEqual(
    peer.requests.filter((line) => line.includes('featured')),
    [],
  )
  const [{ account }] = await ada.get('/api/v1/notifications?types[]=mention&limit=1')
  const pinned = async (): Promise<string[]> =>
    (await ada.get(`/api/v1/accounts/${account.id}/statuses?pinned=true`)).map(({ uri }: any) => uri)
  assert.equal((await server.send('GET', `/api/v1/accounts/${account.id}`)).status, 200)
  await server.drain()
  assert.deepEqual(await pinned(), [], 'without a token nothing is fetched')
  await ada.get(`/api/v1/accounts/${account.id}`)
  await server.drain()
  assert.deepEqual(await pinned(), [own.object.id])
  const known = (await ada.get(`/api/v2/search?q=${encodeURIComponent(foreign.object.id)}`)).statuses
  assert.deepEqual(known, [], 'a pinned post of another author is stored')
  assert.ok(
    !peer.requests.some((line) => line.includes('/users/unknown')),
    'an account mentioned in a pinned post is looked up',
  )
})

test('each host has an hourly budget: for requests that it causes, requests to it, and new accounts', async () => {
  const spend = (column: string, count: number): Promise<unknown> =>
    server.database.raw(`
      delete from host_budgets;
      insert into host_budgets (host, hour, ${column})
      select 'localhost', date_trunc('hour', now()) + soon, ${count} from unnest('{0 hours,1 hour}'::interval[]) as soon`)
  const newActors = await Promise.all(['s1', 's2', 's3'].map((name) => peer.actor(name)))
  const mention = async (name: string): Promise<string[]> => {
    peer.requests.length = 0
    const tag = [{ type: 'Mention', href: `${peer.url}/users/${name}`, name }]
    const to = [PUBLIC, `http://${server.domain}/users/ada`]
    assert.equal(await peer.send(server, eve, peer.create(eve, { to, tag })), 202)
    await server.drain()
    return peer.requests.filter((line) => line.includes(`/users/${name}`))
  }
  const search = async (actor: PeerActor): Promise<any> =>
    (await ada.get(`/api/v2/search?q=${encodeURIComponent(actor.uri)}&resolve=true&type=accounts`)).accounts[0]
  await mention('s0')
  await spend('caused', 3000)
  assert.deepEqual(await mention('s1'), [], 'a host without budget still causes requests')
  assert.equal((await search(newActors[1]!)).username, 's2', 'searches of local accounts still work')
  await spend('accounts', 1000)
  assert.equal(await search(newActors[2]!), undefined, 'a new account was stored beyond the budget')
  assert.equal((await search(newActors[1]!)).username, 's2', 'known accounts are still found')
  await spend('requests', 10_000)
  peer.requests.length = 0
  assert.equal(await search(newActors[2]!), undefined)
  assert.deepEqual(peer.requests, [])
  const [row] = (await server.database.raw('select host, refused from host_budgets order by refused desc')).rows
  assert.deepEqual([row.host, row.refused > 0], ['localhost', true])
  await spend('requests', 0)
  assert.equal((await search(newActors[2]!)).username, 's3')
})
