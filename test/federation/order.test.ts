import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cleanUp, purgeRemoteAccount } from '../support/acts.ts'
import { PUBLIC } from '../support/peer.ts'
import { beforeCommit } from '../support/races.ts'
import { accountIdOf, followActor } from '../support/remote-people.ts'
import { stage } from '../support/stage.ts'

// Activities arrive in any order, more than once, and at the same time.

const { server, peer, ada } = await stage({ accounts: ['ada'], peers: ['peer'] })
const adaUri = `http://${server.domain}/users/ada`
const eve = await peer.actor('eve')

let count = 0
const activity = (type: string, object: unknown, more: object = {}) => ({
  id: `${peer.url}/a/${++count}`,
  type,
  actor: eve.uri,
  object,
  ...more,
})

async function deliver(...activities: any[]): Promise<void> {
  for (const each of activities) {
    assert.equal(await peer.send(server, eve, each), 202)
    await server.drain()
  }
}

async function find(uri: string): Promise<any> {
  return (await ada.get(`/api/v2/search?q=${encodeURIComponent(uri)}&type=statuses`)).statuses[0]
}

const toAda = (note: object) => peer.create(eve, { cc: [adaUri], ...note })
const started = Date.now() - 3600_000
const at = (seconds: number) => new Date(started + seconds * 1000).toISOString()

test('an Undo that arrives first cancels its activity', async () => {
  const post = await ada.post('/api/v1/statuses', { status: 'target' })
  const like = activity('Like', post.uri)
  const boost = activity('Announce', post.uri, { to: [PUBLIC] })
  const follow = activity('Follow', adaUri)
  const block = activity('Block', adaUri)
  for (const each of [like, boost, follow, block]) await deliver(activity('Undo', each), each)
  const status = await ada.get(`/api/v1/statuses/${post.id}`)
  assert.deepEqual([status.favourites_count, status.reblogs_count], [0, 0])
  assert.deepEqual(await ada.get(`/api/v1/accounts/${ada.id}/followers`), [])
  // A new one counts.
  await deliver(activity('Like', post.uri), activity('Follow', adaUri))
  assert.equal((await ada.get(`/api/v1/statuses/${post.id}`)).favourites_count, 1)
  assert.equal((await ada.get(`/api/v1/accounts/${ada.id}/followers`)).length, 1)
})

test('a block ends follows even if its Undo arrived first, and the Undo of the last one counts', async () => {
  await followActor(server, ada, peer, eve)
  const id = await accountIdOf(ada, peer, eve)
  const state = async (): Promise<boolean[]> => {
    const [{ following, followed_by, blocked_by }] = await ada.get(`/api/v1/accounts/relationships?id[]=${id}`)
    return [following, followed_by, blocked_by]
  }
  await deliver(activity('Follow', adaUri))
  assert.deepEqual(await state(), [true, true, false])
  const block = activity('Block', adaUri)
  await deliver(activity('Undo', block), block)
  assert.deepEqual(await state(), [false, false, false])
  const [first, last] = [activity('Block', adaUri), activity('Block', adaUri)]
  await deliver(first, last)
  assert.deepEqual(await state(), [false, false, true])
  await deliver(activity('Undo', last.id))
  assert.deepEqual(await state(), [false, false, false])
})

test('a block by an account that is deleted meanwhile is dropped', async () => {
  const fay = await peer.actor('fay')
  await followActor(server, ada, peer, fay)
  const id = await accountIdOf(ada, peer, fay)
  const block = { ...activity('Block', adaUri), actor: fay.uri }
  await beforeCommit(
    server,
    (tx) => purgeRemoteAccount(tx, id),
    async () => {
      await peer.send(server, fay, block)
      await server.drain()
    },
  )
  const { rows } = await server.database.raw(`select data from pgboss.job where state in ('retry', 'failed')`)
  assert.deepEqual(rows, [])
})

test('an undone activity may be repeated with the same id, as Misskey, Pixelfed and PeerTube do', async () => {
  const post = await ada.post('/api/v1/statuses', { status: 'again and again' })
  const named = (id: string, each: any): any => ({ ...each, id: `${eve.uri}/${id}` })
  const follow = named('follows/ada', activity('Follow', adaUri))
  const like = named('likes/post', activity('Like', post.uri))
  const boost = named('announces/post', activity('Announce', post.uri, { to: [PUBLIC] }))
  const undo = (each: any) => ({ id: `${each.id}/undo`, type: 'Undo', actor: eve.uri, object: each })
  // A signature counts seconds, and the same one counts once.
  let clock = Date.now()
  const say = async (each: any): Promise<void> => {
    clock += 1000
    assert.equal(await peer.send(server, eve, each, { now: new Date(clock) }), 202)
    await server.drain()
  }
  const state = async (): Promise<number[]> => {
    const status = await ada.get(`/api/v1/statuses/${post.id}`)
    const followers = await ada.get(`/api/v1/accounts/${ada.id}/followers`)
    return [followers.length, status.favourites_count, status.reblogs_count]
  }
  await say(undo(activity('Follow', adaUri)))
  for (const round of [1, 2, 3]) {
    for (const each of [follow, like, boost]) await say(each)
    assert.deepEqual(await state(), [1, 1, 1], `done, round ${round}`)
    for (const each of [follow, like, boost]) await say(undo(each))
    assert.deepEqual(await state(), [0, 0, 0], `undone, round ${round}`)
  }
  // A follower that ada removed may follow again.
  await say(follow)
  const [eveAccount] = await ada.get(`/api/v1/accounts/${ada.id}/followers`)
  await ada.post(`/api/v1/accounts/${eveAccount.id}/remove_from_followers`)
  assert.deepEqual(await state(), [0, 0, 0])
  await say(follow)
  assert.deepEqual(await state(), [1, 0, 0])
  // The very same request again does nothing.
  const now = new Date(clock)
  await say(undo(follow))
  assert.equal(await peer.send(server, eve, follow, { now }), 202)
  await server.drain()
  assert.deepEqual(await state(), [0, 0, 0])
})

test('an Accept may be repeated with the same id, and undone', async () => {
  const [found] = (await ada.get(`/api/v2/search?q=${encodeURIComponent(eve.uri)}&resolve=true&type=accounts`)).accounts
  const accept = { id: `${eve.uri}#accepts/follows/ada`, type: 'Accept', actor: eve.uri }
  let clock = Date.now() + 60_000
  const answer = async (each: any): Promise<boolean> => {
    clock += 1000
    assert.equal(await peer.send(server, eve, each, { now: new Date(clock) }), 202)
    await server.drain()
    return (await relationship()).following
  }
  const relationship = async (): Promise<any> => (await ada.get(`/api/v1/accounts/relationships?id[]=${found.id}`))[0]
  for (const round of [1, 2]) {
    await ada.post(`/api/v1/accounts/${found.id}/follow`)
    const object = { type: 'Follow', actor: adaUri, object: eve.uri }
    assert.equal(await answer({ ...accept, object }), true, `accepted, round ${round}`)
    if (round === 1) await ada.post(`/api/v1/accounts/${found.id}/unfollow`)
    else assert.equal(await answer(activity('Undo', { ...accept, object })), false, 'the acceptance was taken back')
  }
  assert.equal((await relationship()).requested, true)
  assert.equal(await answer({ ...accept, object: { type: 'Follow', actor: adaUri, object: eve.uri } }), true)
})

test('an Undo may give the id alone, or describe what it undoes', async () => {
  const post = await ada.post('/api/v1/statuses', { status: 'target' })
  const like = activity('Like', post.uri)
  const boost = activity('Announce', post.uri, { to: [PUBLIC] })
  await deliver(
    like,
    boost,
    activity('Undo', like.id),
    activity('Undo', { type: 'Announce', actor: eve.uri, object: post.uri }),
  )
  const status = await ada.get(`/api/v1/statuses/${post.id}`)
  assert.deepEqual([status.favourites_count, status.reblogs_count], [0, 0])
})

test('a Delete that arrives before its Create prevents the post', async () => {
  const create = toAda({})
  await deliver(activity('Delete', { id: create.object.id, type: 'Tombstone' }), create)
  assert.equal(await find(create.object.id), undefined)
  const again = toAda({})
  await deliver(again, activity('Delete', again.object.id), { ...again, id: `${again.id}/again` })
  assert.equal(await find(again.object.id), undefined)
})

test('the deletion of an unknown post is remembered for a time, that of a known post permanently', async () => {
  const [unseen, seen] = [toAda({}), toAda({})]
  await deliver(activity('Delete', unseen.object.id), seen)
  await deliver(activity('Delete', seen.object.id))
  // Time passes.
  await server.database.raw(`update tombstones set expires_at = expires_at - interval '15 days'`)
  await cleanUp(server.ctx)
  await deliver({ ...unseen, id: `${unseen.id}/2` }, { ...seen, id: `${seen.id}/2` })
  assert.notEqual(await find(unseen.object.id), undefined)
  assert.equal(await find(seen.object.id), undefined)
})

test('an Update that arrives before the Create stores the post; older Updates change nothing', async () => {
  const create = toAda({ content: '<p>1</p>', published: at(0) })
  const version = (n: number) => activity('Update', { ...create.object, content: `<p>${n}</p>`, updated: at(n) })
  await deliver(version(3), create, version(2))
  assert.equal((await find(create.object.id)).content, '<p>3</p>')
  await deliver(version(5), version(4))
  const status = await find(create.object.id)
  assert.equal(status.content, '<p>5</p>')
  assert.equal(status.edited_at, at(5))
  // One without a date, as for the results of a poll, may be older: the origin has the current text.
  const { id } = create.object
  peer.serve(new URL(id).pathname, { ...create.object, content: '<p>6</p>', updated: at(6) })
  await deliver(activity('Update', create.object))
  assert.equal((await find(id)).content, '<p>6</p>')
})

test('an Update of an old post that never arrived stores it without notifications', async () => {
  const old = new Date(Date.now() - 25 * 3600_000).toISOString()
  const tag = [{ type: 'Mention', href: adaUri, name: '@ada' }]
  const notes = [old, at(0)].map((published) => toAda({ published, updated: at(1), tag }).object)
  await deliver(...notes.map((note) => activity('Update', note)))
  for (const { id } of notes) assert.equal((await find(id))?.edited_at, at(1))
  const notifications = await ada.get('/api/v1/notifications?types[]=mention')
  const notified = notes.map(({ id }) => notifications.filter(({ status }: any) => status.uri === id).length)
  assert.deepEqual(notified, [0, 1])
})

test('an activity that arrives many times at once is processed once', async () => {
  const create = toAda({ content: '<p>at once</p>' })
  const post = await ada.post('/api/v1/statuses', { status: 'popular' })
  const different = Array.from({ length: 8 }, (_, i) => [
    { ...create, id: `${create.id}/${i}` },
    activity('Like', post.uri),
    activity('Announce', post.uri, { to: [PUBLIC] }),
    activity('Follow', adaUri),
  ]).flat()
  assert.deepEqual(new Set(await Promise.all(different.map((each) => peer.send(server, eve, each)))), new Set([202]))
  await server.drain()
  const status = await ada.get(`/api/v1/statuses/${post.id}`)
  assert.deepEqual([status.favourites_count, status.reblogs_count], [1, 1])
  const followers = await ada.get(`/api/v1/accounts/${ada.id}/followers`)
  assert.equal(followers.length, 1)
  const statuses = await ada.get(`/api/v1/accounts/${followers[0].id}/statuses?exclude_reblogs=true`)
  assert.equal(statuses.filter(({ content }: any) => content === '<p>at once</p>').length, 1)
})

test('many concurrent activities of an unknown actor create one account', async () => {
  const newcomer = await peer.actor('newcomer')
  const activities = Array.from({ length: 6 }, (_, i) =>
    peer.create(newcomer, { content: `<p>${i}</p>`, cc: [adaUri] }),
  )
  assert.deepEqual(
    new Set(await Promise.all(activities.map((each) => peer.send(server, newcomer, each)))),
    new Set([202]),
  )
  await server.drain()
  const { accounts } = await ada.get('/api/v2/search?q=newcomer&type=accounts')
  assert.equal(accounts.length, 1)
  assert.equal((await ada.get(`/api/v1/accounts/${accounts[0].id}/statuses`)).length, 6)
})

test('replies that arrive before their parent are linked to it', async () => {
  const root = toAda({ content: '<p>root</p>' })
  const child = toAda({ content: '<p>child</p>', inReplyTo: root.object.id })
  const grandchild = toAda({ content: '<p>grandchild</p>', inReplyTo: child.object.id })
  await deliver(grandchild, child, root)
  const status = await find(root.object.id)
  const { descendants } = await ada.get(`/api/v1/statuses/${status.id}/context`)
  assert.deepEqual(
    descendants.map(({ content }: any) => content),
    ['<p>child</p>', '<p>grandchild</p>'],
  )
  assert.equal(status.replies_count, 1)
  await ada.post(`/api/v1/statuses/${status.id}/mute`)
  assert.equal((await find(grandchild.object.id)).muted, true, 'it is in the same conversation')
})

test('private mentions that arrive before the one that they reply to are in its conversation', async () => {
  const direct = { to: [adaUri], cc: [], tag: [{ type: 'Mention', href: adaUri, name: '@ada' }] }
  const post = await ada.post('/api/v1/statuses', { status: `@eve@${peer.domain} hi`, visibility: 'direct' })
  const first = toAda({ ...direct, inReplyTo: post.uri })
  const second = toAda({ ...direct, inReplyTo: first.object.id })
  const third = toAda({ ...direct, inReplyTo: second.object.id })
  await deliver(third, second, first)
  const conversations = await ada.get('/api/v1/conversations')
  assert.deepEqual(
    conversations.map(({ last_status }: any) => last_status.uri),
    [third.object.id],
  )
  await ada.delete(`/api/v1/conversations/${conversations[0].id}`)
})

test('a reply never sorts before its parent, even with timestamps in whole seconds', async () => {
  const wholeSecond = (iso: string): string => iso.replace(/\.\d+Z$/, 'Z')
  const isBefore = (a: any, b: any): boolean => BigInt(a.id) < BigInt(b.id) && a.created_at < b.created_at
  const post = await ada.post('/api/v1/statuses', { status: `@eve@${peer.domain} hello`, visibility: 'direct' })
  const direct = { to: [adaUri], cc: [], tag: [{ type: 'Mention', href: adaUri, name: '@ada' }] }
  const answer = toAda({ ...direct, inReplyTo: post.uri, published: wholeSecond(post.created_at) })
  await deliver(answer)
  const reply = await find(answer.object.id)
  assert.ok(isBefore(post, reply), `${post.created_at} ${reply.created_at}`)
  const [conversation] = await ada.get('/api/v1/conversations')
  assert.equal(conversation.last_status.id, reply.id)

  // The answer comes first.
  const late = toAda({ published: at(60.4) })
  const early = toAda({ inReplyTo: late.object.id, published: at(60) })
  await deliver(early, late)
  assert.ok(isBefore(await find(late.object.id), await find(early.object.id)))

  // A reply with an earlier date does not change the date of its parent.
  const target = toAda({ published: at(120) })
  await deliver(toAda({ inReplyTo: target.object.id, published: '2001-01-01T00:00:00Z' }), target)
  assert.equal((await find(target.object.id)).created_at, at(120))
})

test('a reply enters home timelines once its parent is known, unless it is old; a fetched parent does with its Create', async () => {
  await followActor(server, ada, peer, eve)
  const shown = async (...notes: any[]): Promise<boolean[]> => {
    const home = await ada.get('/api/v1/timelines/home?limit=40')
    return notes.map(({ object }) => home.some(({ uri }: any) => uri === object.id))
  }
  const root = toAda({ content: '<p>root</p>', published: at(300) })
  const reply = toAda({ inReplyTo: root.object.id, published: at(301) })
  const old = toAda({ inReplyTo: root.object.id, published: '2025-01-01T00:00:00Z' })
  // The first read builds the feed.
  await ada.get('/api/v1/timelines/home')
  await deliver(reply, old)
  assert.deepEqual(await shown(reply, old), [false, false])
  await deliver(root)
  assert.deepEqual(await shown(root, reply, old), [true, true, false])

  // The parent is fetched.
  const tag = [{ type: 'Mention', href: adaUri, name: '@ada' }]
  const parent = toAda({ content: '<p>parent</p>', published: at(400), tag })
  const further = toAda({ inReplyTo: parent.object.id, published: at(401) })
  peer.serve(new URL(parent.object.id).pathname, parent.object)
  await deliver(further)
  assert.deepEqual(await shown(parent, further), [false, true])

  // Its Create was late.
  const mentions = async (): Promise<number> =>
    (await ada.get('/api/v1/notifications?types[]=mention')).filter(
      ({ status }: any) => status.uri === parent.object.id,
    ).length
  assert.equal(await mentions(), 0)
  await deliver(parent)
  assert.deepEqual(await shown(parent, further), [true, true])
  assert.equal(await mentions(), 1)
  // Another one changes nothing.
  await ada.post('/api/v1/notifications/clear')
  await deliver({ ...parent, id: `${parent.id}/again` })
  assert.equal(await mentions(), 0)
})
