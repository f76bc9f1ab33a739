import { confirmEmail, sendConfirmation, modifyUser, notify, recordSeverance } from '../support/acts.ts'
import { sql } from '../support/database.ts'
import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { listen } from '../streaming/listen.ts'
import { linkTo } from '../support/mail.ts'
import { eventually, type Person } from '../support/server.ts'
import { stage } from '../support/stage.ts'
import { post, remoteAuthor } from '../support/timelines.ts'

let ada: Person
let bob: Person
let round = 0

const AT = '/api/v1/notifications'
type Shown = { id: string; type: string; account: { id: string }; event?: any; fallback?: any; status?: { id: string } }
const list = (person: Person, query = ''): Promise<Shown[]> => person.get(`${AT}?${query}`)
const types = async (person: Person): Promise<string[]> => (await list(person)).map(({ type }) => type)

const { server } = await stage()
beforeEach(async () => {
  round++
  ada = await server.person(`ada${round}`)
  bob = await server.person(`bob${round}`)
})

/** Records the follows that a domain block has ended. */
const recordLosses = (losses: { accountId: string; followers: number; following: number }[]): Promise<string[]> =>
  server.ctx.transaction((tx) => recordSeverance(tx, { type: 'user_domain_block', targetName: 'far.test', losses }))

test('accounts that lose follows get a severed_relationships notification with the domain and the counts', async () => {
  const eve = await remoteAuthor(server, `eve${round}`, 'far.test')
  const socket = await listen(server, { token: ada.token, streams: ['user:notification'] })
  await recordLosses([
    { accountId: ada.id, followers: 2, following: 3 },
    { accountId: bob.id, followers: 0, following: 0 },
    { accountId: eve.id, followers: 1, following: 1 },
  ])
  const [notification] = await list(ada)
  const { id, created_at, ...event } = notification?.event ?? {}
  assert.deepEqual(event, {
    type: 'user_domain_block',
    purged: false,
    target_name: 'far.test',
    followers_count: 2,
    following_count: 3,
  })
  assert.ok(/^\d+$/.test(id) && Date.parse(created_at) > 0)
  assert.deepEqual([notification?.type, notification?.account.id], ['severed_relationships', ada.id])
  assert.deepEqual((await socket.event('notification')).event, notification?.event)
  socket.end()
  assert.deepEqual(await list(bob), [])
  await recordLosses([{ accountId: ada.id, followers: 1, following: 0 }])
  const rows = await list(ada)
  assert.deepEqual(
    rows.map((row) => row.event.followers_count),
    [1, 2],
  )
  const { notification_groups: groups, accounts } = await ada.get('/api/v2/notifications')
  assert.deepEqual(
    groups.map((group: { event: unknown }) => group.event),
    rows.map((row) => row.event),
  )
  assert.deepEqual(
    accounts.map((account: { id: string }) => account.id),
    [ada.id],
  )
  await server.ctx.db.run(sql`delete from relationship_severance_events where id = ${id}`)
  assert.equal((await list(ada)).length, 1, 'the notification of a deleted event is not listed')
  assert.equal((await ada.send('GET', `${AT}/${notification?.id}`)).status, 404)
})

test('a domain block notifies its owner once of the follows that it ended', async () => {
  const domain = `far${round}.test`
  const [eve, finn] = [await remoteAuthor(server, 'eve', domain), await remoteAuthor(server, 'finn', domain)]
  await server.ctx.db.run(sql`
    insert into follows (account_id, target_account_id) values (${ada.id}, ${eve.id}), (${eve.id}, ${ada.id}), (${finn.id}, ${ada.id})`)
  await finn.post('<p>hello</p>', { mentionIds: [ada.id] })
  for (const person of [ada, ada, bob]) await person.post('/api/v1/domain_blocks', { domain })
  const rows = await list(ada)
  assert.deepEqual(
    rows.map(({ type, event }) => [type, event.type, event.target_name, event.followers_count, event.following_count]),
    [['severed_relationships', 'user_domain_block', domain, 2, 1]],
  )
  assert.deepEqual(await list(bob), [])
})

test('staff who manage users are notified of a sign-up once it is confirmed and approved', async () => {
  const [admin, moderator] = [
    await server.person(`admin${round}`, { role: 'admin' }),
    await server.person(`mod${round}`, { role: 'moderator' }),
  ]
  const owner = await server.person(`owner${round}`, { role: 'owner' })
  const reporter = await server.person(`reporter${round}`)
  await server.ctx.db.run(sql`
    with role as (insert into roles (name, position, permissions) values ('Reports', 5, 16) returning id)
    update users set role_id = (select id from role) where id = ${reporter.userId}`)
  const fresh = await server.person(`fresh${round}`, { confirmed: false })
  await sendConfirmation(server.ctx, fresh.userId)
  const link = new URL(await linkTo(server, fresh.email), server.url)
  assert.deepEqual(await types(admin), [])
  await confirmEmail(server.ctx, link.searchParams.get('confirmation_token') as string)
  for (const person of [admin, moderator, owner]) {
    const [notification] = await eventually(async () => {
      const rows = await list(person)
      return rows.length > 0 ? rows : undefined
    })
    assert.deepEqual([notification?.type, notification?.account.id], ['admin.sign_up', fresh.id])
  }
  for (const person of [ada, reporter, fresh]) assert.deepEqual(await list(person), [])

  const waiting = await server.person(`waiting${round}`, { confirmed: true, approved: false })
  await modifyUser(server.ctx, waiting.id, { disabled: true })
  await server.drain()
  assert.equal((await list(admin)).length, 1)
  await modifyUser(server.ctx, waiting.id, { approved: true, disabled: false })
  await modifyUser(server.ctx, waiting.id, { approved: true })
  await server.drain()
  assert.deepEqual(
    (await list(admin)).map(({ account }) => account.id),
    [waiting.id, fresh.id],
  )
  const { notification_groups: groups } = await admin.get('/api/v2/notifications')
  assert.deepEqual(
    groups.map((group: any) => [group.type, group.notifications_count]),
    [['admin.sign_up', 2]],
  )
})

test('confirming a changed email address does not notify of a sign-up', async () => {
  const admin = await server.person(`admin${round}`, { role: 'admin' })
  await server.ctx.db.run(sql`update users set unconfirmed_email = ${`new${round}@localhost`} where id = ${bob.userId}`)
  await sendConfirmation(server.ctx, bob.userId)
  const link = new URL(await linkTo(server, `new${round}@localhost`), server.url)
  assert.ok(await confirmEmail(server.ctx, link.searchParams.get('confirmation_token') as string))
  await server.drain()
  assert.deepEqual(await list(admin), [])
})

test('notifications of types outside supported_types have a fallback text, and none do without the parameter', async () => {
  await server.ctx.db.run(sql`update accounts set display_name = 'Bob & <i>Co</i>' where id = ${bob.id}`)
  const own = await post(ada, 'a < b')
  await bob.post(`/api/v1/statuses/${own}/favourite`)
  await bob.post(`/api/v1/accounts/${ada.id}/follow`)
  const warned = await post(bob, `@${ada.username} ${'secret '.repeat(40)}`, { spoiler_text: 'Long ago' })
  await recordLosses([{ accountId: ada.id, followers: 1, following: 0 }])
  assert.deepEqual(
    (await list(ada)).map(({ fallback }) => fallback),
    [undefined, undefined, undefined, undefined],
  )
  const rows = await list(ada, 'supported_types[]=follow&supported_types[]=unheard_of')
  assert.deepEqual(
    rows.map(({ type, fallback }) => [type, fallback]),
    [
      [
        'severed_relationships',
        {
          title: 'Some of your connections were lost',
          summary: null,
          details: '<p>A moderation decision, or a domain that you blocked, has ended some of your follows.</p>',
        },
      ],
      [
        'mention',
        { title: 'Bob &amp; &lt;i&gt;Co&lt;/i&gt; mentioned you', summary: '<p>Long ago</p>', details: null },
      ],
      ['follow', undefined],
      [
        'favourite',
        { title: 'Bob &amp; &lt;i&gt;Co&lt;/i&gt; favourited your post', summary: '<p>a &lt; b</p>', details: null },
      ],
    ],
  )
  const mention = rows[1] as Shown
  assert.equal(mention.status?.id, warned)
  assert.deepEqual((await ada.get(`${AT}/${mention.id}?supported_types[]=poll`)).fallback, mention.fallback)
  assert.equal((await ada.get(`${AT}/${mention.id}?supported_types[]=mention`)).fallback, undefined)
  const { notification_groups: groups } = await ada.get('/api/v2/notifications?supported_types[]=follow')
  assert.deepEqual(
    groups.map((group: Shown) => group.fallback),
    rows.map(({ fallback }) => fallback),
  )
  const one = await ada.get(`/api/v2/notifications/ungrouped-${mention.id}?supported_types[]=follow`)
  assert.deepEqual(one.notification_groups[0].fallback, mention.fallback)
})

test('each report notifies once, and a repeated collection update replaces the earlier notification', async () => {
  const notifyOfReport = (subjectId: string): Promise<void> =>
    server.ctx.transaction((tx) =>
      notify(tx, { type: 'admin.report', fromAccountId: bob.id, subjectId, to: { may: 'manage_reports' } }),
    )
  const moderator = await server.person(`mod${round}`, { role: 'moderator' })
  const rows = (): Promise<unknown[]> =>
    server.ctx.db.many(sql`select from notifications where account_id = ${moderator.id} and type = 'admin.report'`)
  await notifyOfReport('1')
  await notifyOfReport('2')
  await notifyOfReport('2')
  assert.equal((await rows()).length, 2)
  const notifyOfUpdate = (): Promise<void> =>
    server.ctx.transaction((tx) =>
      notify(tx, { type: 'collection_update', fromAccountId: bob.id, subjectId: '7', to: [ada.id] }),
    )
  await notifyOfUpdate()
  const ids = (): Promise<{ id: string }[]> =>
    server.ctx.db.many(sql`select id from notifications where account_id = ${ada.id}`)
  const [before] = await ids()
  await notifyOfUpdate()
  const [after, ...more] = await ids()
  assert.ok(BigInt(after?.id as string) > BigInt(before?.id as string))
  assert.deepEqual(more, [])
})

test('one or several notifications can be deleted, as some clients do', async () => {
  const own = await post(ada, 'mine')
  await bob.post(`/api/v1/statuses/${own}/favourite`)
  await bob.post(`/api/v1/statuses/${own}/reblog`)
  await bob.post(`/api/v1/accounts/${ada.id}/follow`)
  await ada.post(`/api/v1/accounts/${bob.id}/follow`)
  const [theirs] = await list(bob)
  const [one, two, three] = await list(ada)
  assert.equal((await bob.send('DELETE', `${AT}/${one?.id}`)).status, 404)
  assert.deepEqual(await ada.delete(`${AT}/${one?.id}`), {})
  assert.equal((await ada.send('DELETE', `${AT}/${one?.id}`)).status, 404)
  assert.deepEqual(await ada.delete(`${AT}/destroy_multiple`, { ids: [two?.id, theirs?.id, 'nonsense'] }), {})
  assert.deepEqual(
    (await list(ada)).map(({ id }) => id),
    [three?.id],
  )
  assert.equal((await list(bob)).length, 1)
  assert.equal((await ada.send('DELETE', `${AT}/destroy_multiple`)).status, 400)
  assert.deepEqual((await ada.send('DELETE', `${AT}/destroy_multiple?ids[]=${three?.id}`)).json, {})
  assert.deepEqual(await list(ada), [])
  const reader = await server.token({ userId: ada.userId, scopes: ['read'] })
  for (const path of [`${AT}/1`, `${AT}/destroy_multiple`]) {
    assert.equal((await server.send('DELETE', path)).status, 401)
    assert.equal((await server.send('DELETE', path, { token: reader })).status, 403)
  }
})
