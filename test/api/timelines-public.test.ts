import { saveSettings } from '../support/acts.ts'
import { sql } from '../support/database.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'

import { stage } from '../support/stage.ts'
import { boost, idsOf, links, post, remoteAuthor } from '../support/timelines.ts'

const made: Record<'plain' | 'reply' | 'boosted' | 'image' | 'far' | 'farImage', string> = {} as never

const { server, ada, bob } = await stage({ accounts: ['ada', 'bob'] })
const eve = await remoteAuthor(server, 'eve', 'far.test')
made.plain = await post(bob, 'hello #Cats and #dogs')
made.reply = await post(bob, 'once more #cats', { in_reply_to_id: made.plain })
for (const visibility of ['unlisted', 'private', 'direct']) await post(bob, `#cats ${visibility} @ada`, { visibility })
made.far = await eve.post('<p>#cats</p>', { tags: ['cats', 'birds'] })
made.boosted = await boost(ada, made.plain)
const medium = { type: 'image' as const, remoteUrl: 'https://far.test/1.png' }
made.farImage = await eve.post('<p>a picture</p>', { remoteMedia: [medium] })
made.image = await post(bob, 'a picture #birds')
await server.ctx.db.run(sql`update statuses set media_ids = '{1}' where id = ${made.image}`)

const anonymous = async (path: string): Promise<string[]> =>
  ((await server.send('GET', path)).json as { id: string }[]).map(({ id }) => id)
const live = '/api/v1/timelines/public'
const cats = '/api/v1/timelines/tag/cats'

test('the public timeline has public posts without replies and boosts', async () => {
  const all = [made.image, made.farImage, made.far, made.plain]
  assert.deepEqual(await anonymous(live), all)
  assert.deepEqual(await idsOf(ada, live), all)
  assert.deepEqual(await anonymous(`${live}?local=true`), [made.image, made.plain])
  assert.deepEqual(await anonymous(`${live}?remote=1`), [made.farImage, made.far])
  assert.deepEqual(await anonymous(`${live}?only_media=true`), [made.image, made.farImage])
  assert.deepEqual(await anonymous(`${live}?only_media=true&local=true`), [made.image])
  assert.deepEqual(await anonymous(`${live}?local=false&limit=1`), [made.image])
})

test('the public timeline is paginated in both directions', async () => {
  const first = await server.send('GET', `${live}?limit=2&local=false`)
  const { next, prev } = links(first.headers)
  assert.match(next ?? '', /limit=2&local=false&max_id=/)
  assert.deepEqual(await anonymous(next as string), [made.far, made.plain])
  assert.deepEqual(await anonymous(prev as string), [])
  assert.deepEqual(await anonymous(`${live}?limit=1&min_id=${made.plain}`), [made.far])
  assert.deepEqual(await anonymous(`${live}?limit=1&since_id=${made.plain}`), [made.image])
})

test('cursors larger than any id are those of dates far ahead', async () => {
  for (const cursor of ['9223372036854775808', '16609443863068672000', '9'.repeat(30)])
    for (const [name, length] of [
      ['min_id', 0],
      ['since_id', 0],
      ['max_id', 1],
    ] as const)
      assert.equal((await ada.get(`${live}?limit=1&${name}=${cursor}`)).length, length, `${name} ${cursor}`)
})

test('a hashtag timeline includes replies and ignores case; further hashtags narrow or widen it', async () => {
  assert.deepEqual(await anonymous(cats), [made.far, made.reply, made.plain])
  assert.deepEqual(await anonymous('/api/v1/timelines/tag/CATS'), [made.far, made.reply, made.plain])
  assert.deepEqual(await anonymous(`${cats}?any[]=birds`), [made.image, made.far, made.reply, made.plain])
  assert.deepEqual(await anonymous(`${cats}?all[]=dogs`), [made.plain])
  assert.deepEqual(await anonymous(`${cats}?all[]=dogs&all[]=birds`), [])
  assert.deepEqual(await anonymous(`${cats}?all[]=neverused`), [])
  assert.deepEqual(await anonymous(`${cats}?none[]=dogs&none[]=birds`), [made.reply])
  assert.deepEqual(await anonymous(`${cats}?none[]=neverused&local=true`), [made.reply, made.plain])
  assert.deepEqual(await anonymous(`${cats}?remote=true`), [made.far])
  assert.deepEqual(await anonymous('/api/v1/timelines/tag/birds?only_media=true'), [made.image])
  assert.deepEqual(await anonymous('/api/v1/timelines/tag/neverused'), [])
  assert.deepEqual(
    await anonymous(`${cats}?any[]=a1&any[]=b1&any[]=c1&any[]=d1&any[]=birds`),
    [made.far, made.reply, made.plain],
    'the fifth hashtag is ignored',
  )
})

test('a page of several hashtags has each post once, in order', async () => {
  assert.deepEqual(await anonymous(`${cats}?any[]=birds&limit=3`), [made.image, made.far, made.reply])
  assert.deepEqual(await anonymous(`${cats}?any[]=birds&limit=2&min_id=${made.plain}`), [made.far, made.reply])
  assert.deepEqual(await anonymous(`${cats}?any[]=birds&limit=2&max_id=${made.far}`), [made.reply, made.plain])
})

test('blocked, blocking and muted accounts and blocked domains are hidden from the viewer', async () => {
  const reader = await server.person('reader')
  const shown = async (): Promise<boolean[]> => {
    const [one, other] = [await idsOf(reader, live), await idsOf(reader, cats)]
    return [one.includes(made.plain) && other.includes(made.plain), one.includes(made.far) && other.includes(made.far)]
  }
  assert.deepEqual(await shown(), [true, true])
  await reader.post(`/api/v1/accounts/${bob.id}/block`)
  assert.deepEqual(await shown(), [false, true])
  await reader.post(`/api/v1/accounts/${bob.id}/unblock`)
  await bob.post(`/api/v1/accounts/${reader.id}/block`)
  assert.deepEqual(await shown(), [false, true])
  await bob.post(`/api/v1/accounts/${reader.id}/unblock`)
  await reader.post(`/api/v1/accounts/${bob.id}/mute`, { duration: 60 })
  assert.deepEqual(await shown(), [false, true])
  await server.ctx.db.run(
    sql`update mutes set expires_at = now() - interval '1 second' where account_id = ${reader.id}`,
  )
  assert.deepEqual(await shown(), [true, true])
  await server.ctx.db.run(sql`insert into account_domain_blocks (account_id, domain) values (${reader.id}, 'far.test')`)
  assert.deepEqual(await shown(), [true, false])
  assert.ok((await anonymous(live)).includes(made.far))
})

test('posts of silenced and suspended accounts are on no public timeline', async () => {
  const cleo = await server.person('cleo')
  const id = await post(cleo, 'hello #cats')
  assert.ok((await anonymous(live)).includes(id) && (await anonymous(cats)).includes(id))
  for (const column of ['silenced_at', 'suspended_at']) {
    await server.database.raw(`update accounts set ${column} = now() where id = $1`, [cleo.id])
    assert.ok(!(await anonymous(live)).includes(id) && !(await anonymous(cats)).includes(id), column)
    await server.database.raw(`update accounts set ${column} = null where id = $1`, [cleo.id])
  }
  await cleo.delete(`/api/v1/statuses/${id}`)
})

test('administrators restrict access to public and hashtag timelines', async () => {
  const moderator = await server.person('moderator', { role: 'moderator' })
  await saveSettings(server.ctx, { local_live_feed_access: 'authenticated', remote_live_feed_access: 'disabled' })
  assert.equal((await server.send('GET', live)).status, 401)
  assert.equal((await server.send('GET', `${live}?local=true`)).status, 401)
  assert.equal(
    (await server.send('GET', `${live}?local=true`, { token: await server.token({ scopes: ['read'] }) })).status,
    401,
  )
  assert.deepEqual(await anonymous(`${live}?remote=true`), [])
  assert.deepEqual(await idsOf(ada, `${live}?remote=true`), [])
  assert.deepEqual(await idsOf(ada, live), [made.image, made.plain])
  assert.deepEqual(await idsOf(moderator, `${live}?remote=true`), [made.farImage, made.far])
  assert.equal((await server.send('GET', cats)).status, 200)
  await saveSettings(server.ctx, {
    local_topic_feed_access: 'authenticated',
    local_live_feed_access: 'public',
    remote_live_feed_access: 'public',
  })
  assert.equal((await server.send('GET', cats)).status, 401)
  assert.equal((await server.send('GET', `${cats}?remote=true`)).status, 200)
  assert.equal((await server.send('GET', live)).status, 200)
  await saveSettings(server.ctx, { local_topic_feed_access: 'public' })
})

test('the masto client reads public and hashtag timelines', async () => {
  assert.equal((await ada.client.v1.timelines.public.list({ limit: 1, onlyMedia: true }))[0]?.id, made.image)
  assert.equal((await ada.client.v1.timelines.tag.$select('cats').list({ limit: 1 }))[0]?.id, made.far)
})

test('public timelines have the languages that the viewer chose, hashtags all of them', async () => {
  const reader = await server.person('polyglot')
  const [german, taiwanese, english] = [
    await post(bob, '#cats', { language: 'de' }),
    await post(bob, '#cats', { language: 'zh-TW' }),
    await post(bob, '#cats', { language: 'en' }),
  ]
  assert.ok((await idsOf(reader, live)).includes(english))
  await server.ctx.db.run(
    sql`update users set settings = settings || '{"chosen_languages": ["de", "zh"]}' where id = ${reader.userId}`,
  )
  assert.deepEqual(await idsOf(reader, live), [taiwanese, german])
  const own = await post(reader, 'my own', { language: 'en' })
  assert.deepEqual(await idsOf(reader, live), [own, taiwanese, german])
  assert.deepEqual(await idsOf(reader, `${live}?limit=1&max_id=${taiwanese}`), [german])
  assert.ok((await idsOf(reader, cats)).includes(english))
})
