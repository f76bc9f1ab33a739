// Domains that an account blocks for itself.
import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { blockDomain, follow as followIn } from '../support/acts.ts'
import { eventually } from '../support/eventually.ts'
import { distributed } from '../support/remote.ts'
import { type Person } from '../support/server.ts'
import { stage } from '../support/stage.ts'
import {
  boost,
  follow,
  home,
  idsOf,
  links,
  post,
  storedHome,
  remoteAuthor,
  type RemoteAuthor,
} from '../support/timelines.ts'

let ada: Person
let bob: Person
let eve: RemoteAuthor
let fay: RemoteAuthor
let domain: string
let round = 0

const { server } = await stage()

// Eve and Fay are remote accounts of the domain. Ada follows Eve, Fay follows Ada.
beforeEach(async () => {
  round++
  domain = `away${round}.test`
  ;[ada, bob] = await Promise.all([server.person(`ada${round}`), server.person(`bob${round}`)])
  ;[eve, fay] = await Promise.all([remoteAuthor(server, 'eve', domain), remoteAuthor(server, 'fay', domain)])
  await insertFollow(ada.id, eve.id, 'https://x.test/1')
  await insertFollow(fay.id, ada.id, `https://${domain}/follows/${round}`)
})

/** Inserts an accepted follow and updates the counters. */
async function insertFollow(from: string, to: string, uri: string): Promise<void> {
  await server.database.raw('insert into follows (account_id, target_account_id, uri) values ($1, $2, $3)', [
    from,
    to,
    uri,
  ])
  await server.database.raw('update account_stats set following_count = following_count + 1 where account_id = $1', [
    from,
  ])
  await server.database.raw('update account_stats set followers_count = followers_count + 1 where account_id = $1', [
    to,
  ])
}
const set = (who: Person, name: string) => who.send('POST', '/api/v1/domain_blocks', { json: { domain: name } })
const blocked = (who: Person): Promise<string[]> => who.get('/api/v1/domain_blocks')
const relation = async (id: string): Promise<any> => (await ada.get(`/api/v1/accounts/relationships?id=${id}`))[0]

test('a domain can be blocked, listed and unblocked; repeating changes nothing', async () => {
  assert.deepEqual((await set(ada, domain.toUpperCase())).json, {})
  assert.deepEqual((await set(ada, domain)).json, {})
  assert.deepEqual(await blocked(ada), [domain])
  assert.deepEqual(await blocked(bob), [])
  assert.equal((await relation(eve.id)).domain_blocking, true)
  assert.deepEqual((await ada.send('DELETE', '/api/v1/domain_blocks', { form: { domain } })).json, {})
  assert.deepEqual((await ada.send('DELETE', `/api/v1/domain_blocks?domain=${domain}`)).json, {})
  assert.deepEqual(await blocked(ada), [])
  assert.equal((await relation(eve.id)).following, false, 'unblocking does not restore follows')
})

test('invalid domains and the domain of this server are refused', async () => {
  for (const name of ['not a domain', 'https://far.test/', 'user@far.test', 'a..b', 'x'.repeat(600), server.domain]) {
    for (const [method, path] of [
      ['POST', ''],
      ['DELETE', ''],
      ['GET', '/preview'],
    ] as const) {
      const answer = await ada.send(method, `/api/v1/domain_blocks${path}?domain=${encodeURIComponent(name)}`)
      assert.equal(answer.status, 422, `${method} ${name}`)
    }
  }
  for (const [method, path] of [
    ['POST', ''],
    ['POST', '?domain='],
    ['DELETE', ''],
    ['GET', '/preview'],
  ] as const) {
    const answer = await ada.send(method, `/api/v1/domain_blocks${path}`)
    assert.deepEqual([answer.status, answer.json.error], [422, "Validation failed: Domain can't be blank"], method)
  }
  for (const name of ['.a.test', '*.far.test', 'a.test,b.test', `${'x'.repeat(64)}.test`])
    assert.equal((await set(ada, name)).status, 422, name)
  assert.deepEqual(await blocked(ada), [])
  assert.equal((await set(ada, 'bücher.test')).status, 200)
  assert.deepEqual(await blocked(ada), ['xn--bcher-kva.test'])
})

test('blocked domains are paginated in both directions', async () => {
  const names = Array.from({ length: 5 }, (_, i) => `d${i}.${domain}`)
  for (const name of names) await set(ada, name)
  const newest = names.toReversed()
  const first = await ada.send('GET', '/api/v1/domain_blocks?limit=2')
  assert.deepEqual(first.json, newest.slice(0, 2))
  const second = await ada.send('GET', links(first.headers).next as string)
  const third = await ada.send('GET', links(second.headers).next as string)
  assert.deepEqual([...second.json, ...third.json], newest.slice(2))
  assert.equal(links(third.headers).next, undefined)
  assert.deepEqual((await ada.send('GET', links(third.headers).prev as string)).json, newest.slice(2, 4))
})

test('blocking a domain ends follows in both directions, sends the activities and removes requests, list entries, endorsements and notifications', async () => {
  const gus = await remoteAuthor(server, 'gus', domain)
  const other = await remoteAuthor(server, 'other', `else${round}.test`)
  await insertFollow(ada.id, other.id, 'https://x.test/2')
  await ada.post(`/api/v1/accounts/${gus.id}/follow`)
  await server.database.raw('insert into follow_requests (account_id, target_account_id, uri) values ($1, $2, $3)', [
    gus.id,
    ada.id,
    `https://${domain}/asks`,
  ])
  await ada.post(`/api/v1/accounts/${eve.id}/endorse`)
  const { id: list } = await ada.post('/api/v1/lists', { title: 'x' })
  await ada.post(`/api/v1/lists/${list}/accounts`, { account_ids: [eve.id, gus.id, other.id] })
  await eve.post('<p>hello</p>', { mentionIds: [ada.id] })
  assert.equal((await ada.get('/api/v1/notifications')).length, 1)
  assert.deepEqual(await ada.get(`/api/v1/domain_blocks/preview?domain=${domain}`), {
    following_count: 1,
    followers_count: 1,
  })
  assert.deepEqual(await ada.get('/api/v1/domain_blocks/preview?domain=nowhere.test'), {
    following_count: 0,
    followers_count: 0,
  })

  await set(ada, domain)
  await server.drain()
  for (const id of [eve.id, fay.id, gus.id]) {
    const { following, followed_by, requested, requested_by, endorsed } = await relation(id)
    assert.deepEqual([following, followed_by, requested, requested_by, endorsed], [false, false, false, false, false])
  }
  const { following_count, followers_count } = await ada.get('/api/v1/accounts/verify_credentials')
  assert.deepEqual([following_count, followers_count], [1, 0])
  assert.deepEqual(await idsOf(ada, `/api/v1/lists/${list}/accounts`), [other.id])
  assert.deepEqual(
    (await ada.get('/api/v1/notifications')).map(({ type }: { type: string }) => type),
    ['severed_relationships'],
  )
  const activities = (await distributed(server, ada.id))
    .slice(-4)
    .map(({ activity, undo, accepted, targetAccountId, followUri }) => [
      activity,
      undo ?? accepted,
      targetAccountId,
      followUri,
    ])
  assert.deepEqual(
    new Set(activities.map((item) => JSON.stringify(item))),
    new Set([
      JSON.stringify(['follow', true, gus.id, undefined]),
      JSON.stringify(['follow', true, eve.id, undefined]),
      JSON.stringify(['answer-follow', false, gus.id, `https://${domain}/asks`]),
      JSON.stringify(['answer-follow', false, fay.id, `https://${domain}/follows/${round}`]),
    ]),
  )
})

test('blockDomain returns the number of ended follows, once', async () => {
  assert.deepEqual(await blockDomain(server.ctx, ada.id, domain), { following: 1, followers: 1 })
  assert.deepEqual(await blockDomain(server.ctx, ada.id, domain), { following: 0, followers: 0 })
})

test('posts from a blocked domain leave the home and public timelines at once', async () => {
  await home(ada)
  await follow(server, ada, bob)
  const byEve = await eve.post('<p>hello</p>')
  const boosted = await boost(bob, byEve)
  const byBob = await post(bob, 'hello')
  assert.deepEqual(await home(ada), [byBob, byEve])
  await set(ada, domain)
  assert.deepEqual(await home(ada), [byBob])
  assert.equal((await idsOf(ada, '/api/v1/timelines/public')).includes(byEve), false)
  assert.equal((await idsOf(bob, '/api/v1/timelines/public')).includes(byEve), true)
  await server.drain()
  assert.deepEqual(await storedHome(server, ada), [byBob])
  await ada.send('DELETE', '/api/v1/domain_blocks', { json: { domain } })
  await server.drain()
  assert.deepEqual(await home(ada), [byBob, boosted], 'after unblocking, boosts of its posts are shown again')
})

test('after a domain block neither side can follow the other, and known accounts can still be fetched', async () => {
  await set(ada, domain)
  assert.equal((await ada.send('POST', `/api/v1/accounts/${eve.id}/follow`)).status, 403)
  assert.equal(
    await followIn(server.ctx, { accountId: fay.id, targetAccountId: ada.id, uri: `https://${domain}/again` }),
    'refused',
  )
  assert.equal((await ada.send('GET', `/api/v1/accounts/${eve.id}`)).status, 200)
})

test('a concurrent follow and domain block leave no follow', async () => {
  for (let i = 0; i < 10; i++) {
    await Promise.all([
      followIn(server.ctx, { accountId: fay.id, targetAccountId: ada.id, uri: `https://${domain}/race/${i}` }),
      blockDomain(server.ctx, ada.id, domain),
    ])
    const { rows } = await server.database.raw(
      'select id from follows where account_id = $1 and target_account_id = $2',
      [fay.id, ada.id],
    )
    assert.deepEqual(rows, [])
    const { followers_count } = await ada.get('/api/v1/accounts/verify_credentials')
    assert.equal(followers_count, 0)
    await ada.send('DELETE', '/api/v1/domain_blocks', { json: { domain } })
  }
})

test('a follower who blocks the domain to which an account moves at this moment does not move along', async () => {
  const [fan, old] = [await server.person('fan'), await server.person('leaving')]
  const target = await remoteAuthor(server, 'arriving', 'moved.test')
  await fan.post(`/api/v1/accounts/${old.id}/follow`)
  await server.database.raw('update accounts set moved_to_id = $2 where id = $1', [old.id, target.id])
  const waiting = `select from pg_stat_activity where wait_event = 'advisory' and datname = current_database()`
  const requested = 'select from follow_requests where account_id = $1'
  await server.ctx.transaction(async (tx) => {
    await blockDomain(tx, fan.id, 'moved.test')
    await server.ctx.enqueue('portability.followers', { accountId: old.id, targetAccountId: target.id })
    await eventually(
      async () =>
        (await server.database.raw(waiting)).rows.length > 0 ||
        (await server.database.raw(requested, [fan.id])).rows.length > 0,
    )
  })
  await server.drain()
  assert.deepEqual((await server.database.raw(requested, [fan.id])).rows, [])
})
