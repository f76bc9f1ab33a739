// Building home feeds: concurrent posts, jobs and many follows.
import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import { endFollow, fanOutHome, withdrawReply } from '../support/acts.ts'
import { sql } from '../support/database.ts'
import { insertStatus, mergeIntoHome } from '../support/internals.ts'
import { eventually, type Person } from '../support/server.ts'
import { stage } from '../support/stage.ts'
import { listen } from '../streaming/listen.ts'
import { boost, follow, home, loseFeeds, post, rebuiltHome, storedHome } from '../support/timelines.ts'

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

// What a failed test has not released would hold up the server, and so the end of the file.
const held = new Set<() => Promise<void>>()
afterEach(async () => void (await Promise.all([...held].map((release) => release()))))

function untilReleased(release: () => Promise<void>): () => Promise<void> {
  const once = async (): Promise<void> => {
    if (held.delete(once)) await release()
  }
  held.add(once)
  return once
}

const feed = (): Promise<string[]> => rebuiltHome(server, ada)

/** Creates a post whose transaction is committed when `finish` is called. */
async function slowPost(author: Person): Promise<{ id: string; finish(): Promise<void> }> {
  const [written, finished] = [Promise.withResolvers<string>(), Promise.withResolvers<void>()]
  const posting = server.ctx.transaction(async (tx) => {
    const { id } = await insertStatus(tx, {
      accountId: author.id,
      local: true,
      visibility: 'public',
      content: '<p>slowly</p>',
    })
    await fanOutHome(tx, id)
    written.resolve(id)
    await finished.promise
  })
  // A post that fails before it is written ends the wait.
  posting.catch(written.reject)
  const id = await written.promise
  const finish = untilReleased(async () => {
    finished.resolve()
    await posting
  })
  return { id, finish }
}

const untilLockIsAwaited = (): Promise<true> =>
  eventually(
    async () =>
      (await server.ctx.db.many(sql`select from pg_locks where locktype = 'advisory' and not granted`)).length > 0 ||
      null,
  )

/** Waits until so many transactions wait for the end of another. */
const untilWaiting = (count: number): Promise<true> =>
  eventually(
    async () =>
      (await server.ctx.db.many(sql`select from pg_locks where locktype in ('transactionid', 'tuple') and not granted`))
        .length >= count || null,
  )

test('a feed built during concurrent posts has each post once', async () => {
  await loseFeeds(server)
  const [posted, ...pages] = await Promise.all([
    Promise.all(Array.from({ length: 12 }, (_, i) => post(bob, `at the same time ${i}`))),
    ...Array.from({ length: 4 }, () => home(ada)),
  ])
  assert.equal(pages.length, 4)
  assert.deepEqual((await storedHome(server, ada)).toSorted(), posted.toSorted())
})

test('a follow merged during concurrent posts misses none', async () => {
  const [, ...posted] = await Promise.all([
    follow(server, ada, cleo),
    ...Array.from({ length: 10 }, (_, i) => post(cleo, `at the same time ${i}`)),
  ])
  await server.drain()
  assert.deepEqual((await storedHome(server, ada)).toSorted(), posted.toSorted())
})

test('building a feed waits for uncommitted posts', async () => {
  await loseFeeds(server)
  const { id, finish } = await slowPost(bob)
  const reading = home(ada)
  await untilLockIsAwaited()
  await finish()
  assert.deepEqual(await reading, [id])
})

test('merging a follow waits for uncommitted posts', async () => {
  const { id, finish } = await slowPost(cleo)
  await server.ctx.db.run(sql`insert into follows (account_id, target_account_id) values (${ada.id}, ${cleo.id})`)
  const merging = mergeIntoHome(server.ctx, ada.id, cleo.id)
  await untilLockIsAwaited()
  await finish()
  await merging
  assert.deepEqual(await feed(), [id])
})

test('a feed that is built while a follow ends has nothing of it', async () => {
  await post(bob, 'before')
  await loseFeeds(server)
  const ended = Promise.withResolvers<void>()
  const finished = Promise.withResolvers<void>()
  const unfollowing = server.ctx.transaction(async (tx) => {
    await endFollow(tx, ada.id, bob.id)
    ended.resolve()
    await finished.promise
  })
  unfollowing.catch(ended.reject)
  const finish = untilReleased(async () => {
    finished.resolve()
    await unfollowing
  })
  await ended.promise
  const reading = home(ada)
  // Either waits for the other.
  await Promise.race([reading, untilLockIsAwaited()])
  await finish()
  await reading
  await server.drain()
  assert.deepEqual(await storedHome(server, ada), [])
})

test('a follow that ends while a feed is built leaves nothing in it', async () => {
  const id = await post(bob, 'before')
  await loseFeeds(server)
  // The build waits for this entry after it has read the follows.
  const blocker = await server.database.dedicated()
  const release = untilReleased(() => blocker.end())
  await blocker.query('begin')
  await blocker.query(
    `insert into home_feed (account_id, status_id, original_id, author_id) values (${ada.id}, ${id}, ${id}, ${bob.id})`,
  )
  const reading = home(ada)
  await untilWaiting(1)
  await ada.post(`/api/v1/accounts/${bob.id}/unfollow`)
  const isMerged = (): Promise<true> =>
    eventually(
      async () =>
        (await server.ctx.db.maybe(sql`select from pgboss.job where name = 'fanout.merge' and state = 'completed'
        and data->>'targetAccountId' = ${bob.id}`)) !== null || null,
    )
  await Promise.race([untilWaiting(2), isMerged()])
  await release()
  await reading
  await server.drain()
  assert.deepEqual(await storedHome(server, ada), [])
})

/** Posts as Bob does who has too many followers for the transaction. The job waits for `release`. */
async function postToMany(more: { inReplyToId?: string } = {}): Promise<{ id: string; release(): Promise<void> }> {
  const blocker = await server.database.dedicated()
  const release = untilReleased(() => blocker.end())
  const id = await server.ctx.transaction(async (tx) => {
    const status = await insertStatus(tx, {
      accountId: bob.id,
      local: true,
      visibility: 'public',
      content: '<p>to many</p>',
      language: 'en',
      ...more,
    })
    await blocker.query('begin')
    await blocker.query('insert into home_feed values ($1, $2, $2, $3)', [ada.id, status.id, bob.id])
    await fanOutHome(tx, status.id, { limit: 2 })
    return status.id
  })
  return { id, release }
}

test('followers beyond the limit see posts at once, and jobs write them to their feeds', async () => {
  const readers = [cleo, dan, await server.person(`eve${round}`), await server.person(`fay${round}`)]
  for (const reader of readers) {
    await home(reader)
    await follow(server, reader, bob)
  }
  const german = await server.person(`german${round}`)
  const muting = await server.person(`muting${round}`)
  for (const reader of [german, muting]) await home(reader)
  await follow(server, german, bob, { languages: ['de'] })
  await follow(server, muting, bob)
  await muting.post(`/api/v1/accounts/${bob.id}/mute`)
  for (const reader of [cleo, german]) await follow(server, reader, dan)
  const stream = await listen(server, { token: ada.token, streams: ['user'] })
  const { id, release } = await postToMany()
  for (const reader of [ada, ...readers]) assert.deepEqual(await home(reader), [id])
  for (const reader of [german, muting]) assert.deepEqual(await home(reader), [])
  assert.deepEqual([await home(ada, `&max_id=${id}`), await home(ada, `&min_id=${id}`)], [[], []])
  assert.equal((await stream.event('update')).id, id)
  assert.deepEqual(await storedHome(server, ada), [])
  const boosted = await boost(dan, id)
  const shown = [[id], [id], [boosted], []]
  assert.deepEqual(await Promise.all([cleo, dan, german, muting].map((reader) => home(reader))), shown)
  await release()
  await server.drain()
  for (const reader of [ada, ...readers.slice(2)]) assert.deepEqual(await storedHome(server, reader), [id])
  const stored = await Promise.all([cleo, dan, german, muting].map((reader) => storedHome(server, reader)))
  assert.deepEqual(stored, shown, 'no boost beside its post')
  const next = await post(bob, 'one more')
  assert.equal((await stream.event('update')).id, next, 'one event per post')
  stream.end()
})

test('changes while a job writes to feeds show at once', async () => {
  await home(cleo)
  await follow(server, cleo, bob)
  await follow(server, dan, bob)
  const earlier = await post(bob, 'earlier')
  const stream = await listen(server, { token: cleo.token, streams: ['user'] })
  const { id, release } = await postToMany()
  assert.deepEqual(await home(cleo, '&limit=1'), [id])
  assert.deepEqual(await home(ada), [id, earlier])
  await ada.post(`/api/v1/accounts/${bob.id}/unfollow`)
  assert.deepEqual(await home(ada), [])
  assert.equal((await stream.event('update')).id, id)
  await bob.delete(`/api/v1/statuses/${id}`)
  assert.deepEqual(await home(cleo), [earlier])
  assert.equal((await stream.next(({ event }) => event === 'delete')).payload, id)
  await release()
  await server.drain()
  assert.deepEqual([await storedHome(server, ada), await storedHome(server, cleo)], [[], [earlier]])
  stream.end()
})

test('a reply that is withdrawn while a job writes it to feeds stays in none', async () => {
  for (const reader of [cleo, dan]) {
    await home(reader)
    await follow(server, reader, bob)
  }
  const parent = await post(bob, 'parent')
  const { id, release } = await postToMany({ inReplyToId: parent })
  assert.deepEqual(await home(cleo), [id, parent])
  await withdrawReply(server.ctx, id, 'revoked')
  assert.deepEqual(await home(cleo), [parent])
  await release()
  await server.drain()
  for (const reader of [ada, cleo, dan]) assert.deepEqual(await storedHome(server, reader), [parent])
})

test('the feed of an account that follows hundreds has exactly the newest posts', async () => {
  const many = await server.person(`many${round}`)
  await server.ctx.db.run(sql`
    with people as (
      insert into accounts (id, username, domain, uri) select 7000000 + n, 'p' || n, 'crowd.test', 'https://crowd.test/' || n from generate_series(1, 120) n returning id
    ), followed as (insert into follows (account_id, target_account_id) select ${many.id}, id from people)
    insert into statuses (id, account_id, uri, visibility, local, content)
    select (id - 7000000) * 1000 + n, id, 'https://crowd.test/' || id || '/' || n, 'public', false, '' from people, generate_series(1, 60) n`)
  // One account posted more than all others together, so a fixed number for each would miss some.
  await server.ctx.db.run(sql`
    insert into statuses (id, account_id, uri, visibility, local, content)
    select 5000000 + n, 7000001, 'https://crowd.test/busy/' || n, 'public', false, '' from generate_series(1, 300) n`)
  await home(many)
  const newest = await server.ctx.db.many<{ id: string }>(
    sql`select id from statuses where uri like 'https://crowd.test/%' order by id desc limit 400`,
  )
  assert.deepEqual(
    await storedHome(server, many),
    newest.map(({ id }) => id),
  )
})

test('a rebuilt feed has the posts before a thousand replies to others', async () => {
  const early = await post(bob, 'early')
  await server.ctx.db.run(sql`
    insert into statuses (id, account_id, visibility, local, content, reply, in_reply_to_account_id)
    select ${early}::bigint + n, ${bob.id}, 'public', true, 'r', true, ${cleo.id} from generate_series(1, 1300) n`)
  const late = await post(bob, 'late')
  assert.deepEqual((await feed()).slice(0, 2), [late, early])
})

test('the home timeline answers 206 while the feed is being built', async () => {
  const posted = await post(bob, 'hello')
  await loseFeeds(server)
  const builder = await server.database.dedicated()
  try {
    await builder.query('insert into home_feeds (account_id) values ($1)', [ada.id])
    await builder.query('begin')
    await builder.query('select from home_feeds where account_id = $1 for update', [ada.id])
    const meanwhile = await ada.send('GET', '/api/v1/timelines/home')
    assert.deepEqual([meanwhile.status, meanwhile.json, meanwhile.headers.get('link')], [206, [], null])
    await builder.query('rollback')
  } finally {
    await builder.end()
  }
  assert.deepEqual(await home(ada), [posted])
})
