import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bookmark, editStatus, favourite, publishStatus, unbookmark, unfavourite } from '../support/acts.ts'
import { sql } from '../support/database.ts'
import { addSearchShare } from '../support/internals.ts'
import { beforeCommit } from '../support/races.ts'
import { remoteAccount } from '../support/remote.ts'
import { type Person } from '../support/server.ts'
import { stage } from '../support/stage.ts'
import { post } from '../support/timelines.ts'

const { server, ada, ben, cora } = await stage({ accounts: ['ada', 'ben', 'cora'] })
// Cora's public posts are searchable for all accounts.
await cora.send('PATCH', '/api/v1/accounts/update_credentials', { json: { indexable: true } })
await server.drain()

const find = async (q: string, who: Person = ada, more = ''): Promise<string[]> => {
  const answer = await who.send('GET', `/api/v2/search?type=statuses&q=${encodeURIComponent(q)}${more}`)
  assert.equal(answer.status, 200, answer.text)
  return answer.json.statuses.map((one: any) => one.id)
}

test('search finds own posts, posts that mention the viewer and public posts of indexable accounts', async () => {
  const own = await post(ada, 'about jackdaws, privately', { visibility: 'private' })
  const direct = await post(ben, '@ada jackdaws, for you', { visibility: 'direct' })
  const hidden = await post(ben, 'jackdaws, publicly')
  const open = await post(cora, 'jackdaws for everybody')
  const unlisted = await post(cora, 'unlisted jackdaws', { visibility: 'unlisted' })
  assert.deepEqual(await find('jackdaws'), [open, direct, own])
  assert.deepEqual(await find('jackdaws', ben), [open, hidden, direct])
  assert.deepEqual(await find('jackdaws', cora), [unlisted, open])
  assert.deepEqual(await find('jackdaws in:library'), [direct, own])
  assert.deepEqual(await find('jackdaws in:public'), [open])
  assert.deepEqual(await find('jackdaws in:all'), [open, direct, own])
  assert.deepEqual(await find('jackdaws -in:library'), [open])
  assert.deepEqual(await find('jackdaws -in:public'), [direct, own])
  assert.deepEqual(await find('jackdaws -in:all'), [])
  const anonymous = await server.send('GET', '/api/v2/search?type=statuses&q=jackdaws')
  assert.deepEqual([anonymous.status, anonymous.json.statuses], [200, []])
  const app = await server.token({ scopes: ['read'] })
  assert.deepEqual((await server.send('GET', '/api/v2/search?q=jackdaws', { token: app })).json.statuses, [])
})

test('search finds favourited and bookmarked posts while they are marked and visible to the viewer', async () => {
  const [liked, marked] = [await post(ben, 'a magpie to like'), await post(ben, 'a magpie to keep')]
  assert.deepEqual(await find('magpie'), [])
  await ada.post(`/api/v1/statuses/${liked}/favourite`)
  await ada.post(`/api/v1/statuses/${marked}/bookmark`)
  await ada.post(`/api/v1/statuses/${liked}/bookmark`)
  assert.deepEqual(await find('magpie'), [marked, liked])
  assert.deepEqual(await find('magpie', cora), [])
  await ada.post(`/api/v1/statuses/${liked}/unfavourite`)
  assert.deepEqual(await find('magpie in:library'), [marked, liked])
  await ada.post(`/api/v1/statuses/${liked}/unbookmark`)
  assert.deepEqual(await find('magpie'), [marked])
  await ben.put(`/api/v1/statuses/${marked}`, { status: 'a raven to keep' })
  assert.deepEqual([await find('magpie'), await find('raven')], [[], [marked]])
  await ben.post(`/api/v1/accounts/${ada.id}/block`)
  assert.deepEqual(await find('raven'), [])
  await ben.post(`/api/v1/accounts/${ada.id}/unblock`)
  await ben.delete(`/api/v1/statuses/${marked}`)
  assert.deepEqual(await find('raven'), [])
})

test('search finds a post by its new words after an edit at the same time as a favourite or bookmark', async () => {
  const [edit, acts] = [
    { text: 'a dipper', content: '<p>a dipper</p>' },
    { favourite, bookmark },
  ]
  for (const [name, act] of Object.entries(acts)) {
    const [first, second] = [await post(ben, 'a wagtail'), await post(ben, 'a wagtail')]
    await beforeCommit(
      server,
      (tx) => editStatus(tx, first, edit),
      () => ada.post(`/api/v1/statuses/${first}/${name}`),
    )
    await beforeCommit(
      server,
      (tx) => act(tx, ada.id, second),
      () => ben.put(`/api/v1/statuses/${second}`, { status: edit.text }),
    )
    assert.deepEqual([await find('wagtail'), await find('dipper')], [[], [second, first]], name)
    await ben.delete(`/api/v1/statuses/${first}`)
    await ben.delete(`/api/v1/statuses/${second}`)
  }
})

test('an edit at the same time as the indexing of all posts of its author is found by its new words', async () => {
  const id = await post(ben, 'a wheatear')
  await beforeCommit(
    server,
    (tx) => editStatus(tx, id, { text: 'a stonechat', content: '<p>a stonechat</p>' }),
    async () => {
      await server.ctx.enqueue('search.account', { accountId: ben.id, after: '0' })
      await server.drain()
    },
  )
  assert.deepEqual([await find('wheatear', ben), await find('stonechat', ben)], [[], [id]])
})

test('search hides posts of blocked, muted, suspended and no longer indexable accounts', async () => {
  const id = await post(cora, 'the nutcracker')
  const found = async (): Promise<boolean> => (await find('nutcracker')).includes(id)
  for (const [act, undo] of [
    ['block', 'unblock'],
    ['mute', 'unmute'],
  ] as const) {
    await ada.post(`/api/v1/accounts/${cora.id}/${act}`)
    assert.equal(await found(), false, act)
    await ada.post(`/api/v1/accounts/${cora.id}/${undo}`)
  }
  await cora.post(`/api/v1/accounts/${ada.id}/block`)
  assert.equal(await found(), false)
  await cora.post(`/api/v1/accounts/${ada.id}/unblock`)
  for (const [column, hidden] of [
    ['suspended_at', true],
    ['silenced_at', false],
  ] as const) {
    await server.database.raw(`update accounts set ${column} = now() where id = $1`, [cora.id])
    assert.equal(await found(), !hidden, column)
    await server.database.raw(`update accounts set ${column} = null where id = $1`, [cora.id])
  }
  assert.equal(await found(), true)
  await cora.send('PATCH', '/api/v1/accounts/update_credentials', { json: { indexable: false } })
  assert.equal(await found(), false)
  await server.drain()
  assert.deepEqual(
    (await server.database.raw(`select 1 from status_search where document @@ ''':open'''::tsquery`)).rows,
    [],
  )
  await cora.send('PATCH', '/api/v1/accounts/update_credentials', { json: { indexable: true } })
  await server.drain()
  assert.equal(await found(), true)
  const indexing = async (): Promise<number> =>
    (await server.database.raw(`select 1 from pgboss.job where name = 'search.account'`)).rows.length
  const before = await indexing()
  await cora.send('PATCH', '/api/v1/accounts/update_credentials', { json: { indexable: true, display_name: 'Cora' } })
  assert.equal(await indexing(), before, 'the posts are indexed again only for a change')
})

test('search understands words, phrases, exclusions and operators, in all texts of a post', async () => {
  const media = async (description: string): Promise<string> => {
    const form = new FormData()
    const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
    form.set('file', new File([Buffer.from(png, 'base64')], 'a.png', { type: 'image/png' }))
    form.set('description', description)
    return (await ada.send('POST', '/api/v2/media', { form })).json.id
  }
  const quick = await post(ada, 'The quick brown fox jumps over the lazy dog', { language: 'en' })
  const brown = await post(ada, 'Brown, and quick is another Füchse', {
    language: 'de',
    spoiler_text: 'foxes and CAFÉ',
  })
  const pictured = await post(ada, 'look', { media_ids: [await media('A brown hedgehog in a hedge')] })
  const asking = await post(ada, 'which?', { poll: { options: ['brown hen', 'white hen'], expires_in: 3600 } })
  const answer = await post(ada, 'brown answer', { in_reply_to_id: asking, language: 'zh-TW' })
  const quote = await post(ada, 'as I said', { quoted_status_id: quick })
  const all = [answer, asking, pictured, brown, quick]
  assert.deepEqual(await find('brown'), all)
  assert.deepEqual(await find('BROWN quick'), [brown, quick])
  assert.deepEqual(await find('"quick brown"'), [quick])
  assert.deepEqual(await find('“quick brown”'), [quick])
  assert.deepEqual(await find('brown -quick'), [answer, asking, pictured])
  assert.deepEqual(await find('brown -"quick brown" +quick'), [brown])
  assert.deepEqual(await find('fuchse'), [brown])
  assert.deepEqual(await find('cafe'), [brown])
  assert.deepEqual(await find('hedgehog'), [pictured])
  assert.deepEqual(await find('white'), [asking])
  assert.deepEqual(await find('"hen white"'), [])
  assert.deepEqual(await find('brown has:media'), [pictured])
  assert.deepEqual(await find('brown has:poll'), [asking])
  assert.deepEqual(await find('brown -has:media -has:poll'), [answer, brown, quick])
  assert.deepEqual(await find('brown has:embed'), [])
  assert.deepEqual(await find('brown is:reply'), [answer])
  assert.deepEqual(await find('brown is:sensitive'), [brown])
  assert.deepEqual(await find('brown language:de'), [brown])
  assert.deepEqual(await find('brown language:zh'), [answer])
  assert.deepEqual(await find('brown -language:en -language:de language:zh-tw'), [answer])
  assert.deepEqual(await find('has:poll'), [asking])
  assert.deepEqual(await find('said has:quote'), [quote])
  assert.deepEqual(await find('brown -has:quote'), all)
  // Operators with unknown or missing values are treated as words.
  const odd = await post(ada, 'he has: fun, re: language: that')
  assert.deepEqual(await find('has:fun'), [odd])
  assert.deepEqual(await find('re:language'), [odd])
  assert.deepEqual(await find('"!!!" ... -'), [])
})

test('search finds parts of words in scripts without spaces', async () => {
  const [tokyo, thai, hindi] = [
    await post(ada, '新しい東京都庁に行きました'),
    await post(ada, 'สวัสดีครับทุกคน'),
    await post(ada, 'नमस्ते दुनिया'),
  ]
  for (const [q, id] of [
    ['東京', tokyo],
    ['京都庁', tokyo],
    ['都', tokyo],
    ['ครับ', thai],
    ['नमस्ते', hindi],
  ] as const)
    assert.deepEqual(await find(q), [id], q)
  assert.deepEqual(await find('東都'), [])
})

test('search filters by author and date, in the time zone of the viewer', async () => {
  const far = await remoteAccount(server, 'dot', 'far.test', { indexable: true })
  const at = async (time: string): Promise<string> => {
    const createdAt = new Date(time)
    const base = { accountId: far, local: false, visibility: 'public', content: '<p>a <b>bee</b>-eater</p>' } as const
    const uri = `https://far.test/${createdAt.getTime()}`
    return (await publishStatus(server.ctx, { ...base, uri, url: uri, createdAt, silent: true })).id
  }
  const first = await at('2024-02-28T23:30:00Z')
  const second = await at('2024-02-29T12:00:00Z')
  const third = await at('2024-02-29T23:30:00Z')
  const mine = await post(ada, 'bee eater')
  const coras = await post(cora, 'bee eater')
  assert.deepEqual(await find('bee eater'), [coras, mine, third, second, first])
  assert.deepEqual(await find('bee from:me'), [mine])
  assert.deepEqual(await find('bee from:@cora'), [coras])
  assert.deepEqual(await find(`bee from:cora@${server.domain}`), [coras])
  assert.deepEqual(await find('bee from:@dot@far.test'), [third, second, first])
  assert.deepEqual(await find('bee -from:@dot@far.test -from:me'), [coras])
  assert.deepEqual(await find('bee from:@nobody'), [])
  assert.deepEqual(await find('bee', ada, `&account_id=${far}`), [third, second, first])
  assert.deepEqual(await find('bee', ada, '&account_id=x'), [])
  assert.deepEqual(await find('bee before:2024-02-29'), [first])
  assert.deepEqual(await find('bee during:2024-02-29'), [third, second])
  assert.deepEqual(await find('bee after:2024-02-29'), [coras, mine])
  assert.deepEqual(await find('bee -during:2024-02-29'), [coras, mine, first])
  assert.deepEqual(await find('bee -after:2024-02-28'), [first])
  assert.deepEqual(await find('bee after:2024-02-28 before:2024-03-01'), [third, second])
  assert.deepEqual(await find('bee after:2024-03-01 before:2024-02-01'), [])
  assert.deepEqual(await find('bee before:"2024-02-29T12:00:00Z"'), [first])
  assert.deepEqual(await find('bee after:2024-02-29T13:00:00+01:00 before:2024-03-01'), [third])
  assert.deepEqual(await find('bee after:9999-12-31'), [])
  assert.deepEqual(await find('bee before:2024-02-30'), [])
  await server.ctx.db.run(sql`update users set time_zone = 'Asia/Tokyo' where id = ${ada.userId}`)
  assert.deepEqual(await find('bee during:2024-02-29'), [second, first])
  assert.deepEqual(await find('bee during:2024-03-01'), [third])
  await server.ctx.db.run(sql`update users set time_zone = 'Not/Anywhere' where id = ${ada.userId}`)
  assert.deepEqual(await find('bee during:2024-02-29'), [third, second])
  await server.ctx.db.run(sql`update users set time_zone = null where id = ${ada.userId}`)
})

test('results are paginated, newest first, across the shares of the index', async () => {
  const ids: string[] = []
  for (let i = 0; i < 7; i++) {
    // One share for each post, because a test has too few posts to fill one.
    ids.unshift(await post(ada, `wren number ${i}`))
    await server.ctx.db.run(sql`insert into search_shares (lower_id) values (${ids[0]}::bigint + 1)`)
  }
  await addSearchShare(server.ctx)
  assert.deepEqual(await find('wren'), ids)
  assert.deepEqual(await find('wren', ada, '&limit=3'), ids.slice(0, 3))
  assert.deepEqual(await find('wren', ada, '&limit=3&offset=2'), ids.slice(2, 5))
  assert.deepEqual(await find('wren', ada, '&limit=3&offset=6'), ids.slice(6))
  assert.deepEqual(await find('wren', ada, '&offset=100000'), [])
  assert.deepEqual(await find('wren', ada, `&max_id=${ids[2]}`), ids.slice(3))
  assert.deepEqual(await find('wren', ada, `&min_id=${ids[2]}`), ids.slice(0, 2))
  assert.deepEqual(await find('wren', ada, `&min_id=${ids[5]}&max_id=${ids[2]}`), ids.slice(3, 5))
  assert.deepEqual(await find('wren', ada, '&min_id=9223372036854775807'), [])
  assert.deepEqual(await find('wren', ada, '&max_id=nonsense&limit=2'), ids.slice(0, 2))
  await ada.post(`/api/v1/statuses/${ids[3]}/favourite`)
  await ada.post(`/api/v1/statuses/${ids[3]}/bookmark`)
  assert.deepEqual(await find('wren from:me'), ids)
})

test('a single hashtag or handle finds no posts; with other words it does', async () => {
  const id = await post(ada, 'seen a #Dipper with @ben')
  const search = async (q: string): Promise<any> => ada.get(`/api/v2/search?q=${encodeURIComponent(q)}`)
  assert.deepEqual([(await search('#dipper')).statuses, (await search('#dipper')).hashtags.length], [[], 1])
  assert.deepEqual((await search('@ben')).statuses, [])
  assert.deepEqual((await search('#dipper seen')).statuses[0].id, id)
  assert.deepEqual(await find('dipper from:@ada'), [id])
  assert.deepEqual((await search('dipper from:@ada')).accounts, [])
})

test('remote posts are indexed only while a local account may find them', async () => {
  const far = await remoteAccount(server, 'eve', 'far.test')
  const uri = 'https://far.test/crane'
  const draft = {
    accountId: far,
    local: false,
    uri,
    url: uri,
    visibility: 'public',
    content: '<p>a crane</p>',
  } as const
  const { id } = await publishStatus(server.ctx, draft)
  const entries = async (): Promise<number> =>
    (await server.database.raw('select 1 from status_search where status_id = $1', [id])).rows.length
  assert.equal(await entries(), 0)
  await ada.post(`/api/v1/statuses/${id}/bookmark`)
  assert.deepEqual([await entries(), await find('crane'), await find('crane', ben)], [1, [id], []])
  await ada.post(`/api/v1/statuses/${id}/unbookmark`)
  assert.deepEqual([await entries(), await find('crane')], [0, []])
  const undone = { favourite: unfavourite, bookmark: unbookmark }
  for (const [act, undo] of Object.entries(undone)) {
    await ada.post(`/api/v1/statuses/${id}/${act}`)
    await beforeCommit(
      server,
      (tx) => undo(tx, ada.id, id),
      () => editStatus(server.ctx, id, { content: `<p>a crane without a ${act}</p>`, editedAt: new Date() }),
    )
    assert.equal(await entries(), 0, `an edit at the same time as the end of a ${act}`)
  }
})

test('malformed queries do not cause server errors', async () => {
  const asked = [
    "'; drop table statuses; --",
    `" ' \\ & | ! ( ) <-> :* @@ ''`,
    '"unfinished -',
    '(((((',
    'from:"',
    'from:@',
    'from:@a@b@c',
    'during:0000-00-00 before:-1',
    'language:../../x',
    '\u0000\uD800',
    '-a -b -c',
    `${'x '.repeat(2000)}`,
    `${'"a b" '.repeat(300)}`,
    'y'.repeat(5000),
    `${'from:@ada '.repeat(100)}`,
    '東'.repeat(600),
    '🎉🎉 ∞ ½ ﷽',
  ]
  for (const q of asked) {
    const { status } = await ada.send('GET', `/api/v2/search?q=${encodeURIComponent(q.toWellFormed())}`)
    assert.ok(status < 500, `${q.slice(0, 40)}: ${status}`)
  }
})
