// The timeline of a list over REST and streaming, and the effect of exclusive lists on the home timeline.
import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { publishStatus } from '../support/acts.ts'
import { sql } from '../support/database.ts'
import { listen } from '../streaming/listen.ts'
import { type Person } from '../support/server.ts'
import { stage } from '../support/stage.ts'
import { boost, follow, home, idsOf, links, loseFeeds, post, storedHome, remoteAuthor } from '../support/timelines.ts'

let ada: Person
let bob: Person
let cleo: Person
let dan: Person
let round = 0

const { server } = await stage()

// Ada follows Bob and Cleo, but not Dan.
beforeEach(async () => {
  round++
  const named = (name: string): Promise<Person> => server.person(`${name}${round}`)
  ;[ada, bob, cleo, dan] = await Promise.all([named('ada'), named('bob'), named('cleo'), named('dan')])
  await home(ada)
  await follow(server, ada, bob)
  await follow(server, ada, cleo)
})

async function make(accounts: { id: string }[], options: object = {}): Promise<string> {
  const { id } = await ada.post('/api/v1/lists', { title: 'Friends', ...options })
  await ada.post(`/api/v1/lists/${id}/accounts`, { account_ids: accounts.map((account) => account.id) })
  return id
}
const timeline = (list: string, query = ''): Promise<string[]> =>
  idsOf(ada, `/api/v1/timelines/list/${list}?limit=40${query}`)

test('a list shows the posts and boosts of its members, including earlier ones', async () => {
  const early = await post(bob, 'early')
  const list = await make([bob, ada])
  const own = await post(ada, 'mine')
  await post(cleo, 'not in the list')
  const hidden = await post(bob, 'for followers', { visibility: 'private' })
  const direct = await post(bob, `for @${ada.username}`, { visibility: 'direct' })
  await post(bob, `for @${cleo.username}`, { visibility: 'direct' })
  const boosted = await boost(bob, await post(dan, 'of a stranger'))
  assert.deepEqual(await timeline(list), [boosted, direct, hidden, own, early])
  await ada.send('DELETE', `/api/v1/lists/${list}/accounts`, { json: { account_ids: [bob.id] } })
  assert.deepEqual(await timeline(list), [own])
})

test('a list shows the posts of a member only after they accept the follow request', async () => {
  await dan.send('PATCH', '/api/v1/accounts/update_credentials', { json: { locked: true } })
  await follow(server, ada, dan)
  const list = await make([dan])
  const status = await post(dan, 'public')
  assert.deepEqual(await timeline(list), [])
  await dan.post(`/api/v1/follow_requests/${ada.id}/authorize`)
  assert.deepEqual(await timeline(list), [status])
})

test('replies in a list follow its replies policy: followed, list or none', async () => {
  const list = await make([bob])
  const [byBob, byCleo, byDan, byAda] = await Promise.all([
    post(bob, 'b'),
    post(cleo, 'c'),
    post(dan, 'd'),
    post(ada, 'a'),
  ])
  const reply = (to: string, text: string): Promise<string> => post(bob, text, { in_reply_to_id: to })
  const toMember = await post(bob, 'thread', { in_reply_to_id: byBob })
  const toFollowed = await reply(byCleo, 'to somebody followed')
  await reply(byDan, 'to a stranger')
  const toMe = await reply(byAda, 'to me')
  const policy = (replies_policy: string): Promise<unknown> =>
    ada.put(`/api/v1/lists/${list}`, { title: 'Friends', replies_policy })
  assert.deepEqual(await timeline(list), [toMe, toMember, byBob])
  await policy('followed')
  assert.deepEqual(await timeline(list), [toMe, toFollowed, toMember, byBob])
  await policy('none')
  assert.deepEqual(await timeline(list), [toMe, toMember, byBob])
  await policy('list')
  await ada.post(`/api/v1/lists/${list}/accounts`, { account_ids: [cleo.id] })
  assert.deepEqual(
    (await timeline(list)).filter((id) => id !== byCleo),
    [toMe, toFollowed, toMember, byBob],
  )
})

test('a boosted post is in a list once, and hidden boosts, blocks, mutes and languages take effect at once', async () => {
  const list = await make([bob, cleo])
  const original = await post(dan, 'worth it')
  const first = await boost(bob, original)
  await boost(cleo, original)
  assert.deepEqual(await timeline(list), [first])
  await follow(server, ada, bob, { reblogs: false })
  assert.equal((await timeline(list)).includes(first), false)
  await follow(server, ada, bob, { reblogs: true })
  await ada.post(`/api/v1/accounts/${dan.id}/mute`)
  assert.deepEqual(await timeline(list), [])
  await ada.post(`/api/v1/accounts/${dan.id}/unmute`)
  assert.deepEqual(await timeline(list), [first])
  await dan.post(`/api/v1/accounts/${ada.id}/block`)
  assert.deepEqual(await timeline(list), [])
  const german = await post(cleo, 'auf Deutsch', { language: 'de' })
  await post(cleo, 'in English', { language: 'en' })
  await follow(server, ada, cleo, { languages: ['de'] })
  assert.deepEqual(await timeline(list), [german])
  await ada.post(`/api/v1/accounts/${cleo.id}/mute`)
  assert.deepEqual(await timeline(list), [])
})

test('a boost that repeats a post of another page is left out in both directions', async () => {
  const list = await make([bob, cleo])
  const [early, original] = [await post(bob, 'early'), await post(bob, 'worth it')]
  for (const booster of [cleo, bob]) await boost(booster, original)
  const late = await post(bob, 'late')
  assert.deepEqual(await timeline(list), [late, original, early])
  assert.deepEqual(await timeline(list, `&since_id=${original}`), [late])
  assert.deepEqual(await timeline(list, `&min_id=${original}`), [late])
  assert.deepEqual(await idsOf(ada, `/api/v1/timelines/list/${list}?limit=1&min_id=${original}`), [late])
  assert.deepEqual(await idsOf(ada, `/api/v1/timelines/list/${list}?limit=2&min_id=${early}`), [late, original])
})

test('pages of any size leave out the same boosts, also where a boost repeats one that is left out itself', async () => {
  await follow(server, ada, dan)
  const list = await make([bob, cleo, dan])
  const original = await post(ada, 'worth it')
  const shown = [await boost(bob, original)]
  const draft = { accountId: bob.id, local: true, visibility: 'public', content: 'in between' } as const
  for (const booster of [cleo, dan]) {
    for (let i = 0; i < 22; i++) shown.unshift((await publishStatus(server.ctx, draft)).id)
    await boost(booster, original)
  }
  for (const limit of [7, 40]) {
    const found: string[] = []
    for (let at: string | undefined = `/api/v1/timelines/list/${list}?limit=${limit}`; at;) {
      const { json, headers } = await ada.send('GET', at)
      found.push(...json.map(({ id }: any) => id))
      at = links(headers).next
    }
    assert.deepEqual(found, shown, `pages of ${limit}`)
  }
})

test('a list read upwards has boosts in their places', async () => {
  const older = await post(bob, 'the page before')
  const list = await make([bob])
  const first = await boost(bob, await post(cleo, 'worth it'))
  const newer = await post(bob, 'newer')
  const newest = await boost(bob, await post(cleo, 'also worth it'))
  assert.deepEqual(await timeline(list, `&min_id=${older}`), [newest, newer, first])
  assert.deepEqual(await idsOf(ada, `/api/v1/timelines/list/${list}?limit=2&min_id=${older}`), [newer, first])
  assert.deepEqual(await timeline(list, `&min_id=${first}`), [newest, newer])
})

test('a list is paged in both directions, also when most posts of its members are filtered out', async () => {
  const list = await make([bob], { replies_policy: 'none' })
  const [parent, shown]: [string, string[]] = [await post(cleo, 'parent'), []]
  for (let i = 0; i < 6; i++) {
    shown.unshift(await post(bob, `number ${i}`))
    // More than a page at every other place, and in one place more than a few statements read.
    const replies = i % 2 === 1 ? 1 : i === 2 ? 1500 : 45
    await server.ctx.db.run(sql`
      insert into statuses (id, account_id, visibility, local, content, reply, in_reply_to_id, in_reply_to_account_id)
      select ${shown[0]}::bigint + n, ${bob.id}, 'public', true, 'r', true, ${parent}, ${cleo.id}
      from generate_series(1, ${replies}::int) n`)
  }
  assert.deepEqual(await timeline(list), shown)
  const first = await ada.send('GET', `/api/v1/timelines/list/${list}?limit=2`)
  assert.deepEqual(
    first.json.map(({ id }: any) => id),
    shown.slice(0, 2),
  )
  const second = await ada.send('GET', links(first.headers).next as string)
  assert.deepEqual(
    second.json.map(({ id }: any) => id),
    shown.slice(2, 4),
  )
  const newer = await ada.send('GET', links(second.headers).prev as string)
  assert.deepEqual(
    newer.json.map(({ id }: any) => id),
    shown.slice(0, 2),
  )
  assert.deepEqual(await timeline(list, `&since_id=${shown[4]}`), shown.slice(0, 4))
  assert.deepEqual(await timeline(list, `&min_id=${shown[5]}&max_id=${shown[1]}`), shown.slice(2, 5))
  const after = await ada.send('GET', `/api/v1/timelines/list/${list}?min_id=${shown[0]}`)
  assert.deepEqual([after.json, after.headers.get('link')], [[], null])
})

test('a list with hundreds of members shows exactly the newest posts', async () => {
  const others = await Promise.all(
    Array.from({ length: 200 }, (_, i) => remoteAuthor(server, `m${i}`, `many${round}.test`)),
  )
  const list = await make([])
  await server.ctx.db.run(
    sql`insert into follows (account_id, target_account_id) select ${ada.id}, unnest(${others.map(({ id }) => id)}::bigint[])`,
  )
  await server.ctx.db.run(sql`
    insert into list_accounts (list_id, account_id, owner_id, exclusive) select ${list}, unnest(${others.map(({ id }) => id)}::bigint[]), ${ada.id}, false`)
  await server.ctx.db.run(sql`
    insert into statuses (id, account_id, uri, visibility, local, content)
    select (${BigInt(Date.now()) << 16n}::bigint - 100000 + n), (${others.map(({ id }) => id)}::bigint[])[1 + (n * 7919) % 200], 'https://many' || ${round}::text || '.test/' || n, 'public', false, ''
    from generate_series(1, 5000) n`)
  const rows = await server.ctx.db.many<{ id: string }>(sql`
    select s.id from statuses s where s.account_id = any(${others.map(({ id }) => id)}::bigint[]) order by s.id desc limit 100`)
  const expected = rows.map(({ id }) => id)
  assert.deepEqual(await timeline(list), expected.slice(0, 40))
  assert.deepEqual(await timeline(list, `&max_id=${expected[39]}`), expected.slice(40, 80))
  assert.deepEqual(await timeline(list, `&min_id=${expected[80]}`), expected.slice(40, 80))
})

test('an exclusive list removes earlier and later posts of its members from home, and restores them when it ends', async () => {
  const before = await post(bob, 'before')
  const shown = await post(cleo, 'of cleo')
  const list = await make([bob], { exclusive: true })
  assert.deepEqual(await home(ada), [shown])
  await server.drain()
  assert.deepEqual(await storedHome(server, ada), [shown])
  const after = await post(bob, 'after')
  const boosted = await boost(cleo, after)
  assert.deepEqual(await home(ada), [boosted, shown], 'boosts of member posts by others stay in home')
  assert.deepEqual(await storedHome(server, ada), [boosted, shown])
  await loseFeeds(server)
  assert.deepEqual(await home(ada), [boosted, shown])
  assert.deepEqual(await timeline(list), [after, before])

  const both = [boosted, after, shown, before]
  await ada.put(`/api/v1/lists/${list}`, { title: 'Friends', exclusive: false })
  await server.drain()
  assert.deepEqual(
    (await home(ada)).filter((id) => id !== boosted),
    both.filter((id) => id !== boosted),
  )
  await ada.put(`/api/v1/lists/${list}`, { title: 'Friends', exclusive: true })
  assert.equal((await home(ada)).includes(before), false)
  await ada.send('DELETE', `/api/v1/lists/${list}/accounts`, { json: { account_ids: [bob.id] } })
  await server.drain()
  assert.equal((await home(ada)).includes(before), true)
  await ada.post(`/api/v1/lists/${list}/accounts`, { account_ids: [bob.id] })
  assert.equal((await home(ada)).includes(before), false)
  await ada.delete(`/api/v1/lists/${list}`)
  await server.drain()
  assert.equal((await home(ada)).includes(before), true)
})

test('own posts stay in home when the viewer is a member of their own exclusive list', async () => {
  await make([ada], { exclusive: true })
  const own = await post(ada, 'mine')
  assert.deepEqual(await home(ada), [own])
})

test('the stream of a list sends its posts, boosts, edits and deletions', async () => {
  const list = await make([bob])
  const client = await listen(server, { token: ada.token, streams: [{ stream: 'list', list }] })
  await post(cleo, 'not in the list')
  await post(bob, `only for @${cleo.username}`, { visibility: 'direct' })
  const { id } = await bob.post('/api/v1/statuses', { status: 'hello', visibility: 'private' })
  assert.equal((await client.event('update')).id, id)
  assert.deepEqual(client.frames.find(({ event }) => event === 'update')?.stream, ['list', list])
  await bob.put(`/api/v1/statuses/${id}`, { status: 'hello again' })
  assert.equal((await client.event('status.update')).content, '<p>hello again</p>')
  await bob.delete(`/api/v1/statuses/${id}`)
  assert.equal((await client.next(({ event }) => event === 'delete')).payload, id)
  const original = await post(cleo, 'to be boosted')
  const boosted = await boost(bob, original)
  assert.equal((await client.event('update')).id, boosted)
  await ada.post(`/api/v1/lists/${list}/accounts`, { account_ids: [cleo.id] })
  await boost(cleo, original) // repeats the boost of Bob
  await cleo.put(`/api/v1/statuses/${original}`, { status: 'edited' })
  assert.equal((await client.event('status.update')).id, original)
  assert.deepEqual(client.frames.map(({ event }) => event).filter(Boolean), [
    'update',
    'status.update',
    'delete',
    'update',
    'status.update',
  ])
  client.end()
})

test('subscribing to the list of another account or to no list is refused, and the socket stays open', async () => {
  const list = await make([bob])
  const client = await listen(server, { token: dan.token, streams: [] })
  client.tell({ type: 'subscribe', stream: 'list', list })
  assert.equal((await client.next(({ error }) => error === 'Record not found')).status, 404)
  client.tell({ type: 'subscribe', stream: 'list' })
  assert.equal((await client.next(({ error }) => error !== undefined)).status, 400)
  await client.settled()
  client.end()
  const sse = (query: string, token: string) => server.send('GET', `/api/v1/streaming/list${query}`, { token })
  assert.equal((await sse(`?list=${list}`, dan.token)).status, 404)
  assert.equal((await sse('?list=nonsense', ada.token)).status, 404)
  assert.equal((await sse('', ada.token)).status, 400)
  const narrow = await server.token({ userId: ada.userId, scopes: ['read:notifications'] })
  assert.equal((await sse(`?list=${list}`, narrow)).status, 401)
})
