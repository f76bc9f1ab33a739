// DELETE /api/v1/statuses/:id
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../support/database.ts'
import { pngOf } from '../support/images.ts'
import { type BusMessage } from '../support/internals.ts'
import { type Person } from '../support/server.ts'
import { stage } from '../support/stage.ts'

const { server, ada, bob } = await stage({ accounts: ['ada', 'bob'] })

const post = (who: Person, json: object): Promise<any> => who.post('/api/v1/statuses', json)
const count = async (who: Person): Promise<number> =>
  (await who.get('/api/v1/accounts/verify_credentials')).statuses_count

async function upload(): Promise<{ id: string; url: string }> {
  const png = await pngOf(8, 6, '#33c')
  const form = new FormData()
  form.set('file', new Blob([png], { type: 'image/png' }), 'a.png')
  return (await ada.send('POST', '/api/v2/media', { form })).json
}

test('deleting a post returns what a redraft needs', async () => {
  const medium = await upload()
  const status = await post(ada, { status: 'Hello *you* @bob', spoiler_text: 'cw', media_ids: [medium.id] })
  const answer = await ada.send('DELETE', `/api/v1/statuses/${status.id}`)
  assert.equal(answer.status, 200)
  assert.deepEqual(
    [answer.json.id, answer.json.text, answer.json.spoiler_text, answer.json.media_attachments[0].id],
    [status.id, 'Hello *you* @bob', 'cw', medium.id],
  )
  const { statuses_count } = await ada.get('/api/v1/accounts/verify_credentials')
  assert.equal(answer.json.account.statuses_count, statuses_count)
  assert.equal((await ada.send('GET', `/api/v1/statuses/${status.id}`)).status, 404)
  const again = await post(ada, { status: answer.json.text, media_ids: [medium.id] })
  assert.equal(again.media_attachments[0].id, medium.id)
})

test('delete_media deletes the media and their files', async () => {
  const medium = await upload()
  const status = await post(ada, { media_ids: [medium.id] })
  assert.equal((await ada.send('DELETE', `/api/v1/statuses/${status.id}?delete_media=true`)).status, 200)
  assert.equal((await ada.send('GET', `/api/v1/media/${medium.id}`)).status, 404)
  assert.equal((await server.send('GET', new URL(medium.url).pathname)).status, 404)
})

test('deleting a post removes its boosts, notifications, bookmarks and favourites and updates counters', async () => {
  const parent = await post(ada, { status: 'parent' })
  const before = { ada: await count(ada), bob: await count(bob) }
  const status = await post(ada, { status: 'hello @bob', in_reply_to_id: parent.id })
  const boost = await bob.post(`/api/v1/statuses/${status.id}/reblog`)
  await bob.post(`/api/v1/statuses/${status.id}/bookmark`)
  await bob.post(`/api/v1/statuses/${status.id}/favourite`)
  const reply = await post(bob, { status: 'stays', in_reply_to_id: status.id })
  assert.equal((await ada.get(`/api/v1/statuses/${parent.id}`)).replies_count, 1)
  await ada.send('DELETE', `/api/v1/statuses/${status.id}`)
  assert.equal((await server.send('GET', `/api/v1/statuses/${boost.id}`)).status, 404)
  assert.equal((await ada.get(`/api/v1/statuses/${parent.id}`)).replies_count, 0)
  assert.deepEqual({ ada: await count(ada), bob: await count(bob) }, { ada: before.ada, bob: before.bob + 1 })
  assert.deepEqual(await bob.get('/api/v1/bookmarks'), [])
  assert.deepEqual(await bob.get('/api/v1/favourites'), [])
  assert.deepEqual(
    (await bob.get('/api/v1/notifications')).filter((notification: any) => notification.status?.id === status.id),
    [],
  )
  const orphan = await bob.get(`/api/v1/statuses/${reply.id}`)
  assert.deepEqual([orphan.in_reply_to_id, orphan.in_reply_to_account_id], [null, ada.id])
})

test('concurrent deletions succeed once and count once', async () => {
  const before = await count(ada)
  const status = await post(ada, { status: 'short' })
  const answers = await Promise.all(
    Array.from({ length: 6 }, () => ada.send('DELETE', `/api/v1/statuses/${status.id}`)),
  )
  assert.deepEqual(answers.map((answer) => answer.status).toSorted(), [200, 404, 404, 404, 404, 404])
  assert.equal(await count(ada), before)
})

test('the posts of other accounts cannot be deleted', async () => {
  const status = await post(ada, { status: 'mine' })
  assert.equal((await bob.send('DELETE', `/api/v1/statuses/${status.id}`)).status, 404)
  assert.equal((await server.send('DELETE', `/api/v1/statuses/${status.id}`)).status, 401)
  assert.equal((await ada.send('GET', `/api/v1/statuses/${status.id}`)).status, 200)
})

test('deleting a boost by its id leaves the original post', async () => {
  const status = await post(ada, { status: 'stays' })
  const boost = await bob.post(`/api/v1/statuses/${status.id}/reblog`)
  assert.equal((await bob.send('DELETE', `/api/v1/statuses/${boost.id}`)).status, 200)
  const after = await bob.get(`/api/v1/statuses/${status.id}`)
  assert.deepEqual([after.reblogs_count, after.reblogged], [0, false])
})

test('a deleted post leaves home timelines, and its deletion and those of its boosts are streamed', async () => {
  const fan = await server.person('fan')
  await fan.post(`/api/v1/accounts/${ada.id}/follow`)
  await fan.get('/api/v1/timelines/home')
  const status = await post(ada, { status: 'for fans #tagged' })
  const boost = await bob.post(`/api/v1/statuses/${status.id}/reblog`)
  assert.equal((await fan.get('/api/v1/timelines/home'))[0].id, status.id)
  const received: BusMessage[] = []
  const stop = server.ctx.subscribe((message) => void received.push(message))
  await ada.send('DELETE', `/api/v1/statuses/${status.id}`)
  stop()
  assert.deepEqual(
    (await fan.get('/api/v1/timelines/home')).filter((entry: any) => entry.id === status.id),
    [],
  )
  const deletions = received.filter((message) => message.type === 'status.deleted')
  assert.deepEqual(
    deletions.map(({ id }) => id),
    [status.id, boost.id],
  )
  assert.deepEqual(deletions[0]?.tags, ['tagged'])
  assert(deletions[0]?.remainingIn.includes(fan.id))
})

test('a deletion leaves a tombstone and is sent to the servers that may have the post', async () => {
  const [follower, mentioned] = ['900001', '900002']
  await server.ctx.db.run(sql`
    insert into accounts (id, username, domain, uri) select id, 'someone' || id, 'peer.test', 'https://peer.test/' || id from unnest(${[follower, mentioned]}::bigint[]) id`)
  const unheard = await post(bob, { status: 'nobody elsewhere knows' })
  await bob.send('DELETE', `/api/v1/statuses/${unheard.id}`)
  await server.ctx.db.run(sql`insert into follows (account_id, target_account_id) values (${follower}, ${ada.id})`)
  const status = await post(ada, { status: `hi @someone${mentioned}@peer.test` })
  assert.equal(status.mentions[0].acct, `someone${mentioned}@peer.test`)
  await ada.send('DELETE', `/api/v1/statuses/${status.id}`)
  const jobs = await server.ctx.db.many<{ data: any }>(
    sql`select data from pgboss.job where name = 'federation.distribute' order by created_on`,
  )
  const about = (id: string) => jobs.map(({ data }) => data).filter((data) => data.statusId === id)
  assert.deepEqual(about(unheard.id), [])
  assert.deepEqual(about(status.id), [
    { activity: 'create', statusId: status.id },
    { activity: 'delete', accountId: ada.id, statusId: status.id, visibility: 'public', to: [mentioned] },
  ])
  assert(await server.ctx.db.maybe(sql`select from tombstones where uri = ${status.uri}`))
})
