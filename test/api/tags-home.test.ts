// Posts with followed hashtags on the home timeline.
import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { fanOutToTags, withdrawReply } from '../support/acts.ts'
import { sql } from '../support/database.ts'
import { listen } from '../streaming/listen.ts'
import { eventually, type Person } from '../support/server.ts'
import { stage } from '../support/stage.ts'
import { boost, follow, home, loseFeeds, post, storedHome, remoteAuthor } from '../support/timelines.ts'

let ada: Person
let bob: Person
let cleo: Person
let tag: string
let round = 0

const { server } = await stage()

// Ada follows Bob, not Cleo. Each test has its own hashtag.
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
/** The posts on Ada's home timeline; asserts that a rebuilt feed has the same. */
async function feed(): Promise<string[]> {
  const written = await home(ada)
  const stored = await storedHome(server, ada)
  await loseFeeds(server)
  assert.deepEqual(await home(ada), written)
  assert.deepEqual(await storedHome(server, ada), stored)
  return written
}

test('public posts with a followed hashtag, earlier and later ones, appear on the home timeline', async () => {
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

test('blocks, mutes, domain blocks, silenced accounts and exclusive lists hide posts with followed hashtags', async () => {
  await followTag()
  const dan = await server.person(`dan${round}`)
  const eve = await remoteAuthor(server, 'eve', `tags${round}.test`)
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

test('posts with followed hashtags leave the home timeline when their author is silenced, and return afterwards', async () => {
  await followTag()
  const moderator = await server.person(`moderator${round}`, { role: 'owner' })
  const ids = [await post(cleo, `hidden soon #${tag}`), await post(bob, `followed #${tag}`)].toReversed()
  assert.deepEqual(await home(ada), ids)
  for (const { id } of [bob, cleo]) await moderator.post(`/api/v1/admin/accounts/${id}/action`, { type: 'silence' })
  assert.deepEqual(await home(ada), ids.slice(0, 1), 'only posts of followed accounts stay')
  assert.deepEqual((await cleo.get('/api/v1/timelines/home')).length, 1, 'the silenced account sees its own')
  await moderator.post(`/api/v1/admin/accounts/${cleo.id}/unsilence`)
  assert.deepEqual(await home(ada), ids)
})

test('unfollowing a hashtag or an account removes only the posts that nothing else brings to the home timeline', async () => {
  await followTag()
  await followTag(`dogs${round}`)
  const byBob = await post(bob, `of somebody followed #${tag}`)
  const onlyTag = await post(cleo, `of a stranger #${tag}`)
  const both = await post(cleo, `of a stranger #${tag} #dogs${round}`)
  const toUnfollowed = await post(bob, `to a stranger #${tag}`, { in_reply_to_id: onlyTag })
  const own = await post(ada, `mine #${tag}`)
  assert.deepEqual(await feed(), [own, toUnfollowed, both, onlyTag, byBob])
  await act(ada, 'unfollow')
  assert.deepEqual(
    (await home(ada)).filter((id) => id !== toUnfollowed),
    [own, both, byBob],
  )
  await server.drain()
  assert.deepEqual(await feed(), [own, both, byBob])

  await followTag()
  const plain = await post(bob, 'without')
  assert.deepEqual(await feed(), [plain, own, toUnfollowed, both, onlyTag, byBob])
  await ada.post(`/api/v1/accounts/${bob.id}/unfollow`)
  assert.deepEqual(await home(ada), [own, toUnfollowed, both, onlyTag, byBob])
  await server.drain()
  assert.deepEqual(await feed(), [own, toUnfollowed, both, onlyTag, byBob])
  await ada.post(`/api/v1/accounts/${cleo.id}/block`)
  await server.drain()
  assert.deepEqual(
    (await feed()).filter((id) => id === both || id === onlyTag),
    [],
  )
})

test('a post with two followed hashtags is streamed once', async () => {
  await followTag()
  await followTag(`dogs${round}`)
  const client = await listen(server, { token: ada.token, streams: ['user'] })
  const id = await post(cleo, `#${tag} #dogs${round}`)
  assert.equal((await client.event('update')).id, id)
  await client.settled()
  assert.equal(client.frames.filter(({ event }) => event === 'update').length, 1)
  client.end()
})

test('followers of a hashtag beyond the limit receive posts by jobs', async () => {
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

test('a deleted post leaves the home timelines that only a hashtag brought it to', async () => {
  await followTag()
  const client = await listen(server, { token: ada.token, streams: ['user'] })
  const [listed, gone] = [await post(cleo, `listed #${tag}`), await post(cleo, `gone #${tag}`)]
  assert.deepEqual(await storedHome(server, ada), [gone, listed])
  await cleo.delete(`/api/v1/statuses/${gone}`)
  assert.equal((await client.next(({ event }) => event === 'delete')).payload, gone)
  client.end()
  assert.deepEqual(await storedHome(server, ada), [listed])
  await withdrawReply(server.ctx, listed, 'revoked')
  assert.deepEqual(await storedHome(server, ada), [])
})

test('a post that is deleted while a job adds it by a hashtag stays on no home timeline', async () => {
  await followTag()
  const id = await post(cleo, `#${tag}`)
  await server.ctx.db.run(sql`delete from home_feed where status_id = ${id}`)
  const [written, finished] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const adding = server.ctx.transaction(async (tx) => {
    await fanOutToTags(tx, id, {})
    written.resolve()
    await finished.promise
  })
  await written.promise
  const deleting = cleo.delete(`/api/v1/statuses/${id}`)
  await eventually(
    async () =>
      (await server.ctx.db.many(sql`select from pg_locks where locktype = 'transactionid' and not granted`)).length >
        0 || null,
  )
  finished.resolve()
  await Promise.all([adding, deleting])
  assert.deepEqual(await storedHome(server, ada), [])
})

test('a deleted post that had lost its hashtag leaves the feed with the next cut', async () => {
  await followTag()
  const id = await post(cleo, `#${tag}`)
  await cleo.put(`/api/v1/statuses/${id}`, { status: 'without' })
  await cleo.delete(`/api/v1/statuses/${id}`)
  assert.deepEqual(await home(ada), [])
  await server.ctx.db.run(sql`update home_feeds set read_at = now() - interval '2 hours' where account_id = ${ada.id}`)
  assert.deepEqual([await home(ada), await storedHome(server, ada)], [[], []])
})
