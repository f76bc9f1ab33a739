// Hashtags: lookup, spellings and follows.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { beforeEach, test } from 'node:test'
import { type Person } from '../support/server.ts'
import { stage } from '../support/stage.ts'
import { links, post } from '../support/timelines.ts'

let ada: Person
let bob: Person
let cleo: Person
let tag: string
let round = 0

const { server } = await stage()

// Each test has its own accounts and its own hashtag.
beforeEach(async () => {
  round++
  tag = `cats${round}`
  const named = (name: string): Promise<Person> => server.person(`${name}${round}`)
  ;[ada, bob, cleo] = await Promise.all([named('ada'), named('bob'), named('cleo')])
})

const act = (who: Person, what: string, name = tag) =>
  who.send('POST', `/api/v1/tags/${encodeURIComponent(name)}/${what}`)

test('a hashtag is found by any spelling and shows its use and whether the viewer follows it', async () => {
  const unused = await server.send('GET', `/api/v1/tags/${tag}`)
  assert.deepEqual(
    [unused.status, unused.json.id, unused.json.name, unused.json.following, unused.json.history.length],
    [200, '0', tag, undefined, 7],
  )
  const spelt = (await server.send('GET', `/api/v1/tags/${encodeURIComponent(`Été${tag}`)}`)).json
  assert.deepEqual([spelt.name, spelt.url], [`Été${tag}`, `http://${server.domain}/tags/ete${tag}`])
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
  for (const name of ['not a tag', '42', '_', '%23', 'a-b', '%00'])
    assert.ok([400, 404].includes((await ada.send('GET', `/api/v1/tags/${name}`)).status), name)
  for (const name of ['a-b', '%00', '%zz', '%E0%A4%A']) {
    const answer = await server.send('GET', `/tags/${name}`, { headers: { accept: 'application/activity+json' } })
    assert.ok([400, 404].includes(answer.status), `${name} ${answer.status}`)
  }
})

test('for others, a hashtag of private posts is as if unused, until a public post or profile uses it', async () => {
  const document = async (): Promise<number> =>
    (await server.send('GET', `/tags/${tag}`, { headers: { accept: 'application/activity+json' } })).status
  const idFor = async (who: Person | null): Promise<string> =>
    (await server.send('GET', `/api/v1/tags/${tag}`, { token: who?.token ?? null })).json.id
  const unused = await ada.get(`/api/v1/tags/${tag}`)
  for (const visibility of ['private', 'direct']) await post(bob, `Plan #${tag.toUpperCase()}`, { visibility })
  assert.deepEqual(await ada.get(`/api/v1/tags/${tag}`), unused)
  assert.deepEqual([await idFor(null), await idFor(cleo), await document()], ['0', '0', 404])
  assert.equal((await act(ada, 'unfollow')).json.id, '0')
  const followed = (await act(ada, 'follow')).json
  assert.notEqual(followed.id, '0')
  assert.deepEqual([await idFor(ada), await idFor(bob), await idFor(cleo)], [followed.id, followed.id, '0'])
  assert.equal(await document(), 404)
  await act(cleo, 'feature')
  assert.deepEqual([await idFor(null), await document()], [followed.id, 200])
  await act(cleo, 'unfeature')
  assert.deepEqual([await idFor(null), await document()], ['0', 404])
  await post(cleo, `Now open: #${tag}`, { visibility: 'unlisted' })
  assert.deepEqual([await idFor(null), await document()], [followed.id, 200])
})

test('spellings that differ in case, width or accents are one hashtag, which is shown in its first spelling', async () => {
  const word = `cr${round}x`
  const name = (typed: string): string => `${typed}${word}`
  await act(ada, 'follow', name('CAFE'))
  await act(ada, 'feature', name('Café'))
  const ids: string[] = []
  for (const typed of ['Café', 'cafe', 'CAFÉ', 'ｃａｆｅ\u0301']) ids.unshift(await post(bob, `#${name(typed)}`))
  for (const typed of ['Café', 'cafe'])
    assert.deepEqual(
      (await ada.get(`/api/v1/timelines/tag/${encodeURIComponent(name(typed))}`)).map(({ id }: any) => id),
      ids,
    )
  const {
    id,
    name: shown,
    url,
    following,
    featuring,
  } = await ada.get(`/api/v1/tags/${encodeURIComponent(name('cafÉ'))}`)
  assert.deepEqual(
    [shown, url, following, featuring],
    [name('CAFE'), `http://${server.domain}/tags/cafe${word}`, true, true],
  )
  assert.deepEqual((await ada.get(`/api/v2/search?q=${encodeURIComponent(name('#Café'))}`)).hashtags[0].id, id)
  assert.deepEqual(
    (await ada.get('/api/v1/featured_tags')).map((tag: any) => tag.name),
    [name('Café')],
  )
  const { content, tags } = await bob.get(`/api/v1/statuses/${ids[3]}`)
  assert.match(content, new RegExp(`href="[^"]+/tags/cafe${word}"[^>]*>#<span>Café${word}<`))
  assert.deepEqual(tags, [{ name: `cafe${word}`, url }])
})

test('a private post does not spell a hashtag for others, the first post that they may read does', async () => {
  const shown = async (who: Person, name = tag): Promise<string> => (await who.get(`/api/v1/tags/${name}`)).name
  for (const visibility of ['private', 'direct']) await post(bob, `#${tag.toUpperCase()}`, { visibility })
  await act(ada, 'follow')
  assert.deepEqual([await shown(bob), await shown(ada)], [tag, tag])
  await act(cleo, 'feature')
  assert.equal(await shown(ada), tag)
  const spelled = `C${tag.slice(1)}`
  await post(bob, `#${spelled}`, { visibility: 'unlisted' })
  await post(bob, `#${tag.toUpperCase()}`)
  for (const who of [ada, bob, cleo]) assert.equal(await shown(who), spelled)
  const { id } = await bob.post('/api/v1/statuses', { status: 'untagged' })
  const other = `dogs${round}`
  await post(bob, `#${other.toUpperCase()}`, { visibility: 'private' })
  await bob.put(`/api/v1/statuses/${id}`, { status: `#D${other.slice(1)}` })
  assert.equal(await shown(ada, other), `D${other.slice(1)}`)
})

test('underscores or digits alone are not a hashtag', async () => {
  const status = await bob.post('/api/v1/statuses', { status: `#_ #__ #2026 #1_ but #_a${round} #1_2` })
  assert.deepEqual(status.tags.map(({ name }: any) => name).toSorted(), ['1_2', `_a${round}`])
})

test('search lists hashtags by use, then by name', async () => {
  const used = async (name: string, times: number): Promise<void> => {
    for (let i = 0; i < times; i++) await post(bob, `#${name}${round}`)
  }
  await used(`rank${round}b`, 1)
  await used(`rank${round}c`, 3)
  await used(`rank${round}a`, 1)
  const found = (await ada.get(`/api/v2/search?type=hashtags&q=rank${round}`)).hashtags
  assert.deepEqual(
    found.map((tag: any) => tag.name),
    ['c', 'a', 'b'].map((letter) => `rank${round}${letter}${round}`),
  )
})

test('a hashtag of private posts alone is found by their author and by accounts that follow it', async () => {
  const find = async (who: Person | null): Promise<string[]> =>
    (
      await server.send('GET', `/api/v2/search?type=hashtags&q=${tag.slice(0, -1)}`, { token: who?.token ?? null })
    ).json.hashtags
      .map(({ name }: any) => name)
      .filter((name: string) => name === tag)
  const { id } = await bob.post('/api/v1/statuses', { status: `@${ada.username} #${tag}`, visibility: 'direct' })
  await post(bob, `#${tag}`, { visibility: 'private' })
  await bob.put(`/api/v1/statuses/${id}`, { status: `edited #${tag}` })
  assert.deepEqual(await Promise.all([bob, cleo, null].map(find)), [[tag], [], []])
  await act(cleo, 'follow')
  assert.deepEqual(await Promise.all([cleo, null].map(find)), [[tag], []])
  const { id: unlisted } = await bob.post('/api/v1/statuses', { status: 'for all', visibility: 'unlisted' })
  assert.deepEqual(await find(null), [])
  await bob.put(`/api/v1/statuses/${unlisted}`, { status: `for all #${tag}` })
  assert.deepEqual(await find(null), [tag])
})

test('a featured hashtag is found before a post uses it', async () => {
  assert.equal((await act(bob, 'feature')).status, 200)
  assert.equal((await server.send('GET', `/api/v2/search?q=%23${tag}`)).json.hashtags[0]?.name, tag)
})

test('the migration merges hashtags stored in several spellings with all references to them', async () => {
  const [plain, accented, shouted] = [`ole${round}`, `olé${round}`, `ólé${round}`]
  const statusIds = [await post(bob, 'a'), await post(bob, 'b'), await post(bob, 'c')]
  const { rows } = await server.database.raw(
    `insert into tags (name, display_name, last_status_at) values ($1, $1, '2026-01-01'), ($2, $2, '2026-03-01'), ($3, $3, null), ('_', '_', null)
    returning id`,
    [accented, plain, shouted],
  )
  const [merged, other, third, blank] = rows.map(({ id }: any) => id as string)
  await server.database.raw(
    `insert into status_tags (tag_id, status_id) select * from unnest($1::bigint[], $2::bigint[])`,
    [
      [merged, merged, other, other, third, blank],
      [statusIds[0], statusIds[1], statusIds[1], statusIds[2], statusIds[2], statusIds[0]],
    ],
  )
  for (const table of ['followed_tags', 'featured_tags']) {
    const [names, values] = table === 'featured_tags' ? [', name', ", 'ole'"] : ['', '']
    await server.database.raw(
      `insert into ${table} (account_id, tag_id${names}) select a, t${values} from unnest($1::bigint[], $2::bigint[]) x (a, t)`,
      [
        [ada.id, ada.id, bob.id, cleo.id],
        [other, third, third, merged],
      ],
    )
  }
  const { id } = (await bob.post('/api/v1/collections', { name: 'Toros' })).collection
  await server.database.raw('update collections set tag_id = $1 where id = $2', [third, id])
  const migration = readFileSync(new URL('../../src/db/migrations/0029_fold_hashtags.sql', import.meta.url), 'utf8')
  await server.database.raw(migration)
  const tag = await ada.get(`/api/v1/tags/${plain}`)
  assert.deepEqual([tag.id, tag.name, tag.following, tag.featuring], [merged, accented, true, true])
  assert.deepEqual(
    (await ada.get(`/api/v1/timelines/tag/${plain}`)).map((status: any) => status.id),
    statusIds.toReversed(),
  )
  for (const who of [ada, bob, cleo]) {
    assert.deepEqual(
      (await who.get('/api/v1/followed_tags')).map((followed: any) => followed.id),
      [merged],
    )
    assert.equal((await who.get('/api/v1/featured_tags')).length, 1)
  }
  assert.equal((await ada.get(`/api/v1/collections/${id}`)).collection.tag.name, accented)
  const left = await server.database.raw(`select id, last_status_at::date::text as last from tags where id = any($1)`, [
    [merged, other, third, blank],
  ])
  assert.deepEqual(left.rows, [{ id: merged, last: '2026-03-01' }])
})

test('following a hashtag repeatedly or concurrently creates one follow, which is listed until unfollowed', async () => {
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

test('following and featuring hashtags require a valid name', async () => {
  for (const what of ['follow', 'unfollow', 'feature', 'unfeature'])
    assert.equal((await act(ada, what, 'not a tag')).status, 404, what)
})

test('followed hashtags are paginated in both directions', async () => {
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
