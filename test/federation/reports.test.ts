import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from '../support/database.ts'
import { actOnAccount } from '../support/acts.ts'
import { createCollection } from '../support/collections.ts'
import { befriend, copyOf } from '../support/federated-people.ts'
import { uploadImage } from '../support/images.ts'
import { startNetwork, type Network } from '../support/network.ts'
import { startPeer, type Peer, type PeerActor } from '../support/peer.ts'
import { remoteAccount } from '../support/remote.ts'
import type { Person } from '../support/server.ts'

const AT = '/api/v1/admin/reports'

let network: Network<'alpha' | 'beta'>
let peer: Peer
let ada: Person // of alpha
let bob: Person // of beta
let mod: Person // of beta
let bobOnAlpha: string
let post: any // by bob

before(async () => {
  network = await startNetwork(['alpha', 'beta'])
  peer = await startPeer()
  ada = await network.alpha.person('ada')
  bob = await network.beta.person('bob')
  mod = await network.beta.person('mod', { role: 'moderator' })
  bobOnAlpha = await befriend(network, [network.alpha, ada], [network.beta, bob])
  post = await bob.post('/api/v1/statuses', { status: 'buy my pills' })
  await network.drain()
})
after(async () => {
  await network?.stop()
  await peer?.stop()
})

/** Unresolved reports on beta, newest first. */
const received = (): Promise<any[]> => mod.get(AT)

test('a forwarded report arrives at the server of the reported account, without the reporter', async () => {
  const copy = await copyOf(ada, post.uri)
  const collection = await createCollection(bob, { name: 'Pharmacies' })
  await network.drain()
  const { collections } = await ada.get(`/api/v1/accounts/${bobOnAlpha}/collections`)
  const reported = { status_ids: [copy.id], collection_ids: collections.map(({ id }: any) => id) }
  const form = { account_id: bobOnAlpha, ...reported, comment: 'pills <b>', forward: true }
  const made = await ada.post('/api/v1/reports', form)
  assert.equal(made.forwarded, true)
  await network.drain()
  const [report, ...more] = await received()
  assert.deepEqual(more, [])
  assert.equal(report.account.account.uri, `http://${network.alpha.domain}/actor`)
  assert.equal(report.account.domain, network.alpha.domain)
  assert.equal(report.target_account.id, bob.id)
  assert.equal(report.comment, 'pills <b>')
  assert.equal(report.category, 'other')
  assert.equal(report.forwarded, false)
  assert.deepEqual(
    report.statuses.map(({ id }: any) => id),
    [post.id],
  )
  const [notification] = await mod.get('/api/v1/notifications?types[]=admin.report')
  assert.equal(notification.report.id, report.id)
  assert.deepEqual(notification.report.collection_ids, [collection.id])
  const { rows } = await network.alpha.database.raw(`select body from outbox_activities where type = 'Flag'`)
  assert.equal(rows.length, 1)
  assert.doesNotMatch(rows[0].body, /ada/)
  await mod.post(`${AT}/${report.id}/resolve`)
})

test('posts that moderators delete or mark as sensitive change on other servers too', async () => {
  const media = await uploadImage(bob)
  const [shown, gone] = [
    await bob.post('/api/v1/statuses', { status: 'a picture', media_ids: [media] }),
    await bob.post('/api/v1/statuses', { status: 'an insult' }),
  ]
  await network.drain()
  assert.equal((await copyOf(ada, shown.uri)).sensitive, false)
  const act = (type: 'delete_statuses' | 'mark_statuses_as_sensitive', statusIds: string[]): Promise<unknown> =>
    actOnAccount(network.beta.ctx, mod.id, { accountId: bob.id, type, statusIds })
  await act('mark_statuses_as_sensitive', [shown.id, gone.id])
  await act('delete_statuses', [gone.id])
  await network.drain()
  assert.equal((await bob.get(`/api/v1/statuses/${shown.id}`)).sensitive, true)
  assert.equal((await copyOf(ada, shown.uri)).sensitive, true)
  assert.equal(await copyOf(ada, gone.uri), undefined)
  const warnings = await bob.get('/api/v1/notifications?types[]=moderation_warning')
  assert.deepEqual(
    warnings.map((each: any) => [each.moderation_warning.action, each.moderation_warning.status_ids]),
    [
      ['delete_statuses', [gone.id]],
      ['mark_statuses_as_sensitive', [shown.id]],
    ],
  )
})

test('a post that moderators marked as sensitive stays so when its author edits it, here and on other servers', async () => {
  const media = await uploadImage(bob)
  const { id, uri } = await bob.post('/api/v1/statuses', { status: 'a picture', media_ids: [media] })
  await network.drain()
  const mark = (ctx: typeof network.beta.ctx, accountId: string, statusId: string): Promise<unknown> =>
    actOnAccount(ctx, null, { accountId, type: 'mark_statuses_as_sensitive', statusIds: [statusId], sendMail: false })
  const marked = (await copyOf(ada, uri)).id
  await ada.post(`/api/v1/statuses/${marked}/bookmark`)
  await mark(network.alpha.ctx, bobOnAlpha, marked)
  const found = await ada.get(`/api/v2/search?type=statuses&q=${encodeURIComponent('picture is:sensitive')}`)
  assert.deepEqual(
    found.statuses.map((each: any) => each.id),
    [marked],
  )
  await bob.put(`/api/v1/statuses/${id}`, { status: 'an edited picture', sensitive: false, media_ids: [media] })
  await network.drain()
  const copy = await copyOf(ada, uri)
  assert.match(copy.content, /edited/)
  assert.equal(copy.sensitive, true)
  assert.equal((await bob.get(`/api/v1/statuses/${id}`)).sensitive, false)
  await mark(network.beta.ctx, bob.id, id)
  const edited = await bob.put(`/api/v1/statuses/${id}`, { status: 'once more', sensitive: false, media_ids: [media] })
  assert.deepEqual([edited.sensitive, edited.content], [true, '<p>once more</p>'])
})

test('a chosen server of an account that a reported post replies to gets the report, and others do not', async () => {
  const copy = await copyOf(ada, post.uri)
  const yves = await peer.actor('yves')
  const reply = peer.create(yves, { inReplyTo: copy.uri, content: '<p>no</p>', tag: [] })
  for (const server of [network.alpha, network.beta]) assert.equal(await peer.send(server, yves, reply), 202)
  await network.drain()
  const { accounts } = await ada.get(`/api/v2/search?q=${encodeURIComponent(`@yves@${peer.domain}`)}&resolve=true`)
  const status = await copyOf(ada, reply.object.id)
  const form = { account_id: accounts[0].id, status_ids: [status.id], forward: true }
  await ada.post('/api/v1/reports', { ...form, forward_to_domains: [network.beta.domain] })
  await network.drain()
  const [report] = await received()
  assert.equal(report.target_account.account.uri, yves.uri)
  assert.equal(peer.received.filter(({ type }) => type === 'Flag').length, 0)
  await ada.post('/api/v1/reports', { ...form, comment: 'again' })
  await network.drain()
  const [sent, ...more] = peer.received.filter(({ type }) => type === 'Flag')
  assert.deepEqual(more, [])
  assert.deepEqual(sent?.object, [yves.uri, reply.object.id])
  assert.equal(sent?.content, 'again')
  await mod.post(`${AT}/${report.id}/resolve`)
})

const flag = (actor: PeerActor, object: unknown, more: object = {}): Record<string, unknown> => ({
  '@context': 'https://www.w3.org/ns/activitystreams',
  id: `${peer.url}/flags/${crypto.randomUUID()}`,
  type: 'Flag',
  actor: actor.uri,
  content: 'spam',
  object,
  ...more,
})
const uriOf = (person: Person): string => `http://${network.beta.domain}/users/${person.username}`

async function send(actor: PeerActor, activity: Record<string, unknown>): Promise<any[]> {
  assert.equal(await peer.send(network.beta, actor, activity), 202)
  await network.beta.drain()
  return received()
}

test('a Flag makes one report for each account that it names, and posts that its server cannot know stay out', async () => {
  const zoe = await peer.actor('zoe')
  const [mine, hidden] = [
    await mod.post('/api/v1/statuses', { status: 'hello' }),
    await bob.post('/api/v1/statuses', { status: 'secret', visibility: 'private' }),
  ]
  const objects = [
    uriOf(bob),
    hidden.uri,
    mine.uri,
    'https://other.test/users/x',
    `${uriOf(bob)}/statuses/1`,
    uriOf(bob),
  ]
  const activity = flag(zoe, objects)
  const reports = await send(zoe, activity)
  assert.deepEqual(
    reports.map((each) => [
      each.target_account.username,
      each.statuses.map(({ id }: any) => id),
      each.account.username,
    ]),
    [
      ['mod', [mine.id], 'zoe'],
      ['bob', [], 'zoe'],
    ],
  )
  const raw = await network.beta.ctx.db.many<{ status_ids: string[] }>(
    sql`select status_ids from reports where target_account_id = ${bob.id} order by id desc limit 1`,
  )
  assert.deepEqual(raw[0]?.status_ids, [])
  assert.equal((await send(zoe, activity)).length, 2, 'the same Flag again changes nothing')
  await network.beta.ctx.db.run(sql`delete from inbox_activities`)
  assert.equal((await send(zoe, activity)).length, 2, 'also when its activity is forgotten')
  assert.equal((await send(zoe, flag(zoe, mine.uri, { content: 'x'.repeat(9000) })))[0].comment.length, 5000)
})

test('a Flag needs no id, and is a report once', async () => {
  const yan = await peer.actor('yan')
  const nameless = { ...flag(yan, uriOf(bob)), id: undefined, content: 'anonymous' }
  const before = (await received()).length
  const [report] = await send(yan, nameless)
  assert.deepEqual([report.comment, report.account.username], ['anonymous', 'yan'])
  assert.equal((await send(yan, nameless)).length, before + 1)
})

test('the comment of a Flag may be its summary, as Lemmy sends it', async () => {
  const xyl = await peer.actor('xyl')
  const [report] = await send(xyl, flag(xyl, uriOf(bob), { content: undefined, summary: 'off topic' }))
  assert.equal(report.comment, 'off topic')
})

test('further reports of a server that files too many within a day are dropped, and those of others of its site', async () => {
  const xin = await peer.actor('xin')
  const before = (await received()).length
  const file = (accountId: string): Promise<unknown> =>
    network.beta.ctx.db.run(sql`
      insert into reports (account_id, target_account_id, action_taken_at)
      select ${accountId}, ${bob.id}, now() from generate_series(1, 400)`)
  await file(await remoteAccount(network.beta, 'stranger', 'far.test'))
  assert.equal((await send(xin, flag(xin, uriOf(bob)))).length, before + 1)
  await file(await remoteAccount(network.beta, 'neighbour', 'localhost:1'))
  assert.equal((await send(xin, flag(xin, uriOf(bob)))).length, before + 1)
  await network.beta.ctx.db.run(sql`delete from reports where action_taken_at is not null`)
  assert.equal((await send(xin, flag(xin, uriOf(bob)))).length, before + 2)
})

test('a Flag is ignored when it is forged, names no account here, or comes from a server whose reports are rejected', async () => {
  const [zoe, yan] = [await peer.actor('zed'), await peer.actor('yan')]
  const before = (await received()).length
  const forged = flag(zoe, uriOf(bob))
  assert.equal(await peer.send(network.beta, yan, forged), 401)
  assert.equal(await peer.send(network.beta, zoe, flag(zoe, uriOf(bob), { id: 'https://other.test/1' })), 401)
  for (const object of [[], 'nonsense', ['https://other.test/users/x'], { type: 'Person' }, [zoe.uri]])
    assert.equal((await send(zoe, flag(zoe, object))).length, before, JSON.stringify(object))
  await network.beta.ctx.db.run(
    sql`insert into domain_blocks (domain, severity, reject_reports) values (${peer.domain}, 'noop', true)`,
  )
  network.beta.ctx.publish({ type: 'settings.changed' })
  assert.equal((await send(zoe, flag(zoe, uriOf(bob)))).length, before)
})
