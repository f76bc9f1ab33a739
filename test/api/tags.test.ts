// Hashtags: looked up, followed and unfollowed, and what following brings to the home timeline.
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { sql } from '../../src/db/sql.ts'
import { fanOutToTags } from '../../src/domain/timelines/home-feed.ts'
import { listen } from '../streaming/listen.ts'
import { startTestServer, type Person, type TestServer } from '../support/server.ts'
import { boost, follow, home, links, loseFeeds, post, storedHome, stranger } from '../support/timelines.ts'

let server: TestServer
let ada: Person
let bob: Person
let cleo: Person
let tag: string
let round = 0

before(async () => {
  server = await startTestServer()
})
after(() => server.stop())

// Ada follows Bob; Cleo is a stranger. A hashtag of its own for each test.
beforeEach(async () => {
  round++
  tag = `cats${round}`
  const named = (name: string): Promise<Person> => server.person(`${name}${round}`)
  ;[ada, bob, cleo] = await Promise.all([named('ada'), named('bob'), named('cleo')])
  await home(ada)
  await follow(server, ada, bob)
})

const act = (who: Person, what: string, name = tag) =>
  who.send('POST', `/api/v1/tags/${encodeURIComponent(name)}/${what}`)
async function followTag(name = tag): Promise<void> {
  assert.equal((await act(ada, 'follow', name)).json.following, true)
  await server.drain()
}
/** What Ada's home holds, having made sure that a feed built anew holds the same. */
async function feed(): Promise<string[]> {
  const written = await home(ada)
  const stored = await storedHome(server, ada)
  await loseFeeds(server)
  assert.deepEqual(await home(ada), written)
  assert.deepEqual(await storedHome(server, ada), stored)
  return written
}

test('a hashtag is known by any spelling, says what the viewer does with it, and how much it was used', async () => {
  const unused = await server.send('GET', `/api/v1/tags/${tag}`)
  assert.deepEqual(
    [unused.status, unused.json.id, unused.json.name, unused.json.following, unused.json.history.length],
    [200, '0', tag, undefined, 7],
  )
  await post(bob, `one #${tag.toUpperCase()}`)
  await post(bob, `two #${tag}`)
  await post(cleo, `three #${tag}`)
  await post(cleo, `not for all #${tag}`, { visibility: 'unlisted' })
  const used = (await ada.get(`/api/v1/tags/${tag.toUpperCase()}`)) as any
  assert.deepEqual(
    [used.name, used.url, used.following, used.featuring],
    [tag.toUpperCase(), `http://${server.domain}/tags/${tag}`, false, false],
  )
  assert.deepEqual([used.history[0].uses, used.history[0].accounts, used.history[1].uses], ['3', '2', '0'])
  assert.equal(used.history[0].day, String(Math.floor(Date.now() / 86_400_000) * 86_400))
  for (const name of ['not a tag', '42', '%23', 'a-b', '%00'])
    assert.ok([400, 404].includes((await ada.send('GET', `/api/v1/tags/${name}`)).status), name)
})

test('following and unfollowing: once, also at once, and listed', async () => {
  const followed = await ada.client.v1.tags.$select(tag).follow()
  assert.deepEqual([followed.name, followed.following], [tag, true])
  assert.ok(
    (await Promise.all([1, 2, 3].map(() => act(ada, 'follow')))).every(
      ({ status, json }) => status === 200 && json.following,
    ),
  )
  await act(ada, 'follow', `dogs${round}`)
  assert.deepEqual(
    (await ada.get('/api/v1/followed_tags')).map(({ name, following }: any) => [name, following]),
    [
      [`dogs${round}`, true],
      [tag, true],
    ],
  )
  assert.equal((await act(ada, 'unfollow')).json.following, false)
  assert.equal((await act(ada, 'unfollow')).status, 200)
  assert.equal((await act(ada, 'unfollow', `never${round}`)).json.following, false)
  assert.deepEqual(
    (await ada.get('/api/v1/followed_tags')).map(({ name }: any) => name),
    [`dogs${round}`],
  )
  assert.deepEqual(await bob.get('/api/v1/followed_tags'), [])
})

test('who may not follow', async () => {
  for (const what of ['follow', 'unfollow', 'feature', 'unfeature']) {
    assert.equal((await server.send('POST', `/api/v1/tags/${tag}/${what}`)).status, 401, what)
    const token = await server.token({ userId: ada.userId, scopes: ['read', 'write:statuses'] })
    assert.equal((await server.send('POST', `/api/v1/tags/${tag}/${what}`, { token })).status, 403, what)
    assert.equal((await act(ada, what, 'not a tag')).status, 404, what)
  }
  assert.equal((await server.send('GET', '/api/v1/followed_tags')).status, 401)
  const token = await server.token({ userId: ada.userId, scopes: ['read:accounts'] })
  assert.equal((await server.send('GET', '/api/v1/followed_tags', { token })).status, 403)
})

test('followed hashtags in pages, both ways', async () => {
  const names = Array.from({ length: 5 }, (_, i) => `${tag}x${i}`)
  for (const name of names) await act(ada, 'follow', name)
  const read = async (path: string): Promise<{ names: string[]; next?: string; prev?: string }> => {
    const answer = await ada.send('GET', path)
    return { names: answer.json.map(({ name }: any) => name), ...links(answer.headers) }
  }
  const newest = names.toReversed()
  const first = await read('/api/v1/followed_tags?limit=2')
  assert.deepEqual(first.names, newest.slice(0, 2))
  const second = await read(first.next as string)
  assert.deepEqual(second.names, newest.slice(2, 4))
  const third = await read(second.next as string)
  assert.deepEqual([third.names, third.next], [newest.slice(4), undefined])
  assert.deepEqual((await read(third.prev as string)).names, newest.slice(2, 4))
  assert.deepEqual(await read((await read('/api/v1/followed_tags')).prev as string), { names: [] })
})

test('public posts with a followed hashtag come home: those to come and those there; no others', async () => {
  const early = await post(cleo, `early #${tag}`)
  await followTag()
  const late = await post(cleo, `late #${tag}`)
  const reply = await post(cleo, `reply #${tag}`, { in_reply_to_id: late })
  for (const visibility of ['unlisted', 'private']) await post(cleo, `hidden #${tag}`, { visibility })
  await post(cleo, `to @${ada.username} #${tag}`, { visibility: 'direct' })
  await post(cleo, 'without')
  await boost(cleo, await post(cleo, `boosted #other${round}`))
  assert.deepEqual(await feed(), [reply, late, early])
})

test('blocks, mutes, domain blocks, limits and exclusive lists keep them away', async () => {
  await followTag()
  const dan = await server.person(`dan${round}`)
  const eve = await stranger(server, 'eve', `tags${round}.test`)
  await ada.post(`/api/v1/accounts/${cleo.id}/mute`)
  await dan.post(`/api/v1/accounts/${ada.id}/block`)
  await ada.post('/api/v1/domain_blocks', { domain: `tags${round}.test` })
  await post(cleo, `muted #${tag}`)
  await post(dan, `blocking #${tag}`)
  await eve.post(`<p>#${tag}</p>`, { tags: [tag] })
  const limited = await server.person(`limited${round}`)
  await server.database.raw('update accounts set silenced_at = now() where id = $1', [limited.id])
  await post(limited, `limited #${tag}`)
  const { id } = await ada.post('/api/v1/lists', { title: 'x', exclusive: true })
  await ada.post(`/api/v1/lists/${id}/accounts`, { account_ids: [bob.id] })
  await post(bob, `kept for the list #${tag}`)
  await server.drain()
  assert.deepEqual(await feed(), [])
})

test('unfollowing a hashtag takes out what only it brought; unfollowing somebody leaves what it brings', async () => {
  await followTag()
  await followTag(`dogs${round}`)
  const byBob = await post(bob, `of somebody followed #${tag}`)
  const onlyTag = await post(cleo, `of a stranger #${tag}`)
  const both = await post(cleo, `of a stranger #${tag} #dogs${round}`)
  const toStranger = await post(bob, `to a stranger #${tag}`, { in_reply_to_id: onlyTag })
  const own = await post(ada, `mine #${tag}`)
  assert.deepEqual(await feed(), [own, toStranger, both, onlyTag, byBob])
  await act(ada, 'unfollow')
  assert.deepEqual(
    (await home(ada)).filter((id) => id !== toStranger),
    [own, both, byBob],
  )
  await server.drain()
  assert.deepEqual(await feed(), [own, both, byBob])

  await followTag()
  const plain = await post(bob, 'without')
  assert.deepEqual(await feed(), [plain, own, toStranger, both, onlyTag, byBob])
  await ada.post(`/api/v1/accounts/${bob.id}/unfollow`)
  assert.deepEqual(await home(ada), [own, toStranger, both, onlyTag, byBob])
  await server.drain()
  assert.deepEqual(await feed(), [own, toStranger, both, onlyTag, byBob])
  await ada.post(`/api/v1/accounts/${cleo.id}/block`)
  await server.drain()
  assert.deepEqual(
    (await feed()).filter((id) => id === both || id === onlyTag),
    [],
  )
})

test('posts with followed hashtags arrive live, once', async () => {
  await followTag()
  await followTag(`dogs${round}`)
  const client = await listen(server, { token: ada.token, streams: ['user'] })
  const id = await post(cleo, `#${tag} #dogs${round}`)
  assert.equal((await client.event('update')).id, id)
  await client.settled()
  assert.equal(client.frames.filter(({ event }) => event === 'update').length, 1)
  client.end()
})

test('a hashtag that more people follow than are served at once reaches the others by jobs', async () => {
  const people = await Promise.all(Array.from({ length: 7 }, (_, i) => server.person(`reader${i}of${round}`)))
  for (const person of people) {
    await home(person)
    await act(person, 'follow')
  }
  await server.drain()
  const id = await post(cleo, `for all #${tag}`)
  await server.ctx.db.run(sql`delete from home_feed where status_id = ${id} and author_id <> account_id`)
  await server.ctx.transaction((tx) => fanOutToTags(tx, id, { limit: 3 }))
  await server.drain()
  for (const person of people) assert.deepEqual(await home(person), [id])
})
