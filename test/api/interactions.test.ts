// Favourites, boosts, bookmarks and muted conversations; lists of favourites, bookmarks, and of accounts that favourited or boosted.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../support/database.ts'
import { type Person } from '../support/server.ts'
import { stage } from '../support/stage.ts'

const { server, ada, bob } = await stage({ accounts: ['ada', 'bob'] })

const post = (who: Person, json: object = { status: 'x' }): Promise<any> =>
  who.post('/api/v1/statuses', { status: 'x', ...json })
const act = (who: Person, id: string, action: string, json: object = {}): Promise<any> =>
  who.post(`/api/v1/statuses/${id}/${action}`, json)
const refusal = async (who: Person, id: string, action: string): Promise<[number, string]> => {
  const answer = await who.send('POST', `/api/v1/statuses/${id}/${action}`)
  return [answer.status, answer.json.error]
}
const nextOf = (link: string | null, rel: string): string | null =>
  new RegExp(`<([^>]+)>; rel="${rel}"`).exec(link ?? '')?.[1]?.replace(/^https?:\/\/[^/]+/, '') ?? null

test('repeated and concurrent favourites and unfavourites of an account count once', async () => {
  const { id } = await post(ada)
  const given = await Promise.all(Array.from({ length: 20 }, () => act(bob, id, 'favourite')))
  assert.deepEqual([...new Set(given.map((status) => status.favourited))], [true])
  assert.equal((await act(ada, id, 'favourite')).favourites_count, 2)
  await Promise.all(Array.from({ length: 10 }, () => act(bob, id, 'unfavourite')))
  const after = await act(bob, id, 'unfavourite')
  assert.deepEqual([after.favourited, after.favourites_count], [false, 1])
})

test('concurrent favourites and boosts by several accounts are all counted', async () => {
  const { id } = await post(ada)
  const people = await Promise.all(Array.from({ length: 6 }, (_, i) => server.person(`many${i}`)))
  await Promise.all(people.flatMap((person) => [act(person, id, 'favourite'), act(person, id, 'reblog')]))
  const { favourites_count, reblogs_count } = await ada.get(`/api/v1/statuses/${id}`)
  assert.deepEqual([favourites_count, reblogs_count], [6, 6])
  await Promise.all(people.flatMap((person) => [act(person, id, 'unfavourite'), act(person, id, 'unreblog')]))
  const after = await ada.get(`/api/v1/statuses/${id}`)
  assert.deepEqual([after.favourites_count, after.reblogs_count], [0, 0])
})

test('a post that many accounts favourited shows each viewer their own marks', async () => {
  const { id } = await post(ada)
  const { rows } = await server.database.raw(
    `insert into accounts (id, username, domain, uri, inbox_url) select n, 'fan' || n, 'far.test', 'https://far.test/' || n, 'https://far.test/inbox'
     from generate_series(1000, 1050) n returning id`,
  )
  const fans = rows.map((row) => row.id)
  const shown = async (who: Person): Promise<boolean[]> => {
    const { favourited, bookmarked } = await who.get(`/api/v1/statuses/${id}`)
    return [favourited, bookmarked]
  }
  await act(bob, id, 'bookmark')
  assert.deepEqual(
    [await shown(ada), await shown(bob)],
    [
      [false, false],
      [false, true],
    ],
  )
  await server.database.raw('insert into favourites (account_id, status_id) select unnest($1::bigint[]), $2', [
    fans,
    id,
  ])
  assert.deepEqual(
    [await shown(ada), await shown(bob)],
    [
      [false, false],
      [false, true],
    ],
  )
  await act(ada, id, 'favourite')
  await act(bob, id, 'unbookmark')
  assert.deepEqual(
    [await shown(ada), await shown(bob)],
    [
      [true, false],
      [false, false],
    ],
  )
})

test('the author is notified of favourites and boosts until they are undone', async () => {
  const { id } = await post(ada)
  await act(bob, id, 'favourite')
  await act(bob, id, 'reblog')
  await act(ada, id, 'favourite')
  const about = async (): Promise<string[]> =>
    (await ada.get('/api/v1/notifications'))
      .filter((n: any) => n.status?.id === id)
      .map((n: any) => n.type)
      .toSorted()
  assert.deepEqual(await about(), ['favourite', 'reblog'])
  await act(bob, id, 'unfavourite')
  await act(bob, id, 'unreblog')
  assert.deepEqual(await about(), [])
})

test('a boost is a status of its own that wraps the original, and boosting again returns the same boost', async () => {
  const status = await post(ada)
  const boosts = await Promise.all(Array.from({ length: 10 }, () => act(bob, status.id, 'reblog')))
  assert.equal(new Set(boosts.map((boost) => boost.id)).size, 1)
  const [boost] = boosts
  assert.deepEqual(
    [boost.reblog.id, boost.reblog.reblogs_count, boost.reblog.reblogged, boost.account.id],
    [status.id, 1, true, bob.id],
  )
  assert.deepEqual([boost.reblogs_count, boost.favourites_count, boost.content], [0, 0, ''])
  assert.notEqual(boost.id, status.id)
  const ofBoost = await act(ada, boost.id, 'reblog')
  assert.equal(ofBoost.reblog.id, status.id)
  const liked = await act(ada, boost.id, 'favourite')
  assert.deepEqual([liked.id, liked.favourites_count], [status.id, 1])
})

test('undoing a boost returns the original post, also when there is no boost', async () => {
  const status = await post(ada)
  const before = (await bob.get('/api/v1/accounts/verify_credentials')).statuses_count
  const boost = await act(bob, status.id, 'reblog')
  assert.equal((await bob.get('/api/v1/accounts/verify_credentials')).statuses_count, before + 1)
  const after = await act(bob, boost.id, 'unreblog')
  assert.deepEqual([after.id, after.reblogs_count, after.reblogged], [status.id, 0, false])
  assert.equal((await bob.send('GET', `/api/v1/statuses/${boost.id}`)).status, 404)
  assert.equal((await act(bob, status.id, 'unreblog')).id, status.id)
  assert.equal((await bob.get('/api/v1/accounts/verify_credentials')).statuses_count, before)
})

test('boosts of private posts are private, and boosts by limited accounts are unlisted', async () => {
  const own = await post(ada, { visibility: 'private' })
  assert.equal((await act(ada, own.id, 'reblog', { visibility: 'public' })).visibility, 'private')
  const status = await post(ada)
  assert.equal((await act(ada, status.id, 'reblog', { visibility: 'unlisted' })).visibility, 'unlisted')
  assert.equal((await act(bob, status.id, 'reblog')).visibility, 'public')
  const cat = await server.person('cat')
  await server.ctx.db.run(sql`update accounts set silenced_at = now() where id = ${cat.id}`)
  assert.equal((await act(cat, status.id, 'reblog')).visibility, 'unlisted')
  assert.equal(
    (await bob.send('POST', `/api/v1/statuses/${status.id}/reblog`, { json: { visibility: 'direct' } })).status,
    422,
  )
})

test('boosts of direct posts, and of private posts by others, are forbidden to those who can read them', async () => {
  const [eli, far] = [await server.person('eli'), await server.person('far')]
  await eli.post(`/api/v1/accounts/${ada.id}/follow`)
  const [secret, message] = [
    await post(ada, { visibility: 'private' }),
    await post(ada, { status: '@eli hello', visibility: 'direct' }),
  ]
  for (const { id } of [secret, message]) {
    assert.deepEqual(await refusal(eli, id, 'reblog'), [403, 'This action is not allowed'])
    assert.deepEqual(await refusal(far, id, 'reblog'), [404, 'Record not found'])
  }
  assert.deepEqual(await refusal(ada, message.id, 'reblog'), [403, 'This action is not allowed'])
})

test('a boost can be undone after the author blocks the viewer, and the block has removed favourites and bookmarks', async () => {
  const dan = await server.person('dan')
  const status = await post(ada)
  for (const action of ['favourite', 'bookmark', 'reblog']) await act(dan, status.id, action)
  await ada.post(`/api/v1/accounts/${dan.id}/block`)
  assert.equal((await dan.send('GET', `/api/v1/statuses/${status.id}`)).status, 404)
  // The boost is still the viewer's own status, but the favourite and the bookmark ended with the block.
  assert.equal((await refusal(dan, status.id, 'unreblog'))[0], 200)
  assert.equal((await refusal(dan, status.id, 'unreblog'))[0], 404)
  // Clients that still show them can undo them.
  assert.equal((await act(dan, status.id, 'unfavourite')).favourited, false)
  assert.equal((await act(dan, status.id, 'unbookmark')).bookmarked, false)
  const secret = await post(ada, { visibility: 'private' })
  for (const action of ['unfavourite', 'unbookmark', 'unreblog'])
    assert.equal((await refusal(dan, secret.id, action))[0], 404, action)
  const after = await ada.get(`/api/v1/statuses/${status.id}`)
  assert.deepEqual([after.favourites_count, after.reblogs_count], [0, 0])
  assert.deepEqual([await dan.get('/api/v1/favourites'), await dan.get('/api/v1/bookmarks')], [[], []])
  await ada.post(`/api/v1/accounts/${dan.id}/unblock`)
  const seen = await dan.get(`/api/v1/statuses/${status.id}`)
  assert.deepEqual([seen.favourited, seen.bookmarked, seen.reblogged], [false, false, false])
})

test('posts of a blocked account can still be favourited and boosted, those of a blocking account cannot', async () => {
  const [eve, fan] = [await server.person('eve'), await server.person('fan')]
  const [status, own] = [await post(eve), await post(fan)]
  await fan.post(`/api/v1/accounts/${eve.id}/block`)
  for (const action of ['favourite', 'reblog', 'bookmark']) {
    assert.equal((await refusal(fan, status.id, action))[0], 200, action)
    assert.deepEqual(await refusal(eve, own.id, action), [404, 'Record not found'], action)
  }
})

test('a muted conversation sends no notifications, and all its posts are marked as muted', async () => {
  const status = await post(ada)
  assert.equal((await act(ada, status.id, 'mute')).muted, true)
  const reply = await post(bob, { status: '@ada hello?', in_reply_to_id: status.id })
  assert.equal((await ada.get(`/api/v1/statuses/${reply.id}`)).muted, true)
  assert.deepEqual(
    (await ada.get('/api/v1/notifications?types[]=mention')).filter((n: any) => n.status.id === reply.id),
    [],
  )
  assert.equal((await act(ada, reply.id, 'unmute')).muted, false)
  const loud = await post(bob, { status: '@ada now?', in_reply_to_id: status.id })
  assert.equal((await ada.get('/api/v1/notifications?types[]=mention'))[0].status.id, loud.id)
})

test('bookmarks are visible only to their owner, newest first, in pages in both directions', async () => {
  const fay = await server.person('fay')
  const ids: string[] = []
  for (let i = 0; i < 5; i++) ids.push((await post(ada)).id)
  const order = [ids[2], ids[0], ids[4], ids[1], ids[3]] as string[]
  for (const id of order) assert.equal((await act(fay, id, 'bookmark')).bookmarked, true)
  await act(fay, order[0] as string, 'bookmark')
  await pages(fay, '/api/v1/bookmarks', order.toReversed(), 'min_id')
  assert.equal((await act(fay, order[4] as string, 'unbookmark')).bookmarked, false)
  assert.equal((await fay.get('/api/v1/bookmarks')).length, 4)
  assert.equal((await ada.get(`/api/v1/statuses/${order[0]}`)).bookmarked, false)
  assert.equal((await server.send('GET', '/api/v1/bookmarks')).status, 401)
  assert.equal(
    (
      await server.send('GET', '/api/v1/bookmarks', {
        token: await server.token({ userId: fay.userId, scopes: ['read:favourites'] }),
      })
    ).status,
    403,
  )
})

test('favourites are listed newest first, without posts that the viewer may no longer read', async () => {
  const gil = await server.person('gil')
  const ids: string[] = []
  for (let i = 0; i < 5; i++) ids.push((await post(ada)).id)
  for (const id of ids) await act(gil, id, 'favourite')
  await pages(gil, '/api/v1/favourites', ids.toReversed(), 'min_id')
  const hidden = await post(bob)
  await act(gil, hidden.id, 'favourite')
  await bob.post(`/api/v1/accounts/${gil.id}/block`)
  assert.deepEqual(
    (await gil.get('/api/v1/favourites')).map((status: any) => status.id),
    ids.toReversed(),
  )
})

test('accounts that favourited or boosted a post are listed newest first, in pages, without accounts hidden from the viewer', async () => {
  const [hal, ida, jon] = [await server.person('hal'), await server.person('ida'), await server.person('jon')]
  const status = await post(ada)
  for (const who of [bob, hal, ida, jon]) {
    await act(who, status.id, 'favourite')
    await act(who, status.id, 'reblog', who === bob ? { visibility: 'private' } : {})
  }
  await pages(ada, `/api/v1/statuses/${status.id}/favourited_by`, [jon.id, ida.id, hal.id, bob.id], 'since_id')
  await pages(ada, `/api/v1/statuses/${status.id}/reblogged_by`, [jon.id, ida.id, hal.id], 'since_id')
  await ada.post(`/api/v1/accounts/${hal.id}/mute`)
  await ada.post(`/api/v1/accounts/${ida.id}/block`)
  await server.ctx.db.run(sql`update accounts set suspended_at = now() where id = ${jon.id}`)
  assert.deepEqual(
    (await ada.get(`/api/v1/statuses/${status.id}/favourited_by`)).map((account: any) => account.id),
    [bob.id],
  )
  const anonymous = await server.send('GET', `/api/v1/statuses/${status.id}/reblogged_by`)
  assert.deepEqual(
    anonymous.json.map((account: any) => account.id),
    [ida.id, hal.id],
  )
  for (const [scope, expected] of [
    ['read:accounts', 200],
    ['read:statuses', 200],
    ['read:favourites', 403],
  ] as const) {
    const token = await server.token({ userId: bob.userId, scopes: [scope] })
    for (const list of ['favourited_by', 'reblogged_by']) {
      const { status: code } = await server.send('GET', `/api/v1/statuses/${status.id}/${list}`, { token })
      assert.equal(code, expected, `${list} with ${scope}`)
    }
  }
})

test('favourites and boosts of remote posts, and their undoing, are delivered to the author once', async () => {
  await server.ctx.db.run(
    sql`insert into accounts (id, username, domain, uri) values (910001, 'afar', 'peer.test', 'https://peer.test/afar')`,
  )
  await server.ctx.db.run(sql`
    insert into statuses (id, account_id, uri, visibility, local, content) values (910002, 910001, 'https://peer.test/1', 'public', false, '<p>hi</p>')`)
  for (const action of ['favourite', 'favourite', 'unfavourite', 'reblog', 'reblog', 'unreblog'])
    await act(bob, '910002', action)
  const jobs = await server.ctx.db.many<{ data: any }>(
    sql`select data from pgboss.job where name = 'federation.distribute' order by created_on`,
  )
  const deliveries = jobs.map(({ data }) => data).filter((data) => ['like', 'announce'].includes(data.activity))
  assert.deepEqual(
    deliveries.map(({ activity, undo }) => [activity, undo]),
    [
      ['like', undefined],
      ['like', true],
      ['announce', undefined],
      ['announce', true],
    ],
  )
  assert.deepEqual([deliveries[1].originalUri, deliveries[1].to], ['https://peer.test/1', ['910001']])
  assert.deepEqual([deliveries[3].originalUri, deliveries[3].to], ['https://peer.test/1', ['910001']])
})

/** Asserts that a list equals `expected`, also in pages of two, forward by `next` and one page back by `prev`. */
async function pages(who: Person, path: string, expected: string[], prev: 'min_id' | 'since_id'): Promise<void> {
  const idsOf = (answer: { json: any }): string[] => answer.json.map(({ id }: { id: string }) => id)
  assert.deepEqual(idsOf(await who.send('GET', path)), expected)
  const walked: string[] = []
  let back: string | null = null
  for (let url: string | null = `${path}?limit=2`; url;) {
    const answer = await who.send('GET', url)
    walked.push(...idsOf(answer))
    if (answer.json.length === 2) back = nextOf(answer.headers.get('link'), 'prev')
    url = nextOf(answer.headers.get('link'), 'next')
  }
  assert.deepEqual(walked, expected)
  assert(back?.includes(`${prev}=`), `the prev link of ${path} uses ${prev}`)
  const newer = idsOf(await who.send('GET', back as string))
  const lastFull = Math.floor(expected.length / 2) * 2 - 2
  assert.deepEqual(
    newer,
    prev === 'min_id' ? expected.slice(lastFull - 2, lastFull) : expected.slice(0, Math.min(2, lastFull)),
  )
}

test('followers with notify are notified of posts and threads, but not of replies to others, boosts or direct posts', async () => {
  const [kim, lea] = [await server.person('kim'), await server.person('lea')]
  await lea.post(`/api/v1/accounts/${kim.id}/follow`, { notify: true })
  const first = await post(kim)
  const continuation = await post(kim, { in_reply_to_id: first.id, visibility: 'private' })
  const other = await post(ada)
  await post(kim, { in_reply_to_id: other.id })
  await act(kim, other.id, 'reblog')
  await post(kim, { visibility: 'direct' })
  const notifications = await lea.get('/api/v1/notifications?types[]=status')
  assert.deepEqual(
    notifications.map((notification: any) => notification.status.id),
    [continuation.id, first.id],
  )
})
