import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { notify } from '../support/acts.ts'
import { sql } from '../support/database.ts'
import { type Person } from '../support/server.ts'
import { stage } from '../support/stage.ts'
import { boost, links, post, remoteAuthor } from '../support/timelines.ts'

let ada: Person
let bob: Person
let cleo: Person
let round = 0

type Shown = { id: string; type: string; group_key: string; account: { id: string }; status?: { id: string } }
const list = (person: Person, query = ''): Promise<Shown[]> => person.get(`/api/v1/notifications?${query}`)
/** "type name" of each notification, newest first. */
const kinds = async (person: Person, query = ''): Promise<string[]> =>
  (await list(person, query)).map(({ type, account }) => `${type} ${account.id === bob.id ? 'bob' : 'cleo'}`)

const { server } = await stage()
beforeEach(async () => {
  round++
  const named = (name: string): Promise<Person> => server.person(`${name}${round}`)
  ;[ada, bob, cleo] = await Promise.all([named('ada'), named('bob'), named('cleo')])
})

test('follows, favourites, boosts, mentions and subscribed posts notify with account, status and group key', async () => {
  const own = await post(ada, 'mine')
  await bob.post(`/api/v1/accounts/${ada.id}/follow`)
  await bob.post(`/api/v1/statuses/${own}/favourite`)
  await boost(cleo, own)
  const reply = await post(cleo, `@${ada.username} hello`, { in_reply_to_id: own })
  await ada.post(`/api/v1/accounts/${bob.id}/follow`, { notify: true })
  const subscribed = await post(bob, 'news')
  const rows = await list(ada)
  assert.deepEqual(
    rows.map(({ type, account, status }) => [type, account.id, status?.id]),
    [
      ['status', bob.id, subscribed],
      ['mention', cleo.id, reply],
      ['reblog', cleo.id, own],
      ['favourite', bob.id, own],
      ['follow', bob.id, undefined],
    ],
  )
  const bucket = String(Math.floor(Date.now() / (12 * 3600 * 1000)))
  assert.deepEqual(
    rows.map(({ group_key, id }) =>
      group_key
        .replace(`ungrouped-${id}`, 'ungrouped-ID')
        .replace(own, 'OWN')
        .replace(new RegExp(`${bucket}|${Number(bucket) - 1}`), 'BUCKET'),
    ),
    ['ungrouped-ID', 'ungrouped-ID', 'reblog-OWN-BUCKET', 'favourite-OWN-BUCKET', 'follow-BUCKET'],
  )
  // Some apps store them in 32 bits.
  for (const { id } of rows) assert.match(id, /^\d{1,9}$/)
  assert.equal((await ada.get(`/api/v1/notifications/${rows[1]?.id}`)).status.id, reply)
  assert.equal((await ada.client.v1.notifications.list({ limit: 1 }))[0]?.type, 'status')
})

test('a repeated act notifies once, and undoing it removes the notification', async () => {
  const own = await post(ada, 'mine')
  for (let i = 0; i < 2; i++) await bob.post(`/api/v1/statuses/${own}/favourite`)
  await bob.post(`/api/v1/accounts/${ada.id}/follow`)
  assert.deepEqual(await kinds(ada), ['follow bob', 'favourite bob'])
  await bob.post(`/api/v1/statuses/${own}/unfavourite`)
  await bob.post(`/api/v1/accounts/${ada.id}/unfollow`)
  assert.deepEqual(await kinds(ada), [])
})

test('a further edit replaces the update notification with a newer one', async () => {
  const id = await post(bob, 'first')
  const notifyOfEdit = (): Promise<void> =>
    server.ctx.transaction((tx) => notify(tx, { type: 'update', fromAccountId: bob.id, statusId: id, to: [ada.id] }))
  await notifyOfEdit()
  const [before] = await list(ada)
  await notifyOfEdit()
  const rows = await list(ada)
  assert.equal(rows.length, 1)
  assert.ok(BigInt(rows[0]?.id as string) > BigInt(before?.id as string))
})

test('accounts are not notified of their own acts', async () => {
  const own = await post(ada, `talking to @${ada.username}`)
  await ada.post(`/api/v1/statuses/${own}/favourite`)
  await boost(ada, own)
  assert.deepEqual(await list(ada), [])
})

/** Bob favourites a post by Ada and mentions her; returns the types of her stored notifications. */
async function stored(): Promise<string[]> {
  await bob.send('POST', `/api/v1/statuses/${await post(ada, 'mine')}/favourite`)
  await post(bob, `hello @${ada.username}`)
  const rows = await server.ctx.db.many<{ type: string }>(
    sql`select type from notifications where account_id = ${ada.id} order by id`,
  )
  return rows.map(({ type }) => type)
}

test('blocks in either direction prevent notifications', async () => {
  await ada.post(`/api/v1/accounts/${bob.id}/block`)
  await bob.post(`/api/v1/accounts/${cleo.id}/block`)
  assert.deepEqual(await stored(), [])
  await bob.post(`/api/v1/statuses/${await post(cleo, 'public')}/favourite`)
  assert.deepEqual(await list(cleo), [])
})

test('a mute prevents notifications until it expires, unless it allows them', async () => {
  await ada.post(`/api/v1/accounts/${bob.id}/mute`, { duration: 3600 })
  assert.deepEqual(await stored(), [])
  await server.ctx.db.run(sql`update mutes set expires_at = now() where account_id = ${ada.id}`)
  assert.deepEqual(await stored(), ['favourite', 'mention'])
  await ada.post(`/api/v1/accounts/${bob.id}/mute`, { notifications: false })
  assert.deepEqual(await kinds(ada), ['mention bob', 'favourite bob'])
  assert.equal((await stored()).length, 4)
})

test('a mention is not notified when the post replies to or mentions an account that its recipient hides', async () => {
  const theirs = await post(cleo, 'hello')
  const mentionAlong = async (): Promise<string[]> => {
    await ada.post('/api/v1/notifications/clear')
    await post(bob, `@${ada.username} look`, { in_reply_to_id: theirs })
    await post(bob, `@${ada.username} look, @${cleo.username}`)
    return kinds(ada)
  }
  const both = ['mention bob', 'mention bob']
  assert.deepEqual(await mentionAlong(), both)
  await ada.post(`/api/v1/accounts/${cleo.id}/mute`, { notifications: false })
  assert.deepEqual(await mentionAlong(), both)
  await ada.post(`/api/v1/accounts/${cleo.id}/mute`)
  assert.deepEqual(await mentionAlong(), [])
  await ada.post(`/api/v1/accounts/${cleo.id}/unmute`)
  await ada.post(`/api/v1/accounts/${cleo.id}/block`)
  assert.deepEqual(await mentionAlong(), [])
})

test('accounts of a blocked domain notify only if they are followed', async () => {
  const eve = await remoteAuthor(server, 'eve', `far${round}.test`)
  await server.ctx.db.run(
    sql`insert into account_domain_blocks (account_id, domain) values (${ada.id}, ${`far${round}.test`})`,
  )
  await eve.post('<p>hello</p>', { mentionIds: [ada.id] })
  assert.deepEqual(await list(ada), [])
  await server.ctx.db.run(sql`insert into follows (account_id, target_account_id) values (${ada.id}, ${eve.id})`)
  await eve.post('<p>hello again</p>', { mentionIds: [ada.id] })
  assert.equal((await list(ada)).length, 1)
  await server.ctx.db.run(sql`delete from follows where account_id = ${ada.id}`)
  assert.deepEqual(await list(ada), [], 'an unfollow hides earlier notifications')
})

test('a muted conversation does not notify', async () => {
  const own = await post(ada, 'mine')
  await ada.post(`/api/v1/statuses/${own}/mute`)
  await post(bob, `@${ada.username} well`, { in_reply_to_id: own })
  await bob.post(`/api/v1/statuses/${own}/favourite`)
  assert.deepEqual(await list(ada), [])
})

test('suspended accounts do not notify, and unconfirmed accounts are not notified', async () => {
  const waiting = await server.person(`waiting${round}`, { confirmed: false })
  await post(bob, `hello @${waiting.username}`)
  await server.ctx.db.run(sql`update accounts set suspended_at = now() where id = ${bob.id}`)
  await server.ctx.transaction((tx) => notify(tx, { type: 'follow', fromAccountId: bob.id, to: [ada.id, cleo.id] }))
  assert.deepEqual(await server.ctx.db.many(sql`select from notifications where from_account_id = ${bob.id}`), [])
})

test('later blocks, mutes and suspensions hide notifications, and deleting the post deletes them', async () => {
  await post(bob, `only @${ada.username}`, { visibility: 'direct' })
  const byCleo = await post(cleo, `hello @${ada.username}`)
  assert.deepEqual(await kinds(ada), ['mention cleo', 'mention bob'])
  await server.ctx.db.run(sql`insert into mutes (account_id, target_account_id) values (${ada.id}, ${cleo.id})`)
  assert.deepEqual(await kinds(ada), ['mention bob'])
  await server.ctx.db.run(sql`update mutes set expires_at = now() - interval '1 second' where account_id = ${ada.id}`)
  await server.ctx.db.run(sql`insert into blocks (account_id, target_account_id) values (${bob.id}, ${ada.id})`)
  assert.deepEqual(await kinds(ada), ['mention cleo'])
  await server.ctx.db.run(sql`update accounts set suspended_at = now() where id = ${cleo.id}`)
  assert.deepEqual(await list(ada), [])
  assert.equal((await ada.get('/api/v1/notifications/unread_count')).count, 0)
  await server.ctx.db.run(sql`update accounts set suspended_at = null where id = ${cleo.id}`)
  await cleo.delete(`/api/v1/statuses/${byCleo}`)
  assert.deepEqual(await list(ada), [])
})

test('notifications are filtered by type and account, and paged, 40 by default and 80 at most', async () => {
  const own = await post(ada, 'mine')
  await server.ctx.db.run(sql`
    with people as (insert into accounts (id, username, domain, uri) select 9000000 + ${round}::int * 1000 + n, 'p' || n, ${`crowd${round}.test`}::text, ${`https://crowd${round}.test/`} || n from generate_series(1, 90) n returning id)
    insert into notifications (id, account_id, from_account_id, type) select nextval('notification_sequence'), ${ada.id}, id, 'follow' from people`)
  await bob.post(`/api/v1/statuses/${own}/favourite`)
  await cleo.post(`/api/v1/statuses/${own}/favourite`)
  await boost(bob, own)
  assert.deepEqual(await kinds(ada, 'types[]=favourite'), ['favourite cleo', 'favourite bob'])
  assert.deepEqual(await kinds(ada, 'types[]=favourite&types[]=reblog&exclude_types[]=favourite'), ['reblog bob'])
  assert.deepEqual(await kinds(ada, `account_id=${cleo.id}`), ['favourite cleo'])
  assert.deepEqual(await kinds(ada, 'account_id=nobody'), [])
  assert.deepEqual(await kinds(ada, 'types[]=unheard_of'), [])
  assert.equal((await list(ada)).length, 40)
  assert.equal((await list(ada, 'limit=500')).length, 80)
  const first = await ada.send('GET', '/api/v1/notifications?limit=2&exclude_types[]=reblog')
  const { next, prev } = links(first.headers)
  assert.deepEqual(
    first.json.map(({ type }: Shown) => type),
    ['favourite', 'favourite'],
  )
  assert.match(next ?? '', /limit=2&exclude_types%5B%5D=reblog&max_id=\d+$/)
  const older: Shown[] = (await ada.send('GET', next as string)).json
  assert.deepEqual(
    older.map(({ type }) => type),
    ['follow', 'follow'],
  )
  assert.deepEqual((await ada.send('GET', prev as string)).json, [])
  const back = await list(ada, `exclude_types[]=reblog&limit=2&min_id=${older[0]?.id}`)
  assert.deepEqual(
    back.map(({ id }) => id),
    first.json.map(({ id }: Shown) => id),
  )
})

test('unread_count counts notifications after the marker, up to the limit', async () => {
  const own = await post(ada, 'mine')
  await bob.post(`/api/v1/statuses/${own}/favourite`)
  await cleo.post(`/api/v1/statuses/${own}/favourite`)
  await boost(bob, own)
  const count = async (query = ''): Promise<number> =>
    (await ada.get(`/api/v1/notifications/unread_count${query}`)).count
  assert.deepEqual(
    [await count(), await count('?types[]=reblog'), await count(`?account_id=${cleo.id}`), await count('?limit=2')],
    [3, 1, 1, 2],
  )
  const [, second] = await list(ada)
  await ada.post('/api/v1/markers', { notifications: { last_read_id: second?.id } })
  assert.equal(await count(), 1)
})

test('own notifications can be dismissed by path, by parameter or all at once, but not those of other accounts', async () => {
  const own = await post(ada, 'mine')
  await bob.post(`/api/v1/statuses/${own}/favourite`)
  await cleo.post(`/api/v1/statuses/${own}/favourite`)
  await boost(bob, own)
  const [one, two] = await list(ada)
  assert.equal((await bob.send('POST', `/api/v1/notifications/${one?.id}/dismiss`)).status, 404)
  assert.equal((await bob.send('GET', `/api/v1/notifications/${one?.id}`)).status, 404)
  assert.deepEqual(await ada.post(`/api/v1/notifications/${one?.id}/dismiss`), {})
  assert.equal((await ada.send('POST', `/api/v1/notifications/${one?.id}/dismiss`)).status, 404)
  assert.deepEqual(await ada.post('/api/v1/notifications/dismiss', { id: two?.id }), {})
  assert.equal((await ada.send('POST', '/api/v1/notifications/dismiss')).status, 400)
  assert.equal((await list(ada)).length, 1)
  assert.deepEqual(await ada.post('/api/v1/notifications/clear'), {})
  assert.deepEqual(await list(ada), [])
})

test('a post notifies thousands of followers at once, each with an id of its own', async () => {
  await server.ctx.db.run(sql`
    with people as (insert into accounts (id, username) select 8000000 + n, 'crowd' || n from generate_series(1, 2000) n returning id),
      logins as (insert into users (id, account_id, email, password_hash, confirmed_at) select id, id, id || '@crowd.test', '', now() from people)
    insert into follows (account_id, target_account_id, notify) select id, ${bob.id}, true from people`)
  const id = await post(bob, 'news')
  const { n, distinct } = await server.ctx.db.one<{ n: number; distinct: number }>(sql`
    select count(*)::int as n, count(distinct id)::int as distinct from notifications where status_id = ${id} and type = 'status'`)
  assert.deepEqual([n, distinct], [2000, 2000])
})
