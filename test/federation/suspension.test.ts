// A suspended account, as its own server and another one show it: suspended, restored, deleted for good.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { cleanUp } from '../support/acts.ts'
import { sql } from '../support/database.ts'
import { befriend, copyOf } from '../support/federated-people.ts'
import { uploadImage } from '../support/images.ts'
import { startNetwork, type Network } from '../support/network.ts'
import { eventually, type Person } from '../support/server.ts'
import { follow, idsOf } from '../support/timelines.ts'
import { listen } from '../streaming/listen.ts'

let network: Network<'alpha' | 'beta'>
let ada: Person // of alpha
let gus: Person // of alpha, follows ada
let mod: Person // of alpha
let bob: Person // of beta, follows ada
let adaOnBeta: string
let bobOnAlpha: string
let said: { id: string; uri: string }
let file: string

before(async () => {
  network = await startNetwork(['alpha', 'beta'])
  const { alpha, beta } = network
  ada = await alpha.person('ada')
  gus = await alpha.person('gus')
  mod = await alpha.person('mod', { role: 'admin' })
  bob = await beta.person('bob')
  adaOnBeta = await befriend(network, [beta, bob], [alpha, ada])
  bobOnAlpha = await befriend(network, [alpha, gus], [beta, bob])
  await follow(alpha, gus, ada)
  const media_ids = [await uploadImage(ada)]
  const status = await ada.post('/api/v1/statuses', { status: 'hello #rooks', media_ids })
  said = status
  file = new URL(status.media_attachments[0].url).pathname
  await network.drain()
})
after(() => network?.stop())

const accept = 'application/activity+json'
const status = async (path: string, headers = {}): Promise<number> =>
  (await network.alpha.send('GET', path, { headers })).status

const action = (id: string, json: object): Promise<void> => mod.post(`/api/v1/admin/accounts/${id}/action`, json)
const isFollowing = async (who: Person, id: string): Promise<boolean> =>
  (await who.get(`/api/v1/accounts/relationships?id[]=${id}&with_suspended=true`))[0].following

/** What visitors and other servers can read of Ada. */
const readable = async (): Promise<Record<string, number>> => ({
  account: await status(`/api/v1/accounts/${ada.id}`),
  status: await status(`/api/v1/statuses/${said.id}`),
  file: await status(file),
  page: await status('/@ada'),
  'status page': await status(`/@ada/${said.id}`),
  feed: await status('/@ada.rss'),
  actor: await status('/users/ada', { accept }),
  note: await status(`/users/ada/statuses/${said.id}`, { accept }),
  outbox: await status('/users/ada/outbox', { accept }),
  followers: await status('/users/ada/followers', { accept }),
  webfinger: await status(`/.well-known/webfinger?resource=acct:ada@${network.alpha.domain}`),
})

const ALL = [
  'account',
  'status',
  'file',
  'page',
  'status page',
  'feed',
  'actor',
  'note',
  'outbox',
  'followers',
  'webfinger',
]
const open = Object.fromEntries(ALL.map((name) => [name, 200]))

test('a suspended account is hidden on its server, and other servers may read that it is suspended', async () => {
  assert.deepEqual(await readable(), open)
  await action(ada.id, { type: 'suspend', text: 'Enough.' })
  await network.drain()
  assert.deepEqual(await readable(), {
    account: 410,
    status: 404,
    file: 404,
    page: 410,
    'status page': 404,
    feed: 410,
    actor: 200,
    note: 403,
    outbox: 403,
    followers: 403,
    webfinger: 200,
  })
  const actor = (await network.alpha.send('GET', '/users/ada', { headers: { accept } })).json
  assert.deepEqual([actor.suspended, actor.summary, actor.icon], [true, undefined, undefined])
  assert.equal((await ada.send('GET', '/api/v1/accounts/verify_credentials')).status, 403)
  const [embedded] = await gus.get(`/api/v1/accounts?id[]=${ada.id}`)
  assert.deepEqual([embedded.suspended, embedded.note], [true, ''])
  const found = await gus.get('/api/v2/search?q=ada&type=accounts')
  assert.deepEqual(found.accounts, [])
  assert.equal((await idsOf(gus, '/api/v1/timelines/home')).includes(said.id), false)
  assert.equal((await idsOf(gus, '/api/v1/timelines/tag/rooks')).includes(said.id), false)
})

test('local followers learn what they lost', async () => {
  assert.equal(await isFollowing(gus, ada.id), false)
  const [lost] = await gus.get('/api/v1/notifications?types[]=severed_relationships')
  assert.deepEqual(
    [lost.event.type, lost.event.following_count, lost.event.target_name],
    ['account_suspension', 1, `ada@${network.alpha.domain}`],
  )
})

test('the other server hides the account too, and restores it', async () => {
  assert.equal((await bob.send('GET', `/api/v1/accounts/${adaOnBeta}`)).status, 410)
  const origin = (): Promise<{ suspension_origin: string | null; purge_at: Date | null }> =>
    network.beta.ctx.db.one(sql`select suspension_origin, purge_at from accounts where id = ${adaOnBeta}`)
  assert.deepEqual(await origin(), { suspension_origin: 'remote', purge_at: null })
  assert.equal(await copyOf(bob, said.uri), undefined)
  await mod.post(`/api/v1/admin/accounts/${ada.id}/unsuspend`)
  await network.drain()
  assert.deepEqual(await readable(), open)
  assert.equal((await bob.send('GET', `/api/v1/accounts/${adaOnBeta}`)).status, 200)
  assert.equal((await origin()).suspension_origin, null)
  assert.ok(await copyOf(bob, said.uri))
  assert.deepEqual([await isFollowing(gus, ada.id), await isFollowing(bob, adaOnBeta)], [true, true])
  const [warning] = await ada.get('/api/v1/notifications?types[]=moderation_warning')
  const { action: what, text, appeal } = warning.moderation_warning
  assert.deepEqual([what, text, appeal], ['suspend', 'Enough.', null])
})

test('servers without followers of a suspended account hide the posts in which it mentioned their people', async () => {
  const { alpha, beta } = network
  const spammer = await alpha.person('spammer')
  const mentions = `buy this, @bob@${beta.domain}`
  const posts = await Promise.all(
    ['direct', 'public'].map((visibility) => spammer.post('/api/v1/statuses', { status: mentions, visibility })),
  )
  await network.drain()
  const copies = async (): Promise<boolean[]> =>
    Promise.all(posts.map(async ({ uri }) => (await copyOf(bob, uri)) !== undefined))
  assert.deepEqual(await copies(), [true, true])
  await action(spammer.id, { type: 'suspend' })
  await network.drain()
  assert.deepEqual(await copies(), [false, false])
  assert.deepEqual(await bob.get('/api/v1/conversations'), [])
  await mod.post(`/api/v1/admin/accounts/${spammer.id}/unsuspend`)
  await network.drain()
  assert.deepEqual(await copies(), [true, true])
})

test('a server that reported an account learns of its suspension, even without followers of it', async () => {
  const { alpha, beta } = network
  await alpha.person('rude')
  const { accounts } = await bob.get(`/api/v2/search?q=@rude@${alpha.domain}&resolve=true`)
  const path = `/api/v1/accounts/${accounts[0].id}`
  await bob.post('/api/v1/reports', { account_id: accounts[0].id, forward: true })
  await network.drain()
  const [{ id, target_account: reported }] = await mod.get('/api/v1/admin/reports')
  await action(reported.id, { type: 'suspend', report_id: id })
  await network.drain()
  assert.equal((await beta.send('GET', path)).status, 410)
  await mod.post(`/api/v1/admin/accounts/${reported.id}/unsuspend`)
  await network.drain()
  assert.equal((await beta.send('GET', path)).status, 200)
})

test('a suspended remote account is hidden, and its follows return with it', async () => {
  const mention = `hello @gus@${network.alpha.domain}`
  const write = (text: string): Promise<any> => bob.post('/api/v1/statuses', { status: `${mention}, ${text}` })
  const [deleted, edited] = [await write('for now'), await write('first')]
  await network.drain()
  assert.ok(await copyOf(gus, deleted.uri))
  const ivy = await network.alpha.person('ivy')
  await follow(network.alpha, ivy, mod)
  await mod.post(`/api/v1/statuses/${(await copyOf(mod, edited.uri)).id}/reblog`)
  await network.drain()
  const stream = await listen(network.alpha, { token: ivy.token, streams: ['user'] })
  await action(bobOnAlpha, { type: 'suspend' })
  await network.drain()
  assert.equal(await status(`/api/v1/accounts/${bobOnAlpha}`), 410)
  assert.equal(await isFollowing(gus, bobOnAlpha), false)
  assert.deepEqual(await bob.get(`/api/v1/accounts/${bob.id}/followers`), [])
  await bob.delete(`/api/v1/statuses/${deleted.id}`)
  await bob.put(`/api/v1/statuses/${edited.id}`, { status: `${mention}, second` })
  const unseen = await write('unseen')
  const other = await network.beta.person('fan')
  await befriend(network, [network.alpha, gus], [network.beta, other])
  const open = await bob.post('/api/v1/statuses', { status: 'for everyone' })
  await other.post(`/api/v1/statuses/${open.id}/reblog`)
  const quoting = await other.post('/api/v1/statuses', { status: 'look', quoted_status_id: open.id })
  await network.drain()
  assert.equal((await copyOf(gus, quoting.uri)).quote?.quoted_status ?? null, null, 'neither boosted nor quoted')
  await ivy.post('/api/v1/statuses', { status: 'the last event' })
  assert.match((await stream.event('update')).content, /the last event/)
  assert.deepEqual(
    stream.frames.filter(({ event }) => event === 'status.update'),
    [],
    'not before it is restored',
  )
  stream.end()
  await mod.post(`/api/v1/admin/accounts/${bobOnAlpha}/unsuspend`)
  await network.drain()
  assert.equal(await copyOf(gus, deleted.uri), undefined, 'deleted meanwhile')
  assert.match((await copyOf(gus, edited.uri)).content, /second/)
  assert.equal(await copyOf(gus, unseen.uri), undefined)
  assert.equal(await copyOf(gus, open.uri), undefined, 'not stored for the boost and the quote')
  assert.equal(await status(`/api/v1/accounts/${bobOnAlpha}`), 200)
  assert.equal(await isFollowing(gus, bobOnAlpha), true)
})

test('only the data of suspended accounts is deleted, and then for good', async () => {
  const { alpha, beta } = network
  const path = `/api/v1/admin/accounts/${ada.id}`
  assert.equal((await mod.send('DELETE', path)).status, 403)
  await alpha.ctx.db.run(sql`insert into reports (account_id, target_account_id) values (${gus.id}, ${ada.id})`)
  await action(ada.id, { type: 'suspend' })
  await network.drain()
  assert.equal((await mod.delete(path)).suspended, true)
  await network.drain()
  const purge = await alpha.ctx.db.one(sql`
    select statuses_deleted, media_deleted, finished_at is not null as finished from account_purges where account_id = ${ada.id}`)
  assert.deepEqual(purge, { statuses_deleted: 1, media_deleted: 1, finished: true })
  const after = await readable()
  assert.deepEqual([after.account, after.actor, after.webfinger, after.file, after.outbox], [410, 410, 410, 404, 410])
  const records = await alpha.ctx.db.one(sql`
    select (select count(*)::int from reports where target_account_id = ${ada.id}) as reports,
      (select count(*)::int from account_warnings where target_account_id = ${ada.id}) as warnings,
      (select count(*)::int from users where account_id = ${ada.id}) as users`)
  assert.deepEqual(records, { reports: 1, warnings: 2, users: 0 })
  assert.equal((await mod.send('POST', `${path}/unsuspend`)).status, 403)
  assert.equal((await mod.send('DELETE', path)).status, 403)
  const [lost] = await gus.get('/api/v1/notifications?types[]=severed_relationships')
  assert.equal(lost.event.purged, true)
  await eventually(async () => (await beta.send('GET', `/api/v1/accounts/${adaOnBeta}`)).status === 404)
})

test('the data of an account is deleted 30 days after its suspension', async () => {
  const { alpha } = network
  const dot = await alpha.person('dot')
  await dot.post('/api/v1/statuses', { status: 'soon gone' })
  await action(dot.id, { type: 'suspend' })
  await action(bobOnAlpha, { type: 'suspend' })
  /** Which accounts are deleted by then. */
  const daysLater = async (days: number): Promise<string[]> => {
    await alpha.ctx.db.run(sql`update accounts set purge_at = purge_at - ${days} * interval '1 day'`)
    await cleanUp(alpha.ctx)
    await network.drain()
    const purged = await alpha.ctx.db.many<{ username: string }>(
      sql`select username from accounts where purged_at is not null order by username`,
    )
    return purged.map(({ username }) => username)
  }
  assert.deepEqual(await daysLater(29), ['ada'])
  assert.deepEqual(await daysLater(1), ['ada', 'bob', 'dot'])
  assert.equal(await status(`/api/v1/accounts/${bobOnAlpha}`), 410)
})
