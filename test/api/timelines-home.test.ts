import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { deleteStatuses, fanOutHome } from '../support/acts.ts'
import { sql } from '../support/database.ts'
import { insertStatus, mergeIntoHome } from '../support/internals.ts'
import { eventually, type Person } from '../support/server.ts'
import { beforeCommit } from '../support/races.ts'
import { stage } from '../support/stage.ts'
import {
  boost,
  follow,
  home,
  links,
  loseFeeds,
  post,
  rebuiltHome,
  storedHome,
  remoteAuthor,
} from '../support/timelines.ts'

let ada: Person
let bob: Person
let cleo: Person
let dan: Person
let round = 0

const { server } = await stage()

// Each test has its own accounts. Ada follows Bob, not Cleo and Dan.
beforeEach(async () => {
  round++
  const named = (name: string): Promise<Person> => server.person(`${name}${round}`)
  ;[ada, bob, cleo, dan] = await Promise.all([named('ada'), named('bob'), named('cleo'), named('dan')])
  await home(ada)
  await follow(server, ada, bob)
})

const feed = (): Promise<string[]> => rebuiltHome(server, ada)

test('the home timeline has own posts and posts of followed accounts', async () => {
  const own = await post(ada, 'mine')
  const theirs = await post(bob, 'of bob')
  await post(cleo, 'of cleo')
  assert.deepEqual(await feed(), [theirs, own])
})

test('following adds earlier posts, unfollowing removes them', async () => {
  const early = await post(cleo, 'early')
  assert.deepEqual(await feed(), [])
  await follow(server, ada, cleo)
  assert.deepEqual(await feed(), [early])
  await ada.post(`/api/v1/accounts/${cleo.id}/unfollow`)
  assert.deepEqual(await home(ada), [])
  await server.drain()
  assert.deepEqual(await feed(), [])
})

test('a boost that is deleted while its author is followed does not hide later boosts', async () => {
  const stray = await post(cleo, 'boosted by many')
  const deleted = await boost(dan, stray)
  await server.ctx.db.run(sql`insert into follows (account_id, target_account_id) values (${ada.id}, ${dan.id})`)
  await beforeCommit(
    server,
    (tx) => deleteStatuses(tx, [deleted], { authorId: dan.id }),
    () => mergeIntoHome(server.ctx, ada.id, dan.id),
  )
  const later = await boost(bob, stray)
  assert.deepEqual(await home(ada), [later])
})

test('private posts reach followers, direct posts only the mentioned accounts', async () => {
  const hidden = await post(bob, 'for followers', { visibility: 'private' })
  await post(bob, `only for @${cleo.username}`, { visibility: 'direct' })
  const direct = await post(bob, `only for @${ada.username}`, { visibility: 'direct' })
  assert.deepEqual(await feed(), [direct, hidden])
})

test('replies to followed accounts, to the viewer and within own threads appear, replies to other accounts do not', async () => {
  const [stray, mine, thread] = [await post(cleo, 'of a stranger'), await post(ada, 'mine'), await post(bob, 'thread')]
  await post(bob, 'to a stranger', { in_reply_to_id: stray })
  const toMe = await post(bob, 'to me', { in_reply_to_id: mine })
  const onwards = await post(bob, 'thread, continued', { in_reply_to_id: thread })
  await follow(server, ada, dan)
  const toFollowed = await post(dan, 'to bob', { in_reply_to_id: thread })
  assert.deepEqual(await feed(), [toFollowed, onwards, toMe, thread, mine])
})

test('a reply to an unknown parent does not appear', async () => {
  const eve = await remoteAuthor(server, 'eve', `unknown-parent${round}.test`)
  await server.ctx.db.run(sql`insert into follows (account_id, target_account_id) values (${ada.id}, ${eve.id})`)
  const known = await eve.post('<p>to all</p>')
  await server.ctx.transaction(async (tx) => {
    const draft = {
      accountId: eve.id,
      local: false,
      visibility: 'public' as const,
      content: '<p>to whom?</p>',
      uri: 'https://nowhere.test/2',
      inReplyToUri: 'https://nowhere.test/1',
    }
    await fanOutHome(tx, (await insertStatus(tx, draft)).id)
  })
  assert.deepEqual(await feed(), [known])
})

test('boosts appear unless the follow turns them off', async () => {
  const original = await post(cleo, 'worth it')
  await follow(server, ada, dan, { reblogs: false })
  const shown = await boost(bob, original)
  await boost(dan, await post(cleo, 'another'))
  assert.deepEqual(await feed(), [shown])
})

test('a post among the newest forty entries is not shown again by a boost', async () => {
  await follow(server, ada, dan)
  const original = await post(bob, 'seen already')
  await boost(dan, original)
  const stray = await post(cleo, 'new to ada')
  const first = await boost(bob, stray)
  await boost(dan, stray)
  assert.deepEqual(await feed(), [first, original])
})

test('when a boost is undone, the next one shows the post', async () => {
  await follow(server, ada, dan)
  const stray = await post(cleo, 'boosted by many')
  await boost(bob, stray)
  const [second, own] = [await boost(dan, stray), await boost(ada, stray)]
  await post(bob, 'between')
  await bob.post(`/api/v1/statuses/${stray}/unreblog`)
  const between = (await home(ada))[0]
  assert.deepEqual(await storedHome(server, ada), [between, second])
  assert.deepEqual(await feed(), [between, second], 'as in a feed that is built again')
  await dan.post(`/api/v1/statuses/${stray}/unreblog`)
  assert.deepEqual(await home(ada), [between, own])
  await ada.post(`/api/v1/statuses/${stray}/unreblog`)
  assert.deepEqual(await home(ada), [between])
})

test('when two boosts are undone at once, the third shows the post', async () => {
  await follow(server, ada, dan)
  const stray = await post(cleo, 'boosted by many')
  const [, , own] = [await boost(bob, stray), await boost(dan, stray), await boost(ada, stray)]
  const undo = (who: Person): Promise<unknown> => who.post(`/api/v1/statuses/${stray}/unreblog`)
  // Both wait for the counter after they have left the feed. The one that the feed had goes first.
  await beforeCommit(
    server,
    (tx) => tx.db.run(sql`select from status_stats where status_id = ${stray} for update`),
    async () => {
      const first = undo(bob)
      const waiting = sql`select from pg_locks where not granted`
      await eventually(async () => (await server.ctx.db.many(waiting)).length > 0)
      await Promise.all([first, undo(dan)])
    },
    { waiting: 2 },
  )
  assert.deepEqual(await home(ada), [own])
})

test('a boost that waits for approval does not replace an undone one', async () => {
  await follow(server, ada, dan)
  const stray = await post(cleo, 'boosted with approval')
  await boost(bob, stray)
  const pending = await boost(dan, stray)
  await server.ctx.db.run(sql`update statuses set approval = 'pending' where id = ${pending}`)
  await bob.post(`/api/v1/statuses/${stray}/unreblog`)
  assert.deepEqual(await storedHome(server, ada), [])
})

test('own boosts do not show a post again either', async () => {
  const read = await post(bob, 'seen already')
  const own = await post(ada, 'mine')
  const other = await post(cleo, 'new to ada')
  for (const id of [read, own]) await boost(ada, id)
  const shown = await boost(ada, other)
  assert.deepEqual(await feed(), [shown, own, read])
})

test('a boost shows a post again after forty other entries', async () => {
  await follow(server, ada, dan)
  const original = await post(bob, 'long ago')
  for (let i = 0; i < 39; i++) await post(bob, `number ${i}`)
  await boost(dan, original)
  assert.equal((await storedHome(server, ada)).length, 40)
  await dan.post(`/api/v1/statuses/${original}/unreblog`)
  await post(bob, 'number 40')
  const again = await boost(dan, original)
  assert.equal((await feed())[0], again)
})

test('the languages of a follow limit posts and boosts; posts without a language appear', async () => {
  const eve = await remoteAuthor(server, 'eve', `languages${round}.test`)
  await server.ctx.db.run(
    sql`insert into follows (account_id, target_account_id, languages) values (${ada.id}, ${eve.id}, '{de}')`,
  )
  const german = await eve.post('<p>auf Deutsch</p>', { language: 'de' })
  await eve.post('<p>in English</p>', { language: 'en' })
  const neither = await eve.post('<p>42</p>')
  const boosted = await eve.boost(await post(cleo, 'Deutsch', { language: 'de' }))
  await eve.boost(await post(cleo, 'English', { language: 'en' }))
  assert.deepEqual(await feed(), [boosted, neither, german])
})

test('boosts and mentions of blocked accounts, and boosts of blocking ones, are hidden', async () => {
  await ada.post(`/api/v1/accounts/${cleo.id}/block`)
  await dan.post(`/api/v1/accounts/${ada.id}/block`)
  await boost(bob, await post(cleo, 'of somebody blocked'))
  await boost(bob, await post(dan, 'of somebody who blocks'))
  await post(bob, `hello @${cleo.username}`)
  assert.deepEqual(await feed(), [])
})

test('a new block, mute or domain block hides boosts at once, and a block mentions', async () => {
  const eve = await remoteAuthor(server, 'eve', `far${round}.test`)
  const [byCleo, byDan, byEve] = [await post(cleo, 'c'), await post(dan, 'd'), await eve.post('<p>e</p>')]
  const boosts = [await boost(bob, byCleo), await boost(bob, byDan), await boost(bob, byEve)]
  const mention = await post(bob, `hello @${cleo.username}`)
  assert.deepEqual(await home(ada), [mention, ...boosts.toReversed()])
  await ada.post(`/api/v1/accounts/${cleo.id}/block`)
  assert.deepEqual(await home(ada), [boosts[2], boosts[1]])
  await ada.post(`/api/v1/accounts/${dan.id}/mute`)
  assert.deepEqual(await home(ada), [boosts[2]])
  await server.ctx.db.run(
    sql`insert into account_domain_blocks (account_id, domain) values (${ada.id}, ${`far${round}.test`})`,
  )
  assert.deepEqual(await home(ada), [])
  await loseFeeds(server)
  assert.deepEqual(await home(ada), [])
})

test('a mute with a duration ends in time', async () => {
  await ada.post(`/api/v1/accounts/${cleo.id}/mute`, { duration: 3600 })
  await boost(bob, await post(cleo, 'while muted'))
  assert.deepEqual(await feed(), [])
  await server.ctx.db.run(sql`update mutes set expires_at = now() where account_id = ${ada.id}`)
  const later = await boost(bob, await post(cleo, 'afterwards'))
  assert.equal((await home(ada))[0], later)
})

test('deleted posts and posts of suspended accounts disappear; posts of silenced ones stay for followers', async () => {
  const [remaining, deleted] = [await post(bob, 'kept'), await post(bob, 'gone')]
  assert.equal((await bob.send('DELETE', `/api/v1/statuses/${deleted}`)).status, 200)
  assert.deepEqual(await home(ada), [remaining])
  await server.ctx.db.run(sql`update accounts set silenced_at = now() where id = ${bob.id}`)
  assert.deepEqual(await home(ada), [remaining])
  await server.ctx.db.run(sql`update accounts set suspended_at = now() where id = ${bob.id}`)
  assert.deepEqual(await home(ada), [])
})

test('pagination works in both directions with links that preserve other parameters', async () => {
  const ids: string[] = []
  for (let i = 0; i < 5; i++) ids.unshift(await post(bob, `number ${i}`))
  const first = await ada.send('GET', '/api/v1/timelines/home?limit=2')
  assert.deepEqual(
    first.json.map(({ id }: { id: string }) => id),
    ids.slice(0, 2),
  )
  const { next, prev } = links(first.headers)
  assert.match(
    next ?? '',
    new RegExp(`^${server.ctx.config.baseUrl}/api/v1/timelines/home\\?limit=2&max_id=${ids[1]}$`),
  )
  assert.match(prev ?? '', new RegExp(`limit=2&min_id=${ids[0]}$`))
  assert.deepEqual(await home(ada, `&limit=2&max_id=${ids[1]}`), ids.slice(2, 4))
  assert.deepEqual(await home(ada, `&limit=2&min_id=${ids[4]}`), ids.slice(2, 4), 'right after the cursor')
  assert.deepEqual(await home(ada, `&limit=2&since_id=${ids[4]}`), ids.slice(0, 2), 'the newest after the cursor')
  assert.deepEqual(await home(ada, `&max_id=${ids[1]}&min_id=${ids[4]}`), ids.slice(2, 4))
  const last = await ada.send('GET', `/api/v1/timelines/home?max_id=${ids[4]}`)
  assert.deepEqual([last.json, last.headers.get('link')], [[], null])
  const end = await ada.send('GET', `/api/v1/timelines/home?limit=40&max_id=${ids[3]}`)
  assert.deepEqual(Object.keys(links(end.headers)), ['next', 'prev'])
})
